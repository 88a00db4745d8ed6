#!/usr/bin/env bash
# Measures the cost of overflow checks: processor time of the same commands by the programs of the
# profiles release and checked, alternating, one thread, medians of ROUNDS (11) and their ratios.
# Writes the output to reports/overflow-checks.txt.
#
#   scripts/overflow-checks.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${1:-11}

cargo build --release --locked --quiet
cargo build --profile checked --locked --quiet
program() { # program PROFILE ARGUMENT ..
    "${CARGO_TARGET_DIR:-target}/$1/fairdeal" "${@:2}"
}

program release deal unconstrained --deals 200K --format line --seed 1 >"$work/deals" 2>/dev/null
common=(--seed 1 --threads 1 --force --quiet --out "$work/report")
names=(tables standard cases encode)
run() { # run NAME PROFILE
    case $1 in
    tables) program "$2" run unconstrained --deals 100M --battery tables "${common[@]}" ;;
    standard) program "$2" run unconstrained --deals 40M "${common[@]}" ;;
    cases) program "$2" run flannery-misfit --sampler cases --deals 30M --battery tables "${common[@]}" ;;
    encode) program "$2" number encode --scheme andrews -f "$work/deals" ;;
    esac
}

# Seconds of processor time.
seconds() { # seconds NAME PROFILE
    local TIMEFORMAT='%U %S'
    { time run "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}
median() { sort -n "$1" | sed -n "$((($(wc -l <"$1") + 1) / 2))p"; }

# The first round is not counted; after it, the two programs take turns to be first.
for round in $(seq 0 "$rounds"); do
    order=(release checked)
    [ $((round % 2)) = 0 ] || order=(checked release)
    for name in "${names[@]}"; do
        for profile in "${order[@]}"; do
            taken=$(seconds "$name" "$profile")
            [ "$round" = 0 ] || echo "$taken" >>"$work/$name.$profile"
        done
    done
done
{
    echo "# scripts/overflow-checks.sh $rounds, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs)"
    printf '%-10s %12s %12s %8s\n' command 'release, s' 'checked, s' ratio
    for name in "${names[@]}"; do
        awk -v name="$name" -v a="$(median "$work/$name.release")" -v b="$(median "$work/$name.checked")" \
            'BEGIN { printf "%-10s %12.3f %12.3f %8.3f\n", name, a, b, b / a }'
    done
} | tee reports/overflow-checks.txt
