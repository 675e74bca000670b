#!/usr/bin/env bash
# Who may include whom: a room of src/ includes itself and the rooms below it, and nothing else. A view
# knows neither another view nor the explorer.
set -u
. tests/tap.sh

declare -A below=(
    [base]=""
    [num]="base"
    [engine]="base"
    [tensor]="base num"
    [tell]="base num engine"
    [model]="base num engine tensor"
    [session]="base num engine tensor tell model"
    [script]="base num engine tensor tell model session"
    [train]="base engine tensor model"
    [tui/screen]="base num engine"
    [tui/input]="base engine session tui/screen"
    [tui/view]="base num engine tell model session script tui/screen tui/input"
    [tui]="base num engine tensor tell model session script tui/screen tui/input tui/view tui/view/*"
    [cli]="base num engine tensor tell model session script tui tui/screen tui/input tui/view tui/view/t2"
)

# FILE of the header of every include beyond that, in DIR.
beyond() { # DIR
    local file room header to may
    grep -rHoE '^#include "[^"]+"' "$1" | sed 's/:#include "/ /; s/"$//' | while read -r file header; do
        room=$(dirname "${file#"$1"/}") to=$(dirname "$header")
        [ "$room" = . ] || [ "$room" = "$to" ] && continue
        case $room in
        tui/view/*) may="${below[tui/view]} tensor tui/view" ;;
        *) may=${below[$room]-} ;;
        esac
        set -f
        for r in $may; do [[ $to == $r ]] && continue 2; done
        set +f
        echo "$file includes $header"
    done
}

equals "every room includes only what is below it" "$(beyond src)" ""
equals "every folder is a room" "$(find src -mindepth 1 -type d | sed 's#^src/##' | grep -v '^tui/view/' | sort | tr '\n' ' ')" \
    "$(printf '%s\n' "${!below[@]}" | sort | tr '\n' ' ')"

mkdir -p "$tmp/src/tell" "$tmp/src/tui/view/kv" "$tmp/src/tui/view/t2"
echo '#include "session/session.h"' >"$tmp/src/tell/x.c"
printf '#include "%s"\n' tui/view/t2/t2_scene.h tui/state.h tui/view/view.h tui/view/kv/kv_view.h >"$tmp/src/tui/view/kv/x.c"
equals "a slip is found" "$(cd "$tmp" && beyond src | sort)" "src/tell/x.c includes session/session.h
src/tui/view/kv/x.c includes tui/state.h
src/tui/view/kv/x.c includes tui/view/t2/t2_scene.h"
finish
