#!/usr/bin/env bash
# Runs the example scripts of Debian's package `dealer` with dealer and with fairdeal. Compares
# every average and frequency with each other, with the package's reference outputs, and with exact
# theory if it is known. Prints the largest z of each script; fails if one is 5 or more. Writes the
# output to reports/dealer-examples.txt.
#
#   scripts/dealer-examples.sh [DEALS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-2000000}
SEED=${2:-20261122}
export PATH=$PATH:/usr/games
if ! command -v dealer >/dev/null; then
    apt-get update -qq && apt-get install -y -qq dealer
fi
cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for description in /usr/share/doc/dealer/examples/Descr.*; do
    name=${description##*.}
    timeout 600 dealer -s 11 "$description" >"$work/$name.dealer" 2>&1 || true
    status=0
    "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}" run "$description" --deals "$DEALS" --seed "$SEED" \
        --battery tables --out "$work/$name" --json >"$work/$name.json" 2>"$work/$name.err" ||
        status=$?
    if [ "$status" -ge 64 ]; then
        echo "fairdeal run $description: exit code $status"
        cat "$work/$name.err"
        exit 1
    fi
    "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}" deal "$description" --dealer-output --seed "$SEED" \
        >"$work/$name.output" 2>/dev/null
done
status=0
python3 scripts/dealer_examples.py "$work" | tee "$work/table" || status=$?
{
    echo "scripts/dealer-examples.sh $DEALS $SEED, $(date -u +%F)"
    cat "$work/table"
} >reports/dealer-examples.txt
exit "$status"
