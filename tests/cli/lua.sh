#!/usr/bin/env bash
# tokstep lua: exit codes, limits, arguments, the API's reference and its examples.
. tests/tap.sh

script() { printf '%s\n' "$1" >"$tmp/s.lua"; }
runs() { # NAME TEXT WANT [ARG...]
    local name=$1 want=$3
    script "$2"
    shift 3
    equals "$name" "$("$TOKSTEP" lua "$tmp/s.lua" "$@" 2>&1)" "$want"
}
ends() { # NAME RC PART OPTIONS... : the script of $tmp/s.lua fails with RC, one line on stderr
    local name=$1 rc=$2 part=$3 got
    shift 3
    "$TOKSTEP" lua "$@" "$tmp/s.lua" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got = "$rc" ] && [ "$(wc -l <"$tmp/err")" = 1 ] && grep -qF -- "$part" "$tmp/err"
    result $? "$name" "exit $got: $(cat "$tmp/err")"
}

runs "prints" 'print("a", 1, nil, true)' $'a\t1\tnil\ttrue'
runs "arguments" 'print(#arg, arg[1], ...)' $'2\tx\tx\ty z' x 'y z'
runs "the default machine" 'm:until_("valid == 1") print(m.cycle, m:hex("out_emb[0]"))' $'2953\t0097'
runs "options behind FILE are the script's" 'print(...)' --cpu --cpu

script 'return lesson { id = "x", title = "x", page { say = "x" } }'
ends "a lesson is no script" 2 "s.lua: a lesson, not a script: \`tokstep lesson FILE\` takes it"
script 'screen.show("nosuch")'
ends "a view that there is not" 1 "s.lua:1: view nosuch: must be one of decoder, vectors"
script 'error("why")'
ends "an error" 1 "s.lua:1: why"
script $'local x = 1\nlocal = 2'
ends "a syntax error" 1 "s.lua:2: "
script $'\n\nwhile true do end'
ends "a runaway" 1 "s.lua:3: stopped: it ran for more than 0.2 s" --cpu 0.2
script $'local t = {}\nwhile true do t[#t + 1] = {} end'
ends "too much memory" 1 "s.lua:2: stopped: it needs more than 8 MiB of memory" --mem 8
script $'while true do pcall(function() while true do end end) end'
ends "a runaway in pcall" 1 "stopped" --cpu=0.2
# each pass of the collector over this table finds a few more keys alive: no hook runs in between
script 'local t, keys, order, n = setmetatable({}, {__mode = "k"}), {}, {}, 250000
for i = 1, n do keys[i] = {} order[i] = i end
for i = n - 1, 2, -1 do local j = math.random(i) order[i], order[j] = order[j], order[i] end
for i = 1, n - 1 do t[keys[order[i]]] = keys[order[i] + 1] end
root, keys = keys[1], nil
while true do local x = {} end'
ends "a collection that takes minutes" 1 "stopped: " --cpu 0.5
script 'io.write("x")'
ends "no io" 1 "global 'io'"
runs "output before an error stands" 'print("before") error("x", 0)' "before
tokstep: $tmp/s.lua:1: x"

script 'io.write("x", os.getenv("HOME") and "y" or "")'
equals "--trusted" "$("$TOKSTEP" lua --trusted "$tmp/s.lua")" xy
script 'print(pcall(setmetatable, {}, {__gc = print}))'
contains "--trusted keeps the limits" "$("$TOKSTEP" lua --trusted "$tmp/s.lua")" "__gc is not available"

refused "no file" "needs a file" "$TOKSTEP" lua
script 'print(arg[1])'
equals "what stands behind FILE is the script's" "$("$TOKSTEP" lua "$tmp/s.lua" --help)" --help
contains "in front of it, the command's" "$("$TOKSTEP" lua --cpu 3 --help "$tmp/s.lua")" "tokstep lua FILE [ARG...]"
printf '\033Lua' >"$tmp/b.lua"
refused "bytecode, by the name of its file" "tokstep: $tmp/b.lua: attempt to load a binary chunk" "$TOKSTEP" lua "$tmp/b.lua"
refused "a missing file" "No such file" "$TOKSTEP" lua "$tmp/none.lua"
refused "a directory" "cannot read" "$TOKSTEP" lua "$tmp"
refused "an unknown option" "--what: no such option" "$TOKSTEP" lua --what x.lua
refused "--cpu without a number" "--cpu x" "$TOKSTEP" lua --cpu x x.lua
refused "--mem out of range" "--mem 0" "$TOKSTEP" lua --mem 0 x.lua
printf 'error("e", 0)\n' | "$TOKSTEP" lua - 2>/dev/null
equals "from a pipe: the script's own error is exit 1" "$?" 1
head -c 3000 /dev/urandom >"$tmp/s.lua"
"$TOKSTEP" lua "$tmp/s.lua" >/dev/null 2>"$tmp/err"
equals "random bytes: exit 2" "$?" 2
printf '\33Lua' >"$tmp/s.lua"
refused "bytecode" "binary chunk" "$TOKSTEP" lua "$tmp/s.lua"
head -c 300000 /dev/zero | tr '\0' ' ' >"$tmp/s.lua"
refused "a file too big" "s.lua" "$TOKSTEP" lua "$tmp/s.lua"
script 'while true do print("x") end'
"$TOKSTEP" lua --cpu 5 "$tmp/s.lua" 2>"$tmp/err" | head -1 >/dev/null
equals "a closed pipe ends it quietly" "$(cat "$tmp/err")" ""

# The reference is current, and every example of it is true.
"$TOKSTEP" lua --api >"$tmp/API.md"
result $? "--api"
cmp -s lua/API.md "$tmp/API.md"
result $? "lua/API.md is current (make api)"
awk -v dir="$tmp" '/^\*\*`/ { n++; name[n] = $0 } /^    / { print substr($0, 5) >(dir "/ex" n ".lua") }
    END { for (i = 1; i <= n; i++) print i "\t" name[i] }' lua/API.md >"$tmp/names"
while IFS=$'\t' read -r n name; do
    why=$("$TOKSTEP" lua "$tmp/ex$n.lua" 2>&1 >/dev/null)
    result $? "example of ${name//[\`*]/}" "$why"
done <"$tmp/names"
finish
