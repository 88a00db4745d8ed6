"""Checks that other programs read the same values in a report's Parquet and CSV files.

Usage: parquet.py FOLDER.. ; needs pyarrow and duckdb.
"""

import csv
import math
import pathlib
import sys

import duckdb
import pyarrow.parquet as pq

TYPES = {"string": "VARCHAR", "int64": "BIGINT", "double": "DOUBLE"}


def same(text, value):
    """Whether a cell of CSV has this value."""
    if value is None:
        return text == ""
    if isinstance(value, float):
        return math.isinf(value) and text == str(value) or float(text) == value
    return text == str(value)


def compare(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file))
    path = folder / f"{name}.parquet"
    table = pq.read_table(path)
    assert table.column_names == header, (path, table.column_names)
    by_arrow = list(zip(*(column.to_pylist() for column in table.columns)))
    query = duckdb.sql(f"from read_parquet('{path}')")
    assert query.columns == header, path
    types = [TYPES[str(field.type)] for field in table.schema]
    assert [str(kind) for kind in query.types] == types, (path, query.types)
    by_duckdb = query.fetchall()
    for program, found in (("pyarrow", by_arrow), ("duckdb", by_duckdb)):
        assert len(found) == len(rows), (path, program, len(found), len(rows))
        for line, (row, values) in enumerate(zip(rows, found), 2):
            for column, text, value in zip(header, row, values):
                assert same(text, value), (path, program, line, column, text, value)
    return len(rows) * len(header)


def main():
    for folder in map(pathlib.Path, sys.argv[1:]):
        tables = sorted(path.stem for path in folder.glob("*.parquet"))
        texts = sorted(path.stem for path in folder.glob("*.csv"))
        assert tables == texts and tables, (folder, tables, texts)
        cells = sum(compare(folder, name) for name in tables)
        sizes = [
            sum(path.stat().st_size for path in folder.glob(f"*.{kind}"))
            for kind in ("csv", "parquet")
        ]
        print(
            f"{folder.name}: {len(tables)} tables, {cells:,} cells, all the same in pyarrow and "
            f"DuckDB; {sizes[0]:,} bytes of CSV, {sizes[1]:,} of Parquet"
        )
    worst = duckdb.sql(
        f"""select seat, shape, observed, expected, z
        from read_parquet('{sys.argv[1]}/shapes.parquet') order by abs(z) desc limit 3"""
    )
    print(worst)


if __name__ == "__main__":
    main()
