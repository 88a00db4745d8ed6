#!/usr/bin/env bash
# Compares the feature dds with DDS itself: builds a C++ program of the solver's own sources and of
# scripts/dds_peer.cpp, and solves the same deals with both.
#
#   scripts/dds.sh [DEALS] [TIMED]
#
# Fails if any of the tricks of DEALS (1,000) deals differ. Then times three alternating rounds of
# TIMED (200) deals with both on all cores. Last come mean tricks of some questions. Takes about ten
# minutes on two cores; needs g++ and libclang. Writes the output to reports/dds.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
deals=${1:-1000}
timed=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet --features dds
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
cargo metadata --locked --format-version 1 --features dds >"$work/metadata.json"
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
g++ -O3 -std=c++20 -DDDS_THREADS_STL -I"$sources" scripts/dds_peer.cpp "$work"/*.o -o "$work/peer" -pthread

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

{
    echo "# scripts/dds.sh $deals $timed, $("$fairdeal" --version), $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
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
        [ "$asked" = 20 ] && options=(--solve)
        list=$(IFS=,; echo "${terms[*]-}")
        begun=$(now)
        "$fairdeal" run --where "${list:+action $list} condition 1" -n 100 --seed 3 --quiet \
            --out "$work/run-$asked" ${options[@]+"${options[@]}"}
        printf '%3d  %s\n' "$asked" "$(echo "$(now) - $begun" | bc)"
    done
} | tee reports/dds.txt
