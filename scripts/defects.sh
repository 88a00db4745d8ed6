#!/usr/bin/env bash
# Deals with every planted defect that should be detected within 200,000,000 deals. Fails if one is
# not detected by the later of eight times its prediction and the second look of its best test.
# Writes the output to reports/defects.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/defects.sh, fairdeal $(cargo pkgid | sed 's/.*[#@]//'): seed 0xDEFEC7, battery standard, 2^20 deals kept to find duplicates (2^24 for seeds-48-bits)"
    cargo test --release --locked --quiet --test drawing defects::measurements:: -- --ignored --nocapture --test-threads 1 |
        sed -E 's/^test [^ ]+ \.\.\. //' | grep -v -e '^$' -e '^running ' -e '^\.$' -e '^test result'
} | tee reports/defects.txt
