#!/usr/bin/env bash
# tokstep lesson: the list, check, grades, the pane in the explorer, progress.
. tests/tap.sh
export XDG_STATE_HOME=$tmp/state

list=$("$TOKSTEP" lesson)
result $? "the list"
equals "no line ends in a part of a word" "$(grep -c '[^.?:]$' <(grep '^    [A-Z]' <<<"$list"))" 0
equals "one line a lesson" "$(grep -c " min " <<<"$list")" "$(ls lessons/*.lua | wc -l)"
contains "what it builds on" "$list" $'edges.\n    builds on 00-keys\n'
contains "told to who begins before that" "$("$TOKSTEP" --script <(printf '%s\n' ':lesson 02' ':screen'))" "this lesson builds on 00-keys: not finished yet"
mkdir -p "$tmp/ready/tokstep/lessons" && printf 'page 12\nfinished\n' >"$tmp/ready/tokstep/lessons/00-keys"
equals "and not behind it" "$(XDG_STATE_HOME=$tmp/ready "$TOKSTEP" --script <(printf '%s\n' ':lesson 02' ':screen') | grep -c 'builds on')" 0
contains "id, title, minutes" "$list" "00-keys          Keys, help, undo"
equals "each with a line on what it is about" "$(grep -c '^    [A-Z]' <<<"$list")" "$(ls lessons/*.lua | wc -l)"

start=$(date +%s)
checked=$("$TOKSTEP" lesson --check 2>"$tmp/err")
result $? "every lesson passes its own check" "$(cat "$tmp/err")"
[ $(($(date +%s) - start)) -lt 60 ]
result $? "in under a minute"
equals "a line each" "$(wc -l <<<"$checked")" "$(ls lessons/*.lua | wc -l)"
equals "five predictions or more in each" "$(awk '$(NF - 3) < 5 { print $1 }' <<<"$checked")" ""

for locale in C de_DE.UTF-8 tr_TR.UTF-8; do
    LC_ALL=$locale "$TOKSTEP" lesson --check 00 02 >/dev/null 2>"$tmp/err"
    result $? "check under LC_ALL=$locale" "$(cat "$tmp/err")"
done

broken() { # NAME PART TEXT: check says PART and exits 1
    printf '%s\n' "$3" >"$tmp/bad.lua"
    "$TOKSTEP" lesson --check --cpu 0.3 "$tmp/bad.lua" >"$tmp/out" 2>"$tmp/err"
    local rc=$?
    [ $rc = 1 ] && grep -qF -- "$2" "$tmp/err"
    result $? "$1" "exit $rc: $(cat "$tmp/err")"
}
broken "a wrong expectation" "bad.lua:2: page 1: the wrong answer 5 is accepted" 'return lesson { id = "x", title = "x", page {
  ask { number = "n", answer = 5, wrong = 5 } } }'
broken "a list of wrong answers from a function" "the wrong answer 5 is accepted" 'return lesson { id = "x", title = "x", page {
  ask { number = "n", hint = function() return "h" end, answer = 5, wrong = function() return { 4, 5 } end } } }'
broken "a choice that there is not" "bad.lua:2: page 1: answer 0: the options are 1 to 2" 'return lesson { id = "x", title = "x", page {
  ask { choice = "n", options = { "a", "b" }, answer = 0 } } }'
broken "of three pupils' numbers" "the wrong answer" 'return lesson { id = "x", title = "x", page { init = function(m, v) v.n = v.random(1, 9999) end,
  ask { number = "n", answer = function(m, v) return v.n end, wrong = function(m, v) return v.n end } } }'
equals "it is told once" "$(wc -l <"$tmp/err")" 1
broken "a claim that is not so" "bad.lua:2: page 1: what it claims is not so: IDLE" 'return lesson { id = "x", title = "x", page {
  ask { predict = function(m) return m.cycle end, text = "c", after = "step",
        claim = function(m) return m.state == "DONE" or m.cycle == 0, m.cycle == 1 and "IDLE" end } } }'
broken "an error" "bad.lua:3: machine has no nothing" 'return lesson { id = "x", title = "x", page { say = "x",
  check = function(m)
    return m.nothing end, auto = "step" } }'
broken "an endless loop" "bad.lua:3: stopped: it ran for more than 0.3 s" 'return lesson { id = "x", title = "x", page { say = "x",
  check = function(m)
    while true do end end, auto = "step" } }'
