// The memories of variant stream: bram_sp, bram_dp and the KV cache on top of two of them. Expected
// contents are kept beside them.
module tb_bram;
  `include "bench.svh"
  localparam int Words  = 24;  // not a power of two
  localparam int DModel = 8;
  localparam int Rows   = 3;

  // one port
  logic        sp_enable = 1'b0;
  logic        sp_write  = 1'b0;
  logic [4:0]  sp_addr   = '0;
  logic [15:0] sp_wdata  = '0;
  logic [15:0] sp_rdata;
  bram_sp #(
    .Words (Words)
  ) dut_sp (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (sp_enable),
    .write  (sp_write),
    .addr   (sp_addr),
    .wdata  (sp_wdata),
    .rdata  (sp_rdata)
  );

  // two ports
  logic        dp_write = 1'b0;
  logic        dp_read  = 1'b0;
  logic [4:0]  dp_waddr = '0;
  logic [4:0]  dp_raddr = '0;
  logic [15:0] dp_wdata = '0;
  logic [15:0] dp_rdata;
  bram_dp #(
    .Words (Words)
  ) dut_dp (
    .clk     (clk),
    .rst_n   (rst_n),
    .write_a (dp_write),
    .addr_a  (dp_waddr),
    .wdata_a (dp_wdata),
    .read_b  (dp_read),
    .addr_b  (dp_raddr),
    .rdata_b (dp_rdata)
  );

  // the cache
  logic                    kv_write = 1'b0;
  logic [1:0]              row      = '0;
  logic [DModel-1:0][15:0] k_in     = '0;
  logic [DModel-1:0][15:0] v_in     = '0;
  logic                    k_read   = 1'b0;
  logic                    v_read   = 1'b0;
  logic [4:0]              k_addr   = '0;
  logic [4:0]              v_addr   = '0;
  logic [15:0]             k_word, v_word;
  kv_cache_bram #(
    .DModel    (DModel),
    .MaxSeqLen (Rows)
  ) dut_kv (
    .clk    (clk),
    .rst_n  (rst_n),
    .write  (kv_write),
    .row    (row),
    .k_in   (k_in),
    .v_in   (v_in),
    .k_read (k_read),
    .k_addr (k_addr),
    .v_read (v_read),
    .v_addr (v_addr),
    .k_word (k_word),
    .v_word (v_word)
  );

  function automatic logic [15:0] pattern(input int n);
    return 16'(n * 2654 + 77);
  endfunction

  task automatic single_port;
    sp_enable = 1'b1;
    for (int n = 0; n < Words; n++) begin  // power-up
      sp_addr = 5'(n);
      step();
      check("sp power-up", n, 32'(sp_rdata), 32'd0);
    end
    sp_write = 1'b1;
    for (int n = 0; n < Words; n++) begin
      sp_addr  = 5'(n);
      sp_wdata = pattern(n);
      step();
      check("sp rdata holds while it writes", n, 32'(sp_rdata), 32'd0);
    end
    sp_write = 1'b0;
    for (int n = Words - 1; n >= 0; n--) begin
      sp_addr = 5'(n);
      step();
      check("sp read", n, 32'(sp_rdata), 32'(pattern(n)));
    end
    sp_write = 1'b1;
    sp_addr  = 5'd5;
    sp_wdata = pattern(5);
    step();
    check("sp rdata holds while another word is written", 0, 32'(sp_rdata), 32'(pattern(0)));
    sp_enable = 1'b0;
    sp_write  = 1'b1;  // without enable: nothing
    sp_addr   = 5'd3;
    sp_wdata  = 16'hDEAD;
    step();
    check("sp holds without enable", 0, 32'(sp_rdata), 32'(pattern(0)));
    sp_write  = 1'b0;
    sp_enable = 1'b1;
    step();
    check("sp not written without enable", 3, 32'(sp_rdata), 32'(pattern(3)));
    reset();
    check("sp reset clears rdata", 0, 32'(sp_rdata), 32'd0);
    step();
    check("sp reset keeps the memory", 3, 32'(sp_rdata), 32'(pattern(3)));
    sp_enable = 1'b0;
  endtask

  task automatic dual_port;
    dp_write = 1'b1;
    dp_read  = 1'b1;
    for (int n = 0; n < Words; n++) begin
      dp_waddr = 5'(n);
      dp_raddr = 5'(n);
      dp_wdata = pattern(n + 100);
      step();
      check("dp read of the word being written: old", n, 32'(dp_rdata), 32'd0);
    end
    for (int n = 0; n < Words; n++) begin  // read one, write another
      dp_raddr = 5'(n);
      dp_waddr = 5'((n + 5) % Words);
      dp_wdata = pattern((n + 5) % Words + 200);
      step();
      check("dp read", n, 32'(dp_rdata), 32'(n < 5 ? pattern(n + 100) : pattern(n + 200)));
    end
    dp_write = 1'b0;
    dp_read  = 1'b0;
    dp_raddr = 5'd9;
    step();
    check("dp holds without read", Words - 1, 32'(dp_rdata), 32'(pattern(Words - 1 + 200)));
    reset();
    check("dp reset clears rdata", 0, 32'(dp_rdata), 32'd0);
    dp_read = 1'b1;
    step();
    check("dp reset keeps the memory", 9, 32'(dp_rdata), 32'(pattern(9 + 200)));
    dp_read = 1'b0;
  endtask

  // Element d lands on the edge that ends the (d + 1)-th cycle after `write`.
  task automatic cache_row(input int r);
    for (int d = 0; d < DModel; d++) begin
      k_in[d] = pattern(r * 50 + d);
      v_in[d] = pattern(r * 50 + d + 1000);
    end
    row      = 2'(r);
    kv_write = 1'b1;
    step();
    kv_write = 1'b0;
    for (int d = 0; d < DModel; d++) begin
      k_read = 1'b1;  // element d - 1, stored on the edge before
      v_read = 1'b1;
      k_addr = 5'(r * DModel + (d > 0 ? d - 1 : 0));
      v_addr = 5'(r * DModel + d);  // being written: the old word
      step();
      check("cache K written", d, 32'(k_word), d == 0 ? 32'd0 : 32'(k_in[d-1]));
      check("cache V not yet", d, 32'(v_word), 32'd0);
    end
  endtask

  task automatic cache;
    for (int r = Rows - 1; r >= 0; r--) cache_row(r);
    for (int n = 0; n < 3; n++) step();
    for (int n = 0; n < Rows * DModel; n++) begin
      k_addr = 5'(n);
      v_addr = 5'(Rows * DModel - 1 - n);
      step();
      check("cache K", n, 32'(k_word), 32'(pattern((n / DModel) * 50 + n % DModel)));
      check("cache V", n, 32'(v_word),
            32'(pattern((Rows - 1 - n / DModel) * 50 + DModel - 1 - n % DModel + 1000)));
    end
    k_read = 1'b0;
    k_addr = '0;
    step();
    check("cache K word holds", 0, 32'(k_word), 32'(pattern((Rows - 1) * 50 + DModel - 1)));
    // reset in the middle of a write stops it
    for (int d = 0; d < DModel; d++) k_in[d] = 16'h5555;
    row      = 2'd1;
    kv_write = 1'b1;
    step();
    kv_write = 1'b0;
    step();
    step();
    reset();
    k_read = 1'b1;
    for (int d = 0; d < DModel; d++) begin
      k_addr = 5'(DModel + d);
      step();
      check("cache after reset", d, 32'(k_word), d < 2 ? 32'h5555 : 32'(pattern(50 + d)));
    end
  endtask

  initial begin
    reset();
    single_port();
    dual_port();
    cache();
    finish();
  end
endmodule
