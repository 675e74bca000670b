// Softmax by pieces: max, exp of the differences, sum, reciprocal by table, product. Mirrors
// src/engine/softmax_unit.c.
//
// Timing, n = S entries: S_IDLE samples start and loads max = x[0], i = 1; S_FIND_MAX n cycles,
// S_SUBTRACT_EXP n + 1, S_SUM n + 1, S_RECIP 1, S_NORMALIZE n + 1, S_DONE 1 with valid. The
// difference to the maximum wraps in 16 bits: with a mask of -128.0 and a positive maximum every
// masked entry comes out as a large positive number, so its exp is 1.0. With OptMaskExclude
// entries beyond seq_pos get exp = 0. Reset clears everything.
module softmax_unit
  import transformer_pkg::*;
#(
  parameter int                 MaxSeqLen = 128,
  parameter logic [OptBits-1:0] Options   = '0,
  localparam int                PosW      = $clog2(MaxSeqLen + 1)
) (
  input  logic                            clk,
  input  logic                            rst_n,
  input  logic                            start,     // sampled in S_IDLE
  input  logic [PosW-1:0]                 seq_pos,   // read with OptMaskExclude only
  input  logic [MaxSeqLen-1:0][DataW-1:0] x_in,      // must hold from start to valid
  output logic                            valid,
  output logic [MaxSeqLen-1:0][DataW-1:0] prob_out
);
  localparam int IndexW = index_width(MaxSeqLen);

  typedef enum logic [2:0] {
    S_IDLE         = 3'd0,
    S_FIND_MAX     = 3'd1,
    S_SUBTRACT_EXP = 3'd2,
    S_SUM          = 3'd3,
    S_RECIP        = 3'd4,
    S_NORMALIZE    = 3'd5,
    S_DONE         = 3'd6
  } state_e;

  state_e                          state_d, state_q;
  logic                            valid_d, valid_q;
  logic [PosW-1:0]                 i_d, i_q;         // 0..S
  logic [DataW-1:0]                max_d, max_q;
  logic [AccW-1:0]                 sum_d, sum_q;
  logic [DataW-1:0]                recip_d, recip_q;
  logic [MaxSeqLen-1:0][DataW-1:0] shifted_d, shifted_q; // x - max, wrapping
  logic [MaxSeqLen-1:0][DataW-1:0] exp_d, exp_q;
  logic [MaxSeqLen-1:0][DataW-1:0] prob_d, prob_q;

  logic              more;                           // false in a state's extra cycle
  logic [IndexW-1:0] at;                             // entry of this cycle
  logic [DataW-1:0]  shifted;                        // of this entry
  logic              excluded;
  logic [DataW-1:0]  exp, prob;                      // of this entry
  logic [DataW-1:0]  x_first;
  logic [DataW-1:0]  sum_low;                        // what the reciprocal sees

  assign more     = i_q < PosW'(MaxSeqLen);
  assign at       = i_q[IndexW-1:0];
  assign shifted  = x_in[at] - max_q;
  assign excluded = Options[OptMaskExclude] && i_q > seq_pos;
  assign exp      = excluded ? '0 : approx_exp(shifted, Options[OptExpIntended]);
  assign prob     = sum_q == '0 ? '0 : fp_mul(exp_q[at], recip_q);
  assign x_first  = x_in[0];
  assign sum_low  = sum_q[DataW-1:0];

  always_comb begin
    state_d   = state_q;
    valid_d   = 1'b0;
    i_d       = more ? i_q + PosW'(1) : '0;
    max_d     = max_q;
    sum_d     = sum_q;
    recip_d   = recip_q;
    shifted_d = shifted_q;
    exp_d     = exp_q;
    prob_d    = prob_q;
    case (state_q)
      S_IDLE: begin  // @smax.IDLE
        i_d = i_q;
        if (start) begin
          max_d   = x_first;
          i_d     = PosW'(1);
          state_d = S_FIND_MAX;
        end
      end
      S_FIND_MAX: begin  // @smax.FIND_MAX
        if (more) begin
          if ($signed(x_in[at]) > $signed(max_q)) max_d = x_in[at];
        end else begin
          state_d = S_SUBTRACT_EXP;
        end
      end
      S_SUBTRACT_EXP: begin  // @smax.SUBTRACT_EXP
        if (more) begin
          for (int k = 0; k < MaxSeqLen; k++)
            if (at == IndexW'(k)) shifted_d[k] = shifted;
          for (int k = 0; k < MaxSeqLen; k++)
            if (at == IndexW'(k)) exp_d[k] = exp;
        end else begin
          sum_d   = '0;
          state_d = S_SUM;
        end
      end
      S_SUM: begin  // @smax.SUM
        if (more) begin
          sum_d = sum_q + AccW'($signed(exp_q[at]));
        end else begin
          state_d = S_RECIP;
        end
      end
      S_RECIP: begin  // @smax.RECIP
        i_d     = i_q;
        recip_d = reciprocal(sum_low);
        state_d = S_NORMALIZE;
      end
      S_NORMALIZE: begin  // @smax.NORMALIZE
        if (more) begin
          for (int k = 0; k < MaxSeqLen; k++)
            if (at == IndexW'(k)) prob_d[k] = prob;
        end else begin
          valid_d = 1'b1;
          state_d = S_DONE;
        end
      end
      S_DONE: begin  // @smax.DONE
        i_d     = i_q;
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
      max_q     <= '0;
      sum_q     <= '0;
      recip_q   <= '0;
      shifted_q <= '0;
      exp_q     <= '0;
      prob_q    <= '0;
    end else begin
      state_q   <= state_d;
      valid_q   <= valid_d;
      i_q       <= i_d;
      max_q     <= max_d;
      sum_q     <= sum_d;
      recip_q   <= recip_d;
      shifted_q <= shifted_d;
      exp_q     <= exp_d;
      prob_q    <= prob_d;
    end
  end

  assign valid    = valid_q;
  assign prob_out = prob_q;
endmodule
