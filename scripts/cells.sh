#!/usr/bin/env bash
# Tests deals from cells: the number of cells, the speed of making them and of drawing from them,
# and whether the deals agree with a listing, exact theory and rejection.
#
#   scripts/cells.sh [speed|files|rejection|all] [DEALS] [GENERATED]
#
# speed: T, cells, time to make them, processor time per deal with all tables, and peak memory of
# each condition. files: DEALS (100M) from the case file and from the cells of each scenario, both
# compared with theory and with each other. rejection: conditions on three and four hands, GENERATED
# (1G) deals by rejection compared with theory and cells. Writes the output to reports/cells.txt;
# everything takes about 20 minutes on two idle cores.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
export FAIRDEAL=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
python3 scripts/cells.py "${1:-all}" "${2:-100M}" "${3:-1G}" "$work"
