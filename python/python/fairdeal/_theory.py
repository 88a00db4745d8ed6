"""Exact tables of a condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arguments, _fairdeal
from ._errors import ConditionError, UnknownNameError, UsageError
from ._progress import Progress, reported
from ._table import Table

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
SIDES = ("north-south", "east-west")

#: The names of the shapes, in the order of the tables.
SHAPES: tuple[str, ...] = tuple(_fairdeal.SHAPES)
#: The names of the patterns, in the order of the tables.
PATTERNS: tuple[str, ...] = tuple(_fairdeal.PATTERNS)

Subject = Any
Probabilities = npt.NDArray[np.float64]

_CARDS = tuple(suit + rank for suit in "SHDC" for rank in "AKQJT98765432")
_SUBJECTS: dict[str, tuple[Subject, ...]] = {
    "hcp": SEATS,
    "shapes": SEATS,
    "patterns": SEATS,
    "suit_lengths": tuple((seat, suit) for seat in SEATS for suit in SUITS),
    "aces": SEATS,
    "controls": SEATS,
    "side_hcp": SIDES,
    "fits": tuple((side, suit) for side in SIDES for suit in SUITS),
    "cards": _CARDS,
}


class Theory:
    """The exact probabilities of a condition's deals.

    ``theory["hcp"]["north"]`` is a NumPy array, whose element i is the probability of i points;
    each element is rounded once from its exact value.

    ==============  ========================  =======================================
    table           subjects                  outcomes
    ==============  ========================  =======================================
    hcp             seats                     0 to 37 points
    shapes          seats                     ``fairdeal.SHAPES``
    patterns        seats                     ``fairdeal.PATTERNS``
    suit_lengths    (seat, suit)              0 to 13 cards
    aces            seats                     0 to 4
    controls        seats                     0 to 12 (A=2, K=1)
    side_hcp        sides                     0 to 40 points
    fits            (side, suit)              0 to 13 cards
    cards           cards, such as ``SA``     north, east, south, west
    ==============  ========================  =======================================

    >>> import fairdeal as fd
    >>> theory = fd.Condition("spades(west) == 9").theory()
    >>> theory.mean("hcp", "west")
    Fraction(10, 1)
    >>> theory["suit_lengths"]["west", "spades"].tolist()[8:11]
    [0.0, 1.0, 0.0]
    >>> theory.exact("aces", "west")[4]
    Fraction(36, 118807)
    """

    def __init__(
        self, tables: _fairdeal.ExactTables | KeptTables, text: str = "", known: str | None = None
    ) -> None:
        if not isinstance(tables, (_fairdeal.ExactTables, KeptTables)):
            raise _arguments.wrong_type("tables", tables, "exact tables")
        self._tables = tables
        self._texts = _arguments.text("text", text), _arguments.optional_text("known", known)
        self._values: dict[str, Mapping[Subject, Probabilities]] = {}

    @property
    def total(self) -> int:
        """T: the number of ways to deal the hands that the condition mentions."""
        return self._tables.total

    @property
    def probability(self) -> Fraction:
        """The probability that a deal satisfies the condition."""
        return Fraction(*self._tables.probability)

    @property
    def types(self) -> dict[str, dict[str, Fraction]]:
        """The types of a mix: ``share`` of the mix, ``natural`` share of the condition's deals,
        and ``probability`` among all deals."""
        return {
            name: {
                "share": Fraction(*share),
                "natural": Fraction(*natural),
                "probability": Fraction(*probability),
            }
            for name, share, natural, probability in self._tables.types
        }

    @property
    def tables(self) -> dict[str, Mapping[Subject, Probabilities]]:
        """All tables, by name."""
        return {name: self[name] for name in _SUBJECTS}

    def __getitem__(self, table: str) -> Mapping[Subject, Probabilities]:
        subjects = self._subjects(table)
        if table not in self._values:
            arrays = [np.array(row) for row in self._tables.values(table)]
            for array in arrays:
                array.flags.writeable = False
            self._values[table] = MappingProxyType(dict(zip(subjects, arrays)))
        return self._values[table]

    def exact(self, table: str, subject: Subject) -> list[Fraction]:
        """Return the exact probabilities of the outcomes of a subject."""
        ways, of = self._tables.ways(table, self._place(table, subject))
        return [Fraction(each, of) for each in ways]

    def mean(self, table: str, subject: Subject) -> Fraction:
        """Return the exact mean of the outcomes, for tables of numbers."""
        place = self._place(table, subject)
        if table in ("shapes", "patterns", "cards"):
            raise UsageError(f"table: the outcomes of {table} are not numbers")
        return Fraction(*self._tables.mean(table, place))

    def table(self, name: str) -> Table:
        """Return a table as records of subject, outcome and probability.

        >>> import fairdeal as fd
        >>> fd.Condition("spades(west) == 9").theory().table("aces")[15]["outcome"]
        0
        """
        outcomes = self.outcomes(name)
        return Table(
            {
                "subject": subject if isinstance(subject, str) else " ".join(subject),
                "outcome": outcome,
                "probability": probability,
            }
            for subject, values in self[name].items()
            for outcome, probability in zip(outcomes, values.tolist())
        )

    def joint(self, *quantities: str, exact: bool = False, progress: Progress = None) -> Table:
        """Return the joint distribution of some quantities, a record for each possible combination.

        A quantity is ``hcp north``, ``shape north``, ``pattern north``, ``spades north`` and so on,
        or an expression such as ``hcp(north) + hcp(south)``. The probabilities are rounded once, or
        fractions with ``exact``.

        >>> import fairdeal as fd
        >>> strong = fd.Condition("hcp(north) == 37").theory()
        >>> strong.joint("hcp north", "shape north", exact=True)[0]
        {'hcp north': 37, 'shape north': '4-3-3-3', 'probability': Fraction(1, 1)}

        Raises :class:`ConditionError` if there is no exact table, or if it takes more than some ten
        seconds. Points, lengths, cards and their sums have tables among the deals of any condition
        that has a probability; other quantities depend on one or two hands, with the condition.
        """
        if not quantities:
            raise UsageError("quantities: name at least one")
        exact = _arguments.flag("exact", exact)
        asked = {text: _quantity(_arguments.text("quantities", text)) for text in quantities}
        places: dict[str, slice] = {}
        values: list[str] = []
        for text, (of_text, _) in asked.items():
            places[text] = slice(len(values), len(values) + len(of_text))
            values += of_text
        with reported(progress) as callback:
            ways, of = self._script().joint(values, callback)
        found: dict[tuple[Any, ...], int] = {}
        for numbers, each in ways:
            outcome = tuple(name(numbers[places[text]]) for text, (_, name) in asked.items())
            found[outcome] = found.get(outcome, 0) + each
        return Table(
            {**dict(zip(asked, outcome)), "probability": Fraction(each, of) if exact else each / of}
            for outcome, each in sorted(found.items())
        )

    def _script(self) -> _fairdeal.Script:
        text, known = self._texts
        script = _fairdeal.Script(text, "condition")
        if known is None:
            return script
        return _fairdeal.Script(script.combined("and", _fairdeal.Script(known, "known")), "condition")

    def outcomes(self, table: str) -> list[int] | list[str]:
        """Return the outcomes of a table: numbers or names, in the order of its arrays."""
        subjects = self._subjects(table)
        names = {"shapes": SHAPES, "patterns": PATTERNS, "cards": SEATS}
        if table in names:
            return list(names[table])
        return list(range(len(self[table][subjects[0]])))

    def _subjects(self, table: str) -> tuple[Subject, ...]:
        if _arguments.text("table", table) not in _SUBJECTS:
            raise UnknownNameError(f"table: no table `{table}`: {', '.join(_SUBJECTS)}")
        return _SUBJECTS[table]

    def _place(self, table: str, subject: Subject) -> int:
        subjects = self._subjects(table)
        if not isinstance(subject, (str, tuple)) or subject not in subjects:
            raise UnknownNameError(f"subject: `{subject}` is not a subject of {table}, such as {subjects[0]!r}")
        return subjects.index(subject)

    def __reduce__(self) -> tuple[object, ...]:
        return Theory, (KeptTables.of(self._tables), *self._texts)

    def __repr__(self) -> str:
        return f"<Theory: probability {float(self.probability):.6g}>"


def _quantity(text: str) -> tuple[list[str], Callable[[Sequence[int]], int | str]]:
    """The expressions of a quantity, and the function of their values that is its outcome."""
    name, seat = (text.split() + ["", ""])[:2]
    if text.split() != [name, seat] or seat not in SEATS:
        return [text], lambda values: values[0]
    if name not in ("shape", "pattern"):
        return [f"{name}({seat})"], lambda values: values[0]

    def outcome(values: Sequence[int]) -> str:
        lengths = [*values, 13 - sum(values)]
        if name == "shape":
            return "-".join(map(str, sorted(lengths, reverse=True)))
        return "=".join(map(str, lengths))

    return [f"{suit}({seat})" for suit in SUITS[:3]], outcome


@dataclass(frozen=True)
class KeptTables:
    """Exact tables that were pickled: the numerators and the denominators of all of them."""

    total: int
    probability: tuple[int, int]
    types: list[tuple[str, tuple[int, int], tuple[int, int], tuple[int, int]]]
    kept: dict[str, list[tuple[list[int], int]]]

    @classmethod
    def of(cls, tables: _fairdeal.ExactTables | KeptTables) -> KeptTables:
        """Return the tables as plain numbers."""
        if isinstance(tables, cls):
            return tables
        kept: dict[str, list[tuple[list[int], int]]] = {}
        if tables.probability[0]:
            for name, subjects in _SUBJECTS.items():
                kept[name] = [tables.ways(name, place) for place in range(len(subjects))]
        return cls(tables.total, tables.probability, tables.types, kept)

    def values(self, table: str) -> list[list[float]]:
        """Return the probabilities of a table, a list for each subject."""
        return [[float(Fraction(each, of)) for each in ways] for ways, of in self._table(table)]

    def ways(self, table: str, subject: int) -> tuple[list[int], int]:
        """Return the numerators and the denominator of a subject."""
        return self._table(table)[subject]

    def mean(self, table: str, subject: int) -> tuple[int, int]:
        """Return the mean of a subject's outcomes."""
        ways, of = self.ways(table, subject)
        return sum(outcome * each for outcome, each in enumerate(ways)), of

    def _table(self, table: str) -> list[tuple[list[int], int]]:
        if not self.kept:
            raise ConditionError("no deal satisfies the condition: it has no tables")
        return self.kept[table]


