#!/usr/bin/env bash
# Compares the speed of two programs: before and after a change that should not affect it.
#
#   scripts/speed-change.sh BEFORE AFTER
#
# Alternates measurements of both and prints medians of processor time for each deal, their ratio,
# and the middle half of the ratios of neighbouring measurements. ROUNDS measurements of each (9).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 2 ] || { sed -n '4p' "$0" | cut -c3- >&2; exit 64; }
python3 scripts/speed_change.py "$(realpath "$1")" "$(realpath "$2")" "${ROUNDS:-9}" | tee reports/speed-change.txt
