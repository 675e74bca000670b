#!/usr/bin/env bash
# tokstep trace: GTKWave's reader accepts the files, values are those of the machine, refusals.
. tests/tap.sh

small=(--set d_model=8 --set n_heads=2 --set d_ff=5 --set max_seq_len=4 --stimulus random:7:9000:9000)

# at FILE NAME TIME: the value of the first variable NAME at that time, as it stands in the file
at() {
    awk -v name="$2" -v time="$3" '
        $1 == "$var" && $5 == name && id == "" { id = $4 }
        /^#/ && substr($0, 2) + 0 > time { exit }
        !header && $1 == "$enddefinitions" { header = 1; next }
        header && /^[brs]/ && $2 == id { value = substr($1, 2) }
        header && /^[01]/ && substr($0, 2) == id { value = substr($0, 1, 1) }
        END { print value }' "$1"
}

"$TOKSTEP" trace --tokens 2 -o "$tmp/deck.vcd"
equals "trace ends well and quietly" "$?" 0
for options in "" "--strings" "--real --strings" "--signals K,V,wq,top.state --real"; do
    # shellcheck disable=SC2086
    "$TOKSTEP" trace "${small[@]}" --tokens 4 $options -o "$tmp/t.vcd" &&
        vcd2fst "$tmp/t.vcd" "$tmp/t.fst" 2>"$tmp/err" && [ ! -s "$tmp/err" ] && [ -s "$tmp/t.fst" ]
    result $? "vcd2fst accepts it: ${options:-no options}" "$(cat "$tmp/err" 2>/dev/null)"
    # read back: the same variables, the same changes (fst2vcd pads bits and sorts within a time)
    fst2vcd "$tmp/t.fst" | awk '/^\$var/ { print $5 }' | sort >"$tmp/names"
    awk '/^\$var/ { print $5 }' "$tmp/t.vcd" | sort | cmp -s - "$tmp/names"
    result $? "and finds all its variables: ${options:-no options}"
done

contains "instances are scopes" "$(tr '\n' ' ' <"$tmp/deck.vcd" | cut -c1-9000)" '$scope module u_softmax $end $var reg 3 '
equals "a clock is 10 units, the last cycle whole" "$(tail -1 "$tmp/deck.vcd")" "#$((10 * (2954 + 2958 + 1)))"
equals "scopes are closed" "$(grep -c '^\$scope' "$tmp/deck.vcd")" "$(grep -c '^\$upscope' "$tmp/deck.vcd")"
equals "the clock rises with the cycle" "$(at "$tmp/deck.vcd" clk 4430) $(at "$tmp/deck.vcd" clk 4435)" "1 0"
equals "the KV cache is left out" "$(grep -c k_mem_q "$tmp/deck.vcd")" 0

"$TOKSTEP" trace --signals 'softmax.exp[37],smax.state,softmax.max,K[0][3],q' --strings --real -o "$tmp/some.vcd"
equals "an element is a variable" "$(at "$tmp/some.vcd" '\exp_q[37]' 4430) $(at "$tmp/some.vcd" '\exp_q[37]' 4440)" \
    "0 100000000"
equals "its value beside it" "$(at "$tmp/some.vcd" '\exp_q[37]_real' 4440)" 1
equals "states by name" "$(at "$tmp/some.vcd" state_q 4430) $(at "$tmp/some.vcd" state_q 0)" "SUBTRACT_EXP IDLE"
word=$("$TOKSTEP" run --dump 'K[0][3]' | tail -1 | cut -d' ' -f2)
equals "a word of the cache" "$((2#$(at "$tmp/some.vcd" '\k_mem_q[0][3]' 29540)))" "$((16#$word))"
"$TOKSTEP" trace --from 440 --to 450 -o "$tmp/window.vcd"
equals "a window" "$(grep '^#' "$tmp/window.vcd" | sed -n '1p;$p' | tr '\n' ' ')" "#4400 #4510 "
equals "begins with every value" "$(at "$tmp/window.vcd" centered_q 4400)" "$(at "$tmp/deck.vcd" centered_q 4400)"
"$TOKSTEP" trace "${small[@]}" --to 999999999999 -o "$tmp/end.vcd"
equals "the end of the run ends the file" "$(tail -1 "$tmp/end.vcd")" "#$((10 * ($("$TOKSTEP" run "${small[@]}" | cut -d' ' -f4) + 2)))"

