"""Errors of arguments, arrays that are shared, and objects that are pickled."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairdeal as fd


def test_errors_are_also_those_of_python(tmp_path: Path) -> None:
    for missing in (fd.read, fd.audit, fd.Condition.from_file):
        with pytest.raises(fd.Error) as caught:
            missing(tmp_path / "missing.pbn")
        assert isinstance(caught.value, FileNotFoundError), missing
    with pytest.raises(fd.Error, match="^n: must be at least 0") as caught:
        fd.Condition().deals(-1)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(fd.Error, match="^seed: str instead of a whole number") as caught:
        fd.Condition().deals(1, seed="one")  # type: ignore[call-overload]
    assert isinstance(caught.value, TypeError)
    for raised in (caught.value, fd.UsageError("a"), fd.UnknownNameError("b")):
        assert str(pickle.loads(pickle.dumps(raised))) == str(raised)


def test_two_threads_cannot_fill_one_array() -> None:
    out = np.zeros((3_000_000, 4), dtype=np.uint64)
    condition, outcomes = fd.Condition("hcp(north) >= 12"), []
    condition.deals(seed=1, out=out[:10])

    def fill() -> None:
        try:
            condition.deals(seed=1, out=out)
            outcomes.append("filled")
        except fd.UsageError as error:
            assert "`out` is in use by another call" in str(error)
            outcomes.append("refused")

    threads = [threading.Thread(target=fill) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "filled" in outcomes


def test_tables_of_theory_cannot_be_written() -> None:
    theory = fd.Condition("hcp(north) >= 12").theory()
    with pytest.raises(ValueError, match="read-only"):
        theory["hcp"]["north"][0] = 1
    with pytest.raises(TypeError):
        theory["hcp"]["north"] = None  # type: ignore[index]


def pickled(of: Any) -> Any:
    return pickle.loads(pickle.dumps(of))


def test_conditions_theories_deals_and_hands_are_pickled_and_copied() -> None:
    condition = fd.Condition("hcp(north) >= 12", "opening")
    theory, deals = condition.theory(), fd.Deals(condition.deals(5, seed=1))
    copies: list[Callable[[Any], Any]] = [pickled, copy.copy, copy.deepcopy]
    for again in copies:
        assert (again(condition), again(condition).name) == (condition, "opening")
        assert again(deals) == deals
        assert again(deals[0].north) == deals[0].north
        kept = again(theory)
        assert (kept.probability, kept.total) == (theory.probability, theory.total)
        assert kept.exact("shapes", "south") == theory.exact("shapes", "south")
        assert kept.mean("hcp", "north") == theory.mean("hcp", "north")
        assert (kept["cards"]["SA"] == theory["cards"]["SA"]).all()


def test_warnings_are_at_the_callers_line() -> None:
    with pytest.warns(fd.ConditionWarning) as caught:
        fd.Condition("# mix: game\n1")
    assert caught[0].filename == __file__
