#!/usr/bin/env bash
# Measures the cost of planning, compared with rejection, on scripts like those that bridge teachers
# use.
#
#   scripts/practice.sh [deals|runs|all|ci] [FOLDER ..]
#
# Measures every script in fixtures/practice/, then every .dlr and .dl file below each FOLDER.
# deals: `deal -n 36` against `deal -n 36 --sampler reject`, at most 0.5 s of processor time more
# and 300 MB. runs: `run --deals 10M` against the best of the three samplers by hand, in all or for
# each deal kept at most 1.3 times its time, and planning in at most 2 s. ci: deals of every eighth
# script. Prints a row for each script and a summary, and fails if any limit is exceeded. Without
# arguments, it measures everything and writes the output to reports/practice.txt. TIMEOUT is the
# time limit of one command in seconds (60).
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
export FAIRDEAL=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
export TIMEOUT=${TIMEOUT:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mode=all
case ${1-} in
deals | runs | all | ci)
    mode=$1
    shift
    keep=
    ;;
'') keep=reports/practice.txt ;;
*) keep= ;;
esac

status=0
python3 scripts/practice.py "$mode" "$work" "$@" | tee "$work/table" || status=$?
if [ "$keep" ]; then
    {
        echo "# scripts/practice.sh, $(date -u +%F), $("$FAIRDEAL" --version), $(nproc) cores"
        cat "$work/table"
    } >"$keep"
fi
exit "$status"
