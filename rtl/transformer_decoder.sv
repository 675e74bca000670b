// The decoder, variant bridge: the conductor and its units; wiring only.
//
// Timing: start is sampled while the conductor is in S_IDLE; valid is 1 for one cycle,
// 7 + 2(3D + 5) + ATTN_WAIT + F + D + 5 cycles later (2953 + 4 * seq_pos at the defaults; RMSNorm has
// 2D + 4 for 3D + 5); out_emb then holds. Pins are not latched: hold seq_pos, token_emb and the weights
// from start to valid. Reset clears everything but the attention's K and V.
module transformer_decoder
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 DFf        = 256,
  parameter int                 MaxSeqLen  = 128,
  parameter logic [DataW-1:0]   Mask       = 16'h8000,  // what masked scores hold
  parameter logic [OptBits-1:0] Options    = '0,        // modes: Opt* in transformer_pkg
  parameter logic [DataW-1:0]   ScoreScale = default_score_scale(DModel / NHeads),
  localparam int                PosW       = $clog2(MaxSeqLen + 1)
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
  input  logic [DModel*DFf-1:0][DataW-1:0]    w3,         // w3 and b3: with OptFfnSwiglu only
  input  logic [DModel-1:0][DataW-1:0]        ln1_gamma,
  input  logic [DModel-1:0][DataW-1:0]        ln1_beta,
  input  logic [DModel-1:0][DataW-1:0]        ln2_gamma,
  input  logic [DModel-1:0][DataW-1:0]        ln2_beta,
  input  logic [DFf-1:0][DataW-1:0]           b1,
  input  logic [DModel-1:0][DataW-1:0]        b2,
  input  logic [DFf-1:0][DataW-1:0]           b3,

  output logic                                valid,
  output logic [DModel-1:0][DataW-1:0]        out_emb
);
  logic                         attn_start, attn_valid, ffn_start, ffn_valid;
  logic [DModel-1:0][DataW-1:0] ln1_out, attn_out, ln2_out, ffn_out;
  logic                         unused;  // only variant array counts from ln1_start on

  decoder_frame #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .DFf        (DFf),
    .MaxSeqLen  (MaxSeqLen),
    .Options    (Options),
    .ScoreScale (ScoreScale)
  ) u_frame (
    .clk        (clk),
    .rst_n      (rst_n),
    .start      (start),
    .token_emb  (token_emb),
    .ln1_gamma  (ln1_gamma),
    .ln1_beta   (ln1_beta),
    .ln2_gamma  (ln2_gamma),
    .ln2_beta   (ln2_beta),
    .ln1_start  (unused),
    .attn_start (attn_start),
    .ln1_out    (ln1_out),
    .attn_valid (attn_valid),
    .attn_out   (attn_out),
    .ffn_start  (ffn_start),
    .ln2_out    (ln2_out),
    .ffn_valid  (ffn_valid),
    .ffn_out    (ffn_out),
    .valid      (valid),
    .out_emb    (out_emb)
  );

  // no array here
  array_work_t      unused_work;
  logic [DataW-1:0] unused_w;

  multi_head_attention #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .MaxSeqLen  (MaxSeqLen),
    .Mask       (Mask),
    .Options    (Options),
    .ScoreScale (ScoreScale)
  ) u_attn (
    .clk        (clk),
    .rst_n      (rst_n),
    .start      (attn_start),
    .seq_pos    (seq_pos),
    .x_in       (ln1_out),
    .wq         (wq),
    .wk         (wk),
    .wv         (wv),
    .wo         (wo),
    .valid      (attn_valid),
    .y_out      (attn_out),
    .array_work (unused_work),
    .array_w    (unused_w),
    .array_sum  (32'd0)
  );

  feed_forward #(
    .DModel  (DModel),
    .DFf     (DFf),
    .Options (Options)
  ) u_ffn (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ffn_start),
    .x_in  (ln2_out),
    .w1    (w1),
    .b1    (b1),
    .w3    (w3),
    .b3    (b3),
    .w2    (w2),
    .b2    (b2),
    .valid (ffn_valid),
    .y_out (ffn_out)
  );
endmodule
