"""Tables: rows as dictionaries, and columns for other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _arguments, _arrow
from ._errors import RowIndexError, UsageError

Record = dict[str, Any]

_SHOWN = 20


class Columns:
    """What has columns: they are taken by pandas, by polars, and by everything that reads Arrow.

    ``pyarrow.table(of)``, ``polars.DataFrame(of)`` and DuckDB read the columns by
    ``__arrow_c_stream__``.
    """

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``; pandas must be installed."""
        return _imported("pandas").DataFrame(self.columns())

    def to_polars(self) -> Any:
        """Return a ``polars.DataFrame``; polars must be installed."""
        return _imported("polars").DataFrame(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a capsule of a stream of Arrow with all rows; fractions are texts."""
        columns = self.columns()
        return _arrow.stream(columns, max(map(len, columns.values()), default=0))


class Table(Columns):
    """A table: a sequence of records, whose columns other libraries take.

    >>> import fairdeal as fd
    >>> tests = fd.run("spades(west) == 9", deals=100_000, seed=1).tests
    >>> tests[0]["test"], len(tests) == len(tests.columns()["log10_p"])
    ('C card table', True)
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        try:
            self._records = [dict(record) for record in records]
        except (TypeError, ValueError):
            raise _arguments.wrong_type("records", records, "an iterable over dictionaries") from None

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name: integers, numbers (NaN is unknown) or objects."""
        names = dict.fromkeys(name for record in self._records for name in record)
        return {name: _column([record.get(name) for record in self._records]) for name in names}

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    @overload
    def __getitem__(self, rows: int) -> Record: ...

    @overload
    def __getitem__(self, rows: slice) -> Table: ...

    def __getitem__(self, rows: int | slice) -> Record | Table:
        try:
            found = self._records[rows]
        except IndexError:
            raise RowIndexError(f"rows: there is no row {rows} of {len(self)}") from None
        except (TypeError, ValueError, OverflowError):
            raise _arguments.wrong_type("rows", rows, "a whole number or a slice") from None
        return found if isinstance(found, dict) else Table(found)

    def __eq__(self, other: object) -> bool:
        """Whether the other is a table, or a list, of the same records."""
        return list(self) == (list(other) if isinstance(other, Table) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Table: {len(self):,} rows of {', '.join(self.columns())}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        columns = self.columns()
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = (
            "".join(f"<td>{escape(_shown(record.get(name)))}</td>" for name in columns)
            for record in self._records[:_SHOWN]
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table><p>{len(self):,} rows</p>"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _column(values: list[Any]) -> npt.NDArray[Any]:
    """The values as integers or numbers if they are, else as objects."""
    if all(type(value) is int and abs(value) < 1 << 63 for value in values):
        return np.array(values, dtype=np.int64)
    if all(value is None or type(value) in (int, float) for value in values):
        return np.array(values, dtype=np.float64)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _imported(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        raise UsageError(f"{name} is not installed") from None
