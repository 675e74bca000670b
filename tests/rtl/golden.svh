  // Reads a golden vector file (+golden=FILE; decoder.md section 7) token by token, and makes the
  // weights of its stimulus anew. Needs config.svh (made from the file's config line).
  int                                     golden;
  int                                     read_count;  // results of $fscanf, to be looked at
  string                                  word;
  int                                     position;
  int                                     cycles_bridge, cycles_stream;
  string                                  states_top, states_attention;
  logic [DModel-1:0][15:0]                token_emb;
  logic [15:0]                            ln1_mean, ln1_var, ln1_inv_std;
  logic [15:0]                            ln2_mean, ln2_var, ln2_inv_std;
  logic [DModel-1:0][15:0]                ln1_out, q, k, v;
  logic [NHeads*MaxSeqLen-1:0][15:0]      scores, probs;      // scores beyond position: not given
  logic [NHeads-1:0][15:0]                smax_max, smax_recip;
  logic [NHeads-1:0][31:0]                smax_sum;
  logic [DModel-1:0][15:0]                concat, attn_out, residual1, ln2_out, ffn_out, out_emb;
  logic [DFf-1:0][15:0]                   up, hidden;  // up: swiglu

  // Weights, as the ports of the decoder have them.
  logic [DModel*DModel-1:0][15:0]         wq, wk, wv, wo;
  logic [DModel*DFf-1:0][15:0]            w1, w2, w3;
  logic [DModel-1:0][15:0]                ln1_gamma, ln1_beta, ln2_gamma, ln2_beta, b2;
  logic [DFf-1:0][15:0]                   b1, b3;

  // Skip words up to and including NAME.
  task automatic seek(input string name);
    word = "";
    while (word != name) begin
      read_count = $fscanf(golden, "%s", word);
      if (read_count != 1) $fatal(1, "golden file: no %s", name);
    end
  endtask

  task automatic read_hex(output logic [31:0] value);
    read_count = $fscanf(golden, "%h", value);
    if (read_count != 1) $fatal(1, "golden file: a hex word is missing");
  endtask

  task automatic read_d(input string name, output logic [DModel-1:0][15:0] vector);
    logic [31:0] value;
    seek(name);
    for (int i = 0; i < DModel; i++) begin
      read_hex(value);
      vector[i] = value[15:0];
    end
  endtask

  task automatic read_f(input string name, output logic [DFf-1:0][15:0] vector);
    logic [31:0] value;
    seek(name);
    for (int i = 0; i < DFf; i++) begin
      read_hex(value);
      vector[i] = value[15:0];
    end
  endtask

  task automatic read_named(input string name, output logic [31:0] value);
    seek(name);
    read_hex(value);
  endtask

  // The words between here and NEXT, which is consumed.
  task automatic read_states(input string next, output string states);
    states = "";
    word   = "";
    while (word != next) begin
      if (word != "") states = {states, states == "" ? "" : " ", word};
      read_count = $fscanf(golden, "%s", word);
      if (read_count != 1) $fatal(1, "golden file: no %s", next);
    end
  endtask

  task automatic read_heads;
    logic [31:0] value;
    for (int h = 0; h < NHeads; h++) begin
      read_named("scores", value);
      for (int t = 0; t <= position; t++) begin
        read_hex(value);
        scores[h*MaxSeqLen+t] = value[15:0];
      end
      seek("softmax");
      read_named("max", value);
      smax_max[h] = value[15:0];
      read_named("sum", value);
      smax_sum[h] = value;
      read_named("recip", value);
      smax_recip[h] = value[15:0];
      read_named("probs", value);
      for (int t = 0; t < MaxSeqLen; t++) begin
        read_hex(value);
        probs[h*MaxSeqLen+t] = value[15:0];
      end
    end
  endtask

  // The next token of the file into the variables above; 0 at the end.
  task automatic read_token(output bit found);
    logic [31:0] value;
    word       = "";
    read_count = 1;
    while (word != "token" && read_count == 1) read_count = $fscanf(golden, "%s", word);
    found = read_count == 1;
    if (found) begin
      read_count = $fscanf(golden, "%d cycles_bridge %d cycles_stream %d", position,
                           cycles_bridge, cycles_stream);
      if (read_count != 3) $fatal(1, "golden file: token line");
      seek("states_top");
      read_states("states_attention", states_top);
      read_states("token_emb", states_attention);
      for (int i = 0; i < DModel; i++) begin
        read_hex(value);
        token_emb[i] = value[15:0];
      end
      seek("ln1");
      value = '0;
      if (!Options[OptNormRms]) read_named("mean", value);
      ln1_mean = value[15:0];
      read_named("var", value);
      ln1_var = value[15:0];
      read_named("inv_std", value);
      ln1_inv_std = value[15:0];
      seek("ln2");
      value = '0;
      if (!Options[OptNormRms]) read_named("mean", value);
      ln2_mean = value[15:0];
      read_named("var", value);
      ln2_var = value[15:0];
      read_named("inv_std", value);
      ln2_inv_std = value[15:0];
      read_d("ln1_out", ln1_out);
      read_d("q", q);
      read_d("k", k);
      read_d("v", v);
      read_heads();
      read_d("concat", concat);
      read_d("attn_out", attn_out);
      read_d("residual1", residual1);
      read_d("ln2_out", ln2_out);
      if (Options[OptFfnSwiglu]) read_f("up", up);
      read_f("hidden", hidden);
      read_d("ffn_out", ffn_out);
      read_d("out_emb", out_emb);
    end
  endtask

  // The generator: each draw first advances, then takes the upper half.
  logic [31:0] generator;
  function automatic logic [15:0] draw(input int low, input int high);
    generator = generator * 32'd1664525 + 32'd1013904223;
    return 16'(low + int'((generator >> 16) % 32'(high - low + 1)));
  endfunction

  task automatic random_weights(input int amp);
    for (int i = 0; i < DModel * DModel; i++) begin
      wq[i] = draw(-amp, amp);
      wk[i] = draw(-amp, amp);
      wv[i] = draw(-amp, amp);
      wo[i] = draw(-amp, amp);
    end
    for (int i = 0; i < DModel * DFf; i++) w1[i] = draw(-amp, amp);
    for (int i = 0; i < DFf; i++) begin
      b1[i] = draw(-32, 32);
      for (int j = 0; j < DModel; j++) w2[i*DModel+j] = draw(-amp, amp);
    end
    for (int i = 0; i < DModel; i++) begin
      ln1_gamma[i] = draw(128, 384);
      ln1_beta[i] = draw(-64, 64);  // with RMSNorm drawn and not read
      ln2_gamma[i] = draw(128, 384);
      ln2_beta[i] = draw(-64, 64);
      b2[i] = draw(-32, 32);
    end
  endtask

  // Of a layer's second generator.
  task automatic random_up(input logic [31:0] seed, input int amp);
    generator = seed + 32'h9E3779B9;
    for (int i = 0; i < DModel * DFf; i++) w3[i] = draw(-amp, amp);
    for (int i = 0; i < DFf; i++) b3[i] = draw(-32, 32);
  endtask

  task automatic integration_weights;
    wq        = '0;
    wo        = '0;
    w1        = '0;
    w2        = '0;
    b2        = '0;
    w3        = '0;
    b3        = '0;
    ln1_beta  = '0;
    ln2_beta  = '0;
    for (int i = 0; i < DModel; i++) begin
      wq[i*DModel+i] = 16'h0040;
      wo[i*DModel+i] = 16'h0080;
      ln1_gamma[i]   = 16'h0100;
      ln2_gamma[i]   = 16'h0100;
    end
    wk = wq;
    wv = wq;
    for (int i = 0; i < DFf; i++) begin
      b1[i]                      = 16'h0010;
      w1[(i%DModel)*DFf+i]       = 16'h0020;
      w3[(i%DModel)*DFf+i]       = 16'h0100;
      w2[i*DModel+(i%DModel)]    = 16'h0020;
    end
  endtask

  // Open the file and read its stimulus line.
  task automatic open_golden;
    string       name;
    int          amp, tamp;
    logic [31:0] seed;
    if ($value$plusargs("golden=%s", name) == 0) $fatal(1, "+golden=FILE is missing");
    golden = $fopen(name, "r");
    if (golden == 0) $fatal(1, "%s: cannot be opened", name);
    seek("stimulus");
    read_count = $fscanf(golden, "%s", word);
    if (word == "random") begin
      read_count = $fscanf(golden, " seed %d amp %d tamp %d", generator, amp, tamp);
      if (read_count != 3) $fatal(1, "golden file: stimulus line");
      seed = generator;
      random_weights(amp);
      random_up(seed, amp);
    end else begin
      integration_weights();
    end
  endtask
