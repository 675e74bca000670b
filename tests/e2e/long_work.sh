#!/usr/bin/env bash
# Work on a file of gigabytes: the screen stays alive, tells how far it is, and Esc or C-c stop it.
. tests/tap.sh
. tests/tmux.sh

truncate -s 6800000000 "$tmp/huge.t2"
shell 80 24
type_line "$TOKSTEP open $tmp/huge.t2"
see "3125000 tiles are open" "of 3125000x1"
keys R
see "R tells how far it is" "% of 6.80 GB; Esc or C-c stops"
keys Escape
see "Esc stops it" "seeking a code 3 stopped after"
keys C
see "C tells how far it is" "counting: "
tm resize-window -t main -x 100 -y 30
keys C-c
see "C-c stops it" "counting stopped after"
keys S
see "what is near is found at once" "row 0 column 128"
type_line ":write $tmp/copy.t2"
see "a copy tells how far it is" "writing: "
keys Escape
see "and leaves nothing when it is stopped" "writing stopped after"
[ ! -e "$tmp/copy.t2" ]
result $? "no half file"
# a table that takes long to read: one array of bools behind a key
python3 - "$tmp/long.gguf" <<'PY'
import os, struct, sys
with open(sys.argv[1], "wb") as f:
    f.write(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k")
    f.write(struct.pack("<IIQ", 9, 7, 40 << 30))
os.truncate(sys.argv[1], 41 << 30)
PY
type_line ":open $tmp/long.gguf"
see "opening tells how far it is" "opening: "
keys C-c
see "C-c stops it" "opening was stopped"
see "what was open stays open" "of 3125000x1"
type_line ":open $tmp/long.gguf"
see "again" "opening: "
pkill -TERM -f "open $tmp/huge.t2"
see "SIGTERM ends it while it reads" READY
finish
