# For scripts: `. tests/rtl/sim.bash` from the project's root. Builds and runs a bench under either
# simulator; WORK is a directory of its own per bench.
: "${BUILD:=$PWD/build}"
: "${RTL_DIR:=rtl}"

# The package first: the others import it.
sim_sources() {
    echo "$RTL_DIR/transformer_pkg.sv"
    ls "$RTL_DIR"/*.sv | grep -v '/transformer_pkg\.sv$'
}

# sim_build SIM TOP WORK: TOP is tests/rtl/TOP.sv; generated includes are in WORK. Errors to stdout.
sim_build() {
    local sim=$1 top=$2 work=$3
    case $sim in
    icarus)
        iverilog -g2012 -Itests/rtl -I"$work" -s "$top" -o "$work/bench.vvp" $(sim_sources) \
            "tests/rtl/$top.sv" 2>&1
        ;;
    verilator)
        # No unrolling: at the default size it would make a hundred megabytes of C++.
        verilator --cc --main --exe --timing -O3 --unroll-count 1 -Itests/rtl -I"$work" \
            --x-initial unique --x-assign unique -Wno-fatal -Wno-lint -Wno-style \
            --top-module "$top" --Mdir "$work/obj" $(sim_sources) "tests/rtl/$top.sv" \
            >"$work/verilator.log" 2>&1 || { cat "$work/verilator.log"; return 1; }
        # Verilator's own run-time is the same for all: compile it once.
        [ -d "$BUILD/rtl/runtime" ] && cp "$BUILD/rtl/runtime"/*.o "$work/obj/"
        make -s -C "$work/obj" -f "V$top.mk" OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 \
            VM_PARALLEL_BUILDS=0 "V$top" >"$work/make.log" 2>&1 || { cat "$work/make.log"; return 1; }
        if [ ! -d "$BUILD/rtl/runtime" ]; then
            mkdir "$work/runtime" && cp "$work/obj"/verilated*.o "$work/runtime/"
            mv -T "$work/runtime" "$BUILD/rtl/runtime" 2>/dev/null || true
        fi
        ;;
    *)
        echo "$sim: no such simulator; there are verilator and icarus"
        return 1
        ;;
    esac
}

# sim_run SIM TOP WORK [+PLUSARG...]: registers that a reset forgets start with random values.
sim_run() {
    local sim=$1 top=$2 work=$3
    shift 3
    case $sim in
    icarus) vvp -n "$work/bench.vvp" "$@" ;;
    verilator) "$work/obj/V$top" +verilator+rand+reset+2 +verilator+seed+7 "$@" ;;
    esac
}
