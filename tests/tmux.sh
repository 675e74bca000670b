# For end-to-end tests: `. tests/tap.sh; . tests/tmux.sh`. The explorer runs in a shell inside a tmux
# server of its own. Nothing here waits a fixed time: everything polls until it is so, or 5 s are over.
socket=tokstep-$$-$RANDOM
tm() { tmux -L "$socket" -f /dev/null "$@" 2>/dev/null; }
trap 'tm kill-server; rm -rf "$tmp"' EXIT
mkdir -p "$tmp/data"
tm new-session -d -s base 'read -r' # keeps the server when `shell` replaces its session

# shell COLS ROWS [VAR=VALUE...]: a shell with a plain prompt and job control.
shell() {
    local cols=$1 rows=$2
    shift 2
    tm kill-session -t main
    tm new-session -d -s main -x "$cols" -y "$rows" \
        "env INPUTRC=/dev/null XDG_DATA_HOME=$tmp/data LC_ALL=C.UTF-8 ASAN_OPTIONS=$ASAN_OPTIONS $* PS1='READY ' bash --norc --noprofile"
    until_shown READY
}
type_line() { tm send-keys -l "$1" && tm send-keys Enter; }
keys() { tm send-keys "$@"; }
screen() { tm capture-pane -p "$@"; }
ask() { tm display-message -p "#{$1}"; }

# until COMMAND...: poll until it succeeds.
until_true() {
    local end=$((SECONDS + 6))
    while ! "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.02
    done
}
shown() { screen | grep -qF -- "$1"; }
not_shown() { ! shown "$1"; }
first_line() { [[ $(screen | head -1) == $1 ]]; }
until_shown() { until_true shown "$1"; }

# see NAME TEXT: passes once TEXT is on the screen; on failure the whole screen is printed.
see() {
    if until_shown "$2"; then result 0 "$1"; else result 1 "$1" "no '$2' on the screen:
$(screen)"; fi
}
# see_top NAME PATTERN: the same for the first line as a whole.
see_top() {
    if until_true first_line "$2"; then result 0 "$1"; else result 1 "$1" "first line is not '$2':
$(screen)"; fi
}
becomes() { # NAME WANT COMMAND...
    local name=$1 want=$2
    shift 2
    is() { [ "$("$@")" = "$want" ]; }
    if until_true is "$@"; then result 0 "$name"; else result 1 "$name" "$* is '$("$@")', not '$want':
$(screen)"; fi
}
explorer() { # [OPTIONS]: start it and wait for its key line
    type_line "$TOKSTEP --stimulus integration $*"
    until_shown '? help'
}
