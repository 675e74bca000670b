  // Every bench includes this: clock and reset, driven by the bench's one process while the clock is
  // low, and counted checks. A bench passes when it made checks and none failed.
  logic clk      = 1'b0;
  logic rst_n    = 1'b1;
  int   checks   = 0;
  int   failures = 0;

  task automatic step;
    #5 clk = 1'b1;
    #5 clk = 1'b0;
  endtask

  task automatic reset;
    #1 rst_n = 1'b0;  // an edge: flops that hold anything at power-up are reset before any clock
    step();
    step();
    rst_n = 1'b1;
  endtask

  task automatic check(input string what, input int index, input logic [31:0] got,
                       input logic [31:0] want);
    checks = checks + 1;
    if (got !== want) begin
      failures = failures + 1;
      if (failures <= 20) $display("FAIL %s[%0d]: got %h, want %h", what, index, got, want);
    end
  endtask

  task automatic check_text(input string what, input string got, input string want);
    checks = checks + 1;
    if (got != want) begin
      failures = failures + 1;
      $display("FAIL %s:\n  got  %s\n  want %s", what, got, want);
    end
  endtask

  task automatic finish;
    $display("%0d checks, %0d failed", checks, failures);
    if (failures != 0 || checks == 0) $fatal(1, "bench failed");
    $finish;
  endtask
