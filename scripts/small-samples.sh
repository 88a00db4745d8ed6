#!/usr/bin/env bash
# From how many deals on p-values hold: perfect collections of 16 to 4,000 deals, and how
# often each test's tails are as small as 10^-1 .. 10^-4. Keeps the output in
# reports/small-samples.txt; takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/small-samples.sh: how often p <= 10^-k, times 10^k, for k = 1 .. 4, +- its deviation"
    cargo test --locked --quiet --lib battery::small_samples -- --ignored --nocapture |
        grep -v -e '^running' -e '^test ' -e '^\.$' -e '^$'
} | tee reports/small-samples.txt
