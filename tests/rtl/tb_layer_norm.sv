// Layer norm on both uses of every token of a golden file: values, and the length of every state.
module tb_layer_norm;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"

  logic                    start = 1'b0;
  logic [DModel-1:0][15:0] x_in  = '0;
  logic [DModel-1:0][15:0] gamma = '0;
  logic [DModel-1:0][15:0] beta  = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y_out;

  layer_norm #(
    .DModel  (DModel),
    .Options (Options)
  ) dut (
    .clk   (clk),
    .rst_n (rst_n),
    .start (start),
    .x_in  (x_in),
    .gamma (gamma),
    .beta  (beta),
    .valid (valid),
    .y_out (y_out)
  );

  localparam bit Rms = Options[OptNormRms];
  bit found;
  int count [0:4];

  // One run; the golden values of this use are passed in.
  task automatic run(input string what, input logic [15:0] mean, input logic [15:0] variance,
                     input logic [15:0] inv_std, input logic [DModel-1:0][15:0] want);
    int cycles;
    for (int s = 0; s < 5; s++) count[s] = 0;
    start  = 1'b1;
    cycles = 0;
    while (!valid && cycles < 10000) begin
      count[dut.state_q] = count[dut.state_q] + 1;
      step();
      start  = 1'b0;
      cycles = cycles + 1;
    end
    check({what, " cycles"}, position, 32'(cycles), 32'(Rms ? 2 * DModel + 3 : 3 * DModel + 4));
    for (int s = 0; s < 5; s++) begin
      check({what, " cycles in state"}, s, 32'(count[s]),
            s == 0 ? 1 : s == 4 || (Rms && s == 1) ? 0 : DModel + 1);
    end
    check({what, " mean"}, position, 32'(dut.mean_q), 32'(mean));
    check({what, " var"}, position, 32'(dut.var_q), 32'(variance));
    check({what, " inv_std"}, position, 32'(dut.inv_std_q), 32'(inv_std));
    for (int i = 0; i < DModel; i++) begin
      check({what, " out"}, i, 32'(y_out[i]), 32'(want[i]));
      check({what, " centered"}, i, 32'(dut.centered_q[i]), Rms ? 32'd0 : 32'(16'(x_in[i] - mean)));
    end
    step();
    check({what, " valid lasts one cycle"}, position, 32'(valid), 32'd0);
    step();
    check({what, " stays idle"}, position, 32'(dut.state_q), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    check("reset", 0, 32'(dut.state_q), 32'd0);
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) begin
        x_in  = token_emb;
        gamma = ln1_gamma;
        beta  = ln1_beta;
        run("ln1", ln1_mean, ln1_var, ln1_inv_std, ln1_out);
        x_in  = residual1;
        gamma = ln2_gamma;
        beta  = ln2_beta;
        run("ln2", ln2_mean, ln2_var, ln2_inv_std, ln2_out);
      end
    end
    finish();
  end
endmodule
