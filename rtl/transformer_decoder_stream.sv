// The decoder, variant stream: one element of each dot product a cycle, weights and cache in memories;
// wiring only.
//
// Timing: as transformer_decoder, but 44864 + 136 * seq_pos cycles at the defaults; the results are the
// same bits. The host fills the weights over the bus before it starts a token. Pins are not latched:
// hold seq_pos and token_emb from start to valid. Reset clears everything but the memories: weights, K
// and V.
module transformer_decoder_stream
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 DFf        = 256,
  parameter int                 MaxSeqLen  = 128,
  parameter logic [DataW-1:0]   Mask       = 16'h8000,  // what masked scores hold
  parameter logic [OptBits-1:0] Options    = '0,        // modes: Opt* in transformer_pkg
  parameter logic [DataW-1:0]   ScoreScale = default_score_scale(DModel / NHeads),
  localparam int                PosW       = $clog2(MaxSeqLen + 1),
  localparam int                BusW       = $clog2(weight_words(DModel, DFf, Options))
) (
  input  logic                                clk,
  input  logic                                rst_n,
  input  logic                                start,
  input  logic [PosW-1:0]                     seq_pos,    // 0..MaxSeqLen-1
  input  logic [DModel-1:0][DataW-1:0]        token_emb,

  input  logic                                bus_write,  // the weight bus, see weight_memory
  input  logic [BusW-1:0]                     bus_addr,
  input  logic [DataW-1:0]                    bus_data,

  output logic                                valid,
  output logic [DModel-1:0][DataW-1:0]        out_emb
);
  logic                         attn_start, attn_valid, ffn_start, ffn_valid;
  logic [DModel-1:0][DataW-1:0] ln1_out, attn_out, ln2_out, ffn_out;
  logic                         unused;  // only variant array counts from ln1_start on

  // Word addresses within the weight banks, and the words read the cycle before.
  localparam int SquareW = $clog2(DModel * DModel);
  localparam int MatrixW = $clog2(DModel * DFf);
  localparam int HiddenW = index_width(DFf);
  logic                         qkv_read, o_read, w1_read, b1_read, w2_read;
  logic [SquareW-1:0]           attn_addr;
  logic [MatrixW-1:0]           w1_addr, w2_addr;
  logic [HiddenW-1:0]           b1_addr;
  logic [DataW-1:0]             wq_word, wk_word, wv_word, wo_word, w1_word, b1_word, w2_word, w3_word, b3_word;
  logic [DModel-1:0][DataW-1:0] ln1_gamma, ln1_beta, ln2_gamma, ln2_beta, b2;

  weight_memory #(
    .DModel  (DModel),
    .DFf     (DFf),
    .Options (Options)
  ) u_weights (
    .clk       (clk),
    .rst_n     (rst_n),
    .bus_write (bus_write),
    .bus_addr  (bus_addr),
    .bus_data  (bus_data),
    .qkv_read  (qkv_read),
    .qkv_addr  (attn_addr),
    .o_read    (o_read),
    .o_addr    (attn_addr),
    .w1_read   (w1_read),
    .w1_addr   (w1_addr),
    .b1_read   (b1_read),
    .b1_addr   (b1_addr),
    .w2_read   (w2_read),
    .w2_addr   (w2_addr),
    .wq_word   (wq_word),
    .wk_word   (wk_word),
    .wv_word   (wv_word),
    .wo_word   (wo_word),
    .w1_word   (w1_word),
    .b1_word   (b1_word),
    .w2_word   (w2_word),
    .w3_word   (w3_word),
    .b3_word   (b3_word),
    .ln1_gamma (ln1_gamma),
    .ln1_beta  (ln1_beta),
    .ln2_gamma (ln2_gamma),
    .ln2_beta  (ln2_beta),
    .b2        (b2)
  );

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

  multi_head_attention_stream #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .MaxSeqLen  (MaxSeqLen),
    .Mask       (Mask),
    .Options    (Options),
    .ScoreScale (ScoreScale)
  ) u_attn (
    .clk      (clk),
    .rst_n    (rst_n),
    .start    (attn_start),
    .seq_pos  (seq_pos),
    .x_in     (ln1_out),
    .qkv_read (qkv_read),
    .o_read   (o_read),
    .w_addr   (attn_addr),
    .wq_word  (wq_word),
    .wk_word  (wk_word),
    .wv_word  (wv_word),
    .wo_word  (wo_word),
    .valid    (attn_valid),
    .y_out    (attn_out)
  );

  feed_forward_stream #(
    .DModel  (DModel),
    .DFf     (DFf),
    .Options (Options)
  ) u_ffn (
    .clk     (clk),
    .rst_n   (rst_n),
    .start   (ffn_start),
    .x_in    (ln2_out),
    .w1_read (w1_read),
    .w1_addr (w1_addr),
    .w1_word (w1_word),
    .b1_read (b1_read),
    .b1_addr (b1_addr),
    .b1_word (b1_word),
    .w3_word (w3_word),
    .b3_word (b3_word),
    .w2_read (w2_read),
    .w2_addr (w2_addr),
    .w2_word (w2_word),
    .b2      (b2),
    .valid   (ffn_valid),
    .y_out   (ffn_out)
  );
endmodule
