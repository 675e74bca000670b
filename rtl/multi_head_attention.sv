// Multi-head attention with the KV cache and one softmax shared by the heads (variants bridge and
// array). Mirrors src/engine/multi_head_attention.c and, OnArray, multi_head_attention_array.c.
//
// Timing: S_IDLE samples start; S_PROJ_QKV D + 1 (one column of q, k and v a cycle), S_WRITE_CACHE
// 1, S_SCORE H(p + 2) + 1 (one score a cycle, an extra cycle per head, one at the end), per head
// S_SOFTMAX_PREP 1, S_SOFTMAX_RUN 4S + 6, S_SOFTMAX_STORE 1; S_WEIGHTED_SUM H + 1 (a head a cycle,
// the last concatenates), S_OUTPUT_PROJ D + 1, S_DONE 1 with valid. K[p] and V[p] are visible to
// this token's own scores. Reset clears everything but K and V.
//
// OnArray the four products run on the systolic array, tile by tile (gemv_tile): per tile of C of the
// 3D columns of q, k and v side by side S_PROJ_QKV D, S_PROJ_DRAIN C - 1, S_PROJ_STORE 1; per tile of
// C of the D columns of attn_out S_OUTPUT_PROJ D, S_OPROJ_DRAIN C - 1, S_OPROJ_STORE 1. i is the
// tile's first column then. An array of one column needs no *_DRAIN.
module multi_head_attention
  import transformer_pkg::*;
