#!/usr/bin/env bash
# Audits files as they occur in practice, and compares the numbers of boards and distinct deals with
# those of an independent reader (scripts/real_files.py). The default folder is
# fixtures/records-real, whose verdicts are also compared with expected.csv.
#
#   scripts/real-files.sh [FOLDER]
#
# Audits each file of the folder separately, and each subfolder as a whole. Prints a line for each:
# boards, distinct deals, replays, format, verdict. Fails if the two readers disagree.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-fixtures/records-real}
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
printf '%-44s %8s %8s %8s %-10s %s\n' file boards distinct replays format verdict
while IFS= read -r path; do
    name=${path#"$folder"/}
    code=0
    "$fairdeal" audit "$path" --out "$work/report" --force --reference 0 --quiet 2>"$work/errors" || code=$?
    if [ "$code" -gt 4 ]; then
        printf '%-44s %s\n' "$name" "$(head -1 "$work/errors")"
        continue
    fi
    IFS=, read -r _ boards distinct < <(python3 scripts/real_files.py "$path")
    line=$(python3 - "$work/report/audit.json" "$boards" "$distinct" <<'PY'
import json, sys
record = json.load(open(sys.argv[1]))
boards, distinct = map(int, sys.argv[2:])
of = lambda field: sum(source[field] for source in record["sources"])
formats = "+".join(sorted({source["format"] for source in record["sources"]} - {"none"}))
same = of("valid") == boards
print(f'{of("valid"):8} {distinct:8} {of("duplicate"):8} {formats:10} {record["verdict"]}'
      + ("" if same else f"  DIFFERENT: the other reader has {boards} boards"))
PY
)
    printf '%-44s %s\n' "$name" "$line"
    case $line in *DIFFERENT*) bad=1 ;; esac
    if [ "$folder" = fixtures/records-real ]; then
        expected=$(awk -F, -v name="$name" '$1 == name { print $2 "," $3 "," $6 }' "$folder/expected.csv")
        if [ "$expected" != "$boards,$distinct,$code" ]; then
            echo "$name: expected $expected, found $boards,$distinct,$code"
            bad=1
        fi
    fi
done < <(find "$folder" -mindepth 1 -maxdepth 1 ! -name expected.csv | sort)
exit "$bad"
