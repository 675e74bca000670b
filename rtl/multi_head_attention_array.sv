// Multi-head attention, its four products on the systolic array (variant array). Mirrors
// src/engine/multi_head_attention_array.c.
//
// Timing: S_IDLE samples start; per tile of C of the 3D columns of q, k and v side by side: S_PROJ_QKV
// D (an operand enters the array), S_PROJ_DRAIN C - 1 (zeros enter), S_PROJ_STORE 1; S_WRITE_CACHE 1,
// S_SCORE H(p + 2) + 1, per head S_SOFTMAX_PREP 1, S_SOFTMAX_RUN 4S + 6, S_SOFTMAX_STORE 1,
// S_WEIGHTED_SUM H + 1, all as in bridge; per tile of C of the D columns of attn_out: S_OUTPUT_PROJ D,
// S_OPROJ_DRAIN C - 1, S_OPROJ_STORE 1; S_DONE 1 with valid. i is the tile's first column, j counts
// its edges. A *_STORE cycle stores the narrowed sums of row 0 and clears the array. An array of one
// column needs no *_DRAIN. Reset clears everything but K and V.
module multi_head_attention_array
  import transformer_pkg::*;
#(
  parameter int               DModel      = 64,
  parameter int               NHeads      = 4,
  parameter int               MaxSeqLen   = 128,
  parameter int               PeCols      = 4,
  parameter logic [DataW-1:0] Mask        = 16'h8000,
  parameter bit               MaskExclude = 1'b0,
  parameter bit               ExpIntended = 1'b0,
  parameter logic [DataW-1:0] ScoreScale  = 16'h0040,
  parameter int               PosW        = $clog2(MaxSeqLen + 1),
  parameter int               ColumnsW    = $clog2(PeCols + 1)
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

  // the systolic array: what enters row 0 and the columns, and the sums of row 0
  output logic                                array_clear,
  output logic                                array_enable,
  output logic [DataW-1:0]                    array_a,
  output logic [PeCols-1:0][DataW-1:0]        array_w,
  output logic [ColumnsW-1:0]                 array_columns,  // outputs that array_a is for
  input  logic [PeCols-1:0][AccW-1:0]         array_sum
);
  localparam int DHead   = DModel / NHeads;
  localparam int LogD    = $clog2(DModel);
  localparam int CountW  = LogD + 2;
  localparam int EdgeW   = $clog2(DModel + PeCols);
  localparam int HeadW   = $clog2(NHeads + 1);
  localparam int RowW    = index_width(MaxSeqLen);
  localparam int TableW  = index_width(NHeads * MaxSeqLen);

  typedef enum logic [3:0] {
    S_IDLE          = 4'd0,
    S_PROJ_QKV      = 4'd1,
    S_PROJ_DRAIN    = 4'd2,
    S_PROJ_STORE    = 4'd3,
    S_WRITE_CACHE   = 4'd4,
    S_SCORE         = 4'd5,
    S_SOFTMAX_PREP  = 4'd6,
    S_SOFTMAX_RUN   = 4'd7,
    S_SOFTMAX_STORE = 4'd8,
    S_WEIGHTED_SUM  = 4'd9,
    S_OUTPUT_PROJ   = 4'd10,
    S_OPROJ_DRAIN   = 4'd11,
    S_OPROJ_STORE   = 4'd12,
    S_DONE          = 4'd13
  } state_e;

  state_e                                 state_d, state_q;
  logic                                   valid_d, valid_q;
  logic                                   smax_start_d, smax_start_q;
  logic [CountW-1:0]                      i_d, i_q;          // first column of the tile, below 3D
  logic [EdgeW-1:0]                       j_d, j_q;          // edges of the tile, 0..D + C - 1
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

  logic                         last_operand;  // the tile's last operand enters
  logic                         last_edge;     // its sums are final after this edge
  logic [LogD-1:0]              operand;       // element of the vector that enters
  logic [31:0]                  column;        // loop index: column of the tile
  logic [RowW-1:0]              row;           // cache row of this token
  logic [TableW-1:0]            head_row;      // scores[h][0] in scores_q
  logic [LogD-1:0]              head_at;       // head[h][0] in head_q
  logic [DModel-1:0][DataW-1:0] key_row;       // K[t]
  logic [DModel-1:0][DataW-1:0] value_row;     // V[position] in the loop of S_WEIGHTED_SUM
  logic [TableW-1:0]            entry;         // loop index into scores_q and probs_q
  logic [LogD-1:0]              element;       // loop index into q, a cache row, head_q
  logic [DHead-1:0][AccW-1:0]   head_acc;      // one head's sums
  logic [AccW-1:0]              acc;

  assign last_operand = j_q == EdgeW'(DModel - 1);
  assign last_edge    = j_q == EdgeW'(DModel + PeCols - 2);
  assign operand      = j_q[LogD-1:0];
  assign row          = seq_pos[RowW-1:0];
  assign head_row     = TableW'(32'(h_q) * MaxSeqLen);
  assign head_at      = LogD'(32'(h_q) * DHead);
  assign key_row      = k_mem_q[t_q[RowW-1:0]];

  always_comb begin
    state_d       = state_q;
    valid_d       = 1'b0;
    smax_start_d  = 1'b0;
    i_d           = i_q;
    j_d           = j_q;
    h_d           = h_q;
    t_d           = t_q;
    q_d           = q_q;
    k_d           = k_q;
    v_d           = v_q;
    scores_d      = scores_q;
    probs_d       = probs_q;
    x_d           = x_q;
    head_d        = head_q;
    concat_d      = concat_q;
    attn_out_d    = attn_out_q;
    cache_write   = 1'b0;
    value_row     = '0;
    entry         = '0;
    element       = '0;
    head_acc      = '0;
    acc           = '0;
    column        = '0;
    array_clear   = 1'b0;
    array_enable  = 1'b0;
    array_a       = '0;
    array_w       = '0;
    array_columns = '0;
    case (state_q)
      S_IDLE: begin  // @array.attn.IDLE
        if (start) begin
          i_d     = '0;
          h_d     = '0;
          t_d     = '0;
          j_d     = '0;
          state_d = S_PROJ_QKV;
        end
      end
      S_PROJ_QKV: begin  // @array.attn.PROJ_QKV
        array_enable = 1'b1;
        array_a      = x_in[operand];
        for (int c = 0; c < PeCols; c++) begin
          column = 32'(i_q) + c;
          if (column < DModel) array_w[c] = wq[{operand, LogD'(column)}];
          else if (column < 2 * DModel) array_w[c] = wk[{operand, LogD'(column)}];
          else if (column < 3 * DModel) array_w[c] = wv[{operand, LogD'(column)}];
          if (column < 3 * DModel) array_columns = ColumnsW'(c + 1);
        end
        j_d = j_q + EdgeW'(1);
        if (last_edge) state_d = S_PROJ_STORE;
        else if (last_operand) state_d = S_PROJ_DRAIN;
      end
      S_PROJ_DRAIN: begin  // @array.attn.PROJ_DRAIN
        array_enable = 1'b1;
        j_d          = j_q + EdgeW'(1);
        if (last_edge) state_d = S_PROJ_STORE;
      end
      S_PROJ_STORE: begin  // @array.attn.PROJ_STORE
        for (int c = 0; c < PeCols; c++) begin
          column = 32'(i_q) + c;
          if (column < DModel) q_d[LogD'(column)] = narrow(array_sum[c]);
          else if (column < 2 * DModel) k_d[LogD'(column)] = narrow(array_sum[c]);
          else if (column < 3 * DModel) v_d[LogD'(column)] = narrow(array_sum[c]);
        end
        array_clear = 1'b1;
        j_d         = '0;
        if (32'(i_q) + PeCols >= 3 * DModel) begin
          i_d     = '0;
          state_d = S_WRITE_CACHE;
        end else begin
          i_d     = i_q + CountW'(PeCols);
          state_d = S_PROJ_QKV;
        end
      end
      S_WRITE_CACHE: begin  // @array.attn.WRITE_CACHE
        cache_write = 1'b1;
        state_d     = S_SCORE;
      end
      S_SCORE: begin  // @array.attn.SCORE
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
          entry           = head_row + TableW'(t_q);
          scores_d[entry] = fp_mul(narrow(acc), ScoreScale);
          t_d             = t_q + PosW'(1);
        end
      end
      S_SOFTMAX_PREP: begin  // @array.attn.SOFTMAX_PREP
        for (int t = 0; t < MaxSeqLen; t++) begin
          entry  = head_row + TableW'(t);
          x_d[t] = PosW'(t) <= seq_pos ? scores_q[entry] : Mask;
        end
        smax_start_d = 1'b1;
        state_d      = S_SOFTMAX_RUN;
      end
      S_SOFTMAX_RUN: begin  // @array.attn.SOFTMAX_RUN
        if (smax_valid) state_d = S_SOFTMAX_STORE;
      end
      S_SOFTMAX_STORE: begin  // @array.attn.SOFTMAX_STORE
        for (int t = 0; t < MaxSeqLen; t++) begin
          entry          = head_row + TableW'(t);
          probs_d[entry] = smax_prob[t];
        end
        if (h_q == HeadW'(NHeads - 1)) begin
          h_d     = '0;
          state_d = S_WEIGHTED_SUM;
        end else begin
          h_d     = h_q + HeadW'(1);
          state_d = S_SOFTMAX_PREP;
        end
      end
      S_WEIGHTED_SUM: begin  // @array.attn.WEIGHTED_SUM
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
          for (int d = 0; d < DHead; d++) begin
            element         = head_at + LogD'(d);
            head_d[element] = narrow(head_acc[d]);
          end
          h_d = h_q + HeadW'(1);
        end else begin
          concat_d = head_q;
          h_d      = '0;
          state_d  = S_OUTPUT_PROJ;
        end
      end
      S_OUTPUT_PROJ: begin  // @array.attn.OUTPUT_PROJ
        array_enable = 1'b1;
        array_a      = concat_q[operand];
        for (int c = 0; c < PeCols; c++) begin
          column = 32'(i_q) + c;
          if (column < DModel) begin
            array_w[c]    = wo[{operand, LogD'(column)}];
            array_columns = ColumnsW'(c + 1);
          end
        end
        j_d = j_q + EdgeW'(1);
        if (last_edge) state_d = S_OPROJ_STORE;
        else if (last_operand) state_d = S_OPROJ_DRAIN;
      end
      S_OPROJ_DRAIN: begin  // @array.attn.OPROJ_DRAIN
        array_enable = 1'b1;
        j_d          = j_q + EdgeW'(1);
        if (last_edge) state_d = S_OPROJ_STORE;
      end
      S_OPROJ_STORE: begin  // @array.attn.OPROJ_STORE
        for (int c = 0; c < PeCols; c++) begin
          column = 32'(i_q) + c;
          if (column < DModel) attn_out_d[LogD'(column)] = narrow(array_sum[c]);
        end
        array_clear = 1'b1;
        j_d         = '0;
        if (32'(i_q) + PeCols >= DModel) begin
          i_d     = '0;
          valid_d = 1'b1;
          state_d = S_DONE;
        end else begin
          i_d     = i_q + CountW'(PeCols);
          state_d = S_OUTPUT_PROJ;
        end
      end
      S_DONE: begin  // @array.attn.DONE
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

  softmax_unit #(
    .MaxSeqLen   (MaxSeqLen),
    .MaskExclude (MaskExclude),
    .ExpIntended (ExpIntended)
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
