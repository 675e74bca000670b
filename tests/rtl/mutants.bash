#!/usr/bin/env bash
# make mutants: every fault of tests/rtl/mutants.txt must be caught. Prints a line per fault; exit 1
# when one survives or an edit no longer fits its file.
#   tests/rtl/mutants.bash [WORD]     only the lines that contain WORD
set -u
cd "$(dirname "$0")/../.."
. tests/rtl/sim.bash
export BUILD
dir=$BUILD/rtl/mutants
caught=0 survived=0

# Small machines that between them reach every branch; each line is a list of run's options.
machines='--set d_model=8 --set n_heads=2 --set d_ff=9 --set max_seq_len=4 --stimulus random:1:3000:32767 --tokens 3
--preset repaired --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:9 --tokens 3
--set ffn=swiglu --set d_model=8 --set n_heads=2 --set d_ff=64 --set max_seq_len=4 --stimulus random:7:400:1200 --tokens 2
--set norm=rms --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:7:120:900 --tokens 2
--preset minus8 --set d_model=16 --set n_heads=4 --set d_ff=9 --set max_seq_len=8 --stimulus random:5:120:900 --tokens 8
--set d_model=8 --set n_heads=1 --set d_ff=1 --set max_seq_len=256 --stimulus integration
--set d_model=8 --set n_heads=2 --set d_ff=512 --set max_seq_len=4 --stimulus random:1:3000:32767 --tokens 4
--set d_model=8 --set n_heads=2 --set d_ff=1 --set max_seq_len=2 --set mask=0xff1f --stimulus integration
--set d_model=8 --set n_heads=2 --set d_ff=1 --set max_seq_len=2 --set mask=0xfe1f --stimulus integration'

streams='--variant stream --set ffn=swiglu --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:7:400:1200 --tokens 2
--variant stream --set norm=rms --set d_model=8 --set n_heads=2 --set d_ff=3 --set max_seq_len=4 --stimulus random:7:120:900 --tokens 2
--variant stream --set d_model=8 --set n_heads=2 --set d_ff=9 --set max_seq_len=4 --stimulus random:1:3000:32767 --tokens 3
--variant stream --set d_model=8 --set n_heads=8 --set d_ff=512 --set max_seq_len=2 --stimulus random:5:3000:32767 --tokens 2'

arrays='--variant array --set ffn=swiglu --set d_model=8 --set n_heads=2 --set d_ff=7 --set max_seq_len=4 --set pe_cols=3 --stimulus random:7:400:1200 --tokens 2
--variant array --set d_model=8 --set n_heads=2 --set d_ff=9 --set max_seq_len=4 --set pe_rows=3 --set pe_cols=5 --stimulus random:1:3000:32767 --tokens 3
--variant array --set d_model=16 --set n_heads=4 --set d_ff=3 --set max_seq_len=2 --set pe_rows=1 --set pe_cols=1 --stimulus random:5:3000:32767 --tokens 2
--variant array --set d_model=8 --set n_heads=2 --set d_ff=512 --set max_seq_len=4 --set pe_rows=2 --set pe_cols=16 --stimulus random:1:3000:32767 --tokens 4'

by_cosim() { # MACHINES; variables RTL_DIR and COSIM tell which side is faulty; 0 when caught
    local options
    while read -r options; do
        found=$(WORK=$dir/work tests/rtl/cosim.bash icarus $options 2>/dev/null) && continue
        [[ $found == "first difference"* || $found == position* ]] # anything else is no catch
        return
    done <<<"$1"
    return 1
}
by_bench() { # BENCH
    mkdir -p "$dir/work"
    sim_build icarus "$1" "$dir/work" >"$dir/work/log" && ! found=$(sim_run icarus "$1" "$dir/work" 2>&1) &&
        [[ $found == FAIL* ]]
}
build_engine() { # the engine from $dir/src, the rest as built
    cc -std=c17 -O1 -I"$dir/src" -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 -o "$dir/cosim" tests/rtl/cosim.c \
        "$dir"/src/engine/*.c "$BUILD"/cli/{options,cli}.o "$BUILD"/{session,tensor,num,base}.a \
        $(pkg-config --libs jansson gmp) -lm 2>"$dir/log"
}

by_systolic_cosim() { # with the array of $dir/src
    mkdir -p "$dir/work"
    cc -std=c17 -O1 -I"$dir/src" -o "$dir/systolic_cosim" tests/rtl/systolic_cosim.c \
        "$dir"/src/engine/{systolic_array,processing_element}.c "$dir/src/base/err.c" 2>"$dir/log" || return
    found=$(SYSTOLIC_COSIM=$dir/systolic_cosim WORK=$dir/work tests/rtl/systolic_cosim.bash icarus 3 2 0 1 2>&1) &&
        return 1
    [[ $found == "first difference"* ]]
}

try() { # FILE[@array] EDIT; @array: of a file that variant array shares, in its part
    local file=${1%@*} edit=$2
    rm -rf "$dir" && mkdir -p "$dir" && cp -r rtl src "$dir/"
    sed -i "$edit" "$dir/$file"
    if cmp -s "$file" "$dir/$file"; then
        found="the edit does not fit the file"
        return 1
    fi
    found=
    case $1 in
    src/*_stream.c | src/engine/kv_cache_bram.c | src/engine/weight_memory.c)
        build_engine && COSIM=$dir/cosim by_cosim "$streams"
        ;;
    src/engine/systolic_array.c | src/engine/processing_element.c) by_systolic_cosim ;;
    src/*_array.c | src/engine/gemv_tile.c | src/engine/array_usage.c)
        build_engine && COSIM=$dir/cosim by_cosim "$arrays"
        ;;
    src/*) build_engine && COSIM=$dir/cosim by_cosim "$machines" ;;
    rtl/bram_sp.sv) RTL_DIR=$dir/rtl by_bench tb_bram ;;
    rtl/processing_element.sv) RTL_DIR=$dir/rtl by_bench tb_processing_element ;;
    rtl/systolic_array.sv | rtl/skew_line.sv) RTL_DIR=$dir/rtl by_bench tb_systolic_array ;;
    rtl/bram_dp.sv | rtl/kv_cache_bram.sv | rtl/weight_memory.sv | rtl/*_stream.sv)
        RTL_DIR=$dir/rtl by_cosim "$streams"
        ;;
    rtl/*_array.sv | rtl/array_usage.sv | rtl/gemv_tile.sv | *@array) RTL_DIR=$dir/rtl by_cosim "$arrays" ;;
    *) RTL_DIR=$dir/rtl by_cosim "$machines" ;;
    esac
}

while IFS='|' read -r file edit what; do
    file=${file// /}
    edit=$(sed 's/^ *//; s/ *$//; s/\x01/||/g' <<<"$edit")
    if try "$file" "$edit"; then
        caught=$((caught + 1))
        printf 'caught   %-36s%s: %s\n' "$file" "$what" "$(head -1 <<<"$found" | sed 's/^first difference: //')"
    else
        survived=$((survived + 1))
        printf 'SURVIVED %-36s%s: %s\n' "$file" "$what" "$found"
    fi
done < <(grep -v '^#' tests/rtl/mutants.txt | sed 's/||/\x01/g' | grep -- "${1-}" | sed 's/ | /|/g')
echo "$caught caught, $survived survived"
[ "$survived" = 0 ] && [ "$caught" != 0 ]
