"""Deals: arrays, streams, mixes, and the program's own deals of the same seeds."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

import fairdeal as fd

TEXT = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
CONDITIONS = [
    "1",
    "hcp(north) >= 15 && hcp(north) <= 17",
    "hcp(north) == 37",
    "hcp(west) >= 20 && hearts(east) == 0",
    "hascard(north, 2C) && spades(north) >= 6",
    "predeal north SAK condition hcp(south) >= 15",
]
MIX = """points = hcp(north) + hcp(south)
game = points >= 25
invitation = points >= 23
pass = 1
#mix: game 40%, invitation 40%, pass 20%
condition hearts(north) >= 5 && hearts(south) >= 3 && hcp(north) >= 11
"""


def pbn(hands: Any) -> list[str]:
    return [deal.pbn for deal in fd.Deal.from_array(hands)]


def test_a_deal_has_hands_suits_points_and_shapes() -> None:
    deal = fd.Deal(TEXT)
    assert deal.pbn == str(deal) == TEXT
    assert eval(repr(deal), {"Deal": fd.Deal}) == deal
    assert [hand.hcp for hand in deal.hands] == [14, 9, 9, 8]
    assert deal.north.suits == ["8", "AKQT4", "AJ6", "T742"]
    assert deal["south"] == deal["S"] == deal.south
    assert (deal.west.spades, deal.west.lengths, deal.west.shape) == ("A6543", (5, 3, 3, 2), "5-3-3-2")
    assert deal.east.cards[0] == "S9"
    assert len(deal.east) == 13
    assert "HJ" in deal.east
    assert "HA" not in deal.east
    assert len({deal, fd.Deal(TEXT)}) == 1
    assert pickle.loads(pickle.dumps(deal)) == deal
    turned = "S:KQJT72.62.T84.K6 A6543.987.753.A3 8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985"
    assert fd.Deal(turned) == deal
    assert fd.Deal.from_hands([hand.bits for hand in deal.hands]) == deal


def test_a_deal_is_drawn_in_notebooks() -> None:
    drawn = fd.Deal(TEXT)._repr_html_()
    assert drawn.startswith("<table")
    for holding in ["AKQT4", "QJ985", "KQJT72", "A6543"]:
        assert drawn.count(holding) == 1


@pytest.mark.parametrize(
    ("scheme", "number"),
    [
        ("pavlicek", 40958565147961533588277623299),
        ("andrews", 49321653299255886550697095352),
    ],
)
def test_a_deal_has_a_number_in_every_scheme(scheme: str, number: int) -> None:
    deal = fd.Deal(TEXT)
    assert deal.number(scheme) == number
    assert fd.Deal.from_number(number, scheme) == deal
    for other in ["pavlicek-suits", "bigdeal", "ending", "ending-any", "base5"]:
        assert fd.Deal.from_number(deal.number(other), other) == deal
    with pytest.raises(ValueError, match="is not a numbering scheme"):
        deal.number("roman")
    with pytest.raises(ValueError, match="above the largest number"):
        fd.Deal.from_number(10**30)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("N:AKQ", "1 hands instead of 4"),
        (TEXT.replace("9.J53", "9.J5"), "east holds 12 cards instead of 13: H3 is in no hand"),
    ],
)
def test_what_is_not_a_deal_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        fd.Deal(text)


def test_rows_that_are_not_deals_are_refused() -> None:
    hands = fd.Condition().deals(3, seed=1)
    hands[1, 0] = hands[1, 1]
    with pytest.raises(ValueError, match="row 1 is not a deal: .* is in two hands"):
        fd.Deal.from_array(hands)
    with pytest.raises(ValueError, match="bits that are not cards"):
        fd.Deal.from_hands([1 << 63, 0, 0, 0])
    with pytest.raises(ValueError, match="seat 4 of SA"):
        fd.Deal.from_seats([4] * 52)
    with pytest.raises(ValueError, match="5 columns"):
        fd.Deal.from_array(np.zeros((2, 5), dtype=np.uint64))


@pytest.mark.parametrize("text", CONDITIONS)
def test_arrays_and_streams_have_the_same_deals(text: str) -> None:
    condition = fd.Condition(text)
    hands = condition.deals(500, seed=3)
    seats = condition.deals(500, seed=3, form="seats")
    assert hands.dtype == np.uint64
    assert seats.dtype == np.uint8
    deals = fd.Deal.from_array(hands)
    assert deals == fd.Deal.from_array(seats)
    # Every card once.
    assert (np.bitwise_or.reduce(hands, axis=1) == 0x1FFF_1FFF_1FFF_1FFF).all()
    assert (np.apply_along_axis(np.bincount, 1, seats, minlength=4) == 13).all()


@pytest.mark.parametrize("text", CONDITIONS)
def test_streams_have_the_same_deals_in_arrays_of_any_size(text: str) -> None:
    condition = fd.Condition(text)
    wanted = next(condition.stream(seed=5, size=3000))
    assert wanted.shape == (3000, 4)
    for size, n in [(1, 20), (999, 2500), (4000, 3000)]:
        chunks = list(condition.stream(seed=5, size=size, n=n))
        assert [len(chunk) for chunk in chunks[:-1]] == [size] * (len(chunks) - 1)
        assert (np.concatenate(chunks) == wanted[:n]).all()
    seats = next(condition.stream(seed=5, size=3000, form="seats"))
    assert fd.Deal.from_array(seats) == fd.Deal.from_array(wanted)
    assert list(condition.stream(seed=5, n=0)) == []
    assert condition.mask(wanted).all()


def test_a_stream_has_the_deals_of_an_array_of_its_default_size() -> None:
    condition = fd.Condition("hcp(north) >= 20")
    deals = condition.deals(2**20, seed=5)
    assert (next(condition.stream(seed=5)) == deals).all()


def test_generators_of_numpy_are_seeds() -> None:
    def deals(seed: Any) -> Any:
        return fd.Condition().deals(10, seed=seed)

    for make in (np.random.default_rng, np.random.SeedSequence):
        assert (deals(make(7)) == deals(make(7))).all()
        assert (deals(make(7)) != deals(make(8))).any()
    generator = np.random.default_rng(7)
    assert (deals(generator) != deals(generator)).any()
    assert (deals(np.uint64(7)) == deals(7)).all()


def test_an_array_can_be_filled_again() -> None:
    condition = fd.Condition("hcp(north) >= 15", name="fifteen")
    out = np.zeros((100, 4), dtype=np.uint64)
    assert condition.deals(seed=1, out=out) is out
    assert (out == condition.deals(100, seed=1)).all()
    assert (out != condition.deals(100)).any()
    assert len(condition.deals(0)) == 0
    with pytest.raises(ValueError, match="100 rows for 99 deals"):
        condition.deals(99, out=out)
    with pytest.raises(ValueError, match="out: .*5 columns instead of 4"):
        condition.deals(seed=1, out=np.zeros((3, 5), dtype=np.uint64))


@pytest.mark.parametrize("text", CONDITIONS)
@pytest.mark.parametrize("n", [1, 36, 3000])
def test_deals_are_those_of_the_program(program: Callable[..., str], text: str, n: int) -> None:
    samplers: list[Literal["auto", "rejection"]] = ["auto", "rejection"]
    for sampler in samplers:
        if sampler == "rejection" and "37" in text:
            continue  # one deal in 10^11
        wanted = program("deal", "--where", text, "-n", str(n), "--seed", "7", "--sampler", sampler, "-q")
        condition = fd.Condition(text)
        assert pbn(condition.deals(n, 7, sampler=sampler)) == wanted.split("\n")[:-1]


def test_deals_of_a_mix_are_those_of_the_program(
    program: Callable[..., str], tmp_path: Any
) -> None:
    script = tmp_path / "levels.dl"
    script.write_text(MIX)
    condition = fd.Condition.from_file(script)
    rules: list[Literal["exact", "random"]] = ["exact", "random"]
    for shares in rules:
        wanted = program("deal", str(script), "-n", "200", "--seed", "7", "--shares", shares, "-q")
        hands = condition.deals(200, 7, shares=shares)
        assert pbn(hands) == wanted.split("\n")[:-1]


@pytest.mark.filterwarnings("ignore::fairdeal.ConditionWarning")
def test_a_mix_has_the_shares_of_its_types() -> None:
    base = fd.Condition("hearts(north) >= 5 && hearts(south) >= 3 && hcp(north) >= 11")
    points = "hcp(north) + hcp(south)"
    mixed = base.mix(
        {"game": (f"{points} >= 25", 40), "invitation": (f"{points} >= 23", 40), "pass": ("1", 20)}
    )
    assert mixed.types == fd.Condition(MIX).types
    hands, kinds = mixed.typed_deals(200, seed=7)
    assert (hands == fd.Condition(MIX).deals(200, seed=7)).all()
    assert (hands == np.concatenate(list(mixed.stream(seed=7, size=90, n=200)))).all()
    assert np.bincount(kinds).tolist() == [80, 80, 40]
    for deal, kind in zip(fd.Deal.from_array(hands), kinds):
        together = deal.north.hcp + deal.south.hcp
        assert kind == (0 if together >= 25 else 1 if together >= 23 else 2)
    for deal in fd.Deals(mixed.type("invitation").deals(20, seed=1)):
        assert 23 <= deal.north.hcp + deal.south.hcp < 25
    types = mixed.theory().types
    assert sum(of["natural"] for of in types.values()) == 1
    named = fd.Condition(MIX.replace("#mix", "# no mix")).mix({"game": 2, "hcp(north) == 11": 1.5})
    assert list(named.types) == ["game", "type2"]
    with pytest.raises(KeyError, match="no type `slam`"):
        mixed.type("slam")
    with pytest.raises(ValueError, match="six decimals"):
        base.mix({"1": 1 / 3})
    with pytest.raises(fd.UsageError, match="number of deals"):
        mixed.stream()
    with pytest.raises(fd.UsageError, match="take type"):
        fd.run(mixed, deals=1000)


def test_the_sampler_can_be_chosen() -> None:
    condition = fd.Condition("hcp(north) == 30")
    samplers: list[Literal["listing", "cells", "rejection"]] = ["listing", "cells", "rejection"]
    described = [condition.sampler(100, name) for name in samplers]
    assert [text.split(" ")[0].strip(",") for text in described] == samplers
    for name in samplers[:2]:
        hands = condition.deals(50, 1, sampler=name)
        assert all(deal.north.hcp == 30 for deal in fd.Deal.from_array(hands))
    with pytest.raises(ValueError, match="not a sampler"):
        condition.deals(5, sampler="magic")  # type: ignore[call-overload]


class EndplayLike:
    """A deal with endplay's method."""

    def to_pbn(self) -> str:
        return TEXT


