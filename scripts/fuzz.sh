#!/usr/bin/env bash
# Fuzzes every reader of text for so many seconds each, and prints how many inputs were
# tried. Takes a nightly compiler; installs cargo-fuzz if it is not there. Inputs that
# found something new are kept in fuzz/corpus, which is not under version control; the
# first ones are the scripts of fixtures/.
#
#   scripts/fuzz.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."

SECONDS_EACH=${1:-60}
if ! cargo fuzz --version >/dev/null 2>&1; then
    cargo install --quiet --locked cargo-fuzz
fi
mkdir -p fuzz/corpus/script
cp fixtures/scenarios/*.dl fixtures/dealer/*.dl fuzz/corpus/script/
echo "scripts/fuzz.sh $SECONDS_EACH, $(date -u +%F)" >reports/fuzz.txt
for target in $(cargo +nightly fuzz list); do
    log=$(mktemp)
    cargo +nightly fuzz run "$target" -- -max_total_time="$SECONDS_EACH" -max_len=4096 \
        -dict=fuzz/dealer.dict -timeout=10 >"$log" 2>&1 || {
        tail -40 "$log"
        echo "$target: an input was found that breaks it (fuzz/artifacts)"
        exit 1
    }
    grep -E '^(Done|stat::number_of_executed_units)|#[0-9]+\s+DONE' "$log" |
        sed -E "s/^/$target: /" | tail -1
done | tee -a reports/fuzz.txt
