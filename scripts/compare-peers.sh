#!/usr/bin/env bash
# Compares fairdeal with Debian's `dealer` (Hans van Staveren, Henk Uijterwaal) and `deal` (Thomas
# Andrews) on the same task, on one core: the frequencies of HCP and of suit lengths at every seat.
# Prints processor time per deal of whole commands, and the ratios. Writes the output to
# reports/compare-peers.txt.
#
# fairdeal fills all its tables (also patterns, fits and cards), computes theory and writes the
# report; the others count and print only these frequencies.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/games
if ! command -v dealer >/dev/null || ! command -v deal >/dev/null; then
    echo "installing Debian's packages dealer and deal" >&2
    apt-get install -y -qq dealer deal >/dev/null
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
cargo build --release --locked --quiet

# cpu COMMAND..: prints its processor seconds, user and system.
cpu() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err"; } 2>"$work/time"
    awk '{ print $1 + $2 }' "$work/time"
}

seats="north east south west"
suits="spades hearts diamonds clubs"

# dealer_input CONDITION_FILE PRODUCE: prints a script with the tables in dealer's language.
dealer_input() {
    echo "generate 2000000000 produce $2"
    cat "$1"
    local tables=()
    for seat in $seats; do
        tables+=("frequency \"$seat hcp\" (hcp($seat), 0, 37)")
        for suit in $suits; do
            tables+=("frequency \"$seat $suit\" ($suit($seat), 0, 13)")
        done
    done
    local IFS=,
    printf '\naction %s\n' "${tables[*]}"
}

# deal_input TCL_CONDITION: prints a Tcl script for deal, with tables in an array.
deal_input() {
    cat <<TCL
main {
    reject unless {$1}
    foreach seat {$seats} {
        incr F(\$seat,hcp,[hcp \$seat])
        foreach suit {$suits} { incr F(\$seat,\$suit,[\$suit \$seat]) }
    }
    accept
}
proc write_deal {} {}
TCL
}

row() { # row PROGRAM DEALS SECONDS BASE_NS
    awk -v program="$1" -v deals="$2" -v seconds="$3" -v base="$4" 'BEGIN {
        ns = seconds * 1e9 / deals
        printf "  %-9s %11d deals %8.2f s %14.1f ns per deal", program, deals, seconds, ns
        if (base) printf "   fairdeal is %.0f times as fast", ns / base
        print ""
    }'
}

# compare SCENARIO FAIRDEAL_DEALS DEALER_DEALS [DEAL_DEALS TCL_CONDITION]
compare() {
    echo "$1"
    local run=("${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}" run "$1" --threads 1 --seed 1 --quiet --force --out "$work/run")
    local seconds base
    seconds=$(cpu "${run[@]}" --deals "$2")
    row fairdeal "$2" "$seconds" ""
    base=$(awk -v s="$seconds" -v n="$2" 'BEGIN { print s * 1e9 / n }')
    dealer_input "fixtures/scenarios/$1.dl" "$3" >"$work/input.dl"
    seconds=$(cpu dealer -s 1 "$work/input.dl")
    grep -q "Produced $3 hands" "$work/out" || { cat "$work/err" "$work/out"; exit 1; }
    row dealer "$3" "$seconds" "$base"
    if [ $# -gt 3 ]; then
        deal_input "$5" >"$work/input.tcl"
        seconds=$(cpu deal -i "$work/input.tcl" "$4")
        row deal "$4" "$seconds" "$base"
    fi
}

{
    echo "# scripts/compare-peers.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'), dealer $(dpkg-query -W -f '${Version}' dealer), deal $(dpkg-query -W -f '${Version}' deal)"
    echo "# on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(uname -sr); processor time on one core"
    compare unconstrained 536870912 4000000 100000 1
    compare flannery-misfit 67108864 20000 200 \
        '[spades south]==4 && [hearts south]==5 && [hcp south]>=11 && [hcp south]<=15 && [spades north]<=3 && [hearts north]<=2'
    compare flat-three-suiter 67108864 4000
    compare balanced-28-30 67108864 100
    echo "nine-spades: one deal in $(awk 'BEGIN { printf "%.1f", 5.3644737765488794e28 / (556991252532000 * 10400600) / 1e6 }') million satisfies it: dealer would need ten seconds for each"
} | tee reports/compare-peers.txt
