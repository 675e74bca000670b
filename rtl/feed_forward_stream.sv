// Feed forward, one element of each dot product a cycle (variant stream). Mirrors
// src/engine/feed_forward_stream.c.
//
// Timing: S_IDLE samples start; per hidden unit S_L1_B1_ADDR 1 (addresses b1[i]), S_L1_ADDR 1 (latches
// it, addresses element 0 of w1), S_LINEAR1 D, S_L1_STORE 1; S_RELU 1; per output S_L2_ADDR 1,
// S_LINEAR2 F, S_L2_STORE 1; S_DONE 1 with valid. Swiglu (OptFfnSwiglu): w3 and b3 run beside w1 and b1,
// for up; S_SWIGLU F + 1 instead of S_RELU. Work cycle j uses the word addressed before it and
// addresses element j + 1; a *_STORE cycle stores the narrowed sum plus the bias, both wrapping, and
// clears the sum. Reset clears everything.
module feed_forward_stream
  import transformer_pkg::*;
#(
  parameter int                 DModel  = 64,
  parameter int                 DFf     = 256,
  parameter logic [OptBits-1:0] Options = '0,
  localparam int                MatrixW = $clog2(DModel * DFf),
  localparam int                HiddenW = index_width(DFf)
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,    // sampled in S_IDLE
  input  logic [DModel-1:0][DataW-1:0] x_in,

  output logic                         w1_read,  // weights: the word addressed comes a cycle later
  output logic [MatrixW-1:0]           w1_addr,
  input  logic [DataW-1:0]             w1_word,
  output logic                         b1_read,
  output logic [HiddenW-1:0]           b1_addr,
  input  logic [DataW-1:0]             b1_word,
  input  logic [DataW-1:0]             w3_word,  // read with w1 and b1; with OptFfnSwiglu only
  input  logic [DataW-1:0]             b3_word,
  output logic                         w2_read,
  output logic [MatrixW-1:0]           w2_addr,
  input  logic [DataW-1:0]             w2_word,
  input  logic [DModel-1:0][DataW-1:0] b2,

  output logic                         valid,
  output logic [DModel-1:0][DataW-1:0] y_out
);
  localparam int Limit  = DFf > DModel ? DFf : DModel;
  localparam int CountW = $clog2(Limit + 1);
  localparam int LogD   = $clog2(DModel);

  typedef enum logic [3:0] {
    S_IDLE       = 4'd0,
    S_L1_B1_ADDR = 4'd1,
    S_L1_ADDR    = 4'd2,
    S_LINEAR1    = 4'd3,
    S_L1_STORE   = 4'd4,
    S_RELU       = 4'd5,
    S_L2_ADDR    = 4'd6,
    S_LINEAR2    = 4'd7,
    S_L2_STORE   = 4'd8,
    S_DONE       = 4'd9,
    S_SWIGLU     = 4'd10
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic [CountW-1:0]            i_d, i_q;             // hidden unit, then output
  logic [CountW-1:0]            j_d, j_q;             // element of the dot product
  logic [AccW-1:0]              acc_d, acc_q;         // sum of products
  logic [DataW-1:0]             bias_d, bias_q;       // b1 of this hidden unit
  logic [AccW-1:0]              acc_up_d, acc_up_q;   // swiglu: the same of up
  logic [DataW-1:0]             bias_up_d, bias_up_q;
  logic [DFf-1:0][DataW-1:0]    hidden_d, hidden_q;
  logic [DFf-1:0][DataW-1:0]    up_d, up_q;           // swiglu
  logic [DModel-1:0][DataW-1:0] ffn_out_d, ffn_out_q;

  logic [HiddenW-1:0] unit, unit_j;                   // i and j as indices of hidden
  logic [LogD-1:0]    out, out_j;                     // i and j as indices of a D-vector
  logic               last_unit, last_out, last_in, last_hidden;
  logic               gated;                          // swiglu
  logic               more;                           // S_SWIGLU: not its extra cycle

  assign gated       = Options[OptFfnSwiglu];
  assign more        = i_q < CountW'(DFf);
  assign unit        = i_q[HiddenW-1:0];
  assign unit_j      = j_q[HiddenW-1:0];
  assign out         = i_q[LogD-1:0];
  assign out_j       = j_q[LogD-1:0];
  assign last_unit   = i_q == CountW'(DFf - 1);
  assign last_out    = i_q == CountW'(DModel - 1);
  assign last_in     = j_q == CountW'(DModel - 1);
  assign last_hidden = j_q == CountW'(DFf - 1);

  // Addresses for the next cycle's words.
  logic [31:0] next_w1, next_w2;
  assign b1_read = state_q == S_L1_B1_ADDR;
  assign b1_addr = unit;
  assign w1_read = state_q == S_L1_ADDR || (state_q == S_LINEAR1 && !last_in);
  assign next_w1 = state_q == S_LINEAR1 ? 32'(j_q) + 1 : 0;
  assign w1_addr = MatrixW'(next_w1 * DFf + 32'(i_q));
  assign w2_read = state_q == S_L2_ADDR || (state_q == S_LINEAR2 && !last_hidden);
  assign next_w2 = state_q == S_LINEAR2 ? 32'(j_q) + 1 : 0;
  assign w2_addr = MatrixW'(next_w2 * DModel + 32'(i_q));

  always_comb begin
    state_d   = state_q;
    valid_d   = 1'b0;
    i_d       = i_q;
    j_d       = j_q;
    acc_d     = acc_q;
    bias_d    = bias_q;
    acc_up_d  = acc_up_q;
    bias_up_d = bias_up_q;
    hidden_d  = hidden_q;
    up_d      = up_q;
    ffn_out_d = ffn_out_q;
    case (state_q)
      S_IDLE: begin  // @stream.ffn.IDLE
        if (start) begin
          i_d      = '0;
          j_d      = '0;
          acc_d    = '0;
          acc_up_d = '0;
          state_d  = S_L1_B1_ADDR;
        end
      end
      S_L1_B1_ADDR: begin  // @stream.ffn.L1_B1_ADDR
        state_d = S_L1_ADDR;
      end
      S_L1_ADDR: begin  // @stream.ffn.L1_ADDR
        bias_d  = b1_word;
        if (gated) bias_up_d = b3_word;
        state_d = S_LINEAR1;
      end
      S_LINEAR1: begin  // @stream.ffn.LINEAR1
        acc_d = acc_q + mul32(x_in[out_j], w1_word);
        if (gated) acc_up_d = acc_up_q + mul32(x_in[out_j], w3_word);
        j_d   = last_in ? '0 : j_q + CountW'(1);
        if (last_in) state_d = S_L1_STORE;
      end
      S_L1_STORE: begin  // @stream.ffn.L1_STORE
        for (int k = 0; k < DFf; k++) begin
          if (unit == HiddenW'(k)) hidden_d[k] = narrow(acc_q) + bias_q;
          if (gated && unit == HiddenW'(k)) up_d[k] = narrow(acc_up_q) + bias_up_q;
        end
        acc_d    = '0;
        acc_up_d = '0;
        i_d      = last_unit ? '0 : i_q + CountW'(1);
        if (!last_unit) state_d = S_L1_B1_ADDR;
        else if (gated) state_d = S_SWIGLU;
        else            state_d = S_RELU;
      end
      S_RELU: begin  // @stream.ffn.RELU
        for (int j = 0; j < DFf; j++) begin
          if ($signed(hidden_q[j]) < 16'sd0) hidden_d[j] = '0;
        end
        state_d = S_L2_ADDR;
      end
      S_L2_ADDR: begin  // @stream.ffn.L2_ADDR
        state_d = S_LINEAR2;
      end
      S_LINEAR2: begin  // @stream.ffn.LINEAR2
        acc_d = acc_q + mul32(hidden_q[unit_j], w2_word);
        j_d   = last_hidden ? '0 : j_q + CountW'(1);
        if (last_hidden) state_d = S_L2_STORE;
      end
      S_L2_STORE: begin  // @stream.ffn.L2_STORE
        for (int k = 0; k < DModel; k++)
          if (out == LogD'(k)) ffn_out_d[k] = narrow(acc_q) + b2[k];
        acc_d   = '0;
        i_d     = last_out ? '0 : i_q + CountW'(1);
        valid_d = last_out;
        if (last_out) state_d = S_DONE;
        else          state_d = S_L2_ADDR;
      end
      S_SWIGLU: begin  // @stream.ffn.SWIGLU
        for (int k = 0; k < DFf; k++)
          if (more && unit == HiddenW'(k)) hidden_d[k] = swiglu(hidden_q[unit], up_q[unit]);
        i_d = more ? i_q + CountW'(1) : '0;
        if (!more) state_d = S_L2_ADDR;
      end
      S_DONE: begin  // @stream.ffn.DONE
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
      j_q       <= '0;
      acc_q     <= '0;
      bias_q    <= '0;
      acc_up_q  <= '0;
      bias_up_q <= '0;
      hidden_q  <= '0;
      up_q      <= '0;
      ffn_out_q <= '0;
    end else begin
      state_q   <= state_d;
      valid_q   <= valid_d;
      i_q       <= i_d;
      j_q       <= j_d;
      acc_q     <= acc_d;
      bias_q    <= bias_d;
      acc_up_q  <= acc_up_d;
      bias_up_q <= bias_up_d;
      hidden_q  <= hidden_d;
      up_q      <= up_d;
      ffn_out_q <= ffn_out_d;
    end
  end

  assign valid = valid_q;
  assign y_out = ffn_out_q;
endmodule
