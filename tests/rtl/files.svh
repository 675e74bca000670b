  // Weights and tokens of a bench, from the $readmemh files of `tokstep model export-hex` and `cosim
  // files` in +dir=DIR: read into memories of words, then packed.
  logic [15:0] words_dd [0:DModel*DModel-1];
  logic [15:0] words_df [0:DModel*DFf-1];
  logic [15:0] words_d  [0:DModel-1];
  logic [15:0] words_f  [0:DFf-1];
  logic [15:0] tokens   [0:Tokens*DModel-1];
  string       dir;

  task automatic read_dd(input string name, output logic [DModel*DModel-1:0][15:0] w);
    $readmemh({dir, "/", name, ".hex"}, words_dd);
    for (int i = 0; i < DModel * DModel; i++) w[i] = words_dd[i];
  endtask
  task automatic read_df(input string name, output logic [DModel*DFf-1:0][15:0] w);
    $readmemh({dir, "/", name, ".hex"}, words_df);
    for (int i = 0; i < DModel * DFf; i++) w[i] = words_df[i];
  endtask
  task automatic read_d(input string name, output logic [DModel-1:0][15:0] w);
    $readmemh({dir, "/", name, ".hex"}, words_d);
    for (int i = 0; i < DModel; i++) w[i] = words_d[i];
  endtask

  task automatic read_files;
    if ($value$plusargs("dir=%s", dir) == 0) $fatal(1, "+dir=DIR is missing");
    read_dd("wq", wq);
    read_dd("wk", wk);
    read_dd("wv", wv);
    read_dd("wo", wo);
    read_df("w1", w1);
    read_df("w2", w2);
    w3 = {DModel*DFf{16'h5A5A}};  // not to be read
    b3 = {DFf{16'h5A5A}};
    if (Options[OptFfnSwiglu]) begin
      read_df("w3", w3);
      $readmemh({dir, "/b3.hex"}, words_f);
      for (int i = 0; i < DFf; i++) b3[i] = words_f[i];
    end
    read_d("ln1_gamma", ln1_gamma);
    if (Options[OptNormRms]) ln1_beta = {DModel{16'h5A5A}};  // not to be read
    else read_d("ln1_beta", ln1_beta);
    read_d("ln2_gamma", ln2_gamma);
    if (Options[OptNormRms]) ln2_beta = {DModel{16'h5A5A}};
    else read_d("ln2_beta", ln2_beta);
    read_d("b2", b2);
    $readmemh({dir, "/b1.hex"}, words_f);
    for (int i = 0; i < DFf; i++) b1[i] = words_f[i];
    $readmemh({dir, "/tokens.hex"}, tokens);
  endtask
