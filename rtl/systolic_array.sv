// Output-stationary array of Rows x Cols processing elements with its skew registers. Mirrors
// src/engine/systolic_array.c.
//
// Timing: the host presents the k-th operand of every row and column together; row r passes r skew
// registers, column c passes c, so PE(r,c) makes its k-th product on enabled edge r + c + k (edges
// are counted over enabled edges from 0). done is raised on edge Rows + Cols - 2, when the first
// operands have reached the far corner, by a counter that knows nothing of the operands' length K:
// the sums are final K - 1 enabled edges later, while the host streams zeros. With LegacyDone it
// comes one edge later, as in the earlier design. done stays high until clear. clear wins over
// enable; it and reset zero elements, skew registers and the edge counter.
module systolic_array
  import transformer_pkg::*;
#(
  parameter int Rows       = 4,
  parameter int Cols       = 4,
  parameter bit LegacyDone = 1'b0
) (
  input  logic                           clk,
  input  logic                           rst_n,
  input  logic                           clear,
  input  logic                           enable,
  input  logic [Rows-1:0][DataW-1:0]     a_in,   // element k of every row of A
  input  logic [Cols-1:0][DataW-1:0]     w_in,   // element k of every column of B
  output logic                           done,
  output logic [Rows*Cols-1:0][AccW-1:0] acc     // [row][column]
);
  localparam int DoneEdge = Rows + Cols - 2 + (LegacyDone ? 1 : 0);
  localparam int EdgeW    = $clog2(DoneEdge + 2);

  initial begin
    if (Rows < 1 || Rows > 16) $fatal(1, "pe_rows %0d: must be 1..16", Rows);
    if (Cols < 1 || Cols > 16) $fatal(1, "pe_cols %0d: must be 1..16", Cols);
  end

  // The counter stops at DoneEdge + 1, where done is high.
  logic [EdgeW-1:0] edge_d, edge_q;

  always_comb begin
    edge_d = edge_q;
    if (clear)                edge_d = '0;
    else if (enable && !done) edge_d = edge_q + EdgeW'(1);
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) edge_q <= '0;
    else        edge_q <= edge_d;
  end

  assign done = edge_q == EdgeW'(DoneEdge + 1);

  // Row r enters through r skew registers, column c through c.
  for (genvar r = 0; r < Rows; r++) begin : gen_west
    logic [DataW-1:0] a;
    skew_line #(
      .Length (r)
    ) u_skew (
      .clk    (clk),
      .rst_n  (rst_n),
      .clear  (clear),
      .enable (enable),
      .x_in   (a_in[r]),
      .x_out  (a)
    );
  end
  for (genvar c = 0; c < Cols; c++) begin : gen_north
    logic [DataW-1:0] w;
    skew_line #(
      .Length (c)
    ) u_skew (
      .clk    (clk),
      .rst_n  (rst_n),
      .clear  (clear),
      .enable (enable),
      .x_in   (w_in[c]),
      .x_out  (w)
    );
  end

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    for (genvar c = 0; c < Cols; c++) begin : gen_col
      logic [DataW-1:0] a, w, a_east, w_south;
      if (c == 0) begin : gen_from_side
        assign a = gen_west[r].a;
      end else begin : gen_from_west
        assign a = gen_row[r].gen_col[c-1].a_east;
      end
      if (r == 0) begin : gen_from_top
        assign w = gen_north[c].w;
      end else begin : gen_from_north
        assign w = gen_row[r-1].gen_col[c].w_south;
      end
      if (r == Rows - 1) begin : gen_south_edge  // leaves the array
        logic unused_w;
        assign unused_w = ^w_south;
      end
      if (c == Cols - 1) begin : gen_east_edge
        logic unused_a;
        assign unused_a = ^a_east;
      end
      processing_element u_pe (
        .clk    (clk),
        .rst_n  (rst_n),
        .clear  (clear),
        .enable (enable),
        .a_in   (a),
        .w_in   (w),
        .a_out  (a_east),
        .w_out  (w_south),
        .acc    (acc[r*Cols+c])
      );
    end
  end
endmodule
