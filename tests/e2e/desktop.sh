# The mouse is off at first; `m` turns it on and off. And the other thing shared with the desktop: the
# clipboard.
. tests/tap.sh
. tests/tmux.sh
# X10 report of a button at row, column (from 0)
button() { tm send-keys -l "$(printf '\e[M\\x%02x\\x%02x\\x%02x' $((32 + $1)) $((33 + $3)) $((33 + $2)) | xargs -0 printf '%b')"; }
shell 160 50 TERM=tmux-256color
explorer
equals 'off at start: native selection works' "$(ask mouse_any_flag)" 0
keys m
becomes 'm turns it on' 1 ask mouse_any_flag
see 'and says what it does' 'mouse on'
button 0 30 120
becomes 'a click focuses the pane under it' 1 eval "screen | sed -n 26,28p | grep -c '►softmax'"
button 65 30 120
see 'the wheel scrolls there' '? help'
keys m
becomes 'm turns it off' 0 ask mouse_any_flag
keys m
becomes 'on again' 1 ask mouse_any_flag
keys q
becomes 'leaving turns it off' 0 ask mouse_any_flag

shell 80 24 TERM=tmux-256color
tm set-option -g set-clipboard on
explorer
keys 2 y
see 'y says what it copied' 'copied: token_emb[0] 0080 0.5'
becomes 'and it is in the clipboard of the terminal' 'token_emb[0] 0080 0.5' tm show-buffer
keys q && until_shown READY
shell 80 24 TERM=vt100
explorer
keys 2 y
see 'a terminal without a clipboard is not sent garbage' 'token_emb[0] 0080 0.5 (this terminal has no clipboard)'
keys q
finish
