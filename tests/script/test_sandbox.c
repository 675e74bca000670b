/* The traps of embedding Lua: each is contained, with a message that says where and why. */
#include "test.h"

#include <time.h>

#include "base/file.h"
#include "script/script.h"

static const double cpu_limit = 0.5; /* seconds */
/* An endless loop must end near its limit; slow machines and sanitizers get some room. */
static const double patience = 4.0;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Run text as a file; what it says goes to *error. */
static bool run_text(const char *text, const ScriptLimits *limits, ScriptError *error)
{
    char path[] = "/tmp/tokstep-test-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    Script *s = script_new(NULL, limits, error);
    if (!s)
        fail_msg("%s", error->err.text);
    bool ok = script_file(s, path, 0, NULL, error);
    script_free(s);
    remove(path);
    return ok;
}

typedef struct Trap {
    const char *name, *code;
    const char *why; /* part of the message */
    int line;        /* that it names */
} Trap;

static const char too_long[] = "stopped: it ran for more than 0.5 s";
static const char too_big[] = "stopped: it needs more than 16 MiB of memory";

/* Endless loops of every kind: killed, with the line. */
static const Trap runaways[] = {
    {"while true", "\nwhile true do end", too_long, 2},
    {"for", "for i = 1, 1e15 do end", too_long, 1},
    {"repeat", "repeat until false", too_long, 1},
    {"goto", "::a::\n\ngoto a", too_long, 3},
    {"recursion by tail calls", "local function f() return f() end f()", too_long, 1},
    {"pcall around it", "while true do pcall(function() while true do end end) end", too_long, 1},
    {"pcall after pcall", "for i = 1, 1e9 do pcall(error, i) end", too_long, 1},
    {"xpcall with an endless handler",
     "xpcall(function() while true do end end, function() while true do end end)", too_long, 1},
    {"xpcall, error in an endless handler", "xpcall(error, function() while true do end end)",
     too_long, 1},
    {"coroutine.wrap", "coroutine.wrap(function() while true do end end)()", too_long, 1},
    {"coroutine.resume in a loop",
     "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
     too_long, 1},
    {"a coroutine made before",
     "local co = coroutine.create(function() while true do end end)\n"
     "pcall(coroutine.resume, co)\nwhile true do end",
     too_long, 1},
    {"__close of a killed coroutine",
     "local f = coroutine.wrap(function()\n"
     "  local x <close> = setmetatable({}, {__close = function() while true do end end})\n"
     "  while true do end\nend)\nf()",
     too_long, 3},
    {"__close that never ends",
     "local x <close> = setmetatable({}, {__close = function() while true do end end})", too_long,
     1},
    {"__close of what is being killed",
     "pcall(function()\n local x <close> = setmetatable({}, {__close = function()\n"
     "   while true do end end})\n while true do end\nend)",
     too_long, 4},
    {"__index",
     "local t = setmetatable({}, {__index = function() while true do end end})\n"
     "return t.x",
     too_long, 1},
    {"__tostring in an error",
     "error(setmetatable({}, {__tostring = function()\n"
     "while true do end end}))",
     too_long, 2},
    {"sort's order", "table.sort({1, 2, 3, 4}, function() while true do end end)", too_long, 1},
    {"gsub's function", "(\"x\"):gsub(\"x\", function() while true do end end)", too_long, 1},
    {"pattern: backtracking", "\n(\"a\"):rep(40):find((\"a?\"):rep(40) .. (\"a\"):rep(40))",
     too_long, 2},
    {"pattern: many stars", "return (\"a\"):rep(1000):match((\"a*\"):rep(20) .. \"b\")", too_long,
     1},
    {"pattern: lazy", "return (\"a\"):rep(2000):match((\".-\"):rep(10) .. \"b\")", too_long, 1},
    {"pattern: gmatch", "for _ in (\"a\"):rep(1e5):gmatch(\".-b\") do end", too_long, 1},
    {"pattern: gsub", "return (\"a\"):rep(1e5):gsub(\".-b\", \"\")", too_long, 1},
    {"pattern: balance", "return (\"(\"):rep(1e6):gsub(\"%b()\", \"\")", too_long, 1},
    {"pattern: back-reference", "return (\"a\"):rep(3000):match(\"^(.-)(.-)(.-)%1%2b\")", too_long,
     1},
    {"pattern: set", "return (\"a\"):rep(1e5):find(\"[\" .. (\"b\"):rep(1e5) .. \"]\")", too_long,
     1},
    {"plain find", "return (\"a\"):rep(5e6):find((\"a\"):rep(1e6) .. \"b\", 1, true)", too_long, 1},
    {"string building", "local s = (\"x\"):rep(4e6)\nwhile true do local t = s .. 'y' end",
     too_long, 2},
    {"table.concat again and again",
     "local t = {}\nfor i = 1, 1e5 do t[i] = '' end\nwhile true do table.concat(t) end", too_long,
     3},
    {"table.concat of an endless empty text",
     "local t = setmetatable({}, {__index = getmetatable, __metatable = ''})\n"
     "while true do table.concat(t, '', 1, 1000000) end",
     too_long, 2},
    {"table.move again and again", "local t = {}\nwhile true do table.move(t, 1, 1000000, 2) end",
     too_long, 2},
    {"load again and again", "while true do load(('x = 1 '):rep(4e4)) end", too_long, 1},
    {"memory errors caught again and again",
     "local t = {}\nfor i = 1, 5e5 do t[i] = i end\n"
     "while true do pcall(function() local s = ('x'):rep(1e7) .. ('y'):rep(1e7) end) end",
     too_long, 3},
    {"a long step", "machine.create{variant = 'stream', max_seq_len = 1024}:step(1 << 40)",
     too_long, 1},
    {"a run that never ends", "m:step(1)\nwhile true do m:goto_(400000) m:goto_(0) end", too_long,
     2},
    {"machines", "while true do machine.create{d_model = 8, d_ff = 8, max_seq_len = 8} end",
     too_long, 1},
    {"the cycle counter", "while true do cycles.count{pos = 100} end", too_long, 1},
    {"arithmetic on a long text",
     "local s = (' '):rep(6e6) .. '1'\nwhile true do local n = s + 0 end", too_long, 2},
    {"tonumber of a long text", "local s = ('1'):rep(6e6)\nwhile true do tonumber(s) end", too_long,
     2},
    {"comparing long texts",
     "local s = ('x'):rep(4e6)\nlocal a, b = s .. 'a', s .. 'b'\nwhile true do local c = a < b end",
     too_long, 3},
    {"a long text in a coroutine that is older",
     "local s\nlocal f = coroutine.wrap(function()\n coroutine.yield()\n"
     " while true do local n = s + 0 end end)\nf()\ns = (' '):rep(6e6) .. '1'\nf()",
     too_long, 4},
    {"sorting one long text",
     "local t, s = {}, ('x'):rep(6e6)\nfor i = 1, 1e5 do t[i] = s end\n"
     "table.sort(t)",
     too_long, 3},
    {"replacing by a function in C",
     "local e = {}\nfor i = 1, 2e5 do e[i] = i end\nfor i = 1, 2e5 do e[i] = nil end\n"
     "while true do ('x'):rep(1000):gsub('x', function() next(e) end) end",
     too_long, 4},
    {"utf8.codes",
     "local s, f = ('\\x80'):rep(6e6), utf8.codes('a')\nwhile true do pcall(f, s, 0) end", too_long,
     2},
    {"formats", "while true do fmt.encode('e4m3', '1e999999') end", too_long, 1},
};

