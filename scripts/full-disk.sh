#!/usr/bin/env bash
# Tests `fairdeal run` when it cannot write. Every call that changes a file fails once, and then all
# calls from each one on; the disk is full at every size at which another file does not fit; folders
# are removed or read-only; case files are removed, modified and truncated. Each time the program
# must end with exit code 74 (65 for a changed case file) and one line on standard error, leave no
# partial file, and resume to the same counts as an undisturbed run. Prints a table, and fails if
# any of this does not hold. Writes the output to reports/full-disk.txt. Takes five minutes.
#
# Small file systems need root, or a system where `unshare -rm` works; otherwise those lines say NOT
# RUN.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

# Mounts are in a separate namespace and disappear with it.
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
