# A VCD file as samples: before every falling edge of the clock, a line "CYCLE NAME BITS" for each
# variable that has changed (the first time: for each). Names are below the top instance.
#   awk -v top=DEPTH [-v names=1] [-v common=FILE] -f vcd_samples.awk FILE.vcd
# top: scopes above; names: print the names only; common: only the names listed there.
# A clock that is low at first has cycle 1 after its first edge, one that is high stands in cycle 0.
BEGIN {
    while (common != "" && (getline line < common) > 0) wanted[line] = 1
    cycle = 0
}
!header && $1 == "$scope" { scope[++depth] = $3 }
!header && $1 == "$upscope" { depth-- }
!header && $1 == "$var" {
    name = ""
    for (i = top + 1; i <= depth; i++) name = name scope[i] "."
    name = name $5
    if (names) print name
    if (name == "clk") clock = $4
    if (common == "" || name in wanted) paths[$4] = paths[$4] " " name
}
$1 == "$enddefinitions" { header = 1; if (names) exit; next }
!header { next }
/^#/ { time = $1; next }
/^b/ { id = $2; bits = substr($1, 2); sub(/^0+/, "", bits); set(id, bits == "" ? "0" : bits); next }
/^[01xz]/ {
    id = substr($1, 2)
    if (id == clock && substr($1, 1, 1) == "1" && begun) cycle++
    if (id == clock && substr($1, 1, 1) == "0" && begun && cycle > 0) flush_changes()
    set(id, substr($1, 1, 1))
    if (id == clock) begun = 1
}
function set(id, bits) {
    if (id != clock && value[id] != bits) { value[id] = bits; changed[id] = 1 }
}
function flush_changes(   id, list, n, i) {
    for (id in changed) {
        n = split(paths[id], list, " ")
        for (i = 1; i <= n; i++) print cycle, list[i], value[id]
    }
    delete changed
}
