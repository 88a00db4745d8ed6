#!/usr/bin/env bash
# Reads the files of fairdeal with other programs, which are installed from PyPI into a temporary
# folder. Fails on any difference. A program without Parquet skips the parts that need it.
#
#   scripts/readers.sh [parquet|hdr|duckdb|cases|all]
#   scripts/readers.sh squaredeal DIR
#
# parquet: every cell of the Parquet files of five reports, in pyarrow and DuckDB, equals that of
# the CSV file of the same table. hdr: latency.hlog of `bench --save`, in HdrHistogram's own Python
# port and merged by tag, equals every line of latency-K.hgrm and the percentiles of --json. duckdb:
# the Python block of docs/guide/verdict.md runs on the reports of the two runs above it in the text.
# cases: the reader of case files in fixtures/case-file/ lists the cases of six scenarios as fairdeal
# does, and finds the same cases by the guide as by the list. squaredeal: the tools of SquareDeal's
# author, squaredeal.pl and a bigdealx that was built, deal a tournament of ours, and we one of
# theirs; every board is the same, those in reserve too. DIR is their folder (on GitHub,
# hansvanstaveren/BigDeal); without them, or without the modules of Perl that they use, NOT RUN.
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

# The tools ask on standard input, in the order of the answers.
theirs() { printf '%s\n' "$@" '' | perl "$tools/squaredeal.pl" >>"$work/said"; }
same_boards() { cmp <(grep -E '^\[(Board|Deal) ' "$1") <(grep -E '^\[(Board|Deal) ' "$2"); }

squaredeal() (
    if ! perl -c "$tools/squaredeal.pl" 2>"$work/errors" || [ ! -x "$tools/bigdealx" ]; then
        head -1 "$work/errors"
        echo "the tools of SquareDeal: NOT RUN"
        return
    fi
    export PATH=$tools:$PATH
    mkdir "$work/ours" "$work/theirs" "$work/again" && cd "$work"
    for folder in ours theirs; do
        printf '[BigDeal]\nformats=pbn\naskformats=no\nowner=fairdeal\n' >$folder/.bigdealrc
    done
    # A tournament of ours: all sessions, one whose number was not known, and one in reserve.
    "$fairdeal" squaredeal new ours/OURS --name 'A test' --value-name 'a closing' \
        --phase '5:1-16,17-32:rr#:Round ##' --phase '2:20:fin#:Final' --phase '0:12:kx#:Knock #'
    "$fairdeal" squaredeal value ours/OURS.sqd '12,345.67 é'
    (cd ours && theirs OURS 2 1 '*' 2 2 '*' 2 3 4 3 2 1 0)
    local deal=("$fairdeal" squaredeal deal ours/OURS.sqd ours/OURS.sqk --format pbn -o again/ours)
    "${deal[@]}" --phase 1 && "${deal[@]}" --phase 2
    "${deal[@]}" --phase 3 --session 4 && "${deal[@]}" --phase 2 --session 1 --reserve
    # One of theirs, whose boards are stated when a session is dealt.
    (cd theirs && theirs THEIRS 1 'A test' 2 'a closing' 3 4 3x7 'q#' 'Qual #' 3 0 '?' 'ko#' 'KO #' 4 0)
    (cd theirs && theirs THEIRS 1 39,123.45 2 1 '*' 2 2 3 17-32 3 1 2 0)
    "$fairdeal" squaredeal verify theirs/THEIRS.sqd theirs/THEIRS.sqk theirs/q[1-4].pbn theirs/ko3.pbn
    deal=("$fairdeal" squaredeal deal theirs/THEIRS.sqd theirs/THEIRS.sqk --format pbn -o again/theirs)
    "${deal[@]}" --phase 1 && "${deal[@]}" --phase 2 --session 3 --boards 17-32
    "${deal[@]}" --phase 1 --session 2 --reserve
    local file
    for file in again/*/*.pbn; do
        same_boards "$file" "$(sed 's|again/||; s|-reserve|reserve|' <<<"$file")"
    done
    echo "$(ls again/*/*.pbn | wc -l) files with $(cat again/*/*.pbn | grep -c '^\[Deal ') boards are the same"
)

parts=("${1:-all}")
case ${parts[0]} in
all) parts=(parquet hdr duckdb cases) ;;
parquet | hdr | duckdb | cases) ;;
squaredeal) tools=$(realpath "${2:?the folder of squaredeal.pl and bigdealx}") ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
in_work
built --features parquet
python3 -m venv "$work/python"
for part in "${parts[@]}"; do
    echo "-- $part"
    "$part"
done
