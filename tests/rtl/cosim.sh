#!/usr/bin/env bash
# Engine and RTL in lock step: small machines of every kind under Icarus, some under Verilator (seconds
# to compile), the default size under both. One TAP line each.
set -u
. tests/tap.sh
. tests/rtl/sim.bash
export BUILD

agree() { # SIM OPTIONS...
    local out
    out=$(tests/rtl/cosim.bash "$@" 2>&1)
    [ $? = 0 ] && [[ $out == *", 0 differences"* ]]
    result $? "$*" "$out"
}
size() { # D H F S
    echo "--set d_model=$1 --set n_heads=$2 --set d_ff=$3 --set max_seq_len=$4"
}

for sim in icarus verilator; do
    agree $sim $(size 8 2 5 8) --stimulus random:1 --tokens 3
    agree $sim --stimulus random:2
done
agree verilator --preset minus8 $(size 16 4 32 8) --stimulus random:3:8000:32767 --tokens 2
agree icarus --preset minus8 $(size 16 4 32 8) --stimulus integration --tokens 3
agree icarus --preset repaired $(size 16 2 9 5) --stimulus random:4:3000:9000 --tokens 4
agree icarus --preset repaired $(size 8 4 3 6) --set exp=intended --stimulus random:5:120 --tokens 3
agree icarus $(size 32 4 16 16) --stimulus random:1009:32767:32767 --tokens 3
agree icarus $(size 8 8 1 1) --stimulus random:6:300:3000
agree icarus $(size 8 1 1 2) --set score_scale=0x7fff --stimulus random:7:300:3000 --tokens 2
agree icarus $(size 16 4 8 300) --stimulus integration
agree icarus --stimulus integration --tokens 2
agree icarus --variant stream $(size 8 2 5 8) --stimulus random:1 --tokens 3
agree verilator --variant stream $(size 8 2 5 8) --stimulus random:1 --tokens 3
agree icarus --variant stream --stimulus random:2
agree verilator --variant stream --preset minus8 --stimulus integration --tokens 2
agree icarus --variant stream --preset repaired $(size 16 2 9 5) --stimulus random:4:3000:9000 --tokens 4
agree icarus --variant stream $(size 32 4 16 16) --stimulus random:1009:32767:32767 --tokens 2
agree icarus --variant stream $(size 8 8 1 1) --stimulus random:6:300:3000
agree icarus --variant stream $(size 8 1 1 2) --stimulus random:7:300:3000 --tokens 2
agree icarus --variant array $(size 8 2 5 8) --stimulus random:1 --tokens 3
agree verilator --variant array $(size 8 2 5 8) --set pe_rows=2 --set pe_cols=3 --stimulus random:1 --tokens 3
agree icarus --variant array --stimulus random:2
agree verilator --variant array --preset minus8 --stimulus integration --tokens 2
agree icarus --variant array --preset repaired $(size 16 2 9 5) --set pe_rows=7 --set pe_cols=5 --stimulus random:4:3000:9000 --tokens 4
agree icarus --variant array $(size 32 4 16 16) --set pe_rows=1 --stimulus random:1009:32767:32767 --tokens 2
agree icarus --variant array $(size 8 8 1 1) --set pe_rows=1 --set pe_cols=1 --stimulus random:6:300:3000
agree icarus --variant array $(size 8 1 1 2) --set pe_rows=2 --set pe_cols=16 --stimulus random:7:300:3000 --tokens 2
for sim in icarus verilator; do
    for variant in bridge stream array; do
        agree $sim --variant $variant --set norm=rms $(size 8 2 5 8) --stimulus random:1:3000:9000 --tokens 3
    done
done
for sim in icarus verilator; do
    for variant in bridge stream array; do
        agree $sim --variant $variant --set ffn=swiglu $(size 8 2 5 8) --set pe_cols=3 --stimulus random:1:3000:9000 --tokens 3
    done
done
agree icarus --set ffn=swiglu --set norm=rms --preset repaired $(size 16 2 21 5) --stimulus random:4:32767:32767 --tokens 4
agree icarus --variant stream --set ffn=swiglu --set norm=rms --preset minus8 $(size 8 8 1 1) --stimulus random:6:300:3000
agree icarus --variant array --set ffn=swiglu $(size 8 8 1 1) --set pe_rows=1 --set pe_cols=1 --stimulus random:6:300:3000
agree icarus --variant array --set ffn=swiglu --set norm=rms --preset repaired $(size 16 4 43 16) --set pe_cols=7 --stimulus random:9
agree icarus --set norm=rms --preset repaired $(size 16 2 9 5) --set exp=intended --stimulus random:4:32767:32767 --tokens 4
agree icarus --variant stream --set norm=rms --preset minus8 $(size 8 8 1 1) --stimulus random:6:300:3000
agree icarus --variant array --set norm=rms --preset repaired $(size 32 4 16 16) --set pe_rows=3 --set pe_cols=7 --stimulus random:9
agree verilator --set norm=rms --stimulus random:2

# a fault is found, told and makes it fail
cp -r rtl "$tmp/rtl"
sed -i 's/v_mem_q\[row\] <= v_q/v_mem_q[row] <= k_q/' "$tmp/rtl/multi_head_attention.sv"
out=$(RTL_DIR=$tmp/rtl tests/rtl/cosim.bash icarus $(size 8 2 3 4) --stimulus random:1)
equals "a fault makes it fail" "$?" 1
contains "the first difference is told" "$out" "first difference: cycle 43, V[3][0]: engine 0037, rtl 0043"
finish
