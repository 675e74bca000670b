// One product of a vector and a matrix on the systolic array, tile by tile (variant array): the edge
// counter and what enters the array. Mirrors src/engine/gemv_tile.c.
//
// A tile is PeCols outputs. Timing: while feed is high an operand a enters row 0 and a word of w each
// column; element `index` of the vector is asked for. With drain high zeros follow, until the last
// column has its sum. store is the cycle in which the sums of row 0 are taken: it clears the array and
// the counter. last_edge says that the sums are final after this edge, last_tile that no output is
// left behind this tile. Reset clears everything.
module gemv_tile
  import transformer_pkg::*;
#(
  parameter int  PeCols   = 4,
  parameter int  Most     = 64,  // operands of the longest product
  localparam int EdgeW    = $clog2(Most + PeCols),
  localparam int IndexW   = index_width(Most),
  localparam int ColumnsW = $clog2(PeCols + 1)
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         start,     // a new token: edge 0
  input  logic                         feed,
  input  logic                         drain,
  input  logic                         store,
  input  logic [31:0]                  operands,  // K
  input  logic [31:0]                  outputs,   // n
  input  logic [31:0]                  first,     // first output of the tile
  input  logic [DataW-1:0]             a,
  input  logic [PeCols-1:0][DataW-1:0] w,         // words of columns first..first + PeCols - 1

  output logic [IndexW-1:0]            index,     // of the operand that a is to be
  output logic                         last_operand,
  output logic                         last_edge,
  output logic                         last_tile,

  output logic                         array_clear,
  output logic                         array_enable,
  output logic [DataW-1:0]             array_a,
  output logic [PeCols-1:0][DataW-1:0] array_w,
  output logic [ColumnsW-1:0]          array_columns  // outputs that array_a is for
);
  logic [EdgeW-1:0] j_d, j_q;  // edges of the tile so far

  assign index        = IndexW'(j_q);
  assign last_operand = 32'(j_q) + 1 == operands;
  assign last_edge    = 32'(j_q) + 2 == operands + PeCols;
  assign last_tile    = first + PeCols >= outputs;
  assign array_clear  = store;
  assign array_enable = feed || drain;
  assign array_a      = feed ? a : '0;

  always_comb begin
    array_w       = '0;
    array_columns = '0;
    for (int c = 0; c < PeCols; c++) begin
      if (feed && first + c < outputs) begin
        array_w[c]    = w[c];
        array_columns = ColumnsW'(c + 1);
      end
    end
    j_d = j_q;
    if (start || store) j_d = '0;
    else if (array_enable) j_d = j_q + EdgeW'(1);
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) j_q <= '0;
    else        j_q <= j_d;
  end
endmodule
