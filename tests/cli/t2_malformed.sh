#!/usr/bin/env bash
# Containers that crashed, hung or fooled real readers (numbers G.. and S.. name the case), and
# others of their kinds: one clear line and exit 2, or accepted, each as a user must be able to
# rely on. Runs the sanitised program where it was built.
. tests/tap.sh
[ -x "${TOKSTEP_ASAN-}" ] && TOKSTEP=$TOKSTEP_ASAN

bytes() { # HEX...: binary on stdout
    local hex="$*"
    hex=${hex// /}
    printf "$(sed 's/../\\x&/g' <<<"$hex")"
}
le32() { local v; v=$(printf '%08x' "$1"); echo "${v:6:2}${v:4:2}${v:2:2}${v:0:2}"; }
le64() {
    local v
    v=$(printf '%016x' "$1")
    echo "${v:14:2}${v:12:2}${v:10:2}${v:8:2}${v:6:2}${v:4:2}${v:2:2}${v:0:2}"
}
H() { echo "47475546$(le32 "$1")$(le64 "$2")$(le64 "$3")"; } # VERSION TENSORS KEYS
text() { local h; h=$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n'); echo "$(le64 ${#1})$h"; }
# TI NAME TYPE OFFSET DIM...
TI() {
    local name=$1 type=$2 offset=$3 d
    shift 3
    echo -n "$(text "$name")$(le32 $#)"
    for d in "$@"; do echo -n "$(le64 "$d")"; done
    echo "$(le32 "$type")$(le64 "$offset")"
}
rep() { local s; s=$(printf "%$2s" ''); echo "${s// /$1}"; } # HEX COUNT
# pad HEX: zeros up to a multiple of 32 bytes
pad() { local h=$1; while ((${#h} % 64)); do h+=00; done; echo "$h"; }

f=$tmp/file.gguf
no() { # NAME PART HEX
    bytes "$3" >"$f"
    refused "$1" "$2" "$TOKSTEP" t2 info "$f"
    contains "$1 tells the byte" "$(cat "$tmp/stderr")" "at byte "
}
yes() { # NAME WARNINGS HEX
    local out rc
    bytes "$3" >"$f"
    out=$("$TOKSTEP" t2 info "$f" 2>"$tmp/stderr")
    rc=$?
    equals "$1" "$rc $(wc -l <"$tmp/stderr") $(grep -c 'warning:' "$tmp/stderr")" "0 $2 $2"
    last=$out
}

Z32=$(rep 00 32)
tensor=$(TI t 35 0 256)
good=$(pad "$(H 3 1 0)$tensor")$(rep 55 64)003c

# ---- GGUF: the valid ones ----
yes "G00 baseline: one TQ2_0 row" 0 "$good"
contains "G00 shows 256 zeros" "$last" "0 256 (100.0 %)"
yes "G19 header that ends on the boundary" 0 "$(H 3 1 0)$(TI tensor_t 35 0 256)$(rep 55 64)003c"
equals "G19 is 130 bytes" "$(wc -c <"$f")" 130
yes "G25 keys only, not padded" 0 "$(H 3 0 1)$(text k)0700000001"
yes "version 2" 0 "$(pad "$(H 2 1 0)$tensor")$(rep 55 64)003c"
yes "G18c type 42 that can only be groups of 128" 0 \
    "$(pad "$(H 3 2 0)$(TI t 42 0 256 32)$(TI u 42 2176 256 32)")$(rep 00 4352)"
contains "G18c says group 128" "$last" "q2_0 g128"
yes "no tensors, no keys" 0 "$(H 3 0 0)"
yes "an array of strings" 0 "$(H 3 0 1)$(text k)0900000008000000$(le64 2)$(text a)$(text b)"

# ---- GGUF: usable with a warning ----
yes "G15a type 31, removed" 1 "$(pad "$(H 3 1 0)$(TI t 31 0 256)")$Z32"
contains "G15a is unknown with its number" "$last" "unknown (type 31)"
contains "G15a shows what room it has" "$last" "at most 32"
yes "G15b type ffffffff" 1 "$(pad "$(H 3 1 0)$(TI t 4294967295 0 256)")$Z32"
yes "G15c type 144" 1 "$(pad "$(H 3 1 0)$(TI t 144 0 256)")$Z32"
yes "G15c type 36" 1 "$(pad "$(H 3 1 0)$(TI t 36 0 256)")$Z32"
yes "G18d type 42 where both groups fit" 1 "$(pad "$(H 3 1 0)$(TI t 42 0 256)")$(rep 00 96)"
contains "G18d says so" "$(cat "$tmp/stderr")" "groups of 64 and of 128 both fit"
refused "G18d cannot be converted without --group" "--group" \
    "$TOKSTEP" t2 convert --from q2_0 "$f" -o "$tmp/o.t2"
yes "G21 bool 2" 1 "$(H 3 0 1)$(text k)0700000002"
yes "G23 name of 64 bytes" 1 \
    "$(pad "$(H 3 1 0)$(TI "$(rep n 64)" 35 0 256)")$(rep 55 64)003c"
yes "name with a NUL" 1 "$(pad "$(H 3 1 0)$(le64 3)740061$(le32 1)$(le64 256)$(le32 35)$(le64 0)")$(rep 55 64)003c"
yes "hadamard keys mark the tensor" 0 "$(pad "$(H 3 1 1)$(text prism.hadamard.weight_names)0900000008000000$(le64 1)$(text t)$tensor")$(rep 55 64)003c"
contains "hadamard tensor is flagged" "$last" "rotated basis"

# ---- GGUF: refused ----
no "G01 four bytes" "cut off" 47475546
no "G02 byte-swapped version" "big-endian" "47475546000000030000000000000000 0000000000000000"
for v in 0 1 4; do no "G02 version $v" "version $v" "$(H $v 0 0)"; done
no "G03a 2^63 tensors" "tensors cannot fit" 474755460300000000000000000000800000000000000000
no "G03b 2^60 keys" "keys cannot fit" 474755460300000000000000000000000000000000000010
no "G04a key of 2^64-1 bytes" "are left" "$(H 3 0 1)ffffffffffffffff$Z32"
no "G04b string of 2^30 bytes" "are left" \
    47475546030000000000000000000000010000000000000001000000000000006b080000000000004000000000
no "G06 duplicate key" "twice" \
    "$(H 3 0 2)$(text k)0400000001000000$(text k)0400000002000000"
no "G07a value type 13" "type 13" "$(H 3 0 1)$(text k)0d00000000000000"
no "G07b array of arrays" "array of arrays" \
    "$(H 3 0 1)$(text k)09000000 0900000001000000000000000000000001000000 0000000000000000"
no "G07b ten thousand deep" "array of arrays" \
    "$(H 3 0 1)$(text k)09000000$(rep 090000000100000000000000 10000)"
no "G08a array of 2^61 u64" "passes the end" "$(H 3 0 1)$(text k)090000000a0000000000000000000020"
no "array of 2^62 strings" "passes the end" "$(H 3 0 1)$(text k)09000000080000000000000000000040"
no "array of value type 99" "type 99" "$(H 3 0 1)$(text k)0900000063000000$(le64 0)"
A=$(text general.alignment)
no "G09 alignment 0" "alignment 0" "$(H 3 0 1)${A}0400000000000000"
no "alignment 48" "alignment 48" "$(H 3 0 1)${A}0400000030000000"
no "alignment 2^21" "alignment 2097152" "$(H 3 0 1)${A}0400000000002000"
no "G10 alignment as i32" "not u32" "$(H 3 0 1)${A}0500000020000000"
no "empty key" "key of 0 bytes" "$(H 3 0 1)$(text "")0400000001000000"
no "key of 65536 bytes" "key of 65536" "$(H 3 0 1)$(le64 65536)$(rep 6b 65536)0400000001000000"
no "G12a five dimensions" "5 dimensions" "$(pad "$(H 3 1 0)$(TI t 0 0 1 1 1 1 1)")$Z32"
no "G12b 2^32-1 dimensions" "dimensions" "$(H 3 1 0)$(le64 1)74ffffffff$Z32"
no "G13 no rows" "dimension 0" "$(pad "$(H 3 1 0)$(TI t 35 0 256 0)")$(rep 00 96)"
no "G14a 2^32 x 2^32 of F32" "2^63" "$(pad "$(H 3 1 0)$(TI t 0 0 4294967296 4294967296)")$Z32"
no "G14a 2^42+1 rows" "passes the end of the data" \
    "$(pad "$(H 3 1 0)$(TI t 35 0 256 4398046511105)")$Z32"
no "size past 2^64" "passes 2^64" \
    "$(pad "$(H 3 1 0)$(TI t 28 0 4611686018427387904)")$Z32"
no "G14b negative dimension" "dimension -256" \
    "$(pad "$(H 3 1 0)$(TI t 35 0 -256)")$(rep 00 96)"
no "K not a whole number of blocks" "% 256" "$(pad "$(H 3 1 0)$(TI t 35 0 128)")$(rep 00 96)"
no "G17a no data" "passes the end of the data" "$(pad "$(H 3 1 0)$tensor")"
no "G17b last byte missing" "passes the end of the data" "${good%??}"
no "G18a offset 1" "no multiple of the alignment" \
    "$(pad "$(H 3 1 0)$(TI t 35 1 256)")$(rep 55 64)003c00"
no "G22 two tensors of one name" "named 't'" \
    "$(pad "$(H 3 2 0)$tensor$(TI t 35 96 256)")$(rep 55 192)"
nul() { echo "$(le64 3)7400$1$(le32 1)$(le64 256)$(le32 35)$(le64 "$2")"; }
no "G22 names equal up to a NUL" "named 't'" \
    "$(pad "$(H 3 2 0)$(nul 61 0)$(nul 62 96)")$(rep 55 192)"
no "overlapping tensors" "overlap" \
    "$(pad "$(H 3 2 0)$tensor$(TI u 35 32 256)")$(rep 55 192)"
no "offset near 2^64" "passes the end of the data" \
    "$(pad "$(H 3 1 0)$(TI t 35 -32 256)")$(rep 55 192)"
no "name of 65 bytes" "64 is most" "$(pad "$(H 3 1 0)$(TI "$(rep n 65)" 35 0 256)")$(rep 55 96)"
no "tensor table cut off" "are left" "$(H 3 1 0)$(text t)01000000$(le64 256)$(le32 35)00000000"
no "data section would start past the end" "would start" "$(H 3 1 0)$tensor"
no "type 42 with neither group in the file" "passes the end" \
    "$(pad "$(H 3 1 0)$(TI t 42 0 256)")$(rep 00 64)"
no "type 42 in groups of 64, one byte short" \
    "truncated: tensor t in groups of 64 (type 42) ends at byte 136" \
    "$(pad "$(H 3 1 0)$(TI t 42 0 256)")$(rep 00 71)"
contains "and where the file ends" "$(cat "$tmp/stderr")" "at byte 135"
no "type 42 whose offsets say 128, one byte short" \
    "truncated: tensor u in groups of 128 (type 42) ends at byte 4480" \
    "$(pad "$(H 3 2 0)$(TI t 42 0 256 32)$(TI u 42 2176 256 32)")$(rep 00 4351)"
printf '<!DOCTYPE html><html><body>404</body></html>' >"$f"
refused "G24 a web page named .gguf" "not a GGUF file" "$TOKSTEP" t2 info "$f"
: >"$f"
refused "empty .gguf" "not a GGUF file" "$TOKSTEP" t2 info "$f"

# every prefix of a good file: never a crash, refused below full length
bytes "$good" >"$tmp/good"
bad=0
for n in $(seq 0 129); do
    head -c "$n" "$tmp/good" >"$f"
    "$TOKSTEP" t2 info "$f" >/dev/null 2>&1
    [ $? = 2 ] || bad=$n
done
equals "every cut of G00 is refused" $bad 0

# ---- safetensors ----
f=$tmp/file.safetensors
st() { # JSON [DATA_HEX]: the file in hex
    local h
    h=$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n')
    echo "$(le64 ${#1})$h${2-}"
}
entry() { echo "\"$1\":{\"dtype\":\"$2\",\"shape\":[$3],\"data_offsets\":[$4]}"; }

yes "one tensor" 0 "$(st "{$(entry w U8 4 0,4)}" 00000000)"
yes "no tensor" 0 "$(st "{}")"
yes "padded with spaces" 0 "$(st "{$(entry w U8 4 0,4)}   " 00000000)"
yes "a scalar and metadata" 0 \
    "$(st "{\"__metadata__\":{\"a\":\"b\"},$(entry w F32 "" 0,4)}" 00000000)"
yes "metadata null" 0 "$(st "{\"__metadata__\":null,$(entry w U8 4 0,4)}" 00000000)"
yes "S18 empty tensor beside a real one" 0 \
    "$(st "{$(entry e U8 2,0 0,0),$(entry w U8 4 0,4)}" 00000000)"
yes "two half-byte dtypes" 0 "$(st "{$(entry w F4 2 0,1)}" 00)"
yes "S07 leading space" 1 "$(st " {}")"

: >"$f"
refused "S01 empty file" "shorter than the 8 bytes" "$TOKSTEP" t2 info "$f"
no "S02 length only" "passes the end of the file" 3c00000000000000
no "S04 header of 100,000,001 bytes" "100000000 is most" 01e1f50500000000
no "length near 2^64" "is most" fbffffffffffffff7b7d
no "S05 not UTF-8" "no JSON" 0100000000000000ff
no "S06 unfinished JSON" "no JSON" 01000000000000007b
no "S06 an array" "no JSON object" 02000000000000005b5d
no "S08 duplicate name" "no JSON: duplicate" \
    "$(st "{$(entry w U8 4 0,4),$(entry w U8 4 4,8)}" 0000000000000000)"
contains "S08 where the second one stands" "$(cat "$tmp/stderr")" "key 'w', at byte 61"
no "S08 duplicate name, once escaped, not side by side" "key 'w', at byte 113" \
    "$(st "{$(entry w U8 4 0,4),$(entry v U8 4 4,8),$(entry '\u0077' U8 4 8,12)}" "$(rep 00 12)")"
no "duplicate metadata key" "no JSON: duplicate object key 'a', at byte 41" \
    "$(st '{"__metadata__":{"a":"1","b":"1","\u0061":"2"}}')"
no "metadata twice" "no JSON: duplicate object key '__metadata__', at byte 27" \
    "$(st '{"__metadata__":{},"__metadata__":null}')"
no "a key twice in one entry" "no JSON: duplicate object key" \
    "$(st '{"w":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}}')"
no "NUL in a metadata value" "no JSON: \\x5cu0000" "$(st '{"__metadata__":{"a":"\u0000"}}')"
no "S09 overlap" "the tensor before ends at 4" \
    "$(st "{$(entry a U8 4 0,4),$(entry b U8 4 0,4)}" 00000000)"
no "S11 trailing byte" "1 bytes after the last tensor" "$(st "{$(entry w U8 4 0,4)}" 0000000000)"
no "S12 end before begin" "before they begin" "$(st "{$(entry w U8 4 4,0)}" 00000000)"
no "S13 span larger than the shape" "shape needs 4 bytes" \
    "$(st "{$(entry w I8 4 0,2176)}" "$(rep 00 2176)")"
no "S13 shape larger than the span" "shape needs 4000000 bytes" \
    "$(st "{$(entry w F32 1000,1000 0,4)}" 00000000)"
no "S17 metadata number" "no string" "$(st '{"__metadata__":{"a":1}}')"
no "metadata is no object" "no object" "$(st '{"__metadata__":[]}')"
no "S19 header longer than the file" "passes the end of the file" \
    "e803000000000000$(rep 20 492)"
no "a hole" "the tensor before ends at 0" "$(st "{$(entry w U8 4 4,8)}" 0000000000000000)"
no "shape product wraps" "passes 2^64" \
    "$(st "{$(entry w U8 4294967296,4294967296 0,0)}")"
no "bits wrap" "passes 2^64 bits" "$(st "{$(entry w F32 1152921504606846976 0,4)}" 00000000)"
no "negative dimension" "no size" "$(st "{$(entry w U8 -4 0,4)}" 00000000)"
no "dimension with a point" "no size" "$(st "{$(entry w U8 4.0 0,4)}" 00000000)"
no "offset past 2^63" "no JSON" "$(st "{$(entry w U8 4 0,18446744073709551615)}" 00000000)"
no "end past the data" "of 4 bytes of data" "$(st "{$(entry w U8 8 0,8)}" 00000000)"
no "half a byte" "inside a byte" "$(st "{$(entry w F4 3 0,2)}" 0000)"
no "unknown dtype" "unknown dtype 'X7'" "$(st "{$(entry w X7 4 0,4)}" 00000000)"
no "three offsets" "not two sizes" "$(st "{$(entry w U8 4 0,4,4)}" 00000000)"
no "entry is no object" "no object" "$(st '{"w":3}')"
no "entry of more than a megabyte" "entry of more than 1048576 bytes, at byte 9" \
    "$(st "{\"w\":{\"x\":[$(rep '10000000000,' 90000)1]}}")"
no "metadata is a word" "no JSON: invalid token" "$(st '{"__metadata__":nil}')"
no "entry without shape" "no shape" "$(st '{"w":{"dtype":"U8","data_offsets":[0,4]}}' 00000000)"
no "33 dimensions" "more than 32" "$(st "{$(entry w U8 1$(rep ,1 32) 0,1)}" 00)"
no "objects that hold nothing" "more objects and arrays" "$(st "{\"w\":[$(rep '{},' 30000)1]}")"
no "two JSON values" "no JSON" "$(st '{}{}')"
no "ten thousand brackets" "no JSON" "$(st "$(rep '[' 10000)")"
no "a name with an escape cannot reach the terminal" 'tensor w\x1b[31m' \
    "$(st '{"w\u001b[31m":{"dtype":"X","shape":[],"data_offsets":[0,0]}}')"

# ---- Q4NX: gaps are allowed, nothing else ----
f=$tmp/file.q4nx
Z=$(rep 00 2176)
yes "Q4NX with a gap" 0 "$(st "{$(entry a I8 1,1,2176 0,2176),$(entry b U8 4 2240,2244)}" \
    "$Z$(rep 00 68)")"
contains "a 3-D tensor has its shape" "$last" "t2 1 tiles 32x256"
yes "Q4NX q4_1, q4_k and q8 by their last dimension" 0 "$(st "{$(entry a I8 1,5120 0,5120),$(entry b I8 1,4736 5120,9856),$(entry c I8 1,8704 9856,18560)}" "$(rep 00 18560)")"
equals "kinds" "$(grep -o ' q4_1 \| q4_k \| q8 ' <<<"$last" | tr -d '\n ')" q4_1q4_kq8
yes "unknown chunk size" 1 "$(st "{$(entry a I8 1,100 0,100)}" "$(rep 00 100)")"
no "Q4NX overlap" "the tensor before ends at 4" \
    "$(st "{$(entry a U8 4 0,4),$(entry b U8 4 2,6)}" 000000000000)"
no "Q4NX header length 2^64-5" "is most" fbffffffffffffff7b7d
no "Q4NX offsets near 2^64" "no JSON" \
    "$(st "{$(entry a I8 1,5120 18446744073709546615,18446744073709551515)}" "$Z")"
no "Q4NX end 2^30" "bytes of data" "$(st "{$(entry a I8 1,5120 0,1073741824)}" "$Z")"
no "Q4NX four tiles in the bytes of one" "shape needs 20480" \
    "$(st "{$(entry a I8 4,5120 0,5120)}" "$(rep 00 5120)")"

# ---- raw t2 and pb16i ----
f=$tmp/file.t2
yes "one tile" 0 "$Z"
contains "a zero-filled tile is named a hole" "$last" "zero-filled hole"
no "half a tile" "whole tiles of 2176" "${Z}00"
: >"$f"
refused "empty .t2" "whole tiles of 2176" "$TOKSTEP" t2 info "$f"
f=$tmp/file.bin
P=5042313649000001
yes "smallest pb16i" 0 "$P$(le32 1)$(le32 32)$(rep 00 4)0100$(rep 00 16)"
no "pb16i header cut off" "cut off" "$P"
no "pb16i K not a multiple of 32" "multiple of 32" "$P$(le32 1)$(le32 33)$(rep 00 40)"
no "pb16i truncated" "needs 38 bytes" "$P$(le32 1)$(le32 32)$(rep 00 21)"
no "pb16i of 2^32-1 squared" "needs" "${P}ffffffffe0ffffff$(rep 00 40)"
no "pb16i additive-min by its version" "additive-min" "5042313649000002$(rep 00 32)"
no "pb16i additive-min by its extra table" "additive-min" \
    "$P$(le32 1)$(le32 32)$(rep 00 4)0100$(rep 00 16)0000"

refused "no such file" "No such file" "$TOKSTEP" t2 info "$tmp/nothing.gguf"
refused "a directory" "not a regular file" "$TOKSTEP" t2 info "$tmp"
finish