# the whole vectors of the last cycle against the words that run prints
out=$("$TOKSTEP" run --tokens 2 | tail -1 | cut -d' ' -f6-)
bits=$(at "$tmp/deck.vcd" out_emb_q 99999999)
bits=$(printf "%1024s" "$bits" | tr ' ' 0)
got=
for ((i = 1008; i >= 0; i -= 16)); do got+=$(printf ' %04x' $((2#${bits:i:16}))); done
equals "element 0 in the lowest bits" "${got# }" "$out"

printf 'step 20\nset ln1.centered[2] 0x1234\nstep 5\nvcd %s\nvcd %s 3 7\n' "$tmp/live.vcd" "$tmp/cut.vcd" |
    "$TOKSTEP" console "${small[@]}" >"$tmp/said"
equals "from the live session" "$(grep -c ': cycles ' "$tmp/said") $(tail -1 "$tmp/live.vcd") $(tail -1 "$tmp/cut.vcd")" "2 #260 #80"
bits=$(at "$tmp/live.vcd" centered_q 200)
bits=$(printf "%128s" "$bits" | tr ' ' 0)
equals "with what was poked" "$((2#${bits:80:16}))" $((16#1234))

"$TOKSTEP" trace --variant stream --signals attn.acc,attn.j --real --to 500 -o "$tmp/acc.vcd"
equals "a sum of products has 16 fraction bits" "$(at "$tmp/acc.vcd" acc_q_real 2900)" \
    "$(printf 'goto 290\nm:value("attn.acc")\n' | "$TOKSTEP" console --variant stream | tail -1)"

for options in "--variant stream --signals K,wq,attn.acc,V[3][2] --real" "--tokens 3 --real --strings"; do
    # shellcheck disable=SC2086
    "$TOKSTEP" trace "${small[@]}" $options -o "$tmp/a.vcd"
    # shellcheck disable=SC2086
    "${TOKSTEP_ASAN:-$TOKSTEP}" trace "${small[@]}" $options -o "$tmp/b.vcd" 2>"$tmp/asan"
    result "$?" "under the sanitizers: $options" "$(cat "$tmp/asan")"
    equals "to the byte: $options" "$(cmp "$tmp/a.vcd" "$tmp/b.vcd" 2>&1)" ""
done
contains "stream's cache is a memory of words" "$("$TOKSTEP" trace "${small[@]}" --variant stream --signals 'K[2][1]' -o "$tmp/w.vcd" && cat "$tmp/w.vcd")" '\mem_q[17] [15:0]'

echo keep >"$tmp/keep.vcd"
refused "a bad signal leaves the file alone" "no such signal" "$TOKSTEP" trace --signals top.state,nope -o "$tmp/keep.vcd"
refused "beyond the end" "from 99999: the run ends at cycle 2954" "$TOKSTEP" trace --from 99999 -o "$tmp/keep.vcd"
refused "backwards" "comes after" "$TOKSTEP" trace --from 9 --to 3 -o "$tmp/keep.vcd"
equals "and so it is" "$(cat "$tmp/keep.vcd") $(ls "$tmp" | grep -c '^keep.vcd')" "keep 1"
refused "no file" "names no file" "$TOKSTEP" trace
refused "nowhere to write" "cannot write" "$TOKSTEP" trace -o "$tmp/no/such/dir.vcd"
refused "no cycle" "--from x" "$TOKSTEP" trace --from x -o "$tmp/x.vcd"
refused "unknown option" "no such option" "$TOKSTEP" trace --fast -o "$tmp/x.vcd"
refused "a comma at the end" "comma" "$TOKSTEP" trace --signals q, -o "$tmp/x.vcd"
refused "no signal" "none are named" "$TOKSTEP" trace --signals= -o "$tmp/x.vcd"
refused 'stdout is no file' '-: must be a file' "$TOKSTEP" trace -o -
[ ! -e ./- ]
result $? 'and none of that name appears'
"$TOKSTEP" trace --to 3 --signals q[0] --signals=k[0] -o="$tmp/two.vcd"
equals "a second --signals adds to the first, -o=FILE is -o FILE" "$(grep -c 'var reg' "$tmp/two.vcd")" 2
# What is named twice is declared once; an element beside its packed vector is a variable of its own.
declared() { "$TOKSTEP" trace --to 3 "$@" -o "$tmp/twice.vcd" && grep '^\$var' "$tmp/twice.vcd" | awk '{ print $5 }' | sort | paste -sd' '; }
equals "a signal named twice" "$(declared --signals q,q,top.state --signals top.state,q)" 'clk q_q rst_n state_q'
equals "an element named twice" "$(declared --signals 'q[3],q[4],q[3]')" "$(declared --signals 'q[3],q[4]')"
equals "elements of a memory too" "$(declared --variant stream --signals 'K[1][2],K,K[1][2]')" "$(declared --variant stream --signals 'K')"
equals "and rows of the array's lines" "$(declared --variant array --signals 'array.acc,array.acc[1][1]')" "$(declared --variant array --signals 'array.acc')"
equals "dumped once" "$("$TOKSTEP" run --dump 'valid,q[0],valid,q[0]' | tail -n +2)" $'valid[0] 1\nq[0] 003f'

finish
