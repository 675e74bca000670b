# tokstep open FILE: tensors open the inspector, a model the machine; huge files, bad ones.
. tests/tap.sh
golden=tests/golden/t2

script() { printf '%s\n' "$@" >"$tmp/script"; }
opened() { "$TOKSTEP" open "$@" --script "$tmp/script" 2>"$tmp/stderr"; }

script 'R' ':screen' ':quit'
out=$(opened $golden/reserved-64x512.t2 --shape 64x512)
equals "open exits 0" $? 0
contains "the title names file, kind, shape and tile" "$out" \
    "t2  reserved-64x512.t2  t2 64x512  tile (0,0) of 2x2"
contains "R leads to the reserved code" "$out" "row 5 column 130"
contains "which is 0.0" "$out" "code 3  ! reserved: 0.0, never 2"
equals "nothing on stderr" "$(cat "$tmp/stderr")" ""

script ':screen'
out=$(opened $golden/mixed-64x512.t2)
contains "without a shape it is a column of tiles, and says so" "$out" "shown as 128x256"
out=$(opened $golden/five-types.gguf --ascii)
contains "a GGUF opens on its first tensor" "$out" "blk.0.ffn_up.weight  tq1_0 32x256"
equals "ASCII is ASCII" "$(LC_ALL=C tr -d '\n -~' <<<"$out")" ""
contains "a Q4NX" "$(opened $golden/two-tensors.q4nx)" "model.layers.0.mlp.down_proj.weight"
contains "a pb16i image" "$(opened $golden/pb16i-32x256.bin)" "pb16i 32x256"

# Other kinds of file go where they belong.
contains "a lesson is taken" "$(XDG_DATA_HOME=$tmp opened lessons/02-q88.lua)" "lesson: Q8.8"
contains "a model goes into the machine" "$(opened assets/words-repaired.safetensors)" \
    "a model, the machine begins with its"

script 'M' ':screen' ':quit'
out=$(opened --text transf assets/words-minus8.safetensors --preset deck --set variant=array)
contains "options apply to the model that is opened" "$out" "tokstep  deck array  token 0"
contains "its text too" "$(opened --text=transf -- assets/words-minus8.safetensors)" "transf"
refused "a text that it cannot read" "'X' is no letter of the model" "$TOKSTEP" open assets/words-minus8.safetensors \
    --text 'X' --script "$tmp/script"
refused "a model has a shape" "goes into the machine whole, without --shape" "$TOKSTEP" open \
    assets/words-minus8.safetensors --shape 1x1 --script "$tmp/script"
refused "one file beside it" "one file too many" "$TOKSTEP" open assets/words-minus8.safetensors x \
    --script "$tmp/script"

# Another program cuts the file off while it is open.
cp $golden/mixed-64x512.t2 "$tmp/cut.t2"
mkfifo "$tmp/keys"
"$TOKSTEP" open "$tmp/cut.t2" --script "$tmp/keys" >/dev/null 2>"$tmp/stderr" &
pid=$!
exec 9>"$tmp/keys"
for ((i = 0; i < 500; i++)); do # 5 s at most
    grep -q cut.t2 /proc/$pid/maps && break
    sleep 0.01
done
: >"$tmp/cut.t2"
echo ':screen' >&9
exec 9>&-
wait $pid
equals "a file that was cut off" "$? $(cat "$tmp/stderr")" \
    "2 tokstep: a mapped file became shorter, or cannot be read any more"

# The tensor to begin with, by its name or a part of it.
script ':screen'
contains "--tensor" "$(opened $golden/five-types.gguf --tensor output.weight)" "output.weight  q2_0 g64"
contains "a part of a name" "$(opened $golden/five-types.gguf --tensor=put)" "output.weight  q2_0 g64"
script ':tensor output' ':tensor weight' ':screen'
contains ":tensor finds the next one behind" "$(opened $golden/five-types.gguf)" "blk.0.ffn_up.weight  tq1_0"
refused "no such tensor" "no tensor 'nope'; it holds blk" "$TOKSTEP" open $golden/five-types.gguf \
    --tensor nope --script "$tmp/script"
refused "a lesson has none" "holds no tensors" "$TOKSTEP" open lessons/02-q88.lua --tensor x \
    --script "$tmp/script"

