// The RTL's side of the array's co-simulation: pins come from +pins=FILE, a word an edge (enable,
// clear, then A's words and B's, row and column 0 in the low bits), and after every edge all
// registers are printed. tests/rtl/systolic_cosim.c makes the pins and compares.
module tb_systolic_cosim;
  `include "config.svh"
  `include "bench.svh"
  localparam int Lines = Rows + Cols;

  logic [Lines*16+1:0]         pins [0:Edges-1];
  logic [Lines*16+1:0]         in = '0;
  logic                        done;
  logic [Rows*Cols-1:0][31:0]  acc;

  systolic_array #(
    .Rows       (Rows),
    .Cols       (Cols),
    .LegacyDone (LegacyDone)
  ) dut (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (in[Lines*16]),
    .enable (in[Lines*16+1]),
    .a_in   (in[Rows*16-1:0]),
    .w_in   (in[Lines*16-1:Rows*16]),
    .done   (done),
    .acc    (acc)
  );

  // Every register, flat (Icarus 11 wants plain vectors here): element r*Cols + c, and 16 words for
  // each line's skew registers.
  logic [Rows*Cols*16-1:0] a, w;
  logic [Rows*256-1:0]     west;
  logic [Cols*256-1:0]     north;
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    for (genvar c = 0; c < Cols; c++) begin : gen_col
      assign a[(r*Cols+c)*16+:16] = dut.gen_row[r].gen_col[c].u_pe.a_q;
      assign w[(r*Cols+c)*16+:16] = dut.gen_row[r].gen_col[c].u_pe.w_q;
    end
    assign west[r*256+r*16+:256-r*16] = '0;
    if (r > 0) begin : gen_line
      assign west[r*256+:r*16] = dut.gen_west[r].u_skew.gen_line.line_q;
    end
  end
  for (genvar c = 0; c < Cols; c++) begin : gen_north
    assign north[c*256+c*16+:256-c*16] = '0;
    if (c > 0) begin : gen_line
      assign north[c*256+:c*16] = dut.gen_north[c].u_skew.gen_line.line_q;
    end
  end

  string file;
  initial begin
    if ($value$plusargs("pins=%s", file) == 0) $fatal(1, "+pins=FILE is missing");
    $readmemh(file, pins);
    reset();
    for (int t = 0; t < Edges; t++) begin
      in = pins[t];
      step();
      $display("e %0d %0d %b", t, dut.edge_q, done);
      for (int i = 0; i < Rows * Cols; i++) begin
        $display("p %h %h %h", a[i*16+:16], w[i*16+:16], acc[i]);
      end
      for (int i = 0; i < Rows * 16; i++) $display("s %h", west[i*16+:16]);
      for (int i = 0; i < Cols * 16; i++) $display("s %h", north[i*16+:16]);
    end
    $finish;
  end
endmodule
