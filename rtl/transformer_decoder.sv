// The conductor: LN1, attention, residual, LN2, feed forward, residual. Mirrors
// src/engine/transformer_decoder.c.
//
// Timing: start is sampled in S_IDLE only; each S_*_START state raises one start flag, which its unit
// sees in the first cycle of S_*_WAIT; S_*_WAIT ends when the unit's valid is high. valid is 1 in
// S_DONE, one cycle; out_emb changes on the edge that ends S_RESIDUAL2 and holds. Pins are not
// latched: hold seq_pos, token_emb and the weights from start to valid. Reset clears everything but
// the attention's K and V.
module transformer_decoder
  import transformer_pkg::*;
#(
  parameter int               DModel      = 64,
  parameter int               NHeads      = 4,
  parameter int               DFf         = 256,
  parameter int               MaxSeqLen   = 128,
  parameter logic [DataW-1:0] Mask        = 16'h8000,  // what masked scores hold
  parameter bit               MaskExclude = 1'b0,      // masked entries get exp = 0
  parameter bit               ExpIntended = 1'b0,      // approx_exp as its comments read
  parameter logic [DataW-1:0] ScoreScale  = default_score_scale(DModel / NHeads),
  parameter int               PosW        = $clog2(MaxSeqLen + 1)
) (
  input  logic                                clk,
  input  logic                                rst_n,
  input  logic                                start,
  input  logic [PosW-1:0]                     seq_pos,    // 0..MaxSeqLen-1
  input  logic [DModel-1:0][DataW-1:0]        token_emb,

  input  logic [DModel*DModel-1:0][DataW-1:0] wq,         // matrices: [in][out], row-major
  input  logic [DModel*DModel-1:0][DataW-1:0] wk,
  input  logic [DModel*DModel-1:0][DataW-1:0] wv,
  input  logic [DModel*DModel-1:0][DataW-1:0] wo,
  input  logic [DModel*DFf-1:0][DataW-1:0]    w1,
  input  logic [DFf*DModel-1:0][DataW-1:0]    w2,
  input  logic [DModel-1:0][DataW-1:0]        ln1_gamma,
  input  logic [DModel-1:0][DataW-1:0]        ln1_beta,
  input  logic [DModel-1:0][DataW-1:0]        ln2_gamma,
  input  logic [DModel-1:0][DataW-1:0]        ln2_beta,
  input  logic [DFf-1:0][DataW-1:0]           b1,
  input  logic [DModel-1:0][DataW-1:0]        b2,

  output logic                                valid,
  output logic [DModel-1:0][DataW-1:0]        out_emb
);
  initial begin
    if (DModel < 8 || DModel > 512 || (DModel & (DModel - 1)) != 0)
      $fatal(1, "d_model %0d: must be a power of two, 8..512", DModel);
    if (NHeads < 1 || DModel % NHeads != 0)
      $fatal(1, "n_heads %0d: must divide d_model %0d", NHeads, DModel);
    if (DFf < 1 || DFf > 2048) $fatal(1, "d_ff %0d: must be 1..2048", DFf);
    if (MaxSeqLen < 1 || MaxSeqLen > 1024)
      $fatal(1, "max_seq_len %0d: must be 1..1024", MaxSeqLen);
    if (ScoreScale > 16'h7FFF) $fatal(1, "score_scale %h: must be 0000..7fff", ScoreScale);
  end

  typedef enum logic [3:0] {
    S_IDLE       = 4'd0,
    S_LN1_START  = 4'd1,
    S_LN1_WAIT   = 4'd2,
    S_ATTN_START = 4'd3,
    S_ATTN_WAIT  = 4'd4,
    S_RESIDUAL1  = 4'd5,
    S_LN2_START  = 4'd6,
    S_LN2_WAIT   = 4'd7,
    S_FFN_START  = 4'd8,
    S_FFN_WAIT   = 4'd9,
    S_RESIDUAL2  = 4'd10,
    S_DONE       = 4'd11
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic                         ln1_start_d, ln1_start_q;
  logic                         attn_start_d, attn_start_q;
  logic                         ln2_start_d, ln2_start_q;
  logic                         ffn_start_d, ffn_start_q;
  logic [DModel-1:0][DataW-1:0] residual1_d, residual1_q;
  logic [DModel-1:0][DataW-1:0] out_emb_d, out_emb_q;

  logic                         ln1_valid, attn_valid, ln2_valid, ffn_valid;
  logic [DModel-1:0][DataW-1:0] ln1_out, attn_out, ln2_out, ffn_out;

  always_comb begin
    state_d      = state_q;
    valid_d      = 1'b0;
    ln1_start_d  = 1'b0;
    attn_start_d = 1'b0;
    ln2_start_d  = 1'b0;
    ffn_start_d  = 1'b0;
    residual1_d  = residual1_q;
    out_emb_d    = out_emb_q;
    case (state_q)
      S_IDLE: begin  // @top.IDLE
        if (start) state_d = S_LN1_START;
      end
      S_LN1_START: begin  // @top.LN1_START
        ln1_start_d = 1'b1;
        state_d     = S_LN1_WAIT;
      end
      S_LN1_WAIT: begin  // @top.LN1_WAIT
        if (ln1_valid) state_d = S_ATTN_START;
      end
      S_ATTN_START: begin  // @top.ATTN_START
        attn_start_d = 1'b1;
        state_d      = S_ATTN_WAIT;
      end
      S_ATTN_WAIT: begin  // @top.ATTN_WAIT
        if (attn_valid) state_d = S_RESIDUAL1;
      end
      S_RESIDUAL1: begin  // @top.RESIDUAL1
        for (int i = 0; i < DModel; i++) residual1_d[i] = fp_sat_add(token_emb[i], attn_out[i]);
        state_d = S_LN2_START;
      end
      S_LN2_START: begin  // @top.LN2_START
        ln2_start_d = 1'b1;
        state_d     = S_LN2_WAIT;
      end
      S_LN2_WAIT: begin  // @top.LN2_WAIT
        if (ln2_valid) state_d = S_FFN_START;
      end
      S_FFN_START: begin  // @top.FFN_START
        ffn_start_d = 1'b1;
        state_d     = S_FFN_WAIT;
      end
      S_FFN_WAIT: begin  // @top.FFN_WAIT
        if (ffn_valid) state_d = S_RESIDUAL2;
      end
      S_RESIDUAL2: begin  // @top.RESIDUAL2
        for (int i = 0; i < DModel; i++) out_emb_d[i] = fp_sat_add(residual1_q[i], ffn_out[i]);
        valid_d = 1'b1;
        state_d = S_DONE;
      end
      S_DONE: begin  // @top.DONE
        state_d = S_IDLE;
      end
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state_q      <= S_IDLE;
      valid_q      <= 1'b0;
      ln1_start_q  <= 1'b0;
      attn_start_q <= 1'b0;
      ln2_start_q  <= 1'b0;
      ffn_start_q  <= 1'b0;
      residual1_q  <= '0;
      out_emb_q    <= '0;
    end else begin
      state_q      <= state_d;
      valid_q      <= valid_d;
      ln1_start_q  <= ln1_start_d;
      attn_start_q <= attn_start_d;
      ln2_start_q  <= ln2_start_d;
      ffn_start_q  <= ffn_start_d;
      residual1_q  <= residual1_d;
      out_emb_q    <= out_emb_d;
    end
  end

  layer_norm #(
    .DModel (DModel)
  ) u_ln1 (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ln1_start_q),
    .x_in  (token_emb),
    .gamma (ln1_gamma),
    .beta  (ln1_beta),
    .valid (ln1_valid),
    .y_out (ln1_out)
  );

  multi_head_attention #(
    .DModel      (DModel),
    .NHeads      (NHeads),
    .MaxSeqLen   (MaxSeqLen),
    .Mask        (Mask),
    .MaskExclude (MaskExclude),
    .ExpIntended (ExpIntended),
    .ScoreScale  (ScoreScale)
  ) u_attn (
    .clk     (clk),
    .rst_n   (rst_n),
    .start   (attn_start_q),
    .seq_pos (seq_pos),
    .x_in    (ln1_out),
    .wq      (wq),
    .wk      (wk),
    .wv      (wv),
    .wo      (wo),
    .valid   (attn_valid),
    .y_out   (attn_out)
  );

  layer_norm #(
    .DModel (DModel)
  ) u_ln2 (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ln2_start_q),
    .x_in  (residual1_q),
    .gamma (ln2_gamma),
    .beta  (ln2_beta),
    .valid (ln2_valid),
    .y_out (ln2_out)
  );

  feed_forward #(
    .DModel (DModel),
    .DFf    (DFf)
  ) u_ffn (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ffn_start_q),
    .x_in  (ln2_out),
    .w1    (w1),
    .b1    (b1),
    .w2    (w2),
    .b2    (b2),
    .valid (ffn_valid),
    .y_out (ffn_out)
  );

  assign valid   = valid_q;
  assign out_emb = out_emb_q;
endmodule
