"""Deals with their boards: read from files, written into files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Union, overload

import numpy as np
import numpy.typing as npt

from . import _arguments, _fairdeal
from ._arguments import Path
from ._convert import DealArray, Hands, checked
from ._errors import InputError, RowIndexError, UsageError
from ._fairdeal import Deal
from ._progress import Progress, reported
from ._table import Columns
from ._theory import SEATS

#: The names of the formats that can be read, and of those that can be written.
FORMATS: dict[str, tuple[str, ...]] = {
    "read": tuple(_fairdeal.FORMATS[0]),
    "written": tuple(_fairdeal.FORMATS[1]),
}

_UNKNOWN_TRICKS = 255
#: The columns beside the hands: the shape of a row, the type and the unknown value.
_COLUMNS: dict[str, tuple[tuple[int, ...], Any, Any]] = {
    "board": ((), np.int64, -1),
    "dealer": ((), np.int8, -1),
    "vulnerable": ((), np.int8, -1),
    "event": ((), object, ""),
    "tricks": ((4, 5), np.uint8, _UNKNOWN_TRICKS),
}
_Rows = Union[slice, npt.NDArray[Any], Sequence[int]]


class Deals(Columns):
    """Deals with what a file says of their boards, column by column.

    ==============  ===================  ==========================================================
    attribute       array                values
    ==============  ===================  ==========================================================
    ``hands``       (n, 4) of uint64     the hands clockwise from north, as :attr:`Hand.bits`
    ``board``       (n,) of int64        numbers of the boards; -1 is unknown
    ``dealer``      (n,) of int8         0 to 3 clockwise from north; -1 is unknown
    ``vulnerable``  (n,) of int8         0 none, 1 north-south, 2 east-west, 3 both; -1 is unknown
    ``event``       (n,) of str objects  names of the events; empty is unknown
    ``tricks``      (n, 4, 5) of uint8   double-dummy tricks as those of :func:`tricks`; 255 is
                                         unknown
    ==============  ===================  ==========================================================

    An index or a mask of rows gives the :class:`Deal` or the deals of these rows. Unknown numbers,
    dealers and vulnerabilities are written as those of boards 1, 2 and so on.

    >>> import fairdeal as fd
    >>> deals = fd.Deals(fd.Condition("hcp(north) >= 20").deals(36, seed=1))
    >>> len(deals), deals[0].north.hcp >= 20, deals[:4].board.tolist()
    (36, True, [-1, -1, -1, -1])
    """

    hands: Hands
    board: npt.NDArray[np.int64]
    dealer: npt.NDArray[np.int8]
    vulnerable: npt.NDArray[np.int8]
    event: npt.NDArray[np.object_]
    tricks: npt.NDArray[np.uint8]

    def __init__(
        self,
        hands: DealArray | Iterable[Deal],
        *,
        board: npt.ArrayLike | None = None,
        dealer: npt.ArrayLike | None = None,
        vulnerable: npt.ArrayLike | None = None,
        event: npt.ArrayLike | None = None,
        tricks: npt.ArrayLike | None = None,
    ) -> None:
        self.hands = _hands(hands)
        for name, given in zip(_COLUMNS, (board, dealer, vulnerable, event, tricks)):
            setattr(self, name, given)

    def __setattr__(self, name: str, given: Any) -> None:
        """Set a column, or without values an unknown one, of as many rows as there are."""
        if name == "hands":
            column = _hands(given)
            wanted: tuple[int, ...] = (len(vars(self).get("hands", column)), 4)
        elif name in _COLUMNS:
            shape, dtype, unknown = _COLUMNS[name]
            wanted = (len(self.hands), *shape)
            try:
                column = np.full(wanted, unknown, dtype) if given is None else np.asarray(given, dtype)
            except (TypeError, ValueError, OverflowError):
                raise _arguments.wrong_type(name, given, f"an array of {np.dtype(dtype)}") from None
        else:
            raise UsageError(f"deals have no column `{name}`")
        if column.shape != wanted:
            raise InputError(f"{name}: an array of shape {column.shape} instead of {wanted}")
        super().__setattr__(name, column)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the hands by seat and the boards, column by column, without the tricks."""
        hands = {seat: self.hands[:, place] for place, seat in enumerate(SEATS)}
        boards: dict[str, npt.NDArray[Any]] = dict(
            board=self.board, dealer=self.dealer, vulnerable=self.vulnerable, event=self.event
        )
        return {**hands, **boards}

    def __len__(self) -> int:
        return len(self.hands)

    def __iter__(self) -> Iterator[Deal]:
        return iter(Deal.from_array(self.hands))

    @overload
    def __getitem__(self, rows: int) -> Deal: ...

    @overload
    def __getitem__(self, rows: _Rows) -> Deals: ...

    def __getitem__(self, rows: int | _Rows) -> Deal | Deals:
        if isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
            if not -len(self) <= rows < len(self):
                raise RowIndexError(f"rows: there is no deal {rows} of {len(self)}")
            return Deal.from_hands(self.hands[rows].tolist())
        try:
            chosen = self.hands[rows]
        except (IndexError, TypeError, ValueError) as error:
            raise RowIndexError(f"rows: {error}") from None
        return Deals(
            chosen,
            board=self.board[rows],
            dealer=self.dealer[rows],
            vulnerable=self.vulnerable[rows],
            event=self.event[rows],
            tricks=self.tricks[rows],
        )

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same deals and boards."""
        if not isinstance(other, Deals):
            return NotImplemented
        pairs = zip(vars(self).values(), vars(other).values())
        return all(np.array_equal(one, another) for one, another in pairs)

    __hash__ = None  # type: ignore[assignment]

    def write(self, path: Path, format: str | None = None, *, overwrite: bool = False) -> None:
        """Write the deals into a file, in one of ``FORMATS["written"]``; by default that of the
        path's ending.

        Raises :class:`ExistingFileError` if there is a file, unless it may be overwritten, and
        :class:`InputError` if the format cannot store the deals.
        """
        deals = Deals(**vars(self))  # checked again: NumPy changes shapes and types in place
        names, events = np.unique(deals.event.astype(str), return_inverse=True)
        _fairdeal.write_file(
            _arguments.path("path", path),
            _arguments.optional_text("format", format),
            _arguments.flag("overwrite", overwrite),
            deals.hands,
            deals.board,
            deals.dealer,
            deals.vulnerable,
            events.reshape(-1).astype(np.uint32),
            [_arguments.text("event", str(name)) for name in names],
            deals.tricks.reshape(-1),
        )

    def __repr__(self) -> str:
        return f"<Deals: {len(self):,}>"

    def _repr_html_(self) -> str:
        """The diagrams of the first four deals, for notebooks."""
        shown = "".join(deal._repr_html_() for deal in self[:4])
        return f"<p>{len(self):,} deals</p>{shown}"


def _hands(hands: DealArray | Iterable[Deal]) -> Hands:
    if isinstance(hands, np.ndarray) and hands.ndim == 2 and hands.shape[1] == 4:
        array = checked("hands", hands)
        Deal.from_array(array[:0])
        return array  # type: ignore[return-value]
    if isinstance(hands, np.ndarray):
        try:
            given = Deal.from_array(checked("hands", hands))
        except InputError as error:
            raise InputError(f"hands{str(error).removeprefix('array').removeprefix('hands')}") from None
    else:
        try:
            given = list(hands)
        except TypeError:
            raise _arguments.wrong_type("hands", hands, "an array or deals") from None
        for deal in given:
            if not isinstance(deal, Deal):
                raise _arguments.wrong_type("hands", deal, "a Deal")
    bits = [[hand.bits for hand in deal.hands] for deal in given]
    return np.array(bits, dtype=np.uint64).reshape(-1, 4)


def read(
    paths: Path | Iterable[Path], format: str | None = None, *, progress: Progress = None
) -> Deals:
    """Read the deals of files, plain or compressed, in one of ``FORMATS["read"]``; by default the
    format of each file is detected.

    Entries that are not legal deals are left out with a warning. Raises :class:`MissingFileError`
    without a file, and :class:`InputError` if there are no deals.
    """
    files = _arguments.paths("paths", paths)
    format = _arguments.optional_text("format", format)
    with reported(progress) as callback:
        hands, board, dealer, vulnerable, events, names, tricks = _fairdeal.read_files(
            files, format, callback
        )
    event = np.array(names, dtype=object)[events]
    return Deals(
        hands, board=board, dealer=dealer, vulnerable=vulnerable, event=event, tricks=tricks
    )


def convert(
    paths: Path | Iterable[Path],
    to: Path,
    format: str | None = None,
    *,
    from_format: str | None = None,
    overwrite: bool = False,
    progress: Progress = None,
) -> tuple[int, int]:
    """Write the boards of files in another format as ``fairdeal convert`` does, with players,
    auctions and results where it stores them; return the numbers of boards read and written.

    Warnings say what the format does not store. The errors are those of :func:`read` and
    :meth:`Deals.write`.
    """
    with reported(progress) as callback:
        return _fairdeal.convert_files(
            _arguments.paths("paths", paths),
            _arguments.path("to", to),
            _arguments.optional_text("format", format),
            _arguments.optional_text("from_format", from_format),
            _arguments.flag("overwrite", overwrite),
            callback,
        )
