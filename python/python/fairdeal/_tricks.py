"""Double-dummy tricks, and par."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arguments, _fairdeal
from ._convert import DealArray, chunks
from ._deals import Deals
from ._progress import Progress, reported

Tricks = npt.NDArray[np.uint8]


def tricks(
    deals: DealArray | Deals | Iterable[Any],
    threads: int | None = None,
    progress: Progress = None,
) -> Tricks:
    """Return the double-dummy tricks of an array of deals, or of an iterable over deals.

    The result has an element for each deal, declarer (north, east, south, west) and strain
    (no-trumps, spades, hearts, diamonds, clubs). A deal takes about 0.2 s of a thread.

    >>> import fairdeal as fd
    >>> deal = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
    >>> table = fd.tricks([fd.Deal(deal)])
    >>> table[0].tolist()
    [[7, 9, 6, 6, 6], [6, 4, 6, 7, 7], [6, 9, 6, 6, 5], [6, 4, 6, 7, 7]]
    >>> fd.par(table, dealer="south", vulnerable="both").tolist()
    [140]
    """
    threads = _arguments.threads(threads)
    if isinstance(deals, Deals):
        deals = deals.hands
    elif callable(deals):
        raise _arguments.wrong_type("deals", deals, "an array of deals")
    with reported(progress) as callback:
        parts = [_fairdeal.tricks(chunk, threads, callback) for chunk in chunks(deals, None, "hands")]
    return np.concatenate(parts) if parts else np.zeros((0, 4, 5), np.uint8)


def par(tricks: Tricks, dealer: str = "north", vulnerable: str = "none") -> npt.NDArray[np.int64]:
    """Return north-south's score at par for each deal of an array of :func:`tricks`.

    ``dealer`` is a seat, ``vulnerable`` is ``none``, ``ns``, ``ew`` or ``both``.
    """
    return _fairdeal.par(
        tricks, _arguments.text("dealer", dealer), _arguments.text("vulnerable", vulnerable)
    )
