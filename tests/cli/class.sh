#!/usr/bin/env bash
# A class: hand-ins, their grading, lessons on paper, numbers of one's own.
. tests/tap.sh
export XDG_STATE_HOME=$tmp/state

# answers_of FILE SEED: what a printed lesson with solutions says, as --answers takes it
answers_of() {
    echo "seed $2"
    awk '/^\*\*(Question|Task) / { split($2, at, "."); page = at[1] }
        /^Answer: \*\*/ { sub(/^Answer: \*\*/, ""); sub(/\*\*$/, ""); gsub(/\\/, ""); print page " " $0 }
        /^Solution: / { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print page " " substr(part[i], 2) }' "$1"
}

for lesson in lessons/*.lua; do
    id=$(basename "$lesson" .lua)
    "$TOKSTEP" lesson "$id" --print --seed 41 --solutions >"$tmp/paper" 2>"$tmp/err"
    answers_of "$tmp/paper" 41 >"$tmp/answers"
    "$TOKSTEP" lesson "$id" --answers "$tmp/answers" --hand-in "$tmp/$id.txt" --name "pupil $id" >"$tmp/out" 2>>"$tmp/err"
    equals "$id: the printed solutions are right" "$(tail -1 "$tmp/out")$(cat "$tmp/err")" "score 100 %"
done
table=$("$TOKSTEP" lesson --grade "$tmp"/??-*.txt)
equals "grade: the table" "$?" 0
equals "a row each, all of them right" "$(grep -c ' 41  100 % ' <<<"$table")" "$(ls lessons/*.lua | wc -l)"
contains "names and signs" "$table" "pupil 02-q88 "
"$TOKSTEP" lesson 02 --print --seed 41 >"$tmp/plain"
equals "on paper without solutions there are none" "$(grep -cE '^(Answer: \*\*|Solution: )' "$tmp/plain")" 0
equals "every question has its line" "$(grep -cE '^(Answer|Done): _+$' "$tmp/plain")" \
    "$(grep -cE '^\*\*(Question|Task) ' "$tmp/plain")"
[ "$("$TOKSTEP" lesson 02 --print --seed 42)" != "$(sed 's/seed 41/seed 42/' "$tmp/plain")" ]
result $? "another seed has other numbers"

# A pupil in the explorer: wrong answers, hints, a task done by hand, then on another day the rest.
cat >"$tmp/keys" <<'E2'
Enter 9 Enter
Enter 0 Enter Esc
i
:answer 1
Enter
:answer LN1_START
1 space space space space L Enter
E2
"$TOKSTEP" lesson 00 --seed 77 --hand-in "$tmp/ada.txt" --name 'Ada, "L"' --script "$tmp/keys" >/dev/null
result $? "taken with --hand-in"
hand_in=$(cat "$tmp/ada.txt")
contains "its head" "$hand_in" $'tokstep hand-in 1\nname Ada, "L"\ndate 2'
contains "lesson and seed" "$hand_in" $'lesson 00-keys\nseed 77\nseconds '
contains "tries and what was wrong" "$hand_in" $'1.1 tries 2 hints 0 seconds 0\n1.1 wrong 9\n1.1 answer 0\n1.2 tries 1 hints 1'
contains "how a task was done" "$hand_in" $'2.2 did goto 5\n2.2 done'
printf ':%s\n' solve solve >"$tmp/keys"
"$TOKSTEP" lesson 00 --seed 77 --hand-in "$tmp/ada.txt" --name 'Ada, "L"' --script "$tmp/keys" >/dev/null
contains "it goes on where it was left" "$(cat "$tmp/ada.txt")" $'2.2 done\n3.1 tries 0 hints 0 seconds 0\n3.1 shown\n'
contains "what was shown does not count" "$("$TOKSTEP" lesson --grade "$tmp/ada.txt")" " 17 %"
contains "the legend names the key that there is" "$("$TOKSTEP" lesson --grade "$tmp/ada.txt")" "s shown (key $(sed -n 's/.*{"\(.\)", SENSE_OWN, NULL, "give up: show the answer".*/\1/p' src/tui/view/view_lesson.c))"
contains "sign by sign" "$("$TOKSTEP" lesson --grade "$tmp/ada.txt")" "++ ++ s. .."
"$TOKSTEP" lesson 00 --seed 78 --hand-in "$tmp/bob.txt" --name Bob --script /dev/null
equals "another seed begins again" "$(grep -c answer "$tmp/bob.txt")" 0

