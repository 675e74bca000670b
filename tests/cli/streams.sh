# Standard streams as shells leave them: closed, full, a directory, a file of zero bytes, `-`.
. tests/tap.sh
says() { # NAME WANT: exit 2 and this one line
    equals "$1" "$rc $(cat "$tmp/err")" "2 $2"
}

for part in "console" "fmt --encode q8.8 -" "--script -" "lua -"; do
    "$TOKSTEP" $part <&- >"$tmp/out" 2>"$tmp/err"
    rc=$?
    says "$part: stdin is closed" "tokstep: stdin: cannot read: Bad file descriptor"
    "$TOKSTEP" $part <"$tmp" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    says "$part: stdin is a directory" "tokstep: stdin: cannot read: Is a directory"
done

for part in "--version" "run" "lesson" "fmt 1"; do
    "$TOKSTEP" $part >&- 2>"$tmp/err"
    rc=$?
    says "$part: stdout is closed" "tokstep: stdout: cannot write: Bad file descriptor"
done
"$TOKSTEP" t2 poke assets/words.w2.t2 --at 0=ff -o "$tmp/poked.t2" >&- 2>"$tmp/err"
cmp -s <("$TOKSTEP" t2 poke assets/words.w2.t2 --at 0=ff -o /dev/stderr 2>&1 >/dev/null) "$tmp/poked.t2"
result $? "a file never gets the number of a stream that is closed"

if [ -w /dev/full ]; then # more than a buffer: the write that fails is not the last one
    for part in "run --golden" "run --dump q --tokens 50" "fmt --codes q8.8" "lua --api"; do
        "$TOKSTEP" $part >/dev/full 2>"$tmp/err"
        rc=$?
        says "$part: a full disk" "tokstep: stdout: cannot write: No space left on device"
    done
fi

printf ':get start\n\0:frobnicate\n' >"$tmp/zero"
refused "a script with a zero byte" "zero: no text: a zero byte, at byte 11" "$TOKSTEP" --script "$tmp/zero"
printf 'get start\n\0frobnicate\n' | "$TOKSTEP" console >/dev/null 2>"$tmp/err"
rc=$?
says "a console line with one" "tokstep: stdin: line 2: no text: a zero byte"
refused "a script that is a directory" ": cannot read: Is a directory" "$TOKSTEP" --script "$tmp"

equals "lua - is stdin" "$(echo 'print(arg[1])' | "$TOKSTEP" lua - x)" x
echo 'x x' | "$TOKSTEP" lua - 2>"$tmp/err"
rc=$?
equals "its errors name it" "$rc $(cat "$tmp/err")" "1 tokstep: stdin:1: syntax error near 'x'"
equals "eval - is stdin" \
    "$(echo cat | "$TOKSTEP" eval --model assets/words-repaired.safetensors - | cut -d' ' -f4)" 4
equals "--answers - is stdin" "$(echo '1 1' | "$TOKSTEP" lesson 00 --answers - | tail -1 | cut -d' ' -f1)" score
finish
