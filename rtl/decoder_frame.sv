// What the three tops have in common: the conductor, both layer norms and the check of the
// parameters. A top adds its attention, its feed forward and where the weights come from; wiring only.
//
// Timing: see decoder_control and layer_norm. seq_pos is the attention's business. Reset clears
// everything.
module decoder_frame
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 DFf        = 256,
  parameter int                 MaxSeqLen  = 128,
  parameter logic [OptBits-1:0] Options    = '0,
  parameter logic [DataW-1:0]   ScoreScale = 16'h0040
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,
  input  logic [DModel-1:0][DataW-1:0] token_emb,

  input  logic [DModel-1:0][DataW-1:0] ln1_gamma,
  input  logic [DModel-1:0][DataW-1:0] ln1_beta,
  input  logic [DModel-1:0][DataW-1:0] ln2_gamma,
  input  logic [DModel-1:0][DataW-1:0] ln2_beta,

  output logic                         ln1_start,
  output logic                         attn_start,  // to the attention: ln1_out is complete
  output logic [DModel-1:0][DataW-1:0] ln1_out,
  input  logic                         attn_valid,
  input  logic [DModel-1:0][DataW-1:0] attn_out,
  output logic                         ffn_start,   // to the feed forward: ln2_out is complete
  output logic [DModel-1:0][DataW-1:0] ln2_out,
  input  logic                         ffn_valid,
  input  logic [DModel-1:0][DataW-1:0] ffn_out,

  output logic                         valid,
  output logic [DModel-1:0][DataW-1:0] out_emb
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

  logic                         ln2_start, ln1_valid, ln2_valid;
  logic [DModel-1:0][DataW-1:0] residual1;

  decoder_control #(
    .DModel (DModel)
  ) u_control (
    .clk        (clk),
    .rst_n      (rst_n),
    .start      (start),
    .token_emb  (token_emb),
    .ln1_valid  (ln1_valid),
    .attn_valid (attn_valid),
    .ln2_valid  (ln2_valid),
    .ffn_valid  (ffn_valid),
    .attn_out   (attn_out),
    .ffn_out    (ffn_out),
    .ln1_start  (ln1_start),
    .attn_start (attn_start),
    .ln2_start  (ln2_start),
    .ffn_start  (ffn_start),
    .residual1  (residual1),
    .valid      (valid),
    .out_emb    (out_emb)
  );

  layer_norm #(
    .DModel  (DModel),
    .Options (Options)
  ) u_ln1 (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ln1_start),
    .x_in  (token_emb),
    .gamma (ln1_gamma),
    .beta  (ln1_beta),
    .valid (ln1_valid),
    .y_out (ln1_out)
  );

  layer_norm #(
    .DModel  (DModel),
    .Options (Options)
  ) u_ln2 (
    .clk   (clk),
    .rst_n (rst_n),
    .start (ln2_start),
    .x_in  (residual1),
    .gamma (ln2_gamma),
    .beta  (ln2_beta),
    .valid (ln2_valid),
    .y_out (ln2_out)
  );
endmodule
