# Without a terminal the explorer refuses, or takes its keys from /dev/tty.
. tests/tap.sh
. tests/tmux.sh
refused 'neither stdin nor stdout a terminal' 'is no terminal' setsid -w "$TOKSTEP"
refused 'the options are judged first' 'nosuch' setsid -w "$TOKSTEP" --preset nosuch
refused 'an unknown option' '--frobnicate' "$TOKSTEP" --frobnicate
refused 'an unknown theme' '--theme pink: must be auto' "$TOKSTEP" --theme pink
refused '--size without --script' '--size: needs --script' "$TOKSTEP" --size 80x24
refused 'a size that is none' '--size 80' "$TOKSTEP" --script /dev/null --size 80
shell 80 24
type_line "$TOKSTEP </dev/null"
see 'stdin not a terminal: still drawn' '? help'
keys Space
see_top 'and keys come from /dev/tty' 'tokstep*cycle 1  LN1_START'
keys q && until_shown READY
type_line "clear; $TOKSTEP | cat; echo \"exit \${PIPESTATUS[0]}\""
see 'stdout not a terminal: one line' 'tokstep: stdout: is no terminal'
see 'and exit 2' 'exit 2'
finish