/* Too much memory: refused. */
static const Trap hogs[] = {
    {"a table that grows", "local t = {}\nfor i = 1, 1e9 do t[i] = i end", too_big, 2},
    {"a string that doubles", "local s = 'x'\nwhile true do s = s .. s end", too_big, 2},
    {"string.rep", "return ('x'):rep(1e9)", too_big, 1},
    {"string.rep through the metatable", "return getmetatable == nil or ('x').rep('x', 5e8)",
     too_big, 1},
    {"deep recursion", "local function f() return 1 + f() end\nf()", too_big, 1},
    {"coroutines", "local t = {}\nwhile true do t[#t + 1] = coroutine.create(print) end", too_big,
     2},
    {"closures", "local t = {}\nwhile true do t[#t + 1] = function() return t end end", too_big, 2},
    {"string.pack", "return string.pack('c1000000000', 'x')", too_big, 1},
    {"string.format", "local s = ('x'):rep(6e6)\nreturn ('%s%s%s'):format(s, s, s)", too_big, 2},
    {"gsub", "return ('x'):rep(1e5):gsub('x', ('y'):rep(1000))", too_big, 1},
    {"a table that is its own __call", "local t = {}\nsetmetatable(t, {__call = t})\nt()",
     "stopped: one call with more than 16000 values", 3},
};

