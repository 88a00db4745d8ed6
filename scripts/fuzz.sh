#!/usr/bin/env bash
# Fuzzes every reader of text or of files of deals for so many seconds each, and prints
# how many inputs were tried. Takes a nightly compiler; installs cargo-fuzz if it is not
# there. Inputs that found something new are kept in fuzz/corpus, which is not under
# version control; the first ones are the scripts and records of fixtures/.
#
#   scripts/fuzz.sh [SECONDS] [TARGET ..]
set -euo pipefail
cd "$(dirname "$0")/.."

SECONDS_EACH=${1:-60}
shift || true
if ! cargo fuzz --version >/dev/null 2>&1; then
    cargo install --quiet --locked cargo-fuzz
fi
mapfile -t targets < <(cargo +nightly fuzz list)
if [ $# -gt 0 ]; then
    targets=("$@")
fi

# The first inputs of a target; those of a reader begin with two bytes that say where to cut.
first_inputs() {
    local target=$1 corpus=fuzz/corpus/$1 file
    mkdir -p "$corpus"
    if [ "$target" = script ]; then
        cp fixtures/scenarios/*.dl fixtures/dealer/*.dl "$corpus"
        return
    fi
    while IFS= read -r file; do
        { printf '%%0'; head -c 4000 "$file"; } >"$corpus/$(basename "$file")"
    done < <(find fixtures/records fixtures/broken -type f -size -64k)
}

echo "scripts/fuzz.sh $SECONDS_EACH, $(date -u +%F)" >reports/fuzz.txt
for target in "${targets[@]}"; do
    first_inputs "$target"
    dictionary=()
    if [ "$target" = script ]; then
        dictionary=(-dict=fuzz/dealer.dict)
    fi
    log=$(mktemp)
    cargo +nightly fuzz run "$target" -- -max_total_time="$SECONDS_EACH" -max_len=4096 \
        "${dictionary[@]}" -timeout=10 >"$log" 2>&1 || {
        tail -40 "$log"
        echo "$target: an input was found that breaks it (fuzz/artifacts)"
        exit 1
    }
    grep -E '^(Done|stat::number_of_executed_units)|#[0-9]+\s+DONE' "$log" |
        sed -E "s/^/$target: /" | tail -1
done | tee -a reports/fuzz.txt
