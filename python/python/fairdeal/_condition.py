"""Conditions, and their deals."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, Union, get_args, overload

import numpy as np
import numpy.typing as npt

from . import _arguments, _fairdeal
from ._arguments import MOST_DEALS, Seed
from ._convert import DealArray, Hands, Seats, checked, empty
from ._deals import Deals
from ._errors import ArgumentTypeError, InputError, MissingFileError, SystemFailure, UnknownNameError, UsageError
from ._fairdeal import Hand
from ._progress import Progress, reported
from ._theory import Theory
from ._warnings import warn

Sampler = Literal["auto", "listing", "cells", "numbers", "rejection"]
Shares = Literal["exact", "random"]
Form = Literal["hands", "seats"]
Seat = Literal["north", "east", "south", "west"]
Share = Union[int, float, Fraction]


class ConditionWarning(UserWarning):
    """A condition that may not mean what it says."""


class Condition:
    """A condition on deals, in the language of the program `dealer`; without text, every deal.

    >>> import fairdeal as fd
    >>> strong = fd.Condition("hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333)")
    >>> strong.probability
    Fraction(61367139, 5669763925)
    >>> strong.deals(3, seed=1).shape
    (3, 4)
    """

    def __init__(self, text: str = "", name: str = "condition") -> None:
        text, name = _arguments.text("text", text), _arguments.text("name", name)
        self._take(_fairdeal.Script(text, name))
        self.name = name

    def _take(self, script: _fairdeal.Script) -> None:
        self._script = script
        self._theory: Theory | None = None
        for warning in script.warnings:
            warn(warning, ConditionWarning)

    @classmethod
    def scenario(cls, name: str) -> Condition:
        """Return one of the built-in conditions, whose names are in ``fairdeal.SCENARIOS``."""
        name = _arguments.text("name", name)
        for known, _, text in _fairdeal.SCENARIOS:
            if known == name:
                return cls(text, name)
        names = ", ".join(known for known, _, _ in _fairdeal.SCENARIOS)
        raise UnknownNameError(f"name: no scenario `{name}`: {names}")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Condition:
        """Read a script from a file.

        Raises :class:`MissingFileError`, which is a ``FileNotFoundError``, without the file.
        """
        name = _arguments.path("path", path)
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError as error:
            raise MissingFileError(f"path: {error}") from None
        except UnicodeDecodeError:
            raise InputError(f"path: {name} is not a text in UTF-8") from None
        except (OSError, ValueError) as error:
            raise SystemFailure(f"path: {error}") from None
        return cls(text, name)

    @property
    def text(self) -> str:
        """The text."""
        return self._script.text

    @property
    def notation(self) -> list[str]:
        """The condition in bridge notation, line by line."""
        return self._script.notation

    # Exact values.

    def theory(self, *, progress: Progress = None) -> Theory:
        """Compute the exact tables, without drawing a card.

        If no deal satisfies the condition, its probability is 0, and its tables raise
        :class:`ConditionError`. Raises it at once if the condition depends on draws or distinguishes
        too many deals, so that exact tables are not available.
        """
        if self._theory is None:
            with reported(progress) as callback:
                self._theory = Theory(self._script.theory(None, callback), self.text)
        return self._theory

    def given(self, known: Condition | str, *, progress: Progress = None) -> Theory:
        """Compute the exact tables among the deals that satisfy another condition: what is likely,
        given what is known.

        >>> import fairdeal as fd
        >>> fd.Condition("spades(east) == 2").given("spades(north) + spades(south) == 9").probability
        Fraction(234, 575)

        Raises :class:`ConditionError` as :meth:`theory` does, for either condition.
        """
        other = as_condition("known", known)
        with reported(progress) as callback:
            tables = self._script.theory(other._script, callback)
        return Theory(tables, self.text, other.text)

    @property
    def probability(self) -> Fraction:
        """The exact probability that a deal satisfies the condition."""
        return self.theory().probability

    @property
    def total(self) -> int:
        """T: the number of ways to deal the hands that the condition mentions.

        The probability times the number of all deals is the number of deals of the condition.
        """
        return self.theory().total

    # Combinations.

    def __and__(self, other: Condition | str) -> Condition:
        """Return the condition of the deals that satisfy both.

        >>> import fairdeal as fd
        >>> (fd.Condition("hcp(north) >= 15") & "spades(north) >= 5").text
        'condition hcp(north) >= 15 && spades(north) >= 5'
        """
        return self._combined("and", other)

    def __or__(self, other: Condition | str) -> Condition:
        """Return the condition of the deals that satisfy this one, the other, or both."""
        return self._combined("or", other)

    def __invert__(self) -> Condition:
        """Return the condition of the deals that do not satisfy this one."""
        self._refuse_mix()
        return Condition(self._script.combined("not"), f"not {self.name}")

    def __rand__(self, other: str) -> Condition:
        return as_condition("other", other) & self

    def __ror__(self, other: str) -> Condition:
        return as_condition("other", other) | self

    def _combined(self, operator: str, other: Condition | str) -> Condition:
        second = as_condition("other", other)
        for condition in (self, second):
            condition._refuse_mix()
        text = self._script.combined(operator, second._script)
        return Condition(text, f"{self.name} {operator} {second.name}")

    def __bool__(self) -> bool:
        raise UsageError("a condition is not true or false: combine conditions with &, | and ~")

    def __eq__(self, other: object) -> bool:
        """Whether the other is a condition with the same text."""
        return isinstance(other, Condition) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[object, ...]:
        return Condition, (self.text, self.name)

    # Arrays that are there.

    def mask(
        self, deals: DealArray | Deals, *, progress: Progress = None
    ) -> npt.NDArray[np.bool_]:
        """Return whether each deal of an array satisfies the condition, or belongs to a type of the
        mix: an array (n,) of bool.

        ``deals`` is (n, 4) hands, (n, 52) seats, or :class:`Deals`. The compiled condition is
        computed on all cores.

        Raises :class:`InputError` for a row that is not a deal, and :class:`ConditionError` if the
        condition needs random draws or double-dummy tricks.

        >>> import fairdeal as fd
        >>> hands = fd.Condition().deals(1000, seed=1)
        >>> int(fd.Condition("hcp(north) >= 12").mask(hands).sum())
        335
        """
        if self.types:
            return self.types_of(deals, progress=progress) >= 0
        array = checked("deals", deals.hands if isinstance(deals, Deals) else deals)
        mask = _arguments.allocated((len(array),), np.bool_, "deals")
        with reported(progress) as callback:
            self._script.mask(array, mask, callback)
        return mask

    def types_of(
        self, deals: DealArray | Deals, *, progress: Progress = None
    ) -> npt.NDArray[np.int16]:
        """Return the number of the type of the mix that each deal of an array belongs to, -1 for
        none: an array (n,) of int16.

        >>> import fairdeal as fd
        >>> mixed = fd.Condition().mix({"hcp(north) >= 20": 1, "hcp(north) >= 15": 1})
        >>> mixed.types_of(fd.Condition("hcp(north) == 17").deals(3, seed=1)).tolist()
        [1, 1, 1]
        """
        if not self.types:
            raise UsageError("there is no mix: a condition has a mask")
        array = checked("deals", deals.hands if isinstance(deals, Deals) else deals)
        numbers = np.full(len(array), -1, dtype=np.int16)
        for number, name in enumerate(self.types):
            numbers[self.type(name).mask(array, progress=progress)] = number
        return numbers

    @staticmethod
    def column(
        expression: str, deals: DealArray | Deals, *, progress: Progress = None
    ) -> npt.NDArray[np.int64]:
        """Return the value of an expression for each deal of an array: an array (n,) of int64.

        The arguments and the errors are those of :meth:`mask`.

        >>> import fairdeal as fd
        >>> hands = fd.Condition("hcp(north) == 37").deals(3, seed=1)
        >>> fd.Condition.column("hcp(north) + 2 * aces(south)", hands).tolist()
        [37, 37, 37]
        """
        script = _fairdeal.Script(_arguments.text("expression", expression), "expression")
        array = checked("deals", deals.hands if isinstance(deals, Deals) else deals)
        column = _arguments.allocated((len(array),), np.int64, "deals")
        with reported(progress) as callback:
            script.column(array, column, callback)
        return column

    # Deals.

    @overload
    def deals(
        self,
        n: int,
        seed: Seed = None,
        *,
        form: Literal["hands"] = "hands",
        out: None = None,
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> Hands: ...

    @overload
    def deals(
        self,
        n: int,
        seed: Seed = None,
        *,
        form: Literal["seats"],
        out: None = None,
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> Seats: ...

    @overload
    def deals(
        self,
        n: int,
        seed: Seed = None,
        *,
        form: Form,
        out: None = None,
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> DealArray: ...

    @overload
    def deals(
        self,
        n: int | None = None,
        seed: Seed = None,
        *,
        form: Form = "hands",
        out: DealArray,
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> DealArray: ...

    def deals(
        self,
        n: int | None = None,
        seed: Seed = None,
        *,
        form: Form = "hands",
        out: DealArray | None = None,
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> DealArray:
        """Return n independent, exactly uniform deals of the condition as an array.

        With ``form="hands"`` the array is (n, 4): the hands clockwise from north, as in
        :attr:`Hand.bits`. With ``form="seats"`` it is (n, 52): the seat of each card in deck order
        SA SK .. C2, 0 to 3 clockwise from north. ``out`` is an array of one of these forms to fill.

        The deals are those of ``fairdeal deal -n N --seed SEED`` with the same sampler. The choice
        of the sampler ``auto`` depends on n, so another n may give other deals; with any other
        sampler, a smaller n gives the first deals of a larger one. Without ``seed``, the operating
        system provides one.

        ``sampler`` is ``auto``, ``listing``, ``cells`` or ``rejection``. With
        ``shares="random"``, each deal of a mix has a type by chance; by default the numbers of the
        types are their shares, to the nearest deal.

        >>> import fairdeal as fd
        >>> rare = fd.Condition("hcp(north) == 37")
        >>> hands = rare.deals(1000, seed=7)
        >>> fd.Deal.from_hands(hands[0].tolist()).north.hcp
        37
        """
        array = _array(n, form, out)
        _choices(sampler, shares)
        with reported(progress) as callback:
            if self._script.types:
                kinds = np.zeros(len(array), dtype=np.uint8)
                seed = _arguments.seed(seed)
                self._script.fill_mix(array, kinds, seed, sampler, shares, callback)
            else:
                self._script.fill(array, _arguments.seed(seed), sampler, callback)
        return array

    def typed_deals(
        self,
        n: int,
        seed: Seed = None,
        *,
        form: Form = "hands",
        sampler: Sampler = "auto",
        shares: Shares = "exact",
        progress: Progress = None,
    ) -> tuple[DealArray, npt.NDArray[np.uint8]]:
        """Return n deals of a mix as :meth:`deals` does, and the number of the type of each."""
        n = _arguments.whole("n", n)
        array = empty(n, form)
        kinds = _arguments.allocated((n,), np.uint8, "n")
        _choices(sampler, shares)
        with reported(progress) as callback:
            self._script.fill_mix(array, kinds, _arguments.seed(seed), sampler, shares, callback)
        return array, kinds

    @overload
    def stream(
        self,
        seed: Seed = None,
        size: int = 1 << 20,
        *,
        n: int | None = None,
        form: Literal["hands"] = "hands",
        sampler: Sampler = "auto",
        shares: Shares = "exact",
    ) -> Iterator[Hands]: ...

    @overload
    def stream(
        self,
        seed: Seed = None,
        size: int = 1 << 20,
        *,
        n: int | None = None,
        form: Literal["seats"],
        sampler: Sampler = "auto",
        shares: Shares = "exact",
    ) -> Iterator[Seats]: ...

    def stream(
        self,
        seed: Seed = None,
        size: int = 1 << 20,
        *,
        n: int | None = None,
        form: Form = "hands",
        sampler: Sampler = "auto",
        shares: Shares = "exact",
    ) -> Iterator[DealArray]:
        """Return an iterator over arrays of ``size`` deals; n deals in all, or without end.

        The first deals of a seed are the same for any n and any size: those of ``deals(2**20,
        seed)``. All cores deal the next array while the last one is used.

        >>> import fairdeal as fd
        >>> strong = fd.Condition("hcp(north) >= 20")
        >>> [len(hands) for hands in strong.stream(seed=1, size=1000, n=2500)]
        [1000, 1000, 500]
        """
        number = _arguments.optional_whole("n", n)
        size = _arguments.whole("size", size, least=1, most=1 << 40)
        form = _arguments.one_of("form", form, ("hands", "seats"))  # type: ignore[assignment]
        _choices(sampler, shares)
        is_seats = form == "seats"
        return self._script.stream(
            number, _arguments.seed(seed), size, is_seats, sampler, shares
        )

    def sampler(self, n: int, sampler: Sampler = "auto") -> str:
        """Return the sampler that deals n deals, and its size, in a line."""
        self._refuse_mix()
        _choices(sampler, "exact")
        return self._script.sampler(_arguments.whole("n", n), sampler)

    # Leads.

    def leads(
        self,
        contract: str,
        by: Seat,
        hand: Hand | str | None = None,
        *,
        best: Literal["tricks", "set", "matchpoints", "imps"] = "tricks",
        vulnerable: Literal["none", "ns", "ew", "all"] = "none",
        n: int | None = None,
        seed: Seed = None,
        confidence: float = 0.99,
        within: float | None = None,
        sampler: Sampler = "auto",
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Compare the opening leads of a hand against a contract, as ``fairdeal lead`` does.

        ``by`` is the declarer, and ``hand`` the hand of the seat after it, unless the condition
        predeals it. Every lead is solved double-dummy on the same deals until one is best, or equal
        to the best within a difference, with this confidence; or on n deals.

        The result has the fields of candidates.json, such as ``finding``, ``best`` and
        ``compared``, and ``leads``, a record for each lead, the best first.

        >>> import fairdeal as fd
        >>> strong = fd.Condition("hcp(south) >= 15 && hcp(north) >= 10")
        >>> table = strong.leads("3NT", "south", "KQ4.J9652.T8.643", n=10, seed=1)
        >>> table["compared"], len(table["leads"])
        (10, 10)
        """
        cards = ".".join(hand.suits) if isinstance(hand, Hand) else hand
        cards = _arguments.optional_text("hand", cards)
        for name, text in (("contract", contract), ("by", by), ("best", best)):
            _arguments.text(name, text)
        _arguments.text("vulnerable", vulnerable)
        _choices(sampler, "exact")
        n = _arguments.optional_whole("n", n)
        confidence = _arguments.real("confidence", confidence)
        within = None if within is None else _arguments.real("within", within)
        with reported(progress) as callback:
            found: dict[str, Any] = json.loads(
                _fairdeal.leads(
                    self._script,
                    contract,
                    by,
                    cards,
                    best,
                    vulnerable,
                    n,
                    _arguments.seed(seed),
                    confidence,
                    within,
                    sampler,
                    callback,
                )
            )
        return found

    # Mixes.

    @property
    def types(self) -> dict[str, Fraction]:
        """The types of a mix and their shares; empty without a mix."""
        types = self._script.types
        parts = sum(of for _, of in types)
        return {name: Fraction(of, parts) for name, of in types}

    def type(self, name: str) -> Condition:
        """Return the condition of one type of the mix."""
        names = [known for known, _ in self._script.types]
        if _arguments.text("name", name) not in names:
            raise UnknownNameError(f"name: no type `{name}`: {', '.join(names) or 'there is no mix'}")
        condition = Condition.__new__(Condition)
        condition.name = f"{self.name}, {name}"
        condition._take(self._script.of_type(names.index(name)))
        return condition

    def mix(self, types: Mapping[str, Share | tuple[str, Share]]) -> Condition:
        """Return a mix of types of this condition's deals.

        A key is the name of a condition that the text defines, or a condition, and its value is
        its share. With a new name as key, the value is a pair of condition and share. A deal
        belongs to the first type that holds.

        >>> import fairdeal as fd
        >>> major = fd.Condition("hearts(north) >= 5 && hcp(north) >= 11 && hearts(south) >= 3")
        >>> points = "hcp(north) + hcp(south)"
        >>> mixed = major.mix({"game": (f"{points} >= 25", 40), "pass": ("1", 60)})
        >>> mixed.types
        {'game': Fraction(2, 5), 'pass': Fraction(3, 5)}
        >>> hands, kinds = mixed.typed_deals(10, seed=1)
        >>> sorted(kinds.tolist())
        [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
        """
        if not isinstance(types, Mapping):
            raise _arguments.wrong_type("types", types, "a dictionary of types and shares")
        if not types:
            raise UsageError("types: a mix has at least one type")
        lines, shares = [], []
        for number, (key, value) in enumerate(types.items(), 1):
            _arguments.text("types", key)
            if isinstance(value, tuple):
                if len(value) != 2:
                    raise UsageError("types: a pair is a condition and a share")
                name, text, share = key, _arguments.text("types", value[0]), value[1]
                lines.append(f"{name} = {text}")
            elif key.isidentifier():
                name, share = key, value
            else:
                name, share = f"type{number}", value
                lines.append(f"{name} = {key}")
            shares.append(f"{name} {_parts(share)}")
        mix = "#mix: " + ", ".join(shares)
        return Condition("\n".join([*lines, mix, self.text, ""]), self.name)

    def _refuse_mix(self) -> None:
        if self.types:
            names = ", ".join(self.types)
            raise UsageError(f"each type of a mix has its own population: take type(), of {names}")

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"


