#!/usr/bin/env bash
# Runs every scenario with three good generators, with 10,485,760 and 1,000,000,000 deals, and fails
# unless every verdict is PASS. Writes the output to reports/perfect.txt. Takes half an hour on two
# cores.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
seed=20261122
{
    echo "# scripts/perfect.sh, $("$fairdeal" --version): battery standard, seed $seed"
    for deals in 10485760 1000000000; do
        for rng in aes128ctr chacha8 xoshiro256++; do
            for scenario in $("$fairdeal" scenarios --names); do
                code=0
                verdict=$("$fairdeal" run "$scenario" --deals "$deals" --seed "$seed" --rng "$rng" \
                    --out "$work/report" --force --verbose | grep -E '^(PASS|Score)' | tr '\n' ' ') || code=$?
                printf '%-18s %-13s %s\n' "$scenario" "$rng" "$verdict"
                if ! grep -q '"verdict": "PASS"' "$work/report/run.json"; then
                    echo "$scenario by $rng did not pass"
                    exit 1
                fi
            done
        done
    done
} | tee reports/perfect.txt
