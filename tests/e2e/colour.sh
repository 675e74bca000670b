# Colours and characters follow the terminal and the user.
. tests/tap.sh
. tests/tmux.sh
# SGR colour parameters on the screen (30..38, 40..48, 90..)
colours() { screen -e | grep -oE $'\e\[[0-9;:]*m' | grep -cE '[[;](3[0-8]|4[0-8]|9[0-7])[;:m]'; }
beyond_ascii() { screen | LC_ALL=C grep -c '[^ -~]'; }

shell 80 24 TERM=tmux-256color
explorer
keys n n n
see_top 'somewhere inside' 'tokstep*ATTN_*'
result $(($(colours) == 0)) '256 colours are used'
result $(($(beyond_ascii) == 0)) 'boxes are drawn in UTF-8'
keys : && until_shown ' : ' && type_line 'theme mono'
becomes 'theme mono takes colours away at once' 0 colours
type_line 'theme light'
result $(until_true eval '[ $(colours) -gt 0 ]'; echo $?) 'theme light brings colours'
keys Escape && until_true not_shown 'Esc leave' && keys q && until_shown READY

shell 80 24 TERM=tmux-256color NO_COLOR=1
explorer
equals 'NO_COLOR: not one colour' "$(colours)" 0
keys n n n
until_true first_line 'tokstep*ATTN_*'
equals 'NO_COLOR: nor after steps' "$(colours)" 0
see 'NO_COLOR: the active unit keeps its mark' '►'
keys q && until_shown READY

shell 80 24 TERM=xterm
explorer
result $(($(colours) == 0)) '8 colours are used'
keys q && until_shown READY

shell 80 24 TERM=vt100
explorer
see_top 'TERM=vt100 shows the same' 'tokstep  deck bridge  token 0  cycle 0  IDLE'
equals 'TERM=vt100: no colour' "$(colours)" 0
keys Space
see_top 'TERM=vt100: keys work' 'tokstep*cycle 1  LN1_START'
keys q && until_shown READY

shell 80 24 LC_ALL=C
explorer
equals 'a locale without UTF-8: ASCII only' "$(beyond_ascii)" 0
see 'boxes are drawn in ASCII' '+-'
keys q && until_shown READY

shell 80 24
explorer --ascii
equals '--ascii: ASCII only' "$(beyond_ascii)" 0
keys q && until_shown READY
type_line 'TERM=nonsense '"$TOKSTEP"
see 'an unknown terminal is refused by name' 'tokstep: TERM=nonsense:'
see 'with a way on' 'or tokstep console'
type_line 'clear; TERM=dumb '"$TOKSTEP"
see 'one that cannot place the cursor too' 'tokstep: TERM=dumb: cannot place the cursor'
finish
