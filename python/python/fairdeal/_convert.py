"""Conversions between fairdeal's deals and those of endplay and redeal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _arguments
from ._errors import ArgumentTypeError, InputError, UsageError
from ._fairdeal import Deal

Hands = npt.NDArray[np.uint64]
Seats = npt.NDArray[np.uint8]
DealArray = Union[Hands, Seats]
Dealer = Callable[[Any], Any]

_ROWS = 1 << 16
_OBJECTS = 1 << 10


def to_deal(deal: Any) -> Deal:
    """Return the :class:`Deal` of a PBN string, an array's row, or a deal of endplay or redeal.

    >>> import fairdeal as fd
    >>> text = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
    >>> fd.to_deal(text).north.hcp
    14
    """
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, str):
        return Deal(deal)
    if hasattr(deal, "to_pbn") and not isinstance(deal, type):  # endplay
        return Deal(deal.to_pbn())
    if isinstance(deal, np.ndarray):
        if deal.shape == (52,):
            return Deal.from_seats(deal.tolist())
        return Deal.from_hands(deal.tolist())
    if isinstance(deal, tuple) and len(deal) == 4:  # redeal: four hands of four holdings
        hands = (".".join(str(holding) for holding in hand) for hand in deal)
        return Deal("N:" + " ".join(hands))
    raise ArgumentTypeError(f"deal: {type(deal).__name__} is not a deal")


def to_endplay(deal: Deal) -> Any:
    """Return the deal as an ``endplay.types.Deal``; endplay must be installed."""
    deal = to_deal(deal)
    try:
        from endplay.types import Deal as EndplayDeal
    except ImportError:
        raise UsageError("deal: endplay is not installed") from None

    return EndplayDeal(deal.pbn)


def to_redeal(deal: Deal) -> Any:
    """Return the deal as a ``redeal.Deal``; redeal must be installed."""
    deal = to_deal(deal)
    try:
        from redeal import Deal as RedealDeal
    except ImportError:
        raise UsageError("deal: redeal is not installed") from None

    hands = (" ".join(suit or "-" for suit in hand.suits) for hand in deal.hands)
    return RedealDeal.prepare(dict(zip("NESW", hands)))()


def chunks(source: Any, deals: int | None, form: str) -> Iterator[DealArray | list[Deal]]:
    """Give the deals of an array, of a function that fills arrays, or of an iterable."""
    if isinstance(source, np.ndarray):
        rows = checked("source", source)
        for start in range(0, len(rows) if deals is None else min(deals, len(rows)), _ROWS):
            end = start + _ROWS if deals is None else min(start + _ROWS, deals)
            yield rows[start:end]
    elif callable(source):
        if deals is None:
            raise ArgumentTypeError("deals: a function that fills arrays needs the number of deals: deals=...")
        yield from _filled(source, deals, form)
    else:
        try:
            given = iter(source)
        except TypeError:
            raise _arguments.wrong_type("source", source, "deals") from None
        yield from _listed(given if deals is None else islice(given, deals))


def _filled(dealer: Dealer, deals: int, form: str) -> Iterator[DealArray]:
    for start in range(0, deals, _ROWS):
        array = empty(min(_ROWS, deals - start), form)
        given = dealer(array)
        yield array if given is None else checked("source", np.asarray(given))


def _listed(source: Iterable[Any]) -> Iterator[DealArray | list[Deal]]:
    waiting: list[Deal] = []
    for deal in source:
        if isinstance(deal, np.ndarray) and deal.ndim == 2:
            if waiting:
                yield waiting
                waiting = []
            yield checked("source", deal)
            continue
        waiting.append(to_deal(deal))
        if len(waiting) == _OBJECTS:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def empty(deals: int, form: str) -> DealArray:
    """Return an array for this number of deals."""
    if _arguments.one_of("form", form, ("hands", "seats")) == "hands":
        return _arguments.allocated((deals, 4), np.uint64, "n")
    return _arguments.allocated((deals, 52), np.uint8, "n")


def checked(name: str, array: Any) -> DealArray:
    """Return an array of deals as the compiled part takes it: a copy only if it must be one."""
    if not isinstance(array, np.ndarray):
        raise _arguments.wrong_type(name, array, "an array of deals")
    if array.ndim != 2 or array.shape[1] not in (4, 52) or array.dtype.kind not in "iu":
        raise InputError(
            f"{name}: an array of {array.dtype} with shape {array.shape} has no deals: expected "
            "(n, 4) integers of 64 bits (hands) or (n, 52) seats from 0 to 3"
        )
    if array.shape[1] == 4:
        return np.require(array, np.uint64, ("C", "A"))
    if array.size and not 0 <= int(array.min()) <= int(array.max()) <= 3:
        raise InputError(f"{name}: a seat is not 0, 1, 2 or 3")
    return np.require(array, np.uint8, ("C", "A"))
