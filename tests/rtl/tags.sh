#!/usr/bin/env bash
# The RTL and the signal table name the same things: every FSM state has its tag comment at a case
# label, every tag is a state, and the registers of the RTL are the registers of the table.
set -u
. tests/tap.sh
: "${BUILD:=$PWD/build}"
: "${COSIM:=$BUILD/tests/rtl/cosim}"

# A state's tag is @VARIANT.UNIT.STATE, or @UNIT.STATE where the variants share it.
grep -Eo '@[a-z0-9]+\.[a-z0-9.]*[A-Z0-9_]+' rtl/*.sv | grep -v 'transformer_pkg' | sort >"$tmp/tags"
grep -E 'S_[A-Z0-9_]+: (begin )?.*// @' rtl/*.sv >"$tmp/labels"
missing= wanted=
while read -r variant state; do
    if grep -q "@$variant\.$state\$" "$tmp/tags"; then
        tag="@$variant.$state"
    else
        tag="@$state"
        grep -q ":$tag\$" "$tmp/tags" || missing="$missing $variant:$state"
    fi
    # the tag stands at the label of that very state
    grep -Eq "S_${state#*.}: .*$tag( |\$)" "$tmp/labels" || missing="$missing $variant:$state(label)"
    wanted="$wanted$tag
"
done < <("$COSIM" states)
equals "every state of the signal table has a tag" "$missing" ""
equals "every tag is a state of the signal table" \
    "$(sed 's/.*://' "$tmp/tags" | sort -u | grep -vxF "$wanted")" ""
equals "no tag stands twice" "$(sed 's/.*://' "$tmp/tags" | sort | uniq -d)" ""

# MODULE INSTANCE_PATH pairs of a variant; '#' stands for the index of a row, column or register.
instances() { # VARIANT
    printf '%s\n' 'decoder_control u_frame.u_control.' 'layer_norm u_frame.u_ln1.' 'layer_norm u_frame.u_ln2.' \
        'softmax_unit u_attn.u_softmax.'
    case $1 in
    bridge) printf '%s\n' 'multi_head_attention u_attn.' 'feed_forward u_ffn.' ;;
    stream)
        printf '%s\n' 'multi_head_attention_stream u_attn.' 'feed_forward_stream u_ffn.' \
            'kv_cache_bram u_attn.u_cache.' 'bram_dp u_attn.u_cache.u_k.' 'bram_dp u_attn.u_cache.u_v.' \
            'weight_memory u_weights.'
        for bank in wq wk wv wo w1 b1 w2 gen_swiglu.u_w3 gen_swiglu.u_b3; do echo "bram_sp u_weights.u_$bank." | sed 's/u_gen/gen/'; done
        ;;
    array)
        printf '%s\n' 'multi_head_attention u_attn.' 'feed_forward_array u_ffn.' \
            'gemv_tile u_attn.gen_tile.u_tile.' 'gemv_tile u_ffn.u_tile.' \
            'array_usage u_usage.' 'systolic_array u_array.' \
            'processing_element u_array.gen_row[#].gen_col[#].u_pe.' \
            'skew_line u_array.gen_west[#].u_skew.gen_line.' 'skew_line u_array.gen_north[#].u_skew.gen_line.'
        ;;
    esac
}
for variant in bridge stream array; do
    instances $variant | while read -r module path; do
        sed 's,//.*,,' "rtl/$module.sv" | grep -Eow '[a-z0-9_]+_q' | sort -u | sed "s/^/$path/"
    done | sort >"$tmp/rtl"
    for option in ffn=relu ffn=swiglu; do # what an option adds is in the RTL too
        "$COSIM" registers --variant $variant --set $option
    done | sort -u | sed 's/\[#\*16+:16\]$//' | grep '_q$' |
        sort >"$tmp/table" # the weights of bridge and array are pins
    equals "$variant: registers of the RTL = registers of the table" "$(diff "$tmp/rtl" "$tmp/table")" ""
done
finish
