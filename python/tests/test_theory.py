"""Exact figures, compared with those of other programs: the figures of tests/theory/tables.rs."""

from __future__ import annotations

import csv
import json
import pickle
from fractions import Fraction
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from conftest import FIXTURES

import fairdeal as fd

DEALS = factorial(52) // factorial(13) ** 4
HANDS = comb(52, 13)


def rows(name: str) -> list[list[str]]:
    with open(FIXTURES / "reference" / name, newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.fixture(scope="module")
def every_deal() -> fd.Theory:
    return fd.Condition().theory()


def test_nine_spades_has_the_golden_fractions_and_decimals() -> None:
    theory = fd.Condition.scenario("nine-spades").theory()
    suits = dict(zip("SHDC", ("spades", "hearts", "diamonds", "clubs")))
    fractions = decimals = 0
    for quantity, key, fraction, decimal in rows("golden_constrained.csv"):
        if quantity.startswith("mean HCP "):
            seat = quantity.removeprefix("mean HCP ").lower()
            assert theory.mean("hcp", seat) == 10
            continue
        if quantity.startswith("P(North length in suit "):
            suit = suits[quantity.removeprefix("P(North length in suit ")[0]]
            place: tuple[str, Any] = ("suit_lengths", ("north", suit))
        else:
            place = ("hcp", quantity.removeprefix("P(").removesuffix(" HCP)").lower())
        exact = theory.exact(*place)[int(key)]
        if fraction:
            assert exact == Fraction(fraction), quantity
            fractions += 1
        else:
            decimals += 1
        assert float(exact) == pytest.approx(float(decimal), rel=1e-15)
        assert theory[place[0]][place[1]][int(key)] == float(exact)
    assert (fractions, decimals) == (35, 89)


MARGINALS = [
    ("flat-three-suiter", "flat10_12_opp_3s_11_15", "west", "east"),
    ("flannery-misfit", "flannery_11_15_opp_S<=3_H<=2", "south", "north"),
    ("balanced-28-30", "balanced_28_30_opp_5+major", "west", "east"),
]


def has_exactly(exact: list[Fraction], names: list[Any], table: dict[str, str]) -> None:
    total = sum(int(ways) for ways in table.values())
    found = 0
    for name, probability in zip(names, exact):
        wanted = int(table.get(str(name), 0))
        found += wanted != 0
        assert probability == Fraction(wanted, total), name
    assert found == len(table)


@pytest.mark.parametrize(("scenario", "key", "first", "second"), MARGINALS)
def test_the_marginals_of_three_large_scenarios_are_exact(
    scenario: str, key: str, first: str, second: str
) -> None:
    known = json.loads((FIXTURES / "reference/marginals.json").read_text())[key]
    theory = fd.Condition.scenario(scenario).theory()
    shapes, patterns = theory.outcomes("shapes"), theory.outcomes("patterns")
    has_exactly(theory.exact("patterns", first), patterns, known["hand1_specific"])
    has_exactly(theory.exact("shapes", first), shapes, known["hand1_generic"])
    has_exactly(theory.exact("shapes", second), shapes, known["hand2_generic"])
    if isinstance(known.get("hand2_specific"), dict):
        has_exactly(theory.exact("patterns", second), patterns, known["hand2_specific"])

    def wanted(field: str) -> Fraction | None:
        text = known.get(field)
        return None if text is None else Fraction(text.split(" ")[0])

    assert theory.mean("hcp", first) == wanted("mean_hcp_hand1")
    if wanted("mean_hcp_hand2") is not None:
        assert theory.mean("hcp", second) == wanted("mean_hcp_hand2")
    joint: dict[str, int] = {}
    for pair, ways in known["joint_hcp"].items():
        one = pair.split(",")[0]
        joint[one] = joint.get(one, 0) + int(ways)
    points = theory.outcomes("hcp")
    has_exactly(theory.exact("hcp", first), points, {k: str(v) for k, v in joint.items()})
    for seat in {"north", "east", "south", "west"} - {first, second}:
        other = known["other_hand_generic_pattern_weights_times_C26_13"]
        has_exactly(theory.exact("shapes", seat), shapes, other)
        weights = known.get("other_hand_hcp_weights_times_C26_13")
        if isinstance(weights, dict):
            has_exactly(theory.exact("hcp", seat), points, weights)
        if wanted("mean_hcp_each_other_hand") is not None:
            assert theory.mean("hcp", seat) == wanted("mean_hcp_each_other_hand")


def test_the_tables_of_every_deal_are_those_of_the_references(every_deal: fd.Theory) -> None:
    for name, table, subject, of in [
        ("tables/hcp_one_hand.csv", "hcp", "north", HANDS),
        ("null-distributions/hcp.csv", "hcp", "north", HANDS),
        ("tables/hcp_two_hands_combined.csv", "side_hcp", "east-west", comb(52, 26)),
        ("null-distributions/hcp_side.csv", "side_hcp", "east-west", comb(52, 26)),
        ("tables/suit_length_one_hand.csv", "suit_lengths", ("west", "hearts"), HANDS),
        ("null-distributions/suitlen.csv", "suit_lengths", ("west", "hearts"), HANDS),
        ("tables/aces_one_hand.csv", "aces", "north", HANDS),
        ("null-distributions/controls.csv", "controls", "north", HANDS),
    ]:
        exact = every_deal.exact(table, subject)
        for row in rows(name):
            assert exact[int(row[0])] == Fraction(int(row[1]), of), (name, row)
    shapes = dict(zip(fd.SHAPES, every_deal.exact("shapes", "east")))
    for name, column in [("tables/hand_patterns_39.csv", 2), ("null-distributions/pattern39.csv", 1)]:
        known = {row[0]: Fraction(int(row[column]), HANDS) for row in rows(name)}
        assert known == shapes
    patterns = dict(zip(fd.PATTERNS, every_deal.exact("patterns", "south")))
    of_names = {row[0]: int(row[1]) for row in rows("tables/hand_patterns_560.csv")}
    of_lengths = {
        "=".join(row[1:5]): int(row[5]) for row in rows("null-distributions/pattern560.csv")
    }
    for found in (of_names, of_lengths):
        assert {name: Fraction(ways, HANDS) for name, ways in found.items()} == patterns
    for card, seats in every_deal["cards"].items():
        assert seats.tolist() == [0.25] * 4, card
    assert every_deal.total == DEALS
    assert every_deal.probability == 1


def test_shapes_at_every_hcp_are_those_of_the_references() -> None:
    with open(FIXTURES / "reference/tables/pattern_by_hcp.csv", newline="") as file:
        table = list(csv.reader(file))[1:]
    assert len(table) == 39
    for hcp in range(38):
        theory = fd.Condition(f"hcp(west) == {hcp}").theory()
        exact = dict(zip(fd.SHAPES, theory.exact("shapes", "west")))
        for name, *ways in table:
            assert exact[name] * theory.probability * HANDS == int(ways[hcp]), (name, hcp)


def test_the_laws_of_whole_deals_are_those_of_the_references() -> None:
    for name, file in [
        ("flatness", "F_dist"),
        ("overlap", "V_dist"),
        ("longest_suit", "longest_suit_in_deal"),
        ("best_fit", "fit_dist"),
    ]:
        values = fd.law(name)
        known = {int(row[0]): float(row[1]) for row in rows(f"null-distributions/{file}.csv")}
        for outcome, probability in known.items():
            assert values[outcome] == pytest.approx(probability, rel=1e-14), name
        assert np.count_nonzero(values) == len([p for p in known.values() if p > 0])
    best = fd.law("best_fit", exact=True)
    for row in rows("tables/best_fit_26.csv"):
        assert best[int(row[0])] == Fraction(int(row[1]), comb(52, 26))
    longest = fd.law("longest_of_hand", exact=True)
    for row in rows("tables/longest_suit.csv"):
        assert longest[int(row[0])] == Fraction(int(row[1]), HANDS)
    flatness, overlap = fd.law("flatness", exact=True), fd.law("overlap", exact=True)
    assert sum(place * p for place, p in enumerate(flatness)) == Fraction(3380, 17)
    assert sum(place * p for place, p in enumerate(overlap)) == 13
    voids = fd.law("voids", exact=True)
    assert sum(place * p for place, p in enumerate(voids)) == Fraction(16 * comb(39, 13), HANDS)
    assert [voids[11], voids[12]] == [0, Fraction(24, DEALS)]
    folder = FIXTURES / "reference/null-distributions"
    order = [fd.SHAPES.index(row[0]) for row in rows("null-distributions/pattern39.csv")]
    joint = np.loadtxt(folder / "joint39_NE.csv", delimiter=",")
    assert fd.law("joint_shapes")[np.ix_(order, order)] == pytest.approx(joint, rel=2e-14)
    joint = np.loadtxt(folder / "joint_hcp_NE.csv", delimiter=",")
    assert fd.law("joint_hcp") == pytest.approx(joint, rel=2e-14)


def test_what_is_known_changes_probabilities() -> None:
    even = fd.Condition("spades(east) == 2")
    nine = fd.Condition("spades(north) + spades(south) == 9")
    both = fd.Condition(f"({even.text}) && ({nine.text})")
    assert even.given(nine).probability == Fraction(234, 575)
    assert even.given(nine.text).probability == both.probability / nine.probability
    assert even.given(nine).exact("suit_lengths", ("west", "spades"))[2] == 1
    with pytest.raises(fd.ConditionError):
        even.given("hcp(north) > 37")


def test_a_table_has_arrays_and_exact_fractions() -> None:
    theory = fd.Condition("hcp(north) >= 12 && hcp(south) >= 12 && hcp(east) == 9").theory()
    assert set(theory.tables) >= {"hcp", "shapes", "patterns", "suit_lengths", "fits", "cards"}
    for name, table in theory.tables.items():
        for subject, values in table.items():
            exact = theory.exact(name, subject)
            assert sum(exact) == 1
            assert values.tolist() == [float(p) for p in exact], (name, subject)
            assert len(theory.outcomes(name)) == len(values)
    assert theory.mean("hcp", "east") == 9
    with pytest.raises(KeyError, match="no table"):
        theory["tricks"]
    with pytest.raises(KeyError, match="not a subject"):
        theory.exact("hcp", "spades")


def test_the_number_of_deals_is_exact() -> None:
    condition = fd.Condition("spades(west) == 9")
    assert condition.total == 58_809_465
    assert condition.probability * HANDS == 58_809_465
    assert fd.Condition("hascard(north, 2C)").probability == Fraction(1, 4)
    with pytest.raises(fd.ConditionError):
        fd.Condition("rnd(4) == 0").probability


def test_joint_tables_have_the_marginals_of_the_tables() -> None:
    for theory in (
        fd.Condition("hcp(north) >= 15").theory(),
        fd.Condition("spades(north) >= 5").given("hcp(south) >= 12"),
        fd.Condition("predeal south SAQJ94, HK7, DA953, C82").theory(),
        fd.Condition().theory(),
    ):
        joint = theory.joint("hcp north", "shape north", exact=True)
        hcp, shapes = [Fraction(0)] * 38, dict.fromkeys(fd.SHAPES, Fraction(0))
        for row in joint:
            hcp[row["hcp north"]] += row["probability"]
            shapes[row["shape north"]] += row["probability"]
        assert hcp == theory.exact("hcp", "north")
        assert list(shapes.values()) == theory.exact("shapes", "north")
        again = pickle.loads(pickle.dumps(theory))
        assert again.joint("hcp north", "shape north", exact=True) == joint


def test_joint_tables_are_those_of_the_references() -> None:
    law = fd.law("joint_hcp", exact=True)
    joint = fd.Condition().theory().joint("hcp north", "hcp east", exact=True)
    assert {(row["hcp north"], row["hcp east"]): row["probability"] for row in joint} == {
        (int(one), int(other)): law[one, other] for one, other in zip(*law.nonzero())
    }
    pattern = fd.Condition().theory().joint("pattern west")
    values = fd.Condition().theory()["patterns"]["west"].tolist()
    assert {row["pattern west"]: row["probability"] for row in pattern} == dict(zip(fd.PATTERNS, values))


def test_joint_tables_of_sums_are_those_of_the_listing() -> None:
    theory = fd.Condition("hcp(north) >= 30 && spades(south) >= 5").theory()
    for quantity in ("hcp(north) + spades(south)", "hascard(north, AS) + hascard(north, KS)"):
        counted = theory.joint(quantity, exact=True)
        listed = theory.joint(f"1 * ({quantity})", exact=True)
        assert [list(row.values()) for row in counted] == [list(row.values()) for row in listed]


def test_joint_tables_that_cannot_be_had_say_why() -> None:
    theory = fd.Condition("hcp(north) >= 12 && hcp(south) >= 12").theory()
    for quantities, why in [
        (["losers east"], "more than two hands"),
        (["rnd(4)"], "rnd"),
        (["hcp(south) +"], "error"),
        (["shape north", "shape east", "shape south"], "more than"),
        (["magic north"], "magic"),
    ]:
        with pytest.raises(fd.ConditionError, match=why):
            theory.joint(*quantities)
    with pytest.raises(fd.UsageError, match="name at least one"):
        theory.joint()
