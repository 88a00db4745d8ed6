#!/usr/bin/env bash
# Plants each detectable effect that reports print, for 16 to 20,000 boards, and counts how often S
# reaches 9: in at least nine of ten collections, or the test fails. Writes the output to
# reports/detectable-effects.txt. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# scripts/detectable-effects.sh: collections with a planted effect that reach S = 9"
    cargo test --locked --quiet --lib battery::planted_effects -- --ignored --nocapture |
        grep -v -e '^running' -e '^test ' -e '^\.$' -e '^$'
} | tee reports/detectable-effects.txt
