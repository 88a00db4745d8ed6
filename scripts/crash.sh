#!/usr/bin/env bash
# Kills `fairdeal run` at random moments (200 times by default), resumes it each time with another
# number of threads, and compares the reports with those of uninterrupted runs: every CSV except
# latency.csv byte for byte, and run.json except times and the machine. Four kinds of run share the
# kills; a run that ends before is compared and started again. Moments are drawn from a seeded
# generator: at any time, while a checkpoint is written, and while the report is written. Prints a
# table. Fails if anything differs, if a resumed run ends other than by its kill or with its
# verdict, if saved work is lost, or if a file is left over. Writes the output to reports/crash.txt.
# Takes five minutes.
#
#   scripts/crash.sh [KILLS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

KILLS=${1:-200}
SEED=${2:-20261122}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

status=0
python3 scripts/crash.py "$fairdeal" "$work" "$KILLS" "$SEED" | tee "$work/table" || status=$?
{
    echo "# scripts/crash.sh $KILLS $SEED, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores"
    cat "$work/table"
} >reports/crash.txt
exit "$status"
