# Kinds of terminals: what each calls its keys and colours, and bytes that are no character.
. tests/tap.sh
. tests/tmux.sh
if ! infocmp rxvt >/dev/null 2>&1; then
    echo '1..0 # skipped: no descriptions of terminals (ncurses-term)'
    exit 0
fi
settings="XDG_CONFIG_HOME=$tmp/config XDG_STATE_HOME=$tmp/state"
leave() { keys Escape && until_true not_shown 'Esc leave' && keys q && until_shown READY; }
# send_bytes HEX...: as if the terminal had sent them
send_bytes() { tm send-keys -H "$@"; }

for term in linux rxvt screen xterm xterm-direct; do
    shell 80 24 TERM=$term $settings
    explorer
    keys Tab
    send_bytes 1b 5b 5a # Shift-Tab
    until_true shown '╭►decoder'
    keys Space
    see_top "$term: Shift-Tab goes back a pane and swallows nothing" 'tokstep*cycle 1  *'
    see "$term: to the pane before" '╭►decoder'
    send_bytes 1b 4f 62 1b 5b 62 1b 5b 31 3b 35 42 # Ctrl-Down and Shift-Down of several terminals
    keys Space
    see_top "$term: Ctrl-Down swallows nothing" 'tokstep*cycle 2  *'
    leave
done

shell 80 24 TERM=xterm-direct $settings
explorer --theme dark
result $(($(screen -e | grep -c '38[;:]2[;:]*255[;:]175[;:]0') == 0)) 'direct colours: the orange of dark is orange'
leave

for locale in C C.UTF-8; do
    shell 80 24 LC_ALL=$locale $settings
    explorer
    send_bytes e9
    keys Space
    see_top "$locale: a bad byte does not eat the next key" 'tokstep*cycle 1  *'
    send_bytes e2 82
    keys Space
    see_top "$locale: half a character neither" 'tokstep*cycle 2  *'
    leave
done

# What is remembered, and what goes over it.
theme_is() { # NAME WANT
    keys : && until_shown ' : ' && type_line theme
    see "$1" "theme $2; there are"
    leave
}
shell 80 24 $settings
explorer
keys : && until_shown ' : ' && type_line 'theme light'
leave
explorer
theme_is 'a theme once chosen is remembered' light
explorer --theme dark
theme_is '--theme goes over it' dark
type_line 'export NO_COLOR=1; clear'
explorer
theme_is 'NO_COLOR too' mono
explorer --theme dark
theme_is '--theme goes over NO_COLOR' dark
type_line 'unset NO_COLOR; export COLORFGBG="0;15"; clear'
explorer
keys : && until_shown ' : ' && type_line 'theme auto'
leave
explorer
theme_is 'auto: as COLORFGBG says' light

mkdir -p "$tmp/config/tokstep"
printf '# mine\nmap F5 step 5\n\nwatch nonsense\n:watch hidden[1]\n' >"$tmp/config/tokstep/init"
explorer
see 'init: what is refused is told by line' 'init: line 4 was refused'
keys F5
see_top 'init: keys of ones own' 'tokstep*cycle 5  *'
see 'init: watches' 'hidden[1]'
keys : && see 'init: the console says why' 'init: line 4: '
leave
finish
