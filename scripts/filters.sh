#!/usr/bin/env bash
# Compares tables of deals from a listing and a filter with those of rejection, and the acceptance
# rates of both, for conditions on three and four hands. Writes the output to reports/filters.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cargo test --release --locked --quiet --test drawing filters::a_listing_and_a_filter_give_the_tables_of_plain_rejection -- --ignored --nocapture |
    grep -E '^(condition|[0-9]+ chi)' | tee "$out"
{
    echo "scripts/filters.sh, $(date -u +%F)"
    cat "$out"
} >reports/filters.txt
