"""Deals of files and files of deals; masks, columns and combinations of conditions."""

from __future__ import annotations

import warnings
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import FIXTURES

import fairdeal as fd


@pytest.mark.parametrize("format", fd.FORMATS["written"])
def test_deals_are_written_and_read_in_every_format(format: str, tmp_path: Path) -> None:
    deals = fd.Deals(fd.Condition().deals(36, seed=1))
    deals.tricks[:] = 7
    path = tmp_path / "boards"
    deals.write(path.with_suffix(".out"), format)
    if format not in fd.FORMATS["read"] or format in {"ew", "pages"}:
        return
    again = fd.read(path.with_suffix(".out"), format)
    assert (again.hands == deals.hands).all()
    with pytest.raises(fd.ExistingFileError) as caught:
        deals.write(path.with_suffix(".out"), format)
    assert isinstance(caught.value, FileExistsError)
    deals.write(path.with_suffix(".out"), format, overwrite=True)


def test_a_file_keeps_boards_dealers_vulnerabilities_and_events(tmp_path: Path) -> None:
    hands = fd.Condition().deals(4, seed=1)
    deals = fd.Deals(
        hands,
        board=[5, 9, 2, 1],
        dealer=[3, 2, 1, 0],
        vulnerable=[0, 1, 2, 3],
        event=["Club", "Club", "Open", ""],
    )
    deals.write(tmp_path / "a.pbn")
    again = fd.read([tmp_path / "a.pbn"])
    for column in ("hands", "board", "dealer", "vulnerable"):
        assert (getattr(again, column) == getattr(deals, column)).all(), column
    assert again.event[:3].tolist() == ["Club", "Club", "Open"]
    assert (again.tricks == 255).all()
    assert again[again.dealer >= 2].board.tolist() == [5, 9]
    assert fd.audit(again).deals == 4
    read, written = fd.convert(tmp_path / "a.pbn", tmp_path / "a.lin")
    assert (read, written) == (4, 4)
    assert (fd.read(tmp_path / "a.lin").hands == hands).all()


def test_files_in_archives_are_read(tmp_path: Path) -> None:
    hands = fd.Condition().deals(4, seed=1)
    fd.Deals(hands).write(tmp_path / "a.pbn")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.pbn", "a.pbn")
    assert (fd.read(tmp_path / "a.zip").hands == hands).all()


def test_what_a_format_does_not_store_is_a_warning(tmp_path: Path) -> None:
    deals = fd.Deals(fd.Condition().deals(4, seed=1), event=["Club"] * 4)
    deals.write(tmp_path / "a.pbn")
    with pytest.warns(UserWarning, match="lost their event") as caught:
        fd.convert(tmp_path / "a.pbn", tmp_path / "a.dup")
    assert caught[0].filename == __file__


def test_masks_and_columns_are_those_of_the_hands() -> None:
    for form in ("hands", "seats"):
        array = fd.Condition().deals(5000, seed=1, form=form)
        deals = fd.Deal.from_array(array)
        strong = fd.Condition("hcp(north) >= 15 && spades(south) == 4")
        wanted = [deal.north.hcp >= 15 and len(deal.south.spades) == 4 for deal in deals]
        assert strong.mask(array).tolist() == wanted
        column = fd.Condition.column("hcp(north) - 2 * hearts(west)", array)
        assert column.tolist() == [deal.north.hcp - 2 * len(deal.west.hearts) for deal in deals]
    array = fd.Condition().deals(5000, seed=1)
    assert (strong.mask(array[::2]) == strong.mask(array)[::2]).all()
    assert strong.mask(array[:0]).shape == (0,)
    array[4000] = 0
    with pytest.raises(fd.InputError, match="row 4000 is not a deal"):
        strong.mask(array)
    for text in ("rnd(2) == 0", "tricks(north, spades) > 5"):
        with pytest.raises(fd.ConditionError):
            fd.Condition(text).mask(array)
    with pytest.raises(fd.ConditionError):
        fd.Condition.column("10 / hcp(north)", fd.Condition("hcp(north) == 0").deals(3, seed=1))


def test_conditions_combine() -> None:
    one, other = fd.Condition("predeal north SAK"), fd.Condition("hcp(south) >= 12")
    array = fd.Condition().deals(20_000, seed=1)
    masks = one.mask(array), other.mask(array)
    assert ((one & other).mask(array) == masks[0] & masks[1]).all()
    assert ((one | other).mask(array) == masks[0] | masks[1]).all()
    assert ((~one).mask(array) == ~masks[0]).all()
    assert ("1" & other).probability == other.probability
    assert other.probability + (~other).probability == 1
    assert (other & ~other).probability == 0
    assert other == fd.Condition("hcp(south) >= 12")
    assert len({one, other, fd.Condition(other.text)}) == 2


def test_an_impossible_condition_has_probability_0_and_no_tables() -> None:
    impossible = fd.Condition("hcp(north) + hcp(south) > 40")
    assert impossible.probability == Fraction(0)
    with pytest.raises(fd.ConditionError, match="no deal satisfies"):
        impossible.theory()["hcp"]
    assert fd.Condition("hcp(north) == 37").given("hcp(south) == 4").probability == 0
    with pytest.raises(fd.ConditionError, match="no deal satisfies"):
        fd.Condition("hcp(north) == 37").given(impossible)


def test_a_file_of_a_club_is_read() -> None:
    files = sorted((FIXTURES).rglob("*.pbn"))[:3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in files:
            assert np.bitwise_or.reduce(fd.read(file).hands, axis=1).all()
