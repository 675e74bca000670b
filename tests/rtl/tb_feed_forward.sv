// Feed forward on every token of a golden file: hidden after the ReLU, outputs, and the length of
// every state.
module tb_feed_forward;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"

  logic                    start = 1'b0;
  logic [DModel-1:0][15:0] x_in  = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y_out;

  feed_forward #(
    .DModel  (DModel),
    .DFf     (DFf),
    .Options (Options)
  ) dut (
    .clk   (clk),
    .rst_n (rst_n),
    .start (start),
    .x_in  (x_in),
    .w1    (w1),
    .b1    (b1),
    .w3    (w3),
    .b3    (b3),
    .w2    (w2),
    .b2    (b2),
    .valid (valid),
    .y_out (y_out)
  );

  bit found;
  int count [0:5];
  localparam bit Gated = Options[OptFfnSwiglu];

  task automatic run;
    int cycles, limit;
    x_in = ln2_out;
    for (int s = 0; s < 6; s++) count[s] = 0;
    start  = 1'b1;
    cycles = 0;
    while (!valid && cycles < 10000) begin
      count[dut.state_q] = count[dut.state_q] + 1;
      step();
      start  = 1'b0;
      cycles = cycles + 1;
    end
    check("cycles", position, 32'(cycles), 32'(Gated ? 2 * DFf + DModel + 4 : DFf + DModel + 4));
    for (int s = 0; s < 6; s++) begin
      limit = s == 1 ? DFf + 1 : s == 3 ? DModel + 1 : s == 4 ? 0 : s == 0 ? 1 :
              s == 2 ? (Gated ? 0 : 1) : (Gated ? DFf + 1 : 0);
      check("cycles in state", s, 32'(count[s]), 32'(limit));
    end
    for (int i = 0; i < DFf; i++) check("up", i, 32'(dut.up_q[i]), Gated ? 32'(up[i]) : 32'd0);
    for (int i = 0; i < DFf; i++) check("hidden", i, 32'(dut.hidden_q[i]), 32'(hidden[i]));
    for (int i = 0; i < DModel; i++) check("ffn_out", i, 32'(y_out[i]), 32'(ffn_out[i]));
    step();
    check("valid lasts one cycle", position, 32'(valid), 32'd0);
    step();
    check("stays idle", position, 32'(dut.state_q), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    check("reset", 0, 32'(dut.state_q), 32'd0);
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) run();
    end
    finish();
  end
endmodule
