#!/usr/bin/env bash
# What happens to `fairdeal run` when it cannot write: every call that changes a file is refused
# once, and from each on all of them, the disk is full at every size at which another
# file does not fit, folders vanish or are read-only, case files are removed, altered
# and cut short. Each time the program must end with exit code 74 (65 for a case file that is no longer what
# it was) and one line on standard error, leave nothing half-written, and go on with --resume
# to the very counts of a run that nothing happened to. Prints a table, and fails if
# any of this does not hold. Keeps the output in reports/full-disk.txt. Takes five minutes.
#
# Small file systems need root, or a system where `unshare -rm` works; where neither is to be
# had, those lines say NOT RUN.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

# Mounts are made in a namespace of their own, and gone with it.
within=(unshare -m)
"${within[@]}" true 2>/dev/null || within=(unshare -rm)
"${within[@]}" true 2>/dev/null || within=()
status=0
"${within[@]}" python3 scripts/full_disk.py "$fairdeal" "$work" | tee "$work/table" || status=$?
{
    echo "# scripts/full-disk.sh, $(date -u +%F), $("$fairdeal" --version)"
    cat "$work/table"
} >reports/full-disk.txt
exit "$status"