def as_condition(name: str, value: Condition | str) -> Condition:
    """Return a condition, or that of a text."""
    if isinstance(value, Condition):
        return value
    if not isinstance(value, str):
        raise _arguments.wrong_type(name, value, "a condition or its text")
    return Condition(_arguments.text(name, value))


def _choices(sampler: str, shares: str) -> None:
    _arguments.one_of("sampler", sampler, get_args(Sampler), "a sampler")
    _arguments.one_of("shares", shares, ("exact", "random"))


def _array(n: int | None, form: str, out: DealArray | None) -> DealArray:
    number = _arguments.optional_whole("n", n)
    if out is None:
        if number is None:
            raise ArgumentTypeError("n: deals() needs the number of deals, or an array to fill (out)")
        return empty(number, form)
    if not isinstance(out, np.ndarray):
        raise _arguments.wrong_type("out", out, "an array")
    if out.ndim != 2 or out.dtype not in (np.uint64, np.uint8) or not out.dtype.isnative:
        raise ArgumentTypeError(
            f"out: an array of {out.dtype} with shape {out.shape} instead of (n, 4) of uint64 or "
            "(n, 52) of uint8"
        )
    if not (out.flags.c_contiguous and out.flags.aligned):
        raise UsageError("out: the rows of the array are not one after the other")
    if number is not None and number != len(out):
        raise UsageError(f"n: the array has {len(out)} rows for {number} deals")
    return out


def _parts(share: Any) -> str:
    """The share as a decimal number with at most six digits after the point."""
    number = _arguments.real("types", share)
    if not 0 < number <= MOST_DEALS:
        raise UsageError(f"types: the share {share} is not above 0")
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    if abs(Fraction(text) - Fraction(share)) > Fraction(1, 10**9):
        raise UsageError(f"types: the share {share} has more than six decimals: give whole parts")
    return text
