#!/usr/bin/env bash
# The contract of `tokstep t2`: what each part prints, its exit codes, and what it refuses.
. tests/tap.sh
G=tests/golden/t2
t2() { "$TOKSTEP" t2 "$@"; }
run() { # COMMAND...: its stdout in $out, exit code in $rc
    out=$("$@" 2>"$tmp/stderr")
    rc=$?
}
same() { # NAME FILE GOLDEN
    cmp -s "$2" "$3"
    result $? "$1" "$(cmp "$2" "$3" 2>&1)"
}
hex() { printf "$(sed 's/../\\x&/g' <<<"$*")"; }

# ---- info ----
run t2 info $G/five-types.gguf
equals "info exits 0" $rc 0
contains "info: container" "$out" "five-types.gguf: GGUF v3, 5 tensors, 1 keys, 10496 bytes"
contains "info: a tensor with its place" "$out" \
    "tensor blk.0.ffn_down.weight tq2_0 (type 35) 32x256 at 2112 size 2112 2.0625 b/w"
contains "info: codes" "$out" "codes -1 2662 (32.5 %) 0 2771 (33.8 %) +1 2759 (33.7 %)"
contains "info: bf16" "$out" "bf16-exact 14 of 32 (43.75 %), worst relative error 3.861e-03"
contains "info: id 42 decided" "$out" "output.weight q2_0 g64 (type 42)"
run t2 info $G/five-types.gguf --tensor output.weight
equals "info --tensor shows one" "$(grep -c ^tensor <<<"$out")" 1
run t2 info --quick $G/five-types.gguf
equals "info --quick reads headers only" "$(wc -l <<<"$out")" 6
run t2 info $G/reserved-64x512.t2
contains "info needs no shape" "$out" "t2 4 tiles"
contains "info counts reserved codes" "$out" "reserved 4"
run t2 info $G/reserved-64x512.t2 --shape 64x512
contains "info takes a shape" "$out" "64x512"
refused "info refuses a wrong shape" "needs 2 tiles, it has 4" t2 info $G/reserved-64x512.t2 --shape 64x256
refused "info refuses an unknown tensor and lists them" "it holds a.weight, b.weight" \
    t2 info $G/id42-g128.gguf --tensor c
# table WHAT: a safetensors file of 5 MB of header
table() {
    python3 - "$1" <<'PY'
import struct, sys
tensors = lambda n: ",".join(
    '"t%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}' % (i, i, i + 1) for i in range(n))
header, data = {
    "tensors": lambda: ("{%s}" % tensors(90000), 90000),
    "metadata": lambda: ('{"__metadata__":{%s}}' % ",".join('"k%d":"v"' % i for i in range(370000)), 0),
    "text": lambda: ('{"__metadata__":{"k":"%s"}}' % ('{\\"a\\": 1} ' * 400000), 0),
    "list": lambda: ('{"w":{"shape":[%s1]}}' % ("1," * 2500000), 0),
}[sys.argv[1]]()
sys.stdout.buffer.write(struct.pack("<Q", len(header)) + header.encode() + bytes(data))
PY
}
# a header takes a small multiple of its size, in address space beside what the program has itself
for what in tensors:0 metadata:0 text:0 list:2; do
    table ${what%:*} >"$tmp/table.safetensors"
    (ulimit -v 100000 && t2 info --quick "$tmp/table.safetensors") >"$tmp/out" 2>"$tmp/stderr"
    equals "a header of 5 MB of ${what%:*} within 100 MB" "$? $(grep -c memory "$tmp/stderr")" "${what#*:} 0"
