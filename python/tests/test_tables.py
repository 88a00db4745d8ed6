"""Tables, and what other libraries make of them."""

from __future__ import annotations

import gc
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import fairdeal as fd
from fairdeal import _arrow

ROWS: list[dict[str, Any]] = [
    {"name": "a", "number": 1, "share": 0.5, "exact": Fraction(1, 2)},
    {"name": None, "number": -(2**62), "share": None, "exact": Fraction(1, 3)},
    {"name": "d\u00e9j\u00e0", "number": 0, "share": 2, "exact": Fraction(0)},
]


def everything() -> list[Any]:
    """One of each thing with columns."""
    verdict = fd.run(deals=20_000, seed=1)
    theory = fd.Condition("spades(west) == 9").theory()
    deals = fd.Deals(fd.Condition().deals(20, seed=1), event=["", "a"] * 10)
    return [
        fd.Table(ROWS),
        fd.Table([]),
        fd.Table(ROWS * 1000),
        *(verdict.tests, verdict.bounds, verdict.table("hcp"), verdict.table("suit_lengths")),
        *(theory.table("patterns"), theory.joint("hcp west", "shape west", exact=True)),
        *(deals, deals[:0]),
    ]


def test_a_table_is_a_sequence_of_records() -> None:
    table = fd.Table(ROWS)
    assert (len(table), table[0], table[-1]["number"]) == (3, ROWS[0], 0)
    assert table[1:] == ROWS[1:]
    assert list(table) == ROWS
    assert [column.dtype.kind for column in table.columns().values()] == list("OifO")
    drawn = fd.Table([{"<b>": "&"}])._repr_html_()
    assert "&lt;b&gt;" in drawn
    assert "&amp;" in drawn
    assert "3 rows of name, number" in repr(table)
    with pytest.raises(IndexError, match="no row 3"):
        table[3]


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_columns_are_taken_by_other_libraries(name: str) -> None:
    library = pytest.importorskip(name)
    for of in everything():
        if name == "pyarrow":
            frame = library.table(of)
            found = {column: frame[column].to_pylist() for column in frame.column_names}
        else:
            frame = of.to_polars() if name == "polars" else of.to_pandas()
            found = {column: list(frame[column]) for column in frame.columns}
        wanted = of.columns()
        assert list(found) == list(wanted)
        for column, values in wanted.items():
            for one, other in zip(found[column], values.tolist(), strict=True):
                is_unknown = other is None or other != other
                same = one == (str(other) if isinstance(other, Fraction) and name != "pandas" else other)
                assert same or (is_unknown and (one is None or one != one)), (column, one, other)


def test_streams_of_arrow_are_released() -> None:
    polars = pytest.importorskip("polars")
    before = len(_arrow._KEPT)
    table = fd.Table(ROWS * 1000)
    table.__arrow_c_stream__()
    frames = [polars.DataFrame(table) for _ in range(20)]
    assert (frames[3]["number"] == 1).sum() == 1000
    del frames
    gc.collect()
    assert len(_arrow._KEPT) == before


@pytest.mark.parametrize("name", ["polars", "pyarrow"])
def test_columns_may_live_until_python_ends(name: str) -> None:
    pytest.importorskip(name)
    make = {"polars": "polars.DataFrame", "pyarrow": "pyarrow.table"}[name]
    code = f"""import fairdeal as fd, {name}
deals = fd.Deals(fd.Condition().deals(20, seed=1))
first, capsule = {make}(deals), deals.__arrow_c_stream__()
{name}.kept = [{make}(deals)]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_columns_of_deals_are_those_of_the_hands() -> None:
    deals = fd.Deals(fd.Condition().deals(20, seed=1))
    columns = deals.columns()
    assert (np.stack([columns[seat] for seat in ("north", "east", "south", "west")], 1) == deals.hands).all()
    assert list(columns)[4:] == ["board", "dealer", "vulnerable", "event"]
