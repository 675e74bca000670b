#!/usr/bin/env bash
# tokstep systolic: exact texts.
set -u
. tests/tap.sh

sys() { "$TOKSTEP" systolic "$@" 2>&1; }

equals "the known result, padded to 4 x 4" "$(sys --a '1 2; 3 4' --b '5 6; 7 8')" \
"19 22
43 50
edges 8
macs 8 of 128
utilisation 6.25 %
tokens at once 1: utilisation 3.12 %
tokens at once 4: utilisation 12.50 %"

trace="edge 0  fill  wavefronts k 0..0  macs 1  done 0
  a 1 0
  b 5 0
  pe 0,0  k 0  1 * 5 = 5  acc 5
  sums 5 0; 0 0
edge 1  fill  wavefronts k 0..1  macs 3  done 0
  a 2 3
  b 7 6
  pe 0,0  k 1  2 * 7 = 14  acc 19
  pe 0,1  k 0  1 * 6 = 6  acc 6
  pe 1,0  k 0  3 * 5 = 15  acc 15
  sums 19 6; 15 0
edge 2  drain  wavefronts k 0..1  macs 3  done 1
  a 0 4
  b 0 8
  pe 0,1  k 1  2 * 8 = 16  acc 22
  pe 1,0  k 1  4 * 7 = 28  acc 43
  pe 1,1  k 0  3 * 6 = 18  acc 18
  sums 19 22; 43 18
edge 3  drain  wavefronts k 1..1  macs 1  done 1
  a 0 0
  b 0 0
  pe 1,1  k 1  4 * 8 = 32  acc 50
  sums 19 22; 43 50"
result_2x2="19 22
43 50
edges 4
macs 8 of 16
utilisation 50.00 %
tokens at once 1: utilisation 25.00 %
tokens at once 2: utilisation 50.00 %"
equals "every edge of it on 2 x 2" \
    "$(sys --a '1 2; 3 4' --b '5 6; 7 8' --rows 2 --cols 2 --trace)" "$trace
$result_2x2"
equals "the legacy done is an edge late" \
    "$(sys --a '1 2; 3 4' --b '5 6; 7 8' --rows 2 --cols=2 --trace --done legacy)" \
    "${trace/macs 3  done 1/macs 3  done 0}
$result_2x2"

equals "values and raw sums" "$(sys --q88 --a '0.5 -1.25' --b '1.5; 0.00390625' --rows 1 --cols 1)" \
"0.7451171875
raw 48832
edges 2
macs 2 of 2
utilisation 100.00 %
tokens at once 1: utilisation 100.00 %"
equals "raw words, commas, a row's end at the end" "$(sys --a '0xffff,0x0010;' --b '3;-2;' | head -1)" "-35"
equals "the nearest Q8.8 word" "$(sys --q88 --a 0.5898 --b 1 | head -2)" "0.58984375
raw 38656"

equals "a larger product runs as tiles" \
    "$(sys --a '1 2; 3 4; 5 6' --b '1 0 2; 0 1 3' --rows 2 --cols 2)" \
"1 2 8
3 4 18
5 6 28
edges 16 (4 tiles of 4)
macs 18 of 64
utilisation 28.12 %
tokens at once 1: utilisation 18.75 %
tokens at once 2: utilisation 37.50 %"
equals "a trace names its tiles" \
    "$(sys --a '1 2; 3 4; 5 6' --b '1 0 2; 0 1 3' --rows 2 --cols 2 --trace | grep tile)" \
"tile 0  rows 0..1  columns 0..1
tile 1  rows 0..1  columns 2..2
tile 2  rows 2..2  columns 0..1
tile 3  rows 2..2  columns 2..2
edges 16 (4 tiles of 4)"
a='1 2 3 4 5 6 7 8'
equals "one token keeps one row busy" \
    "$(sys --a "$a" --b "$(printf '1 1 1 1;%.0s' {1..8})" | tail -6)" \
"36 36 36 36
edges 14
macs 32 of 224
utilisation 14.29 %
tokens at once 1: utilisation 14.29 %
tokens at once 4: utilisation 57.14 %"
equals "a sum that wraps is told" "$(sys --a '-32768 -32768' --b '-32768; -32768' | head -2)" \
"-2147483648
wrapped 1 of 1 sums: more than 32 bits, first row 0 column 0"

