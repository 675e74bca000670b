# The explorer without a terminal: --script, --size, --screen.
. tests/tap.sh
run() { # LINES...: the script's stdout, stderr, exit code
    printf '%s\n' "$@" >"$tmp/s.keys"
    INPUTRC=/dev/null "$TOKSTEP" --stimulus integration --script "$tmp/s.keys" $options >"$tmp/out" 2>"$tmp/err" </dev/null
    rc=$?
    out=$(cat "$tmp/out")
    err=$(cat "$tmp/err")
}
options=
fails() { # NAME WANTED-LINE SCRIPT-LINES...
    local name=$1 want=$2
    shift 2
    run "$@"
    equals "$name" "$rc $err" "2 tokstep: $tmp/s.keys: $want"
}

run '# a comment' '' 'space space' ':hash' 'b b' ':hash' ':goto 0' ':hash'
equals 'commands print, keys do not; back is the same state' "$(sort -u "$tmp/out" | wc -l) $(wc -l <"$tmp/out") $rc" '2 3 0'
run ':get top.state' 'n' ':get top.state' ': get seq_pos'
equals 'a blank after the colon is allowed' "$out" $'top.state 0 IDLE\ntop.state 1 LN1_START\nseq_pos 00 0'
run 'r' ':get seq_pos' ':get top.state'
equals 'a run is waited for' "$out" $'seq_pos 7f 127\ntop.state 0 IDLE'
run ':run until valid == 1' ':get out_emb[0]' ':break softmax.sum > 0x4000' ':run' ':get softmax.sum'
equals 'so is one with a condition' "$out" $'out_emb[0] 0097 0.58984375\nbreakpoint 1: softmax.sum > 0x4000\nsoftmax.sum 000040bd 64.73828125'
printf '%s\n' ':run until softmax.sum == 5' ':get valid' ':rev until valid == 1' >"$tmp/keys"
"$TOKSTEP" --tokens 1 --stimulus random:3 --script "$tmp/keys" >"$tmp/out" 2>"$tmp/err"
equals 'one that never comes true: said, and exit 1' "$?|$(cat "$tmp/out")|$(cat "$tmp/err")" "1|valid 0 0|tokstep: $tmp/keys: line 1: run until softmax.sum == 5: never came true: no more tokens after cycle 2954"
run ':screen'
equals ':screen prints 24 lines' "$(wc -l <"$tmp/out")" 24
equals 'the first is the top line' "${out%%$'\n'*}" 'tokstep  deck bridge  token 0  cycle 0  IDLE'
run ":screen $tmp/screen" 'q' ':screen'
equals ':screen FILE writes it, and q ends the script' "$out|$(wc -l <"$tmp/screen")" '|24'
run 'space' ': g 3' ; contains 'a line that begins with a colon is a command' "$err" 'line 2: g: no such command'
run 'space' 'g 1 7 Enter' ':get top.state' ; equals 'keys reach the prompt' "$out" 'top.state 2 LN1_WAIT'
run 'space : s t e p space 9 Enter Esc' ':get ln1.i'
equals 'keys reach the console' "$out" 'ln1.i 07 7'

run 'n n' ':screen -' ':roles -'
[ ! -e ./- ] && [ "$(printf '%s\n' "$out" | wc -l)" = 48 ]
result $? ':screen - and :roles - print' "$out"
options="--size 132x43 --screen $tmp/screen" run 'n n'
equals '--size and --screen' "$(wc -l <"$tmp/screen") $out" '43 '
options='--screen -' run 'n n'
equals '--screen - is stdout' "${out%%$'\n'*}" 'tokstep  deck bridge  token 0  cycle 2  LN1_WAIT'
options='--ascii --screen -' run 'n n'
equals '--ascii' "$(LC_ALL=C grep -c '[^ -~]' "$tmp/out")" 0
options='--preset minus8 --set max_seq_len=16 --stimulus random:3 --screen -' run 't'
contains "run's options" "${out%%$'\n'*}" 'tokstep  minus8 bridge  token 1'
LC_ALL=C options='--screen -' run 'n n'
contains 'what is written does not depend on the locale' "$out" '╭►decoder'

options=
equals 'the first screen tells of the model' "$(printf ':screen\n' | "$TOKSTEP" --script - | sed -n 23p)" \
    ' M the model, reading inter  L lessons  1-9 V other views'
