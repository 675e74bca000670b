#!/usr/bin/env bash
# The C array and rtl/systolic_array.sv in lock step on random pins; exit 0 when nothing differs.
#   tests/rtl/systolic_cosim.bash SIM ROWS COLS LEGACY SEED     SIM: verilator or icarus
# SYSTOLIC_COSIM, RTL_DIR and WORK may point elsewhere.
set -u
cd "$(dirname "$0")/../.."
. tests/rtl/sim.bash
: "${SYSTOLIC_COSIM:=$BUILD/tests/rtl/systolic_cosim}"
sim=$1
shift
work=${WORK:-$BUILD/rtl/systolic-$sim-$1x$2-$3}
rm -rf "$work" && mkdir -p "$work"
set -e -o pipefail
"$SYSTOLIC_COSIM" pins "$@" "$work"
sim_build "$sim" tb_systolic_cosim "$work"
sim_run "$sim" tb_systolic_cosim "$work" +pins="$work/pins.hex" | "$SYSTOLIC_COSIM" check "$@"
