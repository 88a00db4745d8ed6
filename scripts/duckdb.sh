#!/usr/bin/env bash
# Runs the Python block of docs/guide/verdict.md in DuckDB 1.5, on the reports of the two runs above
# it in the text. FAIRDEAL is the absolute path of the program; by default it is built. Fails if the
# query fails or returns no row.
set -euo pipefail
cd "$(dirname "$0")/.."
fairdeal=${FAIRDEAL:-}
if [ -z "$fairdeal" ]; then
    cargo build --release --locked --quiet --features parquet
    fairdeal=$(realpath "${CARGO_TARGET_DIR:-target}/release/fairdeal")
fi
page=$PWD/docs/guide/verdict.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check "duckdb==1.5.*"
cd "$work"
awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' "$page" >query.py
grep -q shapes.parquet query.py
for seed in 1 2; do
    "$fairdeal" run unconstrained --deals 10M --seed "$seed" --out "nights/$seed" --table-format parquet --quiet
done
python/bin/python -c 'import duckdb; print("DuckDB", duckdb.__version__)'
python/bin/python query.py | tee table.txt
grep -q '4-4-3-2\|north\|south\|east\|west' table.txt
