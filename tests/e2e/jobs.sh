# Ctrl-Z and fg, signals, and a terminal that goes away.
. tests/tap.sh
. tests/tmux.sh
explorer_pid() { pgrep -P "$(ask pane_pid)" | tail -1; }
gone() { ! kill -0 "$1" 2>/dev/null; }

shell 80 24
type_line 'stty -a | tail -n +2 >'"$tmp/before"
explorer
keys Space Space
see_top 'two steps' 'tokstep*cycle 2  *'
before=$(screen)
keys C-z
see 'Ctrl-Z gives the shell back' 'Stopped'
type_line 'stty -a | tail -n +2 >'"$tmp/after"
becomes 'with its modes' '' diff "$tmp/before" "$tmp/after"
type_line 'clear; fg'
becomes 'fg repaints the whole screen' "$before" screen
kill -TSTP "$(explorer_pid)"
see 'SIGTSTP from outside stops too' 'Stopped'
tm resize-window -t main -x 100 -y 30
type_line fg
see_top 'fg after a resize' 'tokstep*cycle 2  *'
becomes 'is drawn in the new size' 30 eval 'screen | wc -l'
see 'with the key line at the bottom' 'q quit'

pid=$(explorer_pid)
kill -TERM "$pid"
becomes 'SIGTERM leaves the alternate screen' 0 ask alternate_on
type_line 'echo "exit $?"'
see 'SIGTERM exits with 143' 'exit 143'
type_line 'stty -a | tail -n +2 >'"$tmp/after"
becomes 'SIGTERM leaves a sane terminal' '' diff "$tmp/before" "$tmp/after"

for sig in SEGV ABRT QUIT USR1 USR2 ALRM VTALRM XCPU HUP; do
    type_line clear
    explorer
    kill -$sig "$(explorer_pid)"
    becomes "SIG$sig leaves the alternate screen" 0 ask alternate_on
    becomes 'with the cursor shown' 1 ask cursor_flag
    type_line 'echo "exit $?"'
    see 'and ends as the signal does' "exit $((128 + $(kill -l $sig)))"
    type_line 'stty -a | tail -n +2 >'"$tmp/after"
    becomes 'in a sane terminal' '' diff "$tmp/before" "$tmp/after"
done

explorer
kill -INT "$(explorer_pid)"
becomes 'SIGINT while nothing runs leaves' 0 ask alternate_on
type_line 'echo "exit $?"'
see 'with 130' 'exit 130'

explorer
pid=$(explorer_pid)
tm kill-session -t main
if until_true gone "$pid"; then result 0 'a terminal that goes away ends the program'; else
    result 1 'a terminal that goes away ends the program' "$pid still lives"
    kill "$pid"
fi
finish
