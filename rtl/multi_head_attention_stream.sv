// Multi-head attention, one element of each dot product a cycle (variant stream). Mirrors
// src/engine/multi_head_attention_stream.c.
//
// Timing: S_IDLE samples start; per column i < D: S_PROJ_ADDR 1, S_PROJ_QKV D (q, k and v together:
// three multipliers), S_PROJ_STORE 1; S_WRITE_CACHE 1; per head and position t <= p: S_SCORE_ADDR 1,
// S_SCORE dh, S_SCORE_STORE 1; per head S_SOFTMAX_PREP 1, S_SOFTMAX_RUN 4S + 6, S_SOFTMAX_STORE 1; per
// head and d < dh: S_WSUM_ADDR 1, S_WEIGHTED_SUM p + 1, S_WSUM_STORE 1; S_CONCAT 1; per column
// S_OPROJ_ADDR 1, S_OUTPUT_PROJ D, S_OPROJ_STORE 1; S_DONE 1 with valid. An *_ADDR cycle addresses
// element 0; work cycle j uses the word addressed before it and addresses element j + 1; a *_STORE
// cycle stores the narrowed sum and clears it. While this token's row of the cache is still being
// written, position p comes from the k and v registers: always. Reset clears everything but K and V.
module multi_head_attention_stream
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 MaxSeqLen  = 128,
  parameter logic [DataW-1:0]   Mask       = 16'h8000,
  parameter logic [OptBits-1:0] Options    = '0,
  parameter logic [DataW-1:0]   ScoreScale = 16'h0040,
  localparam int                PosW       = $clog2(MaxSeqLen + 1),
  localparam int                SquareW    = $clog2(DModel * DModel)
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,     // sampled in S_IDLE
  input  logic [PosW-1:0]              seq_pos,   // must hold from S_WRITE_CACHE on
  input  logic [DModel-1:0][DataW-1:0] x_in,

  output logic                         qkv_read,  // weights: read wq, wk and wv at w_addr
  output logic                         o_read,    // read wo at w_addr
  output logic [SquareW-1:0]           w_addr,    // row * DModel + column
  input  logic [DataW-1:0]             wq_word,   // the words read the cycle before
  input  logic [DataW-1:0]             wk_word,
  input  logic [DataW-1:0]             wv_word,
  input  logic [DataW-1:0]             wo_word,

  output logic                         valid,
  output logic [DModel-1:0][DataW-1:0] y_out
);
  localparam int DHead  = DModel / NHeads;
  localparam int LogD   = $clog2(DModel);
  localparam int CountW = LogD + 1;
  localparam int HeadW  = $clog2(NHeads + 1);
  localparam int DimW   = $clog2(DHead + 1);
  localparam int TableW = index_width(NHeads * MaxSeqLen);
  localparam int CacheW = $clog2(MaxSeqLen * DModel);

  typedef enum logic [4:0] {
    S_IDLE          = 5'd0,
    S_PROJ_ADDR     = 5'd1,
    S_PROJ_QKV      = 5'd2,
    S_PROJ_STORE    = 5'd3,
    S_WRITE_CACHE   = 5'd4,
    S_SCORE_ADDR    = 5'd5,
    S_SCORE         = 5'd6,
    S_SCORE_STORE   = 5'd7,
    S_SOFTMAX_PREP  = 5'd8,
    S_SOFTMAX_RUN   = 5'd9,
    S_SOFTMAX_STORE = 5'd10,
    S_WSUM_ADDR     = 5'd11,
    S_WEIGHTED_SUM  = 5'd12,
    S_WSUM_STORE    = 5'd13,
    S_CONCAT        = 5'd14,
    S_OPROJ_ADDR    = 5'd15,
    S_OUTPUT_PROJ   = 5'd16,
    S_OPROJ_STORE   = 5'd17,
    S_DONE          = 5'd18
  } state_e;

  state_e                                 state_d, state_q;
  logic                                   valid_d, valid_q;
  logic                                   smax_start_d, smax_start_q;
  logic [CountW-1:0]                      i_d, i_q;          // column
  logic [CountW-1:0]                      j_d, j_q;          // element of the dot product
  logic [HeadW-1:0]                       h_d, h_q;          // head
  logic [PosW-1:0]                        t_d, t_q;          // position
  logic [DimW-1:0]                        d_d, d_q;          // dimension within the head
  logic [AccW-1:0]                        acc_d, acc_q;      // sums of products
  logic [AccW-1:0]                        acc_k_d, acc_k_q;
  logic [AccW-1:0]                        acc_v_d, acc_v_q;
  logic [DModel-1:0][DataW-1:0]           q_d, q_q;
  logic [DModel-1:0][DataW-1:0]           k_d, k_q;
  logic [DModel-1:0][DataW-1:0]           v_d, v_q;
  logic [NHeads*MaxSeqLen-1:0][DataW-1:0] scores_d, scores_q; // [head][position]
  logic [NHeads*MaxSeqLen-1:0][DataW-1:0] probs_d, probs_q;   // [head][position]
  logic [MaxSeqLen-1:0][DataW-1:0]        x_d, x_q;           // softmax: scores, then the mask
  logic [DModel-1:0][DataW-1:0]           head_d, head_q;     // [head][d]
  logic [DModel-1:0][DataW-1:0]           concat_d, concat_q;
  logic [DModel-1:0][DataW-1:0]           attn_out_d, attn_out_q;

  logic                            smax_valid;
  logic [MaxSeqLen-1:0][DataW-1:0] smax_prob;
  logic [DataW-1:0]                k_word, v_word;  // of the cache, addressed the cycle before

  // Where this cycle's operands are.
  logic [LogD-1:0]   column;    // element i
  logic [LogD-1:0]   row;       // element j
  logic [LogD-1:0]   key_at;    // h * dh + j
  logic [LogD-1:0]   head_at;   // h * dh + d
  logic [TableW-1:0] head_row;  // scores[h][0]
  logic [TableW-1:0] score_at;  // scores[h][t]
  logic [TableW-1:0] entry;     // loop index into scores_q
  logic              last_column, last_head, last_row, last_key, last_dim;
  logic              own;       // position p: its row may not be in the cache yet
  logic [DataW-1:0]  key, value, score;

  assign column      = i_q[LogD-1:0];
  assign row         = j_q[LogD-1:0];
  assign key_at      = LogD'(32'(h_q) * DHead + 32'(j_q));
  assign head_at     = LogD'(32'(h_q) * DHead + 32'(d_q));
  assign head_row    = TableW'(32'(h_q) * MaxSeqLen);
  assign score_at    = TableW'(32'(h_q) * MaxSeqLen + 32'(t_q));
  assign last_column = i_q == CountW'(DModel - 1);
  assign last_row    = j_q == CountW'(DModel - 1);
  assign last_key    = j_q == CountW'(DHead - 1);
  assign last_head   = h_q == HeadW'(NHeads - 1);
  assign last_dim    = d_q == DimW'(DHead - 1);
  assign own         = t_q == seq_pos;
  assign key         = own ? k_q[key_at] : k_word;
  assign value       = own ? v_q[head_at] : v_word;

  // Addresses for the next cycle's words: element 0 in an *_ADDR cycle, j + 1 in a work cycle.
  logic [31:0]       next_row;
  logic              cache_write, k_read, v_read;
  logic [CacheW-1:0] k_addr, v_addr;

  assign qkv_read = state_q == S_PROJ_ADDR || (state_q == S_PROJ_QKV && !last_row);
  assign o_read   = state_q == S_OPROJ_ADDR || (state_q == S_OUTPUT_PROJ && !last_row);
  assign next_row = state_q == S_PROJ_QKV || state_q == S_OUTPUT_PROJ ? 32'(j_q) + 1 : 0;
  assign w_addr   = SquareW'(next_row * DModel + 32'(i_q));

  assign cache_write = state_q == S_WRITE_CACHE;
  assign k_read = state_q == S_SCORE_ADDR || (state_q == S_SCORE && !last_key);
  assign k_addr = CacheW'(32'(t_q) * DModel + 32'(h_q) * DHead
                          + (state_q == S_SCORE ? 32'(j_q) + 1 : 0));
  assign v_read = state_q == S_WSUM_ADDR || (state_q == S_WEIGHTED_SUM && t_q < seq_pos);
  assign v_addr = CacheW'((state_q == S_WEIGHTED_SUM ? 32'(t_q) + 1 : 0) * DModel
                          + 32'(head_at));

  always_comb begin
    state_d      = state_q;
    valid_d      = 1'b0;
    smax_start_d = 1'b0;
    i_d          = i_q;
    j_d          = j_q;
    h_d          = h_q;
    t_d          = t_q;
    d_d          = d_q;
    acc_d        = acc_q;
    acc_k_d      = acc_k_q;
    acc_v_d      = acc_v_q;
    q_d          = q_q;
    k_d          = k_q;
    v_d          = v_q;
    scores_d     = scores_q;
    probs_d      = probs_q;
    x_d          = x_q;
    head_d       = head_q;
    concat_d     = concat_q;
    attn_out_d   = attn_out_q;
    entry        = '0;
    score        = '0;
    case (state_q)
      S_IDLE: begin  // @stream.attn.IDLE
        if (start) begin
          i_d     = '0;
          j_d     = '0;
          h_d     = '0;
          t_d     = '0;
          d_d     = '0;
          acc_d   = '0;
          acc_k_d = '0;
          acc_v_d = '0;
          state_d = S_PROJ_ADDR;
        end
      end
      S_PROJ_ADDR: begin  // @stream.attn.PROJ_ADDR
        state_d = S_PROJ_QKV;
      end
      S_PROJ_QKV: begin  // @stream.attn.PROJ_QKV
        acc_d   = acc_q + mul32(x_in[row], wq_word);
        acc_k_d = acc_k_q + mul32(x_in[row], wk_word);
        acc_v_d = acc_v_q + mul32(x_in[row], wv_word);
        j_d     = last_row ? '0 : j_q + CountW'(1);
        if (last_row) state_d = S_PROJ_STORE;
      end
      S_PROJ_STORE: begin  // @stream.attn.PROJ_STORE
        for (int k = 0; k < DModel; k++)
          if (column == LogD'(k)) q_d[k] = narrow(acc_q);
        for (int k = 0; k < DModel; k++)
          if (column == LogD'(k)) k_d[k] = narrow(acc_k_q);
        for (int k = 0; k < DModel; k++)
          if (column == LogD'(k)) v_d[k] = narrow(acc_v_q);
        acc_d   = '0;
        acc_k_d = '0;
        acc_v_d = '0;
        i_d     = last_column ? '0 : i_q + CountW'(1);
        if (last_column) state_d = S_WRITE_CACHE;
        else             state_d = S_PROJ_ADDR;
      end
      S_WRITE_CACHE: begin  // @stream.attn.WRITE_CACHE
        state_d = S_SCORE_ADDR;
      end
      S_SCORE_ADDR: begin  // @stream.attn.SCORE_ADDR
        state_d = S_SCORE;
      end
      S_SCORE: begin  // @stream.attn.SCORE
        acc_d = acc_q + mul32(q_q[key_at], key);
        j_d   = last_key ? '0 : j_q + CountW'(1);
        if (last_key) state_d = S_SCORE_STORE;
      end
      S_SCORE_STORE: begin  // @stream.attn.SCORE_STORE
        score = fp_mul(narrow(acc_q), ScoreScale);
        for (int k = 0; k < NHeads * MaxSeqLen; k++)
          if (score_at == TableW'(k)) scores_d[k] = score;
        acc_d = '0;
        t_d   = own ? '0 : t_q + PosW'(1);
        if (own) h_d = last_head ? '0 : h_q + HeadW'(1);
        if (own && last_head) state_d = S_SOFTMAX_PREP;
        else                  state_d = S_SCORE_ADDR;
      end
      S_SOFTMAX_PREP: begin  // @stream.attn.SOFTMAX_PREP
        for (int t = 0; t < MaxSeqLen; t++) begin
          entry  = head_row + TableW'(t);
          x_d[t] = PosW'(t) <= seq_pos ? scores_q[entry] : Mask;
        end
        smax_start_d = 1'b1;
        state_d      = S_SOFTMAX_RUN;
      end
      S_SOFTMAX_RUN: begin  // @stream.attn.SOFTMAX_RUN
        if (smax_valid) state_d = S_SOFTMAX_STORE;
      end
      S_SOFTMAX_STORE: begin  // @stream.attn.SOFTMAX_STORE
        for (int k = 0; k < NHeads * MaxSeqLen; k++) begin
          if (h_q == HeadW'(k / MaxSeqLen)) probs_d[k] = smax_prob[k % MaxSeqLen];
        end
        h_d = last_head ? '0 : h_q + HeadW'(1);
        if (last_head) state_d = S_WSUM_ADDR;
        else           state_d = S_SOFTMAX_PREP;
      end
      S_WSUM_ADDR: begin  // @stream.attn.WSUM_ADDR
        state_d = S_WEIGHTED_SUM;
      end
      S_WEIGHTED_SUM: begin  // @stream.attn.WEIGHTED_SUM
        acc_d = acc_q + mul32(probs_q[score_at], value);
        t_d   = own ? '0 : t_q + PosW'(1);
        if (own) state_d = S_WSUM_STORE;
      end
      S_WSUM_STORE: begin  // @stream.attn.WSUM_STORE
        for (int k = 0; k < DModel; k++)
          if (head_at == LogD'(k)) head_d[k] = narrow(acc_q);
        acc_d = '0;
        d_d   = last_dim ? '0 : d_q + DimW'(1);
        if (last_dim) h_d = last_head ? '0 : h_q + HeadW'(1);
        if (last_dim && last_head) state_d = S_CONCAT;
        else                       state_d = S_WSUM_ADDR;
      end
      S_CONCAT: begin  // @stream.attn.CONCAT
        concat_d = head_q;
        state_d  = S_OPROJ_ADDR;
      end
      S_OPROJ_ADDR: begin  // @stream.attn.OPROJ_ADDR
        state_d = S_OUTPUT_PROJ;
      end
      S_OUTPUT_PROJ: begin  // @stream.attn.OUTPUT_PROJ
        acc_d = acc_q + mul32(concat_q[row], wo_word);
        j_d   = last_row ? '0 : j_q + CountW'(1);
        if (last_row) state_d = S_OPROJ_STORE;
      end
      S_OPROJ_STORE: begin  // @stream.attn.OPROJ_STORE
        for (int k = 0; k < DModel; k++)
          if (column == LogD'(k)) attn_out_d[k] = narrow(acc_q);
        acc_d   = '0;
        i_d     = last_column ? '0 : i_q + CountW'(1);
        valid_d = last_column;
        if (last_column) state_d = S_DONE;
        else             state_d = S_OPROJ_ADDR;
      end
      S_DONE: begin  // @stream.attn.DONE
        state_d = S_IDLE;
      end
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state_q      <= S_IDLE;
      valid_q      <= 1'b0;
      smax_start_q <= 1'b0;
      i_q          <= '0;
      j_q          <= '0;
      h_q          <= '0;
      t_q          <= '0;
      d_q          <= '0;
      acc_q        <= '0;
      acc_k_q      <= '0;
      acc_v_q      <= '0;
      q_q          <= '0;
      k_q          <= '0;
      v_q          <= '0;
      scores_q     <= '0;
      probs_q      <= '0;
      x_q          <= '0;
      head_q       <= '0;
      concat_q     <= '0;
      attn_out_q   <= '0;
    end else begin
      state_q      <= state_d;
      valid_q      <= valid_d;
      smax_start_q <= smax_start_d;
      i_q          <= i_d;
      j_q          <= j_d;
      h_q          <= h_d;
      t_q          <= t_d;
      d_q          <= d_d;
      acc_q        <= acc_d;
      acc_k_q      <= acc_k_d;
      acc_v_q      <= acc_v_d;
      q_q          <= q_d;
      k_q          <= k_d;
      v_q          <= v_d;
      scores_q     <= scores_d;
      probs_q      <= probs_d;
      x_q          <= x_d;
      head_q       <= head_d;
      concat_q     <= concat_d;
      attn_out_q   <= attn_out_d;
    end
  end

  kv_cache_bram #(
    .DModel    (DModel),
    .MaxSeqLen (MaxSeqLen)
  ) u_cache (
    .clk    (clk),
    .rst_n  (rst_n),
    .write  (cache_write),
    .row    (seq_pos),
    .k_in   (k_q),
    .v_in   (v_q),
    .k_read (k_read),
    .k_addr (k_addr),
    .v_read (v_read),
    .v_addr (v_addr),
    .k_word (k_word),
    .v_word (v_word)
  );

  softmax_unit #(
    .MaxSeqLen (MaxSeqLen),
    .Options   (Options)
  ) u_softmax (
    .clk      (clk),
    .rst_n    (rst_n),
    .start    (smax_start_q),
    .seq_pos  (seq_pos),
    .x_in     (x_q),
    .valid    (smax_valid),
    .prob_out (smax_prob)
  );

  assign valid = valid_q;
  assign y_out = attn_out_q;
endmodule
