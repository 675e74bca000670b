# Text that is not the program's own (names, values, scripts) reaches the terminal escaped: ESC, C1 and
# bidi controls through every door.
. tests/tap.sh
esc=$'\e]0;X\a' c1=$'\xc2\x9b' bidi=$'\xe2\x80\xae'
evil="$esc$c1$bidi"
quiet() { # WHAT COMMAND...: neither stdout nor stderr has a control character, C1 or bidi control
    local what=$1 found
    shift
    timeout 20 "$@" </dev/null >"$tmp/said" 2>&1
    found=$(LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' "$tmp/said" | cat -v | head -3)
    [ -s "$tmp/said" ] && [ -z "$found" ]
    result $? "$what" "$found$([ -s "$tmp/said" ] || echo ' says nothing')"
}
piped() { # WHAT TEXT COMMAND...
    local what=$1 text=$2
    shift 2
    printf '%s\n' "$text" >"$tmp/in"
    quiet "$what" bash -c 'file=$1; shift; exec "$@" <"$file"' - "$tmp/in" "$@"
}
t=$TOKSTEP

# the command line
for args in "$evil" "run --$evil" "run --preset $evil" "run --set $evil=1" "run --set mask=$evil" "run --stimulus $evil" \
    "run --dump $evil" "cycles --sweep $evil" "cycles --pos $evil" "fmt $evil" "fmt --bits $evil:0x1" "fmt --encode $evil 1" \
    "fmt --block $evil 1" "systolic --a $evil --b 1" "t2 $evil" "t2 info --$evil" "trace --signals $evil -o $tmp/x.vcd" \
    "model $evil" "eval --model $evil x" "lesson $evil" "lesson --check $evil" "lua $evil" "bench $evil" "--theme $evil" \
    "--size $evil --script /dev/null" "help $evil" "t2 convert --from $evil x -o y" "open $evil"; do
    # shellcheck disable=SC2086
    quiet "option: $(printf '%q' "${args%%"$evil"*}")" "$t" $args
done

# file names: that are not there, and that are
mkdir "$tmp/dir" && cd "$tmp/dir" || exit
here=$OLDPWD
name="a${evil}b"
cp "$here/tests/golden/t2/mixed-64x512.t2" "$name.t2"
cp "$here/assets/words-repaired.safetensors" "$name.safetensors"
cp "$here/tests/golden/t2/id42-g128.gguf" "$name.gguf"
echo inter >"$name.txt"
cd "$here" || exit
f="$tmp/dir/$name"
quiet "file that is not there: t2" "$t" t2 info "$f.no"
quiet "file that is not there: open" "$t" open "$f.no"
quiet "file that is not there: lua" "$t" lua "$f.no"
quiet "file that is not there: model" "$t" model info "$f.no"
quiet "file that is not there: --script" "$t" --script "$f.no"
for what in "t2 info" "t2 info --json" "t2 verify" "t2 verify --json" "t2 dump --shape 64x512 --tile 0,0" "t2 dump --json --shape 64x512 --tile 0,0"; do
    # shellcheck disable=SC2086
    quiet "file name: $what" "$t" $what "$f.t2"
done
quiet "file name: gguf" "$t" t2 info "$f.gguf"
quiet "file name: model info" "$t" model info "$f.safetensors"
quiet "file name: no model" "$t" model info "$f.t2"
quiet "file name: words" "$t" eval --model "$f.safetensors" "$f.txt"
quiet "file name: output" "$t" t2 convert --from q1_0 "$f.txt" --shape 1x1 -o "$tmp/none/$name"
piped "file name: console" "open $f.safetensors
get start
open $f.t2" "$t" console
piped "file name: explorer's script" ":open $f.no" "$t" --script -
piped "file name: screen" ":open $f.t2
:screen" "$t" --script -

# what stands in files
st() { # HEADER DATA: a safetensors file
    local n=${#1}
    printf '%b' "$(printf '\\x%02x\\x%02x\\0\\0\\0\\0\\0\\0' $((n & 255)) $((n >> 8)))"
    printf '%s%s' "$1" "$2"
}
LC_ALL=C
st '{"__metadata__":{"format":"\u001b]0;X\u0007\u009b\u202e"},"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}' abcd >"$tmp/meta.safetensors"
st '{"a\u001b\u202e":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}' abcd >"$tmp/name.safetensors"
st '{"w":{"dtype":"\u001b\u202e","shape":[4],"data_offsets":[0,4]}}' abcd >"$tmp/dtype.safetensors"
for file in meta name dtype; do
    quiet "values of a file: t2 info, $file" "$t" t2 info "$tmp/$file.safetensors"
    quiet "values of a file: t2 info --json, $file" "$t" t2 info --json "$tmp/$file.safetensors"
    quiet "values of a file: model info, $file" "$t" model info "$tmp/$file.safetensors"
done
contains "in JSON as JSON has it" "$("$t" t2 info --json "$tmp/meta.safetensors")" '\u001B]0;X\u0007\u009b\u202e'
"$t" model export-hex assets/words-repaired.safetensors "$tmp/hex" && echo "$evil" >>"$tmp/hex/wq.hex"
quiet "a hex word" "$t" model import "$tmp/hex" -o "$tmp/m.safetensors"
contains "is told escaped" "$(cat "$tmp/said")" '\x1b]0;X\x07'
echo "$evil 1" >"$tmp/hex/model.txt"
quiet "a model's description" "$t" model import "$tmp/hex" -o "$tmp/m.safetensors"

# scripts and lessons
lua() { # WHAT SOURCE
    printf '%s\n' "$2" >"$tmp/s.lua"
    quiet "$1" "$t" lua "$tmp/s.lua"
}
e='\27]0;X\7\xc2\x9b\xe2\x80\xae'
lua "print" "print('a$e', 'b$e')"
contains "print keeps what is harmless" "$(printf 'print("\\tä\\n漢", "e\\xcc\\x81")' >"$tmp/s.lua" && "$t" lua "$tmp/s.lua")" $'\tä\n漢\te\xcc\x81'
lua "error" "error('a$e')"
lua "error in a line of the source" "x = '$evil' .. nil"
lua "what the machine refuses" "machine():command('$e')"
lesson() { # FIELDS
    printf '%s\n' "return lesson { id = 'evil', title = '${title-T}', minutes = 1, page { say = 'S$e', $1 } }" >"$tmp/l.lua"
}
lesson "task = 't$e', check = function() return false, 'why$e' end, auto = 'step 1'"
quiet "lesson --check: a reason" "$t" lesson --check "$tmp/l.lua"
quiet "lesson --check: in JSON" "$t" lesson --check --json "$tmp/l.lua"
printf '1 step 1\n' >"$tmp/answers"
quiet "lesson --answers: a reason" "$t" lesson "$tmp/l.lua" --answers "$tmp/answers"
contains "which is reached" "$(cat "$tmp/said")" '1 wrong why\x1b]0;X\x07'
printf '1 %s\n' "$evil" >"$tmp/answers"
quiet "lesson --answers: an answer" "$t" lesson "$tmp/l.lua" --answers "$tmp/answers"
printf '%s\n' "$evil" >"$tmp/answers"
quiet "lesson --answers: a bad line" "$t" lesson "$tmp/l.lua" --answers "$tmp/answers"
lesson "ask { choice = 'c $e\\xff', options = { 'a$e\\xff', 'b$e' }, answer = 1 }"
quiet "lesson --print: texts, also what is no UTF-8" "$t" lesson "$tmp/l.lua" --print
contains "is printed escaped" "$(cat "$tmp/said")" '1. a\x1b\]0;X\x07\xc2\x9b\xe2\x80\xae\xff' # ] is Markdown's
title="a$e" lesson "task = 't', check = 'step 1', auto = 'step 1'"
quiet "lesson --check: a title" "$t" lesson --check "$tmp/l.lua"
lesson "check = 5"
quiet "lesson --check: an error" "$t" lesson --check "$tmp/l.lua"
piped "console: a command" "$evil" "$t" console
piped "console: print" "print('$e')" "$t" console
piped "console: an operand" "get $evil" "$t" console
piped "console: an expression" "break q[0] == $evil" "$t" console
piped "a script of keys" ":nothing$evil" "$t" --script -
piped "a script of keys: a key" "$evil" "$t" --script -
piped "a script's console on the screen" ":print('$e')
:screen" "$t" --script -

# a line without an end is refused, not held
truncate -s 3M "$tmp/zeros" && tr '\0' 'a' <"$tmp/zeros" >"$tmp/long"
for what in "eval --model assets/words-repaired.safetensors" "lua" "--script"; do
    # shellcheck disable=SC2086
    refused "a line of 3 MiB: $what" "" "$t" $what "$tmp/long"
done
refused "a line of 3 MiB: console" "stdin: line 1: longer than 1 MiB" bash -c '"$0" console <"$1"' "$t" "$tmp/long"
refused "a line of 3 MiB: answers" "" "$t" lesson 01-token --answers "$tmp/long"
finish
