// Feed forward, its two products on the systolic array (variant array). Mirrors
// src/engine/feed_forward_array.c.
//
// Timing: S_IDLE samples start; per tile of C hidden units: S_LINEAR1 D (an operand enters the array),
// S_L1_DRAIN C - 1 (zeros enter), S_L1_STORE 1; S_RELU 1; per tile of C outputs: S_LINEAR2 F,
// S_L2_DRAIN C - 1, S_L2_STORE 1; S_DONE 1 with valid. Swiglu (OptFfnSwiglu): w1 and w3 side by side are
// 2F outputs, hidden and then up; S_SWIGLU F + 1 instead of S_RELU. i is the tile's first output. A *_STORE cycle
// stores the narrowed sums of row 0 plus the bias, both wrapping, and clears the array. An array of
// one column needs no *_DRAIN. Reset clears everything.
module feed_forward_array
  import transformer_pkg::*;
#(
  parameter int                 DModel  = 64,
  parameter int                 DFf     = 256,
  parameter int                 PeCols  = 4,
  parameter logic [OptBits-1:0] Options = '0
) (
  input  logic                             clk,
  input  logic                             rst_n,
  input  logic                             start,   // sampled in S_IDLE
  input  logic [DModel-1:0][DataW-1:0]     x_in,
  input  logic [DModel*DFf-1:0][DataW-1:0] w1,      // [DModel][DFf], row-major
  input  logic [DFf-1:0][DataW-1:0]        b1,
  input  logic [DModel*DFf-1:0][DataW-1:0] w3,      // as w1; w3 and b3: with OptFfnSwiglu only
  input  logic [DFf-1:0][DataW-1:0]        b3,
  input  logic [DFf*DModel-1:0][DataW-1:0] w2,      // [DFf][DModel], row-major
  input  logic [DModel-1:0][DataW-1:0]     b2,
  output logic                             valid,
  output logic [DModel-1:0][DataW-1:0]     y_out,

  // the systolic array: what enters row 0 and the columns, and the sums of row 0
  output array_work_t                      array_work,
  output logic [PeCols-1:0][DataW-1:0]     array_w,
  input  logic [PeCols-1:0][AccW-1:0]      array_sum
);
  localparam int Limit   = DFf > DModel ? DFf : DModel;
  localparam int Outputs = Options[OptFfnSwiglu] ? 2 * DFf : DFf;  // of S_LINEAR1
  localparam int Most    = Outputs > DModel ? Outputs : DModel;
  localparam int CountW  = $clog2(Most + 1);
  localparam int IndexW  = index_width(Limit);
  localparam int LogD    = $clog2(DModel);
  localparam int HiddenW = index_width(DFf);
  localparam int PeW     = index_width(PeCols);
  localparam int MatrixW = $clog2(DModel * DFf);

  typedef enum logic [3:0] {
    S_IDLE     = 4'd0,
    S_LINEAR1  = 4'd1,
    S_L1_DRAIN = 4'd2,
    S_L1_STORE = 4'd3,
    S_RELU     = 4'd4,
    S_LINEAR2  = 4'd5,
    S_L2_DRAIN = 4'd6,
    S_L2_STORE = 4'd7,
    S_DONE     = 4'd8,
    S_SWIGLU   = 4'd9
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic [CountW-1:0]            i_d, i_q;             // first output of the tile; hidden unit
  logic [DFf-1:0][DataW-1:0]    hidden_d, hidden_q;
  logic [DFf-1:0][DataW-1:0]    up_d, up_q;           // swiglu
  logic [DModel-1:0][DataW-1:0] ffn_out_d, ffn_out_q;

  tile_e                        tile;                 // what this cycle does with the tile
  logic                         last_operand;         // the tile's last operand enters
  logic                         last_edge;            // its sums are final after this edge
  logic                         last_tile;            // of this layer
  logic                         in_layer2;
  logic [IndexW-1:0]            index;                // of the operand that enters
  logic [DataW-1:0]             operand;
  logic [PeCols-1:0][DataW-1:0] w;                    // what enters the columns
  logic [31:0]                  first;                // output of the tile
  logic [CountW-1:0]            next_first;           // of the next one
  logic [31:0]                  at;                   // loop index: output of the layer
  logic                         gated;                // swiglu
  logic                         more;                 // S_SWIGLU: not its extra cycle
  logic [HiddenW-1:0]           unit;                 // i as an index of hidden

  assign gated      = Options[OptFfnSwiglu];
  assign more       = i_q < CountW'(DFf);
  assign unit       = i_q[HiddenW-1:0];
  assign first      = 32'(i_q);
  assign next_first = last_tile ? '0 : i_q + CountW'(PeCols);
  assign in_layer2  = state_q == S_LINEAR2 || state_q == S_L2_DRAIN || state_q == S_L2_STORE;
  assign operand    = in_layer2 ? hidden_q[HiddenW'(index)] : x_in[LogD'(index)];

  always_comb begin
    at = '0;
    for (int c = 0; c < PeCols; c++) begin
      at   = first + c;
      if (in_layer2) w[c] = w2[MatrixW'(32'(index) * DModel + at)];
      else if (gated && at >= DFf) w[c] = w3[MatrixW'(32'(index) * DFf + at - DFf)];
      else w[c] = w1[MatrixW'(32'(index) * DFf + at)];
    end
  end

  always_comb begin
    state_d   = state_q;
    valid_d   = 1'b0;
    i_d       = i_q;
    hidden_d  = hidden_q;
    up_d      = up_q;
    ffn_out_d = ffn_out_q;
    tile      = TILE_HOLD;
    case (state_q)
      S_IDLE: begin  // @array.ffn.IDLE
        if (start) begin
          i_d     = '0;
          tile    = TILE_START;
          state_d = S_LINEAR1;
        end
      end
      S_LINEAR1: begin  // @array.ffn.LINEAR1
        tile = TILE_FEED;
        if (last_edge) state_d = S_L1_STORE;
        else if (last_operand) state_d = S_L1_DRAIN;
      end
      S_L1_DRAIN: begin  // @array.ffn.L1_DRAIN
        tile = TILE_DRAIN;
        if (last_edge) state_d = S_L1_STORE;
      end
      S_L1_STORE: begin  // @array.ffn.L1_STORE
        for (int k = 0; k < DFf; k++) begin
          if (in_tile(k, first, PeCols)) hidden_d[k] = narrow(array_sum[PeW'(k - first)]) + b1[k];
          if (gated && in_tile(k + DFf, first, PeCols))
            up_d[k] = narrow(array_sum[PeW'(k + DFf - first)]) + b3[k];
        end
        tile = TILE_STORE;
        i_d  = next_first;
        if (!last_tile) state_d = S_LINEAR1;
        else if (gated) state_d = S_SWIGLU;
        else            state_d = S_RELU;
      end
      S_RELU: begin  // @array.ffn.RELU
        for (int j = 0; j < DFf; j++) begin
          if ($signed(hidden_q[j]) < 16'sd0) hidden_d[j] = '0;
        end
        state_d = S_LINEAR2;
      end
      S_LINEAR2: begin  // @array.ffn.LINEAR2
        tile = TILE_FEED;
        if (last_edge) state_d = S_L2_STORE;
        else if (last_operand) state_d = S_L2_DRAIN;
      end
      S_L2_DRAIN: begin  // @array.ffn.L2_DRAIN
        tile = TILE_DRAIN;
        if (last_edge) state_d = S_L2_STORE;
      end
      S_L2_STORE: begin  // @array.ffn.L2_STORE
        for (int k = 0; k < DModel; k++)
          if (in_tile(k, first, PeCols)) ffn_out_d[k] = narrow(array_sum[PeW'(k - first)]) + b2[k];
        tile    = TILE_STORE;
        i_d     = next_first;
        valid_d = last_tile;
        if (last_tile) state_d = S_DONE;
        else           state_d = S_LINEAR2;
      end
      S_SWIGLU: begin  // @array.ffn.SWIGLU
        for (int k = 0; k < DFf; k++)
          if (more && unit == HiddenW'(k)) hidden_d[k] = swiglu(hidden_q[unit], up_q[unit]);
        i_d = more ? i_q + CountW'(1) : '0;
        if (!more) state_d = S_LINEAR2;
      end
      S_DONE: begin  // @array.ffn.DONE
        state_d = S_IDLE;
      end
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state_q   <= S_IDLE;
      valid_q   <= 1'b0;
      i_q       <= '0;
      hidden_q  <= '0;
      up_q      <= '0;
      ffn_out_q <= '0;
    end else begin
      state_q   <= state_d;
      valid_q   <= valid_d;
      i_q       <= i_d;
      hidden_q  <= hidden_d;
      up_q      <= up_d;
      ffn_out_q <= ffn_out_d;
    end
  end

  gemv_tile #(
    .PeCols (PeCols),
    .Most   (Limit)
  ) u_tile (
    .clk          (clk),
    .rst_n        (rst_n),
    .tile         (tile),
    .operands     (in_layer2 ? DFf : DModel),
    .outputs      (in_layer2 ? DModel : Outputs),
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

  assign valid = valid_q;
  assign y_out = ffn_out_q;
endmodule
