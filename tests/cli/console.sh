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
console 'break softmax.shifted wraps' 'run'
equals 'a break tells the element and its operands' "$(sed 1d <<<"$out")" \
    $'breakpoint 1: softmax.shifted wraps: softmax.shifted[1]\nsoftmax.shifted[1] 0000 -> 7fc1 127.75390625 <- x[1] - max = 8000 - 003f  ! wraps: -128.2461 does not fit in 16 bits  (the edge of cycle 407)'
console 'run until any wraps' 'step 1' 'rev until any wraps' 'where'
equals 'any: forwards and backwards agree' "$(sed -n '1p;3p;5p' <<<"$out")" \
    $'until any wraps: softmax.shifted[1]\nuntil any wraps: softmax.shifted[1]\ndeck bridge  token 0  cycle 408  ATTN_WAIT'
console 'break ln1.i == 3' 'run' 'delete' 'run until top.state == ATTN_WAIT' 'rev until start == 0'
equals 'so does one on a counter, a state, a pin' "$(sed -n '3p;5p;7p' <<<"$out")" \
    $'ln1.i 2 -> 3 <- i + 1 = 2 + 1  (the edge of cycle 5)\ntop.state ATTN_START -> ATTN_WAIT  (the edge of cycle 199)\nstart 1 -> 0: set by the host'
options='--variant array --stimulus random:3' console 'run until array.acc < -0.01' 'step 1' 'rev until array.acc < -0.01'
equals 'an accumulator of the array: forwards and backwards' "$out" "$(
    printf 'until array.acc < -0.01: array.acc[0][0]\narray.acc[0][0] 00000000 -> fffffcbe -0.012725830078125 <- %s\n' \
        'acc[0][0] + a_in * w_in = 00000000 + feea*0003  (the edge of cycle 201)'{,}
)"
options=
console 'goto 267' 'why' 'why K[0][3]' 'why wq[0][0]' 'why token_emb[1]' 'why out_emb[2]' 'set q[1] 0x7' 'why q[1]'
equals 'why: the coming edge, and how an element got its value' "$out" "$(
    cat <<'WHY'
scores[0][0] <- narrow(q . K[0]) * score_scale = ffc0*ffc0 [1] + ffc0*ffc0 [3] + 14 more = 0000fc08 >> 8 = 00fc; *0040 >> 8
attn.t <- t + 1 = 0 + 1
K[0][3] ffc0 -0.25 <- k[3]  (row seq_pos = 0, words 0..63)  (the edge of cycle 266)
wq[0][0] 0040 0.25: a weight, it was there before the first clock
token_emb[1] ff80 -0.5: set by the host
out_emb[2] 0000 0.0: nothing has stored it yet
q[1] 0007 0.02734375
q[1] 0007 0.02734375: edited by hand
WHY
)"
console 'why q'
contains 'why: one element' "$rc $err" '2 tokstep: stdin: line 1: why q: needs the index of one element'
console 'break any changes'
contains 'any: saturates or wraps' "$rc $err" 'changes: after any must come saturates or wraps'
console 'run until valid == 1' 'get out_emb[1]'
equals 'a run ends before the next line' "$out" $'until valid == 1\nvalid 0 -> 1: out_emb will be complete  (the edge of cycle 2952)\nout_emb[1] ff7f -0.50390625'
options='--variant stream' console 'run until attn.acc >= 0.25' 'get attn.acc'
contains 'a sum of products has 16 fraction bits' "$out" 'attn.acc 00004e83 0.3066864013671875'
options='--variant stream' console 'run until attn.acc != 0' 'set attn.acc -0.0000152587890625' 'set ffn.acc 0.75' 'm:value("ffn.acc")'
equals 'and takes them' "$(sed '1,2d' <<<"$out")" $'attn.acc ffffffff -0.0000152587890625\nffn.acc 0000c000 0.75\n0.75'
options=
# a condition that never comes true: said, the next line goes on, exit 1 at the end
options='--tokens 1' console 'run until softmax.sum == 5' 'get valid' 'rev until softmax.sum == 5' 'run'
equals 'run until, never' "$out|$err|$rc" "valid 0 0
no more tokens after cycle 2954|tokstep: stdin: line 1: run until softmax.sum == 5: never came true: no more tokens after cycle 2954
tokstep: stdin: line 3: rev until softmax.sum == 5: never came true: back at cycle 0: no hit before|1"
options='--tokens 1' console 'run until valid == 1' 'run' 'break softmax.sum == 5' 'rev'
equals 'without a condition the end is no miss' "$err|$rc" '|0'
options='--tokens 1' console 'run until top.state == LN1_WAIT' 'set top.state FFN_WAIT' 'run until valid == 1'
contains 'a wedged machine ends it too' "$err|$rc" 'line 3: run until valid == 1: never came true: wedged'
equals 'with exit 1' "$rc" 1
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
console 'fmt 0.3' 'fmt e2m1:0x7'
contains 'fmt, as in the explorer: a value' "$out" 'q8.8      004d   00000000.01001101      0.30078125'
contains 'fmt: a code' "$out" $'\nvalue    6\n'
console 'fmt 1 e2m1:0x7'
equals 'fmt: not both' "$rc $err" '2 tokstep: stdin: line 1: fmt: either values or codes (FORMAT:0xHEX)'
console 'open assets/words-repaired.safetensors ' 'where' 'text inter' 'text'
equals 'open: a model' "$out|$rc" $'repaired bridge  token 0  cycle 0  IDLE\ntext ^|0'
console 'open Makefile'
contains 'open: no model' "$rc $err" '2 tokstep: stdin: line 1: Makefile: '
console 'view 3'
equals 'commands of the screen say so' "$rc $err" '2 tokstep: stdin: line 1: view: needs the screen of the explorer'
console 'count = 5' 'k = count + 1' 'k'
equals 'a name of theirs can still be given in Lua' "$out|$rc" '6|0'
for line in 'hash x' 'quit now' 'undo 2'; do
    console "$line" 'get start'
    equals "$line: no operand is passed over" "$out|$err|$rc" "|tokstep: stdin: line 1: $line: ${line% *} stands alone|2"