broken "a solution that the machine refuses" "bad.lua:1: page 1: NOPE: top.state has no such state" 'return lesson { id = "x", title = "x", page { say = "x", task = "x",
  check = function(m) return m.cycle > 0, "no" end, auto = "run until top.state == NOPE" } }'
broken "after: a run that never ends" 'bad.lua:2: page 1: `run until ln1.i == 99` never comes true' 'return lesson { id = "x", title = "x", page {
  ask { predict = "ln1.i", after = { "run until smax.state == SUM", "run until ln1.i == 99" }, format = "int" } } }'
broken "auto: the same" 'bad.lua:2: page 2: `rev until ln1.i == 98` never comes true' 'return lesson { id = "x", title = "x", page { say = "x" },
  page { task = "x", check = function(m) return m.cycle == 7, "no" end, auto = { "goto 9", "rev until ln1.i == 98", "goto 7" } } }'
broken "init: the same" 'bad.lua:2: page 2: `run until attn.h == 7` never comes true' 'return lesson { id = "x", title = "x", page { say = "x" },
  page { say = "x", init = function(m) m:cmd("run until attn.h == 7") end } }'
broken "a prediction of no signal" "bad.lua:2: page 1: nosuch: no such signal" 'return lesson { id = "x", title = "x", page { say = "x",
  ask { predict = "nosuch", after = "step 1", format = "hex" } } }'
broken "a view that there is not" "bad.lua:2: page: show: view nosuch: must be one of decoder, vectors" 'return lesson { id = "x", title = "x",
  page { say = "x", show = "nosuch" } }'
broken "shown by init" "bad.lua:2: view nosuch: must be one of decoder, vectors" 'return lesson { id = "x", title = "x", page { say = "x",
  init = function() screen.show("nosuch") end } }'
broken "a syntax error" "bad.lua:2: " 'return lesson { id = "x",
  page = = 3 }'
contains "with the lines around it" "$(cat "$tmp/err")" ">   2    page = = 3 }"
broken "a line for the list that has no room there" "bad.lua:1: about has more than 75 characters" "return lesson { id = 'x', title = 'x',
  about = 'A$(printf ' longword%.0s' {1..9})', page { say = 'x' } }"
broken "one of two" "bad.lua:1: " 'error("x")'
broken "a built-in lesson's id" "bad.lua:1: id 02-q88 is a built-in lesson's" 'return lesson { id = "02-q88", title = "x", page { say = "x" } }'
mkdir -p "$tmp/same/tokstep/lessons"
printf 'seed 5\npage 7 of 8\n' >"$tmp/same/tokstep/lessons/02-q88"
XDG_STATE_HOME=$tmp/same "$TOKSTEP" lesson "$tmp/bad.lua" --seed 9 --script <(echo 'Enter') >/dev/null
equals "its progress is not the built-in's" "$(cat "$tmp/same/tokstep/lessons/02-q88" <(head -1 "$tmp/same/tokstep/lessons/02-q88.own"))" \
    $'seed 5\npage 7 of 8\nseed 9'
equals "and it begins where it was left itself" "$(XDG_STATE_HOME=$tmp/same "$TOKSTEP" lesson "$tmp/bad.lua" --script <(echo ':screen') | grep -c 'page 1 of 1')" 1
echo 'x' >"$tmp/bad.lua"
"$TOKSTEP" lesson --check 00 "$tmp/bad.lua" 02 >"$tmp/out" 2>/dev/null
equals "the others are checked all the same" "$(grep -c ' ok ' "$tmp/out")" 2

