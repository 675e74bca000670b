# Runs keep the screen alive, and keys pause them.
. tests/tap.sh
. tests/tmux.sh
shell 80 24
explorer --tokens 128
cycle() { screen | head -1 | sed 's/.*cycle \([0-9]*\) .*/\1/'; }
leave() { keys Escape && until_true not_shown 'Esc leave'; }
moves() { [ "$(cycle)" -gt "$1" ]; }
keys r
see 'r runs' 'running, 10 cycles/s'
if until_true moves 2; then result 0 'the screen follows'; else result 1 'the screen follows' "$(screen)"; fi
keys C-c
see 'Ctrl-C pauses' 'stopped at cycle'
at=$(cycle)
keys Space
becomes 'and the next key works from there' $((at + 1)) cycle
keys r
see 'r runs again' 'running'
keys + + +
see '+ makes it faster' '100 cycles/s'
keys x
see 'any other key pauses' 'stopped at cycle'
keys r && until_shown 'running'
kill -INT "$(pgrep -P "$(ask pane_pid)" | tail -1)"
see 'so does SIGINT from outside' 'stopped at cycle'
keys : && until_shown 'console' && type_line 'break softmax.sum > 0x4000'
type_line 'run'
see 'a run from the console stops at its breakpoint' 'breakpoint 1: softmax.sum > 0x4000'
leave
see_top 'in the state that the breakpoint waits for' 'tokstep*ATTN_WAIT'
keys : && until_shown ' : ' && type_line 'goto 370000'
until_true moves 369999
becomes 'a long way is gone in slices' 370000 cycle
leave && keys q
see 'q leaves' 'READY'
finish
