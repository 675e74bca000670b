# Lua in the explorer: the screen lives during an endless loop, C-c ends it; a lesson by its keys.
. tests/tap.sh
. tests/tmux.sh
shell 80 24 XDG_STATE_HOME="$tmp/state"
explorer
width() { screen | sed -n 2p | wc -m; }
keys : && until_shown 'Tab complete'
type_line '1 + 1'
see 'an expression shows its value' '│ 2 '
type_line 'while true do end'
see 'an endless loop runs' 'Lua is running; C-c stops it'
tm resize-window -t main -x 100 -y 30
becomes 'the screen follows a resize meanwhile' 101 width
see 'and it still runs' 'Lua is running'
keys C-z
see 'C-z leaves it to the shell' READY
type_line fg
see 'fg brings it back' 'Lua is running'
keys C-c
see 'C-c stops it' 'stopped by the user'
type_line '("a"):rep(50):find(("a?"):rep(50) .. ("a"):rep(50))'
see 'so does a pattern run' 'Lua is running'
keys Escape
until_true not_shown 'Lua is running'
see 'Esc stops it' 'stopped by the user'
type_line 'm:step(7)'
see_top 'the next line works' '*cycle 7 *'
type_line 'x'
see 'what is neither is told so' 'x: no such command'
keys Escape && until_true not_shown 'Tab complete'
tm resize-window -t main -x 80 -y 24
keys L
see 'the list has numbers, and a mark at its cursor' '► 00  Keys, help, undo'
see 'L lists the lessons' 'Keys, help, undo'
keys Enter
see 'Enter takes the first' 'page 1 of 12'
keys Enter && until_shown ': answer'
type_line 0
see 'an answer is taken' '= 0'
keys Enter && until_shown ': answer'
type_line idle
see 'a choice by its text' '= IDLE'
keys Enter
see 'Enter turns the page' 'page 2 of 12'
keys i
see 'i gives a hint' 'hint: it samples'
keys q
until_shown READY
type_line "$TOKSTEP lesson 00"
see 'the next time it goes on there' 'page 2 of 12'
keys q
see 'q leaves' READY
keys C-l
type_line "$TOKSTEP lesson"
see 'the list ends above the prompt' 'What each is about: tokstep lesson | less'
see 'and has its first line' '00-keys          Keys, help, undo'
equals 'without the lines that have no room' "$(screen | grep -c 'a word of your own')" 0
tm resize-window -t main -x 80 -y 40
type_line clear
type_line "$TOKSTEP lesson"
see 'a high terminal has room for them' 'a word of your own: what it is for.'
tm resize-window -t main -x 80 -y 24
type_line clear
printf '%s\n' 'return lesson { id = "loop", title = "Loops", page { say = "said", task = "do",' \
    '  check = function(m) print("from the lesson") while true do end end, auto = "step" } }' >"$tmp/loop.lua"
echo 'while true do end' >"$tmp/loops.lua"
type_line "$TOKSTEP lesson $tmp/loops.lua"
see 'a lesson that loops at once shows the screen' 'the lesson is at work; C-c stops it'
see 'the decoder' 'token_emb'
keys C-c
see 'C-c ends it' "loops.lua:1: stopped by the user"
type_line clear
type_line "$TOKSTEP lesson $tmp/loop.lua"
see 'a page of one that loops later' 'page 1 of 1'
keys Enter
see 'its check is at work' 'the lesson is at work; C-c stops it'
see 'the page is still there' 'said'
keys Escape
see 'Esc stops it' 'loop.lua:2: stopped by the user'
keys : && until_shown 'Tab complete'
see 'what it printed is in the console' 'from the lesson'
keys Escape && until_true not_shown 'Tab complete'
keys q
until_shown READY
finish