# What the file holds is kept: it is gone on from, or left as it is.
kept() { # NAME PART FILE OPTION...: refused with PART, the file as it was
    local name=$1 part=$2 file=$3 before
    shift 3
    before=$(cat "$file")
    refused "$name" "$part" "$TOKSTEP" lesson 00 --hand-in "$file" "$@"
    equals "$name: the file stays" "$(cat "$file")" "$before"
}
echo 'dear diary' >"$tmp/diary.txt"
kept "a file that is no hand-in" "diary.txt: is no hand-in" "$tmp/diary.txt" --name Bob --script /dev/null
kept "no hand-in, --answers" "diary.txt: is no hand-in" "$tmp/diary.txt" --name Bob --answers /dev/null
kept "another pupil's" 'ada.txt: is the hand-in of Ada, "L", not of Bob' "$tmp/ada.txt" --name Bob --script /dev/null
kept "of another seed" "ada.txt: is a hand-in with seed 77, not with 78" "$tmp/ada.txt" --name 'Ada, "L"' --seed 78 --script /dev/null
kept "of another lesson" "02-q88.txt: is a hand-in of lesson 02-q88, not of 00-keys" "$tmp/02-q88.txt" --name x --script /dev/null
printf 'seed 77\n1 0\n' >"$tmp/answers"
kept "answers that would lose some" "holds an answer to 1.2, which would be lost" "$tmp/ada.txt" --name 'Ada, "L"' --answers "$tmp/answers"
sed 's/^1.1 answer 0/1.1 answer 5/' "$tmp/ada.txt" >"$tmp/eve.txt"
kept "a changed one" "eve.txt: was changed" "$tmp/eve.txt" --name 'Ada, "L"' --script /dev/null
sed '/^sum/d; s/^1.1 answer/99.1 answer/' "$tmp/ada.txt" >"$tmp/eve.txt"
printf 'sum %s\n' "$(python3 -c 'import sys
s = 0xcbf29ce484222325
for b in open(sys.argv[1], "rb").read(): s = (s ^ b) * 0x100000001b3 & (1 << 64) - 1
print("%016x" % s)' "$tmp/eve.txt")" >>"$tmp/eve.txt"
kept "of another state of the lesson" "there is no question 99.1; it is left" "$tmp/eve.txt" --name 'Ada, "L"' --script /dev/null
before=$(grep -v '^date\|^sum' "$tmp/ada.txt")
"$TOKSTEP" lesson 00 --seed 77 --hand-in "$tmp/ada.txt" --name 'Ada, "L"' --script /dev/null
equals "Bob on the same account has taken nothing from her" "$(grep -v '^date\|^sum' "$tmp/ada.txt")" "$before"
contains "nor she from him" "$(cat "$XDG_STATE_HOME/tokstep/lessons/00-keys.78")" "seed 78"
printf '%s\n' ':screen' >"$tmp/keys"
for how in "--seed 77" ""; do
    sed 's/$/\r/' "$tmp/ada.txt" >"$tmp/moved.txt" # as a mail program may leave it
    rm -rf "$tmp/away"
    screen=$(XDG_STATE_HOME=$tmp/away "$TOKSTEP" lesson 00 $how --hand-in "$tmp/moved.txt" --name 'Ada, "L"' --script "$tmp/keys")
    contains "another account goes on from the file ($how)" "$screen" "page 3 of 12"
    equals "and loses nothing ($how)" "$(grep -v '^date\|^sum' "$tmp/moved.txt")" "$before"
done
printf '%s\n' ':page -1' ':screen' ':page +1' ':answer 1' >"$tmp/keys"
screen=$(XDG_STATE_HOME=$tmp/away "$TOKSTEP" lesson 00 --hand-in "$tmp/moved.txt" --name 'Ada, "L"' --script "$tmp/keys")
contains "what was done there is shown as done" "$screen" "= LN1_START"
contains "the file goes on" "$(cat "$tmp/moved.txt")" $'3.1 shown\n3.2 tries 1'
"$TOKSTEP" lesson 00 --seed 77 --hand-in "$tmp/moved.txt" --name 'Ada, "L"' --script /dev/null
contains "back where it was begun: what came meanwhile is there" "$(cat "$tmp/moved.txt")" $'3.1 shown\n3.2 tries 1'

# What the question says is no answer to it.
printf 'seed 1\n1 0.5898\n2 0.5898\n2 -0.5039\n4 0.0001\n4 7fff\n4 200.0\n' >"$tmp/answers"
graded=$("$TOKSTEP" lesson 02 --answers "$tmp/answers")
contains "a value is not its word" "$graded" "0.5898: a raw word in hex is wanted"
for echo in -0.5039 0.0001 200.0; do
    contains "nor is $echo" "$graded" "$echo: a raw word in hex is wanted"
