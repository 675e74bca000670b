// Widths, arithmetic and seed tables shared by every module. Mirrors src/engine/fixed_point.c.
//
// data = signed 16-bit Q8.8 (raw / 256), acc = signed 32-bit that wraps. Words travel as plain
// logic vectors; signedness is said by $signed() where it matters. Right shifts of signed values
// are arithmetic.
//
// Conventions of this directory:
//   * x_q is a register, x_d its next value; one always_comb computes every x_d with "hold" as the
//     default, one always_ff stores them; a vector is one flat packed array, element 0 in the low
//     bits; K and V are memories.
//   * A comment `// @UNIT.STATE` stands at the case label of every FSM state, where UNIT.state is
//     the signal's path in the signal table (src/engine/signals.c): `@attn.SCORE`. A branch reaches
//     from its tag to the next tag or to `default`. A file that serves two instances carries both
//     tags. Modules that only one variant has say so: `@stream.attn.SCORE`; a reader looks for that
//     form first. tests/rtl/tags.sh fails when a state of the table has no tag.
//   * An element of a vector is stored in a loop over constant indices, `for (int k ...)` and below
//     it `if (at == LogD'(k)) y_d[k] = y;`: a clock enable a word, where y_d[at] would shift and mask
//     the whole vector. Read with any index.
//   * Scratch of an always_comb stands in the module and has a default: Verilator takes variables of
//     a block for latches.
//   * A function has one exit: it assigns its own name. yosys reads no `return`.
//   * Functions select no constant bits (5'(n >> 10), not n[14:10]): Icarus 11 looks into functions
//     called by an always_comb and remarks on every such select.
//   * Ports carry no _i, _o: a wire keeps its name from unit to top, where the tools' views show it.
//   * `case` is not `unique`, and no property is asserted: Icarus 11 ignores the one and refuses the
//     other, both aloud. Every FSM's `default` leads to S_IDLE; co-simulation checks every cycle.
//   * No `default_nettype none`: the standard then asks for `input wire logic` at every port. Lint
//     reports a net that nobody declared.
//   * What follows from other parameters is a localparam, in the parameter list when ports need it.
package transformer_pkg;
  localparam int DataW    = 16;
  localparam int AccW     = 32;
  localparam int FracBits = 8;

  // Modes: bits of the parameter Options, which the tops hand down to every unit that may have one.
  // A further mode is a line here, before OptBits, and its use in its unit.
  // verilator lint_off UNUSEDPARAM
  localparam int OptMaskExclude = 0;  // masked entries get exp = 0
  localparam int OptExpIntended = 1;  // approx_exp as its comments read
  localparam int OptNormRms     = 2;  // RMSNorm for layer norm: no mean, no beta
  localparam int OptFfnSwiglu   = 3;  // silu(gate) * up for ReLU, with a third matrix
  localparam int OptBits        = 4;
  // verilator lint_on UNUSEDPARAM

  // What a unit of variant array asks of the systolic array in a cycle; all 0 when it asks nothing.
  // The words that enter the columns travel beside it: their number is a parameter.
  localparam int ColumnsW = 5;  // of a count of columns, 0..16
  typedef struct packed {
    logic                clear;
    logic                enable;
    logic [DataW-1:0]    a;        // the operand that enters row 0
    logic [ColumnsW-1:0] columns;  // outputs that it is for
  } array_work_t;

  // What a cycle does with a tile of a product (gemv_tile).
  typedef enum logic [2:0] {
    TILE_HOLD  = 3'd0,
    TILE_START = 3'd1,  // a new token: edge 0
    TILE_FEED  = 3'd2,  // an operand enters row 0, a word each column
    TILE_DRAIN = 3'd3,  // zeros enter, until the last column has its sum
    TILE_STORE = 3'd4   // the sums of row 0 are taken: clears the array and the counter
  } tile_e;

  // Bits of an index 0..n-1; one bit for n = 1.
  function automatic int index_width(input int n);
    index_width = n > 1 ? $clog2(n) : 1;
  endfunction

  // Words of all weights: the address space of variant stream's weight bus.
  function automatic int weight_words(input int d_model, input int d_ff,
                                      input logic [OptBits-1:0] options);
    weight_words = 4 * d_model * d_model + 2 * d_model * d_ff + d_ff
                 + (options[OptNormRms] ? 3 : 5) * d_model
                 + (options[OptFfnSwiglu] ? d_model * d_ff + d_ff : 0);
  endfunction

  // round(256 / sqrt(d_head)) as a Q8.8 word: the n with n^2 * d_head nearest to 65536, decided at
  // n + 1/2.
  function automatic logic [15:0] default_score_scale(input int d_head);
    int n;
    n = 0;
    while ((2 * n + 1) * (2 * n + 1) * d_head <= 4 * 65536) n = n + 1;
    default_score_scale = 16'(n);
  endfunction

  // Exact product of two data words, as acc.
  function automatic logic [31:0] mul32(input logic [15:0] a, input logic [15:0] b);
    mul32 = 32'($signed(a)) * 32'($signed(b));
  endfunction

  // acc to data: floors and wraps, does not saturate.
  function automatic logic [15:0] narrow(input logic [31:0] acc);
    narrow = 16'(acc >> FracBits);
  endfunction

  // Floors and wraps: 16.0 * 16.0 = 0.0, and (-1/256) * (1/256) = -1/256.
  function automatic logic [15:0] fp_mul(input logic [15:0] a, input logic [15:0] b);
    fp_mul = narrow(mul32(a, b));
  endfunction

  function automatic logic [15:0] fp_sat_add(input logic [15:0] a, input logic [15:0] b);
    logic signed [16:0] sum;
    sum = 17'($signed(a)) + 17'($signed(b));
    fp_sat_add = 16'(sum);
    if (sum > 17'sh07FFF) fp_sat_add = 16'h7FFF;
    if (sum < -17'sh08000) fp_sat_add = 16'h8000;
  endfunction

  // Leading zeros of a 16-bit value, 16 for 0.
  function automatic logic [4:0] clz16(input logic [15:0] v);
    clz16 = 5'd16;
    for (int k = 0; k < 16; k++) begin
      if (v[k]) clz16 = 5'(15 - k);
    end
  endfunction

  // round(2^14 / sqrt(0.5 + k/64 + 1/128)): the middle of each segment k = 31..0, unsigned Q2.14.
  localparam logic [32*DataW-1:0] RsqrtSeed = {
    16'd16448, 16'd16579, 16'd16714, 16'd16851, 16'd16992, 16'd17137, 16'd17285, 16'd17438,
    16'd17594, 16'd17755, 16'd17920, 16'd18090, 16'd18264, 16'd18444, 16'd18630, 16'd18821,
    16'd19018, 16'd19221, 16'd19431, 16'd19649, 16'd19873, 16'd20106, 16'd20346, 16'd20596,
    16'd20855, 16'd21124, 16'd21404, 16'd21695, 16'd21999, 16'd22315, 16'd22646, 16'd22992
  };

  // round(2^14 / (0.5 + k/64)): the left edge of each segment k = 31..0, unsigned Q2.14.
  localparam logic [32*DataW-1:0] RecipSeed = {
    16'd16644, 16'd16913, 16'd17190, 16'd17476, 16'd17772, 16'd18079, 16'd18396, 16'd18725,
    16'd19065, 16'd19418, 16'd19784, 16'd20165, 16'd20560, 16'd20972, 16'd21400, 16'd21845,
    16'd22310, 16'd22795, 16'd23302, 16'd23831, 16'd24385, 16'd24966, 16'd25575, 16'd26214,
    16'd26887, 16'd27594, 16'd28340, 16'd29127, 16'd29959, 16'd30840, 16'd31775, 16'd32768
  };

  // 1/sqrt(x) in Q8.8 by table and one Newton-Raphson step, about 13 bits; x <= 0 gives 1.0.
  function automatic logic [15:0] fp_inv_sqrt(input logic [15:0] x);
    logic [4:0]  lz;
    int          k;
    logic [15:0] n, r0, s, p, t, r1, a, y;
    lz = clz16(x);
    n  = x << lz;
    k  = 32'(5'(n >> 10));  // the segment: five bits below the leading one
    r0 = RsqrtSeed[k*DataW+:DataW];
    // Newton-Raphson: r1 = r0 * (3 - n * r0^2) / 2
    s  = 16'((32'(r0) * 32'(r0)) >> 14);
    p  = 16'((32'(n) * 32'(s)) >> 16);
    t  = 16'd49152 - p;
    r1 = 16'((32'(r0) * 32'(t)) >> 15) & 16'h7FFF;
    // x is n * 2^-e with e = lz - 8: an odd e costs a factor sqrt(2) (23170 in Q2.14), half of e
    // goes into the shift
    a  = 1'(lz) ? 16'((32'(r1) * 32'd23170) >> 14) : r1;
    y  = a >> (5'd10 - (lz >> 1));
    if ($signed(x) <= 16'sd0) fp_inv_sqrt = 16'h0100;
    else if (x == 16'd1) fp_inv_sqrt = 16'h1000;
    else if (y > 16'h7FFF) fp_inv_sqrt = 16'h7FFF;
    else fp_inv_sqrt = y == 16'd0 ? 16'd1 : y;
  endfunction

  // About 65536 / s by table and one Newton-Raphson step, 10 bits at worst; s <= 1 gives 0x7FFF.
  function automatic logic [15:0] reciprocal(input logic [15:0] s);
    logic [4:0]  lz;
    int          k;
    logic [15:0] n, r0, p, c, r1, y;
    lz = clz16(s);
    n  = s << lz;
    k  = 32'(5'(n >> 10));  // the segment: five bits below the leading one
    r0 = RecipSeed[k*DataW+:DataW];
    // Newton-Raphson: r1 = r0 * (2 - n * r0)
    p  = 16'((32'(n) * 32'(r0)) >> 16);
    c  = 16'd32768 - p;
    r1 = 16'((32'(r0) * 32'(c)) >> 14);
    y  = r1 >> (5'd14 - lz);
    reciprocal = s <= 16'd1 || y > 16'h7FFF ? 16'h7FFF : y;
  endfunction

  // exp by pieces, as the deck's listing executes (`+` binds tighter than `>>>`) or as its comments
  // read (intended). Not monotonic at -1 in either; never 0.
  function automatic logic [15:0] approx_exp(input logic [15:0] x, input logic intended);
    logic signed [15:0] s, v;
    s = $signed(x);
    if (s > -16'sh0200) begin
      v = intended ? 16'sh0060 + ((s + 16'sh0100) >>> 1) : (s + 16'sh0160) >>> 1;
    end else begin
      v = intended ? 16'sh0020 + ((s + 16'sh0200) >>> 2) : (s + 16'sh0220) >>> 2;
    end
    if (s >= 16'sh0000) approx_exp = 16'h0100;
    else if (s > -16'sh0100) approx_exp = 16'h0100 + x;
    else if (s <= -16'sh0400) approx_exp = 16'h0004;
    else approx_exp = v > 16'sh0000 ? v : 16'h0004;
  endfunction

  // 1/(1 + e^-x) by four pieces with slopes of powers of two (PLAN); 0 and 1.0 from +-5.0 on.
  function automatic logic [15:0] sigmoid(input logic [15:0] x);
    logic [15:0] a, s;
    a = $signed(x) < 16'sd0 ? -x : x;  // 0x8000: 32768
    s = 16'h0100;
    if (a < 16'h0100) s = (a >> 2) + 16'd128;
    else if (a < 16'h0260) s = (a >> 3) + 16'd160;
    else if (a < 16'h0500) s = (a >> 5) + 16'd216;
    sigmoid = $signed(x) < 16'sd0 ? 16'h0100 - s : s;
  endfunction

  // silu(gate) * up: the second product wraps.
  function automatic logic [15:0] swiglu(input logic [15:0] gate, input logic [15:0] up);
    swiglu = fp_mul(fp_mul(gate, sigmoid(gate)), up);
  endfunction

  // Is output k of a product one of the n of the tile that begins with output `first`?
  function automatic logic in_tile(input logic [31:0] k, input logic [31:0] first,
                                   input logic [31:0] n);
    in_tile = k >= first && k < first + n;
  endfunction
endpackage
