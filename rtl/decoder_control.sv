// The conductor: LN1, attention, residual, LN2, feed forward, residual. Mirrors
// src/engine/decoder_control.c.
//
// Timing: start is sampled in S_IDLE only; each S_*_START state raises one start flag, which its unit
// sees in the first cycle of S_*_WAIT; S_*_WAIT ends when the unit's valid is high. valid is 1 in
// S_DONE, one cycle; out_emb changes on the edge that ends S_RESIDUAL2 and holds. Reset clears
// everything.
module decoder_control
  import transformer_pkg::*;
#(
  parameter int DModel = 64
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,
  input  logic [DModel-1:0][DataW-1:0] token_emb,

  input  logic                         ln1_valid,
  input  logic                         attn_valid,
  input  logic                         ln2_valid,
  input  logic                         ffn_valid,
  input  logic [DModel-1:0][DataW-1:0] attn_out,
  input  logic [DModel-1:0][DataW-1:0] ffn_out,

  output logic                         ln1_start,
  output logic                         attn_start,
  output logic                         ln2_start,
  output logic                         ffn_start,
  output logic [DModel-1:0][DataW-1:0] residual1,

  output logic                         valid,
  output logic [DModel-1:0][DataW-1:0] out_emb
);
  typedef enum logic [3:0] {
    S_IDLE       = 4'd0,
    S_LN1_START  = 4'd1,
    S_LN1_WAIT   = 4'd2,
    S_ATTN_START = 4'd3,
    S_ATTN_WAIT  = 4'd4,
    S_RESIDUAL1  = 4'd5,
    S_LN2_START  = 4'd6,
    S_LN2_WAIT   = 4'd7,
    S_FFN_START  = 4'd8,
    S_FFN_WAIT   = 4'd9,
    S_RESIDUAL2  = 4'd10,
    S_DONE       = 4'd11
  } state_e;

  state_e                       state_d, state_q;
  logic                         valid_d, valid_q;
  logic                         ln1_start_d, ln1_start_q;
  logic                         attn_start_d, attn_start_q;
  logic                         ln2_start_d, ln2_start_q;
  logic                         ffn_start_d, ffn_start_q;
  logic [DModel-1:0][DataW-1:0] residual1_d, residual1_q;
  logic [DModel-1:0][DataW-1:0] out_emb_d, out_emb_q;

  always_comb begin
    state_d      = state_q;
    valid_d      = 1'b0;
    ln1_start_d  = 1'b0;
    attn_start_d = 1'b0;
    ln2_start_d  = 1'b0;
    ffn_start_d  = 1'b0;
    residual1_d  = residual1_q;
    out_emb_d    = out_emb_q;
    case (state_q)
      S_IDLE: begin  // @top.IDLE
        if (start) state_d = S_LN1_START;
      end
      S_LN1_START: begin  // @top.LN1_START
        ln1_start_d = 1'b1;
        state_d     = S_LN1_WAIT;
      end
      S_LN1_WAIT: begin  // @top.LN1_WAIT
        if (ln1_valid) state_d = S_ATTN_START;
      end
      S_ATTN_START: begin  // @top.ATTN_START
        attn_start_d = 1'b1;
        state_d      = S_ATTN_WAIT;
      end
      S_ATTN_WAIT: begin  // @top.ATTN_WAIT
        if (attn_valid) state_d = S_RESIDUAL1;
      end
      S_RESIDUAL1: begin  // @top.RESIDUAL1
        for (int i = 0; i < DModel; i++) residual1_d[i] = fp_sat_add(token_emb[i], attn_out[i]);
        state_d = S_LN2_START;
      end
      S_LN2_START: begin  // @top.LN2_START
        ln2_start_d = 1'b1;
        state_d     = S_LN2_WAIT;
      end
      S_LN2_WAIT: begin  // @top.LN2_WAIT
        if (ln2_valid) state_d = S_FFN_START;
      end
      S_FFN_START: begin  // @top.FFN_START
        ffn_start_d = 1'b1;
        state_d     = S_FFN_WAIT;
      end
      S_FFN_WAIT: begin  // @top.FFN_WAIT
        if (ffn_valid) state_d = S_RESIDUAL2;
      end
      S_RESIDUAL2: begin  // @top.RESIDUAL2
        for (int i = 0; i < DModel; i++) out_emb_d[i] = fp_sat_add(residual1_q[i], ffn_out[i]);
        valid_d = 1'b1;
        state_d = S_DONE;
      end
      S_DONE: begin  // @top.DONE
        state_d = S_IDLE;
      end
      default: state_d = S_IDLE;
    endcase
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      state_q      <= S_IDLE;
      valid_q      <= 1'b0;
      ln1_start_q  <= 1'b0;
      attn_start_q <= 1'b0;
      ln2_start_q  <= 1'b0;
      ffn_start_q  <= 1'b0;
      residual1_q  <= '0;
      out_emb_q    <= '0;
    end else begin
      state_q      <= state_d;
      valid_q      <= valid_d;
      ln1_start_q  <= ln1_start_d;
      attn_start_q <= attn_start_d;
      ln2_start_q  <= ln2_start_d;
      ffn_start_q  <= ffn_start_d;
      residual1_q  <= residual1_d;
      out_emb_q    <= out_emb_d;
    end
  end

  assign ln1_start  = ln1_start_q;
  assign attn_start = attn_start_q;
  assign ln2_start  = ln2_start_q;
  assign ffn_start  = ffn_start_q;
  assign residual1  = residual1_q;
  assign valid      = valid_q;
  assign out_emb    = out_emb_q;
endmodule