cat >"$tmp/answers" <<'E2'
# a pupil
1 0
1 IDLE
2 LN1_START
2 goto 5
3 4
3 1
4 196
E2
graded=$("$TOKSTEP" lesson 00 --answers "$tmp/answers" --pass 12)
equals "grade: passed" "$?" 0
contains "grade: right" "$graded" $'1 ok\n2 ok\n'
contains "grade: wrong" "$graded" "4 wrong 196: that is not it"
contains "grade: which of several questions" "$graded" "3 wrong 4: the machine will not agree: go there and look (question 1: The first layer norm counts the elements ...)"
contains "grade: score" "$graded" $'5 of 23 questions are right\nscore 22 %'
"$TOKSTEP" lesson 00-keys --answers "$tmp/answers" >/dev/null
equals "grade: 100 % are wanted by default" "$?" 1
cp "$tmp/answers" "$tmp/graded"
# t goes one clock beyond `valid`: the pupil is told what happened, and which key helps.
printf '%s\n' ':solve' ':solve' 't L Enter' ':screen' 'b' ':screen' 'Enter' ':screen' >"$tmp/keys"
mkdir -p "$tmp/over/tokstep/lessons" && printf 'seed 5\npage 8\n' >"$tmp/over/tokstep/lessons/00-keys"
screens=$(XDG_STATE_HOME=$tmp/over "$TOKSTEP" lesson 00 --script "$tmp/keys")
contains "one clock too far is told" "$(head -24 <<<"$screens")" "valid is 0 again. It was 1 in cycle 2953 only: b goes back there"
equals "and taken back when the machine moves" "$(sed -n 25,48p <<<"$screens" | grep -c 'Not yet')" 0
contains "and b helps" "$(tail -24 <<<"$screens")" "= done"
# The page says whose doing `edited` is; not where the pupil has edited.
mkdir -p "$tmp/edited/tokstep/lessons" && printf 'seed 5\npage 4\n' >"$tmp/edited/tokstep/lessons/01-token"
printf '%s\n' ':screen' >"$tmp/keys"
contains "edited by the lesson" "$(XDG_STATE_HOME=$tmp/edited "$TOKSTEP" lesson 01 --script "$tmp/keys")" '(`edited` in the top line: by this page.)'
printf '%s\n' ':set q[0] 1' ':screen' >"$tmp/keys"
equals "not by the lesson" "$(XDG_STATE_HOME=$tmp/edited2 "$TOKSTEP" lesson 01 --script "$tmp/keys" | grep -c 'by this page')" 0
printf 'x 1\n' >"$tmp/answers"
refused "grade: a bad line" "tokstep: $tmp/answers: line 1: must be PAGE ANSWER" "$TOKSTEP" lesson 00 --answers "$tmp/answers"
refused "grade: no such file" "No such file" "$TOKSTEP" lesson 00 --answers "$tmp/none"
refused "no such lesson" "there is no such lesson" "$TOKSTEP" lesson --check nothing
refused "a name without letters" "there is no such lesson" "$TOKSTEP" lesson --check ""
refused "the beginning of several: they are listed" "k: 2 lessons fit: 00-keys, 07-kv-cache" "$TOKSTEP" lesson --check k
refused "a slip" "sofmtax: there is no such lesson; did you mean softmax? " "$TOKSTEP" lesson sofmtax
for name in 6 06 mask MASK 06-m; do
    equals "a lesson by $name" "$("$TOKSTEP" lesson --check "$name" | cut -c1-11)" "06-mask    "
done
"$TOKSTEP" lesson cache --script <(printf ':screen\n') | grep -q 'KV cache'
result $? "taken by one of its words"
contains ":lesson by a word" "$("$TOKSTEP" --script <(printf '%s\n' ':lesson mask' ':screen'))" "$("$TOKSTEP" lesson | sed -n 's/^06-mask *\([^ ]* [^ ]*\).*/\1/p')"
contains ":lesson that there is not" "$("$TOKSTEP" --script <(printf '%s\n' ':lesson maks') 2>&1)" "maks: there is no such lesson; did you mean mask? "

# JSON says what the text says
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
equals "the list as JSON" "$("$TOKSTEP" lesson --json | json '[(l["id"], l["needs"], l["page"]) for l in d["lessons"]][:2]')" \
    "[('00-keys', [], 0), ('01-token', ['00-keys'], 0)]"
equals "--check as JSON" "$("$TOKSTEP" lesson --check --json 00 2>&1 | json 'd["ok"], d["lessons"][0]["lesson"], d["lessons"][0]["pages"], d["lessons"][0]["failures"]')" \
    "(True, '00-keys', 12, [])"
printf '%s\n' 'return lesson { id = "x", title = "x", page { say = "x",' 'ask { number = "n", answer = 5, wrong = 5 } } }' >"$tmp/bad.lua"
equals "--check as JSON: what does not hold" "$("$TOKSTEP" lesson --check --json "$tmp/bad.lua" 02 2>/dev/null | json 'd["ok"], [l["ok"] for l in d["lessons"]], d["lessons"][0]["failures"][0].split("lua:")[1]')" \
    "(False, [False, True], '2: page 1: the wrong answer 5 is accepted')"
