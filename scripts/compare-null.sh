#!/usr/bin/env bash
# Pairs of samples of one perfect source: whether the statistics of `fairdeal compare` have their
# laws. Of each table the mean (0) and mean square (1) of (statistic - dof) / sqrt(2 dof), the
# subject that is farthest from either in standard errors, and how often p <= 10^-k, times
# 10^k; under a condition `cards` has every card by itself. Keeps the output in
# reports/compare-null.txt; takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/compare-null.sh: (statistic - dof) / sqrt(2 dof), and how often p <= 10^-k, times 10^k"
    cargo test --locked --quiet --lib compare::homogeneity -- --ignored --nocapture |
        grep -v -e '^running' -e '^test ' -e '^\.$' -e '^$'
} | tee reports/compare-null.txt
