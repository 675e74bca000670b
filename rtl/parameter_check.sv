// Stops the simulation when a parameter breaks its rule. No hardware.
module parameter_check #(
  parameter int          DModel     = 64,
  parameter int          NHeads     = 4,
  parameter int          DFf        = 256,
  parameter int          MaxSeqLen  = 128,
  parameter logic [15:0] ScoreScale = 16'h0040
);
  initial begin
    if (DModel < 8 || DModel > 512 || (DModel & (DModel - 1)) != 0)
      $fatal(1, "d_model %0d: must be a power of two, 8..512", DModel);
    if (NHeads < 1 || DModel % NHeads != 0)
      $fatal(1, "n_heads %0d: must divide d_model %0d", NHeads, DModel);
    if (DFf < 1 || DFf > 2048) $fatal(1, "d_ff %0d: must be 1..2048", DFf);
    if (MaxSeqLen < 1 || MaxSeqLen > 1024)
      $fatal(1, "max_seq_len %0d: must be 1..1024", MaxSeqLen);
    if (ScoreScale > 16'h7FFF) $fatal(1, "score_scale %h: must be 0000..7fff", ScoreScale);
  end
endmodule
