  // Variant bridge in a bench: weights are pins.
  transformer_decoder #(
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
    .wq        (wq),
    .wk        (wk),
    .wv        (wv),
    .wo        (wo),
    .w1        (w1),
    .w2        (w2),
    .w3        (w3),
    .ln1_gamma (ln1_gamma),
    .ln1_beta  (ln1_beta),
    .ln2_gamma (ln2_gamma),
    .ln2_beta  (ln2_beta),
    .b1        (b1),
    .b2        (b2),
    .b3        (b3),
    .valid     (valid),
    .out_emb   (y)
  );

  task automatic load_weights;
  endtask
