// Memory of 16-bit words with two ports: A writes, B reads.
//
// Timing: with write_a, wdata_a is stored on the edge; with read_b, the word at addr_b is in rdata_b
// after the edge and stays there until the next read. Reading the word that the same edge writes
// returns the old one. The memory is 0 at power-up; reset clears rdata_b only.
module bram_dp
  import transformer_pkg::*;
#(
  parameter int  Words = 8192,
  localparam int AddrW = index_width(Words)
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             write_a,
  input  logic [AddrW-1:0] addr_a,   // 0..Words-1
  input  logic [DataW-1:0] wdata_a,
  input  logic             read_b,
  input  logic [AddrW-1:0] addr_b,   // 0..Words-1
  output logic [DataW-1:0] rdata_b
);
  logic [DataW-1:0] mem_q [0:Words-1];
  logic [DataW-1:0] rdata_q;

  initial begin
    for (int k = 0; k < Words; k++) mem_q[k] = '0;
  end

  always_ff @(posedge clk) begin
    if (write_a) mem_q[addr_a] <= wdata_a;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n)      rdata_q <= '0;
    else if (read_b) rdata_q <= mem_q[addr_b];
  end

  assign rdata_b = rdata_q;
endmodule
