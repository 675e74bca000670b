// The decoder, variant array: bridge's conductor, layer norms and softmax, and one systolic array that
// attention and feed forward use in turn; wiring only.
//
// Timing: start is sampled while the conductor is in S_IDLE; valid is 1 for one cycle, 15365 + 4 *
// seq_pos cycles later at the defaults (README has the closed form); out_emb then holds. Pins are not
// latched: hold seq_pos, token_emb and the weights from start to valid. One token is one row of the
// array: the others get zeros. array_useful and array_slots count what that costs. Reset clears
// everything but the attention's K and V.
module transformer_decoder_array
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 DFf        = 256,
  parameter int                 MaxSeqLen  = 128,
  parameter int                 PeRows     = 4,         // size of the array
  parameter int                 PeCols     = 4,
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
  output logic [DModel-1:0][DataW-1:0]        out_emb,
  output logic [AccW-1:0]                     array_useful,  // products of this token
  output logic [AccW-1:0]                     array_slots    // products that there was room for
);
  logic                         ln1_start, attn_start, attn_valid, ffn_start, ffn_valid;
  logic [DModel-1:0][DataW-1:0] ln1_out, attn_out, ln2_out, ffn_out;

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
    .ln1_start  (ln1_start),
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

  array_work_t                        attn_work, ffn_work, work;
  logic [PeCols-1:0][DataW-1:0]       attn_w, ffn_w, w;
  logic [PeRows-1:0][DataW-1:0]       a;
  logic                               done;
  logic [PeRows*PeCols-1:0][AccW-1:0] acc;
  logic                               unused;

  assign work   = attn_work | ffn_work;  // who does not use the array sends zeros
  assign w      = attn_w | ffn_w;
  assign a      = (PeRows * DataW)'(work.a);  // row 0: the low bits
  assign unused = ^{done, acc};  // who feeds the array counts its edges, and reads row 0

  systolic_array #(
    .Rows (PeRows),
    .Cols (PeCols)
  ) u_array (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (work.clear),
    .enable (work.enable),
    .a_in   (a),
    .w_in   (w),
    .done   (done),
    .acc    (acc)
  );

  array_usage #(
    .Rows (PeRows),
    .Cols (PeCols)
  ) u_usage (
    .clk     (clk),
    .rst_n   (rst_n),
    .clear   (ln1_start),
    .enable  (work.enable),
    .columns (work.columns),
    .useful  (array_useful),
    .slots   (array_slots)
  );

  multi_head_attention #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .MaxSeqLen  (MaxSeqLen),
    .OnArray    (1'b1),
    .PeCols     (PeCols),
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
    .array_work (attn_work),
    .array_w    (attn_w),
    .array_sum  (acc[PeCols-1:0])
  );

  feed_forward_array #(
    .DModel  (DModel),
    .DFf     (DFf),
    .PeCols  (PeCols),
    .Options (Options)
  ) u_ffn (
    .clk        (clk),
    .rst_n      (rst_n),
    .start      (ffn_start),
    .x_in       (ln2_out),
    .w1         (w1),
    .b1         (b1),
    .w3         (w3),
    .b3         (b3),
    .w2         (w2),
    .b2         (b2),
    .valid      (ffn_valid),
    .y_out      (ffn_out),
    .array_work (ffn_work),
    .array_w    (ffn_w),
    .array_sum  (acc[PeCols-1:0])
  );
endmodule
