#!/usr/bin/env bash
# tokstep model and eval, run --model: files, figures, refusals.
set -u
. tests/tap.sh

small="--set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4"
"$TOKSTEP" model export-hex $small --stimulus random:1 "$tmp/hex"
result $? "export-hex makes the directory"
equals "its files" "$(ls "$tmp/hex" | tr '\n' ' ')" \
    "b1.hex b2.hex ln1_beta.hex ln1_gamma.hex ln2_beta.hex ln2_gamma.hex w1.hex w2.hex wk.hex wo.hex wq.hex wv.hex "
equals "words per file" "$(wc -l <"$tmp/hex/wq.hex") $(wc -l <"$tmp/hex/w2.hex") $(wc -l <"$tmp/hex/b1.hex")" "64 24 3"
# seed 1: the first draw is (1 * 1664525 + 1013904223) >> 16 = 15496, mod 129, minus 64
equals "the first word" "$(head -1 "$tmp/hex/wq.hex")" \
    "$(printf '%04x' $(((15496 % 129 - 64) & 0xffff)))"
cp -r "$tmp/hex" "$tmp/old"
"$TOKSTEP" model export-hex --stimulus integration "$tmp/hex"
equals "a second export replaces the first" "$(wc -l <"$tmp/hex/w1.hex")" 16384
equals "integration: wq is 0040 on the diagonal" "$(sed -n '1p;2p;66p' "$tmp/hex/wq.hex" | tr '\n' ' ')" "0040 0000 0040 "

