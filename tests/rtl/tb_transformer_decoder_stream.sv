// Variant stream on every token of a golden file: the vectors between the stages, heads and
// probabilities, cycles, and (with +states=FILE) the states of attention and feed forward.
module tb_transformer_decoder_stream;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                    start   = 1'b0;
  logic [PosW-1:0]         seq_pos = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y;
  `include "dut_stream.svh"

  function automatic string attention_name(input logic [4:0] state);
    case (state)
      5'd0:    return "IDLE";
      5'd1:    return "PROJ_ADDR";
      5'd2:    return "PROJ_QKV";
      5'd3:    return "PROJ_STORE";
      5'd4:    return "WRITE_CACHE";
      5'd5:    return "SCORE_ADDR";
      5'd6:    return "SCORE";
      5'd7:    return "SCORE_STORE";
      5'd8:    return "SOFTMAX_PREP";
      5'd9:    return "SOFTMAX_RUN";
      5'd10:   return "SOFTMAX_STORE";
      5'd11:   return "WSUM_ADDR";
      5'd12:   return "WEIGHTED_SUM";
      5'd13:   return "WSUM_STORE";
      5'd14:   return "CONCAT";
      5'd15:   return "OPROJ_ADDR";
      5'd16:   return "OUTPUT_PROJ";
      5'd17:   return "OPROJ_STORE";
      5'd18:   return "DONE";
      default: return "?";
    endcase
  endfunction

  function automatic string feed_forward_name(input logic [3:0] state);
    case (state)
      4'd0:    return "IDLE";
      4'd1:    return "L1_B1_ADDR";
      4'd2:    return "L1_ADDR";
      4'd3:    return "LINEAR1";
      4'd4:    return "L1_STORE";
      4'd5:    return "RELU";
      4'd6:    return "L2_ADDR";
      4'd7:    return "LINEAR2";
      4'd8:    return "L2_STORE";
      4'd9:    return "DONE";
      default: return "?";
    endcase
  endfunction

  // The states of one unit, run by run, against the words of the file: each run is read when it ends.
  int    states;  // the file, 0: none, or it has ended
  int    lists;   // begun in it
  string run_name;
  int    run_length;
  string run_word;

  // The file has the lists of the first tokens only.
  task automatic run_begin(input string what);
    run_word = "";
    while (states != 0 && run_word != what) begin
      read_count = $fscanf(states, "%s", run_word);
      if (read_count != 1) states = 0;
    end
    if (states != 0) lists = lists + 1;
    run_name   = "";
    run_length = 0;
  endtask

  task automatic run_close;
    if (run_length > 0 && states != 0) begin
      read_count = $fscanf(states, "%s", run_word);
      check_text("states", $sformatf("%s*%0d", run_name, run_length), run_word);
    end
    run_length = 0;
  endtask

  task automatic run_add(input string name);
    if (name != run_name) run_close();
    run_name   = name;
    run_length = run_length + 1;
  endtask

  bit in_attention, in_feed_forward;

  // A unit's list runs from the cycle that samples its start to its DONE.
  task automatic watch_units;
    if (dut.attn_start) begin
      in_attention = 1'b1;
      run_begin("states_attention_stream");
    end
    if (in_attention) run_add(attention_name(dut.u_attn.state_q));
    if (in_attention && dut.attn_valid) begin
      run_close();
      in_attention = 1'b0;
    end
    if (dut.ffn_start) begin
      in_feed_forward = 1'b1;
      run_begin("states_ffn_stream");
    end
    if (in_feed_forward) run_add(feed_forward_name(dut.u_ffn.state_q));
    if (in_feed_forward && dut.ffn_valid) begin
      run_close();
      in_feed_forward = 1'b0;
    end
  endtask

  bit found;

  task automatic run;
    int cycles;
    seq_pos = PosW'(position);
    start   = 1'b1;
    cycles  = 0;
    while (!valid && cycles < 1000000) begin
      watch_units();
      step();
      cycles = cycles + 1;
    end
    start = 1'b0;
    check("cycles", position, 32'(cycles), 32'(cycles_stream));
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
      check("K", i, 32'(dut.u_attn.u_cache.u_k.mem_q[position*DModel+i]), 32'(k[i]));
      check("V", i, 32'(dut.u_attn.u_cache.u_v.mem_q[position*DModel+i]), 32'(v[i]));
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

  string states_name;

  initial begin
    in_attention    = 1'b0;
    in_feed_forward = 1'b0;
    states          = 0;
    lists           = 0;
    states_name     = "";
    if ($value$plusargs("states=%s", states_name) != 0) begin
      states = $fopen(states_name, "r");
      if (states == 0) $fatal(1, "%s: cannot be opened", states_name);
    end
    open_golden();
    reset();
    load_weights();
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) run();
    end
    if (states_name != "") check("lists of states", 0, 32'(lists), 32'd6);
    finish();
  end
endmodule
