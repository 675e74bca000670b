# tokstep-train on a small list: the same bytes on every machine and compiler (make model rests on it).
. tests/tap.sh
trainer=${BUILD:-build}/tokstep-train
cat tests/session/pairs.txt tests/session/words.txt >"$tmp/list"

sha_of() { "$trainer" --epochs 2 --batch 16 -o "$tmp/model" "$@" "$tmp/list" >"$tmp/out" 2>"$tmp/err" && sha256sum <"$tmp/model" | cut -c1-16; }
equals 'two epochs, repaired' "$(sha_of)" 95df7c0aaec60953
equals 'two epochs, minus8' "$(sha_of --preset minus8)" a319bba801db9272
equals 'another seed' "$(sha_of --seed 2)" 222dd8bb4857adc8
equals 'RMSNorm' "$(sha_of --norm rms)" 9b87740a0ec633d7
equals 'its file tells it, and has no betas' "$("$TOKSTEP" model info "$tmp/model" | grep -E '^norm|ln1_' | awk '{ print $1 }' | tr '\n' ' ')" 'norm ln1_gamma '
equals 'a progress line per epoch, with the loss' "$(grep -c '^epoch [12]/2  loss [0-9.]* bits/char' "$tmp/err")" 2
contains 'beside what counting can do' "$(cat "$tmp/out")" 'held out: bigram '
equals 'what it writes is a model' "$("$TOKSTEP" model info "$tmp/model" | head -1)" 'preset repaired'
"$trainer" --twin assets/words-repaired.safetensors -o "$tmp/w2.t2" && cmp -s "$tmp/w2.t2" assets/words.w2.t2
result $? 'the ternary twin of assets/ again'

fails() { # NAME PART ARGS...
    local name=$1 part=$2 rc
    shift 2
    "$trainer" "$@" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    equals "$name" "$rc $(wc -l <"$tmp/err") $(grep -c -- "$part" "$tmp/err")" '2 1 1'
}
fails 'no list' 'names no list'
fails 'a list that is not there' 'No such file' "$tmp/none"
fails 'too few words' 'too few words' /dev/null
fails 'a bad number' '--epochs x: must be' --epochs x "$tmp/list"
fails 'an unknown option' '--frobnicate: no such option' --frobnicate 1 "$tmp/list"
fails 'an unknown norm' 'norm batch: must be layer or rms' --norm batch "$tmp/list"
fails 'an unknown preset' 'preset' --preset nosuch "$tmp/list"
fails 'the float twin is no model' 'no model of the machine' --float -o "$tmp/x" "$tmp/list"
finish
