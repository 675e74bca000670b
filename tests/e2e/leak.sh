# Under AddressSanitizer: nothing is lost when the explorer has been left, nor by the libraries that
# it asks (readline's history and searches, curses' mouse).
. tests/tap.sh
. tests/tmux.sh
if [ ! -x "${TOKSTEP_ASAN-}" ]; then
    echo '1..0 # skipped: no build with sanitizers (make debug)'
    exit 0
fi
for term in linux xterm-256color; do
    shell 80 24 TERM=$term
    type_line "$TOKSTEP_ASAN 2>$tmp/err; echo left \$?"
    until_shown '? help'
    keys m && see "$term: the mouse is on" 'mouse on'
    keys : && until_shown ' : '
    type_line 'get cycle'
    keys C-p && until_shown ': get cycle'
    tm send-keys -l '#0r' && until_shown ': get cycle#0r'
    keys M-p && tm send-keys -l x # a search through history that does not come to its end
    keys Escape && keys Escape && until_true not_shown 'Esc leave'
    # searches and arguments that are broken off, twice: each puts the prompt aside
    for how in M-p M-5 M-p M-5 C-r C-r; do
        keys : && until_shown ' : ' && keys $how && tm send-keys -l 7
        keys Escape && keys Escape && until_true not_shown 'Esc leave'
    done
    for end in C-g BSpace Enter C-g; do
        keys : && until_shown ' : ' && keys M-p && keys $end
        keys Escape && keys Escape && until_true not_shown 'Esc leave'
    done
    keys q && see "$term: it can be left" 'left 0'
    equals "$term: and has lost nothing" "$(cat "$tmp/err")" ''
done
finish
