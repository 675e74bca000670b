// Variant array on every token of a golden file: the vectors between the stages, heads and
// probabilities, cycles by tile, what the array is used for, and that only row 0 ever holds a sum.
module tb_transformer_decoder_array;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                    start   = 1'b0;
  logic [PosW-1:0]         seq_pos = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y;
  `include "dut_array.svh"

  // Tiles of n outputs; the cycles of a product, and those in which the array is enabled.
  function automatic int tiles(input int n);
    return (n + PeCols - 1) / PeCols;
  endfunction
  function automatic int gemv(input int n, input int k);
    return tiles(n) * (k + PeCols);
  endfunction

  localparam int Outputs1 = Options[OptFfnSwiglu] ? 2 * DFf : DFf;  // of LINEAR1
  localparam int Gemvs = gemv(3 * DModel, DModel) + gemv(DModel, DModel) + gemv(Outputs1, DModel) +
                         gemv(DModel, DFf);
  localparam int Stores = tiles(3 * DModel) + 2 * tiles(DModel) + tiles(Outputs1);
  localparam int BridgeGemvs = 3 * (DModel + 1) + DFf + 1;

  bit found;

  task automatic run;
    int cycles, other_rows;
    seq_pos    = PosW'(position);
    start      = 1'b1;
    cycles     = 0;
    other_rows = 0;
    while (!valid && cycles < 1000000) begin
      for (int i = PeCols; i < PeRows * PeCols; i++) begin
        if (dut.acc[i] !== 32'd0) other_rows = other_rows + 1;
      end
      step();
      cycles = cycles + 1;
    end
    start = 1'b0;
    check("cycles", position, 32'(cycles), 32'(cycles_bridge - BridgeGemvs + Gemvs));
    check("sums beyond row 0", position, 32'(other_rows), 32'd0);
    check("useful", position, array_useful, 32'(4 * DModel * DModel + DModel * (Outputs1 + DFf)));
    check("slots", position, array_slots, 32'((Gemvs - Stores) * PeRows * PeCols));
    for (int h = 0; h < NHeads; h++) begin
      for (int t = 0; t <= position; t++) begin
        check("scores", h * MaxSeqLen + t, 32'(dut.u_attn.scores_q[h*MaxSeqLen+t]),
              32'(scores[h*MaxSeqLen+t]));
      end
    end
    for (int i = 0; i < NHeads * MaxSeqLen; i++) begin
      check("probs", i, 32'(dut.u_attn.probs_q[i]), 32'(probs[i]));
    end
    for (int i = 0; i < DFf; i++) check("hidden", i, 32'(dut.u_ffn.hidden_q[i]), 32'(hidden[i]));
    for (int i = 0; i < DModel; i++) begin
      check("ln1_out", i, 32'(dut.ln1_out[i]), 32'(ln1_out[i]));
      check("q", i, 32'(dut.u_attn.q_q[i]), 32'(q[i]));
      check("k", i, 32'(dut.u_attn.k_q[i]), 32'(k[i]));
      check("v", i, 32'(dut.u_attn.v_q[i]), 32'(v[i]));
      check("concat", i, 32'(dut.u_attn.concat_q[i]), 32'(concat[i]));
      check("attn_out", i, 32'(dut.attn_out[i]), 32'(attn_out[i]));
      check("residual1", i, 32'(dut.u_frame.residual1[i]), 32'(residual1[i]));
      check("ln2_out", i, 32'(dut.ln2_out[i]), 32'(ln2_out[i]));
      check("ffn_out", i, 32'(dut.ffn_out[i]), 32'(ffn_out[i]));
      check("out_emb", i, 32'(y[i]), 32'(out_emb[i]));
    end
    step();
    check("valid lasts one cycle", position, 32'(valid), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    check("reset clears the counters", 0, array_useful | array_slots, 32'd0);
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) run();
    end
    finish();
  end
endmodule