done
console 'help open' 'help quit'
equals 'help of a command' "$out" $'open FILE                 a model file into the machine\nquit                      leave'
options='--preset deck' console 'run until valid == 1' 'get out_emb[0..3]' 'get out_emb' 'get K[0][62..63]' 'get K[0..1]'
all=($(sed -n 4p <<<"$out")) k=($(sed -n 6p <<<"$out"))
equals 'get: a part of a vector, rows of a matrix, a part of a row' "$(sed 1,2d <<<"$out" | cut -d' ' -f1 | tr '\n' ' ')" \
    'out_emb[0..3] out_emb K[0][62..63] K[0] K[1] '
equals 'get: the words of the part' "$(sed -n '3p;5p' <<<"$out")" \
    "out_emb[0..3] ${all[*]:1:4}"$'\n'"K[0][62..63] ${k[*]:63:2}"
for line in 'get q[3..1]' 'get q[0..64]' 'get q[1..' 'get top.state[0]' 'set q[0..1] 5' 'break K[0..1] changes' \
    'break top.state wraps' 'break valid saturates'; do
    console "$line"
    equals "$line is refused" "$rc $out" '2 '
done
console 'get q q'
equals 'a word behind a signal' "$err" 'tokstep: stdin: line 1: q: cannot stand behind a signal'
console 'set q[0] 0.001953125' 'set q[0] 0.005859375' 'set q[0] -0.001953125'
equals 'set rounds ties to even' "$(cut -d' ' -f2 <<<"$out" | tr '\n' ' ')" '0000 0002 0000 '
console "get $(printf 'q%.0s' {1..600})"
equals 'a line too long is refused, not cut' "$rc $err" '2 tokstep: stdin: line 1: get: more than 511 characters behind it'
refused 'an unknown option' 'console: --frob: no such option' "$TOKSTEP" console --frob
"$TOKSTEP" console --help >"$tmp/out" </dev/null
contains '--help' "$(cat "$tmp/out")" 'tokstep console [OPTIONS]'
yes 'get wq' | head -2000 | "$TOKSTEP" console 2>"$tmp/err" | head -1 >"$tmp/out"
equals 'a closed pipe ends it quietly' "$(cat "$tmp/err")" ''
console $'\tget\tq[0]\t' $'set\tq[0]\t0x10' $'config\td_ff=128\tpe_rows=2' $'print(#"x\ty", "a")' $'fmt\te4m3:0x7e\t' $'break\tq[0]\t== 5'
equals 'tabs part words, and stay in quotes' "$rc|$(grep -v '^[a-z]* *[a-z0-9.,]*$' <<<"$out" | sed -n '1,2p;/a$/p;/breakpoint/p')" $'0|q[0] 0000 0.0\nq[0] 0010 0.0625\n3\ta\nbreakpoint 1: q[0] == 5'
finish