# a random product against awk's
awk 'BEGIN { srand(7); for (i = 0; i < 9; i++) { for (j = 0; j < 11; j++) printf "%d ", rand() * 2000 - 1000; printf ";" } }' >"$tmp/a"
awk 'BEGIN { srand(8); for (i = 0; i < 11; i++) { for (j = 0; j < 7; j++) printf "%d ", rand() * 2000 - 1000; printf ";" } }' >"$tmp/b"
want=$(tr ';' '\n' <"$tmp/a" | cat - <(echo B) <(tr ';' '\n' <"$tmp/b") | awk '
    /^B$/ { second = 1; next }
    NF && !second { for (j = 1; j <= NF; j++) a[m, j] = $j; m++; next }
    NF { k++; n = NF; for (j = 1; j <= NF; j++) b[k, j] = $j }
    BEGIN { m = k = 0 }
    END { for (i = 0; i < m; i++) for (j = 1; j <= n; j++) { s = 0; for (x = 1; x <= k; x++) s += a[i, x] * b[x, j]
          printf "%d%s", s, j < n ? " " : "\n" } }')
for size in '4 4' '1 1' '16 16' '3 5'; do
    set -- $size
    equals "a random product on $1 x $2" \
        "$(sys --a "$(cat "$tmp/a")" --b "$(cat "$tmp/b")" --rows $1 --cols $2 | head -9)" "$want"
done

s() { echo "$TOKSTEP" systolic; }
refused "no --b" "systolic: --b is missing" $(s) --a 1
refused "no operands" "systolic: --a is missing" $(s)
refused "sizes" "--a is 1 x 2, --b is 3 x 1: a column of --a for each row of --b" $(s) --a '1 2' --b '1;2;3'
refused "ragged" "--a: row 2 has 1 of 2 numbers" $(s) --a '1 2; 3' --b '1;2'
refused "longer" "--b: row 2 is longer than row 1, which has 1" $(s) --a '1 2' --b '1;2 3'
refused "empty" "--a: row 1 has no numbers" $(s) --a '' --b '1'
refused "an empty row" "--b: row 2 has no numbers" $(s) --a '1 2' --b '1;;2'
refused "no number" "--a: x: must be an integer -32768..32767 or 0x0000..0xffff" $(s) --a x --b 1
refused "a value without --q88" "--a: 0.5: must be an integer" $(s) --a 0.5 --b 1
refused "too large" "--b: 32768: must be an integer" $(s) --a 1 --b 32768
refused "too large a word" "--b: 0x10000: must be an integer" $(s) --a 1 --b 0x10000
refused "too large a value" "--a: 128: must be a value -128..127.99609375" $(s) --q88 --a 128 --b 1
refused "nan" "--a: nan: must be a value" $(s) --q88 --a nan --b 1
refused "too many columns" "--a: at most 2048 rows and columns" $(s) --a "$(seq -s" " 2049)" --b 1
refused "rows" "--rows 17: must be 1..16" $(s) --a 1 --b 1 --rows 17
refused "cols" "--cols 0: must be 1..16" $(s) --a 1 --b 1 --cols=0
refused "done" "--done early: must be legacy or exact" $(s) --a 1 --b 1 --done early
refused "an option without value" "--rows: needs a value" $(s) --a 1 --b 1 --rows
refused "an unknown option" "systolic: --nonsense: no such option" $(s) --nonsense
contains "--help" "$(sys --help)" "tokstep systolic --a MATRIX --b MATRIX"
# JSON says what the text says.
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
equals "json: the product and what it costs" "$("$TOKSTEP" systolic --a "1 2; 3 4" --b "5 6; 7 8" --rows 2 --cols 2 --json | json 'd["product"], d["edges"], d["macs"], d["slots"], d["utilisation"], d["tokens_at_once"]')" \
    "([[19, 22], [43, 50]], 4, 8, 16, 50.0, [{'tokens': 1, 'utilisation': 25.0}, {'tokens': 2, 'utilisation': 50.0}])"
equals "json: values and raw sums" "$("$TOKSTEP" systolic --a 1.5 --b -0.25 --q88 --json | json 'd["product"], d["raw"]')" "([[-0.375]], [[-24576]])"
equals "json: sums that wrap" "$("$TOKSTEP" systolic --a "-32768 -32768" --b "-32768; -32768" --json | json 'd["wrapped"], d["product"]')" "(1, [[-2147483648]])"
equals "json: every edge" "$("$TOKSTEP" systolic --a "1 2; 3 4; 5 6" --b "5 6; 7 8" --rows 2 --cols 2 --json --trace | json 'd["tiles"], [(e["tile"], e["edge"], e["macs"], e["done"]) for e in d["trace"]][:4], d["trace"][-1]["sums"], d["trace"][1]["terms"][0]')" \
    "(2, [(0, 0, 1, False), (0, 1, 3, False), (0, 2, 3, True), (0, 3, 1, True)], [[67, 78], [0, 0]], {'pe': [0, 0], 'k': 1, 'a': 2, 'b': 7, 'product': 14, 'acc': 19})"
row=$(printf '1 %.0s' {1..300}) column=$(printf '1;%.0s' {1..299})1
refused "json: a trace too long for a document" "--trace --json: 76800 products, 65536 is most" "$TOKSTEP" systolic --json --trace \
    --a "$(printf "$row;%.0s" {1..15})$row" --b "${column//1/$(printf '1 %.0s' {1..16})}"

finish
