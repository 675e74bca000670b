// The element: product and wrapping sum, operands passed on, hold, clear over enable, reset.
module tb_processing_element;
  `include "bench.svh"

  logic        clear  = 1'b0;
  logic        enable = 1'b0;
  logic [15:0] a_in   = '0;
  logic [15:0] w_in   = '0;
  logic [15:0] a_out, w_out;
  logic [31:0] acc;

  processing_element dut (
    .clk    (clk),
    .rst_n  (rst_n),
    .clear  (clear),
    .enable (enable),
    .a_in   (a_in),
    .w_in   (w_in),
    .a_out  (a_out),
    .w_out  (w_out),
    .acc    (acc)
  );

  task automatic feed(input logic [15:0] a, input logic [15:0] w);
    a_in = a;
    w_in = w;
    step();
  endtask

  task automatic expect_all(input string what, input logic [15:0] a, input logic [15:0] w,
                            input logic [31:0] sum);
    check({what, " a_out"}, 0, 32'(a_out), 32'(a));
    check({what, " w_out"}, 0, 32'(w_out), 32'(w));
    check({what, " acc"}, 0, acc, sum);
  endtask

  initial begin
    reset();
    expect_all("reset", 16'h0, 16'h0, 32'h0);
    enable = 1'b1;
    feed(16'd3, 16'd5);
    expect_all("3*5", 16'd3, 16'd5, 32'd15);
    feed(16'hFFFF, 16'd7);
    expect_all("15 - 7", 16'hFFFF, 16'd7, 32'd8);
    enable = 1'b0;
    feed(16'd9, 16'd9);
    expect_all("hold", 16'hFFFF, 16'd7, 32'd8);
    enable = 1'b1;
    clear  = 1'b1;
    feed(16'd9, 16'd9);
    expect_all("clear over enable", 16'h0, 16'h0, 32'h0);
    clear = 1'b0;
    feed(16'h8000, 16'h8000);
    expect_all("2^30", 16'h8000, 16'h8000, 32'h4000_0000);
    feed(16'h8000, 16'h8000);
    expect_all("2^31 wraps", 16'h8000, 16'h8000, 32'h8000_0000);
    feed(16'h8000, 16'h7FFF);
    expect_all("minus 2^30", 16'h8000, 16'h7FFF, 32'h4000_8000);
    rst_n = 1'b0;
    step();
    expect_all("reset at work", 16'h0, 16'h0, 32'h0);
    finish();
  end
endmodule