_LAWS = {
    "joint_shapes": (39, 39),
    "joint_hcp": (38, 38),
    "flatness": (677,),
    "voids": (13,),
    "overlap": (53,),
    "longest_suit": (14,),
    "longest_of_hand": (14,),
    "best_fit": (14,),
}


def law(name: str, *, exact: bool = False) -> Any:
    """Return a law of unconstrained deals: ``joint_shapes`` and ``joint_hcp`` of two hands,
    ``flatness`` (sum of the squares of the sixteen suit lengths), ``voids``, ``longest_suit`` of a
    deal, ``overlap`` (cards that two deals give to the same seat), ``longest_of_hand`` and
    ``best_fit`` of two hands.

    The result is an array of probabilities, or of fractions with ``exact``.

    >>> import fairdeal as fd
    >>> law = fd.law("overlap", exact=True)
    >>> sum(cards * p for cards, p in enumerate(law))
    Fraction(13, 1)
    """
    if _arguments.text("name", name) not in _LAWS:
        raise UnknownNameError(f"name: no law `{name}`: {', '.join(_LAWS)}")
    values, (ways, of) = _fairdeal.null_law(name)
    if _arguments.flag("exact", exact):
        fractions = np.array([Fraction(each, of) for each in ways], dtype=object)
        return fractions.reshape(_LAWS[name])
    return np.array(values).reshape(_LAWS[name])
