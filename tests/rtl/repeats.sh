#!/usr/bin/env bash
# What stands twice in rtl/: pairs of places that share a run of six or more equal lines, however they
# are indented. Blank lines, comments, and lines that only open or close something (`end`, `) (`) do not
# count. The ceiling only falls: who shares code lowers it, who copies does not raise it.
set -u
. tests/tap.sh
ceiling=28

# LENGTH FILE:LINE FILE:LINE of every such pair, the longest first.
repeats() { # FILES
    awk '
    FNR == 1 { from = n + 1 }
    {
        sub(/^[ \t]+/, ""); sub(/[ \t]+$/, "")
        if ($0 ~ /^\/\// || $0 ~ /^((begin|end|endcase|endfunction|endmodule)[^a-z]*|[^A-Za-z0-9_]*)$/) next
        line[++n] = $0; file[n] = FILENAME; at[n] = FNR; begins[n] = n == from
    }
    function alike(a, b) { return line[a] == line[b] && file[a] == first && file[b] == second }
    END {
        for (i = 1; i + 5 <= n; i++) {
            if (file[i + 5] != file[i]) continue
            key = line[i]
            for (k = 1; k < 6; k++) key = key "\n" line[i + k]
            places = split(seen[key], earlier, " ")
            for (p = 1; p <= places; p++) {
                j = earlier[p]; first = file[j]; second = file[i]
                if (!begins[j] && !begins[i] && line[j - 1] == line[i - 1]) continue # inside a run
                for (length_ = 6; alike(j + length_, i + length_); length_++);
                print length_, first ":" at[j], second ":" at[i]
            }
            seen[key] = seen[key] " " i
        }
    }' "$@" | sort -rn
}

# the count itself
printf 'assign %s = 1;\n' a b c d e f g >"$tmp/one.sv"
{ echo 'module two;'; sed 's/^/  /; 3s/$/\n\n  \/\/ between\n  end/' "$tmp/one.sv"; } >"$tmp/two.sv"
head -5 "$tmp/one.sv" >"$tmp/five.sv"
equals "indentation, comments and closing lines make no difference" \
    "$(cd "$tmp" && repeats one.sv two.sv)" "7 one.sv:1 two.sv:2"
equals "five lines are no repeat" "$(repeats "$tmp/one.sv" "$tmp/five.sv")" ""
equals "a file may repeat itself" "$(cat "$tmp/one.sv" "$tmp/one.sv" >"$tmp/twice.sv" && cd "$tmp" && repeats twice.sv)" \
    "7 twice.sv:1 twice.sv:8"

found=$(repeats rtl/*.sv)
count=$(grep -c . <<<"$found")
[ "$count" -le "$ceiling" ]
result $? "no more than $ceiling pairs of places in rtl/ repeat each other" "there are $count:
$found"
[ "$count" -ge "$ceiling" ]
result $? "the ceiling is today's count" "lower it in $0 from $ceiling to $count"
finish