done
contains "and the list is refused for its length" "$(cat "$tmp/stderr")" "entry of more than 1048576 bytes"
# sample WHAT: a tile or a GGUF of one 32x256 tensor, with scales and codes from a fixed generator
sample() {
    python3 - "$1" <<'PY'
import random, struct, sys
r = random.Random(809)
def d(order): return struct.pack(order + "e", r.uniform(0.02, 0.3))
def q(n): return bytes(sum(r.randrange(3) << 2 * i for i in range(4)) for _ in range(n))
def gguf(kind, data):
    head = b"GGUF" + struct.pack("<IQQQ", 3, 1, 0, 1) + b"w" + struct.pack("<IQQIQ", 2, 256, 32, kind, 0)
    return head + bytes(-len(head) % 32) + data + bytes(-len(data) % 32)
out = {
    "swapped.t2": lambda: q(2048) + b"".join(d(">") for _ in range(64)),
    "swapped.tq2": lambda: gguf(35, b"".join(q(64) + d(">") for _ in range(32))),
    "g64-as-g128": lambda: gguf(142, b"".join(d("<") + q(16) for _ in range(121))[:2176]),
    "last-as-first": lambda: gguf(142, b"".join(q(32) + d("<") for _ in range(64))),
}[sys.argv[1]]()
sys.stdout.buffer.write(out)
PY
}
for what in swapped.t2 swapped.tq2; do
    sample $what >"$tmp/$what"
    run t2 info "$tmp/$what"
    equals "info $what: big-endian scales are named, and nothing else" "$(grep -o 'seen: [^:]*: [0-9]* %' <<<"$out")" \
        "seen: scale bytes swapped (big-endian): 100 %"
    equals "info $what: one finding" "$(grep -c seen: <<<"$out")" 1
done
for what in g64-as-g128 last-as-first; do
    sample $what >"$tmp/$what.gguf"
    run t2 info "$tmp/$what.gguf"
    contains "info $what: the scales are codes" "$out" \
        "seen: scales look like code bytes: wrong group size or offset: no pair 11 in"
done
run t2 poke $G/q1_0-32x256.t2 --at 7=ff -o "$tmp/p.t2"
run t2 info "$tmp/p.t2"
equals "info: one damaged byte is no fingerprint" "$rc $(grep -c seen: <<<"$out")" "0 0"
run t2 poke $G/q1_0-32x256.t2 --at 0x802=3c00 0x806=5555 -o "$tmp/p2.t2"
run t2 info "$tmp/p2.t2"
equals "info: single scales far from all others are" "$(grep -o 'seen: [^:]*' <<<"$out")" \
    $'seen: scale 85.3125 or 85.375 (0x5555, 0x5556)\nseen: scale 3.58e-06 (0x003c)'
run t2 info $G/five-types.gguf --json
got=$(python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["file"].split("/")[-1], d["container"], d["version"], d["keys"], d["bytes"])
for t in d["tensors"]:
    print(t["name"], t["kind"], t["type_id"], t["shape"], t["offset"], t["size"], t["bits_per_weight"])
t = d["tensors"][1]
s = t["scales"]
print(t["codes"], t["findings"])
print(s["count"], s["normal"], s["subnormal"], s["zero"], s["inf"], s["nan"], s["negative"], s["bf16_exact"],
      "%.3e" % s["bf16_worst_error"], len(s["exponents"]), s["exponents"][10:16])
print(d["tensors"][4]["findings"][1])' <<<"$out")
equals "info --json says what the text says" "$rc $got" "0 five-types.gguf GGUF 3 1 10496
blk.0.ffn_up.weight tq1_0 34 [32, 256] 384 1728 1.6875
blk.0.ffn_down.weight tq2_0 35 [32, 256] 2112 2112 2.0625
blk.1.ffn_up.weight ptq1_0 143 [32, 256] 4224 1792 1.75
blk.1.ffn_down.weight pq2_0 142 [32, 256] 6016 2176 2.125
output.weight q2_0 g64 42 [32, 256] 8192 2304 2.25
{'-1': 2662, '0': 2771, '+1': 2759, '+2': 0} []
32 29 3 0 0 0 3 14 3.861e-03 32 [3, 7, 7, 1, 6, 3]
{'seen': 'size = weights * 0.28125', 'cause': 'id 42 with groups of 64'}"
run t2 info --json --quick $G/reserved-64x512.t2
got=$(python3 -c '
import json, sys
t = json.load(sys.stdin)["tensors"][0]
print(t["tiles"], t["shape"], "codes" in t, "type_id" in t)' <<<"$out")
equals "info --json --quick: headers only; an untold shape is null" "$got" "4 None False False"
cp $G/mixed-64x512.t2 "$tmp/"$'\351.t2'
t2 info --json "$tmp/"$'\351.t2' | python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)["file"][-7:] != "\\xe9.t2")'
result $? "info --json: a name that is not UTF-8"
refused "info --json: an error is a line, not half a document" "it holds a.weight, b.weight" \
    t2 info --json $G/id42-g128.gguf --tensor c

