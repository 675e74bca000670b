// One multiply-accumulate cell of the systolic array. Mirrors src/engine/processing_element.c.
//
// Timing: on an enabled edge a_out takes a_in, w_out takes w_in and acc gains a_in * w_in (exact
// product, the 32-bit sum wraps); otherwise everything holds. clear wins over enable and zeroes all
// three; so does reset.
module processing_element
  import transformer_pkg::*;
(
  input  logic             clk,
  input  logic             rst_n,
  input  logic             clear,
  input  logic             enable,
  input  logic [DataW-1:0] a_in,    // from the west
  input  logic [DataW-1:0] w_in,    // from the north
  output logic [DataW-1:0] a_out,   // to the east
  output logic [DataW-1:0] w_out,   // to the south
  output logic [AccW-1:0]  acc
);
  logic [DataW-1:0] a_d, a_q;
  logic [DataW-1:0] w_d, w_q;
  logic [AccW-1:0]  acc_d, acc_q;

  always_comb begin
    a_d   = a_q;
    w_d   = w_q;
    acc_d = acc_q;
    if (clear) begin
      a_d   = '0;
      w_d   = '0;
      acc_d = '0;
    end else if (enable) begin
      a_d   = a_in;
      w_d   = w_in;
      acc_d = acc_q + mul32(a_in, w_in);
    end
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      a_q   <= '0;
      w_q   <= '0;
      acc_q <= '0;
    end else begin
      a_q   <= a_d;
      w_q   <= w_d;
      acc_q <= acc_d;
    end
  end

  assign a_out = a_q;
  assign w_out = w_q;
  assign acc   = acc_q;
endmodule
