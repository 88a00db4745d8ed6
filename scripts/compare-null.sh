#!/usr/bin/env bash
# Tests the laws of the statistics of `fairdeal compare`, with pairs of samples of one perfect
# source. Prints for each table the mean (expected 0) and mean square (expected 1) of (statistic -
# dof) / sqrt(2 dof), the subject with the largest deviation of either in standard errors, and the
# frequency of p <= 10^-k, times 10^k. Under a condition, `cards` covers each card separately.
# Writes the output to reports/compare-null.txt. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/compare-null.sh: (statistic - dof) / sqrt(2 dof), and how often p <= 10^-k, times 10^k"
    cargo test --locked --quiet --lib compare::homogeneity -- --ignored --nocapture |
        grep -v -e '^running' -e '^test ' -e '^\.$' -e '^$'
} | tee reports/compare-null.txt
