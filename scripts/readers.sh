#!/usr/bin/env bash
# Reads the files of fairdeal with other programs, which are installed from PyPI into a temporary
# folder. Fails on any difference. A program without Parquet skips the parts that need it.
#
#   scripts/readers.sh [parquet|hdr|duckdb|cases|all]
#
# parquet: every cell of the Parquet files of five reports, in pyarrow and DuckDB, equals that of
# the CSV file of the same table. hdr: latency.hlog of `bench --save`, in HdrHistogram's own Python
# port and merged by tag, equals every line of latency-K.hgrm and the percentiles of --json. duckdb:
# the Python block of docs/guide/verdict.md runs on the reports of the two runs above it in the text.
# cases: the reader of case files in fixtures/case-file/ lists the cases of six scenarios as fairdeal
# does, and finds the same cases by the guide as by the list.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

install() { "$work/python/bin/pip" install --quiet --disable-pip-version-check "$@"; }
python() { "$work/python/bin/python" "$@"; }
run() { "$fairdeal" "$@" --quiet || [ $? -eq 4 ]; }
has_parquet() {
    "$fairdeal" run nine-spades --deals 1000 --target 1000 --seed 1 --quiet --out "$work/tried" \
        --table-format parquet 2>"$work/errors" && return
    [ $? -ne 4 ] || return 0
    grep -qi parquet "$work/errors" || { cat "$work/errors" >&2; exit 1; }
    echo "no Parquet in this program: $1 NOT RUN"
    return 1
}

parquet() {
    has_parquet parquet || return 0
    install pyarrow duckdb
    python -c 'import duckdb, pyarrow
print(f"pyarrow {pyarrow.__version__}, DuckDB {duckdb.__version__}")'
    cat >"$work/script.dl" <<'SCRIPT'
hcp(west) >= 15 && hcp(east) >= 8
action average "west, strong" hcp(west), frequency "ost" (hcp(east), 5, 20)
SCRIPT
    run run unconstrained --deals 1M --seed 1 --out "$work/unconstrained" --table-format parquet
    run run nine-spades --sampler listing --deals 1M --seed 1 --out "$work/nine-spades" --table-format parquet
    run run "$work/script.dl" --deals 1M --seed 1 --out "$work/script" --table-format parquet
    run audit fixtures/records/sm0807.pbn --out "$work/audit" --table-format parquet
    run theory unconstrained --out "$work/theory" --table-format parquet
    python scripts/readers/parquet.py \
        "$work/unconstrained" "$work/nine-spades" "$work/script" "$work/audit" "$work/theory"
}

hdr() {
    # The name of the package on PyPI; its module is hdrh.
    install hdrhistogram==0.10.8
    local input
    for input in unconstrained nine-spades; do
        (cd "$work" && "$fairdeal" bench "$input" --deals 4M --rounds 3 --save "of-$input" --json) \
            >"$work/$input.json"
        python scripts/readers/hdr.py "$work/reports/bench/of-$input" "$work/$input.json"
    done
}

# In a shell of its own: the text of the guide runs in the folder of its reports.
duckdb() (
    has_parquet duckdb || return 0
    install "duckdb==1.5.*"
    awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/guide/verdict.md >"$work/query.py"
    grep -q shapes.parquet "$work/query.py"
    cd "$work"
    local seed
    for seed in 1 2; do
        "$fairdeal" run unconstrained --deals 10M --seed "$seed" --out "nights/$seed" --table-format parquet --quiet
    done
    python -c 'import duckdb; print("DuckDB", duckdb.__version__)'
    python query.py | tee table.txt
    grep -q '4-4-3-2\|north\|south\|east\|west' table.txt
)

cases() {
    local scenario reader=$PWD/fixtures/case-file/cases.py
    for scenario in nine-spades west-nine-spades north-3-hcp north-2-south-0-1 east-5332-34 club-length; do
        "$fairdeal" cases build "$scenario" -o "$work/$scenario.cases"
        "$fairdeal" cases list "$work/$scenario.cases" --format csv >"$work/list.csv"
        python "$reader" "$work/$scenario.cases" | cmp - "$work/list.csv"
        # The first and the last number of some cases.
        python - "$work/list.csv" >"$work/numbers" <<'PYTHON'
import csv, sys
for row in list(csv.DictReader(open(sys.argv[1])))[::97]:
    after, weight = int(row["cumulative"]), int(row["combinations"])
    print(f"{after - weight},{row['case']}\n{after - 1},{row['case']}")
PYTHON
        cut -d, -f1 "$work/numbers" | xargs "$work/python/bin/python" "$reader" "$work/$scenario.cases" |
            cmp - "$work/numbers"
    done
}

parts=("${1:-all}")
case ${parts[0]} in
all) parts=(parquet hdr duckdb cases) ;;
parquet | hdr | duckdb | cases) ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built --features parquet
python3 -m venv "$work/python"
for part in "${parts[@]}"; do
    echo "-- $part"
    "$part"
done
