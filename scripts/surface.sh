#!/usr/bin/env bash
# Counts the public items of the library and the lines of the command line.
#
#   scripts/surface.sh [REVISION ..]
#
# Of each revision (by default what is checked out): items with `pub`, and lines of
# src/cli that are neither empty nor comments.
set -euo pipefail
cd "$(dirname "$0")/.."

count() { # count NAME FOLDER
    local items cli
    items=$(find "$2/src" -name '*.rs' -not -path '*/cli/*' -print0 |
        xargs -0 grep -hE '^ *pub (const |async |unsafe )*(fn|struct|enum|trait|type|const|static|mod) ' | wc -l)
    cli=$(find "$2/src/cli" -name '*.rs' -print0 | xargs -0 cat | grep -cvE '^ *(//.*)?$')
    printf '%-12s %6d public items %6d lines of cli\n' "$1" "$items" "$cli"
}

if [ $# -eq 0 ]; then
    count "here" .
fi
for revision in "$@"; do
    folder=$(mktemp -d)
    git archive "$revision" src | tar -x -C "$folder"
    count "${revision:0:12}" "$folder"
    rm -rf "$folder"
done
