#!/usr/bin/env bash
# Counts what the code is made of: lines of production code by room, public items, names of types that
# are used more than once, long functions, long files, pairs of files that use each other.
#
#   scripts/house.sh [REVISION ..]
#
# Of each revision, by default of what is checked out. Lines are those with code: no comments, no
# empty lines, nothing that is compiled for tests alone.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    python3 scripts/house.py "what is checked out" .
fi
for revision in "$@"; do
    folder=$(mktemp -d)
    git archive "$revision" src | tar -x -C "$folder"
    python3 scripts/house.py "$revision" "$folder"
    rm -rf "$folder"
done
