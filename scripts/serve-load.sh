#!/usr/bin/env bash
# Sends AUDITS (200) uploads by CLIENTS (32) at once to `fairdeal serve`, with bodies of up to 100 MB
# of deals, half of which break off on the way. Meanwhile asks pages and /health.json and measures
# how long they take. Prints the peak memory of the server, the longest answers, and what became of
# the uploads. Fails if an answer takes more than 2 s, if the memory exceeds 1 GB, if a completed
# upload has no verdict, or if a temporary file is left. Writes the output to reports/serve-load.txt.
# Needs a machine that does nothing else: bytes that are on their way are read before the answer.
#
#   scripts/serve-load.sh [AUDITS [CLIENTS [SEED]]]
set -euo pipefail
cd "$(dirname "$0")/.."

AUDITS=${1:-200}
CLIENTS=${2:-32}
SEED=${3:-20261126}
fairdeal=${FAIRDEAL:-}
if [ -z "$fairdeal" ]; then
    cargo build --release --locked --quiet
    fairdeal=${CARGO_TARGET_DIR:-target}/release/fairdeal
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"

status=0
python3 scripts/serve_load.py "$fairdeal" "$work" "$AUDITS" "$CLIENTS" "$SEED" | tee "$work/table" || status=$?
{
    echo "# scripts/serve-load.sh $AUDITS $CLIENTS $SEED, $(date -u +%F), $("$fairdeal" --version), $(nproc) cores"
    cat "$work/table"
} >reports/serve-load.txt
exit "$status"
