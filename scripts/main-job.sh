#!/usr/bin/env bash
# Runs the main job on the given scenarios, in a new folder, and checks its report: all tables, all
# counts, the verdict and the case file. Then checks that a defective dealer is detected.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
deals=262144

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

for scenario in "$@"; do
    out="$work/$scenario"
    "$fairdeal" run "$scenario" --sampler cases --deals "$deals" --target "$deals" --seed 1 --out "$out"
    # table: number of rows, and entries per deal.
    check() { # check FILE ROWS TIMES
        tr -d '\r' <"$out/$1" | awk -F, -v rows="$2" -v want=$((deals * $3)) -v file="$1" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "observed") column = i; next }
            { sum += $column; n++ }
            END {
                if (n != rows || sum != want) {
                    printf "%s: %d rows with %d counted, expected %d and %d\n", file, n, sum, rows, want
                    exit 1
                }
            }'
    }
    check patterns.csv 2240 4
    check shapes.csv 156 4
    check suit_lengths.csv 224 16
    check fits.csv 112 8
    check hcp.csv 152 4
    check side_hcp.csv 82 2
    check cards.csv 208 52
    grep -q '"deals": 262144' "$out/run.json"
    grep -q '"verdict": "PASS"' "$out/run.json"
    for file in tests.csv bounds.csv case_groups.csv; do
        test "$(wc -l <"$out/$file")" -gt 1
    done
    "$fairdeal" cases build "$scenario" -o "$work/$scenario.cases"
    "$fairdeal" cases verify "$work/$scenario.cases"
done
code=0
"$fairdeal" run unconstrained --defect naive-shuffle-round-robin --deals "$deals" --seed 1 \
    --out "$work/defect" || code=$?
test "$code" -eq 2
"$fairdeal" deal unconstrained -n 20000 --seed 1 --format pbn |
    "$fairdeal" audit - --target 20000 --out "$work/audit"
grep -q '"verdict": "PASS"' "$work/audit/audit.json"
check() { test "$(wc -l <"$work/audit/$1")" -eq $(($2 + 1)); }
check patterns.csv 2240
check cards.csv 208
check sources.csv 1
echo "the main job wrote correct reports"
