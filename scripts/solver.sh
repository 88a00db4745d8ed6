#!/usr/bin/env bash
# Compares double-dummy tricks with other results. SAVE=1 keeps the output in reports/.
#
#   scripts/solver.sh peers [DEALS]
#       Solves the same DEALS (300) with pons-dds, which is ours, and with two solvers in C++ that take
#       g++ and libclang to build: ddss and dds-bridge (solver/peers/). Fails if any tricks differ, or
#       those that fairdeal writes. Prints the processor time of a build and of the deals, in three
#       alternating rounds, on one thread and on two, and of runs that ask for 1 to 20 numbers. Takes
#       half an hour on two cores.
#   scripts/solver.sh published [DEALS] [AGAIN]
#       Compares with GIB's 100,000 solved deals, which the source of DDS 2.9 contains; it is
#       downloaded from Debian, or read from GIB_LIST (sol100000.txt). Audits those deals, compares
#       their mean tricks as counted by fairdeal and by Python, solves the first AGAIN (1,000) once
#       more, and solves DEALS (10,000) unconstrained deals. Fails if any trick of a deal solved again
#       differs, or if one of the 20 means differs by more than 5 standard errors. Takes 20 minutes.
#   scripts/solver.sh leads [DEALS]
#       Fills one table of leads with the Python package and with endplay from PyPI, on the same DEALS
#       (1,000). Fails unless the mean tricks of every card are equal, and prints the seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

# Tables of the records of a .zrd file, as the peer prints them.
tables() {
    python3 - "$1" <<'READ'
import sys
data = open(sys.argv[1], "rb").read()
for start in range(0, len(data), 23):
    digits = [digit for byte in data[start + 13:start + 23] for digit in (byte & 15, byte >> 4)]
    # From west, north, east and south to north, east, south and west.
    print("".join("%x" % digits[strain + seat] for strain in range(0, 20, 4) for seat in (1, 2, 3, 0)))
READ
}
# Writes the processor time of a command in seconds to a file.
timed() { command time -f %U -o "$work/seconds" "$@"; }
# Solves both halves of the deals at the same time: in_halves PROGRAM all|one.
in_halves() {
    "$1" "$2" <"$work/half-0" >"$work/out-0" &
    "$1" "$2" <"$work/half-1" >"$work/out-1" && wait $! && cat "$work/out-0" "$work/out-1"
}
export work
export -f in_halves

peers() {
    local deals=${1:-300} round solver many asked declarers strains place terms list options
    local solvers=(pons-dds ddss dds-bridge)
    {
        echo "seconds of processor time to build a program with each solver alone"
        for solver in "${solvers[@]}"; do
            timed cargo build --release --quiet --manifest-path scripts/solver/peers/Cargo.toml \
                --target-dir "$work/$solver" --features "$solver"
            printf '%-12s%s\n' "$solver" "$(cat "$work/seconds")"
        done
        rm -f scripts/solver/peers/Cargo.lock

        "$fairdeal" deal unconstrained -n "$deals" --seed 1 >"$work/deals.txt"
        "$fairdeal" deal unconstrained -n "$deals" --seed 1 --solve --format zrd --quiet >"$work/ours.zrd"
        tables "$work/ours.zrd" >"$work/all.txt"
        split -n l/2 -d -a 1 "$work/deals.txt" "$work/half-"
        for round in 1 2 3; do
            for solver in "${solvers[@]}"; do
                for many in all one; do
                    timed "$work/$solver/release/peers" $many <"$work/deals.txt" >"$work/$solver.$many"
                    cat "$work/seconds" >>"$work/$solver.$many.s"
                    timed bash -c 'in_halves "$@"' halves "$work/$solver/release/peers" $many >"$work/halves"
                    cat "$work/seconds" >>"$work/$solver.$many.two.s"
                    cmp "$work/$solver.$many" "$work/halves"
                done
                cmp "$work/$solver.all" "$work/all.txt"
                cmp "$work/$solver.one" "$work/pons-dds.one"
            done
        done
        echo
        echo "$deals deals, each with 20 numbers and with one: the tricks of the three solvers are the same"
        echo "milliseconds of processor time a deal, medians of three rounds: 20 numbers and one on one thread,"
        echo "and on two"
        for solver in "${solvers[@]}"; do
            for many in all one all.two one.two; do
                sort -n "$work/$solver.$many.s" | sed -n 2p
            done | awk -v n="$deals" -v solver="$solver" '
                { printf "%s%8.1f", NR == 1 ? sprintf("%-12s", solver) : "", 1000 * $1 / n }
                END { print "" }'
        done

        echo
        echo "seconds for 100 deals, by the number of tricks asked"
        for asked in 1 2 4 20; do
            declarers=(north south east west) strains=(notrumps spades hearts diamonds)
            terms=() options=()
            for place in $(seq 0 $((asked - 1))); do
                [ "$asked" = 20 ] || terms+=("average tricks(${declarers[$place]}, ${strains[$place]})")
            done
            [ "$asked" = 20 ] && options=(--all)
            list=$(IFS=,; echo "${terms[*]-}")
            timed "$fairdeal" solve --where "${list:+action $list} condition 1" -n 100 --seed 3 --quiet \
                --out "$work/run-$asked" ${options[@]+"${options[@]}"}
            printf '%3d  %s\n' "$asked" "$(cat "$work/seconds")"
        done
    } | reported solver-peers "scripts/solver.sh peers $deals"
}

