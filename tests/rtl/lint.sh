#!/usr/bin/env bash
# rtl/ is silent under Verilator -Wall and Icarus -Wall, at the defaults and where a vector has one
# element; illegal parameters stop the simulation with a message.
set -u
. tests/tap.sh
. tests/rtl/sim.bash

silent() { # TOP PARAMETER=VALUE...
    local top=$1 out
    shift
    out=$(verilator --lint-only -Wall --top-module "$top" $(printf -- '-G%s ' "$@") $(sim_sources) 2>&1)
    equals "verilator: $top $*" "$out" ""
    out=$(iverilog -g2012 -Wall -s "$top" $(printf -- "-P$top.%s " "$@") -o "$tmp/lint.vvp" $(sim_sources) 2>&1)
    equals "icarus: $top $*" "$out" ""
}

stops() { # TOP PART PARAMETER=VALUE...
    local top=$1 part=$2 out rc
    shift 2
    iverilog -g2012 -s "$top" $(printf -- "-P$top.%s " "$@") -o "$tmp/bad.vvp" $(sim_sources)
    out=$(vvp -n "$tmp/bad.vvp" 2>&1)
    rc=$?
    [ $rc != 0 ] && [[ $out == *"$part"* ]]
    result $? "$top $*: stops" "exit $rc: $out"
}

# Options with those bits, as wide as the package says; -1: every mode
modes() {
    local bits
    bits=$(sed -n 's/.* OptBits *= \([0-9]*\);.*/\1/p' rtl/transformer_pkg.sv)
    echo "Options=$bits'd$(($1 & (1 << bits) - 1))"
}

silent transformer_decoder DModel=64
silent transformer_decoder DModel=8 NHeads=8 DFf=1 MaxSeqLen=1
silent transformer_decoder DModel=8 NHeads=1 DFf=5 MaxSeqLen=3 "$(modes -1)"
silent transformer_decoder_stream DModel=64
silent transformer_decoder_stream DModel=8 NHeads=8 DFf=1 MaxSeqLen=1
silent transformer_decoder_stream DModel=8 NHeads=1 DFf=5 MaxSeqLen=3 "$(modes -1)"
silent transformer_decoder_array DModel=64
silent transformer_decoder_array DModel=8 NHeads=8 DFf=1 MaxSeqLen=1 PeRows=1 PeCols=1
silent transformer_decoder_array DModel=8 NHeads=1 DFf=5 MaxSeqLen=3 PeRows=2 PeCols=16 "$(modes 1)"
silent transformer_decoder_array DModel=16 NHeads=4 DFf=9 MaxSeqLen=6 PeRows=7 PeCols=5 "$(modes 2)"
silent systolic_array Rows=4
silent systolic_array Rows=1 Cols=1
silent systolic_array Rows=2 Cols=3 "LegacyDone=1'b1"

# a net that nobody declared is reported
cp -r rtl "$tmp/rtl"
sed -i 's/\.x_in  (residual1)/.x_in  (residual)/' "$tmp/rtl/decoder_frame.sv"
told=$(RTL_DIR=$tmp/rtl silent transformer_decoder DModel=8)
contains "verilator: an undeclared net" "$told" "IMPLICIT: $tmp/rtl/decoder_frame.sv"
contains "icarus: an undeclared net" "$told" "implicit definition of wire 'residual'"

stops transformer_decoder "d_model 48: must be a power of two" DModel=48
stops transformer_decoder "n_heads 3: must divide" NHeads=3
stops transformer_decoder "d_ff 2049: must be 1..2048" DFf=2049
stops transformer_decoder "max_seq_len 1025: must be 1..1024" MaxSeqLen=1025
stops transformer_decoder "score_scale 8000: must be" "ScoreScale=16'h8000"
stops transformer_decoder_stream "n_heads 5: must divide" NHeads=5
stops transformer_decoder_array "d_model 4: must be" DModel=4
stops transformer_decoder_array "pe_cols 17: must be 1..16" PeCols=17
stops systolic_array "pe_rows 17: must be 1..16" Rows=17
finish