/* Refused at once, by name. */
static const Trap refusals[] = {
    {"bytecode", "assert(load('\\27Lua'))", "attempt to load a binary chunk", 1},
    {"a tensor scale that is none", "fmt.block('nvfp4', {1}, {tensor_scale = 'nan'})",
     "tensor_scale: not a positive fp32 number", 1},
    {"a tensor scale of zero", "fmt.block('nvfp4', {1}, {tensor_scale = 0})",
     "tensor_scale: not a positive fp32 number", 1},
    {"string.dump", "string.dump(print)", "attempt to call a nil value (field 'dump')", 1},
    {"__gc", "setmetatable({}, {__gc = print})", "__gc is not available to scripts", 1},
    {"the string metatable", "setmetatable('', {})", "table expected, got string", 1},
    {"the string metatable's guard",
     "local x = getmetatable('').__index\nx.rep = nil\n"
     "assert(getmetatable('') == 'string')",
     "attempt to index a nil value", 2},
    {"a machine's metatable", "getmetatable(m).__gc(m)", "attempt to call a nil value", 1},
    {"string.rep of nothing", "assert((''):rep(1e18) == '')\nerror('here')", "here", 2},
    {"string.rep that overflows", "('xx'):rep(math.maxinteger)", "resulting string too large", 1},
    {"table.move", "table.move({}, 1, math.maxinteger - 1, 2)",
     "table.move: more than 1048576 elements", 1},
    {"table.insert with __len",
     "table.insert(setmetatable({}, {__len = function() return 1 << 62 end}), 1, 1)",
     "a table with __len is not accepted", 1},
    {"table.remove with __len",
     "table.remove(setmetatable({}, {__len = function() return 1 << 62 end}), 1)",
     "a table with __len is not accepted", 1},
    {"table.concat", "table.concat({}, '', 1, math.maxinteger)", "more than 1048576 elements", 1},
    {"table.concat, negative", "table.concat({}, '', math.mininteger, math.maxinteger)",
     "more than 1048576 elements", 1},
    {"table.unpack", "table.unpack({}, 1, 1e7)", "table.unpack: more than 8000 elements", 1},
    {"string.byte", "local s = ('x'):rep(1e6)\ns:byte(1, -1)", "more than 8000 values", 2},
    {"much source text", "load(('x = 1 '):rep(1e5))", "more than 256 KiB of source text", 1},
    {"deep pattern", "('x'):rep(40):find(('(x'):rep(40))", "too many captures", 1},
    {"deep nesting", "assert(load(('('):rep(1000)))", "overflow", 1},
    {"endless __index", "local t = {}\nsetmetatable(t, {__index = t})\nreturn t.x", "possible loop",
     3},
    {"malformed pattern", "('x'):find('[a')", "missing ']'", 1},
    {"malformed pattern, %", "('x'):find('%')", "ends with '%'", 1},
    {"io", "io.open('/etc/passwd')", "attempt to index a nil value (global 'io')", 1},
    {"os.execute", "os.execute('true')", "attempt to call a nil value (field 'execute')", 1},
    {"os.exit", "os.exit(0)", "attempt to call a nil value (field 'exit')", 1},
    {"require", "require 'os'", "attempt to call a nil value (global 'require')", 1},
    {"debug", "debug.sethook()", "attempt to index a nil value (global 'debug')", 1},
    {"package", "package.loadlib('x', 'y')", "attempt to index a nil value (global 'package')", 1},
    {"dofile", "dofile('/etc/passwd')", "attempt to call a nil value (global 'dofile')", 1},
    {"rawset", "rawset(_G, 'x', 1)", "attempt to call a nil value (global 'rawset')", 1},
    {"collectgarbage", "collectgarbage('stop')", "invalid option", 1},
    {"a chunk named like the library", "load('x', '=lua/accel.lua')", "belongs to the library", 1},
    {"a chunk named like it now", "load('x', '=(lua/accel.lua)')", "belongs to the library", 1},
    {"commands that write files", "m:cmd('vcd /tmp/x')", "no such command for scripts", 1},
    {"two commands in one", "m:cmd('get K[0][0]\\nvcd /tmp/x')", "a command is one line", 1},
    {"a wish with a command in it", "screen.show('softmax\\nquit')", "not a view", 1},
    {"a machine too big",
     "local t = {}\nfor i = 1, 100 do t[i] = machine.create{d_model = 512} end",
     "no memory left for one of this size", 2},
    {"breakpoints without end", "while true do m:break_('valid == 1') end",
     "there are 256 breakpoints already", 1},
    {"a step that is a table", "\nm:step({})", "step: an argument cannot be a table", 2},
    {"a condition that is nil", "m:until_(nil)", "run until: an argument cannot be nil", 1},
    {"a breakpoint without condition", "m:break_('')", "break: an argument cannot be empty", 1},
    {"half a state", "m:to_state(0.5)", "state 0.5: must be a whole number", 1},
    {"a name that is nil", "m:set(nil, 1)", "set: an argument cannot be nil", 1},
    {"a command that is none", "m:cmd({})", "cmd: needs a line of text", 1},
    {"a word of more than 16 bits", "q88.value(1 << 62)", "q88: must be a raw 16-bit word", 1},
    {"a word that is a fraction", "q88.hex(0.5)", "q88: must be a raw 16-bit word", 1},
    {"a sum of more than 32 bits", "q88.narrow(1 << 32)", "must be a 32-bit sum", 1},
    {"a file without a name", "t2.open('')", "No such file or directory", 1},
    {"an error that is an object", "error({})", ": table: 1", 1},
    {"a parameter that is an object", "machine.create{ d_ff = {} }", "d_ff table: 1: must", 1},
    {"a file that is none of tensors", "t2.open('/etc/passwd')",
     "/etc/passwd: no tensor file, or a damaged one", 1},
    {"as weights", "m:cmd('config ffn_w2=t2:/etc/passwd')",
     "/etc/passwd: no tensor file, or a damaged one", 1},
    {"as what a page shows", "screen.tensors('/etc/passwd')",
     "/etc/passwd: no tensor file, or a damaged one", 1},
    {"systolic rows", "systolic.array{ rows = 1000 }", "systolic.array: rows 1000: must be 1..16",
     1},
    {"a plot as wide as a fraction", "screen.plot{ width = 30.5, { 1, 2 } }",
     "plot: width is a whole number", 1},
    {"an infinite point", "screen.plot{ { 1, 1 / 0 } }", "a point is { x, y }, two finite numbers",
     1},
    {"control characters in a message", "error('\\27[2Jx')", "\\x1b[2Jx", 1},
    {"an error that is nil", "error()", "nil", 1},
    {"an error in __tostring", "error(setmetatable({}, {__tostring = function() error('x') end}))",
     "x", 1},
    {"level 2", "local function f() error('why', 2) end\n\nf()", "why", 3},
    {"syntax", "local x =\n\n= 3", "unexpected symbol near '='", 3},
};