# ---- verify ----
run t2 verify $G/reserved-64x512.t2 --shape 64x512
equals "verify: reserved codes exit 1" $rc 1
equals "verify: places and count" "$out" "reserved tile 0,0 row 0 col 0 byte 0 bit 0
reserved tile 0,0 row 5 col 130 byte 352 bit 4
reserved tile 1,1 row 1 col 1 byte 6592 bit 2
reserved tile 1,1 row 31 col 255 byte 8575 bit 6
reserved 4"
run t2 verify $G/reserved-64x512.t2
equals "verify without a shape: the tiles as a column, as the explorer shows them" "$(sed -n 3p <<<"$out")" \
    "reserved tile 3,0 row 1 col 1 byte 6592 bit 2"
run t2 verify $G/reserved-64x512.t2 --reserved zero
equals "verify --reserved zero accepts" "$rc $(tail -1 <<<"$out")" "0 reserved 4"
run t2 verify $G/mixed-64x512.t2
equals "verify: clean" "$rc $out" "0 reserved 0"
run t2 verify $G/special-32x256.t2
equals "verify reports inf and nan scales" "$rc $(grep -c '^scale tile' <<<"$out")" "0 4"
contains "verify: a scale's place and bits" "$out" "scale tile 0,0 row 0 col 0 byte 2048 7c00 inf"
contains "verify: the sign of an infinite scale" "$out" \
    "scale tile 0,0 row 1 col 0 byte 2052 fc00 -inf"
