#!/usr/bin/env bash
# What checkpoints cost. Runs of the same deals, with a checkpoint every quarter of a
# second and with none, in turn, five rounds of each kind: what a run takes longer, in processor time
# and in time, over its checkpoints is what one costs; the medians are laid beside the 30
# seconds that are between two of them. Then one pair of real runs of 90 seconds. Prints a
# table, and fails if a share is above 1 %. Keeps the output in reports/checkpoint-cost.txt. Takes
# ten minutes, and wants a machine that does nothing else, for which it waits five minutes at most.
#
#   scripts/checkpoint-cost.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."

ROUNDS=${1:-5}
cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
# The load average of a minute.
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