/* "PATH:LINE: why" and the excerpt. */
static void expect_failure(const Trap *t, const ScriptError *error, bool runaway)
{
    char place[32];
    snprintf(place, sizeof place, ":%d: ", t->line);
    if (!strstr(error->err.text, t->why) || (t->line && !strstr(error->err.text, place)))
        fail_msg("%s: says '%s', not '%s%s'", t->name, error->err.text, place, t->why);
    if (error->runaway != runaway)
        fail_msg("%s: is %sa runaway", t->name, runaway ? "not " : "");
    snprintf(place, sizeof place, ">%4d  ", t->line);
    if (t->line && !strstr(error->source, place))
        fail_msg("%s: no line %d in\n%s", t->name, t->line, error->source);
}

static void run_traps(const Trap *traps, size_t count, bool runaway)
{
    const ScriptLimits limits = {.cpu = cpu_limit, .memory = 16 << 20};
    for (size_t i = 0; i < count; i++) {
        ScriptError error = {0};
        double start = now();
        if (run_text(traps[i].code, &limits, &error))
            fail_msg("%s: was not stopped", traps[i].name);
        if (now() - start > patience)
            fail_msg("%s: took %.1f s", traps[i].name, now() - start);
        expect_failure(&traps[i], &error, runaway);
    }
}

static void test_runaways(void **state)
{
    (void)state;
    run_traps(runaways, sizeof runaways / sizeof *runaways, true);
}

