// Layer norm without a divider: mean, variance, 1/sqrt by table; or RMSNorm (OptNormRms), which is
// that with mean 0 and beta 0. Mirrors src/engine/layer_norm.c.
//
// Timing: start is sampled in S_IDLE; then S_MEAN, S_VARIANCE and S_NORMALIZE take D + 1 cycles each
// (element i in the cycle with index i, the extra cycle commits mean / var and inv_std / valid);
// valid is 1 in S_DONE, one cycle. RMSNorm has no S_MEAN, and var is the mean square; mean_q and
// centered_q stay 0 there (a synthesizer drops them), and x_in is read until S_NORMALIZE ends. Two
// instances: ln1 reads token_emb, ln2 reads residual1. Reset clears everything.
module layer_norm
  import transformer_pkg::*;
#(
  parameter int                 DModel  = 64,  // a power of two
  parameter logic [OptBits-1:0] Options = '0
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,   // sampled in S_IDLE
  input  logic [DModel-1:0][DataW-1:0] x_in,    // must hold from start to valid
  input  logic [DModel-1:0][DataW-1:0] gamma,
  input  logic [DModel-1:0][DataW-1:0] beta,    // not with OptNormRms
  output logic                         valid,
  output logic [DModel-1:0][DataW-1:0] y_out
);
  localparam int LogD   = $clog2(DModel);
  localparam int CountW = LogD + 1;

  typedef enum logic [2:0] {
    S_IDLE      = 3'd0,
    S_MEAN      = 3'd1,
    S_VARIANCE  = 3'd2,
    S_NORMALIZE = 3'd3,
    S_DONE      = 3'd4
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic [CountW-1:0]            i_d, i_q;               // 0..D
  logic [AccW-1:0]              acc_d, acc_q;           // sum of x, then of squares
  logic [DataW-1:0]             mean_d, mean_q;
  logic [DataW-1:0]             var_d, var_q;
  logic [DataW-1:0]             inv_std_d, inv_std_q;
  logic [DModel-1:0][DataW-1:0] centered_d, centered_q; // x - mean
  logic [DModel-1:0][DataW-1:0] y_d, y_q;

  logic             rms;                                // RMSNorm
  logic             more;                               // false in a state's extra cycle
  logic [LogD-1:0]  at;                                 // element of this cycle
  logic [DataW-1:0] average;                            // acc / D
  logic [DataW-1:0] centered;                           // of this element
  logic [DataW-1:0] scaled;                             // of this element, without beta
  logic [DataW-1:0] y;                                  // of this element

  assign rms      = Options[OptNormRms];
  assign more     = i_q < CountW'(DModel);
  assign at       = i_q[LogD-1:0];
  assign average  = DataW'($signed(acc_q) >>> LogD);
  assign centered = rms ? x_in[at] : x_in[at] - mean_q;
  assign scaled   = fp_mul(gamma[at], fp_mul(rms ? x_in[at] : centered_q[at], inv_std_q));
  assign y        = rms ? scaled : fp_sat_add(scaled, beta[at]);

  always_comb begin
    state_d    = state_q;
    valid_d    = 1'b0;
    i_d        = more ? i_q + CountW'(1) : '0;
    acc_d      = acc_q;
    mean_d     = mean_q;
    var_d      = var_q;
    inv_std_d  = inv_std_q;
    centered_d = centered_q;
    y_d        = y_q;
    case (state_q)
      S_IDLE: begin  // @ln1.IDLE @ln2.IDLE
        i_d = i_q;
        if (start) begin
          i_d     = '0;
          acc_d   = '0;
          if (rms) state_d = S_VARIANCE;
          else     state_d = S_MEAN;
        end
      end
      S_MEAN: begin  // @ln1.MEAN @ln2.MEAN
        if (more) begin
          acc_d = acc_q + AccW'($signed(x_in[at]));
        end else begin
          mean_d  = average;
          acc_d   = '0;
          state_d = S_VARIANCE;
        end
      end
      S_VARIANCE: begin  // @ln1.VARIANCE @ln2.VARIANCE
        if (more) begin
          for (int k = 0; k < DModel; k++)
            if (!rms && at == LogD'(k)) centered_d[k] = centered;
          acc_d = acc_q + AccW'($signed(fp_mul(centered, centered)));
        end else begin
          var_d     = average;
          inv_std_d = fp_inv_sqrt(average + DataW'(1));
          acc_d     = '0;
          state_d   = S_NORMALIZE;
        end
      end
      S_NORMALIZE: begin  // @ln1.NORMALIZE @ln2.NORMALIZE
        if (more) begin
          for (int k = 0; k < DModel; k++)
            if (at == LogD'(k)) y_d[k] = y;
        end else begin
          valid_d = 1'b1;
          state_d = S_DONE;
        end
      end
      S_DONE: begin  // @ln1.DONE @ln2.DONE
        i_d     = i_q;
        state_d = S_IDLE;
      end
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state_q    <= S_IDLE;
      valid_q    <= 1'b0;
      i_q        <= '0;
      acc_q      <= '0;
      mean_q     <= '0;
      var_q      <= '0;
      inv_std_q  <= '0;
      centered_q <= '0;
      y_q        <= '0;
    end else begin
      state_q    <= state_d;
      valid_q    <= valid_d;
      i_q        <= i_d;
      acc_q      <= acc_d;
      mean_q     <= mean_d;
      var_q      <= var_d;
      inv_std_q  <= inv_std_d;
      centered_q <= centered_d;
      y_q        <= y_d;
    end
  end

  assign valid = valid_q;
  assign y_out = y_q;
endmodule
