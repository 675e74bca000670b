// Softmax on every head of every token of a golden file: max, sum, reciprocal, probabilities, and the
// length of every state.
module tb_softmax_unit;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                       start   = 1'b0;
  logic [PosW-1:0]            seq_pos = '0;
  logic [MaxSeqLen-1:0][15:0] x_in    = '0;
  logic                       valid;
  logic [MaxSeqLen-1:0][15:0] prob_out;

  softmax_unit #(
    .MaxSeqLen (MaxSeqLen),
    .Options   (Options)
  ) dut (
    .clk      (clk),
    .rst_n    (rst_n),
    .start    (start),
    .seq_pos  (seq_pos),
    .x_in     (x_in),
    .valid    (valid),
    .prob_out (prob_out)
  );

  bit found;
  int count [0:6];

  task automatic run(input int h);
    int cycles, limit;
    for (int t = 0; t < MaxSeqLen; t++) begin
      x_in[t] = t <= position ? scores[h*MaxSeqLen+t] : Mask;
    end
    seq_pos = PosW'(position);
    for (int s = 0; s < 7; s++) count[s] = 0;
    start  = 1'b1;
    cycles = 0;
    while (!valid && cycles < 10000) begin
      count[dut.state_q] = count[dut.state_q] + 1;
      step();
      start  = 1'b0;
      cycles = cycles + 1;
    end
    check("cycles", h, 32'(cycles), 32'(4 * MaxSeqLen + 5));
    for (int s = 0; s < 7; s++) begin
      limit = s == 1 ? MaxSeqLen : s == 6 ? 0 : s == 0 || s == 4 ? 1 : MaxSeqLen + 1;
      check("cycles in state", s, 32'(count[s]), 32'(limit));
    end
    check("max", h, 32'(dut.max_q), 32'(smax_max[h]));
    check("sum", h, dut.sum_q, smax_sum[h]);
    check("recip", h, 32'(dut.recip_q), 32'(smax_recip[h]));
    for (int t = 0; t < MaxSeqLen; t++) begin
      check("prob", h * MaxSeqLen + t, 32'(prob_out[t]), 32'(probs[h*MaxSeqLen+t]));
    end
    step();
    check("valid lasts one cycle", h, 32'(valid), 32'd0);
    step();
    check("stays idle", h, 32'(dut.state_q), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    check("reset", 0, 32'(dut.state_q), 32'd0);
    found = 1'b1;
    while (found) begin
      read_token(found);
      for (int h = 0; found && h < NHeads; h++) run(h);
    end
    finish();
  end
endmodule