run t2 verify --json $G/reserved-64x512.t2 --shape 64x512
got=$(python3 -c '
import json, sys
for t in json.load(sys.stdin)["tensors"]:
    print(t["name"], t["kind"], t["reserved"], t["nonfinite_scales"], t["scale_places"])
    for p in t["code_places"]: print(p["tile"], p["row"], p["col"], p["byte"], p["bit"])' <<<"$out")
equals "verify --json: places and count, exit 1" "$rc $got" "1 reserved-64x512.t2 t2 4 0 []
[0, 0] 0 0 0 0
[0, 0] 5 130 352 4
[1, 1] 1 1 6592 2
[1, 1] 31 255 8575 6"
run t2 verify --json $G/special-32x256.t2
got=$(python3 -c '
import json, sys
for t in json.load(sys.stdin)["tensors"]:
    print(t["reserved"], t["nonfinite_scales"], *((p["byte"], p["bits"], p["value"]) for p in t["scale_places"]))' <<<"$out")
equals "verify --json: inf and nan are strings" "$rc $got" \
    "0 0 4 (2048, '7c00', 'inf') (2052, 'fc00', '-inf') (2056, '7e01', 'nan') (2060, '7c01', 'nan')"
run t2 verify --json $G/five-types.gguf
equals "verify --json: all tensors, code 3 of blocks" "$rc $(grep -c '"code_3": 0' <<<"$out")" "0 5"
run t2 verify --json --reserved zero $G/reserved-64x512.t2
equals "verify --json --reserved zero accepts" $rc 0
run t2 verify $G/two-tensors.q4nx
equals "verify goes through all tensors" "$rc $(grep -c '^reserved 0' <<<"$out")" "0 2"
head -c 2048 /dev/zero | tr '\0' '\377' >"$tmp/threes.t2"
head -c 128 /dev/zero >>"$tmp/threes.t2"
run t2 verify "$tmp/threes.t2"
equals "verify names the first 8 of many" "$rc $(wc -l <<<"$out") $(tail -1 <<<"$out")" \
    "1 9 reserved 8192"
run t2 verify $G/five-types.gguf
equals "verify on block formats" "$rc $(grep -c '^code 3 0' <<<"$out")" "0 5"

# ---- unpack and pack ----
for name in mixed-64x512 special-32x256; do
    run t2 unpack $G/$name.t2 --shape "${name#*-}" -o "$tmp/o.f32"
    equals "unpack $name" $rc 0
    same "unpack $name: golden bits" "$tmp/o.f32" $G/$name.f32
done
refused "unpack refuses reserved codes and names them" \
    "4 reserved codes: tile 0,0 row 0 col 0 bit 0, at byte 0; tile 0,0 row 5 col 130 bit 4, at byte 352" \
    t2 unpack $G/reserved-64x512.t2 --shape 64x512 -o "$tmp/none.f32"
[ ! -e "$tmp/none.f32" ]
result $? "a refused unpack writes nothing"
run t2 unpack $G/reserved-64x512.t2 --shape 64x512 --reserved zero -o "$tmp/o.f32"
same "unpack --reserved zero: golden bits" "$tmp/o.f32" $G/reserved-64x512.f32
refused "unpack needs a shape for raw tiles" "--shape" t2 unpack $G/mixed-64x512.t2 -o "$tmp/o"
refused "unpack needs a shape for 2-D Q4NX" "--shape" \
    t2 unpack $G/two-tensors.q4nx --tensor model.layers.0.mlp.up_proj.weight -o "$tmp/o"
run t2 unpack $G/two-tensors.q4nx --tensor model.layers.0.mlp.up_proj.weight --shape 64x512 -o "$tmp/o.f32"
same "unpack from Q4NX" "$tmp/o.f32" $G/mixed-64x512.f32
refused "unpack of several needs --tensor" "holds 2 tensors" t2 unpack $G/two-tensors.q4nx -o "$tmp/o"
t2 unpack $G/tq-32x256.t2 --shape 32x256 -o "$tmp/want.f32"
for t in blk.0.ffn_up.weight blk.0.ffn_down.weight; do
    t2 unpack $G/five-types.gguf --tensor $t -o "$tmp/o.f32"
    same "unpack of $t" "$tmp/o.f32" "$tmp/want.f32"
done
refused "unpack never writes over its input" "is the input" \
    t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o $G/../t2/mixed-64x512.t2

t2 unpack $G/q1_0-32x256.t2 --shape 32x256 -o "$tmp/q1.f32"
run t2 pack "$tmp/q1.f32" --shape 32x256 -o "$tmp/q1.t2"
equals "pack" $rc 0
t2 unpack "$tmp/q1.t2" --shape 32x256 -o "$tmp/again.f32"
same "unpack(pack(x)) == x in bits" "$tmp/again.f32" "$tmp/q1.f32"
same "pack gives the golden tile" "$tmp/q1.t2" $G/q1_0-32x256.t2
refused "pack refuses mixed zeros" "row 11 column 132: +0.0 and -0.0 in one group of 128, at byte 23056" \
    t2 pack $G/mixed-64x512.f32 --shape 64x512 -o "$tmp/none.t2"
refused "pack refuses NaN" "not a finite number" \
    t2 pack $G/special-32x256.f32 --shape 32x256 -o "$tmp/none.t2"
refused "pack checks the size" "65536 bytes, the file has 131072" t2 pack $G/mixed-64x512.f32 --shape 32x512 -o "$tmp/none.t2"
refused "pack refuses N % 32" "N is 16" t2 pack $G/mixed-64x512.f32 --shape 16x2048 -o "$tmp/none.t2"
refused "pack refuses K % 256" "K is 128" t2 pack $G/mixed-64x512.f32 --shape 256x128 -o "$tmp/none.t2"
refused "pack refuses a shape that wraps" "too large" \
    t2 pack $G/mixed-64x512.f32 --shape 4294967296x4294967296 -o "$tmp/none.t2"

# ---- convert ----
convert() { # KIND SOURCE GOLDEN OPTIONS...
    local kind=$1 src=$2 want=$3
    shift 3
    run t2 convert --from "$kind" $G/$src "$@" -o "$tmp/o.t2"
    equals "convert $kind $src exits 0" $rc 0
    contains "convert $kind $src: proof" "$out" \
        "1 images, 8192 weights: $(stat -c %s $G/$src) B -> 2176 B (2.1250 b/w), 1/1 bit-exact"
    same "convert $kind $src: golden tiles" "$tmp/o.t2" $G/$want
}
convert tq1_0 tq1_0-32x256.bin tq-32x256.t2 --shape 32x256
convert tq2_0 tq2_0-32x256.bin tq-32x256.t2 --shape 32x256
convert ptq1_0 ptq1_0-32x256.bin g128-32x256.t2 --shape 32x256
convert pq2_0 pq2_0-32x256.bin g128-32x256.t2 --shape 32x256
convert q2_0 q2_0g64-32x256.bin g128-32x256.t2 --shape 32x256 --group 64
convert q2_0 q2_0g64-32x256.bin g128-32x256.t2 --shape 32x256
convert q2_0 q2_0g128-32x256.bin g128-32x256.t2 --shape 32x256 --group 128
convert q1_0 q1_0-32x256.bin q1_0-32x256.t2 --shape 32x256
convert pb16i pb16i-32x256.bin pb16i-32x256.t2
for pair in tq1_0:blk.0.ffn_up:tq tq2_0:blk.0.ffn_down:tq ptq1_0:blk.1.ffn_up:g128 \
    pq2_0:blk.1.ffn_down:g128 q2_0:output:g128; do
    IFS=: read -r kind name want <<<"$pair"
    run t2 convert --from "$kind" $G/five-types.gguf --tensor "$name.weight" -o "$tmp/o.t2"
    contains "convert $kind from GGUF" "$out" "1/1 bit-exact"
    same "convert $kind from GGUF: golden tiles" "$tmp/o.t2" $G/$want-32x256.t2
done
run t2 convert --from q2_0 $G/id42-g128.gguf --tensor a.weight -o "$tmp/o.t2"
same "convert id 42 of group 128" "$tmp/o.t2" $G/g128-32x256.t2
refused "convert refuses the other group" "groups of 128, not 64" \
    t2 convert --from q2_0 $G/id42-g128.gguf --tensor a.weight --group 64 -o "$tmp/none.t2"
refused "convert refuses the wrong kind" "is tq2_0, not tq1_0" \
    t2 convert --from tq1_0 $G/five-types.gguf --tensor blk.0.ffn_down.weight -o "$tmp/none.t2"
refused "convert refuses code 3 with the count" "2 times, first in row 4 column 77" \
    t2 convert --from tq2_0 $G/tq2_0-code3-32x256.bin --shape 32x256 -o "$tmp/none.t2"
run t2 convert --from tq2_0 $G/tq2_0-code3-32x256.bin --shape 32x256 --clamp -o "$tmp/o.t2"
equals "convert --clamp exits 0" $rc 0
contains "convert --clamp tells how many" "$out" "clamped 2"
contains "convert --clamp does not claim exactness" "$out" "0/1 bit-exact"
same "convert --clamp: golden tiles" "$tmp/o.t2" $G/tq2_0-clamped-32x256.t2
equals "convert --clamp of two is no warning" "$(cat "$tmp/stderr")" ""
{
    head -c $((66 * 27)) $G/tq2_0-32x256.bin
    for _ in 1 2 3 4 5; do hex "$(printf 'ff%.0s' {1..64})003c"; done
} >"$tmp/threes.bin"
run t2 convert --from tq2_0 "$tmp/threes.bin" --shape 32x256 --clamp -o "$tmp/o.t2"
equals "convert --clamp of many warns in one line" "$rc $(cat "$tmp/stderr")" \
    "0 warning: $tmp/threes.bin: 15.6 % of the weights were clamped: a wrong kind or group size?"
refused "convert refuses pb16i-exact by name" "pb16i-exact has an additive min" \
    t2 convert --from pb16i-exact $G/pb16i-32x256.bin -o "$tmp/none.t2"
refused "convert refuses an unknown kind" "--from 'q3'" t2 convert --from q3 x -o "$tmp/none.t2"
refused "convert checks the size of bare rows" "takes 2112 bytes, here are 1728" \
    t2 convert --from tq2_0 $G/tq1_0-32x256.bin --shape 32x256 -o "$tmp/none.t2"
refused "bare rows are no container, and what reads them is told" \
    "bare block rows are read by t2 convert --from KIND --shape NxK" t2 info $G/tq2_0-32x256.bin
refused "convert of bare rows needs a shape" "--shape" t2 convert --from tq1_0 $G/tq1_0-32x256.bin -o "$tmp/none.t2"
refused "convert refuses K = 128 by name" "K is 128" \
    t2 convert --from ptq1_0 $G/ptq1_0-32x256.bin --shape 64x128 -o "$tmp/none.t2"
[ ! -e "$tmp/none.t2" ]
result $? "no refused command left a file"

# ---- dump ----
run t2 dump $G/reserved-64x512.t2 --shape 64x512 --tile 0,0
equals "dump: a line for the tile and 32 rows" "$rc $(wc -l <<<"$out")" "0 33"
contains "dump: scales with address, bits, value" "$out" "@2070 2e66 0.0999755859375"
equals "dump: reserved is a question mark" "$(sed -n 2p <<<"$out" | cut -c7)" "?"
cp $G/mixed-64x512.t2 "$tmp/loud.T2"
run t2 dump "$tmp/loud.T2" --tile 3,0
column=$(sed 1d <<<"$out")
run t2 dump "$tmp/loud.T2" --shape 64x512 --tile 1,1
equals "dump without a shape: a column of tiles; .T2 is .t2" "$column" "$(sed 1d <<<"$out")"
run t2 dump $G/reserved-64x512.t2 --shape 64x512 --tile 0,0 --row 5
contains "dump --row: the cell" "$out" \
    "col 130 byte 352 bit 4 code 3 reserved scale @2070 2e66 weight 0 wrong: code - 1 = 0.199951172"
contains "dump --row: the fields of the scale" "$out" \
    "scale @2070 2e66 sign 0 exponent 11 fraction 266 normal value 0.0999755859375"
refused "dump refuses t2 as q4_1 by name" "is t2 (2176-byte ternary tiles), not q4_1" \
    t2 dump $G/mixed-64x512.t2 --shape 64x512 --tile 0,0 --as q4_1
refused "dump refuses q4_1 before it asks for a shape" "is t2" t2 dump $G/mixed-64x512.t2 --tile 0,0 --as q4_1
refused "dump refuses a tile outside" "has 2x2 tiles, no tile 2,0" \
    t2 dump $G/mixed-64x512.t2 --shape 64x512 --tile 2,0
refused "dump refuses an unknown layout" "--as 'q9'" t2 dump $G/mixed-64x512.t2 --tile 0,0 --as q9
run t2 dump $G/five-types.gguf --tensor blk.0.ffn_up.weight --tile 0,0 --row 0
contains "dump of base-3 digits" "$out" "col 32 byte 384 trit 1"
run t2 dump $G/special-32x256.t2 --shape 32x256 --tile 0,0 --row 0 --json
got=$(python3 -c '
import json, sys
d = json.load(sys.stdin)
r = d["rows"][0]
print(d["kind"], d["shape"], r["scales"][0]["bits"], r["scales"][0]["class"], r["scales"][0]["value"],
      len(r["cells"]), len(r["codes"]), sorted({c["weight_bits"] for c in r["cells"][:128]}))' <<<"$out")
equals "dump --json is JSON with the same facts" "$got" \
    "t2 [32, 256] 7c00 inf inf 256 256 ['7f800000', '7fc00000', 'ff800000']"
st() { printf "$(printf '%016x' ${#1} | sed -E 's/(..)(..)(..)(..)(..)(..)(..)(..)/\\x\8\\x\7\\x\6\\x\5\\x\4\\x\3\\x\2\\x\1/')%s" "$1"; }
{
    st '{"w":{"dtype":"I8","shape":[1,8704],"data_offsets":[0,8704]}}'
    head -c 512 /dev/zero | sed 's/\x00\x00/\x80\x3f/g'
    head -c 8192 /dev/zero | tr '\0' '\5'
} >"$tmp/q8.q4nx"
refused "q8 is not shown without a layout" "choose --as q8a or --as q8b" \
    t2 dump "$tmp/q8.q4nx" --shape 32x256 --tile 0,0
run t2 dump "$tmp/q8.q4nx" --shape 32x256 --tile 0,0 --as q8b
contains "q8 is shown under a named layout" "$out" "under layout q8b"
contains "q8 weights" "$out" "row 31 5 5 5 5"

# ---- poke ----
run t2 poke $G/mixed-64x512.t2 --at 0=ff 0x801=0102 -o "$tmp/p.t2"
equals "poke tells what it changed" "$rc $(wc -l <<<"$out")" "0 3"
equals "poke changes those bytes and no other" "$(cmp -l $G/mixed-64x512.t2 "$tmp/p.t2" | awk '{print $1-1, $3}')" \
    "0 377
2049 1
2050 2"
run t2 poke $G/two-tensors.q4nx --tensor model.layers.0.mlp.up_proj.weight --at 2=a5 -o "$tmp/p"
equals "poke --tensor counts from the tensor" "$(head -1 <<<"$out" | cut -d' ' -f1,2,5)" "byte 2434 a5"
refused "poke outside the file" "passes the end at byte 8704" t2 poke $G/mixed-64x512.t2 --at 8703=0102 -o "$tmp/none"
refused "poke near 2^64" "passes the end" t2 poke $G/mixed-64x512.t2 --at 18446744073709551615=01 -o "$tmp/none"
for bad in 0=f 0= 0=xx q=00 =00 0=0g; do
    refused "poke $bad" "--at '$bad'" t2 poke $G/mixed-64x512.t2 --at "$bad" -o "$tmp/none"
done
cp $G/mixed-64x512.t2 "$tmp/in.t2"
ln -s in.t2 "$tmp/link.t2"
refused "poke never in place, even through a link" "is the input" t2 poke "$tmp/in.t2" --at 0=00 -o "$tmp/link.t2"

# ---- usage ----
refused "no part" "needs one of" t2
refused "unknown part" "no part 'x'" t2 x
refused "no file" "needs a file" t2 info
refused "two files" "one file too many" t2 info a b
refused "unknown option" "no option --foo" t2 info --foo a
refused "an option of another part" "no option --clamp" t2 info --clamp a
refused "a value missing" "needs a value" t2 dump a --tile
refused "unpack without -o" "needs -o" t2 unpack a
refused "no output to stdout" "-o '-' is not a file" t2 unpack a -o -
refused "bad shape" "--shape '64'" t2 unpack a --shape 64 -o b
refused "shape with a tail" "--shape '64x512x'" t2 unpack a --shape 64x512x -o b
refused "bad tile" "--tile '1'" t2 dump a --tile 1
refused "bad row" "--row '32'" t2 dump a --tile 0,0 --row 32
refused "bad --reserved" "--reserved 'x'" t2 verify a --reserved x
refused "bad --group" "--group '32'" t2 convert --from q2_0 a --group 32 -o b
run t2 --help
contains "help names every part" "$out" "t2 poke FILE --at"

# ---- writing ----
printf old >"$tmp/keep"
( ulimit -f 8; trap '' XFSZ; t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o "$tmp/keep" ) 2>"$tmp/stderr"
equals "a full disk is an error" "$? $(wc -l <"$tmp/stderr")" "2 1"
contains "a full disk: one clear line" "$(cat "$tmp/stderr")" "keep: cannot write: File too large"
equals "a full disk leaves the old file" "$(cat "$tmp/keep")" old
( ulimit -f 8; t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o "$tmp/keep" ) 2>/dev/null
equals "the file limit does not kill" $? 2
refused "a directory that is not there" "cannot write" t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o "$tmp/no/o"
refused "a directory as output" "cannot write: Is a directory" t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o "$tmp"
refused "/dev/full" "No space left" t2 unpack $G/mixed-64x512.t2 --shape 64x512 -o /dev/full
[ -c /dev/full ]
result $? "/dev/full is still a device"
mkdir "$tmp/kill"
printf old >"$tmp/kill/o.f32"
truncate -s $((2176 * 20000)) "$tmp/big.t2"
"$TOKSTEP" t2 unpack "$tmp/big.t2" --shape 640000x256 -o "$tmp/kill/o.f32" &
pid=$!
for _ in $(seq 200); do # until it is writing
    [ -n "$(grep -s '^wchar: [1-9][0-9]\{5\}' /proc/$pid/io)" ] && break
    sleep 0.01
done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
equals "a killed unpack leaves the old file" "$(head -c 3 "$tmp/kill/o.f32")" old
equals "and nothing beside it" "$(ls "$tmp/kill")" o.f32
rm -f "$tmp/kill/o.f32"

# ---- bench ----
for name in memset_gbytes_s t2_unpack_gweights_s t2_verify_gbytes_s t2_verify_ratio; do
    run "$TOKSTEP" bench $name
    [[ $rc = 0 && $out =~ ^$name\ [0-9]*[1-9.][0-9.]*\ (GB/s|Gweights/s|of\ read)$ ]]
    result $? "bench $name" "$out"
done

# ---- names that would break the line ----
bidi=$(printf 'blk.0.\303\274n\342\200\213-\351\207\215-\342\200\256w') shown=$(printf 'blk.0.\303\274n\\xe2\\x80\\x8b-\351\207\215-\\xe2\\x80\\xaew')
json='{"'$bidi'":{"dtype":"I8","shape":[1,1,2176],"data_offsets":[0,2176]},"b":{"dtype":"I8","shape":[1,1,2176],"data_offsets":[2176,4352]}}'
{
    LC_ALL=C st "$json" # whose length is bytes
    head -c 4352 /dev/zero
} >"$tmp/bidi.q4nx"
hidden=$(printf '\342\200')
run t2 info "$tmp/bidi.q4nx"
contains "info escapes bidi and zero-width characters of names, wide ones stay" "$out" "tensor $shown t2"
equals "info sends none of them" "$(LC_ALL=C grep -c "$hidden" <<<"$out")" 0
for name in "$bidi" "$shown"; do
    run t2 dump "$tmp/bidi.q4nx" --tensor "$name" --tile 0,0
    contains "dump finds it by the true name and by the shown one" "$rc $out" "0 tensor $shown"
    equals "dump sends none of them" "$(LC_ALL=C grep -c "$hidden" <<<"$out")" 0
done
run t2 verify "$tmp/bidi.q4nx"
contains "verify escapes them" "$out" "tensor $shown t2"
run t2 verify "$tmp/bidi.q4nx" --tensor "$bidi"
equals "verify takes the true name" "$rc" 0
printf 'print(t2.open("%s", { tensor = "%s" }):info().name)' "$tmp/bidi.q4nx" "$bidi" >"$tmp/name.lua"
equals "Lua takes the true name" "$("$TOKSTEP" lua "$tmp/name.lua" 2>&1)" "$shown"
refused "errors escape them" "no tensor '${shown}x'; did you mean $shown? it holds $shown, b" t2 info "$tmp/bidi.q4nx" --tensor "${bidi}x"

# ---- size ----
truncate -s 6800000000 "$tmp/huge.t2"
/usr/bin/time -f '%e %M' -o "$tmp/time" "$TOKSTEP" t2 info --quick "$tmp/huge.t2" >"$tmp/out"
read -r seconds kib <"$tmp/time"
contains "info --quick of 6.8 GB" "$(cat "$tmp/out")" "3125000 tiles"
equals "info --quick of 6.8 GB in under 50 ms and 20 MB ($seconds s, $kib KiB)" \
        "$(awk "BEGIN{print ($seconds < 0.05) ($kib < 20000)}")" 11
/usr/bin/time -f '%e %M' -o "$tmp/time" "$TOKSTEP" t2 verify "$tmp/huge.t2" >"$tmp/out"
read -r seconds kib <"$tmp/time"
equals "verify streams 6.8 GB in under 20 MB ($seconds s, $kib KiB)" \
        "$(awk "BEGIN{print ($kib < 20000)}") $(cat "$tmp/out")" "1 reserved 0"
/usr/bin/time -f '%e %M' -o "$tmp/time" "$TOKSTEP" t2 info "$tmp/huge.t2" >"$tmp/out"
read -r seconds kib <"$tmp/time"
equals "info streams 6.8 GB in under 20 MB ($seconds s, $kib KiB)" \
        "$(awk "BEGIN{print ($kib < 20000)}") $(grep -c 'codes -1 25600000000' "$tmp/out")" "1 1"
truncate -s $((2176 * 16000)) "$tmp/long.t2" # unpack, pack and convert let go of what they have read
/usr/bin/time -f '%M' -o "$tmp/time" "$TOKSTEP" t2 unpack "$tmp/long.t2" --shape 512000x256 -o /dev/null
equals "unpack of 35 MB in under 20 MB ($(cat "$tmp/time") KiB)" "$(($(cat "$tmp/time") < 20000))" 1
/usr/bin/time -f '%M' -o "$tmp/time" "$TOKSTEP" t2 convert --from pq2_0 "$tmp/long.t2" --shape 512000x256 -o /dev/null >"$tmp/out"
equals "convert of 35 MB in under 20 MB ($(cat "$tmp/time") KiB)" \
    "$(($(cat "$tmp/time") < 20000)) $(grep -c '1/1 bit-exact' "$tmp/out")" "1 1"
json=$(awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%s\"model.layers.%d.w\":{\"dtype\":\"I8\",\"shape\":[1,1,2176],\"data_offsets\":[%d,%d]}", i ? "," : "{", i, i * 2176, (i + 1) * 2176; print "}" }')
st "$json" >"$tmp/many.q4nx"
truncate -s $((8 + ${#json} + 20000 * 2176)) "$tmp/many.q4nx"
equals "the table of 20000 tensors is read in one pass" \
    "$(timeout 10 "$TOKSTEP" t2 info --quick "$tmp/many.q4nx" | wc -l)" 20001
finish
