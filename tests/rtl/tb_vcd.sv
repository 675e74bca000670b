// The host of a session (src/session/session.c) around the RTL, for comparing waveforms: each token is
// presented in IDLE, start falls when it has been sampled. Pins change one time unit after the rising
// edge. Weights and tokens are $readmemh files in +dir=DIR; the waveform is DIR/rtl.vcd, from the first
// cycle after reset on.
module tb_vcd;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                             start     = 1'b0;
  logic [PosW-1:0]                  seq_pos   = '0;
  logic [DModel-1:0][15:0]          token_emb = '0;
  logic                             valid;
  logic [DModel-1:0][15:0]          y;
  logic [DModel*DModel-1:0][15:0]   wq, wk, wv, wo;
  logic [DModel*DFf-1:0][15:0]      w1, w2, w3;
  logic [DModel-1:0][15:0]          ln1_gamma, ln1_beta, ln2_gamma, ln2_beta, b2;
  logic [DFf-1:0][15:0]             b1, b3;

`ifdef VARIANT_STREAM
  `include "dut_stream.svh"
`elsif VARIANT_ARRAY
  `include "dut_array.svh"
`else
  `include "dut_bridge.svh"
`endif
  `include "files.svh"

  int token     = 0;
  bit was_valid = 1'b0;

  task automatic present;
    for (int i = 0; i < DModel; i++) token_emb[i] = tokens[token*DModel+i];
    seq_pos = PosW'(token);
    start   = 1'b1;
  endtask

  initial begin
    read_files();
    reset();
    load_weights();
    reset();
    present();
    $dumpfile({dir, "/rtl.vcd"});
    $dumpvars(0, dut);
    while (token < Tokens) begin
      #5 clk = 1'b1;
      #1;
      start = 1'b0;
      if (was_valid) begin
        token = token + 1;
        if (token < Tokens) present();
      end
      was_valid = valid;
      #4 clk = 1'b0;
    end
    $finish;
  end
endmodule