"$TOKSTEP" lesson --check --json "$tmp/bad.lua" >/dev/null 2>&1
equals "--check as JSON: exit 1" $? 1
equals "grade as JSON" "$("$TOKSTEP" lesson 00 --answers "$tmp/graded" --pass 12 --json | json 'd["lesson"], d["score"], d["passed"], d["pages"][0], d["pages"][3]["ok"], d["pages"][3]["reason"][:21]')" \
    "('00-keys', 22, True, {'page': 1, 'ok': True, 'reason': ''}, False, '196: that is not it (')"
refused "--json of a lesson that is taken" "--json: is for" "$TOKSTEP" lesson 00 --json

# numbers too large are refused, not others taken for them
printf '99999999999999999999 3\n' >"$tmp/answers"
refused "grade: page 10^20" "line 1: there is no page 99999999999999999999" "$TOKSTEP" lesson 00 --answers "$tmp/answers"
printf '1 0\nseed 99999999999999999999\n' >"$tmp/answers"
"$TOKSTEP" lesson 00 --answers "$tmp/answers" --pass 4 >"$tmp/out" 2>"$tmp/err"
equals "grade: seed 10^20: told, exit 1" "$?|$(cat "$tmp/err")" \
    "1|tokstep: $tmp/answers: line 2: seed 99999999999999999999: must be 0..4294967295; graded with 1"
equals "the rest is graded" "$(tail -1 "$tmp/out")" "score 4 %"
equals "told in JSON too" "$("$TOKSTEP" lesson 00 --answers "$tmp/answers" --json 2>/dev/null | json 'len(d["unread"]), d["right"], d["questions"]')" "(1, 1, 23)"
printf 'seed\n1 0\n1: IDLE\n' >"$tmp/answers"
contains "grade: a seed without a number" "$("$TOKSTEP" lesson 00 --answers "$tmp/answers" 2>&1)" "line 1: seed: must be"
printf '2.2 :goto 5\n1.2 IDLE\n1 0\n2.1 LN1_START\n' >"$tmp/answers"
contains "grade: as the printed sheet numbers, commands with a colon" "$("$TOKSTEP" lesson 00 --answers "$tmp/answers")" $'1 ok\n2 ok\n'
"$TOKSTEP" lesson 00 --answers "$tmp/answers" --hand-in "$tmp/a.txt" --name A >/dev/null
contains "the same as a hand-in" "$("$TOKSTEP" lesson --grade "$tmp/a.txt")" "++ ++ .."
printf 'seed 4294967296\n' >"$tmp/answers"
refused "grade: a seed of 33 bits would be another" "line 1: seed 4294967296: must be" "$TOKSTEP" lesson 00 --answers "$tmp/answers"
printf 'error("mine")\n' >"$tmp/own.lua"
printf '1 0\n' >"$tmp/answers"
"$TOKSTEP" lesson "$tmp/own.lua" --answers "$tmp/answers" >"$tmp/out" 2>"$tmp/err"
for how in "lesson $tmp/own.lua" "open $tmp/own.lua"; do
    "$TOKSTEP" $how --script /dev/null >"$tmp/out" 2>"$tmp/err"
    equals "${how%% *}: a lesson that fails is exit 1, in one line" "$?|$(cat "$tmp/out" "$tmp/err")" "1|tokstep: $tmp/own.lua:1: mine"
done
refused "open: no such lesson is not" "none.lua: " "$TOKSTEP" open "$tmp/none.lua" --script /dev/null
"$TOKSTEP" lesson "$tmp/own.lua" --answers "$tmp/answers" >"$tmp/out" 2>"$tmp/err"
equals "grade: a lesson that fails: exit 1" "$?|$(cat "$tmp/out" "$tmp/err")" "1|tokstep: $tmp/own.lua:1: mine"
refused "no such lesson, taken" "there is no such lesson" "$TOKSTEP" lesson nothing --script /dev/null
refused "no such lesson, without a terminal" "nothing: there is no such lesson" setsid "$TOKSTEP" lesson nothing
refused "a lesson without a terminal" "is no terminal; --print, --answers, --check and --script work without one" setsid "$TOKSTEP" lesson 00
refused "--pass alone" "--pass: needs --answers" "$TOKSTEP" lesson --pass 5
refused "an unknown option" "--what: no such option" "$TOKSTEP" lesson --what

