#!/usr/bin/env bash
# Compares the feature dds, which needs g++ and libclang, with other results. SAVE=1 keeps the output
# in reports/.
#
#   scripts/solver.sh peer [DEALS] [TIMED]
#       Builds a C++ program of the solver's own sources (solver/peer.cpp) and solves the same deals
#       with both; fails if any of the tricks of DEALS (1,000) deals differ. Then times three
#       alternating rounds of TIMED (200) deals on all cores, and runs that ask for 1 to 20 numbers
#       of tricks. Takes ten minutes on two cores.
#   scripts/solver.sh published [DEALS] [AGAIN]
#       Compares with GIB's 100,000 solved deals, which the source of DDS 2.9 contains; it is
#       downloaded from Debian, or read from GIB_LIST (sol100000.txt). Audits those deals, compares
#       their mean tricks as counted by fairdeal and by Python, solves the first AGAIN (1,000) once
#       more, and solves DEALS (10,000) unconstrained deals. Fails if any trick of a deal solved again
#       differs, or if one of the 20 means differs by more than 5 standard errors. Takes 20 minutes.
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
now() { date +%s.%N; }

build_peer() {
    cargo metadata --locked --format-version 1 --features dds >"$work/metadata.json"
    local sources
    sources=$(python3 - "$work/metadata.json" <<'FIND'
import json, os, sys
packages = json.load(open(sys.argv[1]))["packages"]
found = next(package for package in packages if package["name"] == "dds-bridge-sys")
print(os.path.dirname(found["manifest_path"]) + "/vendor/library/src")
FIND
    )
    # The same flags as the crate's.
    find "$sources" -name '*.cpp' -print0 | (
        cd "$work"
        xargs -0 -P "$(nproc)" -n 4 g++ -c -O3 -std=c++20 -DDDS_THREADS_STL -DDDS_NO_DUMP_ON_ERROR \
            -include sstream -include iomanip -I"$sources"
    )
    g++ -O3 -std=c++20 -DDDS_THREADS_STL -I"$sources" scripts/solver/peer.cpp "$work"/*.o -o "$work/peer" -pthread
}

peer() {
    local deals=${1:-1000} timed=${2:-200} begun theirs ours asked
    build_peer
    {
        "$fairdeal" deal unconstrained -n "$deals" --seed 1 >"$work/deals.txt"
        "$fairdeal" deal unconstrained -n "$deals" --seed 1 --solve --format zrd --quiet >"$work/ours.zrd"
        "$work/peer" <"$work/deals.txt" >"$work/theirs.txt" 2>/dev/null
        tables "$work/ours.zrd" >"$work/ours.txt"
        cmp "$work/ours.txt" "$work/theirs.txt"
        echo "$deals deals, 20 numbers each: all the same as of DDS's own batch function"

        "$fairdeal" deal unconstrained -n "$timed" --seed 2 >"$work/timed.txt"
        for _ in 1 2 3; do
            "$work/peer" <"$work/timed.txt" 2>>"$work/theirs.s" >/dev/null
            begun=$(now)
            "$fairdeal" deal unconstrained -n "$timed" --seed 2 --solve --format zrd --quiet >/dev/null
            echo "$(now) - $begun" | bc >>"$work/ours.s"
        done
        theirs=$(sort -n "$work/theirs.s" | sed -n 2p) ours=$(sort -n "$work/ours.s" | sed -n 2p)
        awk -v n="$timed" -v theirs="$theirs" -v ours="$ours" 'BEGIN {
            printf "deals a second, medians of three rounds of %d: DDS %.2f, fairdeal %.2f, ratio %.3f\n",
                n, n / theirs, n / ours, theirs / ours }'

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
            begun=$(now)
            "$fairdeal" solve --where "${list:+action $list} condition 1" -n 100 --seed 3 --quiet \
                --out "$work/run-$asked" ${options[@]+"${options[@]}"}
            printf '%3d  %s\n' "$asked" "$(echo "$(now) - $begun" | bc)"
        done
    } | reported solver-peer "scripts/solver.sh peer $deals $timed"
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

case ${1-} in
peer | published) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built --features dds
"$@"
