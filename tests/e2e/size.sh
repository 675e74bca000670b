# Every size, and sizes that change quickly.
. tests/tap.sh
. tests/tmux.sh
shell 80 24
explorer
fresh=$(screen)
tm resize-window -t main -x 79 -y 23
see '79x23 is drawn' '? help'
becomes '79x23 has no line too many' 23 eval 'screen | wc -l'
tm resize-window -t main -x 200 -y 60
see '200x60 stands views side by side' 'timeline'
tm resize-window -t main -x 59 -y 20
see 'too narrow: says the size' 'This window is 59x20'
tm resize-window -t main -x 60 -y 15
see 'too low: says what it needs' 'tokstep needs 60x16'
keys Space
tm resize-window -t main -x 60 -y 16
see_top '60x16 is enough, and nothing has moved unseen' 'tokstep  deck bridge  token 0  cycle 0  IDLE'
tm resize-window -t main -x 1 -y 1
becomes '1x1 is survived' 1 ask pane_width
tm resize-window -t main -x 20 -y 4
see '20x4 says how to leave' 'q to'
for i in $(seq 1 60); do tm resize-window -t main -x $((1 + RANDOM % 250)) -y $((1 + RANDOM % 70)); done
tm resize-window -t main -x 80 -y 24
becomes 'after a storm the screen is as at first' "$fresh" screen
keys q
see 'and q leaves' 'READY'
finish
