#!/usr/bin/env bash
# tokstep fmt: the contract of cli.md.
. tests/tap.sh
golden=tests/golden/formats
fmt() { "$TOKSTEP" fmt "$@"; }
sha() { sha256sum | cut -d' ' -f1; }

# --codes: the files, and the digests of what is kept only as a digest
for file in "$golden"/codes-*.txt; do
    name=${file##*codes-}
    name=${name%.txt}
    fmt --codes "$name" | cmp -s - "$file"
    result $? "--codes $name is the golden file"
done
for name in q8.8 fp16 bf16 e4m3 e8m0; do
    want=$(awk -v f="$name" -F' *[|] *' '$2 == f {print $4}' "$golden/README.md")
    equals "--codes $name has the golden digest" "$(fmt --codes $name | sha)" "$want"
done

# --encode from stdin: whole golden columns
for file in "$golden"/encode-*.txt; do
    name=${file##*encode-}
    name=${name%.txt}
    cut -d' ' -f1 "$file" >"$tmp/values"
    fmt --encode "$name" --overflow ieee - <"$tmp/values" >"$tmp/ieee"
    fmt --encode "$name" - <"$tmp/values" >"$tmp/sat"
    paste -d' ' "$tmp/values" "$tmp/ieee" "$tmp/sat" | cmp -s - "$file"
    result $? "--encode $name reproduces its golden file"
done
for file in "$golden"/rounding-*.txt; do
    name=${file##*rounding-}
    name=${name%.txt}
    cut -d' ' -f1 "$file" >"$tmp/values"
    for mode in ne away tz up down; do
        fmt --encode "$name" --round $mode - <"$tmp/values" >"$tmp/$mode"
    done
    paste -d' ' "$tmp"/{values,ne,away,tz,up,down} | cmp -s - "$file"
    result $? "--round reproduces the golden $name file"
done

# --encode with arguments
equals "one code a line" "$(fmt --encode e4m3 200 -1.5 -.5 inf -inf nan -0 0x1.8p3 bits32:0x3f800000)" \
    "74
bc
b0
7e
fe
7f
80
54
38"
# fractions A/B, against Python's: ties, just beside them, carries, the ends, one rounding
fractions() { # FORMAT A/B...: the codes in a line
    fmt --encode "$@" | tr '\n' ' '
}
equals "fractions in q8.8" \
    "$(fractions q8.8 -192/256 1/3 -1/3 1/512 3/512 -3/512 257/512 259/512 65535/512 -128/1 -32769/256 0/7)" \
    "ff40 0055 ffab 0000 0002 fffe 0080 0082 7fff 8000 8000 0000 "
equals "fractions in e4m3" \
    "$(fractions e4m3 -192/256 1/3 17/16 19/16 -19/16 1/1024 1/1023 1/1025 3/1024 464/1 -0/7 896/2)" \
    "b4 2b 38 3a ba 00 01 00 02 7e 80 7e "
equals "fractions in fp32, bf16, e5m2" \
    "$(fractions fp32 1/3 -2/3 +1/10) $(fractions bf16 1/3 257/256 259/256) $(fractions e5m2 9/8 11/8 -1/131072)" \
    "3eaaaaab bf2aaaab 3dcccccd  3eab 3f80 3f82  3c 3e 80 "
z=000000000000000000000000000000
equals "a fraction is rounded once, whatever its length" \
    "$(fractions fp16 2049/2048 2049${z}1/2048${z}0 -2049${z}1/2048${z}0 204800${z}1/204900${z}1)" "3c00 3c01 bc01 3bff "
equals "directed" "$(fmt --encode q8.8 --round up -1/3; fmt --encode q8.8 --round up 1/3)" "ffab
0056"
equals "stdin takes them" "$(printf -- '-192/256\n 1/3\r\n' | fmt --encode q8.8 - | tr '\n' ' ')" "ff40 0055 "
contains "the table tells the value" "$(fmt -- -192/256)" "value -192/256 = -0.75"
contains "JSON too" "$(fmt --json -192/256 | tr -d ' \n')" '{"typed":"-192/256","value":-0.75,"formats":[{"format":"q8.8","code":"ff40"'
refused "a division by zero" "1/0: a division by zero at character 3" fmt 1/0
refused "a fraction of decimals" "1.5/2: '/' at character 4, where the end should be" fmt --encode e4m3 1.5/2
refused "a format where a value should be" "q8.8: is a format, not a value; fmt --encode q8.8" fmt q8.8 -192/256
equals "wrap" "$(fmt --encode q8.8 --overflow wrap 200)" c800
equals "option with =" "$(fmt --encode=q8.8 --overflow=wrap 200)" c800
equals "tf32 has five digits" "$(fmt --encode tf32 0)" 00000
equals "-- ends the options" "$(fmt --encode e4m3 -- -1)" b8
equals "stochastic repeats with its seed" \
    "$(seq 100 | sed 's/.*/1.06/' | fmt --encode e4m3 --round stochastic --seed 5 - | sha)" \
    "$(seq 100 | sed 's/.*/1.06/' | fmt --encode e4m3 --round stochastic --seed 5 - | sha)"
equals "stochastic takes both neighbours" \
    "$(seq 100 | sed 's/.*/1.06/' | fmt --encode e4m3 --round stochastic --seed 5 - | sort -u | tr '\n' ' ')" \
    "38 39 "

# the stream
printf '1\n2\n1.2.3\n4\n' | fmt --encode e4m3 - >"$tmp/out" 2>"$tmp/err"
equals "a bad line exits 2" "$?" 2
equals "earlier lines stand" "$(tr '\n' ' ' <"$tmp/out")" "38 40 "
equals "the line and the position are named" "$(cat "$tmp/err")" \
    "tokstep: stdin: line 3: '.' at character 4, where the end should be"
equals "the last line needs no newline, CR is a blank" "$(printf '1\r\n2' | fmt --encode e4m3 - | tr '\n' ' ')" "38 40 "
equals "nothing in, nothing out" "$(fmt --encode e4m3 - </dev/null; echo $?)" 0
{ echo 1; head -c 300000 /dev/zero | tr '\0' 7; } | fmt --encode e4m3 - >"$tmp/out" 2>"$tmp/err"
equals "an endless line is refused" "$? $(cat "$tmp/out" "$tmp/err")" \
    "2 38
tokstep: stdin: line 2: more than 4096 characters"
equals "the longest token may end in CRLF" \
    "$(printf '7%.0s' {1..4096} | sed 's/$/\r/' | fmt --encode e4m3 - 2>&1)" 7e
printf '1\n\n2\n' | fmt --encode e4m3 - >"$tmp/out" 2>"$tmp/err"
equals "an empty line is no value" "$? $(cat "$tmp/err")" \
    "2 tokstep: stdin: line 2: ends at character 1, where a number should be"
fmt --encode e4m3 - </ >/dev/null 2>"$tmp/err"
equals "stdin that cannot be read" "$? $(cat "$tmp/err")" "2 tokstep: stdin: cannot read: Is a directory"
seq 1000000 | fmt --encode fp16 - | head -1 >"$tmp/out"
equals "a closed pipe ends it quietly" "$(cat "$tmp/out")" 3c00
if [ -e /dev/full ]; then
    fmt --encode e4m3 1 >/dev/full 2>"$tmp/err"
    equals "a full disk is an error" "$? $(wc -l <"$tmp/err")" "2 1"
    seq 200000 | fmt --encode e4m3 - >/dev/full 2>"$tmp/err"
    equals "a full disk is an error of the stream" "$? $(cat "$tmp/err")" \
        "2 tokstep: stdout: cannot write: No space left on device"
    (trap '' PIPE && yes 1 2>/dev/null) | timeout 20 "$TOKSTEP" fmt --encode e4m3 - >/dev/full 2>"$tmp/err"
    equals "and ends it, however much is to come" "${PIPESTATUS[1]} $(wc -l <"$tmp/err")" "2 1"
fi

# a million values a second, in constant memory
awk 'BEGIN { srand(1); for (i = 0; i < 2000000; i++) printf "%.7g\n", (rand() - 0.5) * 900 }' >"$tmp/many"
start=$(date +%s%N)
(ulimit -v 60000 && fmt --encode e4m3 - <"$tmp/many") | wc -l >"$tmp/out"
millis=$((($(date +%s%N) - start) / 1000000))
equals "two million values in 60 MB of address space" "$(cat "$tmp/out")" 2000000
[ $millis -lt 2000 ]
result $? "at a million values a second" "2000000 values took $millis ms"

# rows
row() { fmt "$2" | awk -v f="$1" '$1 == f' | tr -s ' ' | sed 's/ $//'; }
equals "a row of 200 in e4m3" "$(row e4m3 200)" \
    "e4m3 74 0 1110 100 192 normal tie
e4m3 -8 -4 % 176 208
e4m3 75 208 round half away"
equals "a row of 0.5898 in q8.8" "$(row q8.8 0.5898 | head -2)" \
    "q8.8 0097 00000000.10010111 0.58984375 normal
q8.8 0.00004375 0.00742 % 0.5859375 0.59375"
equals "200 saturates q8.8, or wraps" "$(row q8.8 200 | head -2)" \
    "q8.8 7fff 01111111.11111111 127.99609375 max saturated
q8.8 -72.00390625 -36 % 127.9921875 - c800"
equals "--overflow applies to rows" "$(fmt --overflow wrap 200 | awk '$1 == "q8.8" {print $2, $5, $6; exit}')" "c800 normal wrapped"
contains "rounding twice is shown" "$(fmt 1.0625001)" \
    "e4m3      38     1                      through fp16; once gives 39"
for value in 200 0.1 1e-4 nan -0 464 1e999999 -0x1.fffffep127 bits32:0x33000001; do
    fmt $value | awk 'length > 80 || / $/ {bad = 1} END {exit bad}'
    result $? "the tables of $value fit 80 columns"
done
equals "several values" "$(fmt 1 2 | grep -c '^value')" 2
fmt --round up 1e9 | grep -q '^e4m3: overflow in a directed mode is unspecified by OCP'
result $? "directed overflow is marked"

# --bits
equals "a code is decoded" "$(fmt --bits e4m3:0x7e | sed -n 's/^value *//p')" 448
equals "several codes" "$(fmt --bits e8m0:0xff q8.8:0xFF7F --bits fp32:0x1 | sed -n 's/^value *//p' | cut -c1-12 | tr '\n' ' ')" \
    "nan -0.50390625 0.0000000000 "
contains "the same byte elsewhere" "$(fmt --bits e4m3:0x7e)" "e4m3fnuz  224"

# --block
equals "a block" "$(fmt --block mxfp4 7 -0.3 2.5)" \
    "scale 7f 1
0 7 6 -1
1 9 -0.5 -0.2
2 4 2 -0.5"
equals "a block with another rule" "$(fmt --block mxfp4 --scale rceil 7 -0.3 | head -2)" \
    "scale 80 2
0 6 8 1"
equals "nvfp4 with a tensor scale" "$(fmt --block nvfp4 --tensor-scale 0.5 3 -1.5)" \
    "scale 38 1
0 7 3 0
1 d -1.5 0"
equals "the reciprocal differs, and is shown" \
    "$(fmt --block nvfp4 --reciprocal bits32:0x3CC3FFFF 0.08203125 | sed -n 2p | cut -d' ' -f1-3,5-)" \
    "0 4 0.02734375 exact 3 0.0205078125"
equals "the recipe's tensor scale" "$(fmt --block nvfp4 --tensor-scale auto 6 1 | head -1)" "scale 7e 448"
equals "t2" "$(fmt --block t2 -0.75 0 0.75 0.1)" \
    "scale 3a00 0.75
0 0 -0.75 0
1 1 0 0
2 2 0.75 0
3 1 0 -0.1"
while read -r kind rule scale codes _ values; do
    [ "$kind" = nvfp4 ] && option=--tensor-scale || option=--scale
    # shellcheck disable=SC2086
    got=$(fmt --block "$kind" $option "$rule" $values | awk 'NR == 1 {s = $2; next} {c = c $2} END {print s, c}')
    [ "$got" = "$scale $codes" ] || echo "$kind $rule: $got"
done <"$golden/blocks.txt" >"$tmp/out"
equals "every golden block" "$(cat "$tmp/out")" ""

# refusals: one line, exit 2, nothing on stdout
refused "garbage" "1.2.3: '.' at character 4" fmt 1.2.3
refused "0x" "0x: ends at character 3" fmt 0x
refused "nothing at all" "fmt: give it a value" fmt
refused "an empty value" "'': ends at character 1" fmt ""
refused "a long exponent" "more than 6 digits at character 3" fmt "1e$(printf '9%.0s' {1..400})"
refused "a long token" "more than 4096 characters" fmt "$(printf '7%.0s' {1..4097})"
refused "no half output" "x: 'x' at character 1" fmt --encode e4m3 1 2 x
refused "no such format" "e9m9: no such format" fmt --encode e9m9 1
refused "no such option" "--rounding: no such option" fmt --rounding up 1
refused "no such mode" "--round nearest: not one of" fmt --round nearest 1
refused "no such policy" "--overflow clip: not one of" fmt --overflow clip 1
refused "no such rule" "--scale round: not one of" fmt --block mxfp4 --scale round 1
refused "no such block" "mxfp5: no such block format" fmt --block mxfp5 1
refused "an option without its value" "--encode: needs a value" fmt --encode
refused "a seed that is none" "--seed -1: not a number" fmt --round stochastic --seed -1 1
refused "a seed behind a blank" "--seed  -1: not a number" fmt --round stochastic --seed " -1" 1
refused "a seed without effect" "--seed: is for --round stochastic" fmt --seed 1 1
refused "a rule without effect" "--scale: is for --block with an MX format" fmt --block nvfp4 --scale ceil 1
refused "a tensor scale without effect" "--tensor-scale: is for" fmt --block mxfp4 --tensor-scale 1 1
refused "a reciprocal without effect" "--reciprocal: is for" fmt --reciprocal 1
refused "rounding without effect" "--round: is for" fmt --codes e4m3 --round up
refused "two requests" "only one of" fmt --codes e4m3 --encode e4m3 1
refused "a tensor scale beyond fp32" "not a positive fp32 number" fmt --block nvfp4 --tensor-scale 1e39 1
refused "a tensor scale of zero" "not a positive fp32 number" fmt --block nvfp4 --tensor-scale 0 1
refused "a block too long" "a block has 1 to 16 values, not 17" fmt --block nvfp4 {1..17}
refused "codes of a wide format" "has 19 bits" fmt --codes tf32
refused "bits without a format" "not FORMAT:0xHEX" fmt --bits 0x7e
refused "bits of no digits" "a hex digit should be" fmt --bits e4m3:0x
refused "bits that do not fit" "e4m3 has 8 bits" fmt --bits e4m3:0x100
refused "bits beyond 64" "fp32 has 32 bits" fmt --bits fp32:0x11111111111111111
refused "stdin among values" "reads all values from stdin" fmt --encode e4m3 1 -
contains "the help names the generator" "$("$TOKSTEP" fmt --help)" splitmix64
# JSON says what the text says.
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
equals "json: a value in every format" "$("$TOKSTEP" fmt --json 0.3 1e999 | json 'len(d["values"]), d["values"][1]["value"], [(f["format"], f["code"], f["value"], f["above"]) for f in d["values"][0]["formats"]][:1], len(d["values"][0]["formats"])')" \
    "(2, 'inf', [('q8.8', '004d', 0.30078125, 0.3046875)], 16)"
equals "json: the codes of the table" "$("$TOKSTEP" fmt --json -1.7 | json '" ".join(f["code"] for f in d["values"][0]["formats"])')" \
    "$("$TOKSTEP" fmt -1.7 | awk '/^format/ { n++; next } n == 1 && NF > 2 { print $2 }' | paste -sd' ')"
equals "json: nan and inf are text" "$("$TOKSTEP" fmt --json --overflow ieee inf | json '[f["value"] for f in d["values"][0]["formats"] if f["format"] in ("e4m3", "e5m2")]')" "['nan', 'inf']"
equals "json: rounded twice" "$("$TOKSTEP" fmt --json 0x1.0100000001p0 | json '[(f["code"], f["twice"]) for f in d["values"][0]["formats"] if f["format"] == "bf16"]')" \
    "[('3f81', [{'through': 'fp32', 'code': '3f80'}])]"
equals "json: --bits" "$("$TOKSTEP" fmt --json --bits e4m3:0x7e --bits fp16:0x3555 | json '[(c["format"], c["value"], c["class"], c["nearest"]["low"]) for c in d["codes"]]')" \
    "[('e4m3', 448.0, 'max', 432.0), ('fp16', 0.333251953125, 'normal', 0.3331298828125)]"
equals "json: --codes" "$("$TOKSTEP" fmt --json --codes e5m2 | json 'd["format"], len(d["codes"]), d["codes"][0x7c], d["codes"][0xbc]')" \
    "('e5m2', 256, {'code': '7c', 'value': 'inf'}, {'code': 'bc', 'value': -1.0})"
equals "json: --encode" "$("$TOKSTEP" fmt --json --encode bf16 1 0.1 | json '[(c["typed"], c["code"]) for c in d["codes"]]')" "[('1', '3f80'), ('0.1', '3dcd')]"
equals "json: --block" "$("$TOKSTEP" fmt --json --block mxfp4 1 2 -6.5 nan | json 'd["block"], d["scale"], [(e["code"], e["value"], e["error"]) for e in d["elements"]][2:]')" \
    "('mxfp4', {'code': 'ff', 'value': 'nan'}, [('7', 'nan', None), ('7', 'nan', None)])"
refused "json: not of a stream" "--json: is for values that are arguments" "$TOKSTEP" fmt --json --encode bf16 -
refused "json: a bad value, and no document" "'x' at character 1" "$TOKSTEP" fmt --json 1 x

finish