# The pane: a whole page of lesson 00 at 80x24, by its keys alone.
printf '%s\n' 'Enter 0 Enter' 'Enter 1 Enter' ':screen' 'Enter Enter L N 1 _ S T A R T Enter' \
    '1 space space space space L Enter' ':screen' 'Enter [' ':screen' >"$tmp/keys"
screens=$("$TOKSTEP" lesson 00 --script "$tmp/keys")
contains "an answer is taken" "$screens" "= IDLE"
contains "it fits 80x24" "$screens" "Enter next page"
contains "a prediction moves the machine" "$screens" "cycle 5  LN1_WAIT"
contains "a task is checked" "$screens" "= done"
contains "a page back restores the machine" "$(tail -24 <<<"$screens")" "cycle 0  IDLE"
[ "$(wc -L <<<"$screens")" -le 80 ]
result $? "no line beyond 80 columns"
contains "progress is kept" "$("$TOKSTEP" lesson)" "page 2 of 12"
# L where it is shown already changes nothing: Enter checks the task that the page is at.
printf '%s\n' ':answer 0' ':answer 1' 'Enter' ':answer LN1_START' 'space space L L Enter' ':screen' >"$tmp/keys"
screens=$(XDG_STATE_HOME=$tmp/other "$TOKSTEP" lesson 00 --script "$tmp/keys")
contains "L L Enter goes on where the page was" "$screens" "Not yet: the machine is in cycle 3"
contains "and leaves the machine alone" "$(head -1 <<<"$screens")" "cycle 3  LN1_WAIT"
printf '%s\n' ':lesson 01' 'Enter 2 Enter' ':screen' >"$tmp/keys"
contains "a token's clocks are counted as everywhere" "$(XDG_STATE_HOME=$tmp/other "$TOKSTEP" --script "$tmp/keys")" "2227 of the 2953 clocks"
printf '%s\n' ':lesson 02' ':lesson off' ':text hello' ':screen' >"$tmp/keys"
contains "after a lesson the model is there again" "$(XDG_STATE_HOME=$tmp/other "$TOKSTEP" --script "$tmp/keys")" "tokstep  repaired bridge  token 0  cycle 0"
printf '%s\n' 'L Enter' ':screen' >"$tmp/keys" # two keys before the list has been drawn
contains "L and Enter at once" "$(XDG_STATE_HOME=$tmp/other "$TOKSTEP" --script "$tmp/keys")" "page 2 of 12"
printf '%s\n' 'L' ':screen' 'Enter' ':screen' >"$tmp/keys"
screens=$("$TOKSTEP" --script "$tmp/keys")
contains "the list in the explorer" "$screens" "page 2 of 12"
contains "Enter takes it up again" "$screens" "lesson: Keys, help, undo, page 2 of 12"
# What a page hides the views keep back until it is left.
cat >"$tmp/hide.lua" <<'E2'
return lesson { id = "hide", title = "Hide", setup = { preset = "deck" },
  page { say = "a", hide = { "wrap", "done" } }, page { say = "b" } }
