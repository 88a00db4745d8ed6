#!/usr/bin/env bash
# Measures how often fair deals look suspicious: S must reach s in at most one of 10^s runs, for
# every condition that a user can write. Writes the output to reports/validity.txt.
#
#   scripts/validity.sh              everything: hours
#   scripts/validity.sh ci           a part, in minutes; writes no file
#   scripts/validity.sh runs|audits|repetitions|laws   one part, printed
#
# Environment variables: RUNS of each condition, AUDITS of each kind of boards, TIMES that each
# self-test of discrete conditions is repeated, LAWS (number of small spaces) of each test with a
# limit law, COLLECTIONS of the minimum number of deals for T2z and T7h. A stopped measurement
# resumes after the last row, law or self-test that the same program finished.
set -euo pipefail
cd "$(dirname "$0")/.."
part=${1:-all}
RUNS=${RUNS:-100000}
AUDITS=${AUDITS:-100000}
TIMES=${TIMES:-200}
LAWS=${LAWS:-1000000}
COLLECTIONS=${COLLECTIONS:-1000000}
kept=reports/runs/validity

# Prints the path of a test program, which is built if it is out of date.
test_program() { # test_program --lib | --test NAME
    cargo test --locked --no-run "$@" 2>&1 | sed -n 's/^ *Executable .*(\(.*\))$/\1/p'
}

# Prints the rows of a test. Each program measures them only once.
printed() { # printed RUNS TEST
    local file status=0
    file=$kept/$2-$1-$(sha256sum "$UNIT_TEST" | head -c 12).txt
    mkdir -p "$kept"
    if ! test -e "$file"; then
        FAIRDEAL_VALIDITY_RUNS=$1 "$UNIT_TEST" --ignored --nocapture "$2" >"$file.part" || status=$?
        # 101 means that the test failed: a broken guarantee is also a result.
        case $status in 0 | 101) mv "$file.part" "$file" ;; *) return $status ;; esac
    fi
    sed -nE 's/^(test .* \.\.\. )?(.*  (kept|BROKEN))$/\2/p' "$file"
    ! grep -q BROKEN "$file"
}

# The e-values of tests with limit laws in small spaces, with their guarantee.
laws() {
    echo
    echo "# tests with limit laws: runs whose e-value at one look reached 10, 100 .. 10^6, and log10 of the largest"
    local broken=0
    printed "$LAWS" how_often_evidence_from_small_spaces || broken=1
    printed "$COLLECTIONS" evidence_from_the_least_deals || broken=1
    return $broken
}

export FAIRDEAL=${FAIRDEAL:-}
if [ -z "$FAIRDEAL" ]; then
    cargo build --release --locked --quiet
    FAIRDEAL=${CARGO_TARGET_DIR:-target}/release/fairdeal
fi
export NULL_TEST=${NULL_TEST:-}
UNIT_TEST=${UNIT_TEST:-}
case $part in audits | ci | all) NULL_TEST=${NULL_TEST:-$(test_program --test battery)} ;; esac
case $part in laws | all) UNIT_TEST=${UNIT_TEST:-$(test_program --lib)} ;; esac
case $part in
laws) laws ;;
runs) python3 scripts/validity.py runs "$RUNS" 1 ;;
audits) python3 scripts/validity.py audits "$AUDITS" ;;
repetitions) python3 scripts/validity.py repetitions "$TIMES" 200 ;;
ci)
    python3 scripts/validity.py runs 2000 5
    python3 scripts/validity.py repetitions 5 100
    python3 scripts/validity.py audits 500
    ;;
all)
    {
        echo "# RUNS=$RUNS AUDITS=$AUDITS TIMES=$TIMES LAWS=$LAWS COLLECTIONS=$COLLECTIONS scripts/validity.sh, $("$FAIRDEAL" --version)"
        # A broken guarantee is printed in its row; the script fails after all rows.
        broken=0
        python3 scripts/validity.py runs "$RUNS" 1 || broken=1
        python3 scripts/validity.py audits "$AUDITS" || broken=1
        python3 scripts/validity.py repetitions "$TIMES" 200 || broken=1
        laws || broken=1
        exit $broken
    } | tee reports/validity.txt
    ;;
*)
    echo "scripts/validity.sh [all | ci | runs | audits | repetitions | laws]" >&2
    exit 64
    ;;
esac
