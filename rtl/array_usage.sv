// Counts what the systolic array is used for in a token (variant array). Mirrors
// src/engine/array_usage.c.
//
// Timing: both counters are cleared by `clear`, in the first cycle of S_LN1_WAIT, and hold after the
// token. On an enabled edge slots gains Rows * Cols, the products that there is room for, and useful
// gains one for every output that the operand entering row 0 is for. Reset clears both.
module array_usage
  import transformer_pkg::*;
#(
  parameter int Rows = 4,
  parameter int Cols = 4
) (
  input  logic                clk,
  input  logic                rst_n,
  input  logic                clear,
  input  logic                enable,
  input  logic [ColumnsW-1:0] columns,
  output logic [AccW-1:0]     useful,
  output logic [AccW-1:0]     slots
);
  logic [AccW-1:0] useful_d, useful_q;
  logic [AccW-1:0] slots_d, slots_q;

  always_comb begin
    useful_d = useful_q;
    slots_d  = slots_q;
    if (clear) begin
      useful_d = '0;
      slots_d  = '0;
    end else if (enable) begin
      useful_d = useful_q + AccW'(columns);
      slots_d  = slots_q + AccW'(Rows * Cols);
    end
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      useful_q <= '0;
      slots_q  <= '0;
    end else begin
      useful_q <= useful_d;
      slots_q  <= slots_d;
    end
  end

  assign useful = useful_q;
  assign slots  = slots_q;
endmodule
