// Feed forward: two linear layers and a ReLU, or with OptFfnSwiglu a third layer beside the first
// (variant bridge). Mirrors src/engine/feed_forward.c.
//
// Timing: S_IDLE samples start; S_LINEAR1 F + 1 (one hidden unit a cycle), S_RELU 1 (clamps hidden
// in place), S_LINEAR2 D + 1 (one output a cycle), S_DONE 1 with valid. Swiglu: S_LINEAR1 makes
// hidden[i], the gate, and up[i]; S_SWIGLU F + 1 instead of S_RELU (hidden[i] becomes silu of the gate
// times up). All bias adds and the product with up wrap. Reset clears everything.
module feed_forward
  import transformer_pkg::*;
#(
  parameter int                 DModel  = 64,
  parameter int                 DFf     = 256,
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
  output logic [DModel-1:0][DataW-1:0]     y_out
);
  localparam int Limit   = DFf > DModel ? DFf : DModel;
  localparam int CountW  = $clog2(Limit + 1);
  localparam int LogD    = $clog2(DModel);
  localparam int HiddenW = index_width(DFf);
  localparam int MatrixW = $clog2(DModel * DFf);

  typedef enum logic [2:0] {
    S_IDLE    = 3'd0,
    S_LINEAR1 = 3'd1,
    S_RELU    = 3'd2,
    S_LINEAR2 = 3'd3,
    S_DONE    = 3'd4,
    S_SWIGLU  = 3'd5
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic [CountW-1:0]            i_d, i_q;             // 0..max(D, F)
  logic [DFf-1:0][DataW-1:0]    hidden_d, hidden_q;
  logic [DFf-1:0][DataW-1:0]    up_d, up_q;           // swiglu
  logic [DModel-1:0][DataW-1:0] ffn_out_d, ffn_out_q;

  logic [HiddenW-1:0] unit;                           // hidden unit of this cycle
  logic [LogD-1:0]    out;                            // output of this cycle
  logic               gated;                          // swiglu
  logic               more;                           // S_SWIGLU: not its extra cycle
  logic [AccW-1:0]    acc, acc_up;                    // its dot products
  logic [DataW-1:0]   y;                              // that with the bias

  assign gated = Options[OptFfnSwiglu];
  assign more  = i_q < CountW'(DFf);
  assign unit  = i_q[HiddenW-1:0];
  assign out   = i_q[LogD-1:0];

  always_comb begin
    state_d   = state_q;
    valid_d   = 1'b0;
    i_d       = i_q;
    hidden_d  = hidden_q;
    up_d      = up_q;
    ffn_out_d = ffn_out_q;
    acc       = '0;
    acc_up    = '0;
    y         = '0;
    case (state_q)
      S_IDLE: begin  // @ffn.IDLE
        if (start) begin
          i_d     = '0;
          state_d = S_LINEAR1;
        end
      end
      S_LINEAR1: begin  // @ffn.LINEAR1
        if (i_q < CountW'(DFf)) begin
          for (int j = 0; j < DModel; j++) begin
            acc = acc + mul32(x_in[j], w1[MatrixW'(j * DFf + 32'(unit))]);
            if (gated) acc_up = acc_up + mul32(x_in[j], w3[MatrixW'(j * DFf + 32'(unit))]);
          end
          y = narrow(acc) + b1[unit];
          for (int k = 0; k < DFf; k++) begin
            if (unit == HiddenW'(k)) hidden_d[k] = y;
            if (gated && unit == HiddenW'(k)) up_d[k] = narrow(acc_up) + b3[unit];
          end
          i_d = i_q + CountW'(1);
        end else begin
          i_d = '0;
          if (gated) state_d = S_SWIGLU;
          else       state_d = S_RELU;
        end
      end
      S_RELU: begin  // @ffn.RELU
        for (int j = 0; j < DFf; j++) begin
          if ($signed(hidden_q[j]) < 16'sd0) hidden_d[j] = '0;
        end
        state_d = S_LINEAR2;
      end
      S_LINEAR2: begin  // @ffn.LINEAR2
        if (i_q < CountW'(DModel)) begin
          for (int j = 0; j < DFf; j++) begin
            acc = acc + mul32(hidden_q[j], w2[MatrixW'(j * DModel + 32'(out))]);
          end
          y = narrow(acc) + b2[out];
          for (int k = 0; k < DModel; k++)
            if (out == LogD'(k)) ffn_out_d[k] = y;
          i_d = i_q + CountW'(1);
        end else begin
          i_d     = '0;
          valid_d = 1'b1;
          state_d = S_DONE;
        end
      end
      S_SWIGLU: begin  // @ffn.SWIGLU
        for (int k = 0; k < DFf; k++)
          if (more && unit == HiddenW'(k)) hidden_d[k] = swiglu(hidden_q[unit], up_q[unit]);
        i_d = more ? i_q + CountW'(1) : '0;
        if (!more) state_d = S_LINEAR2;
      end
      S_DONE: begin  // @ffn.DONE
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

  assign valid = valid_q;
  assign y_out = ffn_out_q;
endmodule