equals 'until the first step' "$(printf 'space\n:screen\n' | "$TOKSTEP" --script - | sed -n 23p)" ''
equals '--script - is stdin' "$(printf 'space\n:get top.state\n' | "$TOKSTEP" --stimulus integration --script -)" 'top.state 1 LN1_START'
printf 'space\n:nope x\n' | "$TOKSTEP" --script - 2>"$tmp/err" >&2
contains 'its errors name it' "$(cat "$tmp/err")" 'tokstep: stdin: line 2: nope'
usage=$("$TOKSTEP" --help)
contains '--help says what a script is' "$usage" ':command'
equals '-h is --help' "$("$TOKSTEP" -h)" "$usage"
equals 'so is help' "$("$TOKSTEP" help)" "$usage"
equals 'help CMD is CMD --help' "$("$TOKSTEP" help trace)" "$("$TOKSTEP" trace --help)"
equals 'so is CMD -h' "$("$TOKSTEP" trace -h)" "$("$TOKSTEP" trace --help)"
refused 'help on what is none' 'frob: no such command' "$TOKSTEP" help frob
fails 'an unknown command names file and line' 'line 3: frobnicate: no such command, and nothing that Lua knows; help lists the commands' 'space' '' ':frobnicate'
fails 'an unknown key too' 'line 2: Foo: there is no such key; F1 lists them' 'space' 'space Foo'
fails 'and a bad argument' 'line 1: goto x: must be a whole number' ':goto x'
run 'space' ':get start' ':nope' ':get start'
equals 'what came before an error stands' "$out" 'start 0 0'
refused 'a script that is not there' "$tmp/none: No such file" "$TOKSTEP" --script "$tmp/none"
refused 'a screen that cannot be written' '/nonexistent/x: cannot write' "$TOKSTEP" --script /dev/null --screen /nonexistent/x
run ':get start' $'\xff\xfe'
equals 'bytes that are no text are refused' "$rc" 2
printf 'space\r\n:get top.state\r\n' >"$tmp/dos"
equals 'lines may end as on DOS' "$("$TOKSTEP" --stimulus integration --script "$tmp/dos")" 'top.state 1 LN1_START'
# What comes near an unknown name is said, wherever it is typed.
near() { # WHAT COMMAND... : the refusal asks "did you mean WHAT? "
    local what=$1
    shift
    refused "did you mean $what" "did you mean $what? " "$TOKSTEP" "$@"
}
near cycles cycels
near lesson help lesons
near --json run --jsn
near --signals trace --signal q -o "$tmp/x"
near --stimulus console --stimlus integration
near --theme --thmee dark
near --theme lesson 0 --thmee dark
near --tensor open --tensr a x
near --block fmt --blok t2 1
near --json t2 info --jsn x
near info t2 inof x
near --held-out eval --hold-out
near export-hex model export-hx
near blk.1.ffn_up.weight t2 info tests/golden/t2/five-types.gguf --tensor blk.1.ffn_pu.weight
near frame_ms bench fame_ms
near e4m3 fmt --encode e4m9 1
near mxfp4 fmt --block mxpf4 1
near d_model run --set dmodel=3
near repaired run --preset repair
near LN1_WAIT run --dump q@LN1WAIT
near 'softmax.max or softmax.x' run --dump softmax.mx
refused "a file is no command" "README.md: no such command, but a file; tokstep open README.md shows it" "$TOKSTEP" README.md
typed() { # WHAT LINE: the same of a line of the explorer's console
    printf '%s\n' "$2" >"$tmp/near"
    contains "did you mean $1" "$("$TOKSTEP" --script "$tmp/near" 2>&1)" "did you mean $1? "
}
typed step ':stpe 3'
typed view ':veiw softmax'
typed softmax ':view sofmax'
typed softmax.max ':get softmx.max'
typed mask ':lesson maks'
typed mask ':config maks=1'
typed minus8 ':preset minus9'
typed step ':help stepp'
typed Down 'dwon'
typed PgUp ':key PgUP'
typed 'softmax.max or softmax.x' ':m.softmax.mx'
typed bf16 ":fmt.encode('bf61', 1)"
typed e4m3 ':fmt e4m9:0x1'
equals "in the console too, with its own commands" "$(echo 'quti' | "$TOKSTEP" console 2>&1)" 'tokstep: stdin: line 1: quti: no such command, and nothing that Lua knows; did you mean quit? help lists the commands'

# On a terminal of 80 columns no line of help is broken within a word.
for command in '' $(sed -n 's/^  tokstep \([a-z0-9]*\) .*/\1/p' <<<"$usage"); do
    equals "--help of ${command:-the explorer}: at most 80 columns" "$("$TOKSTEP" $command --help | awk 'length > 80')" ''
done
contains 'of every command' " $(sed -n 's/^  tokstep \([a-z0-9]*\) .*/\1/p' <<<"$usage" | tr '\n' ' ')" ' run cycles systolic fmt t2 trace lesson lua console model eval bench '
for command in '' run trace model console; do
    contains "--help of ${command:-the explorer}: units of AMP and TAMP" "$("$TOKSTEP" $command --help)" 'AMP and TAMP are raw Q8.8 words, in units of 1/256'
done
finish
