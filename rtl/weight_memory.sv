// The weights of variant stream: a memory bank per matrix and for b1 and b3, each with a registered read, and
// the weight bus that fills them. Mirrors src/engine/weight_memory.c.
//
// Timing: the word addressed in one cycle is in the bank's read register in the next, and stays there
// until the bank is read again. wq, wk and wv are read at the same offset in the same cycle. The
// vectors of the layer norms and b2 are registers, seen at once. The host fills all of them over the
// bus, a word a cycle, before it starts a token; addresses are in words:
//   wq, wk, wv, wo (D*D each), w1, w2, w3 (D*F each), ln1_gamma, ln1_beta, ln2_gamma, ln2_beta (D each),
//   b1 (F), b2 (D), b3 (F), without gaps. At the defaults wq is at 0000, wo 3000, w1 4000, w2 8000, b2 C200.
// RMSNorm (OptNormRms) has no betas: they are 0 and have no addresses; w3 and b3 are there with
// OptFfnSwiglu only, and read with w1 and b1.
// Weights are 0 at power-up; reset clears the read registers only.
module weight_memory
  import transformer_pkg::*;
#(
  parameter int                 DModel  = 64,
  parameter int                 DFf     = 256,
  parameter logic [OptBits-1:0] Options = '0,
  localparam int                BusW    = $clog2(weight_words(DModel, DFf, Options)),
  localparam int                SquareW = $clog2(DModel * DModel),
  localparam int                MatrixW = $clog2(DModel * DFf),
  localparam int                HiddenW = index_width(DFf)
) (
  input  logic                         clk,
  input  logic                         rst_n,

  input  logic                         bus_write,
  input  logic [BusW-1:0]              bus_addr,
  input  logic [DataW-1:0]             bus_data,

  input  logic                         qkv_read,  // wq, wk and wv
  input  logic [SquareW-1:0]           qkv_addr,  // offset within the bank, as all of these
  input  logic                         o_read,
  input  logic [SquareW-1:0]           o_addr,
  input  logic                         w1_read,
  input  logic [MatrixW-1:0]           w1_addr,
  input  logic                         b1_read,
  input  logic [HiddenW-1:0]           b1_addr,
  input  logic                         w2_read,
  input  logic [MatrixW-1:0]           w2_addr,

  output logic [DataW-1:0]             wq_word,
  output logic [DataW-1:0]             wk_word,
  output logic [DataW-1:0]             wv_word,
  output logic [DataW-1:0]             wo_word,
  output logic [DataW-1:0]             w1_word,
  output logic [DataW-1:0]             b1_word,
  output logic [DataW-1:0]             w2_word,
  output logic [DataW-1:0]             w3_word,
  output logic [DataW-1:0]             b3_word,

  output logic [DModel-1:0][DataW-1:0] ln1_gamma,
  output logic [DModel-1:0][DataW-1:0] ln1_beta,
  output logic [DModel-1:0][DataW-1:0] ln2_gamma,
  output logic [DModel-1:0][DataW-1:0] ln2_beta,
  output logic [DModel-1:0][DataW-1:0] b2
);
  // First bus address of every block.
  localparam int BaseWk       = DModel * DModel;
  localparam int BaseWv       = BaseWk + DModel * DModel;
  localparam int BaseWo       = BaseWv + DModel * DModel;
  localparam int BaseW1       = BaseWo + DModel * DModel;
  localparam int BaseW2       = BaseW1 + DModel * DFf;
  localparam int BetaWords    = Options[OptNormRms] ? 0 : DModel;
  localparam int BaseW3       = BaseW2 + DFf * DModel;
  localparam int BaseLn1Gamma = BaseW3 + (Options[OptFfnSwiglu] ? DModel * DFf : 0);
  localparam int BaseLn1Beta  = BaseLn1Gamma + DModel;
  localparam int BaseLn2Gamma = BaseLn1Beta + BetaWords;
  localparam int BaseLn2Beta  = BaseLn2Gamma + DModel;
  localparam int BaseB1       = BaseLn2Beta + BetaWords;
  localparam int BaseB2       = BaseB1 + DFf;
  localparam int BaseB3       = BaseB2 + DModel;

  logic [31:0] addr;  // on the bus
  assign addr = 32'(bus_addr);

  logic write_wq, write_wk, write_wv, write_wo, write_w1, write_w2, write_b1;
  assign write_wq = bus_write && addr < BaseWk;
  assign write_wk = bus_write && addr >= BaseWk && addr < BaseWv;
  assign write_wv = bus_write && addr >= BaseWv && addr < BaseWo;
  assign write_wo = bus_write && addr >= BaseWo && addr < BaseW1;
  assign write_w1 = bus_write && addr >= BaseW1 && addr < BaseW2;
  assign write_w2 = bus_write && addr >= BaseW2 && addr < BaseW3;
  assign write_b1 = bus_write && addr >= BaseB1 && addr < BaseB2;

  bram_sp #(
    .Words (DModel * DModel)
  ) u_wq (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_wq || qkv_read),
    .write  (write_wq),
    .addr   (write_wq ? SquareW'(addr) : qkv_addr),
    .wdata  (bus_data),
    .rdata  (wq_word)
  );

  bram_sp #(
    .Words (DModel * DModel)
  ) u_wk (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_wk || qkv_read),
    .write  (write_wk),
    .addr   (write_wk ? SquareW'(addr - BaseWk) : qkv_addr),
    .wdata  (bus_data),
    .rdata  (wk_word)
  );

  bram_sp #(
    .Words (DModel * DModel)
  ) u_wv (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_wv || qkv_read),
    .write  (write_wv),
    .addr   (write_wv ? SquareW'(addr - BaseWv) : qkv_addr),
    .wdata  (bus_data),
    .rdata  (wv_word)
  );

  bram_sp #(
    .Words (DModel * DModel)
  ) u_wo (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_wo || o_read),
    .write  (write_wo),
    .addr   (write_wo ? SquareW'(addr - BaseWo) : o_addr),
    .wdata  (bus_data),
    .rdata  (wo_word)
  );

  bram_sp #(
    .Words (DModel * DFf)
  ) u_w1 (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_w1 || w1_read),
    .write  (write_w1),
    .addr   (write_w1 ? MatrixW'(addr - BaseW1) : w1_addr),
    .wdata  (bus_data),
    .rdata  (w1_word)
  );

  bram_sp #(
    .Words (DFf * DModel)
  ) u_w2 (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_w2 || w2_read),
    .write  (write_w2),
    .addr   (write_w2 ? MatrixW'(addr - BaseW2) : w2_addr),
    .wdata  (bus_data),
    .rdata  (w2_word)
  );

  bram_sp #(
    .Words (DFf)
  ) u_b1 (
    .clk    (clk),
    .rst_n  (rst_n),
    .enable (write_b1 || b1_read),
    .write  (write_b1),
    .addr   (write_b1 ? HiddenW'(addr - BaseB1) : b1_addr),
    .wdata  (bus_data),
    .rdata  (b1_word)
  );

  if (Options[OptFfnSwiglu]) begin : gen_swiglu
    logic write_w3, write_b3;
    assign write_w3 = bus_write && addr >= BaseW3 && addr < BaseLn1Gamma;
    assign write_b3 = bus_write && addr >= BaseB3;

    bram_sp #(
      .Words (DModel * DFf)
    ) u_w3 (
      .clk    (clk),
      .rst_n  (rst_n),
      .enable (write_w3 || w1_read),
      .write  (write_w3),
      .addr   (write_w3 ? MatrixW'(addr - BaseW3) : w1_addr),
      .wdata  (bus_data),
      .rdata  (w3_word)
    );

    bram_sp #(
      .Words (DFf)
    ) u_b3 (
      .clk    (clk),
      .rst_n  (rst_n),
      .enable (write_b3 || b1_read),
      .write  (write_b3),
      .addr   (write_b3 ? HiddenW'(addr - BaseB3) : b1_addr),
      .wdata  (bus_data),
      .rdata  (b3_word)
    );
  end else begin : gen_no_swiglu
    assign w3_word = '0;
    assign b3_word = '0;
  end

  logic [DModel-1:0][DataW-1:0] ln1_gamma_q = '0;
  logic [DModel-1:0][DataW-1:0] ln1_beta_q = '0;
  logic [DModel-1:0][DataW-1:0] ln2_gamma_q = '0;
  logic [DModel-1:0][DataW-1:0] ln2_beta_q = '0;
  logic [DModel-1:0][DataW-1:0] b2_q = '0;

  // Register files with the bus as their write port.
  always_ff @(posedge clk) begin
    if (bus_write && addr >= BaseLn1Gamma) begin
      for (int k = 0; k < DModel; k++) begin
        if (addr == BaseLn1Gamma + k) ln1_gamma_q[k] <= bus_data;
        if (k < BetaWords && addr == BaseLn1Beta + k) ln1_beta_q[k] <= bus_data;
        if (addr == BaseLn2Gamma + k) ln2_gamma_q[k] <= bus_data;
        if (k < BetaWords && addr == BaseLn2Beta + k) ln2_beta_q[k] <= bus_data;
        if (addr == BaseB2 + k) b2_q[k] <= bus_data;
      end
    end
  end

  assign ln1_gamma = ln1_gamma_q;
  assign ln1_beta  = ln1_beta_q;
  assign ln2_gamma = ln2_gamma_q;
  assign ln2_beta  = ln2_beta_q;
  assign b2        = b2_q;
endmodule
