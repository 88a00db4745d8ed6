#!/usr/bin/env bash
# Measures the code: lines of production code by module, public items, type names that are used more
# than once, long functions, long files, pairs of files that use each other.
#
#   scripts/house.sh [REVISION ..]
#
# Measures each revision, by default the working tree. Counts only lines with code, without
# comments, empty lines and code for tests.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    python3 scripts/house.py "working tree" .
fi
for revision in "$@"; do
    folder=$(mktemp -d)
    git archive "$revision" src | tar -x -C "$folder"
    python3 scripts/house.py "$revision" "$folder"
    rm -rf "$folder"
done