#(
  parameter int                 DModel     = 64,
  parameter int                 NHeads     = 4,
  parameter int                 MaxSeqLen  = 128,
  parameter bit                 OnArray    = 1'b0,
  parameter int                 PeCols     = 1,  // columns of the array
  parameter logic [DataW-1:0]   Mask       = 16'h8000,
  parameter logic [OptBits-1:0] Options    = '0,
  parameter logic [DataW-1:0]   ScoreScale = 16'h0040,
  localparam int                PosW       = $clog2(MaxSeqLen + 1)
) (
  input  logic                                clk,
  input  logic                                rst_n,
  input  logic                                start,    // sampled in S_IDLE
  input  logic [PosW-1:0]                     seq_pos,  // must hold from S_WRITE_CACHE on
  input  logic [DModel-1:0][DataW-1:0]        x_in,
  input  logic [DModel*DModel-1:0][DataW-1:0] wq,       // matrices: [in][out], row-major
  input  logic [DModel*DModel-1:0][DataW-1:0] wk,
  input  logic [DModel*DModel-1:0][DataW-1:0] wv,
  input  logic [DModel*DModel-1:0][DataW-1:0] wo,
  output logic                                valid,
  output logic [DModel-1:0][DataW-1:0]        y_out,

  // the systolic array (0 and ignored in bridge): what enters row 0 and the columns, its sums
  output array_work_t                         array_work,
  output logic [PeCols-1:0][DataW-1:0]        array_w,
  input  logic [PeCols-1:0][AccW-1:0]         array_sum
);
  localparam int DHead  = DModel / NHeads;
  localparam int LogD   = $clog2(DModel);
  localparam int CountW = LogD + (OnArray ? 2 : 1);
  localparam int PeW    = index_width(PeCols);
  localparam int HeadW  = $clog2(NHeads + 1);
  localparam int RowW   = index_width(MaxSeqLen);
  localparam int TableW = index_width(NHeads * MaxSeqLen);

  // The array's states take part in its order: the codes of the two variants differ.
  typedef enum logic [3:0] {
    S_IDLE          = 4'd0,
    S_PROJ_QKV      = 4'd1,
    S_WRITE_CACHE   = OnArray ? 4'd4 : 4'd2,
    S_SCORE         = OnArray ? 4'd5 : 4'd3,
    S_SOFTMAX_PREP  = OnArray ? 4'd6 : 4'd4,
    S_SOFTMAX_RUN   = OnArray ? 4'd7 : 4'd5,
    S_SOFTMAX_STORE = OnArray ? 4'd8 : 4'd6,
    S_WEIGHTED_SUM  = OnArray ? 4'd9 : 4'd7,
    S_OUTPUT_PROJ   = OnArray ? 4'd10 : 4'd8,
    S_DONE          = OnArray ? 4'd13 : 4'd9,
    S_PROJ_DRAIN    = OnArray ? 4'd2 : 4'd10,
    S_PROJ_STORE    = OnArray ? 4'd3 : 4'd11,
    S_OPROJ_DRAIN   = OnArray ? 4'd11 : 4'd12,
    S_OPROJ_STORE   = OnArray ? 4'd12 : 4'd13
  } state_e;

  state_e                                 state_d, state_q;
  logic                                   valid_d, valid_q;
  logic                                   smax_start_d, smax_start_q;
  logic [CountW-1:0]                      i_d, i_q;          // column, 0..D; first one of the tile
  logic [HeadW-1:0]                       h_d, h_q;          // head, 0..H
  logic [PosW-1:0]                        t_d, t_q;          // position, 0..p + 1
  logic [DModel-1:0][DataW-1:0]           q_d, q_q;
  logic [DModel-1:0][DataW-1:0]           k_d, k_q;
  logic [DModel-1:0][DataW-1:0]           v_d, v_q;
  logic [NHeads*MaxSeqLen-1:0][DataW-1:0] scores_d, scores_q; // [head][position]
  logic [NHeads*MaxSeqLen-1:0][DataW-1:0] probs_d, probs_q;   // [head][position]
  logic [MaxSeqLen-1:0][DataW-1:0]        x_d, x_q;           // softmax: scores, then the mask
  logic [DModel-1:0][DataW-1:0]           head_d, head_q;     // [head][d]
  logic [DModel-1:0][DataW-1:0]           concat_d, concat_q;
  logic [DModel-1:0][DataW-1:0]           attn_out_d, attn_out_q;

  // The cache: row t holds the key or value of position t.
  logic [DModel-1:0][DataW-1:0] k_mem_q [0:MaxSeqLen-1];
  logic [DModel-1:0][DataW-1:0] v_mem_q [0:MaxSeqLen-1];
  logic                         cache_write;

  logic                            smax_valid;
  logic [MaxSeqLen-1:0][DataW-1:0] smax_prob;

  tile_e                        tile;          // what this cycle does with the tile
  logic                         last_operand;  // the tile's last operand enters
  logic                         last_edge;     // its sums are final after this edge
  logic                         last_tile;     // of this product
  logic                         in_output;     // that product is the output projection
  logic [PeCols-1:0][DataW-1:0] sum;           // the tile's outputs

  logic [LogD-1:0]              column;        // element of this cycle
  logic [RowW-1:0]              row;           // cache row of this token
  logic [TableW-1:0]            head_row;      // scores[h][0] in scores_q
  logic [LogD-1:0]              head_at;       // head[h][0] in head_q
  logic [DModel-1:0][DataW-1:0] key_row;       // K[t]
  logic [DModel-1:0][DataW-1:0] value_row;     // V[position] in the loop of S_WEIGHTED_SUM
  logic [TableW-1:0]            score_at;      // scores[h][t]
  logic [TableW-1:0]            entry;         // loop index into scores_q and probs_q
  logic [LogD-1:0]              element;       // index into q, a cache row
  logic [DHead-1:0][AccW-1:0]   head_acc;      // one head's sums
  logic [AccW-1:0]              acc, acc_k, acc_v;
  logic [DataW-1:0]             score;

  assign in_output = state_q == S_OUTPUT_PROJ || state_q == S_OPROJ_DRAIN || state_q == S_OPROJ_STORE;
  assign column    = i_q[LogD-1:0];
  assign row       = seq_pos[RowW-1:0];
  assign head_row  = TableW'(32'(h_q) * MaxSeqLen);
  assign score_at  = head_row + TableW'(t_q);
  assign head_at   = LogD'(32'(h_q) * DHead);
  assign key_row   = k_mem_q[t_q[RowW-1:0]];

  logic [31:0]       first;       // output of the tile
  logic [CountW-1:0] next_first;  // of the next one
  assign first      = 32'(i_q);
  assign next_first = last_tile ? '0 : i_q + CountW'(PeCols);

  always_comb begin
    state_d      = state_q;
    valid_d      = 1'b0;
    smax_start_d = 1'b0;
    i_d          = i_q;
    h_d          = h_q;
    t_d          = t_q;
    q_d          = q_q;
    k_d          = k_q;
    v_d          = v_q;
    scores_d     = scores_q;
    probs_d      = probs_q;
    x_d          = x_q;
    head_d       = head_q;
    concat_d     = concat_q;
    attn_out_d   = attn_out_q;
    cache_write  = 1'b0;
    value_row    = '0;
    entry        = '0;
    element      = '0;
    head_acc     = '0;
    acc          = '0;
    acc_k        = '0;
    acc_v        = '0;
    score        = '0;
    tile         = TILE_HOLD;
    case (state_q)
      S_IDLE: begin  // @attn.IDLE
        if (start) begin
          i_d     = '0;
          h_d     = '0;
          t_d     = '0;
          tile    = TILE_START;
          state_d = S_PROJ_QKV;
        end
      end
      S_PROJ_QKV: begin  // @attn.PROJ_QKV
        if (OnArray) begin
          tile = TILE_FEED;
          if (last_edge) state_d = S_PROJ_STORE;
          else if (last_operand) state_d = S_PROJ_DRAIN;
        end else if (i_q < CountW'(DModel)) begin
          for (int j = 0; j < DModel; j++) begin
            acc   = acc + mul32(x_in[j], wq[{LogD'(j), column}]);
            acc_k = acc_k + mul32(x_in[j], wk[{LogD'(j), column}]);
            acc_v = acc_v + mul32(x_in[j], wv[{LogD'(j), column}]);
          end
          for (int k = 0; k < DModel; k++)
            if (column == LogD'(k)) q_d[k] = narrow(acc);
          for (int k = 0; k < DModel; k++)
            if (column == LogD'(k)) k_d[k] = narrow(acc_k);
          for (int k = 0; k < DModel; k++)
            if (column == LogD'(k)) v_d[k] = narrow(acc_v);
          i_d = i_q + CountW'(1);
        end else begin
          i_d     = '0;
          state_d = S_WRITE_CACHE;
        end
      end
      S_PROJ_DRAIN: begin  // @array.attn.PROJ_DRAIN
        tile = TILE_DRAIN;
        if (last_edge) state_d = S_PROJ_STORE;
      end
      S_PROJ_STORE: begin  // @array.attn.PROJ_STORE
        for (int k = 0; k < DModel; k++) begin
          if (in_tile(k, first, PeCols)) q_d[k] = sum[PeW'(k - first)];
          if (in_tile(k + DModel, first, PeCols)) k_d[k] = sum[PeW'(k + DModel - first)];
          if (in_tile(k + 2 * DModel, first, PeCols)) v_d[k] = sum[PeW'(k + 2 * DModel - first)];
        end
        tile = TILE_STORE;
        i_d  = next_first;
        if (last_tile) state_d = S_WRITE_CACHE;
        else           state_d = S_PROJ_QKV;
      end
      S_WRITE_CACHE: begin  // @attn.WRITE_CACHE
        cache_write = 1'b1;
        state_d     = S_SCORE;
      end
      S_SCORE: begin  // @attn.SCORE
        if (h_q == HeadW'(NHeads)) begin
          h_d     = '0;
          state_d = S_SOFTMAX_PREP;
        end else if (t_q > seq_pos) begin
          t_d = '0;
          h_d = h_q + HeadW'(1);
        end else begin
          for (int d = 0; d < DHead; d++) begin
            element = head_at + LogD'(d);
            acc     = acc + mul32(q_q[element], key_row[element]);
          end
          score = fp_mul(narrow(acc), ScoreScale);
          for (int k = 0; k < NHeads * MaxSeqLen; k++)
            if (score_at == TableW'(k)) scores_d[k] = score;
          t_d = t_q + PosW'(1);
        end
      end
      S_SOFTMAX_PREP: begin  // @attn.SOFTMAX_PREP
        for (int t = 0; t < MaxSeqLen; t++) begin
          entry  = head_row + TableW'(t);
          x_d[t] = PosW'(t) <= seq_pos ? scores_q[entry] : Mask;
        end
        smax_start_d = 1'b1;
        state_d      = S_SOFTMAX_RUN;
      end
      S_SOFTMAX_RUN: begin  // @attn.SOFTMAX_RUN
        if (smax_valid) state_d = S_SOFTMAX_STORE;
      end
      S_SOFTMAX_STORE: begin  // @attn.SOFTMAX_STORE
        for (int k = 0; k < NHeads * MaxSeqLen; k++) begin
          if (h_q == HeadW'(k / MaxSeqLen)) probs_d[k] = smax_prob[k % MaxSeqLen];
        end
        if (h_q == HeadW'(NHeads - 1)) begin
          h_d     = '0;
          state_d = S_WEIGHTED_SUM;
        end else begin
          h_d     = h_q + HeadW'(1);
          state_d = S_SOFTMAX_PREP;
        end
      end
      S_WEIGHTED_SUM: begin  // @attn.WEIGHTED_SUM
        if (h_q < HeadW'(NHeads)) begin
          for (int t = 0; t < MaxSeqLen; t++) begin
            if (PosW'(t) <= seq_pos) begin
              value_row = v_mem_q[t];
              entry     = head_row + TableW'(t);
              for (int d = 0; d < DHead; d++) begin
                element     = head_at + LogD'(d);
                head_acc[d] = head_acc[d] + mul32(probs_q[entry], value_row[element]);
              end
            end
          end
          for (int k = 0; k < DModel; k++) begin
            if (h_q == HeadW'(k / DHead)) head_d[k] = narrow(head_acc[k % DHead]);
          end
          h_d = h_q + HeadW'(1);
        end else begin
          concat_d = head_q;
          h_d      = '0;
          state_d  = S_OUTPUT_PROJ;
        end
      end
      S_OUTPUT_PROJ: begin  // @attn.OUTPUT_PROJ
        if (OnArray) begin
          tile = TILE_FEED;
          if (last_edge) state_d = S_OPROJ_STORE;
          else if (last_operand) state_d = S_OPROJ_DRAIN;
        end else if (i_q < CountW'(DModel)) begin
          for (int j = 0; j < DModel; j++) begin
            acc = acc + mul32(concat_q[j], wo[{LogD'(j), column}]);
          end
          for (int k = 0; k < DModel; k++)
            if (column == LogD'(k)) attn_out_d[k] = narrow(acc);
          i_d = i_q + CountW'(1);
        end else begin
          i_d     = '0;
          valid_d = 1'b1;
          state_d = S_DONE;
        end
      end
      S_OPROJ_DRAIN: begin  // @array.attn.OPROJ_DRAIN
        tile = TILE_DRAIN;
        if (last_edge) state_d = S_OPROJ_STORE;
      end
      S_OPROJ_STORE: begin  // @array.attn.OPROJ_STORE
        for (int k = 0; k < DModel; k++)
          if (in_tile(k, first, PeCols)) attn_out_d[k] = sum[PeW'(k - first)];
        tile    = TILE_STORE;
        i_d     = next_first;
        valid_d = last_tile;
        if (last_tile) state_d = S_DONE;
        else           state_d = S_OUTPUT_PROJ;
      end
      S_DONE: begin  // @attn.DONE
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
      h_q          <= '0;
      t_q          <= '0;
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
      h_q          <= h_d;
      t_q          <= t_d;
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

  // Power-up: the cache is 0; reset leaves it alone.
  initial begin
    for (int t = 0; t < MaxSeqLen; t++) begin
      k_mem_q[t] = '0;
      v_mem_q[t] = '0;
    end
  end
  always_ff @(posedge clk) begin
    if (cache_write) begin
      k_mem_q[row] <= k_q;
      v_mem_q[row] <= v_q;
    end
  end

  // The products on the array; without it the same ports stand still.
  if (OnArray) begin : gen_tile
    logic [LogD-1:0]              index;
    logic [DataW-1:0]             operand;
    logic [PeCols-1:0][DataW-1:0] w;
    logic [31:0]                  at;  // loop index: column of the product

    assign operand = in_output ? concat_q[index] : x_in[index];
    always_comb begin
      at = '0;
      for (int c = 0; c < PeCols; c++) begin
        at = first + c;
        if (in_output) w[c] = wo[{index, LogD'(at)}];
        else if (at < DModel) w[c] = wq[{index, LogD'(at)}];
        else if (at < 2 * DModel) w[c] = wk[{index, LogD'(at)}];
        else w[c] = wv[{index, LogD'(at)}];
        sum[c] = narrow(array_sum[c]);
      end
    end

    gemv_tile #(
      .PeCols (PeCols),
      .Most   (DModel)
    ) u_tile (
      .clk          (clk),
      .rst_n        (rst_n),
      .tile         (tile),
      .operands     (DModel),
      .outputs      (in_output ? DModel : 3 * DModel),
      .first        (first),
      .a            (operand),
      .w            (w),
      .index        (index),
      .last_operand (last_operand),
      .last_edge    (last_edge),
      .last_tile    (last_tile),
      .array_work   (array_work),
      .array_w      (array_w)
    );
  end else begin : gen_columns
    logic unused;
    assign unused       = ^{tile, in_output, array_sum};
    assign sum          = '0;
    assign last_operand = 1'b0;
    assign last_edge    = 1'b0;
    assign last_tile    = 1'b0;
    assign array_work   = '0;
    assign array_w      = '0;
  end

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
