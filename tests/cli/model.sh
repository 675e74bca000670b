#!/usr/bin/env bash
# tokstep model export-hex: what $readmemh reads.
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
"$TOKSTEP" model export-hex --stimulus integration "$tmp/hex"
equals "a second export replaces the first" "$(wc -l <"$tmp/hex/w1.hex")" 16384
equals "integration: wq is 0040 on the diagonal" "$(sed -n '1p;2p;66p' "$tmp/hex/wq.hex" | tr '\n' ' ')" "0040 0000 0040 "

refused "no directory named" "names no directory" "$TOKSTEP" model export-hex
refused "no action" "there is export-hex" "$TOKSTEP" model
refused "two directories" "b: unexpected" "$TOKSTEP" model export-hex "$tmp/a" b
refused "bad option" "--nonsense: unexpected" "$TOKSTEP" model export-hex --nonsense
refused "a directory that cannot be made" "/nonexistent/dir: No such file" "$TOKSTEP" model export-hex /nonexistent/dir
: >"$tmp/file"
refused "a file in its place" "Not a directory" "$TOKSTEP" model export-hex "$tmp/file"
finish
