# For test scripts: `. tests/tap.sh`, then ok/not-ok lines through these helpers. TOKSTEP is the
# program under test; every script runs from the project's root.
tap_n=0
tap_failed=0
: "${TOKSTEP:=build/tokstep}"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

result() { # RC NAME [DETAIL]
    tap_n=$((tap_n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_n - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_n - $2"
        [ -n "${3-}" ] && printf '%s\n' "$3" | sed 's/^/# /'
    fi
}

equals() { # NAME GOT WANT
    if [ "$2" = "$3" ]; then result 0 "$1"; else result 1 "$1" "got:  $2
want: $3"; fi
}

contains() { # NAME TEXT PART
    case $2 in *"$3"*) result 0 "$1" ;; *) result 1 "$1" "no '$3' in: $2" ;; esac
}

# refused NAME PART COMMAND...: exit 2, nothing on stdout, one line on stderr that contains PART.
refused() {
    local name=$1 part=$2 out err rc
    shift 2
    out=$("$@" 2>"$tmp/stderr" </dev/null)
    rc=$?
    err=$(cat "$tmp/stderr")
    if [ $rc = 2 ] && [ -z "$out" ] && [ "$(wc -l <"$tmp/stderr")" = 1 ] && [[ $err == *"$part"* ]]; then
        result 0 "$name"
    else
        result 1 "$name" "exit $rc, stdout '$out', stderr '$err' (wanted '$part')"
    fi
}

finish() {
    echo "1..$tap_n"
    exit $((tap_failed != 0))
}