def test_deals_of_other_packages_are_converted() -> None:
    deal = fd.Deal(TEXT)
    assert fd.to_deal(EndplayLike()) == deal
    redeal_like = tuple(tuple(hand.suits) for hand in deal.hands)
    assert fd.to_deal(redeal_like) == deal
    assert fd.to_deal(TEXT) == fd.to_deal(deal) == deal
    for form in ("hands", "seats"):
        row = fd.Condition().deals(1, seed=1, form=form)[0]
        assert fd.to_deal(row) == fd.Deals(fd.Condition().deals(1, seed=1))[0]
    with pytest.raises(TypeError, match="float is not a deal"):
        fd.to_deal(1.5)


def test_deals_go_to_endplay_and_back() -> None:
    pytest.importorskip("endplay")
    for deal in fd.Deals(fd.Condition().deals(20, seed=1)):
        there = fd.to_endplay(deal)
        assert str(there.north.spades) == deal.north.spades
        assert fd.to_deal(there) == deal


def test_deals_go_to_redeal_and_back() -> None:
    pytest.importorskip("redeal")
    for deal in fd.Deals(fd.Condition().deals(20, seed=1)):
        there = fd.to_redeal(deal)
        assert there.north.hcp == deal.north.hcp
        assert fd.to_deal(there) == deal