# Edits: in memory, taken back, written to a new file only.
script 'l l e' '5 b Enter' ':poke 0x1=ff' 'u' ":write $tmp/new.t2" ':quit'
opened $golden/mixed-64x512.t2 --shape 64x512 >/dev/null
equals "an edit is written" "$(cmp -l $golden/mixed-64x512.t2 "$tmp/new.t2")" "   1 202 133"
"$TOKSTEP" t2 poke $golden/mixed-64x512.t2 --at 0=5b -o "$tmp/poked.t2" >/dev/null
cmp -s "$tmp/new.t2" "$tmp/poked.t2"
result $? "as t2 poke does"
script ':poke 0 5b' ':quit'
out=$(opened $golden/mixed-64x512.t2)
equals "edits are not lost by quit" "$? $(cat "$tmp/stderr")" \
    "2 tokstep: $tmp/script: line 2: quit: loses 1 edit; q again leaves, write FILE keeps"
script ':poke 0 5b' ':revert' ':quit'
opened $golden/mixed-64x512.t2 >/dev/null
equals "revert drops them" $? 0

# Refusals: one line, exit 2.
script ':quit'
echo 'error("x", 0)' >"$tmp/bad.lua"
got=$("$TOKSTEP" open "$tmp/bad.lua" --script "$tmp/script" 2>&1)
equals "a lesson that fails: one line, exit 1" "$?|$got" "1|tokstep: $tmp/bad.lua:1: x"
refused "no file" "open: needs a file" "$TOKSTEP" open --script "$tmp/script"
refused "two files" "one file too many" "$TOKSTEP" open a b --script "$tmp/script"
refused "a missing file, and no terminal either" "nowhere.t2: No such file" "$TOKSTEP" open nowhere.t2
refused "a missing file" "nowhere.t2: No such file" "$TOKSTEP" open nowhere.t2 --script "$tmp/script"
refused "a bad shape" "--shape '64' is not NxK" "$TOKSTEP" open $golden/mixed-64x512.t2 --shape 64 \
    --script "$tmp/script"
refused "a wrong shape" "needs 2 tiles, it has 4" "$TOKSTEP" open $golden/mixed-64x512.t2 \
    --shape 64x256 --script "$tmp/script"
printf 'GGUF' >"$tmp/short.gguf"
refused "a truncated GGUF" "short.gguf: " "$TOKSTEP" open "$tmp/short.gguf" --script "$tmp/script"
printf '\x01\0\0\0\0\0\0\0{' >"$tmp/bad.safetensors"
refused "bad JSON" "bad.safetensors: " "$TOKSTEP" open "$tmp/bad.safetensors" --script "$tmp/script"
refused "an unknown option" "--nosuch: no such option" "$TOKSTEP" open a --nosuch

# A name that begins with a dash.
cp $golden/mixed-64x512.t2 "$tmp/-x.t2"
program=$(realpath "$TOKSTEP")
(cd "$tmp" && "$program" open --script script -- -x.t2 >out 2>&1)
result $? "-- ends the options"

# A raw .t2 of 3,125,000 tiles, sparse: mapped, not read.
truncate -s $((3125000 * 2176)) "$tmp/huge.t2"
script ':quit'
best=$(for _ in 1 2 3 4 5; do
    /usr/bin/time -f '%e %M' "$TOKSTEP" open "$tmp/huge.t2" --script "$tmp/script" 2>&1
done | sort -n | head -1)
case $TOKSTEP in
*debug*) limit=2 memory=600000 ;; # the sanitizers' own
*) limit=0.05 memory=20480 ;;
esac
awk -v s="${best% *}" -v m="${best#* }" -v limit=$limit -v memory=$memory \
    'BEGIN { exit !(s < limit && m < memory) }'
result $? "6.8 GB open in under 50 ms and 20 MB" "$best (seconds, KB)"
script ':screen' ':tile 3124999,0' ':screen' ':seek 6799999999' ':screen'
out=$(opened "$tmp/huge.t2")
contains "its last tile" "$out" "tile (3124999,0) of 3125000x1"
contains "its last byte is a scale" "$out" "scale byte 0x87f"

# The tie with the machine.
script '8' ':run until ffn.state == LINEAR2 and ffn.i == 37' ':screen'
out=$("$TOKSTEP" --stimulus integration --set d_ff=512 --set ffn_w2=t2:$golden/mixed-64x512.t2 --script "$tmp/script" 2>/dev/null)
contains "the inspector follows the tile that LINEAR2 reads" "$out" "w2[0][37] · now"
contains "beside what the machine made of it" "$out" "machine ffe9 = -0.08984375"
finish
