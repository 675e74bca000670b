#!/usr/bin/env bash
# tokstep cycles: the rows and numbers of the cycle counter, sweeps, JSON, refusals.
. tests/tap.sh

equals "the deck at position 64" "$("$TOKSTEP" cycles --pos 64)" "ln1 197 197 242
ln2 197 197 242
qkv 65 65 192
cache 1 1 -
score 265 265 4096
softmax 2080 2080 2680
weighted_sum 5 5 4096
out_proj 65 65 4096
residual1 1 1 -
residual2 1 1 -
ffn_linear1 257 257 16384
relu 1 1 16
ffn_linear2 65 65 16384
control 9 9 20
total 3209 3209 48448
latency_ms 0.1099 0.1099 1.6592
tokens_per_s 9099.4 9099.4 602.7"
equals "position 0 is the default" "$("$TOKSTEP" cycles | grep ^total)" "total 2953 2953 40384"
equals "another clock" "$("$TOKSTEP" cycles --mhz 100 | tail -2 | tr '\n' ' ')" "latency_ms 0.0295 0.0295 0.4038 tokens_per_s 33863.9 33863.9 2476.2 "
small=$("$TOKSTEP" cycles --set d_model=16 --set n_heads=2 --set d_ff=8 --set max_seq_len=5 --pos=4)
equals "a small machine" "$(grep -E '^(score|softmax|total)' <<<"$small" | tr '\n' ' ')" \
    "score 13 13 64 softmax 56 56 1340 total 251 251 2260 "
equals "stream at position 64" "$("$TOKSTEP" cycles --variant stream --pos 64 | grep -E '^(qkv|score|ffn_linear1|total)' | tr '\n' ' ')" \
    "qkv 4224 4224 192 score 4680 4680 4096 ffn_linear1 17152 17152 16384 total 53568 53568 48448 "
equals "array: what it needs, what it has room for" "$("$TOKSTEP" cycles --variant array --set pe_rows=2 | sed -n '3p;15p;18,20p' | tr '\n' ' ')" \
    "qkv 3264 3264 192 total 15365 15365 40384 array_useful 49152 49152 - array_slots 101760 101760 - utilisation 0.4830 0.4830 - "
equals "rows cost nothing, columns save cycles" "$("$TOKSTEP" cycles --variant array --sweep pe_cols=1:16:x4 --set pe_rows=9 | cut -d' ' -f1-3 | tr '\n' ' ')" \
    "pe_cols=1 52229 52229 pe_cols=4 15365 15365 pe_cols=16 6149 6149 "
contains "array in JSON" "$("$TOKSTEP" cycles --json --variant array)" '"array_useful":{"measured":49152,"formula":49152,"deck":null},"array_slots":{"measured":203520'
equals "the same number as tokstep run" "$("$TOKSTEP" run --tokens 3 | tail -1 | cut -d' ' -f4)" \
    "$("$TOKSTEP" cycles --pos 2 | sed -n 's/^total \([0-9]*\) .*/\1/p')"

equals "a sweep that multiplies" "$("$TOKSTEP" cycles --sweep d_model=8:32:x2)" "d_model=8 2449 2449 7064
d_model=16 2521 2521 11440
d_model=32 2665 2665 20576"
equals "a sweep over the position" "$("$TOKSTEP" cycles --sweep pos=0:128:64 2>"$tmp/note" | tr '\n' ' ')" \
    "pos=0 2953 2953 40384 pos=64 3209 3209 48448 "
equals "with a note on what was skipped" "$(cat "$tmp/note")" \
    "tokstep: note: 1 value skipped: pos 128: must be 0..127, below max_seq_len"
equals "one note for many" "$("$TOKSTEP" cycles --sweep n_heads=1:8:1 2>&1 >/dev/null)" \
    "tokstep: note: 4 values skipped: n_heads 3: must divide d_model 64"

rms=$("$TOKSTEP" cycles --set norm=rms --pos 64)
equals "RMSNorm: the deck estimates no such machine" "$(grep -E '^(ln1|qkv|total|latency|tokens)' <<<"$rms" | tr '\n' ' ')" \
    "ln1 132 132 - qkv 65 65 - total 3079 3079 - latency_ms 0.1054 0.1054 - tokens_per_s 9483.6 9483.6 - "
equals "in CSV its column is empty" "$("$TOKSTEP" cycles --csv --set norm=rms --sweep pos=0,64 | paste -sd' ')" \
    "pos,measured,formula,deck 0,2823,2823, 64,3079,3079,"
equals "swiglu has a row in relu's place" "$("$TOKSTEP" cycles --set ffn=swiglu --set d_ff=170 | grep -E '^(relu|swiglu|ffn_linear1|total)' | tr '\n' ' ')" \
    "ffn_linear1 171 171 - swiglu 171 171 - total 3037 3037 - "
