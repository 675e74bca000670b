  // Variant stream in a bench: the weights go over the weight bus, a word a clock.
  localparam int BusW = $clog2(weight_words(DModel, DFf, Options));
  localparam int Gates     = Options[OptFfnSwiglu] ? DFf : 0;
  localparam int BetaWords = Options[OptNormRms] ? 0 : DModel;
  logic            bus_write = 1'b0;
  logic [BusW-1:0] bus_addr  = '0;
  logic [15:0]     bus_data  = '0;

  transformer_decoder_stream #(
    .DModel     (DModel),
    .NHeads     (NHeads),
    .DFf        (DFf),
    .MaxSeqLen  (MaxSeqLen),
    .Mask       (Mask),
    .Options    (Options),
    .ScoreScale (ScoreScale)
  ) dut (
    .clk       (clk),
    .rst_n     (rst_n),
    .start     (start),
    .seq_pos   (seq_pos),
    .token_emb (token_emb),
    .bus_write (bus_write),
    .bus_addr  (bus_addr),
    .bus_data  (bus_data),
    .valid     (valid),
    .out_emb   (y)
  );

  // Word n of the bus's address space; the blocks follow each other without gaps.
  function automatic logic [15:0] weight_word(input int n);
    int at;
    at = n;
    if (at < DModel * DModel) return wq[at];
    at = at - DModel * DModel;
    if (at < DModel * DModel) return wk[at];
    at = at - DModel * DModel;
    if (at < DModel * DModel) return wv[at];
    at = at - DModel * DModel;
    if (at < DModel * DModel) return wo[at];
    at = at - DModel * DModel;
    if (at < DModel * DFf) return w1[at];
    at = at - DModel * DFf;
    if (at < DModel * DFf) return w2[at];
    at = at - DModel * DFf;
    if (at < Gates * DModel) return w3[at];
    at = at - Gates * DModel;
    if (at < DModel) return ln1_gamma[at];
    at = at - DModel;
    if (at < BetaWords) return ln1_beta[at];
    at = at - BetaWords;
    if (at < DModel) return ln2_gamma[at];
    at = at - DModel;
    if (at < BetaWords) return ln2_beta[at];
    at = at - BetaWords;
    if (at < DFf) return b1[at];
    at = at - DFf;
    if (at < DModel) return b2[at];
    return b3[at-DModel];
  endfunction

  task automatic load_weights;
    bus_write = 1'b1;
    for (int n = 0; n < weight_words(DModel, DFf, Options); n++) begin
      bus_addr = BusW'(n);
      bus_data = weight_word(n);
      step();
    end
    bus_write = 1'b0;
  endtask
