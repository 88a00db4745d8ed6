"""Runs, audits and comparisons."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from conftest import FIXTURES

import fairdeal as fd


def shuffled(rng: np.random.Generator) -> Callable[[Any], None]:
    def dealer(seats: Any) -> None:
        seats[:] = np.repeat(np.arange(4, dtype=np.uint8), 13)
        rng.permuted(seats, axis=1, out=seats)

    return dealer


def naive(rng: np.random.Generator) -> Callable[[Any], None]:
    """A shuffle that swaps each card with any card."""

    def dealer(seats: Any) -> None:
        seats[:] = np.repeat(np.arange(4, dtype=np.uint8), 13)
        rows = np.arange(len(seats))
        for card in range(52):
            other = rng.integers(0, 52, len(seats))
            seats[rows, card], seats[rows, other] = seats[rows, other], seats[rows, card].copy()

    return dealer


def test_a_run_has_a_verdict_with_records() -> None:
    verdict = fd.run(deals=1_000_000, seed=2026)
    assert (verdict.level, verdict.deals, verdict.seed) == ("PASS", 1_000_000, 2026)
    assert verdict.is_fair
    assert verdict.s is not None
    assert verdict.s < 3
    assert {"test", "subject", "statistic", "log10_p"} <= set(verdict.tests[0])
    assert verdict.bounds
    assert verdict.record["deals"] == 1_000_000
    hcp = [row for row in verdict.table("hcp") if row["seat"] == "north"]
    assert sum(row["observed"] for row in hcp) == 1_000_000
    assert {type(row["expected"]) for row in hcp} == {float}
    assert {type(row["seat"]) for row in hcp} == {str}
    drawn = verdict._repr_html_()
    assert "PASS" in drawn
    assert "no evidence" in drawn
    assert "1,000,000 deals" in repr(verdict)
    with pytest.raises(KeyError, match="no table"):
        verdict.table("tricks")


def test_a_run_is_that_of_the_program(program: Callable[..., str], tmp_path: Path) -> None:
    text = 'spades(west) == 9 action average "N" hcp(north)'
    folder = tmp_path / "report"
    script = tmp_path / "script.dl"
    script.write_text(text)
    done = program("run", str(script), "--deals", "200K", "--seed", "5", "--out", str(folder), "--json")
    known = json.loads(done)
    verdict = fd.run(text, deals=200_000, seed=5)
    assert verdict.tests == known["tests"]
    assert verdict.averages == known["averages"]
    for name in ["hcp", "patterns", "cards"]:
        assert verdict._report.table(name) == (folder / f"{name}.csv").read_bytes().decode()


def test_averages_and_frequencies_of_a_script_are_records() -> None:
    script = 'action average "points" hcp(north), frequency "spades" (spades(north), 0, 13)'
    verdict = fd.run(script, deals=50_000, seed=1)
    assert verdict.averages[0]["label"] == "points"
    assert verdict.averages[0]["exact"] == 10
    assert sum(row["observed"] for row in verdict.frequencies) == 50_000


def test_a_defect_is_found() -> None:
    verdict = fd.run(deals=100_000, seed=1, defect="naive-shuffle-round-robin")
    assert verdict.level == "FAIL"
    assert not verdict.is_fair
    assert "p = " in verdict.evidence[0]
    assert "FAIL" in verdict._repr_html_()
    with pytest.raises(ValueError, match="is not a defect"):
        fd.run(deals=10, defect="none of them")


def test_a_dealer_of_ones_own_is_judged() -> None:
    rng = np.random.default_rng(7)
    assert fd.audit(shuffled(rng), deals=50_000).level == "INCONCLUSIVE"
    assert fd.audit(naive(rng), deals=50_000).level == "FAIL"
    with pytest.raises(TypeError, match="deals="):
        fd.audit(shuffled(rng))


def test_arrays_streams_and_texts_are_audited_alike() -> None:
    condition = fd.Condition("hcp(north) >= 20")
    seats = condition.deals(20_000, seed=1, form="seats")
    hands = condition.deals(20_000, seed=1)
    of_seats = fd.audit(seats, condition)
    assert of_seats.deals == 20_000
    assert of_seats.is_fair
    assert fd.audit(seats).level == "FAIL"
    for source in [
        hands,
        seats.astype(np.int64),
        fd.Deals(condition.deals(20_000, seed=1)),
        (deal.pbn for deal in fd.Deals(condition.deals(20_000, seed=1))),
        iter([hands[:7], hands[7:]]),
        lambda array: array.__setitem__(slice(None), condition.deals(len(array), seed=1)),
    ]:
        verdict = fd.audit(source, condition, deals=20_000, form="hands")
        assert verdict.tests == of_seats.tests
    assert fd.audit(hands, condition, deals=500).deals == 500


def test_files_are_audited() -> None:
    verdict = fd.audit(FIXTURES / "records/sm0807.pbn")
    assert verdict.deals > 0
    assert verdict.record["sources"][0]["format"] == "pbn"
    assert fd.audit([str(FIXTURES / "records/sm0807.pbn")]).tests == verdict.tests


def test_records_of_one_event_are_asked_about() -> None:
    names = ["a.pbn", "c-one-card-exchanged.pbn"]
    files = [FIXTURES / "field/same-event" / name for name in names]
    expected: list[tuple[Literal["compatible", "same", "distinct"], str, int, int, int]] = [
        ("compatible", "INCONCLUSIVE", 36, 1, 0),
        ("same", "INCONCLUSIVE", 36, 1, 0),
        ("distinct", "FAIL", 72, 0, 35),
    ]
    for events, level, deals, conflicts, repeats in expected:
        verdict = fd.audit(files, events=events)
        assert (verdict.level, verdict.deals) == (level, deals)
        assert verdict.record["conflicts"]["count"] == conflicts
        assert verdict.record["repeats"]["count"] == repeats
    with pytest.raises(ValueError, match="compatible, same or distinct"):
        fd.audit(files, events="other")  # type: ignore[arg-type]


def test_faults_of_deals_are_told() -> None:
    with pytest.raises(ValueError, match="a seat is not 0, 1, 2 or 3"):
        fd.audit(np.full((5, 52), 7))
    with pytest.raises(ValueError, match="row 70000 is not a deal"):
        hands = fd.Condition().deals(70_001, seed=1)
        hands[70_000, 1] = 0
        fd.audit(hands)
    with pytest.raises(ValueError, match="has no deals"):
        fd.audit(np.zeros((3, 3)))
    with pytest.raises(fd.InputError, match="there are no deals"):
        fd.audit([])
    with pytest.raises(FileNotFoundError):
        fd.audit("no such file.pbn")

    def broken(_: Any) -> None:
        raise ZeroDivisionError("in the dealer")

    with pytest.raises(ZeroDivisionError, match="in the dealer"):
        fd.audit(broken, deals=1000)


def test_deals_that_do_not_satisfy_the_condition_are_invalid() -> None:
    verdict = fd.audit(fd.Condition().deals(1000, seed=1), "hcp(north) >= 20")
    assert verdict.level == "INVALID"
    assert "INVALID" in verdict._repr_html_()


def test_two_samples_are_compared() -> None:
    one, other = (fd.run(deals=200_000, seed=seed) for seed in (1, 2))
    compared = fd.compare(one, other)
    assert compared.level == "ALIKE"
    assert compared.s is not None
    assert "ALIKE" in compared._repr_html_()
    assert {"test", "subject", "log10_p"} <= set(compared.tests[0])
    broken = fd.run(deals=200_000, seed=1, defect="naive-shuffle-round-robin")
    assert fd.compare(one, broken).level == "DIFFERENT"
    again = fd.compare(one, fd.run(deals=200_000, seed=1))
    assert (again.level, again.s) == ("ALIKE", None)
    with pytest.raises(fd.Error, match="different conditions"):
        fd.compare(one, fd.run("hcp(north) >= 20", deals=1000))


def test_reports_are_saved_as_the_program_writes_them(
    program: Callable[..., str], tmp_path: Path
) -> None:
    text = 'spades(west) == 9 action average "N" hcp(north)'
    (tmp_path / "script.dl").write_text(text)
    options = ["--deals", "20K", "--seed", "5", "--out", str(tmp_path / "program"), "-q"]
    program("run", str(tmp_path / "script.dl"), *options)
    verdict = fd.run(text, deals=20_000, seed=5)
    verdict.save(tmp_path / "saved")
    names = {path.name for path in (tmp_path / "program").iterdir()}
    assert {path.name for path in (tmp_path / "saved").iterdir()} == names
    assert {"run.json", "report.html", "counts.json", "hcp.csv"} <= names
    for name in names - {"run.json", "report.html", "latency.csv", ".fairdeal.lock"}:
        assert (tmp_path / "saved" / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    known = program("compare", str(tmp_path / "program"), str(tmp_path / "saved"), "--json", "-q")
    assert json.loads(known)["verdict"] == "ALIKE"
    pickled(verdict).save(tmp_path / "saved")
    with pytest.raises(fd.ExistingFileError, match="holds another report"):
        fd.run(text, deals=20_000, seed=6).save(tmp_path / "saved")
    audited = [fd.audit(fd.Condition().deals(36, seed=seed)) for seed in (1, 2)]
    audited[0].save(tmp_path / "audit")
    with pytest.raises(fd.ExistingFileError, match="an audit of deals in memory"):
        audited[1].save(tmp_path / "audit")
    audited[1].save(tmp_path / "audit", overwrite=True)
    assert json.loads((tmp_path / "audit/audit.json").read_text())["deals"] == 36


def pickled(of: Any) -> Any:
    return pickle.loads(pickle.dumps(of))


def test_verdicts_and_comparisons_are_pickled_and_copied() -> None:
    one, other = fd.run(deals=20_000, seed=1), fd.audit(fd.Condition().deals(20_000, seed=1))
    copies: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, pickled]
    for again in copies:
        for verdict in (one, other):
            kept = again(verdict)
            assert repr(kept) == repr(verdict)
            assert kept._repr_html_() == verdict._repr_html_()
            assert (kept.record, kept.tables) == (verdict.record, verdict.tables)
            assert kept.table("hcp") == verdict.table("hcp")
            assert fd.compare(kept, other).record["s"] == fd.compare(verdict, other).record["s"]
        compared = fd.compare(one, other)
        assert again(compared).record == compared.record
