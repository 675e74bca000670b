#!/usr/bin/env bash
# Each fuzz target for FUZZ_SECONDS (20) on its seed corpus: no crash, no hang, no memory blow-up.
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs the tests

make fuzz SECONDS="${FUZZ_SECONDS:-20}" >"$tmp/log" 2>&1
rc=$?
for target in tests/fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    grep -q "^fuzz ${name#fuzz_}\$" "$tmp/log"
    result $? "$name was run"
done
result $rc "no target found anything" "$(grep -aE 'ERROR|SUMMARY|Test unit written|error:' "$tmp/log" | head -5)"
finish
