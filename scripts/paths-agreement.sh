#!/usr/bin/env bash
# Deals 268,435,456 deals of each of the six big scenarios with every instruction set of this
# processor, and prints every chi-square against exact theory. Writes the output to
# reports/paths-agreement.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/paths-agreement.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'): 2^28 deals a scenario and path, fixed seeds"
    cargo test --release --quiet --test drawing agreement::measurements:: -- --ignored --nocapture --test-threads 1 |
        grep ' chi2 ' | sed -E 's/^test [^ ]+ \.\.\. //' |
        awk '{ print; n++; if (min == "" || $NF + 0 < min + 0) { min = $NF; at = $0 } }
            END { printf "%d p-values, the smallest: %s\n", n, at }'
} | tee reports/paths-agreement.txt
