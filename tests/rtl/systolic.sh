#!/usr/bin/env bash
# The C array and rtl/systolic_array.sv in lock step under both simulators: random pins, pauses and
# clears, every register after every edge. One TAP line each.
set -u
. tests/tap.sh
. tests/rtl/sim.bash
: "${SYSTOLIC_COSIM:=$BUILD/tests/rtl/systolic_cosim}"

lock_step() { # SIM ROWS COLS LEGACY SEED
    local sim=$1 work=$BUILD/rtl/systolic-$1-$2x$3-$4
    shift
    rm -rf "$work" && mkdir -p "$work"
    "$SYSTOLIC_COSIM" pins "$@" "$work" && sim_build "$sim" tb_systolic_cosim "$work" &&
        sim_run "$sim" tb_systolic_cosim "$work" +pins="$work/pins.hex" | "$SYSTOLIC_COSIM" check "$@"
}
agree() { # SIM ROWS COLS LEGACY SEED
    local out
    out=$(lock_step "$@" 2>&1)
    [[ $out == *", 0 differences"* ]]
    result $? "$1: $2 x $3, legacy done $4" "$out"
}

for size in '1 1 0 1' '1 1 1 2' '2 3 0 3' '4 4 0 4' '4 4 1 5' '1 16 0 6' '16 1 1 7' '16 16 0 8'; do
    agree icarus $size
done
agree verilator 4 4 0 9
agree verilator 16 5 1 10

# a fault on either side is found
cp -r rtl "$tmp/rtl"
sed -i "s/acc_q + mul32(a_in, w_in)/acc_q - mul32(a_in, w_in)/" "$tmp/rtl/processing_element.sv"
out=$(RTL_DIR=$tmp/rtl lock_step icarus 3 2 0 11 2>&1)
contains "a fault is found" "$out" "first difference: edge 0, element 0: rtl p "
finish