done
contains "nor a word its value" "$graded" "7fff: a number is wanted"
printf '2 -128.0\n' >"$tmp/answers"
contains "the mask is asked for as a word" "$("$TOKSTEP" lesson 06 --answers "$tmp/answers")" "-128.0: a raw word in hex is wanted"

# Judged again, not believed.
sed 's/^1.1 answer 0/1.1 answer 5/; /^sum/d' "$tmp/ada.txt" >"$tmp/eve.txt"
"$TOKSTEP" lesson --grade "$tmp/eve.txt" >"$tmp/out" 2>"$tmp/err"
equals "a changed file: exit 1" "$?" 1
contains "it is told" "$(cat "$tmp/err")" "tokstep: $tmp/eve.txt: was changed after tokstep had written it"
contains "its answer is judged" "$(cat "$tmp/out")" "-+ ++ s."
contains "and marked in the row" "$(cat "$tmp/out")" "changed"
sed 's/^2.2 did goto 5/2.2 did goto 6/' "$tmp/ada.txt" >"$tmp/eve.txt"
contains "a task is done again" "$("$TOKSTEP" lesson --grade "$tmp/eve.txt" 2>/dev/null)" "++ +- s."
sed 's/^2.2 did goto 5/2.2 did while true do end/' "$tmp/ada.txt" >"$tmp/eve.txt"
contains "a task that never ends costs itself" "$("$TOKSTEP" lesson --grade --cpu 1 "$tmp/eve.txt" 2>/dev/null)" "++ +- s."
sed 's/^seed 41/seed 43/' "$tmp/03-wavefront.txt" >"$tmp/copy.txt"
[[ $("$TOKSTEP" lesson --grade "$tmp/copy.txt" 2>/dev/null) == *"-"* ]]
result $? "a neighbour's answers are wrong with other numbers"

# A bad line costs its question, a foreign file its row.
sed 's/^1.2 answer/1.2 answr/; s/^2.1 tries.*/what is this/' "$tmp/ada.txt" >"$tmp/bad.txt"
echo "dear teacher" >"$tmp/foreign.txt"
table=$("$TOKSTEP" lesson --grade "$tmp/bad.txt" "$tmp/foreign.txt" "$tmp/none.txt" "$tmp/bob.txt" 2>"$tmp/err")
equals "files that are none: exit 2" "$?" 2
contains "file and line of a bad line" "$(cat "$tmp/err")" "$tmp/bad.txt: line $(grep -n answr "$tmp/bad.txt" | cut -d: -f1): 1.2: must be"
contains "and of one that is of no question" "$(cat "$tmp/err")" ": must be PAGE.QUESTION and"
contains "a foreign file" "$(cat "$tmp/err")" "foreign.txt: is no hand-in"
contains "no file" "$(cat "$tmp/err")" "none.txt: No such file"
contains "the pupil keeps the row" "$table" "+- ++ s."
contains "and so do the others" "$table" $'\nBob '
printf 'tokstep hand-in 1\nname X\nlesson nosuch\nseed 1\n' >"$tmp/other.txt"
refused "of a lesson that there is not" "nosuch: there is no such lesson" "$TOKSTEP" lesson --grade "$tmp/other.txt"
contains "and how one's own is graded" "$("$TOKSTEP" lesson --grade "$tmp/other.txt" 2>&1)" "tokstep lesson MINE.lua --grade FILE..."
refused "of another lesson" "is of lesson 00-keys, not of 02-q88" "$TOKSTEP" lesson 02 --grade "$tmp/bob.txt"
sed 's/$/  /' "$tmp/bob.txt" >"$tmp/blanks.txt"
equals "blanks at the ends of lines are no change" "$("$TOKSTEP" lesson --grade "$tmp/blanks.txt" 2>&1 | grep -c changed)" 0
sed 's/^1.1 answer 0/1.1 answer 0\n1.1 answer 1/' "$tmp/ada.txt" >"$tmp/other.txt"
contains "a second answer" "$("$TOKSTEP" lesson --grade "$tmp/other.txt" 2>&1)" ": 1.1: has a second answer"
cat "$tmp/ada.txt" "$tmp/bob.txt" >"$tmp/other.txt"
"$TOKSTEP" lesson --grade "$tmp/other.txt" >"$tmp/out" 2>"$tmp/err"
contains "two in one file" "$(cat "$tmp/err")" "line $(($(wc -l <"$tmp/ada.txt") + 1)): another hand-in begins here"
contains "the first one counts" "$(cat "$tmp/out")" "++ ++ s."
printf 'tokstep hand-in 2\n' >"$tmp/other.txt"
refused "of another version" "another version" "$TOKSTEP" lesson --grade "$tmp/other.txt"
printf 'tokstep hand-in 1\nname \033[31mred\nlesson 00-keys\nseed x\n99.1 answer 3\n' >"$tmp/other.txt"
"$TOKSTEP" lesson --grade "$tmp/other.txt" >"$tmp/out" 2>"$tmp/err"
equals "no escape reaches the terminal" "$(grep -c $'\033' "$tmp/out")$(grep -c $'\033' "$tmp/err")" 00
contains "a bad seed" "$(cat "$tmp/err")" "line 4: seed x: must be 0..4294967295"
contains "a question that there is not" "$(cat "$tmp/err")" "line 5: there is no question 99.1"