static void test_hogs(void **state)
{
    (void)state;
    run_traps(hogs, sizeof hogs / sizeof *hogs, true);
}

static void test_refusals(void **state)
{
    (void)state;
    run_traps(refusals, sizeof refusals / sizeof *refusals, false);
}

/* What the guards replace works as the manual says: each line is true. */
static const char *const works[] = {
    "('hello world'):find('o w') == 5",
    "('hello'):find('l', 1, true) == 3",
    "('hello'):find('') == 1 and ('hello'):find('', 10) == nil and ('').find('', '') == 1",
    "('hello'):find('xyz') == nil and ('a.b'):find('.', 2, true) == 2",
    "('hello'):match('(h)(.)') == 'h' and select(2, ('hello'):match('(h)(.)')) == 'e'",
    "('  x '):match('^%s*(.-)%s*$') == 'x'",
    "('key = value'):match('^(%w+)%s*=%s*(%w+)$') == 'key'",
    "('hello'):match('()ll()') == 3 and select(2, ('hello'):match('()ll()')) == 5",
    "('THE (quick) fox'):find('%((%a+)%)') == 5",
    "('f(a(b)c)d'):match('%b()') == '(a(b)c)'",
    "('THE (quick) fox'):gsub('%f[%a]%a+', 'x') == 'x (x) x'",
    "('hello'):gsub('l', 'L') == 'heLLo' and select(2, ('hello'):gsub('l', 'L')) == 2",
    "('hello'):gsub('', '-') == '-h-e-l-l-o-'",
    "('abc'):gsub('%w', '%0%0') == 'aabbcc' and ('abc'):gsub('(a)(b)', '%2%1') == 'bac'",
    "('abc'):gsub('%w', {a = '1', b = true and '2'}) == '12c'",
    "('abc'):gsub('%w', function(c) if c == 'b' then return 'B' end end) == 'aBc'",
    "('abc abc'):gsub('abc', 'x', 1) == 'x abc'",
    "('abc'):gsub('^a', 'x') == 'xbc' and ('aaa'):gsub('^a', 'x') == 'xaa'",
    "('%d'):gsub('%%d', '%%') == '%'",
    "('aXb'):find('%u') == 2 and ('aXb'):find('[^%l]') == 2 and ('a-b'):find('[a%-]', 2) == 2",
    "('x]y'):find('[]]') == 2 and ('x^y'):find('[%^x]', 2) == 2",
    "('abcabc'):match('(abc)%1') == 'abc'",
    "('0x1F'):match('^0[xX](%x+)$') == '1F'",
    "('aaa'):match('a-') == '' and ('aaab'):match('a-b') == 'aaab' and ('aaa'):match('a?a?a?a?') "
    "== 'aaa'",
    "(function() local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[k] = v end "
    "return t.a == '1' and t.b == '2' end)()",
    "(function() local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n == 4 end)()",
    "(function() local t = {'b', 'a', 'c'} table.sort(t, function(a, b) return a > b end) "
    "return table.concat(t) == 'cba' and not pcall(table.sort, {1, 'x'}) and "
    "not pcall(table.sort, {1}, 5) end)()",
    "tonumber('10') == 10 and tonumber('ff', 16) == 255 and tonumber('x') == nil and "
    "tonumber('8', 8) == nil and rawequal('a', 'a') and not rawequal('a', 'b')",
    "('x'):rep(3, ',') == 'x,x,x' and ('x'):rep(0) == '' and ('x'):rep(-1) == ''",
    "('abc'):byte(-1) == 99 and select('#', ('abc'):byte(1, -1)) == 3 and "
    "select('#', ('abc'):byte(2, 100)) == 2 and select('#', ('abc'):byte(5)) == 0 and "
    "select('#', ('abc'):byte(1, -5)) == 0",
    "('%5.2f|%d|%s|%q'):format(1.5, 3, 'x', 'y') == ' 1.50|3|x|\"y\"'",
    "table.concat({1, 2, 3}, ',') == '1,2,3' and table.concat({}) == ''",
    "(function() local t = {1, 3} table.insert(t, 2, 2) table.insert(t, 4) return #t == 4 and "
    "table.remove(t) == 4 and table.remove(t, 1) == 1 and #t == 2 end)()",
    "(function() local t = {3, 1, 2} table.sort(t) return t[1] == 1 and t[3] == 3 end)()",
    "select('#', table.unpack({1, 2, nil}, 1, 3)) == 3",
    "table.move({1, 2, 3}, 1, 3, 2)[3] == 2",
    "select(2, pcall(error, 'x')) == 'x' and pcall(function() return 1 end) == true",
    "select(2, pcall(m.step, m, 'x')) == 'step x: must be a whole number'",
    "select(2, xpcall(m.get, function(e) return e .. '!' end, m, 'x')):find('^x: no such signal') "
    "== 1",
    "select(2, coroutine.resume(coroutine.create(function() m:get('x') end))):find('^x: no such') "
    "== 1",
    "select(2, pcall(error, '(lua/x)')) == '(lua/x)' and select(2, pcall(error, 'lua/x.lua:1: y', "
    "0)) == "
    "'lua/x.lua:1: y'",
    "select(2, pcall(error, {a = 1})).a == 1",
    "select(2, xpcall(error, function(e) return e .. '!' end, 'x')) == 'x!'",
    "select(3, xpcall(function(a, b) return a, b end, print, 1, 2)) == 2",
    "select('#', pcall(table.unpack, {1, 2, 3})) == 4",
    "(function() local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) "
    "return b * 2 end) local _, x = coroutine.resume(co, 1) local _, y = coroutine.resume(co, 5) "
    "return x == 2 and y == 10 and coroutine.status(co) == 'dead' end)()",
    "(function() local f = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) "
    "return f() == 1 and f() == 2 and f() == 3 end)()",
    "(function() local ok, why = pcall(coroutine.wrap(function() error('x', 0) end)) "
    "return not ok and why:find('x') ~= nil end)()",
    "(function() local closed = false local co = coroutine.create(function() "
    "local x <close> = setmetatable({}, {__close = function() closed = true end}) "
    "coroutine.yield() end) coroutine.resume(co) coroutine.close(co) return closed end)()",
    "(function() local co = coroutine.create(function() pcall(coroutine.yield, 1) error('e', 0) "
    "end) "
    "coroutine.resume(co) local ok, e = coroutine.resume(co) return not ok and e == 'e' end)()",
    "coroutine.isyieldable() == false and select(2, coroutine.running()) == true",
    "(function() local co co = coroutine.create(function() return coroutine.resume(co) end) "
    "local _, ok, why = coroutine.resume(co) return not ok and why == 'cannot resume "
    "non-suspended coroutine' end)()",
    "load('return 1 + 1')() == 2 and load('x = = 1') == nil",
    "(function() local e = {} load('y = 3', '=x', 't', e)() return e.y == 3 and y == nil end)()",
    "select('#', ('a,b'):gsub(',', ';')) == 2",
    "utf8.char(233) == 'é' and utf8.len('é') == 1",
    "collectgarbage('count') > 0",
    "getmetatable('') == 'string' and ('x'):upper() == 'X' and '10' + 1 == 11",
    "math.random(1, 1000000) == math.random(1, 1000000) or true",
    "os.clock() >= 0 and os.time() > 0",
    "tostring(setmetatable({}, {__tostring = function() return 'me' end})) == 'me'",
    "#setmetatable({}, {__len = function() return 7 end}) == 7",
    /* no luck, no time and no address in a seed */
    "(function() math.randomseed() local a = math.random(1 << 60) math.randomseed() "
    "local b = math.random(1 << 60) math.randomseed(1) return a == b and a == "
    "math.random(1 << 60) and select(2, math.randomseed()) == 0 end)()",
    /* objects have numbers, in the order in which they are shown; no addresses */
    "tostring(print) == 'function: 1' and tostring({}) == 'table: 2' and "
    "tostring(print) == 'function: 1'",
    "(function() local t = {} local n = ('%p'):format(t) return tostring(t) == 'table: ' .. n and "
    "('%s|%5p|%p|%%|%d'):format(t, t, 'x', 3) == 'table: 1|    1|(null)|%|3' end)()",
    "tostring(m) == 'tokstep.machine: 1' and tostring(coroutine.create(print)) == 'thread: 2' and "
    "tostring(t2.tile()) == 'tokstep.tile: 3'",
    "tostring(setmetatable({}, {__name = 'mine'})) == 'mine: 1'",
    "('%s'):format(setmetatable({}, {__tostring = function() return 'me' end})) == 'me'",
    "not pcall(string.format, '%s') and not pcall(string.format, '%p') and "
    "not pcall(string.format, '%d', {}) and not pcall(string.format, '%')",
};

