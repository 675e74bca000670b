#!/usr/bin/env bash
# tokstep trace against the VCD file that Icarus writes of the RTL for the same run: all of its
# variables exist there under the same name, and have the same bits after each rising edge.
set -u
. tests/tap.sh
. tests/rtl/sim.bash
cosim=$BUILD/tests/rtl/cosim

samples() { # FILE TOP_SCOPES: sorted by cycle and name
    awk -v top="$2" -v common="$tmp/engine.names" -f tests/rtl/vcd_samples.awk "$1" | sort -k1,1n -k2,2
}

same_wave() { # OPTIONS...
    local work=$tmp/run missing
    rm -rf "$work" && mkdir "$work"
    "$TOKSTEP" model export-hex "$@" "$work" && "$cosim" files "$work" "$@" &&
        sim_build icarus tb_vcd "$work" && sim_run icarus tb_vcd "$work" +dir="$work" >"$work/log" &&
        "$TOKSTEP" trace "$@" -o "$work/engine.vcd" || { result 1 "$*" "$(cat "$work/log")"; return; }
    awk -v names=1 -v top=2 -f tests/rtl/vcd_samples.awk "$work/rtl.vcd" | sort -u >"$tmp/rtl.names"
    awk -v names=1 -v top=1 -f tests/rtl/vcd_samples.awk "$work/engine.vcd" | sort -u >"$tmp/engine.names"
    missing=$(comm -13 "$tmp/rtl.names" "$tmp/engine.names")
    samples "$work/rtl.vcd" 2 >"$work/rtl.txt"
    samples "$work/engine.vcd" 1 >"$work/engine.txt"
    [ -z "$missing" ] && [ -s "$work/rtl.txt" ] && cmp -s "$work/rtl.txt" "$work/engine.txt"
    result $? "$(wc -l <"$tmp/engine.names") signals, $*" "not in the RTL: $missing
$(diff "$work/rtl.txt" "$work/engine.txt" | cut -c1-100 | head -20)"
}

same_wave --set d_model=8 --set n_heads=2 --set d_ff=5 --set max_seq_len=8 --stimulus random:1:9000:9000 --tokens 3
same_wave --preset repaired --set d_model=16 --set n_heads=4 --set d_ff=9 --set max_seq_len=5 --stimulus random:4 --tokens 2
same_wave --tokens 2
same_wave --variant stream --set d_model=8 --set n_heads=2 --set d_ff=5 --set max_seq_len=8 --stimulus random:1:9000:9000 --tokens 3
same_wave --variant array --set d_model=8 --set n_heads=2 --set d_ff=5 --set max_seq_len=8 --set pe_rows=3 --set pe_cols=5 --stimulus random:1:9000:9000 --tokens 2
same_wave --set norm=rms --variant stream --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:1:9000:9000
same_wave --set ffn=swiglu --variant array --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:1:9000:9000

# a fault in the RTL shows
cp -r rtl "$tmp/rtl"
sed -i 's/v_mem_q\[row\] <= v_q/v_mem_q[row] <= k_q/' "$tmp/rtl/multi_head_attention.sv"
RTL_DIR=$tmp/rtl
out=$(same_wave --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:1:9000:9000)
contains "a fault is a difference" "$out" "not ok"
contains "in the head's sums" "$out" "u_attn.head_q"
finish
