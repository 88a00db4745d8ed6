#!/usr/bin/env bash
# Compares the dialects with Debian's dealer: runs each script of fixtures/dialects/agreement/ with
# fairdeal, and with dealer its translation (.dealer, by hand) or, for suit lengths in braces, the
# output of dealer.dpp. Compares every average, every frequency and the share of accepted deals with
# each other, and with exact theory where it is known. Prints the largest z of each script; fails if
# one is 5 or more. Writes the output to reports/dialect-agreement.txt.
#
#   scripts/dialect-agreement.sh [DEALS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

DEALS=${1:-4000000}
SEED=${2:-20261126}
export PATH=$PATH:/usr/games
if ! command -v dealer >/dev/null; then
    apt-get update -qq && apt-get install -y -qq dealer
fi
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
FAIRDEAL=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for script in fixtures/dialects/agreement/*.dl; do
    name=$(basename "$script" .dl)
    translation=${script%.dl}.dealer
    if [ -e "$translation" ]; then
        dealer -s 11 "$translation" >"$work/$name.dealer" 2>&1
    else
        # dealer.dpp cuts its own comments, but not those at the end of a line.
        sed 's/#.*//' "$script" | dealer.dpp | dealer -s 11 >"$work/$name.dealer" 2>&1
    fi
    "$FAIRDEAL" run "$script" --deals "$DEALS" --seed "$SEED" --battery tables --out "$work/$name" \
        --json >"$work/$name.json" 2>"$work/$name.err" || [ $? -lt 64 ] || {
        cat "$work/$name.err"
        exit 1
    }
done
status=0
python3 scripts/dealer_examples.py "$work" --acceptance | tee "$work/table" || status=$?
{
    echo "scripts/dialect-agreement.sh $DEALS $SEED, $(date -u +%F)"
    cat "$work/table"
} >reports/dialect-agreement.txt
exit "$status"