E2
printf '%s\n' '6 . . . . .' ':screen' '3' ':run until smax.state == SUM' ':screen' 'L Enter' '6' ':screen' '3' ':screen' >"$tmp/keys"
XDG_STATE_HOME=$tmp/hide "$TOKSTEP" lesson "$tmp/hide.lua" --script "$tmp/keys" >"$tmp/out"
hidden=$(head -48 "$tmp/out") open=$(tail -48 "$tmp/out")
equals "hide done: nothing on when it is done" "$(grep -cE 'knows no K|utilisation|since edge' <<<"$hidden")" 0
equals "hide wrap: no warning" "$(grep -cE '! ' <<<"$hidden")" 0
sed 's/page { say = "a"/page { say = "a", init = function(m) m:until_("smax.state == SUM") end/' "$tmp/hide.lua" >"$tmp/hide2.lua"
printf '%s\n' '5' ':screen' ':why softmax.shifted[1]' ':screen' ':print(table.concat(m:explain()))' '2' ':show softmax.shifted[1]' ':screen' >"$tmp/keys"
hidden=$(XDG_STATE_HOME=$tmp/hide2 "$TOKSTEP" lesson "$tmp/hide2.lua" --script "$tmp/keys" --size 100x40)
contains "the timeline is there" "$hidden" "marks"
contains "and why tells the rest" "$hidden" "softmax.shifted[1] 7fc1 127.75390625 <- x[1] - max"
equals "hide wrap: not in the timeline, not by why, not under the vectors" "$(grep -cE 'events? here|aturated|wraps|! ' <<<"$hidden")" 0
sed 's/hide = { "wrap", "done" }/zoom = false/' "$tmp/hide2.lua" >"$tmp/hide3.lua"
shown=$(XDG_STATE_HOME=$tmp/hide3 "$TOKSTEP" lesson "$tmp/hide3.lua" --script "$tmp/keys" --size 100x40)
contains "else they are there: the timeline" "$shown" "events here; first softmax.shifted[109] wrapped"
contains "why" "$shown" "! wraps: -128.2461"
contains "the next page hides nothing: done" "$open" "utilisation"
contains "wrap" "$open" "! "
broken "hiding what there is not" 'bad.lua:1: page: hide is "wrap", "done" or "deck"' 'return lesson { id = "x", title = "x", page { say = "x", hide = "all" } }'

# First the bet: an answer, right or wrong, before the machine moves.
cat >"$tmp/bet.lua" <<'E2'
return lesson { id = "bet", title = "Bet", page { commit = true,
  ask { number = "a", answer = 7 }, ask { number = "b", answer = 8, commit = false } } }
E2
for move in 'step' 'goto 9' 'run until valid == 1' 'play' 'preset minus8' 'config d_model=32' 'm:configure{}' 'm:step()' 'why' 'print(m:explain()[1])'; do
    printf ':%s\n' "$move" >"$tmp/keys"
    XDG_STATE_HOME=$tmp/bet refused "no $move before the bet" "first your bet" "$TOKSTEP" lesson "$tmp/bet.lua" --script "$tmp/keys"
done
printf '%s\n' 'space' ':screen' ':answer 5' 'space' ':screen' ':answer 7' 'space' ':screen' >"$tmp/keys"
screens=$(XDG_STATE_HOME=$tmp/bet "$TOKSTEP" lesson "$tmp/bet.lua" --script "$tmp/keys")
printf '%s\n' '1' ':screen' '2' ':screen' ':answer 5' '1' ':screen' >"$tmp/keys"
sed 's/commit = true,/commit = true, init = function(m) m:goto_(5) end,/' "$tmp/bet.lua" >"$tmp/bet2.lua"
bets=$(XDG_STATE_HOME=$tmp/bet2 "$TOKSTEP" lesson "$tmp/bet2.lua" --script "$tmp/keys")
contains "this clock is kept back until then" "$(head -24 <<<"$bets")" "first your bet: then this tells"
equals "in view 1 and 2" "$(head -48 <<<"$bets" | grep -cE 'mean_sum|ln1.sum|coming edge')" 0
contains "and then shown" "$(tail -24 <<<"$bets")" "ln1."
contains "the key says so" "$(head -24 <<<"$screens")" "first your bet: answer the question"
contains "and the machine stands" "$(head -1 <<<"$screens")" "cycle 0"
contains "a wrong bet is one" "$(sed -n 25p <<<"$screens")" "cycle 1"
contains "a question may be without" "$(sed -n 49p <<<"$screens")" "cycle 2"

# The lesson answers where the pupil is: beside its strip, and in the console.
echo 'return lesson { id = "near", title = "Near", page { ask { number = "a", answer = 1, hint = { "look well", "at b" } } } }' >"$tmp/near.lua"
printf '%s\n' '2 i' ':screen' '2 : h i n t Enter' ':screen' 'a n s w e r space f Enter' ':screen' >"$tmp/keys"
screens=$(XDG_STATE_HOME=$tmp/near "$TOKSTEP" lesson "$tmp/near.lua" --script "$tmp/keys")
contains "the title says the whole of an id without a number" "$screens" "lesson near is open: L"
contains "i beside the strip" "$(sed -n 1,24p <<<"$screens")" "hint: look well"
contains "hint in the console" "$(sed -n 25,48p <<<"$screens")" $'at b'
contains "and a wrong answer" "$(sed -n 49,72p <<<"$screens")" "f: a whole number is wanted"

