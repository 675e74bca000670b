// A delay line of Length registers that moves on enabled edges: the skew of one row or column of the
// systolic array. Mirrors skew_line_next of src/engine/systolic_array.c.
//
// Timing: x_out is x_in of Length enabled edges ago; Length 0 is a wire. clear wins over enable; it
// and reset zero every register.
module skew_line
  import transformer_pkg::*;
#(
  parameter int Length = 1
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             clear,
  input  logic             enable,
  input  logic [DataW-1:0] x_in,
  output logic [DataW-1:0] x_out
);
  if (Length == 0) begin : gen_wire
    logic unused_controls;
    assign unused_controls = ^{clk, rst_n, clear, enable};
    assign x_out           = x_in;
  end else begin : gen_line
    logic [Length*DataW-1:0] line_d, line_q;  // newest word in the low bits

    always_comb begin
      line_d = line_q;
      if (clear)       line_d = '0;
      else if (enable) line_d = (line_q << DataW) | (Length * DataW)'(x_in);
    end

    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) line_q <= '0;
      else        line_q <= line_d;
    end

    assign x_out = line_q[Length*DataW-1-:DataW];
  end
endmodule
