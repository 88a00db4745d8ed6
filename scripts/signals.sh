#!/usr/bin/env bash
# Measures the time that commands take to end after Ctrl-C or SIGTERM: TRIES (50) of each, with the
# signal after a random time from a seeded generator. Audits wait for silent input, a run and a
# listing compute, and deals are written to a file or to an unread pipe. Prints the median and the
# longest time of each. Fails if one takes more than 0.2 s, if the signal itself ends an audit or a
# run, or if a listing leaves a file. Writes the output to reports/signals.txt. Takes five minutes.
#
#   scripts/signals.sh [TRIES [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."

TRIES=${1:-50}
SEED=${2:-20261125}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

status=0
python3 scripts/signals.py "$fairdeal" "$work" "$TRIES" "$SEED" | tee "$work/table" || status=$?
{
    echo "# scripts/signals.sh $TRIES $SEED, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores"
    cat "$work/table"
} >reports/signals.txt
exit "$status"
