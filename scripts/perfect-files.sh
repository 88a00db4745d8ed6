#!/usr/bin/env bash
# Audits fair files: 500 each of 36, 1,000 and 100,000 deals, and three of ten million. Fails if a
# verdict is FAIL, or if too many are SUSPICIOUS. Writes the output to reports/perfect-files.txt.
# Takes half an hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

# Audits the fair file of a seed. Prints S, the number of p-values, the number below 0.01, and log10
# of the smallest.
one() { # one DEALS SEED
    local deals=$1 seed=$2 code=0
    "$fairdeal" deal unconstrained -n "$deals" --seed "$seed" --format pbn 2>/dev/null |
        "$fairdeal" audit - --quiet --threads 1 --out "$work/$seed" || code=$?
    if [ "$code" -ne 0 ] && [ "$code" -ne 4 ]; then
        echo "seed $seed: exit code $code"
    fi
    sed -n 's/.*"largest_s": \([-0-9.e]*\).*/S \1/p' "$work/$seed/audit.json"
    tr -d '\r' <"$work/$seed/tests.csv" |
        awk -F, 'NR > 1 && $8 > 0 { n++; if ($5 < -2) low++; if ($5 < least) least = $5 }
            END { print "P", n, low + 0, least }'
    rm -r "${work:?}/$seed"
}
export -f one
export fairdeal work

# perfect DEALS FILES: audits this number of files.
perfect() {
    local deals=$1 files=$2
    seq 1 "$files" | xargs -P "$(nproc)" -I SEED bash -c "one $deals SEED" |
        awk -v deals="$deals" -v files="$files" '
        /exit code/ { print; bad = 1 }
        $1 == "S" { s++; one += $2 >= 1; two += $2 >= 2; three += $2 >= 3; if (s == 1 || $2 > most) most = $2 }
        $1 == "P" { tests += $2; low += $3; if ($4 < least) least = $4 }
        END {
            printf "%9d deals, %3d files: S >= 1 in %d, >= 2 in %d, >= 3 in %d, largest %.2f; of %d p-values %.2f %% below 0.01, least 10^%.2f\n",
                deals, s, one, two, three, most, tests, 100 * low / tests, least
            exit bad || s != files || three > 0
        }'
}
{
    echo "# scripts/perfect-files.sh, $("$fairdeal" --version): PBN through a pipe, seeds 1, 2, 3 .."
    perfect "${1:-36}" "${2:-500}"; test $# -eq 0 || exit 0
    perfect 1000 500
    perfect 100000 500
    perfect 10000000 3
} | tee reports/perfect-files.txt
