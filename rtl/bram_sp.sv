// Memory of 16-bit words with one port: in a cycle it writes or reads.
//
// Timing: with enable and write, wdata is stored on the edge; with enable alone, the word at addr is
// in rdata after the edge and stays there until the next read. The memory is 0 at power-up; reset
// clears rdata only.
module bram_sp
  import transformer_pkg::*;
#(
  parameter int  Words = 4096,
  localparam int AddrW = index_width(Words)
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             enable,
  input  logic             write,
  input  logic [AddrW-1:0] addr,    // 0..Words-1
  input  logic [DataW-1:0] wdata,
  output logic [DataW-1:0] rdata
);
  logic [DataW-1:0] mem_q [0:Words-1];
  logic [DataW-1:0] rdata_q;

  initial begin
    for (int k = 0; k < Words; k++) mem_q[k] = '0;
  end

  always_ff @(posedge clk) begin
    if (enable && write) mem_q[addr] <= wdata;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n)                rdata_q <= '0;
    else if (enable && !write) rdata_q <= mem_q[addr];
  end

  assign rdata = rdata_q;
endmodule
