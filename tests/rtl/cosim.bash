#!/usr/bin/env bash
# Engine and RTL in lock step on one stimulus; exit 0 when nothing differs.
#   tests/rtl/cosim.bash SIM OPTIONS...     SIM: verilator or icarus; OPTIONS: those of tokstep run
# Uses build/tokstep and build/tests/rtl/cosim; COSIM, RTL_DIR and WORK may point elsewhere.
set -u
cd "$(dirname "$0")/../.."
. tests/rtl/sim.bash
: "${TOKSTEP:=$BUILD/tokstep}"
: "${COSIM:=$BUILD/tests/rtl/cosim}"
sim=$1
shift
work=${WORK:-$BUILD/rtl/cosim-$sim-$(printf '%s\n' "$*" | cksum | cut -d' ' -f1)}
rm -rf "$work" && mkdir -p "$work"
set -e -o pipefail
"$TOKSTEP" model export-hex "$@" "$work"
"$COSIM" files "$work" "$@"
sim_build "$sim" tb_cosim "$work"
sim_run "$sim" tb_cosim "$work" +dir="$work" | "$COSIM" check "$@"