# Sets `list` to GIB's solved deals; fails if they cannot be had.
solved_deals() {
    list=${GIB_LIST-}
    [ -z "$list" ] || return 0
    # APT gets the source by its name, from the hosts that this system has packages of.
    mkdir -p "$work/sources" "$work/lists/partial" "$work/apt"
    local file source=dds_2.9.0.orig.tar.gz
    for file in /etc/apt/sources.list.d/*.sources; do
        sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/sources/${file##*/}"
    done
    [ ! -s /etc/apt/sources.list ] || sed 's/^deb /deb-src /' /etc/apt/sources.list >"$work/sources/system.list"
    local apt=(timeout 300 apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/sources"
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/apt")
    (cd "$work" && "${apt[@]}" update && "${apt[@]}" source --download-only --tar-only dds) >/dev/null 2>&1 || return 1
    echo "9ef36d8c36bf697ba3b499fcb9dca51a4b423278ac72e947235ac86f0b5fc38a  $work/$source" | sha256sum --quiet -c || exit 1
    tar xzf "$work/$source" -C "$work" --strip-components 2 dds-2.9.0/hands/sol100000.txt
    list=$work/sol100000.txt
}

published() {
    local deals=${1:-10000} again=${2:-1000} averages question strain seat
    solved_deals || { echo "no source of DDS in Debian: NOT RUN"; return 0; }
    averages=$(for strain in notrumps spades hearts diamonds clubs; do
        for seat in north east south west; do
            printf 'average tricks(%s, %s), ' $seat "$strain"
        done
    done)
    question="action ${averages%, } condition 1"
    {
        "$fairdeal" audit "$list" --target 100000 --out "$work/audit" --quiet --json >"$work/audit.json" || true
        "$fairdeal" run --where "$question" --from "$list" --json --quiet >"$work/published.json"
        head -n "$again" "$list" >"$work/again.txt"
        "$fairdeal" deal unconstrained --from "$work/again.txt" --format zrd --quiet >"$work/published.zrd"
        "$fairdeal" deal unconstrained --from "$work/again.txt" --format line --quiet >"$work/cards.txt"
        "$fairdeal" deal unconstrained --from "$work/cards.txt" --solve --format zrd --quiet >"$work/again.zrd"
        "$fairdeal" run --where "$question" -n "$deals" --seed 1 --out "$work/run" --json --quiet \
            >"$work/solved.json"
        python3 scripts/solver/tricks.py "$work" "$list"
    } | reported solver-published "scripts/solver.sh published $deals $again"
}

leads() {
    local deals=${1:-1000}
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check ./python endplay
    "$work/python/bin/python" scripts/solver/leads.py "$deals" |
        reported solver-leads "scripts/solver.sh leads $deals"
}

case ${1-} in
peers | published | leads) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built
"$@"
