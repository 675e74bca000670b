// The whole decoder on every token of a golden file, start held high: cycles, the state list, the
// vectors between the stages, valid for one cycle, out_emb held.
module tb_transformer_decoder;
  import transformer_pkg::*;
  `include "config.svh"
  `include "bench.svh"
  `include "golden.svh"
  `include "runs.svh"
  localparam int PosW = $clog2(MaxSeqLen + 1);

  logic                    start   = 1'b0;
  logic [PosW-1:0]         seq_pos = '0;
  logic                    valid;
  logic [DModel-1:0][15:0] y;

  `include "dut_bridge.svh"

  function automatic string state_name(input logic [3:0] state);
    case (state)
      4'd0:    return "IDLE";
      4'd1:    return "LN1_START";
      4'd2:    return "LN1_WAIT";
      4'd3:    return "ATTN_START";
      4'd4:    return "ATTN_WAIT";
      4'd5:    return "RESIDUAL1";
      4'd6:    return "LN2_START";
      4'd7:    return "LN2_WAIT";
      4'd8:    return "FFN_START";
      4'd9:    return "FFN_WAIT";
      4'd10:   return "RESIDUAL2";
      4'd11:   return "DONE";
      default: return "?";
    endcase
  endfunction

  bit                      found;
  bit                      first;
  logic [DModel-1:0][15:0] last_out;

  task automatic run;
    int cycles;
    last_out  = y;
    seq_pos = PosW'(position);
    start   = 1'b1;  // held: ignored in every state but IDLE
    cycles  = 0;
    runs_begin();
    while (!valid && cycles < 1000000) begin
      runs_add(state_name(dut.u_frame.u_control.state_q));
      check("out_emb held", cycles, 32'(y == last_out), 32'd1);
      step();
      cycles = cycles + 1;
    end
    runs_close();
    check("cycles", position, 32'(cycles), 32'(cycles_bridge));
    check_text("states_top", runs, states_top);
    for (int i = 0; i < DModel; i++) begin
      check("ln1_out", i, 32'(dut.ln1_out[i]), 32'(ln1_out[i]));
      check("attn_out", i, 32'(dut.attn_out[i]), 32'(attn_out[i]));
      check("residual1", i, 32'(dut.u_frame.residual1[i]), 32'(residual1[i]));
      check("ln2_out", i, 32'(dut.ln2_out[i]), 32'(ln2_out[i]));
      check("ffn_out", i, 32'(dut.ffn_out[i]), 32'(ffn_out[i]));
      check("out_emb", i, 32'(y[i]), 32'(out_emb[i]));
    end
    step();
    check("valid lasts one cycle", position, 32'(valid), 32'd0);
    check("IDLE follows DONE", position, 32'(dut.u_frame.u_control.state_q), 32'd0);
  endtask

  initial begin
    open_golden();
    reset();
    step();
    check("without start it stays idle", 0, 32'(dut.u_frame.u_control.state_q), 32'd0);
    found = 1'b1;
    while (found) begin
      read_token(found);
      if (found) run();
    end
    start = 1'b0;
    finish();
  end
endmodule
