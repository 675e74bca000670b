#!/usr/bin/env bash
# tokstep run: golden vectors byte for byte, the text forms, refusals.
. tests/tap.sh

# options_of GOLDEN_FILE: the run options that its config and stimulus lines stand for, in `args`
options_of() {
    local words key value
    args=()
    read -ra words < <(grep ^config "$1")
    for ((i = 1; i < ${#words[@]}; i += 2)); do
        key=${words[i]} value=${words[i + 1]}
        case $key in mask | score_scale) value=0x$value ;; esac
        args+=(--set "$key=$value")
    done
    read -ra words < <(grep ^stimulus "$1")
    [ "${words[1]}" = random ] && args+=(--stimulus "random:${words[3]}:${words[5]}:${words[7]}")
    args+=(--tokens "$(grep -c '^token ' "$1")")
}

for f in tests/golden/{decoder,options-a}/*.txt; do
    case $f in *functions* | *stream-states*) continue ;; esac
    options_of "$f"
    "$TOKSTEP" run --golden "${args[@]}" 2>/dev/null | cmp -s - <(grep -v '^#' "$f")
    result $? "golden $(basename "$f")"
    "$TOKSTEP" run --golden --variant stream "${args[@]}" 2>/dev/null | cmp -s - <(grep -v '^#' "$f")
    result $? "golden $(basename "$f"), stepped by stream"
    "$TOKSTEP" run --golden --variant array "${args[@]}" 2>/dev/null | cmp -s - <(grep -v '^#' "$f")
    result $? "golden $(basename "$f"), stepped by array"
done

equals "the deck's published value" "$("$TOKSTEP" run | cut -d' ' -f1-7)" "token 0 cycles 2953 out_emb 0097 ff7f"
equals "with a mask of -8.0" "$("$TOKSTEP" run --preset minus8 | cut -d' ' -f6,7)" "00a2 ff75"
equals "the preset is the base, wherever it stands" "$("$TOKSTEP" run --set mask=-8.0 --preset deck | cut -d' ' -f6)" 00a2
equals "options apply left to right" "$("$TOKSTEP" run --set mask=0 --set=mask=0xF800 | cut -d' ' -f6)" 00a2
equals "a line per token" "$("$TOKSTEP" run --tokens 3 | cut -d' ' -f1-4 | tr '\n' ' ')" "token 0 cycles 2953 token 1 cycles 2957 token 2 cycles 2961 "

equals "the array's columns make the cycles" "$("$TOKSTEP" run --variant array --set pe_cols=16 --set pe_rows=1 | cut -d' ' -f1-6)" \
    "token 0 cycles 6149 out_emb 0097"

dump=$("$TOKSTEP" run --tokens 2 --dump 'ln1.mean,q[3],K[1][2],softmax.max,scores@ATTN_WAIT')
contains "dump of a scalar" "$dump" $'\nln1.mean[0] 0058\n'
contains "dump of one element" "$dump" $'\nq[3] ffc0\n'
contains "dump of a matrix element" "$dump" $'\nK[1][2] '
equals "dump lines per token" "$(grep -c '^scores\[' <<<"$dump")" $((2 * 4 * 128))
equals "dump of a state" "$("$TOKSTEP" run --dump top.state | tail -1)" "top.state[0] b"
equals "dump where a state is left" "$("$TOKSTEP" run --dump out_emb@RESIDUAL1 | grep -c ' 0000$')" 64
equals "dump when DONE is left" "$("$TOKSTEP" run --dump top.state@DONE | tail -1)" "top.state[0] 0"
equals "dump when IDLE is left" "$("$TOKSTEP" run --dump top.state@IDLE | tail -1)" "top.state[0] 1"

equals "swiglu at the default sizes" "$("$TOKSTEP" run --set ffn=swiglu | cut -d' ' -f1-7)" "token 0 cycles 3209 out_emb 008c ff82"
equals "RMSNorm: the published value, in fewer cycles" "$("$TOKSTEP" run --set norm=rms | cut -d' ' -f1-7)" "token 0 cycles 2823 out_emb 0097 ff7f"
contains "json: an option off its default" "$("$TOKSTEP" run --json --set norm=rms)" '"variant":"bridge","norm":"rms","preset"'
json=$("$TOKSTEP" run --json --stimulus random:3:9 --dump 'ln1.mean')
contains "json: the token" "$json" '"tokens":[{"token":0,"cycles":2953,"out_emb":['
contains "json: the dump" "$json" '"dump":{"ln1.mean":["'
contains "json: the stimulus" "$json" '"stimulus":"random:3:9:256"'
contains "a long sequence is allowed, with a warning" "$("$TOKSTEP" run --set max_seq_len=256 2>&1 >/dev/null)" "warning: max_seq_len"

refused "unknown command" "frobnicate" "$TOKSTEP" frobnicate
refused "unknown option" "--fast" "$TOKSTEP" run --fast
refused "unknown key" "no such parameter" "$TOKSTEP" run --set depth=3
refused "unknown preset" "deck, minus8, repaired" "$TOKSTEP" run --preset fixed
refused "value out of range" "d_ff 0: must be 1..2048" "$TOKSTEP" run --set d_ff=0
refused "not a power of two" "power of two" "$TOKSTEP" run --set d_model=48
refused "heads do not divide" "must divide" "$TOKSTEP" run --set n_heads=3
refused "a feed forward that is none" "ffn gelu: must be relu or swiglu" "$TOKSTEP" run --set ffn=gelu
refused "tiles for a matrix that the machine has not" "w3: loaded, but this machine has none" "$TOKSTEP" run --set d_model=256 --set d_ff=32 --set ffn_w3=t2:tests/golden/t2/g128-32x256.t2
contains "in whatever order with the option" "$("$TOKSTEP" run --set d_model=256 --set d_ff=32 --set ffn_w3=t2:tests/golden/t2/g128-32x256.t2 --set ffn=swiglu 2>&1)" "w3 from tiles: "
refused "a norm that is none" "norm batch: must be layer or rms" "$TOKSTEP" run --set norm=batch
refused "RMSNorm has no mean" "no such signal" "$TOKSTEP" run --set norm=rms --dump ln1.mean
contains "nor its state" "$(echo "run until ln1.state == MEAN" | "$TOKSTEP" console --set norm=rms 2>&1)" \
    "MEAN: ln1.state has no such state; there are IDLE VARIANCE NORMALIZE DONE"
refused "garbage stimulus" "random:SEED" "$TOKSTEP" run --stimulus random:x
refused "stimulus with a tail" "random:SEED" "$TOKSTEP" run --stimulus random:1:2:3:4
refused "seed too large" "4294967295" "$TOKSTEP" run --stimulus random:4294967296
refused "too many tokens" "max_seq_len 128" "$TOKSTEP" run --tokens 129
refused "a preset that another one covers" "preset fixed: no such" "$TOKSTEP" run --preset fixed --preset deck
refused "no key" "--set =8: must be KEY=VALUE" "$TOKSTEP" run --set =8
refused "no value" "d_model '': must be a power of two" "$TOKSTEP" run --set d_model=
refused "a mask out of range" "mask 65535: must be 0x0000..0xffff, an integer -32768..32767 or a value" "$TOKSTEP" run --set mask=65535
refused "no state" "'': top.state has no such state" "$TOKSTEP" run --dump q@
refused "no tokens" "1..1024" "$TOKSTEP" run --tokens 0
refused "unknown signal" "no such signal" "$TOKSTEP" run --dump foo
refused "unknown state" "no such state" "$TOKSTEP" run --dump q@BUSY
refused "index out of range" "0..63" "$TOKSTEP" run --dump 'q[64]'
refused "missing value" "needs a value" "$TOKSTEP" run --set
refused "golden and json" "exclude" "$TOKSTEP" run --golden --json
if [ -w /dev/full ]; then
    "$TOKSTEP" run >/dev/full 2>"$tmp/full"
    equals "a full disk is an error" "$? $(grep -c 'cannot write' "$tmp/full")" "2 1"
fi
"$TOKSTEP" run --golden --tokens 100 2>"$tmp/pipe" | head -1 >/dev/null
equals "a closed pipe ends quietly" "$(cat "$tmp/pipe")" ""
equals "a second --dump adds to the first" "$("$TOKSTEP" run --dump q[0] --dump=k[0],v[0] | tail -3 | cut -d' ' -f1 | tr '\n' ' ')" "q[0] k[0] v[0] "
contains "json: the config, numbers as numbers" "$json" '{"config":{"d_model":64,"n_heads":4,"d_ff":256,"max_seq_len":128,"mask":"0x8000","mask_mode":"value"'
refused 'a dump of nothing' "--dump '': must be SIGNAL" "$TOKSTEP" run --dump ''
finish
