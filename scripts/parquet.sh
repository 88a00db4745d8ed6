#!/usr/bin/env bash
# Opens the Parquet files of five reports in pyarrow and DuckDB, from PyPI, and compares every cell
# with the CSV file of the same table.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet --features parquet
fairdeal=$(realpath "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check pyarrow duckdb
"$work/python/bin/python" -c 'import duckdb, pyarrow
print(f"pyarrow {pyarrow.__version__}, DuckDB {duckdb.__version__}")'

run() { "$fairdeal" "$@" --quiet || [ $? -eq 4 ]; }
cat > "$work/script.dl" <<'SCRIPT'
hcp(west) >= 15 && hcp(east) >= 8
action average "west, strong" hcp(west), frequency "ost" (hcp(east), 5, 20)
SCRIPT
run run unconstrained --deals 1M --seed 1 --out "$work/unconstrained" --table-format parquet
run run nine-spades --sampler cases --deals 1M --seed 1 --out "$work/nine-spades" --table-format parquet
run run "$work/script.dl" --deals 1M --seed 1 --out "$work/script" --table-format parquet
run audit fixtures/records/sm0807.pbn --out "$work/audit" --table-format parquet
run theory unconstrained --out "$work/theory" --table-format parquet
"$work/python/bin/python" scripts/parquet.py \
    "$work/unconstrained" "$work/nine-spades" "$work/script" "$work/audit" "$work/theory"
