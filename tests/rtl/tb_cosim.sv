// The RTL's side of the co-simulation: the host presents the tokens, and after every clock edge the
// probe (generated from the engine's signal table) prints every register, and every word of a memory
// that has changed. tests/rtl/cosim.c steps the engine beside this trace; its head describes the lines.
//
// Weights and tokens are $readmemh files in +dir=DIR. Tokens alternate between a start pulse followed
// by idle cycles and a start that is held until valid, so that it is ignored in every state, DONE
// included. Small machines first get a token at the last position: later ones must not see its row.
// In the middle of the second token there is a reset, then it is presented again.
module tb_cosim;
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
  int                               cycle = 0;

`ifdef VARIANT_STREAM
  `include "dut_stream.svh"
`elsif VARIANT_ARRAY
  `include "dut_array.svh"
`else
  `include "dut_bridge.svh"
`endif
  `include "probe.svh"

  `include "files.svh"

  // The host: decides before every edge what the pins are.
  typedef enum logic [1:0] {
    H_PRESENT = 2'd0,  // a token's pins, start high
    H_RUN     = 2'd1,  // until valid
    H_REST    = 2'd2,  // the edge that ends DONE, then idle cycles
    H_END     = 2'd3
  } host_e;
  host_e host      = H_PRESENT;
  int    token     = FarToken ? -1 : 0;  // -1: token 0, at the last position
  int    edges     = 0;     // since it was presented
  int    rest      = 0;     // idle cycles to come
  bit    restarted = 1'b0;  // the second token's reset is done

  task automatic present;
    for (int i = 0; i < DModel; i++) begin
      token_emb[i] = tokens[(token < 0 ? 0 : token)*DModel+i];
      $display("t %0d %h", i, token_emb[i]);
    end
    seq_pos = PosW'(token < 0 ? MaxSeqLen - 1 : token);
    start   = 1'b1;
    edges   = 0;
    host    = H_RUN;
  endtask

  // After an edge: what comes next.
  task automatic follow;
    edges = edges + 1;
    if (host == H_RUN && valid) begin
      host = H_REST;
      rest = 1'(token) ? 0 : 1 + token;
    end else if (host == H_REST && rest > 0) begin
      rest = rest - 1;
    end else if (host == H_REST) begin
      token = token + 1;
      host  = token < Tokens ? H_PRESENT : H_END;
    end
  endtask

  // One call of each print task: Verilator copies a task's body to every place that calls it.
  initial begin
    bit resetting;
    read_files();
    reset();
    load_weights();
    resetting = 1'b1;
    while (host != H_END) begin
      if (resetting) begin
        reset();
        cycle = 0;
        $display("r");
      end else begin
        if (host == H_PRESENT) present();
        else if (!1'(token)) start = 1'b0;
        sample_ports();
        step();
        cycle = cycle + 1;
        print_registers();
      end
      if (resetting || valid) $display("f");
      print_memories(resetting || valid);
      if (!resetting) follow();
      resetting = token == 1 && host == H_RUN && edges == ResetAfter && !restarted;
      if (resetting) begin
        restarted = 1'b1;
        host      = H_PRESENT;
      end
    end
    print_weights();
    $display("d");
    $finish;
  end
endmodule
