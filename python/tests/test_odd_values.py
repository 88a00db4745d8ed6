"""Every public function, class, method and property with odd values: only exceptions of fairdeal."""

from __future__ import annotations

import faulthandler
import inspect
import itertools
import math
import os
import random
import time
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairdeal as fd

TEXT = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3"
#: The seconds of processor time that all calls may take, and one of them; and the hard limit.
SECONDS, SECONDS_OF_A_CALL, LIMIT = 60, 5, 600

Calls = dict[str, tuple[Callable[..., Any], dict[str, Any]]]


class Hostile:
    """Fails whatever it is asked."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def __index__(self) -> int:
        raise OverflowError("an index")

    def __iter__(self) -> Iterator[Any]:
        return iter([self])

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


def odd_arrays() -> list[Any]:
    deal = fd.Deal.from_number(0)  # which is solved at once
    hands = fd.Deals([deal, deal]).hands
    seats = np.zeros((2, 52), np.uint8)
    read_only = hands.copy()
    read_only.flags.writeable = False
    scattered = np.zeros((4, 4), np.uint64)[::2]
    scattered[:] = hands
    unaligned = np.frombuffer(b"\0" + hands.tobytes(), np.uint64, offset=1 - 1, count=4).reshape(1, 4)
    return [
        read_only,
        scattered,
        unaligned,
        np.asfortranarray(hands),
        hands.astype(">u8"),
        hands.astype(np.int64),
        hands.astype(float),
        hands[0],
        hands[:0],
        np.zeros((2, 4), np.uint64),
        np.full((2, 52), 4, np.uint8),
        np.full((2, 52), -1, np.int64),
        np.array([[None] * 4], object),
        np.array(3),
        np.zeros((1, 4, 5), np.uint8),
        np.full((1, 4, 5), 200, np.uint8),
        np.zeros((0, 4, 5), np.uint8),
        np.array(["2026-11-29"], "M8[D]"),
        np.ma.masked_array(seats, seats > 2),
        np.array([True, False]),
        memoryview(hands.tobytes()),
    ]


NUMBERS: list[Any] = [
    *(0, -1, 2**31, 2**63, 2**64, 2**128, -(2**63), 10**400, True),
    *(math.nan, math.inf, -0.5, 1e308, Fraction(1, 3), 1j),
    *(np.int8(-1), np.uint64(2**63), np.float32("nan"), np.bool_(True), np.str_("a")),
]
TEXTS: list[Any] = [
    *("", " ", "\0", "\ud800", "x" * 2**21, "x" * 1000, "é♠", "$1", "%s{}", "N:", "-", "1", "hcp(", "/", "\n"),
    *("(" * 5000, "1+" * 50 + "1", "produce 0", "rnd(2)", "1/0", "predeal north S2"),
    *(b"", b"\xff", Path("no such file.pbn"), TEXT.encode()),
]
OTHERS: list[Any] = [
    *(None, ..., object(), Hostile(), int, len, lambda *_: None, [], [None], {}, {"a": None}, {1: 1}),
    *({"1": math.nan}, {"1": -1}, {"a": ("1",)}, set(), (), range(3), iter(()), [[1], [2, 3]]),
    *([-1] * 52, [2**64] * 4, ["", b""], slice(None), np.random.default_rng(1), NotImplemented),
]


def members(of: Any) -> set[str]:
    return {name for name in dir(of) if not name.startswith("_")}


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
    """Every function with arguments that are valid, and little work."""
    folder = tmp_path_factory.mktemp("odd")
    condition = fd.Condition("hcp(north) >= 12")
    mix = fd.Condition("").mix({"strong": ("hcp(north) >= 12", 1), "rest": ("1", 2)})
    theory = condition.theory()
    hands = condition.deals(2, seed=1)
    deals = fd.Deals(hands)
    deals.write(folder / "a.pbn")
    deal = deals[0]
    one, other = (fd.run(deals=1000, seed=seed) for seed in (1, 2))
    tricks, many = np.full((1, 4, 5), 7, np.uint8), fd.Condition().deals(20_000, seed=1)
    named = {"n": 1, "seed": 1, "form": "hands", "sampler": "auto", "shares": "exact"}
    calls: Calls = {
        "Condition": (fd.Condition, {"text": "1", "name": "a"}),
        "Condition.scenario": (fd.Condition.scenario, {"name": "nine-spades"}),
        "Condition.from_file": (fd.Condition.from_file, {"path": folder / "a.pbn"}),
        "Condition.theory": (condition.theory, {"progress": None}),
        "Condition.given": (condition.given, {"known": "1", "progress": None}),
        "Condition.mask": (condition.mask, {"deals": hands, "progress": None}),
        "Condition.types_of": (mix.types_of, {"deals": hands, "progress": None}),
        "Condition.column": (
            fd.Condition.column,
            {"expression": "hcp(north)", "deals": hands, "progress": None},
        ),
        "Condition.deals": (condition.deals, {**named, "out": None, "progress": None}),
        "Condition.typed_deals": (mix.typed_deals, {**named, "progress": None}),
        "Condition.stream": (lambda **of: next(condition.stream(**of), None), {**named, "size": 3}),
        "Condition.sampler": (condition.sampler, {"n": 1, "sampler": "auto"}),
        "Condition.leads": (
            fd.Condition("hcp(south) >= 12").leads,
            {
                **{"contract": "7NT", "by": "south", "hand": "KQ4.J9652.T8.643", "best": "set"},
                **{"vulnerable": "none", "n": 1, "seed": 1, "confidence": 0.9, "within": None},
                **{"sampler": "auto", "progress": None},
            },
        ),
        "Condition.type": (mix.type, {"name": "strong"}),
        "Condition.mix": (condition.mix, {"types": {"1": 1}}),
        "Theory": (lambda **of: fd.Theory(**of).probability, {"tables": theory._tables}),
        "Theory.exact": (theory.exact, {"table": "hcp", "subject": "north"}),
        "Theory.table": (theory.table, {"name": "hcp"}),
        "Theory.joint": (
            lambda one, other, **of: theory.joint(one, other, **of),
            {"one": "hcp north", "other": "spades(north)", "exact": True, "progress": None},
        ),
        "Theory.mean": (theory.mean, {"table": "hcp", "subject": "north"}),
        "Theory.outcomes": (theory.outcomes, {"table": "hcp"}),
        "Theory[]": (theory.__getitem__, {"table": "hcp"}),
        "Deals": (
            fd.Deals,
            {
                **{"hands": hands, "board": [1, 2], "dealer": [0, 1], "vulnerable": [0, 1]},
                **{"event": ["a", "b"], "tricks": np.zeros((2, 4, 5), int)},
            },
        ),
        "Deals[]": (deals.__getitem__, {"rows": 0}),
        "Deals.write": (
            deals.write,
            {"path": folder / "b.pbn", "format": "pbn", "overwrite": True},
        ),
        "Deal": (fd.Deal, {"pbn": TEXT}),
        "Deal.from_hands": (fd.Deal.from_hands, {"hands": hands[0]}),
        "Deal.from_seats": (fd.Deal.from_seats, {"seats": [0, 1, 2, 3] * 13}),
        "Deal.from_array": (fd.Deal.from_array, {"array": hands}),
        "Deal.from_number": (fd.Deal.from_number, {"number": 1, "scheme": "pavlicek"}),
        "Deal.number": (deal.number, {"scheme": "andrews"}),
        "Deal[]": (lambda seat: deal[seat], {"seat": "north"}),
        "Hand.from_bits": (fd.Hand.from_bits, {"bits": deal.north.bits}),
        "Hand in": (lambda card: card in deal.north, {"card": "SA"}),
        "Verdict": (lambda **of: fd.Verdict(**of).level, {"report": one._report}),
        "Verdict.save": (one.save, {"folder": folder / "saved", "overwrite": True}),
        "Table": (fd.Table, {"records": [{"a": 1}]}),
        "Table[]": (fd.Table([{"a": 1}]).__getitem__, {"rows": 0}),
        "Verdict.table": (one.table, {"name": "hcp"}),
        "Comparison": (
            lambda **of: fd.Comparison(**of).level,
            {"record": fd.compare(one, other).record},
        ),
        "audit": (
            fd.audit,
            {
                # As many deals as make no sets for reference.
                **{"source": many, "condition": None, "deals": None, "form": "seats", "format": None},
                **{"events": "same", "battery": "tables", "target": 10, "threads": 1},
                "progress": None,
            },
        ),
        "compare": (fd.compare, {"a": one, "b": other}),
        "convert": (
            fd.convert,
            {
                **{"paths": folder / "a.pbn", "to": folder / "c.pbn", "format": "pbn"},
                **{"from_format": "pbn", "overwrite": True, "progress": None},
            },
        ),
        "law": (fd.law, {"name": "voids", "exact": True}),
        "par": (fd.par, {"tricks": tricks, "dealer": "north", "vulnerable": "none"}),
        "read": (fd.read, {"paths": folder / "a.pbn", "format": "pbn", "progress": None}),
        "run": (
            fd.run,
            {
                **{"condition": "1", "deals": 1000, "seed": 1, "sampler": "auto", "defect": None},
                **{"battery": "tables", "target": 10, "threads": 1, "progress": None},
            },
        ),
        "to_deal": (fd.to_deal, {"deal": TEXT}),
        "to_endplay": (fd.to_endplay, {"deal": TEXT}),
        "to_redeal": (fd.to_redeal, {"deal": TEXT}),
        "tricks": (fd.tricks, {"deals": hands[:0], "threads": 1, "progress": None}),
    }
    for name, operator in (("&", "__and__"), ("|", "__or__"), ("==", "__eq__")):
        calls[f"Condition {name}"] = (getattr(condition, operator), {"other": "1"})
    for of in (fd.Table([{"a": 1}]), deals):
        for name in ("columns", "to_pandas", "to_polars"):
            calls[f"{type(of).__name__}.{name}"] = (getattr(of, name), {})
    return calls


#: Values that ask for much work, by function and argument: `None` for all deals, and so on.
LARGE = {
    ("run", "deals"): (None, 2**31, True),
    ("Condition.leads", "n"): (None, 2**31),
    ("Condition.deals", "n"): (2**31,),
    ("Condition.typed_deals", "n"): (2**31,),
    ("Condition.stream", "size"): (2**31,),
}


def is_left_out(name: str, argument: str, value: Any) -> bool:
    """Whether the value asks for much work, or is a function that fails by itself."""
    if (value is int or value is len) and argument in ("progress", "source"):
        return True
    values = LARGE.get((name, argument), ())
    return any(value is of or (type(value) is type(of) and value == of) for of in values)


def is_covered(covered: set[str], name: str) -> bool:
    return name in covered or any(of.split(" ")[0].split("[")[0] == name for of in covered)


def test_every_function_and_every_argument_is_called(calls: Calls) -> None:
    for name in fd.__all__:
        of = getattr(fd, name)
        if isinstance(of, type) and issubclass(of, BaseException) or not callable(of):
            continue
        if not isinstance(of, type):
            assert name in calls, name
        for member in members(of) if isinstance(of, type) else ():
            # Properties are read of every object below; the arguments of methods are here.
            method = inspect.getattr_static(of, member)
            if isinstance(method, property) or inspect.isdatadescriptor(method):
                continue
            assert is_covered(set(calls), f"{name}.{member}"), f"{name}.{member}"
    for name, (call, arguments) in calls.items():
        if getattr(call, "__name__", "") == "<lambda>" or name.endswith("]"):
            continue
        parameters = inspect.signature(call).parameters
        assert set(parameters) == set(arguments), name


def fault(name: str, call: Callable[..., Any], arguments: dict[str, Any]) -> str | None:
    """Call; return what is wrong with the exception, if there is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(**arguments)
    except fd.InternalError:
        return "an internal error"
    except fd.Error as error:
        return None if str(error) else "an error without words"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return None


