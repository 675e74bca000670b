# First frame, leaving, and what is left behind.
. tests/tap.sh
. tests/tmux.sh
shell 80 24
type_line 'stty -a >'"$tmp/before"
explorer
see_top 'the top line is exact' 'tokstep  deck bridge  token 0  cycle 0  IDLE'
see 'the key line names the first keys' 'space/b step'
equals 'the alternate screen is used' "$(ask alternate_on)" 1
keys Space
see_top 'space steps one cycle' 'tokstep  deck bridge  token 0  cycle 1  LN1_START'
keys b
see_top 'b steps back' 'tokstep  deck bridge  token 0  cycle 0  IDLE'
keys C-c
see 'Ctrl-C outside a run explains how to leave' 'q leaves'
keys '?'
see '? opens help' 'one cycle forward'
keys Escape
see 'Esc leaves help' 'space/b step'
keys q
becomes 'q gives the screen back' 0 ask alternate_on
becomes 'the cursor is visible again' 1 ask cursor_flag
type_line 'echo exit $?; stty -a >'"$tmp/after"
see 'q exits with 0' 'exit 0'
becomes 'the terminal modes are as before' '' diff "$tmp/before" "$tmp/after"
explorer --preset minus8 --set max_seq_len=16
see_top 'options reach the explorer' 'tokstep  minus8 bridge  token 0  cycle 0  IDLE'
keys q
finish
