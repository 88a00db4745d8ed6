#!/usr/bin/env bash
# Measures the cost of checkpoints. Alternates runs of the same deals with a checkpoint every
# quarter of a second and with none, five rounds of each kind. The additional processor time and
# elapsed time, divided by the number of checkpoints, is the cost of one; the table gives the median
# as a share of the usual interval of 30 seconds. Then measures one pair of real runs of 90 seconds.
# Fails if a share is above 1 %. Writes the output to reports/checkpoint-cost.txt. Takes ten
# minutes. Needs an idle machine, and waits up to five minutes for that.
#
#   scripts/checkpoint-cost.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."

ROUNDS=${1:-5}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
# The load average of the last minute.
for _ in $(seq 30); do
    awk -v cores="$(nproc)" '{ exit !($1 > cores / 2) }' /proc/loadavg || break
    sleep 10
done
status=0
python3 scripts/checkpoint_cost.py "$fairdeal" "$work" "$ROUNDS" | tee "$work/table" || status=$?
{
    echo "# scripts/checkpoint-cost.sh $ROUNDS, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores"
    cat "$work/table"
} >reports/checkpoint-cost.txt
exit "$status"
