#!/usr/bin/env bash
# Prints every sentence of the program that people read, with its file and line: messages, the words
# of reports and pages, help. For whoever reads them as one text. Tests and assertions are left out.
#
#   scripts/strings.sh [ROOM ..]      such as: scripts/strings.sh language cli/audit.rs
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/strings.py "$@"
