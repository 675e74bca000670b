// One product of a vector and a matrix on the systolic array, tile by tile (variant array): the edge
// counter and what enters the array. Mirrors src/engine/gemv_tile.c.
//
// A tile is PeCols outputs. Timing: `tile` says what a cycle is (transformer_pkg). In TILE_FEED element
// `index` of the vector is asked for, on a. last_edge says that the sums are final after this edge,
// last_tile that no output is left behind this tile. Reset clears everything.
module gemv_tile
  import transformer_pkg::*;
#(
  parameter int  PeCols = 4,
  parameter int  Most   = 64,  // operands of the longest product
  localparam int EdgeW  = $clog2(Most + PeCols),
  localparam int IndexW = index_width(Most)
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  tile_e                        tile,
  input  logic [31:0]                  operands,  // K
  input  logic [31:0]                  outputs,   // n
  input  logic [31:0]                  first,     // first output of the tile
  input  logic [DataW-1:0]             a,
  input  logic [PeCols-1:0][DataW-1:0] w,         // words of columns first..first + PeCols - 1

  output logic [IndexW-1:0]            index,     // of the operand that a is to be
  output logic                         last_operand,
  output logic                         last_edge,
  output logic                         last_tile,

  output array_work_t                  array_work,
  output logic [PeCols-1:0][DataW-1:0] array_w
);
  logic [EdgeW-1:0] j_d, j_q;  // edges of the tile so far
  logic             enable;    // this cycle ends in one

  assign enable       = tile == TILE_FEED || tile == TILE_DRAIN;
  assign index        = IndexW'(j_q);
  assign last_operand = 32'(j_q) + 1 == operands;
  assign last_edge    = 32'(j_q) + 2 == operands + PeCols;
  assign last_tile    = first + PeCols >= outputs;

  always_comb begin
    j_d               = j_q;
    array_work        = '0;
    array_work.clear  = tile == TILE_STORE;
    array_work.enable = enable;
    array_w           = '0;
    if (tile == TILE_FEED) array_work.a = a;
    for (int c = 0; c < PeCols; c++) begin
      if (tile == TILE_FEED && first + c < outputs) begin
        array_w[c]         = w[c];
        array_work.columns = ColumnsW'(c + 1);
      end
    end
    if (tile == TILE_START || tile == TILE_STORE) j_d = '0;
    else if (enable) j_d = j_q + EdgeW'(1);
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) j_q <= '0;
    else        j_q <= j_d;
  end
endmodule
