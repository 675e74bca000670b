# `tokstep console` from a pipe.
. tests/tap.sh
console() { # LINES...
    printf '%s\n' "$@" | "$TOKSTEP" console $options >"$tmp/out" 2>"$tmp/err"
    rc=$?
    out=$(cat "$tmp/out")
    err=$(cat "$tmp/err")
}
options=
console '# comment' '' 'step 3' 'get top.state' ':get ln1.i'
equals 'a command a line, comments, a colon if one likes' "$out|$err|$rc" $'top.state 2 LN1_WAIT\nln1.i 00 0||0'
console 'run until valid == 1' 'get out_emb[1]'
equals 'a run ends before the next line' "$out" $'until valid == 1\nout_emb[1] ff7f -0.50390625'
options='--preset minus8' console 'run until valid == 1' 'get out_emb[0]'
contains "run's options" "$out" 'out_emb[0] 00a2'
console 'step 5' 'hash' 'step 100' 'back 100' 'hash'
equals 'back is the same state' "$(sort -u "$tmp/out" | wc -l)" 1
console 'get start' 'frobnicate' 'get start'
equals 'the first line that fails ends it' "$out|$err|$rc" 'start 1 1|tokstep: stdin: line 2: frobnicate: no such command, and nothing that Lua knows; help lists the commands|2'
console 'get start' 'quit' 'get start'
equals 'quit' "$out|$rc" 'start 1 1|0'
console 'help' && contains 'help lists the commands' "$out" 'quit'
equals 'nothing on stdin is fine' "$("$TOKSTEP" console </dev/null; echo $?)" 0
equals 'a last line without an end counts' "$(printf 'get start' | "$TOKSTEP" console)" 'start 1 1'
refused 'an unknown option' 'console: --frob: no such option' "$TOKSTEP" console --frob
"$TOKSTEP" console --help >"$tmp/out" </dev/null
contains '--help' "$(cat "$tmp/out")" 'tokstep console [OPTIONS]'
yes 'get wq' | head -2000 | "$TOKSTEP" console 2>"$tmp/err" | head -1 >"$tmp/out"
equals 'a closed pipe ends it quietly' "$(cat "$tmp/err")" ''
finish
