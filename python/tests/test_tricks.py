"""Double-dummy tricks and par: published results, and what is refused."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairdeal as fd

DEAL = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
PUBLISHED = Path(__file__).parents[2] / "fixtures/solved/published.csv"


def test_tricks_are_the_published_ones() -> None:
    with PUBLISHED.open() as lines:
        rows = list(csv.reader(lines))[1:4]
    # Strain by strain in the file, declarer by declarer in the array.
    published = [np.array([int(digit, 16) for digit in row[2]]).reshape(5, 4).T for row in rows]
    deals = [fd.Deal(row[1]) for row in rows]
    tricks = fd.tricks(deals, threads=2)
    assert tricks.dtype == np.uint8
    assert tricks.tolist() == [table.tolist() for table in published]
    hands = np.array([[hand.bits for hand in deal.hands] for deal in deals], dtype=np.uint64)
    stages: list[tuple[Any, ...]] = []
    again = fd.tricks(hands, progress=lambda *stage: stages.append(stage))
    assert again.tolist() == tricks.tolist()
    assert stages[-1] == ("solved", 3, 3)
    assert fd.tricks([]).shape == (0, 4, 5)


def test_par_is_the_score_of_north_south() -> None:
    # Either side makes one no-trump and nothing else: who opens first plays it.
    tricks = np.full((1, 4, 5), 6, dtype=np.uint8)
    tricks[0, :, 0] = 7
    assert fd.par(tricks).tolist() == [90]
    assert fd.par(tricks, dealer="E", vulnerable="both").tolist() == [-90]
    # North-south alone make a slam in spades.
    tricks[0, [0, 2]] = [7, 12, 7, 7, 7]
    tricks[0, [1, 3]] = 1
    assert fd.par(tricks, vulnerable="ew").tolist() == [980]
    assert fd.par(tricks, vulnerable="ns").tolist() == [1430]
    assert fd.par(np.zeros((0, 4, 5), dtype=np.uint8)).tolist() == []


def test_what_has_no_tricks_is_refused() -> None:
    with pytest.raises(ValueError, match="row 0 is not a deal"):
        fd.tricks(np.zeros((1, 4), dtype=np.uint64))
    with pytest.raises(ValueError, match="0 threads"):
        fd.tricks([fd.Deal(DEAL)], threads=0)
    tricks = np.full((2, 4, 5), 13, dtype=np.uint8)
    with pytest.raises(ValueError, match="`up` is not a seat"):
        fd.par(tricks, dealer="up")
    with pytest.raises(ValueError, match="`all` is not a vulnerability"):
        fd.par(tricks, vulnerable="all")
    with pytest.raises(ValueError, match="4 x 4 tricks"):
        fd.par(tricks[:, :, :4])
    tricks[1, 0, 0] = 14
    with pytest.raises(ValueError, match="row 1 has more than 13"):
        fd.par(tricks)
