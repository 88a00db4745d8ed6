#!/usr/bin/env bash
# Writes the case files of all scenarios from hands and from cells, in both orders, and checks that
# they are identical. Prints name, order, cases, seconds from hands and seconds from cells. The
# largest file has 987 MB.
#
#   scripts/cells-files.sh [SCENARIO ..]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
scenarios=("$@")
if [ ${#scenarios[@]} = 0 ]; then
    mapfile -t scenarios < <("$fairdeal" scenarios --json |
        python3 -c 'import json, sys; print(*(s["name"] for s in json.load(sys.stdin) if s["cases"]), sep="\n")')
fi
build() { # build SCENARIO ORDER FILE [OPTION]
    local begin
    begin=$(date +%s.%N)
    "$fairdeal" cases build "$1" --order "$2" -o "$work/$3" --force --quiet "${@:4}"
    awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { printf "%.2f", end - begin }'
}
for scenario in "${scenarios[@]}"; do
    "$fairdeal" cases build "$scenario" -o "$work/own" --force --quiet --from-cells
    order=$("$fairdeal" cases info "$work/own" | sed -n 's/^hands *//p')
    cases=$("$fairdeal" cases info "$work/own" | sed -n 's/^cases *//p')
    orders=("$order")
    if [[ $order == *,* ]]; then
        orders+=("${order#*,},${order%,*}")
    fi
    for order in "${orders[@]}"; do
        hands=$(build "$scenario" "$order" hands)
        cells=$(build "$scenario" "$order" cells --from-cells)
        cmp "$work/hands" "$work/cells"
        echo "$scenario $order: $cases cases, $hands s from hands, $cells s from cells"
    done
done
