#!/usr/bin/env bash
# Deals from cells over suits: how many cells there are, how fast they are made and drawn from,
# and whether what comes is what a listing, exact theory and plain rejection say.
#
#   scripts/cells.sh [speed|files|rejection|all] [DEALS] [GENERATED]
#
# speed: every condition's T, cells, time to make them, CPU time a deal with all tables, peak
# memory. files: DEALS (100M) from the file and from the cells of each scenario, both against
# theory, and against each other. rejection: conditions on three and four hands, GENERATED (1G)
# deals by rejection against theory and cells. The output is kept in reports/cells.txt; all of
# it takes about twenty minutes on two quiet cores.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
export FAIRDEAL=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
python3 scripts/cells.py "${1:-all}" "${2:-100M}" "${3:-1G}" "$work"
