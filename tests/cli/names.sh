#!/usr/bin/env bash
# What is told in one place only: the names of options and of their values in src/engine/option.c, the
# names of FSM states in the signal table, curses and readline in the files that wrap them.
set -u
. tests/tap.sh
: "${BUILD:=$PWD/build}"
: "${COSIM:=$BUILD/tests/rtl/cosim}"
"$COSIM" options >"$tmp/options"
"$COSIM" states | sed 's/.*\.//' | sort -u >"$tmp/states"

sources() { # DIR...
    find "$@" -name '*.[ch]' -o -name '*.sv' | sort
}

# Every string of the sources, "FILE:LINE TEXT"; comments left out.
strings() { # DIR...
    sources "$@" | xargs awk '{
        line = $0
        sub(/^ *(\/\*|\*|\/\/).*/, "", line)
        while (match(line, /"([^"\\]|\\.)*"/)) {
            print FILENAME ":" FNR " " substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
    }'
}

# ---- options ----
# As strings these mean something else in many places: JSON keys, columns, pieces of formulas.
ordinary='value array exp mask rms ffn'

# A string that is a key, KEY= or a value of a mode; or a line with three keys in its strings: a list.
# A single key in a sentence is a word.
option_names() { # DIR...
    strings "$@" | awk -v ordinary="$ordinary" '
        BEGIN {
            n = split(ordinary, o, " ")
            for (i = 1; i <= n; i++) plain[o[i]] = 1
        }
        NR == FNR {
            key[$1] = 1
            for (i = 1; i <= NF; i++) if (!($i in plain)) name[$i] = 1
            next
        }
        $1 ~ /engine\/option\.c:/ { next }
        {
            at = $1
            sub(/^[^ ]* /, "")
            whole = $0
            sub(/=$/, "", whole)
            if (whole in name) print at " \"" $0 "\""
            count = split($0, word, /[^a-z0-9_]+/)
            for (i = 1; i <= count; i++)
                if (word[i] in key && !((at, word[i]) in seen)) {
                    seen[at, word[i]] = 1
                    if (++keys[at] == 3) print at " a list of options"
                }
        }' "$tmp/options" -
}
equals "options and their values are named in option.c only" "$(option_names src rtl)" ""

mkdir "$tmp/src"
printf '%s\n' 'f("mask_mode");' 'f("n_heads=");' 'f("exclude", x);' '/* "pe_rows" */' 'f("array");' \
    'f("d_model %d n_heads %d", "d_ff");' 'f("n_heads %d: must divide d_model %d");' >"$tmp/src/x.c"
equals "one that is named elsewhere is found" "$(option_names "$tmp/src" | sed 's/.*x.c://')" \
    '1 "mask_mode"
2 "n_heads="
3 "exclude"
6 "d_ff"
6 a list of options'

# ---- states ----
# Words in capitals that are no states: they stand in tables of arguments, formats, keys, the environment.
others=' RMS NAME VALUE FROM PART WORD FORMAT COMMAND FILE VIEW EXPR USER TMPDIR THEME TEXT TERM RTL PATH NO_COLOR NCURSES_GPM_TERMS KIND KEY GGUF COLORFGBG I16 '

# A string in capitals is a state, the beginning of one, or one of the others.
unknown_states() { # DIR...
    strings "$@" | grep -E '^[^ ]+ [A-Z][A-Z0-9_]{2,}$' | awk -v others="$others" '
        NR == FNR { state[$1] = 1; next }
        {
            ok = index(others, " " $2 " ") > 0
            for (s in state) if (index(s, $2) == 1) ok = 1
            if (!ok) print
        }' "$tmp/states" -
}
machine='src/engine src/tell src/model src/session src/script src/tui src/cli'
equals "states are spelled as in the signal table" "$(unknown_states $machine)" ""
conditions=$(strings $machine | grep -oE 'state [=!]= [A-Z0-9_]+' | sed 's/.* //' | sort -u)
equals "in conditions too" "$(grep -vxFf "$tmp/states" <<<"$conditions")" ""
printf '%s\n' 'f("SCORE");' 'f("SCROE");' 'f("SOFTMAX_");' 'f("F1");' >"$tmp/src/x.c"
equals "a slip is found" "$(unknown_states "$tmp/src" | sed 's/.*x.c://')" "2 SCROE"

# ---- libraries ----
including() { # HEADER
    grep -rlE "^#include <$1" src | sort | tr '\n' ' '
}
equals "curses is behind term.c" "$(including '(n?cursesw?/)?n?curses')" "src/tui/input/term.c src/tui/input/term_keys.h "
equals "what it includes is the terminal's own" "$(grep -rl '"tui/input/term_keys.h"' src | sort | tr '\n' ' ')" \
    "src/tui/input/term.c src/tui/input/term_keys.c "
equals "readline is behind lineedit.c" "$(including readline/)" "src/tui/input/lineedit.c "
finish
