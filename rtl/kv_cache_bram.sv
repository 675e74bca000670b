// The KV cache of variant stream: one memory for K, one for V. Mirrors src/engine/kv_cache_bram.c.
//
// Timing: the write of k and v begins with `write` (attention's S_WRITE_CACHE); element d of both
// lands on the edge that ends the (d + 1)-th cycle after it, at linear address row * D + d. Reads are
// registered: the word addressed in one cycle is there in the next. A read of the word that the same
// edge writes returns the old one. Reset stops a write and leaves the memories.
module kv_cache_bram
  import transformer_pkg::*;
#(
  parameter int  DModel    = 64,
  parameter int  MaxSeqLen = 128,
  localparam int PosW      = $clog2(MaxSeqLen + 1),
  localparam int AddrW     = $clog2(MaxSeqLen * DModel)
) (
  input  logic                         clk,
  input  logic                         rst_n,
  input  logic                         write,   // one cycle; row, k_in and v_in then hold for D more
  input  logic [PosW-1:0]              row,     // position of the token
  input  logic [DModel-1:0][DataW-1:0] k_in,
  input  logic [DModel-1:0][DataW-1:0] v_in,
  input  logic                         k_read,
  input  logic [AddrW-1:0]             k_addr,  // position * DModel + dimension
  input  logic                         v_read,
  input  logic [AddrW-1:0]             v_addr,
  output logic [DataW-1:0]             k_word,
  output logic [DataW-1:0]             v_word
);
  localparam int LogD   = $clog2(DModel);
  localparam int CountW = LogD + 1;

  logic              writing_d, writing_q;
  logic [CountW-1:0] d_d, d_q;              // element that is written
  logic [LogD-1:0]   element;
  logic [AddrW-1:0]  write_addr;

  assign element    = d_q[LogD-1:0];
  assign write_addr = AddrW'(32'(row) * DModel + 32'(element));

  always_comb begin
    writing_d = writing_q;
    d_d       = writing_q ? d_q + CountW'(1) : d_q;
    if (d_q >= CountW'(DModel - 1)) begin
      writing_d = 1'b0;
      d_d       = '0;
    end
    if (write) writing_d = 1'b1;
  end

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      writing_q <= 1'b0;
      d_q       <= '0;
    end else begin
      writing_q <= writing_d;
      d_q       <= d_d;
    end
  end

  bram_dp #(
    .Words (MaxSeqLen * DModel)
  ) u_k (
    .clk     (clk),
    .rst_n   (rst_n),
    .write_a (writing_q),
    .addr_a  (write_addr),
    .wdata_a (k_in[element]),
    .read_b  (k_read),
    .addr_b  (k_addr),
    .rdata_b (k_word)
  );

  bram_dp #(
    .Words (MaxSeqLen * DModel)
  ) u_v (
    .clk     (clk),
    .rst_n   (rst_n),
    .write_a (writing_q),
    .addr_a  (write_addr),
    .wdata_a (v_in[element]),
    .read_b  (v_read),
    .addr_b  (v_addr),
    .rdata_b (v_word)
  );
endmodule
