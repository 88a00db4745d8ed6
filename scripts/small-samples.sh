#!/usr/bin/env bash
# Finds the sample size from which p-values hold: for fair collections of 16 to 4,000 deals, the
# frequency of p-values up to 10^-1 .. 10^-4 in each tail of each test. Writes the output to
# reports/small-samples.txt. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/small-samples.sh: frequency of p <= 10^-k, times 10^k, for k = 1 .. 4, +- its standard deviation"
    cargo test --locked --quiet --lib battery::small_samples -- --ignored --nocapture |
        grep -v -e '^running' -e '^test ' -e '^\.$' -e '^$'
} | tee reports/small-samples.txt