"$TOKSTEP" model export-hex $small --stimulus random:1 --set norm=rms "$tmp/rms"
equals "RMSNorm has no betas" "$(diff <(ls "$tmp/rms") <(ls "$tmp/old") | tr '\n' ' ')" "2a3 > ln1_beta.hex 3a5 > ln2_beta.hex "
equals "every other word is as with layer norm" "$(for f in "$tmp"/rms/*; do cmp "$f" "$tmp/old/${f##*/}"; done)" ""
"$TOKSTEP" model export-hex $small --stimulus random:1 --set ffn=swiglu "$tmp/gated"
equals "swiglu has w3 and b3" "$(diff <(ls "$tmp/old") <(ls "$tmp/gated") | tr '\n' ' ')" "2a3 > b3.hex 8a10 > w3.hex "
equals "every other word is as with relu" "$(for f in "$tmp"/old/*; do cmp "$f" "$tmp/gated/${f##*/}"; done)" ""

refused "no directory named" "names no directory" "$TOKSTEP" model export-hex
refused "no action" "there are info, export-hex and import" "$TOKSTEP" model
refused "three names" "c: unexpected" "$TOKSTEP" model export-hex "$tmp/a" b c
refused "bad option" "--nonsense: no such option" "$TOKSTEP" model export-hex --nonsense
refused "a directory that cannot be made" "/nonexistent/dir: No such file" "$TOKSTEP" model export-hex /nonexistent/dir
: >"$tmp/file"
refused "a file in its place" "Not a directory" "$TOKSTEP" model export-hex "$tmp/file"

# ---- the models of assets/ ----
repaired=assets/words-repaired.safetensors minus8=assets/words-minus8.safetensors
words=tests/session/words.txt
result "$(cd assets && sha256sum --quiet -c sha256sums >/dev/null 2>&1; echo $?)" "assets are what their checksums say"
info=$("$TOKSTEP" model info $repaired)
contains "info: the vocabulary" "$info" "vocab ^abcdefghijklmnopqrstuvwxyz\$ (28: start mark ^, end mark \$)"
contains "info: a tensor" "$info" "pos_emb     I16 [128, 64]"

# golden figures: 4 decimals, bit-exact arithmetic
equals "eval, repaired" "$("$TOKSTEP" eval --model $repaired $words)" "bits/char 2.6105 over 1807 chars"
equals "eval, minus8" "$("$TOKSTEP" eval --model $minus8 $words)" "bits/char 2.6203 over 1807 chars"
equals "eval, repaired under the leaking mask" "$("$TOKSTEP" eval --model $repaired --preset minus8 $words)" "bits/char 3.1918 over 1807 chars"
twin=$("$TOKSTEP" eval --model $repaired --set ffn_w2=t2:assets/words.w2.t2 $words 2>"$tmp/err")
equals "eval, ternary twin" "$twin" "bits/char 2.8028 over 1807 chars"
equals "and what the tiles changed" "$(cat "$tmp/err")" "tokstep: w2 from tiles: 16118 of 16384 weights changed; 10601 rounded to Q8.8, 0 saturated"
equals "eval as JSON" "$("$TOKSTEP" eval --json --model $repaired <(printf 'word\n') | cut -c1-18)" '{"bits_per_char":'"$("$TOKSTEP" eval --model $repaired <(printf 'word\n') | cut -c11)"
equals "lines that cannot be spelled are skipped and counted" \
    "$(printf "it's\nword\nÄrger\n" | "$TOKSTEP" eval --model $repaired /dev/stdin 2>&1 | cut -d' ' -f1-5 | head -1)" \
    "tokstep: /dev/stdin: 2 lines skipped,"
printf 'cat\nabbots\nzebra\n' >"$tmp/three" # of these sha256 holds out only abbots
contains "eval --held-out" "$("$TOKSTEP" eval --held-out --model $repaired "$tmp/three" 2>&1)" "over 7 chars"

# ---- generation ----
run=$("$TOKSTEP" run --model $repaired --text inter --tokens 9)
equals "greedy" "$(tail -1 <<<"$run")" "text interred"
equals "a line per token" "$(head -2 <<<"$run" | tr '\n' ' ')" "token 0 letter ^ cycles 2953 given i token 1 letter i cycles 2957 given n "
equals "it stops at the end mark" "$(tail -2 <<<"$run" | head -1 | grep -o 'next .*')" 'next $'
sampled() { "$TOKSTEP" run --model $repaired --tokens 24 --temperature 1 --seed "$1" | tail -1; }
equals "a seed gives the same word again" "$(sampled 7)" "$(sampled 7)"
equals "seeds differ" "$([ "$(sampled 7)" != "$(sampled 8)" ] && echo yes)" yes
equals "JSON has letters and text" "$("$TOKSTEP" run --json --model $repaired --text inter --tokens 9 |
    grep -o '"text":"[a-z]*"')" '"text":"interred"'
contains "dumps work" "$("$TOKSTEP" run --model $repaired --text a --dump seq_pos)" "seq_pos[0] 01"

# of 128 drawn words at least 90 % have only letter pairs of real words
for ((seed = 1; seed <= 128; seed++)); do sampled $seed; done | sed 's/^text //' >"$tmp/drawn"
known=$(awk 'NR == FNR { for (i = 0; i <= length($0); i++) pair[substr("^" $0 "$", i + 1, 2)]; next }
    { for (i = 0; i <= length($0); i++) if (!(substr("^" $0 "$", i + 1, 2) in pair)) next; n++ }
    END { print n + 0 }' tests/session/pairs.txt "$tmp/drawn")
result $((known < 116)) "$known of 128 drawn words have only known letter pairs"

# ---- a round through hex files ----
"$TOKSTEP" model export-hex $repaired "$tmp/words" && "$TOKSTEP" model import "$tmp/words" -o "$tmp/back" &&
    cmp -s $repaired "$tmp/back"
result $? "export-hex and import give the same bytes"
cp "$tmp/words/model.txt" "$tmp/model.txt"
sed 's/$/\r\n\r/' "$tmp/model.txt" >"$tmp/words/model.txt"
"$TOKSTEP" model import "$tmp/words" -o "$tmp/back" && cmp -s $repaired "$tmp/back"
result $? "a description with CR LF and empty lines"
{ printf '\n\n' && cat "$tmp/model.txt" && printf '\nzz 3\n'; } >"$tmp/words/model.txt"
refused "and its lines are counted with them" "model.txt: zz: no such key, line 10" \
    "$TOKSTEP" model import "$tmp/words" -o "$tmp/x"
cp "$tmp/model.txt" "$tmp/words/model.txt"
echo "12 xyz" >"$tmp/words/b1.hex"
refused "a word that is no hex" "b1.hex: xyz is no word" "$TOKSTEP" model import "$tmp/words" -o "$tmp/x"
echo "12" >"$tmp/words/b1.hex"
refused "too few words" "b1.hex: 1 words, must be 256" "$TOKSTEP" model import "$tmp/words" -o "$tmp/x"
refused "import without a description" "hex/model.txt: " "$TOKSTEP" model import "$tmp/hex" -o "$tmp/x"

# ---- a model with RMSNorm: the words' own, without their betas ----
"$TOKSTEP" model export-hex $repaired "$tmp/rmsmodel"
rm "$tmp"/rmsmodel/ln?_beta.hex
refused "layer norm needs its betas" "ln1_beta.hex: No such file" "$TOKSTEP" model import "$tmp/rmsmodel" -o "$tmp/x"
echo "norm rms" >>"$tmp/rmsmodel/model.txt"
"$TOKSTEP" model import "$tmp/rmsmodel" -o "$tmp/rms.safetensors"
result $? "a description with norm rms"
info=$("$TOKSTEP" model info "$tmp/rms.safetensors")
contains "info tells the norm" "$info" $'\nnorm rms\n'
equals "its tensors" "$(grep -o '^ln[0-9a-z_]*' <<<"$info" | tr '\n' ' ')" "ln1_gamma ln2_gamma "
contains "of the others it is not told" "x$("$TOKSTEP" model info $repaired | grep -c norm)" x0
"$TOKSTEP" model export-hex "$tmp/rms.safetensors" "$tmp/again" && "$TOKSTEP" model import "$tmp/again" -o "$tmp/back" && cmp -s "$tmp/rms.safetensors" "$tmp/back"
result $? "export-hex and import give the same bytes, with RMSNorm"
equals "the machine is the model's" "$("$TOKSTEP" run --model "$tmp/rms.safetensors" --tokens 1 | grep -o 'cycles [0-9]*')" "cycles 2823"
refused "a machine with the other norm" "max_seq_len 128, norm rms; the machine 64, 4, 256, 128, layer" \
    "$TOKSTEP" run --model "$tmp/rms.safetensors" --set norm=layer
refused "the other way round too" "norm layer; the machine 64, 4, 256, 128, rms" "$TOKSTEP" run --model $repaired --set norm=rms
sed 's/"norm":"rms"/"morn":"rms"/' "$tmp/rms.safetensors" >"$tmp/x"
refused "without the metadata it has layer norm" "tensor ln1_beta is missing" "$TOKSTEP" model info "$tmp/x"
sed 's/"norm":"rms"/"norm":"rmx"/' "$tmp/rms.safetensors" >"$tmp/x"
refused "a norm that is none" "norm rmx: must be layer or rms, at byte 8" "$TOKSTEP" model info "$tmp/x"

# ---- refusals ----
refused "letters it does not know" "'!' is no letter of the model" "$TOKSTEP" run --model $repaired --text 'oh!'
refused "a text without a model" "text: needs a model" "$TOKSTEP" run --text word
refused "sizes that are not the model's" "the model has d_model 64" "$TOKSTEP" run --model $repaired --set d_ff=8
refused "too long" "together at most max_seq_len 128" "$TOKSTEP" run --model $repaired --text word --tokens 125
refused "golden" "vectors are of a stimulus" "$TOKSTEP" run --golden --model $repaired
refused "a stimulus beside a model" "a model has tokens of its own" "$TOKSTEP" run --model $repaired --stimulus integration
refused "eval without a model" "needs --model" "$TOKSTEP" eval $words
refused "eval on nothing" "no word that the model can spell" "$TOKSTEP" eval --model $repaired "$tmp/file"
refused "a bad temperature" "--temperature hot" "$TOKSTEP" run --model $repaired --temperature hot
refused "no model" "a raw t2 file" "$TOKSTEP" model info assets/words.w2.t2
refused "tiles of the wrong matrix" "K is 64" "$TOKSTEP" run --set ffn_w1=t2:assets/words.w2.t2
"$TOKSTEP" t2 poke assets/words.w2.t2 --at 7=ff -o "$tmp/reserved.t2" 2>/dev/null
refused "two tensors are one too many" "loaded from a file of one" \
    "$TOKSTEP" run --set ffn_w2=t2:tests/golden/t2/two-tensors.q4nx
refused "reserved codes" "reserved" "$TOKSTEP" run --set "ffn_w2=t2:$tmp/reserved.t2"
contains "unless they are to be zero" "$("$TOKSTEP" run --reserved zero --set "ffn_w2=t2:$tmp/reserved.t2" 2>/dev/null)" "token 0"

# ---- a model made by ten lines of Python ----
if command -v python3 >/dev/null; then
    python3 tests/session/make_model.py "$tmp/tiny.safetensors"
    equals "a model from Python" "$("$TOKSTEP" run --model "$tmp/tiny.safetensors" --text ab --tokens 4 | tail -1)" "text ababab"
fi
for option in seed=3 temperature=1; do
    refused "--$option without a model" "${option%=*}: needs a model" "$TOKSTEP" run "--$option"
done
refused "a file and options: which of them?" "either $repaired or options" \
    "$TOKSTEP" model export-hex $repaired --set d_model=8 "$tmp/none"
# JSON says what the text says.
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
equals "model info as JSON" "$("$TOKSTEP" model info --json $repaired | json 'd["preset"], d["d_model"], d["vocab_size"], d["start_mark"], len(d["tensors"]), [(t["name"], t["shape"]) for t in d["tensors"]][:1]')" \
    "('repaired', 64, 28, '^', 15, [('wq', [64, 64])])"
equals "its numbers are those of the text" "$("$TOKSTEP" model info --json $repaired | json '"%.4f %.4f" % (d["tensors"][0]["min"], d["tensors"][0]["max"])')" \
    "$("$TOKSTEP" model info $repaired | awk '/^wq/ { for (i = 1; i < NF; i++) { if ($i == "min") a = $(i + 1); if ($i == "max") b = $(i + 1) } print a, b }')"
refused "model info: an option that is none" "--jsn: no such option; did you mean --json? " "$TOKSTEP" model info --jsn $repaired

finish
