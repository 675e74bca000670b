// The package's functions on the vectors of functions.txt (+functions=FILE) and functions_next.txt
// (+next=FILE).
module tb_transformer_pkg;
  import transformer_pkg::*;
  `include "bench.svh"

  int          file;
  int          count;
  string       name;
  logic [15:0] a, b, want, got;

  // Reads the operands and the result of a line whose name is known.
  task automatic one(input int operands);
    b     = '0;
    count = operands == 1 ? $fscanf(file, "%h %h", a, want) : $fscanf(file, "%h %h %h", a, b, want);
    if (count != operands + 1) $fatal(1, "%s: a word is missing", name);
  endtask

  task automatic read_functions;
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "%s: cannot be opened", name);
    count = 1;
    while (count == 1) begin
      count = $fscanf(file, "%s", name);
      if (count == 1 && name == "digest") begin
        count = $fscanf(file, "%s %s", name, name) - 1;
      end else if (count == 1 && name == "fp_mul") begin
        one(2);
        got = fp_mul(a, b);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "fp_sat_add") begin
        one(2);
        got = fp_sat_add(a, b);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "fp_inv_sqrt") begin
        one(1);
        got = fp_inv_sqrt(a);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "reciprocal") begin
        one(1);
        got = reciprocal(a);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "approx_exp") begin
        one(1);
        got = approx_exp(a, 1'b0);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "approx_exp_intended") begin
        one(1);
        got = approx_exp(a, 1'b1);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "sigmoid") begin
        one(1);
        got = sigmoid(a);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end else if (count == 1 && name == "swiglu") begin
        one(2);
        got = swiglu(a, b);
        check(name, int'(a), 32'(got), 32'(want));
        count = 1;
      end
    end
  endtask

  initial begin
    reset();
    if ($value$plusargs("functions=%s", name) == 0) $fatal(1, "+functions=FILE is missing");
    read_functions();
    check("lines read", 0, 32'(checks), 32'd270);
    if ($value$plusargs("next=%s", name) == 0) $fatal(1, "+next=FILE is missing");
    read_functions();
    check("lines read", 1, 32'(checks), 32'(271 + 38 + 56));
    finish();
  end
endmodule