static void test_works(void **state)
{
    (void)state;
    char code[1024];
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        ScriptError error = {0};
        snprintf(code, sizeof code, "assert(%s)", works[i]);
        if (!run_text(code, &(ScriptLimits){0}, &error))
            fail_msg("%s\n  %s", works[i], error.err.text);
    }
}

/* Caught errors, memory errors included, let the script go on. */
static void test_goes_on(void **state)
{
    (void)state;
    ScriptError error = {0};
    const ScriptLimits limits = {.memory = 16 << 20};
    assert_true(run_text("assert(not pcall(string.rep, 'x', 5e7))\n"
                         "assert(not pcall(string.rep, 'x', 1e12))\n"
                         "local t = {} setmetatable(t, {__call = t})\n"
                         "assert(not pcall(t))\n"
                         "assert(('x'):rep(10) == 'xxxxxxxxxx')",
                         &limits, &error));
}

/* A mark pays for the edits it keeps. */
static void test_marks(void **state)
{
    (void)state;
    ScriptError error = {0};
    const ScriptLimits limits = {.cpu = 60, .memory = 4 << 20};
    assert_false(run_text("for i = 1, 1000 do m:set('token_emb[0]', i) end\nlocal t = {}\n"
                          "while true do t[#t + 1] = m:mark() end",
                          &limits, &error));
    assert_non_null(strstr(error.err.text, ":3: mark: no memory left for its model and edits"));
}

