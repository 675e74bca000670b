# Golden screens: tests/screens/NAME.keys drives the explorer, NAME.COLSxROWS is the screen it must
# show, NAME.COLSxROWS.roles what each cell means. `make golden` (ACCEPT=1) rewrites them from what
# is shown now: review is reading the pictures in `git diff`. A NAME.keys names its sizes and options:
#   # sizes 80x24 200x60
#   # options --ascii
# How many lines help has is not compared: every command adds some. That it lists them all, each with
# what it takes, is tests/tui/test_keys.c's, from the table; the screens of help end before the list.
. tests/tap.sh

check() { # NAME GOT WANT: files
    if [ -n "${ACCEPT-}" ]; then
        cmp -s "$2" "$3" || cp "$2" "$3"
        result 0 "$1 (accepted)"
    elif cmp -s "$2" "$3"; then
        result 0 "$1"
    else
        result 1 "$1" "$(diff "$3" "$2")"
    fi
}

for keys in tests/screens/*.keys; do
    name=${keys%.keys}
    options=$(sed -n 's/^# options //p' "$keys")
    for size in $(sed -n 's/^# sizes //p' "$keys"); do
        { cat "$keys" && printf ':screen %s\n:roles %s\n' "$tmp/screen" "$tmp/roles"; } >"$tmp/script"
        rm -f "$tmp/screen" "$tmp/shown" "$tmp/roles"
        INPUTRC=/dev/null "$TOKSTEP" --stimulus integration $options --script "$tmp/script" --size "$size" >"$tmp/out" 2>"$tmp/stderr" ||
            result 1 "${name##*/} $size runs" "$(cat "$tmp/stderr")"
        sed '2s/\(help  lines [0-9-]* of \)[0-9]*/\1###/' "$tmp/screen" >"$tmp/shown"
        check "${name##*/} $size" "$tmp/shown" "$name.$size"
        check "${name##*/} $size, roles" "$tmp/roles" "$name.$size.roles"
    done
done
finish
