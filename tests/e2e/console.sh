# The console: completion, history, search, paste.
. tests/tap.sh
. tests/tmux.sh
edited() { screen | grep '^│ :' | tail -1 | sed 's/^│ //; s/ *│$//'; } # the line being edited
leave() { keys Escape && until_true not_shown 'Esc leave'; }
shell 80 24 TERM=tmux-256color
explorer
keys :
see ': opens the console' ' : '
becomes 'its cursor is visible' 1 ask cursor_flag
tm send-keys -l 'ru' && keys Tab
see 'Tab completes a command' ': run'
tm send-keys -l 'until top.sta' && keys Tab
see 'and a signal' 'run until top.state'
tm send-keys -l ' == AT' && keys Tab
see 'and what the states have in common' '== ATTN_'
keys Tab
see 'and lists the states when there are several' 'ATTN_START  ATTN_WAIT'
tm send-keys -l 'W' && keys Tab
see 'down to one' '== ATTN_WAIT'
keys Enter
see_top 'Enter runs it' 'tokstep*ATTN_WAIT'
type_line 'get softmax.max'
see 'answers stand above' 'softmax.max 0000 0.0'
type_line 'frobnicate'
see 'an error is said in one line' 'frobnicate: no such command'
keys Up Up
becomes 'Up brings lines back' ': get softmax.max' edited
keys C-c
becomes 'Ctrl-C clears the line' ':' edited
keys C-r && tm send-keys -l 'unt'
see 'Ctrl-R searches' "\`unt': run until top.state"
keys Escape
see 'Esc leaves the search only' 'Enter run'
keys C-u
tm set-buffer $'step 2\nget start\n' && tm paste-buffer -p
see 'a paste fills the line with its first line' ': step 2'
see_top 'and runs nothing by itself' 'tokstep*cycle 200  ATTN_WAIT'
keys Enter
see 'Enter runs it and offers the next line' ': get start'
keys Enter
see 'which runs too' 'start 0 0'
keys Escape
see 'Esc leaves the console' 'space/b step'
tm set-buffer 'qqq' && tm paste-buffer -p
see 'a paste outside is not taken for keys' 'press : first'
keys g
see 'g asks for a cycle' ': goto'
tm send-keys -l '440' && keys Enter
see_top 'and goes there' 'tokstep*cycle 440  ATTN_WAIT'
keys q && until_shown READY
contains 'the history is a file in the data directory' "$(cat "$tmp/data/tokstep/history")" 'get softmax.max'
explorer
keys : && until_shown ' : ' && keys Up
see 'the next explorer remembers' ': goto 440'
leave && keys q && until_shown READY
type_line "clear; $TOKSTEP console"
see 'tokstep console shows where the machine is' '0 IDLE:'
tm send-keys -l 'st' && keys Tab Tab
see 'it completes too' 'state'
keys C-c
tm send-keys -l 'step 3' && keys Enter
see 'Ctrl-C clears a line, Enter runs one' '3 LN1_WAIT:'
type_line 'bogus'
see 'errors are one line' 'tokstep: bogus: no such command'
tm set-buffer $'get\tq[1]\nwhere\n' && tm paste-buffer -p
keys Enter
see 'pasted lines are run one by one' 'q[1] 0000 0.0'
see 'to the last' 'deck bridge  token 0  cycle 3  LN1_WAIT'
type_line 'quit'
type_line 'echo "exit $?"'
see 'quit leaves with 0' 'exit 0'
finish
