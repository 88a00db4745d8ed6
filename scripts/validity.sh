#!/usr/bin/env bash
# How often perfect deals look suspicious: S must reach s in at most one of 10^s runs, for every
# condition that can be typed. Keeps the output in reports/validity.txt.
#
#   scripts/validity.sh              everything, 10^5 runs each: hours; one that was stopped goes on
#   scripts/validity.sh ci           a share of it in minutes; nothing is kept
#   scripts/validity.sh laws|runs|audits|repetitions [N]   one part, printed
set -euo pipefail
cd "$(dirname "$0")/.."
part=${1:-all}
kept=reports/runs/validity

# The e-values of tests with limit laws in small spaces, beside their promise.
laws() { # laws RUNS
    echo
    echo "# tests with limit laws: runs whose e-value at one look reached 10, 100 .. 10^6, and log10 of the largest"
    FAIRDEAL_VALIDITY_RUNS=$1 cargo test --locked --quiet --lib -- --ignored --nocapture \
        battery::small_spaces battery::small_samples::evidence |
        grep -E 'kept|BROKEN|^T[27]'
}

# Measured once for a version, and printed from then on.
once() { # once NAME COMMAND..
    local file
    file=$kept/$1-$(git rev-parse --short HEAD).txt
    shift
    mkdir -p "$kept"
    test -e "$file" || { "$@" >"$file.part" && mv "$file.part" "$file"; }
    cat "$file"
}

audits() { # audits RUNS
    FAIRDEAL_VALIDITY_RUNS=$1 cargo test --locked --quiet --test null -- --ignored --nocapture \
        how_often_audits | python3 scripts/validity.py audits
}

cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-target/release/fairdeal}
case $part in
laws) laws "${2:-1000000}" ;;
runs) python3 scripts/validity.py runs "${2:-100000}" 1 ;;
audits) audits "${2:-100000}" ;;
repetitions) python3 scripts/validity.py repetitions "${2:-200}" 200 ;;
ci)
    python3 scripts/validity.py runs 2000 5
    python3 scripts/validity.py repetitions 5 100
    audits 500
    ;;
all)
    {
        echo "# scripts/validity.sh, $("$fairdeal" --version)"
        python3 scripts/validity.py runs 100000 1
        once audits audits 100000
        once repetitions python3 scripts/validity.py repetitions 200 200
        once laws laws 1000000
    } | tee reports/validity.txt
    ;;
*)
    echo "scripts/validity.sh [all | ci | laws | runs | audits | repetitions] [N]" >&2
    exit 64
    ;;
esac