def shown(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r:.60}" for name, value in arguments.items())


def test_odd_values_are_errors_of_fairdeal(calls: Calls, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    values = [*NUMBERS, *TEXTS, *OTHERS, *odd_arrays()]
    seconds: dict[str, float] = {}
    faults = []
    random.seed(1)
    for name, (call, arguments) in calls.items():
        assert fault(name, call, arguments) is None, name
        odd = [{argument: value} for argument in arguments for value in values]
        pairs = list(itertools.combinations(arguments, 2))
        odd += [{of: random.choice(values) for of in random.choice(pairs)} for _ in range(60 * bool(pairs))]
        for changed in odd:
            if any(is_left_out(name, *of) for of in changed.items()):
                continue
            begun = time.process_time()
            found = fault(name, call, {**arguments, **changed})
            taken = time.process_time() - begun
            if taken > SECONDS_OF_A_CALL:
                found = f"{taken:.1f} s"
            if found is not None:
                faults.append(f"{name}({shown(changed)}): {found:.200}")
            seconds[name] = seconds.get(name, 0) + taken
    faulthandler.cancel_dump_traceback_later()
    for name, taken in sorted(seconds.items(), key=lambda of: -of[1]):
        print(f"{taken:8.3f} s {name}")
    assert not faults, "\n".join(faults)
    assert sum(seconds.values()) < SECONDS


def test_properties_are_read_and_columns_are_set(calls: Calls) -> None:
    condition = fd.Condition("hcp(north) >= 12")
    hands = condition.deals(2, seed=1)
    deals, verdict = fd.Deals(hands), fd.run(deals=1000, seed=1)
    objects: list[Any] = [condition, condition.theory(), verdict, fd.compare(verdict, verdict), deals, deals[0], deals[0].north]
    for of in objects:
        for name in members(type(of)):
            getattr(of, name)
        repr(of)
        str(of)
    for value in [*NUMBERS, *TEXTS, *OTHERS, *odd_arrays()]:
        for name in ("hands", "board", "dealer", "vulnerable", "event", "tricks", "other"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    setattr(deals, name, value)
                except fd.Error as error:
                    assert str(error).startswith(name) or name == "other", error
            assert len(deals.columns()["board"]) == len(deals) == 2
    with pytest.raises(AttributeError):
        condition.text = "1"  # type: ignore[misc]
