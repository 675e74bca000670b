-- The reference of the API: lua/API.md is printed from it, and a test runs every example, each in
-- a machine of its own.
local core = ...

-- section, what it is about, then { call, what, example }
local sections = {
  { "Machines", [[
A machine is a session: the decoder, its host, its past. `m` is the one at hand (the lesson's, the
explorer's, or one with the defaults). A signal is read as a field: `m.out_emb[0]`, `m.softmax.exp[37]`,
`m.top.state`, `m.K[3][0]`; indices count from 0 as in the machine. It reads as a **raw** integer (Q8.8
words signed: -256 is -1.0), a state as its name. Whole vectors come as lists (element 0 is `list[1]`).
Unknown signals, indices out of range and values that do not fit raise an error that says what is
allowed. Tables, functions and values of the API are shown by numbers (`table: 1`), not by addresses.]],
    { "machine.create{ preset=, KEY=VALUE, stimulus=, tokens= }",
      "A fresh machine. KEY: the parameters of the configuration; integers are raw words, floats values. stimulus: `integration` or `random:SEED:AMP:TAMP`, weights from -AMP..AMP and tokens from -TAMP..TAMP in raw words (1/256). A weight matrix (`wq`, `wk`, `wv`, `wo`, `ffn_w1`, `ffn_w2`, `ffn_w3`) is a list of rows of raw words, a row for each input. Costs memory of the script's.",
      "local a = machine.create{ preset = 'minus8', d_model = 32, mask = -8.0 }\nassert(a.config.mask == '0xf800' and a.config.d_model == 32)\nlocal rows = {}\nfor i = 1, 8 do rows[i] = { 0, 0, 0, 0, 0, 0, 0, 256 } end\nlocal b = machine.create{ d_model = 8, n_heads = 1, d_ff = 8, wo = rows }\nassert(b.wo[3][7] == 256)" },
    { "m:configure{ ... }", "Begin again with other parameters over the present ones. Cycle 0, no edits. A `preset` is a beginning: it resets all parameters that are not given beside it (d_model, score_scale, variant ...; with a model not those that are the model's). `m:cmd('preset NAME')`, as in the console, changes only what presets differ in: mask, mask_mode, exp.",
      "m:configure{ d_model = 32 }\nm:cmd('preset repaired')\nassert(m.cycle == 0 and m.config.mask_mode == 'exclude' and m.config.d_model == 32)\nm:configure{ preset = 'repaired' }\nassert(m.config.d_model == 64)" },
    { "m.state  m.cycle  m.token  m.config  m.counts",
      "The top FSM's state; clock edges since reset; index of the token on the pins; the parameters; `saturations`, `wraps`, `mask_leaks`, `sum_overflows` of this token.",
      "m:until_('valid == 1')\nassert(m.state == 'DONE' and m.cycle == 2953 and m.counts.wraps > 0)" },
    { "m.letters  m.guesses",
      "With a model (`machine.create{ model = 'repaired', text = 'int' }`, or m:cmd('text int')): the letters so far, start mark first, and the five most probable next ones, best first, after the last token that has come out. Both nil without.",
      "local w = machine.create{ model = 'repaired', text = 'int' }\nw:to_token(3)\nassert(w.letters == '^int')\nw:until_('valid == 1')\nassert(w.guesses[1].letter == 'e' and w.guesses[1].p > w.guesses[2].p)" },
    { "m:score(list)  words.held_out(word)", "How well the model knows those words under the machine's parameters (not its edits): bits per character, end marks included, and how many characters that were. Was a word kept from the training of the models?",
      "local w = machine.create{ model = 'repaired' }\nlocal bits, chars = w:score{ 'acrostic', 'age' }\nassert(chars == 13 and bits > 1 and bits < 6 and words.held_out('age'))" },
    { "m:step(n)  m:back(n)  m:goto_(cycle)", "Clock edges forward (default 1), back (at most to 0), to a cycle.",
      "m:step(10)\nm:back(3)\nassert(m.cycle == 7)\nm:goto_(100)\nassert(m.cycle == 100)" },
    { "m:to_state(n)  m:to_token(n)", "To the n-th next (n < 0: previous) change of the top FSM, or start of a token. Default 1.",
      "m:to_state(2)\nassert(m.state == 'LN1_WAIT' and m.cycle == 2)" },
    { "m:until_(condition)", "Run forward until the condition (as for `break`) becomes true; an error when it never does, or a breakpoint comes first. (A lesson passes the pupil's breakpoints by.)",
      "m:until_('softmax.state == SUM and attn.h == 1')\nassert(m.attn.h == 1)" },
    { "m:run()  m:rev([condition])", "Forward to a breakpoint or the end; backward to the condition or a breakpoint. Return why they stopped.",
      "m:goto_(500)\nm:rev('any wraps')\nassert(m.cycle == 499)\nm:rev('top.state == LN1_WAIT')\nassert(m.cycle == 2)" },
    { "m:break_(condition)  m:delete([id])", "Set a breakpoint (returns its number; 256 at most), delete it or all. Conditions are the console's: `NAME[i] OP VALUE`, `NAME changes`, `saturates` or `wraps`, `any saturates`, `any wraps`, joined by and / or.",
      "local id = m:break_('valid == 1')\nm:run()\nassert(m.valid == 1)\nm:delete(id)" },
    { "m:watch(name)  m:unwatch(name)", "Show an element or signal all the time.", "m:watch('out_emb[0]')\nm:unwatch('out_emb[0]')" },
    { "m:get(name)  m:value(name)  m:hex(name)", "A signal as raw number or state name; as a real value; as hex digits. Vectors and matrices as lists.",
      "m:until_('valid == 1')\nassert(m:get('out_emb[1]') == -129 and m:value('out_emb[1]') == -0.50390625)\nassert(m:hex('out_emb[1]') == 'ff7f' and #m:get('out_emb') == 64)" },
    { "m:set(name, value)  m.NAME[i] = value", "Poke one element between clocks: an integer is the raw word, a float the value. Marked, journalled, replayed.",
      "m:set('token_emb[0]', 1.5)\nassert(m.token_emb[0] == 0x0180)\nm.token_emb[1] = 0xff00\nassert(m.token_emb[1] == -256)" },
    { "m:undo()", "Take the last poke back.", "local old = m.token_emb[0]\nm:set('token_emb[0]', 5)\nm:undo()\nassert(m.token_emb[0] == old)" },
    { "m:changed(name)", "Did the last clock edge change that element?", "m:step()\nassert(m:changed('top.state'))" },
    { "m:lastwrite(name)", "Back to the edge that stored the element last.", "m:until_('valid == 1')\nm:lastwrite('K[0][5]')\nassert(m.attn.state == 'SCORE')" },
    { "m:hash()", "Digest of the whole state: 16 hex digits.", "local h = m:hash()\nm:step(5)\nm:back(5)\nassert(m:hash() == h)" },
    { "m:mark()  m:restore(mark)", "A place to come back to: parameters, edits and cycle.",
      "local here = m:mark()\nm:configure{ d_model = 32 }\nm:step(9)\nm:restore(here)\nassert(m.cycle == 0 and m.config.d_model == 64)" },
    { "m:signals()  m:info(path)", "Paths of all signals; `kind`, `type`, `width` (bits), `dims`, `help` of one.",
      "assert(#m:signals() > 50 and m:info('K').dims[1] == 128)" },
    { "m:explain()", "What the coming edge will do: lines of text with the real operands. In the console that is `why`; `why NAME[i]` tells how one element got its value.", "m:step(5)\nassert(#m:explain() > 0)" },
    { "m:cmd(line)  cmd(line)", "Any command of the console that touches no files; returns what it prints.",
      "assert(m:cmd('get top.state') == 'top.state 0 IDLE\\n')" },
    { "run{ tokens=, ... }", "Tokens of a fresh machine: a list of `{ position, cycles, raw, out_emb }`.",
      "local t = run{ tokens = 2 }\nassert(t[1].cycles == 2953 and t[2].cycles == 2957)\nassert(t[1].out_emb[1] == 0x97 / 256)" },
  },
  { "The cycle counter", [[
Cycles of each stage of one token at position `pos`: measured by stepping the machine, by its closed form,
and as the deck estimates it (`nil` where it says nothing).]],
    { "cycles.count{ pos=, KEY=VALUE }", "`stages` (a list), the totals `measured`, `formula`, `deck`; a stage by its name.",
      "local c = cycles.count{ pos = 64 }\nassert(c.measured == 3209 and c.formula == 3209 and c.deck == 48448)\nassert(c.softmax.measured == 2080 and c.cache.deck == nil)" },
    { "cycles.sweep(key, values, { ... })", "`cycles.count` for each value of a parameter or of `pos`.",
      "local rows = cycles.sweep('pos', { 0, 1, 2 })\nassert(rows[3].pos == 2 and rows[3].measured - rows[1].measured == 8)" },
    { "cycles.seconds(count, mhz)", "Seconds that clocks take; default 29.2 MHz.", "assert(cycles.seconds(29200000) == 1.0)" },
  },
  { "Number formats", [[
Formats by their names on the command line (`fmt.formats()`). A value is a number, or text when a double
would not hold it (`"0.1"`, `"1/3"`, `"1e-400"`, `"0x1.8p3"`). Codes are integers; all arithmetic is exact.]],
    { "fmt.encode(format, value, { round=, overflow=, seed= })", "The code, and `{ exact, tie, overflow }`. Default: nearest even, saturating.",
      "local code, how = fmt.encode('e4m3', 200)\nassert(code == 0x74 and how.tie)\nassert(fmt.encode('q8.8', 200, { overflow = 'wrap' }) == 0xc800)" },
    { "fmt.decode(format, code)  fmt.text(format, code)", "The value as a number; as its full decimal expansion.",
      "assert(fmt.decode('e4m3', 0x74) == 192 and fmt.text('q8.8', 0x0097) == '0.58984375')" },
    { "fmt.hex(format, code)  fmt.fields(format, code)  fmt.class(format, code)", "The code as text: hex digits; bits by field; `zero` ... `nan`.",
      "assert(fmt.hex('fp16', 1) == '0001' and fmt.fields('e4m3', 0x74) == '0 1110 100')\nassert(fmt.class('fp16', 1) == 'subnormal')" },
    { "fmt.next(format, code)  fmt.previous(format, code)", "The neighbour's code; nil at the end.",
      "assert(fmt.next('e4m3', 0x74) == 0x75 and fmt.previous('e4m3', 0x74) == 0x73)" },
    { "fmt.bits(format)  fmt.formats()", "Width of a code; all names.", "assert(fmt.bits('tf32') == 19 and #fmt.formats() >= 17)" },
    { "fmt.compare(value, { names })", "A row per format: `format code hex value error relative exact tie overflow`. Default: the five of every screen.",
      "local rows = fmt.compare(200)\nassert(rows[4].format == 'e4m3' and rows[4].error == -8)" },
    { "fmt.block(kind, values, { scale=, tensor_scale=, reciprocal= })", "A block: `scale` (code), `scale_value`, `codes`, `values`, `clamped`.",
      "local b = fmt.block('mxfp4', { 1, 2, 3, 6 })\nassert(b.scale_value == 1 and b.values[4] == 6)" },
  },
  { "The machine's arithmetic", [[
On raw 16-bit words, as the hardware does it; words come as signed integers, 0..65535 are taken too.]],
    { "q88.of(value)  q88.value(raw)  q88.hex(raw)", "Nearest word, saturating; its value; four hex digits.",
      "assert(q88.of(-0.5) == -128 and q88.value(0xff80) == -0.5 and q88.hex(-128) == 'ff80')" },
    { "q88.mul(a, b)  q88.add(a, b)  q88.sub(a, b)", "fp_mul (floors, wraps), fp_sat_add (saturates), low16(a - b) (wraps). The second result: did it wrap or saturate?",
      "assert(q88.mul(0x1000, 0x1000) == 0 and select(2, q88.mul(0x1000, 0x1000)))\nassert(q88.add(0x7f00, 0x0200) == 0x7fff and q88.sub(-32768, 64) == 0x7fc0)" },
    { "q88.narrow(acc)", "A 32-bit sum to a word: shift by 8, low 16 bits.", "assert(q88.narrow(0x100000) == 0x1000)" },
    { "q88.exp(x, mode)", "The exp by pieces; mode `executed` (default) or `intended`.", "assert(q88.exp(-255) == 1 and q88.exp(-256) == 48)" },
    { "q88.inv_sqrt(x)  q88.reciprocal(s)", "By table and one Newton step.", "assert(q88.inv_sqrt(0x0400) == 127 and q88.reciprocal(0x8000) == 2)" },
  },
  { "Tiles", [[
A t2 tile is a value of 2176 bytes: 32 rows of 256 codes (0 = -1, 1 = 0, 2 = +1, 3 reserved) and 64 fp16
scales. Rows, columns and bytes count from 0. Files are opened by path, or, by name alone, from `assets/`;
they are never written.]],
    { "t2.tile([bytes])", "A tile: all weights 0 under scale 1.0, or from 2176 bytes.",
      "local t = t2.tile()\nassert(t:code(0, 0) == 1 and t:scale(0, 0) == 0x3c00 and t:weight(0, 0) == 0)" },
    { "t:code(r, c)  t:scale(r, c)  t:weight(r, c)", "The code 0..3, the bits of its scale, the weight (reserved: 0).",
      "local t = t2.tile()\nt:poke(0, 0x00)\nassert(t:code(0, 3) == 0 and t:weight(0, 3) == -1)" },
    { "t:byte(at)  t:bytes()  t:poke(at, byte)", "One byte, all of them as a string; change one (returns the old).",
      "local t = t2.tile()\nassert(t:poke(5, 0xff) == 0x55 and t:byte(5) == 0xff and #t:bytes() == 2176)" },
    { "t:where(r, c)", "Byte and lowest bit of the code, byte of the scale.",
      "local byte, bit, scale = t2.tile():where(1, 130)\nassert(byte == 96 and bit == 4 and scale == 2054)" },
    { "t:reserved()  t:wrong(r, c)", "`{ row, col }` of each reserved code; what decoders with known bugs show: `{ name, bug, weight, differs }` each.",
      "local t = t2.tile()\nt:poke(64, 0x57)\nassert(t:reserved()[1].row == 1 and t:reserved()[1].col == 0)\nassert(#t:wrong(1, 0) > 0)" },
    { "t2.open(path, { tensor=, shape={ N, K } })", "A tensor of a file; `tensor` is its name, true or as shown (controls and zero-width characters as `\\xNN`). `f:info()`: name, kind, rows, cols, offset, size, tensors. `f:tile(i, j)` (a copy), `f:cell(row, col)` (code, code_at, bit, scale, scale_at, weight, reserved), `f:weight(row, col)`, `f:verify()` (reserved codes, non-finite scales). Of what is no tensor file a script learns no more than that; `tokstep t2 info` says why.",
      "local f = t2.open('tests/golden/t2/mixed-64x512.t2', { shape = { 64, 512 } })\nassert(f:info().kind == 't2' and f:verify() == 0)\nassert(f:tile(1, 1):weight(0, 0) == f:weight(32, 256))" },
    { "t2.convert(kind, rows, cols, bytes, { clamp= })", "Blocks of ggml (tq1_0 tq2_0 ptq1_0 pq2_0 q1_0 ...) to tiles: their bytes and `{ weights, clamped, different }`; refused when it would lose anything.",
      "local block = ('\\x55'):rep(64) .. '\\x00\\x3c'\nlocal tiles, report = t2.convert('tq2_0', 32, 256, block:rep(32))\nassert(#tiles == 2176 and report.different == 0)" },
    { "t2.layout({ code=, ms=, e_ref= }, N, K)", "A byte order of a pb16i image: functions of (n, k) that give an offset (`code`: and a shift, 0 or 4), `ms` of (n, k // 32), `e_ref` of n. `l:cell(image, n, k)`, `l:convert(image)`.",
      "local l = t2.layout({ code = function(n, k) return 3 + k // 2, k % 2 * 4 end,\n  ms = function() return 1 end, e_ref = function() return 0 end }, 1, 32)\nlocal c = l:cell('\\xff\\x03\\x00' .. ('\\xf1'):rep(16), 0, 1)\nassert(c.code == -1 and c.ms == 3 and c.e_ref == -1 and c.weight == -1.5)" },
  },
  { "The systolic array", [[
The engine's array of multiply-accumulate elements, which has a clock of its own: the decoder does not move.
Operands are raw words, sums raw; rows, columns and edges count from 0.]],
    { "systolic.array{ rows=, cols=, legacy= }", "An array out of reset; default 4 x 4. legacy: `done` one edge late, as in the earlier design.",
      "local x = systolic.array{ rows = 2, cols = 3 }\nassert(select('#', x:size()) == 2 and x:acc(1, 2) == 0)" },
    { "x:step{ a=, b=, enable=, clear= }", "One rising edge with a word per row and per column at its pins (missing: 0); it holds without enable, clear wins.",
      "local x = systolic.array{ rows = 1, cols = 1 }\nx:step{ a = { 3 }, b = { 4 } }\nx:step{ a = { 9 }, b = { 9 }, enable = false }\nassert(x:acc(0, 0) == 12)\nx:step{ clear = true }\nassert(x:acc(0, 0) == 0)" },
    { "x:acc(r, c)  x:operands(r, c)  x:done()  x:size()  x:copy()", "The sum of an element, the two words that it passes on east and south; the array's `done`; rows and columns; a snapshot.",
      "local x = systolic.array()\nx:step{ a = { 3 }, b = { -4 } }\nlocal a, b = x:copy():operands(0, 0)\nassert(a == 3 and b == -4 and not x:done())" },
    { "systolic.product(A, B, { rows=, cols=, legacy= })", "A x B (lists of rows), streamed through an array that it fits on. `p:after(n)`: the array after n edges; `p:busy(edge)`: elements that multiply two words other than 0; `p:done_edge()`; `p.edges` until all sums are final; `p.k`; `p:text()`.",
      "local p = systolic.product({ { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } }, { rows = 2, cols = 2 })\nassert(p:after(p.edges):acc(1, 1) == 50 and p:done_edge() == 2 and p:busy(1) == 3)" },
  },
  { "The screen", [[
Wishes: the explorer grants them when the script has ended or waits. Without a screen they have no
effect, but for plots, which are printed.]],
    { "screen.show(view)  screen.zoom(on)", "Bring a view into focus, by its name or key (refused when there is no such view); let it take the whole screen, or not.", "screen.show('softmax')\nscreen.zoom(false)" },
    { "screen.cursor(name)  screen.highlight(name, ...)", "Put the focused view's cursor on an element; that of every view that shows it.",
      "screen.cursor('K[0][3]')\nscreen.highlight('q[0]', 'scores[0][0]')" },
    { "screen.tensors(file, { shape={ N, K } })  screen.seek(where)", "A file of tensors for the t2 view, as for `t2.open`; its cursor to a `row,column`, a byte, the next `reserved` code or `special` scale.",
      "screen.tensors('words.w2.t2', { shape = { 64, 256 } })\nscreen.seek('40,3')" },
    { "screen.numbers(how)  screen.fmt(value)", "Numbers as `hex`, `value` or `both`; a value for the formats view.", "screen.numbers('both')\nscreen.fmt(0.5898)" },
    { "screen.systolic(operands)", "A product for the systolic view: of `systolic.product`, or as its console command takes it.",
      "screen.systolic('1 2; 3 4 x 5 6; 7 8')" },
    { "screen.plot{ title=, width=, height=, { x, y }, ... }", "Points; or `series = { NAME = { { x, y }, ... } }`; width and height in characters. In a lesson it is drawn under the page's text, as wide as the pane and, in a low one, less high. Where series meet stands `&`.",
      "screen.plot{ title = 'exp', { -2, q88.exp(-512) }, { -1, q88.exp(-256) }, { 0, q88.exp(0) } }" },
  },
  { "Lua itself", [[
Lua 5.4 without io, package, debug, dofile, require, bytecode, finalizers and rawset. `os` has `clock` and
`time`; `load` takes text of up to 256 KiB; `table.unpack` and `string.byte` give at most 8000 values.
A script that runs for more than 10 s (`--cpu`) or needs more than 64 MiB (`--mem`) is stopped; no pcall
keeps it going. Lessons add `lesson`, `page` and `ask`: [lessons/README.md](../lessons/README.md).]],
    { "print(...)", "To the console (a lesson's too), or stdout.", "print('cycle', m.cycle)" },
  },
}

function core.reference()
  local out = {
    "# The Lua API",
    "",
    "Generated by `make api` from lua/doc.lua; the tests run every example.",
  }
  local function add(text) out[#out + 1] = text end
  for _, section in ipairs(sections) do
    add("")
    add("## " .. section[1])
    add("")
    add((section[2]:gsub("^%s+", "")))
    for i = 3, #section do
      local call, what, example = table.unpack(section[i])
      add("")
      add("**`" .. call:gsub("  ", "`** · **`") .. "`**  ")
      add(what)
      add("")
      add("    " .. example:gsub("\n", "\n    "))
    end
  end
  return table.concat(out, "\n") .. "\n"
end
