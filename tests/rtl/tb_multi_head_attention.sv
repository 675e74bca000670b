// Attention on every token of a golden file, in order, so that the cache fills: every intermediate
// vector, each head's softmax when it is stored, the state list, and the cache across a reset.
module tb_multi_head_attention;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"
  `include "runs.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                    start   = 1'b0;
  logic [PosW-1:0]         seq_pos = '0;
  logic [DModel-1:0][15:0] x_in    = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y_out;

  multi_head_attention #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .MaxSeqLen  (MaxSeqLen),
    .Mask       (Mask),
    .Options    (Options),
    .ScoreScale (ScoreScale)
  ) dut (
    .clk        (clk),
    .rst_n      (rst_n),
    .start      (start),
    .seq_pos    (seq_pos),
    .x_in       (x_in),
    .wq         (wq),
    .wk         (wk),
    .wv         (wv),
    .wo         (wo),
    .valid      (valid),
    .y_out      (y_out),
    .array_work (),
    .array_w    (),
    .array_sum  (32'd0)
  );

  function automatic string state_name(input logic [3:0] state);
    case (state)
      4'd0:    return "IDLE";
      4'd1:    return "PROJ_QKV";
      4'd2:    return "WRITE_CACHE";
      4'd3:    return "SCORE";
      4'd4:    return "SOFTMAX_PREP";
      4'd5:    return "SOFTMAX_RUN";
      4'd6:    return "SOFTMAX_STORE";
      4'd7:    return "WEIGHTED_SUM";
      4'd8:    return "OUTPUT_PROJ";
      4'd9:    return "DONE";
      default: return "?";
    endcase
  endfunction

  bit                      found;
  int                      heads_seen;
  logic [DModel-1:0][15:0] cache_row;

  task automatic check_softmax;
    if (dut.state_q == 4'd6) begin
      check("softmax max", heads_seen, 32'(dut.u_softmax.max_q), 32'(smax_max[heads_seen]));
      check("softmax sum", heads_seen, dut.u_softmax.sum_q, smax_sum[heads_seen]);
      check("softmax recip", heads_seen, 32'(dut.u_softmax.recip_q), 32'(smax_recip[heads_seen]));
      heads_seen = heads_seen + 1;
    end
  endtask

  task automatic check_cache(input string what);
    cache_row = dut.k_mem_q[position];
    for (int i = 0; i < DModel; i++) check({what, " K"}, i, 32'(cache_row[i]), 32'(k[i]));
    cache_row = dut.v_mem_q[position];
    for (int i = 0; i < DModel; i++) check({what, " V"}, i, 32'(cache_row[i]), 32'(v[i]));
  endtask

  task automatic run;
    int cycles;
    x_in       = ln1_out;
    seq_pos    = PosW'(position);
    heads_seen = 0;
    start      = 1'b1;
    cycles     = 0;
    runs_begin();
    while (!valid && cycles < 100000) begin
      runs_add(state_name(dut.state_q));
      check_softmax();
      step();
      start  = 1'b0;
      cycles = cycles + 1;
    end
    runs_add(state_name(dut.state_q));
    runs_close();
    check_text("states_attention", runs, states_attention);
    check("heads stored", position, 32'(heads_seen), 32'(NHeads));
    for (int h = 0; h < NHeads; h++) begin
      for (int t = 0; t <= position; t++) begin
        check("scores", h * MaxSeqLen + t, 32'(dut.scores_q[h*MaxSeqLen+t]),
              32'(scores[h*MaxSeqLen+t]));
      end
    end
    for (int i = 0; i < NHeads * MaxSeqLen; i++) begin
      check("probs", i, 32'(dut.probs_q[i]), 32'(probs[i]));
    end
    for (int i = 0; i < DModel; i++) begin
      check("q", i, 32'(dut.q_q[i]), 32'(q[i]));
      check("k", i, 32'(dut.k_q[i]), 32'(k[i]));
      check("v", i, 32'(dut.v_q[i]), 32'(v[i]));
      check("concat", i, 32'(dut.concat_q[i]), 32'(concat[i]));
      check("attn_out", i, 32'(y_out[i]), 32'(attn_out[i]));
    end
    check_cache("stored");
    step();
    check("valid lasts one cycle", position, 32'(valid), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) begin
        run();
        // a reset between tokens clears the vectors and leaves the cache
        reset();
        check("reset clears q", 0, 32'(|dut.q_q), 32'd0);
        check("reset clears attn_out", 0, 32'(|y_out), 32'd0);
        check_cache("after reset");
      end
    end
    finish();
  end
endmodule