rms=$("$TOKSTEP" cycles --json --set norm=rms)
contains "in JSON null: the total" "$rms" '"total":{"measured":2823,"formula":2823,"deck":null}'
equals "and everywhere" "$(grep -o '"deck":[^}]*' <<<"$rms" | sort -u)" '"deck":null'
json=$("$TOKSTEP" cycles --pos 64 --json)
contains "json: config and variant" "$json" '{"config":{"d_model":64,'
contains "json: a row" "$json" '{"stage":"qkv","measured":65,"formula":65,"deck":192}'
contains "json: a row that the deck has not" "$json" '{"stage":"cache","measured":1,"formula":1,"deck":null}'
contains "json: the total and the clock" "$json" '"variant":"bridge","pos":64,"rows":['
contains "json: the clock" "$json" '"total":{"measured":3209,"formula":3209,"deck":48448},"mhz":29.2,'
contains "json: a sweep" "$("$TOKSTEP" cycles --sweep pos=0:1:1 --json)" '{"sweep":"pos","reports":[{"config":'
equals "no colour, no columns without a terminal" "$("$TOKSTEP" cycles | grep -c '  ')" 0

refused "position out of range" "pos 128: must be 0..127" "$TOKSTEP" cycles --pos 128
refused "negative position" "--pos -1" "$TOKSTEP" cycles --pos -1
refused "clock of zero" "--mhz 0" "$TOKSTEP" cycles --mhz 0
refused "clock that gives figures without end" "--mhz 1e-300: must be a frequency in MHz, 0.001 to 1000000" \
    "$TOKSTEP" cycles --mhz 1e-300
refused "clock that is no number" "--mhz nan" "$TOKSTEP" cycles --mhz nan
refused "sweep of nothing legal" "no legal value" "$TOKSTEP" cycles --sweep d_model=9:15:1
refused "sweep of a word" "sweep mask=1:2:1" "$TOKSTEP" cycles --sweep mask=1:2:1
refused "sweep that stands still" "STEP from 1" "$TOKSTEP" cycles --sweep pos=1:2:0
refused "a stimulus makes no difference" "no such option" "$TOKSTEP" cycles --stimulus random:1
refused "unknown option" "no such option" "$TOKSTEP" cycles --fast
refused "missing value" "needs a value" "$TOKSTEP" cycles --pos

# Lists, two sweeps, CSV.
equals "a list, in its order" "$("$TOKSTEP" cycles --sweep pos=64,0)" $'pos=64 3209 3209 48448\npos=0 2953 2953 '"$("$TOKSTEP" cycles | awk '/^total/ { print $4 }')"
equals "two sweeps: all pairs" "$("$TOKSTEP" cycles --sweep d_model=8,16 --sweep pos=0,1 | cut -d' ' -f1 | paste -sd' ')" \
    'd_model=8,pos=0 d_model=8,pos=1 d_model=16,pos=0 d_model=16,pos=1'
equals "csv of two sweeps" "$("$TOKSTEP" cycles --csv --sweep d_model=64,65 --sweep pos=64,0 2>"$tmp/err")" $'d_model,pos,measured,formula,deck\n64,64,3209,3209,48448\n64,0,2953,2953,'"$("$TOKSTEP" cycles | awk '/^total/ { print $4 }')"
equals "what is illegal is skipped, with a note" "$(cat "$tmp/err")" 'tokstep: note: 2 values skipped: d_model 65: must be a power of two, 8..512'
equals "csv of one token: what the deck has not is empty" "$("$TOKSTEP" cycles --csv --pos 64 | sed -n '1,2p;/^cache/p;/^total/p;/^latency/p')" \
    $'stage,measured,formula,deck\nln1,197,197,242\ncache,1,1,\ntotal,3209,3209,48448\nlatency_ms,0.1099,0.1099,1.6592'
equals "csv has as many fields a line" "$("$TOKSTEP" cycles --csv --variant array | awk -F, '{ print NF }' | sort -u)" 4
equals "json of two sweeps" "$("$TOKSTEP" cycles --json --sweep d_model=8,16 --sweep pos=0,1 | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["sweep"], [(r["config"]["d_model"], r["pos"]) for r in d["reports"]])')" \
    "['d_model', 'pos'] [(8, 0), (8, 1), (16, 0), (16, 1)]"
refused "three sweeps" "two at most" "$TOKSTEP" cycles --sweep pos=0,1 --sweep d_ff=8,9 --sweep n_heads=1,2
refused "a sweep twice" "there is one of pos already" "$TOKSTEP" cycles --sweep pos=0,1 --sweep pos=2,3
refused "csv and json" "either --csv or --json" "$TOKSTEP" cycles --csv --json
refused "a list with a hole" "KEY=V,V,..." "$TOKSTEP" cycles --sweep pos=1,,2
refused "a sweep misspelt" "did you mean d_model? " "$TOKSTEP" cycles --sweep dmodel=8,16
finish
