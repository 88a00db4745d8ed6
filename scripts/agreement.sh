#!/usr/bin/env bash
# Deals 10,485,760 deals of each of the six big scenarios and prints every chi-square against
# reference figures and closed forms. Writes the output to reports/agreement.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/agreement.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'): 10,485,760 deals a scenario, fixed seeds"
    cargo test --release --quiet --test drawing agreement:: -- --include-ignored --skip measurements --nocapture --test-threads 1 |
        grep ' chi2 ' | sed -E 's/^test [^ ]+ \.\.\. //'
} | tee reports/agreement.txt
