"""Conditions, and their deals."""

from __future__ import annotations

import json
import os
import secrets
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, Union, overload

import numpy as np
import numpy.typing as npt

from . import _fairdeal
from ._convert import DealArray, Hands, Seats, empty
from ._errors import UsageError
from ._fairdeal import Deal, Hand
from ._progress import Progress, reported
from ._theory import Theory

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
        self._take(_fairdeal.Script(text, name))
        self.name = name

    def _take(self, script: _fairdeal.Script) -> None:
        self._script = script
        self._theory: Theory | None = None
        for warning in script.warnings:
            warnings.warn(warning, ConditionWarning, stacklevel=3)

    @classmethod
    def scenario(cls, name: str) -> Condition:
        """Return one of the built-in conditions, whose names are in ``fairdeal.SCENARIOS``."""
        for known, _, text in _fairdeal.SCENARIOS:
            if known == name:
                return cls(text, name)
        names = ", ".join(known for known, _, _ in _fairdeal.SCENARIOS)
        raise KeyError(f"no scenario `{name}`: {names}")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Condition:
        """Read a script from a file."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), os.fspath(path))

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

        Raises :class:`ConditionError` if no deal satisfies the condition, or if it depends on draws
        or distinguishes too many deals, so that exact tables are not available.
        """
        if self._theory is None:
            with reported(progress) as callback:
                self._theory = Theory(self._script.theory(None, callback))
        return self._theory

    def given(self, known: Condition | str, *, progress: Progress = None) -> Theory:
        """Compute the exact tables among the deals that satisfy another condition: what is likely,
        given what is known.

        >>> import fairdeal as fd
        >>> fd.Condition("spades(east) == 2").given("spades(north) + spades(south) == 9").probability
        Fraction(234, 575)

        Raises :class:`ConditionError` as :meth:`theory` does, for either condition.
        """
        other = known if isinstance(known, Condition) else Condition(known)
        with reported(progress) as callback:
            return Theory(self._script.theory(other._script, callback))

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

    # Deals.

    @overload
    def deals(
        self,
        n: int,
        seed: int | None = None,
        *,
        form: Literal["hands"] = "hands",
        out: None = None,
        sampler: str = "auto",
        shares: str = "exact",
        progress: Progress = None,
    ) -> Hands: ...

    @overload
    def deals(
        self,
        n: int,
        seed: int | None = None,
        *,
        form: Literal["seats"],
        out: None = None,
        sampler: str = "auto",
        shares: str = "exact",
        progress: Progress = None,
    ) -> Seats: ...

    @overload
    def deals(
        self,
        n: int,
        seed: int | None = None,
        *,
        form: str,
        out: None = None,
        sampler: str = "auto",
        shares: str = "exact",
        progress: Progress = None,
    ) -> DealArray: ...

    @overload
    def deals(
        self,
        n: int | None = None,
        seed: int | None = None,
        *,
        form: str = "hands",
        out: DealArray,
        sampler: str = "auto",
        shares: str = "exact",
        progress: Progress = None,
    ) -> DealArray: ...

    def deals(
        self,
        n: int | None = None,
        seed: int | None = None,
        *,
        form: str = "hands",
        out: DealArray | None = None,
        sampler: str = "auto",
        shares: str = "exact",
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
        with reported(progress) as callback:
            if self._script.types:
                kinds = np.zeros(len(array), dtype=np.uint8)
                seed = _seed(seed)
                self._script.fill_mix(array, kinds, seed, sampler, shares, callback)
            else:
                self._script.fill(array, _seed(seed), sampler, callback)
        return array

    def typed_deals(
        self,
        n: int,
        seed: int | None = None,
        *,
        form: str = "hands",
        sampler: str = "auto",
        shares: str = "exact",
        progress: Progress = None,
    ) -> tuple[DealArray, npt.NDArray[np.uint8]]:
        """Return n deals of a mix as :meth:`deals` does, and the number of the type of each."""
        array, kinds = empty(n, form), np.zeros(n, dtype=np.uint8)
        with reported(progress) as callback:
            self._script.fill_mix(array, kinds, _seed(seed), sampler, shares, callback)
        return array, kinds

    def stream(
        self,
        n: int | None = None,
        seed: int | None = None,
        *,
        sampler: str = "auto",
        shares: str = "exact",
    ) -> Iterator[Deal]:
        """Return an iterator over the deals of :meth:`deals`; endless without ``n``.

        An endless stream has the deals of ``n=1000`` first. They are dealt ahead on a thread of
        their own.

        >>> import fairdeal as fd
        >>> for deal in fd.Condition("hcp(north) >= 30").stream(2, seed=1):
        ...     print(deal.north.hcp >= 30)
        True
        True
        """
        return self._script.stream(n, _seed(seed), sampler, shares)

    def sampler(self, n: int, sampler: str = "auto") -> str:
        """Return the sampler that deals n deals, and its size, in a line."""
        self._refuse_mix()
        return self._script.sampler(n, sampler)

    # Leads.

    def leads(
        self,
        contract: str,
        by: str,
        hand: Hand | str | None = None,
        *,
        best: str = "tricks",
        vulnerable: str = "none",
        n: int | None = None,
        seed: int | None = None,
        confidence: float = 0.99,
        within: float | None = None,
        sampler: str = "auto",
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
                    _seed(seed),
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
        if name not in names:
            raise KeyError(f"no type `{name}`: {', '.join(names) or 'there is no mix'}")
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
        if not types:
            raise ValueError("a mix has at least one type")
        lines, shares = [], []
        for number, (key, value) in enumerate(types.items(), 1):
            if isinstance(value, tuple):
                name, (text, share) = key, value
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


def _array(n: int | None, form: str, out: DealArray | None) -> DealArray:
    if out is None:
        if n is None:
            raise TypeError("deals() needs the number of deals, or an array to fill (out)")
        return empty(n, form)
    if n is not None and n != len(out):
        raise ValueError(f"the array has {len(out)} rows for {n} deals")
    return out


def _seed(seed: int | None) -> int:
    return secrets.randbits(128) if seed is None else seed


def _parts(share: Any) -> str:
    """The share as a decimal number with at most six digits after the point."""
    text = f"{float(share):.6f}".rstrip("0").rstrip(".")
    if abs(Fraction(text) - Fraction(share)) > Fraction(1, 10**9):
        raise ValueError(f"the share {share} has more than six decimals: give whole parts")
    return text