/* The host is asked while a script runs; its time does not count; its no ends the script. */
typedef struct Host1 {
    int asked, most;
} Host1;

static bool busy_host(void *context)
{
    Host1 *h = context;
    for (double end = now() + 0.02; now() < end;) {
    }
    return ++h->asked < h->most;
}

static void test_host(void **state)
{
    (void)state;
    ScriptError error = {0};
    Host1 h = {0, 10};
    ScriptLimits limits = {.cpu = 2, .go_on = busy_host, .context = &h};
    double start = now();
    assert_false(run_text("while true do end", &limits, &error));
    assert_true(now() - start < patience);
    assert_int_equal(h.asked, 10);
    assert_true(error.runaway);
    assert_non_null(strstr(error.err.text, ":1: stopped by the user"));
    h = (Host1){0, 10};
    assert_false(run_text("('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))", &limits, &error));
    assert_int_equal(h.asked, 10);
}

/* A killed script is dead, its state is not: the next line runs. */
static void test_next_line(void **state)
{
    (void)state;
    ScriptError error = {0};
    Buf out = {0};
    Script *s = script_new(NULL, &(ScriptLimits){.cpu = 0.5}, &error);
    assert_non_null(s);
    assert_false(script_line(s, "while true do end", &out, &error));
    assert_true(error.runaway);
    assert_true(script_line(s, "1 + 1, m.state", &out, &error));
    assert_string_equal(buf_str(&out), "2  IDLE\n");
    buf_clear(&out);
    assert_true(script_line(s, "x = 5 print(x)", &out, &error));
    assert_string_equal(buf_str(&out), "5\n");
    buf_clear(&out);
    assert_true(script_line(s, "{x, a = {1}}", &out, &error));
    assert_string_equal(buf_str(&out), "{ 5, a = { 1 } }\n");
    buf_clear(&out);
    assert_false(script_line(s, "while true do print(('x'):rep(1e5)) end", &out, &error));
    assert_non_null(strstr(error.err.text, "more than a MiB of output"));
    buf_free(&out);
    script_free(s);
}

static void test_trusted(void **state)
{
    (void)state;
    ScriptError error = {0};
    assert_true(run_text("assert(io.open and os.getenv and not debug and not package)",
                         &(ScriptLimits){.trusted = true}, &error));
}

static void test_too_little_memory(void **state)
{
    (void)state;
    ScriptError error = {0};
    for (size_t memory = 1000; memory < 700000; memory += 7001) {
        Script *s = script_new(NULL, &(ScriptLimits){.memory = memory}, &error);
        if (!s)
            assert_true(error.err.text[0]);
        script_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_works),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_hogs),    cmocka_unit_test(test_runaways),
        cmocka_unit_test(test_goes_on), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_host),    cmocka_unit_test(test_next_line),
        cmocka_unit_test(test_trusted), cmocka_unit_test(test_too_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
