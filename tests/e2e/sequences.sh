# Escape sequences that nobody has asked for: they are no keys. Each would otherwise open a view, the
# console, or step.
. tests/tap.sh
. tests/tmux.sh
shell 80 24 TERM=xterm-256color
explorer
send() { tm send-keys -l "$1"; }
fresh=$(screen)
for sequence in '[99;99~' '[97;5u' '[1;9P' '[?1;2c' '[I' 'OZ' '[<0;10;10M' '[<35;10;10m' \
    ']11;rgb:0000/0000/0000'$'\e\\' ']11;rgb:0000/0000/0000'$'\a'; do
    send $'\e'"$sequence"
    tm send-keys Down Up # drawn again behind it
    becomes "${sequence%%[![:print:]]*} is no key" "$fresh" screen
done
send $'\e[99;5~n'
see_top 'a key behind one is read at once' 'tokstep*cycle 1  LN1_START'
keys 8
send $'\e['
see 'Esc and a bracket alone are two keys' 'this is the first of the tensor'
send $'\e]'
see 'the other bracket too' 'tile (1,0) of 2x1'
keys : && until_shown ' : '
send $'get\e[99;5~ cycle\e]11;rgb:0/0\a'
see 'the console takes none for text' ': get cycle '
keys Escape && until_true not_shown 'Esc leave'
keys m && until_shown 'mouse on' && keys 2 && until_shown 'words in hex'
send $'\e[<0;30;13M\e[<0;30;13m'
see 'reports of a mouse that is on are read' '├ token_emb[19] ─'
keys q
see 'and q leaves' 'READY'
finish
