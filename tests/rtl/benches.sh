#!/usr/bin/env bash
# The self-checking benches under both simulators: one TAP line per bench, simulator and golden file.
set -u
. tests/tap.sh
. tests/rtl/sim.bash
: "${SIMS:=icarus verilator}"
: "${COSIM:=$BUILD/tests/rtl/cosim}"

# BENCH GOLDEN...: without a golden file the bench carries its own values. Icarus takes them all,
# Verilator (seconds to compile) the first of each line.
benches='tb_processing_element -
tb_systolic_array -
tb_transformer_pkg -
tb_bram -
tb_layer_norm small-16x4x32x8 saturating-32x4x128x16 edge-8x8x1x1 rms-16x4x32x8
tb_softmax_unit exclude-minus8-saturating small-16x4x32x8 edge-8x8x1x1 edge-8x8x1x3 random-4-repaired-intended sum-wrap-16x4x32x300
tb_feed_forward saturating-32x4x128x16 small-16x4x32x8 edge-8x8x1x1 swiglu-16x4x21x8
tb_multi_head_attention small-16x4x32x8 saturating-32x4x128x16 exclude-minus8-saturating edge-8x8x1x1 edge-8x8x1x3
tb_transformer_decoder edge-8x8x1x3 small-16x4x32x8 saturating-32x4x128x16 exclude-minus8-saturating edge-8x8x1x1 integration-deck random-2-minus8 rms-16x4x32x8 rms-swiglu-32x2x43x16
tb_transformer_decoder_stream small-16x4x32x8 saturating-32x4x128x16 exclude-minus8-saturating edge-8x8x1x1 edge-8x8x1x3 rms-16x4x32x8 rms-swiglu-32x2x43x16
tb_transformer_decoder_array small-16x4x32x8 saturating-32x4x128x16 exclude-minus8-saturating edge-8x8x1x1 edge-8x8x1x3 rms-16x4x32x8 rms-swiglu-32x2x43x16'

# The machine's size, from the golden file's config line. The array's size makes no difference to the
# results; this one leaves tiles that are not full.
write_config() { # GOLDEN_FILE
    local sets
    sets=$(awk '$1 == "config" {
        for (i = 2; i < NF; i += 2)
            printf "--set %s=%s%s ", $i, $i ~ /^(mask|score_scale)$/ ? "0x" : "", $(i + 1)
    }' "$1")
    "$COSIM" parameters $sets --set pe_rows=3 --set pe_cols=5
}

run_bench() { # SIM BENCH GOLDEN
    local sim=$1 bench=$2 golden=$3 work=$BUILD/rtl/$1-$2-$3 log
    local args=(+functions=tests/golden/decoder/functions.txt +next=tests/golden/options-a/functions_next.txt) file
    rm -rf "$work" && mkdir -p "$work"
    if [ "$golden" != - ]; then
        file=$(ls tests/golden/{decoder,options-a}/"$golden.txt" 2>/dev/null)
        write_config "$file" >"$work/config.svh"
        args+=(+golden="$file")
        [ "$golden" = small-16x4x32x8 ] && args+=(+states="tests/golden/decoder/stream-states-16x4x32x8.txt")
    fi
    log=$(sim_build "$sim" "$bench" "$work" && sim_run "$sim" "$bench" "$work" "${args[@]}" 2>&1)
    result $? "$bench $golden ($sim)" "$log"
}

for sim in $SIMS; do
    while read -r bench goldens; do
        for golden in $goldens; do
            run_bench "$sim" "$bench" "$golden"
            [ "$sim" = verilator ] && break
        done
    done <<<"$benches"
done
finish