csv=$("$TOKSTEP" lesson --grade --csv "$tmp/ada.txt" "$tmp/bob.txt")
contains "CSV: the head" "$csv" "name,lesson,seed,date,score,hints,seconds,changed,1.1,1.2,2.1,"
equals "CSV: the file, last" "$(sed 's/.*,//' <<<"$csv" | tr '\n' ' ')" "file $tmp/ada.txt $tmp/bob.txt "
contains "the file in the table" "$("$TOKSTEP" lesson --grade "$tmp/ada.txt")" "  $tmp/ada.txt"
refused "an option of the explorer's" "--set: is for taking a lesson: not with --print" "$TOKSTEP" lesson 02 --print --set d_model=32
refused "a slip of one" "--sed: no such option; did you mean --seed" "$TOKSTEP" lesson 02 --print --sed 7
contains "CSV: a row" "$csv" '"Ada, ""L""",00-keys,77,2'
contains "CSV: results" "$csv" ",no,right,right,right,right,shown,none,"
sed 's/^name .*/name =1+1,"x"/' "$tmp/ada.txt" >"$tmp/formula.txt"
contains "CSV: no formulas, quotes doubled" "$("$TOKSTEP" lesson --grade --csv "$tmp/formula.txt" 2>/dev/null)" $'\n"\'=1+1,""x""",00-keys'
contains "JSON" "$("$TOKSTEP" lesson --grade --json "$tmp/ada.txt" | tr -d '\n ')" '"name":"Ada,\"L\"","seed":77,'
"$TOKSTEP" lesson --grade --pass 20 "$tmp/ada.txt" >/dev/null
equals "--pass" "$?" 1

# A lesson of the teacher's own.
cat >"$tmp/mine.lua" <<'E2'
return lesson { id = "mine", title = "Mine", page {
  init = function(_, v) v.a = v.random(2, 999) end,
  ask { number = function(_, v) return "twice " .. v.a end, answer = function(_, v) return 2 * v.a end },
  task = "Go to cycle 9.", check = function(m) return m.cycle == 9, "cycle " .. m.cycle end, auto = "goto 9" } }
E2
for seed in 1 2 3; do
    "$TOKSTEP" lesson "$tmp/mine.lua" --print --seed $seed --solutions >"$tmp/paper"
    answers_of "$tmp/paper" $seed >"$tmp/answers"
    "$TOKSTEP" lesson "$tmp/mine.lua" --answers "$tmp/answers" --hand-in "$tmp/p$seed.txt" --name "P$seed" >/dev/null
done
equals "one's own lesson: three pupils, all right" \
    "$("$TOKSTEP" lesson "$tmp/mine.lua" --grade "$tmp"/p?.txt | grep -c '100 %')" 3

echo 'return lesson { id = "marks", title = "M", page { say = "see [a](b), $x$ and `K[0]`" } }' >"$tmp/marks.lua"
contains "no links, no formulas on paper" "$("$TOKSTEP" lesson "$tmp/marks.lua" --print)" 'see \[a\](b), \$x\$ and `K[0]`'
refused "no hand-ins" "--grade: needs the hand-ins" "$TOKSTEP" lesson --grade
refused "two jobs" "one of --check, --answers, --grade and --print" "$TOKSTEP" lesson 02 --print --check
refused "--csv alone" "--csv: needs --grade" "$TOKSTEP" lesson --csv
refused "--solutions alone" "--solutions: needs --print" "$TOKSTEP" lesson 02 --solutions
refused "a seed too large" "--seed 99999999999: must be 0..4294967295" "$TOKSTEP" lesson 02 --seed 99999999999
refused "a seed that is none" "--seed -1: must be" "$TOKSTEP" lesson 02 --print --seed -1
refused "--name alone" "--name: needs --hand-in" "$TOKSTEP" lesson 02 --name X --script /dev/null
refused "a hand-in that cannot be written" "cannot write" "$TOKSTEP" lesson 02 --hand-in "$tmp/no/where" --script /dev/null
refused "printing what is no lesson" "there is no such lesson" "$TOKSTEP" lesson nothing --print
finish
