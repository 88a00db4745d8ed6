#!/usr/bin/env bash
# Tests the battery under the null hypothesis: 200 runs of fair deals per scenario by ChaCha8.
# Compares the mean and variance of every statistic, and the distribution of every p-value, with
# their laws. Writes the output to reports/null.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
{
    echo "# scripts/null.sh, $("$fairdeal" --version): battery full, ChaCha8, seeds 1 to 200"
    "$fairdeal" run unconstrained --self-test=200 --battery full --rng chacha8 --seed 1 --deals 131072
    for scenario in club-length nine-spades flannery-misfit north-2-south-0-1 west-nine-spades; do
        "$fairdeal" run "$scenario" --sampler cases --self-test=200 --battery full --rng chacha8 --seed 1 --deals 65536
    done
} | tee reports/null.txt
