#!/usr/bin/env bash
# Prints every text of the program for people, with its file and line: messages, texts of reports
# and pages, help. Tests and assertions are left out. It serves to review all texts together.
#
#   scripts/strings.sh [PATH ..]
#
# PATH is a file or a folder below src, such as cli/audit.rs or language.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/strings.py "$@"
