// The array: known products, the cycle of every partial sum (PE(r,c) makes its k-th product on edge
// r + c + k), done with and without its legacy delay, hold, clear. Expected sums come from the matrices.
module tb_systolic_array;
  `include "bench.svh"
  localparam int Rows = 3;
  localparam int Cols = 4;
  localparam int K    = 5;

  logic                       clear  = 1'b0;
  logic                       enable = 1'b0;
  logic [Rows-1:0][15:0]      a_in   = '0;
  logic [Cols-1:0][15:0]      w_in   = '0;
  logic                       done, done_legacy;
  logic [Rows*Cols-1:0][31:0] acc, acc_legacy;

  systolic_array #(
    .Rows (Rows),
    .Cols (Cols)
  ) dut (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (a_in),
    .w_in   (w_in),
    .done   (done),
    .acc    (acc)
  );

  systolic_array #(
    .Rows       (Rows),
    .Cols       (Cols),
    .LegacyDone (1'b1)
  ) dut_legacy (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (a_in),
    .w_in   (w_in),
    .done   (done_legacy),
    .acc    (acc_legacy)
  );

  // The published example on a 2 x 2 array.
  logic [1:0][15:0] small_a = '0;
  logic [1:0][15:0] small_w = '0;
  logic             small_done, small_legacy;
  logic [3:0][31:0] small_acc, small_acc_legacy;

  systolic_array #(
    .Rows (2),
    .Cols (2)
  ) dut_small (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (small_a),
    .w_in   (small_w),
    .done   (small_done),
    .acc    (small_acc)
  );

  systolic_array #(
    .Rows       (2),
    .Cols       (2),
    .LegacyDone (1'b1)
  ) dut_small_legacy (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (small_a),
    .w_in   (small_w),
    .done   (small_legacy),
    .acc    (small_acc_legacy)
  );

  // A 1 x 1 array is its element: done on edge 0.
  logic             one_done;
  logic [0:0][31:0] one_acc;
  systolic_array #(
    .Rows (1),
    .Cols (1)
  ) dut_one (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (a_in[0]),
    .w_in   (w_in[0]),
    .done   (one_done),
    .acc    (one_acc)
  );

  logic [Rows*K-1:0][15:0] a;  // [Rows][K]
  logic [K*Cols-1:0][15:0] b;  // [K][Cols]

  // Sum of the products that PE(r,c) has made after `edges` enabled edges.
  task automatic expect_acc(input int edges, input string what);
    logic [31:0] sum;
    for (int r = 0; r < Rows; r++) begin
      for (int c = 0; c < Cols; c++) begin
        sum = '0;
        for (int k = 0; k < K; k++) begin
          if (r + c + k < edges) begin
            sum = sum + 32'($signed(a[r*K+k])) * 32'($signed(b[k*Cols+c]));
          end
        end
        check(what, edges * 100 + r * 10 + c, acc[r*Cols+c], sum);
        check({what, ", legacy"}, edges * 100 + r * 10 + c, acc_legacy[r*Cols+c], sum);
      end
    end
  endtask

  task automatic present(input int k);
    for (int r = 0; r < Rows; r++) a_in[r] = k < K ? a[r*K+k] : 16'h0;
    for (int c = 0; c < Cols; c++) w_in[c] = k < K ? b[k*Cols+c] : 16'h0;
  endtask

  initial begin
    reset();
    // integers that make every partial sum different, signs mixed, the last ones huge
    for (int i = 0; i < Rows * K; i++) a[i] = 16'((i * 37 + 11) * ((i % 3 == 1) ? -1 : 1));
    for (int i = 0; i < K * Cols; i++) b[i] = 16'((i * 53 + 7) * ((i % 4 == 2) ? -1 : 1));
    a[Rows*K-1] = 16'h8000;
    b[K*Cols-1] = 16'h7FFF;

    enable = 1'b1;
    for (int t = 0; t < K + Rows + Cols; t++) begin
      present(t);
      step();
      expect_acc(t + 1, "acc after edge");
      check("done", t, 32'(done), 32'(t >= Rows + Cols - 2));
      check("legacy done", t, 32'(done_legacy), 32'(t >= Rows + Cols - 1));
      check("done of 1x1", t, 32'(one_done), 32'd1);
      if (t == 3) begin  // a pause holds everything, the edge counter too
        enable = 1'b0;
        a_in   = '1;
        step();
        step();
        expect_acc(t + 1, "acc held");
        check("done held", t, 32'(done), 32'd0);
        enable = 1'b1;
      end
    end
    // clear in mid-stream, with operands in every skew register
    for (int t = 0; t < K; t++) begin
      present(t);
      step();
    end
    clear = 1'b1;
    step();
    clear = 1'b0;
    expect_acc(0, "acc cleared");
    check("done cleared", 0, 32'(done), 32'd0);
    // skew registers were cleared too: nothing remains that would be multiplied
    a_in = '0;
    w_in = '1;
    for (int t = 0; t < 8; t++) step();
    expect_acc(0, "skew registers of the rows cleared");
    for (int t = 0; t < K; t++) begin
      present(t);
      step();
    end
    clear = 1'b1;
    step();
    clear = 1'b0;
    a_in  = '1;
    w_in  = '0;
    for (int t = 0; t < 8; t++) step();
    expect_acc(0, "skew registers of the columns cleared");
    clear = 1'b1;
    step();
    clear = 1'b0;

    // [[1,2],[3,4]] x [[5,6],[7,8]]
    small_a = {16'd3, 16'd1};
    small_w = {16'd6, 16'd5};
    step();
    small_a = {16'd4, 16'd2};
    small_w = {16'd8, 16'd7};
    step();
    small_a = '0;
    small_w = '0;
    check("small done after edge 1", 0, 32'(small_done), 32'd0);
    step();
    check("small done after edge 2", 0, 32'(small_done), 32'd1);
    check("small legacy done after edge 2", 0, 32'(small_legacy), 32'd0);
    check("small acc after edge 2", 0, small_acc[0], 32'd19);
    check("small acc after edge 2", 1, small_acc[1], 32'd22);
    check("small acc after edge 2", 2, small_acc[2], 32'd43);
    check("small acc after edge 2", 3, small_acc[3], 32'd18);
    step();
    check("small acc after edge 3", 3, small_acc[3], 32'd50);
    check("small legacy done after edge 3", 0, 32'(small_legacy), 32'd1);
    check("small legacy acc", 3, small_acc_legacy[3], 32'd50);
    check("1x1 acc", 0, one_acc[0], 32'd0);
    finish();
  end
endmodule