# The end of a lesson: a score, kept for the list, and Enter takes the next one.
cat >"$tmp/one.lua" <<'E2'
return lesson { id = "one", title = "One", page {
  ask { number = "a", answer = 1 }, ask { number = "b", answer = 2, hint = { "2" } }, ask { number = "c", answer = 3 } } }
E2
printf '%s\n' ':answer 1' ':answer 5' ':hint' ':answer 2' ':solve' 'Enter Enter' ':screen' >"$tmp/keys"
contains "a score at the end" "$(XDG_STATE_HOME=$tmp/end "$TOKSTEP" lesson "$tmp/one.lua" --script "$tmp/keys" --size 120x24)" \
    "Your score: 2 of 3 (67 %), 1 of them at the first try, 1 hint."
contains "kept with the progress" "$(cat "$tmp/end/tokstep/lessons/one")" $'finished\nscore 67\n'
{
    for _ in {1..40}; do echo ':solve'; done
    printf '%s\n' ':screen' 'Enter' ':screen'
} >"$tmp/keys"
screens=$(XDG_STATE_HOME=$tmp/end "$TOKSTEP" lesson 02 --script "$tmp/keys")
contains "the key that opens the next" "$screens" "Enter next lesson: 03-wavefront"
contains "and it does" "$(tail -23 <<<"$screens")" "lesson: MAC and wavefront, page 1 of 8"
contains "the list says the score" "$(XDG_STATE_HOME=$tmp/end "$TOKSTEP" lesson)" "done, 0 %"
# A lesson that has been changed: pages that are others now are not done, those that have moved are.
pages() { # TEXT...: a lesson with a page each, whose answer is its length
    echo 'return lesson { id = "changed", title = "Changed",'
    printf '  page {\n    ask { number = "%s", answer = function() return #"%s" end } },\n' $(printf '%s %s ' "${@/%/}" | tr ' ' '\n' | sed p)
    echo '}'
}
own() { # KEYS: what the screen says behind them
    printf '%s\n' "$@" ':screen' | XDG_STATE_HOME=$tmp/changed "$TOKSTEP" lesson "$tmp/changed.lua" --script - --size 100x30
}
pages a bb ccc dddd >"$tmp/changed.lua"
contains "four pages" "$(own ':answer 1' Enter ':answer 2' Enter ':answer 3' Enter ':answer 4' Enter)" "4 of 4 (100 %)"
contains "finished" "$(tail -n +1 "$tmp/changed/tokstep/lessons/changed" | tr '\n' ' ')" "finished score 100"
pages new a bb ccc dddd >"$tmp/changed.lua"
screen=$(own)
contains "a new one before them: there it goes on" "$screen" "page 1 of 5"
contains "and wants its answer" "$(own ':answer 3' Enter)" "= 1"
contains "the others are done, a page further on" "$(grep '^5.1' "$tmp/changed/tokstep/lessons/changed" | tail -1)" "5.1 answer 4"
pages new a bx ccc dddd >"$tmp/changed.lua"
screen=$(own Enter)
contains "one that is another now" "$screen" "page 3 of 5"
equals "is not done" "$(grep -c ' = ' <<<"$screen")$(grep -c '^3.1 answer' "$tmp/changed/tokstep/lessons/changed")" 00
own ':answer 2' >/dev/null
contains "and is done again" "$(grep '^3.1' "$tmp/changed/tokstep/lessons/changed" | tail -1)" "3.1 answer 2"
sed -i 's/^    ask/  ask/; 1s/^/-- of mine\n/' "$tmp/changed.lua"
contains "indents and what is above are no change" "$(own)" "= 2"
mkdir -p "$tmp/all/tokstep/lessons"
for lesson in lessons/*.lua; do echo 'page 99' >"$tmp/all/tokstep/lessons/$(basename "$lesson" .lua)"; done
list=$(XDG_STATE_HOME=$tmp/all "$TOKSTEP" lesson)
contains "the list with pages" "$list" "page 8 of 8"
[ "$(wc -L <<<"$list")" -le 79 ]
result $? "fits 79 columns" "$list"
for page in -5 99999999999999999999; do
    printf 'page %s of 9\n' $page >"$tmp/state/tokstep/lessons/01-token"
    result "$([[ $("$TOKSTEP" lesson 2>&1) =~ 'page -'|'page 9' ]]; echo $((! $?)))" "progress that is none: page $page"
done
rm "$tmp/state/tokstep/lessons/01-token"
printf '1 0\n1 IDLE\n2 LN1_START\n2 while true do end\n2 goto 5\n3 1\n3 1\n' >"$tmp/answers"
graded=$("$TOKSTEP" lesson 00 --answers "$tmp/answers" --cpu 1 --pass 12)
equals "grade: passed, with an answer that never ends" "$?" 0
contains "its line is told, the others are graded" "$graded" "1 ok
2 wrong $tmp/answers:4: while true do end: stopped: it ran for more than 0.1 s
3 ok"
printf '1 0\n1 IDLE\n2 LN1_START\n2 goto 5 print("9 ok")\n2 print("9 ok")\n' >"$tmp/answers"
equals "grade: what a pupil prints is not part of it" \
    "$("$TOKSTEP" lesson 00 --answers "$tmp/answers" | grep -c '^9 ok')" 0
printf 'x 1\n' >"$tmp/answers"
refused "grade: the file is named" "$tmp/answers: line 1: must be PAGE ANSWER" \
    "$TOKSTEP" lesson 00 --answers "$tmp/answers"
printf '%s\n' ':lesson 02' ':screen' >"$tmp/keys"
contains "beside the view it talks about" "$("$TOKSTEP" --script "$tmp/keys" --size 160x40 | head -3)" "formats"
printf '%s\n' ':lesson 09' ':screen' '8 R' ':screen' >"$tmp/keys"
screens=$("$TOKSTEP" --script "$tmp/keys")
contains "the lesson comes before the file that it opens" "$(head -2 <<<"$screens")" "lesson: A t2 tile"
contains "the file that a page speaks of" "$screens" "tile.t2  t2 32x256"
contains "R finds what is to be found" "$screens" "row 19 column 77"
# A pupil who pokes, sets breakpoints, changes parameters and goes elsewhere between any two steps is
# told the same answers. (Lesson 00 asks where the machine stands.)
solved() { # LESSON COMMAND...: what is shown as solved, after each step
    local id=$1 state=$tmp/noise
    shift
    rm -rf "$state" && mkdir -p "$state/tokstep/lessons"
    printf 'seed 77\npage 1\n' >"$state/tokstep/lessons/$id"
    for _ in {1..31}; do printf ':%s\n' solve screen "$@"; done |
        XDG_STATE_HOME=$state "$TOKSTEP" lesson "$id" --size 100x70 --script - 2>&1 | grep -E '^(│ = |╭.*lesson: |tokstep: )'
}
for lesson in lessons/{01,02,03,04,05,06,07,08,09,10,11}-*.lua; do
    id=$(basename "$lesson" .lua)
    # It does not move before a bet: there the console's Lua is refused, and goes on.
    equals "$id: a restless pupil" "$(solved "$id" 'set token_emb[0] 0x1234' 'pcall(m.cmd, m, "config mask=-3.0")' \
        'break top.state == LN1_WAIT or top.state == FFN_WAIT' 'pcall(m.cmd, m, "goto 77")')" "$(solved "$id")"
done
echo 'return lesson { id = "long", title = "Long", page { say = ("word "):rep(600) .. "the very end" } }' >"$tmp/long.lua"
printf '%s\n' 'PgDn PgDn PgDn PgDn' ':screen' >"$tmp/keys"
contains "a long paragraph is not cut off" "$("$TOKSTEP" lesson "$tmp/long.lua" --script "$tmp/keys")" "the very end"
printf ':%s\n' '1 + 1' 'x = m.cycle + 5' 'print(x)' 'screen.show("softmax")' screen >"$tmp/keys"
screens=$("$TOKSTEP" --script "$tmp/keys")
contains "what is no command is Lua" "$screens" $'2\n5\n'
contains "a wish is granted" "$screens" "softmax"
printf ':stpe\n' >"$tmp/keys"
refused "a command misspelt" "line 1: stpe: no such command" "$TOKSTEP" --script "$tmp/keys"
equals "console: Lua" "$(printf 'step 3\nm.cycle * 2\n' | "$TOKSTEP" console)" 6
finish
