"""Runs, audits and comparisons, and their verdicts."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Literal

from . import _arguments, _fairdeal
from ._arguments import Path, Seed
from ._condition import Condition, Sampler, as_condition
from ._convert import chunks
from ._deals import Deals
from ._errors import UnknownNameError
from ._progress import Progress, ProgressCallback, reported
from ._table import Record, Table


_COLOURS = {"PASS": "#1a7f37", "ALIKE": "#1a7f37", "INCONCLUSIVE": "#57606a"}


class Verdict:
    """The result of a run or an audit.

    ``level`` is ``PASS``, ``INCONCLUSIVE`` (too few deals for a PASS), ``SUSPICIOUS``, ``VERY
    SUSPICIOUS``, ``FAIL`` or ``INVALID``. Fair deals ever reach an evidence ``s`` of x in at most
    one run of 10**x.

    >>> import fairdeal as fd
    >>> verdict = fd.run("spades(west) == 9", deals=100_000, seed=1)
    >>> verdict.level, verdict.deals
    ('INCONCLUSIVE', 100000)
    >>> verdict.tests[0]["test"], verdict.tests[0]["verdict"]
    ('C card table', 'ok')
    """

    def __init__(self, report: _fairdeal.Report) -> None:
        if not isinstance(report, _fairdeal.Report):
            raise _arguments.wrong_type("report", report, "the report of a run or an audit")
        self._report = report
        self._record: Record = json.loads(report.json)

    @property
    def name(self) -> str:
        """The name of the run."""
        return self._report.name

    @property
    def level(self) -> str:
        """The level of the verdict."""
        return self._report.level

    @property
    def is_fair(self) -> bool:
        """Whether there is no evidence against the deals: PASS or INCONCLUSIVE."""
        return self.level in ("PASS", "INCONCLUSIVE")

    @property
    def s(self) -> float | None:
        """The evidence S: log10 of an e-value, the largest of all looks; None without tests."""
        return self._report.s

    @property
    def deals(self) -> int:
        """The number of tested deals."""
        return self._report.deals

    @property
    def seed(self) -> int | None:
        """The seed of a run."""
        seed = self._record.get("seed")
        return None if seed is None else int(seed, 16)

    @property
    def record(self) -> Record:
        """The contents of run.json or audit.json."""
        return self._record

    @property
    def tests(self) -> Table:
        """A record for each test and subject."""
        return self._rows("tests")

    @property
    def bounds(self) -> Table:
        """Confidence bounds on the remaining error, a record for each."""
        return self._rows("bounds")

    @property
    def averages(self) -> Table:
        """The averages that the script asks for."""
        return self._rows("averages")

    @property
    def frequencies(self) -> Table:
        """The frequencies that the script asks for."""
        return self._rows("frequencies")

    @property
    def evidence(self) -> list[str]:
        """The strongest evidence in words, at most three tests."""
        return [
            f"{looks_at} ({test}): p = {_p_value(log10_p)}" + (f"; {effect}" if effect else "")
            for looks_at, test, log10_p, effect in self._report.evidence
        ]

    @property
    def detectable(self) -> list[str]:
        """The effects that the tests detect with a probability of 0.9."""
        return self._report.detectable

    @property
    def tables(self) -> list[str]:
        """The names of the tables of the report."""
        return self._report.table_names

    def table(self, name: str) -> Table:
        """Return the rows of a table of the report, such as ``hcp``: see docs/reference/reports.md.

        >>> import fairdeal as fd
        >>> rows = fd.run("hcp(north) == 37", deals=1000, seed=1).table("hcp")
        >>> [row["observed"] for row in rows if row["seat"] == "north" and row["hcp"] == 37]
        [1000]
        """
        text = self._report.table(_arguments.text("name", name))
        if text is None:
            raise UnknownNameError(f"name: no table `{name}`: {', '.join(self.tables)}")
        names, *rows = csv.reader(io.StringIO(text, newline=""))
        columns = [_typed(column) for column in zip(*rows)]
        return Table(dict(zip(names, row)) for row in zip(*columns))

    def save(self, folder: Path, *, overwrite: bool = False) -> None:
        """Write the report into a folder: its page, its tables and its record, as ``fairdeal run`` and
        ``fairdeal audit`` do.

        Raises :class:`ExistingFileError` if the folder holds another report, unless it is to be
        overwritten. Audits of arrays always count as different: nothing says that their deals were
        the same.
        """
        self._report.save(_arguments.path("folder", folder), _arguments.flag("overwrite", overwrite))

    def _rows(self, name: str) -> Table:
        return Table(self._record.get(name, []))

    def __reduce__(self) -> tuple[object, ...]:
        return Verdict, (self._report,)

    def __repr__(self) -> str:
        return f"<Verdict {_headline(self.level, self.name, self.deals, self.s)}>"

    def _repr_html_(self) -> str:
        known: Record = self._record.get("evidence") or {}
        lines = self.evidence if not self.is_fair else []
        if self.level == "INVALID":
            lines = [str(known.get("invalid") or "invalid deals")]
        if self.is_fair:
            tests = known.get("tests", 0)
            lines = [f"{tests} tests, no evidence against these deals"]
            target = known.get("target")
            if self.level == "INCONCLUSIVE" and target is not None and self.deals < target:
                lines.append(f"a PASS needs {target:,} deals")
            lines += [f"{words} (99.9 % confidence)" for words in self._useful_bounds()[:2]]
        return _head(self.level, _headline("", self.name, self.deals, self.s), lines)

    def _useful_bounds(self) -> list[str]:
        return [
            words
            for quantity, value, words in self._report.bounds
            if value <= 0.5 and not quantity.startswith(("departure", "deal space"))
        ]


class Comparison:
    """The comparison of two verdicts: whether their deals come from one source.

    ``level`` is ``ALIKE``, ``INCONCLUSIVE``, ``SUSPICIOUS``, ``VERY SUSPICIOUS``, ``DIFFERENT`` or
    ``TOO ALIKE`` (the samples share deals).
    """

    def __init__(self, record: Record) -> None:
        if not isinstance(record, dict) or "verdict" not in record:
            raise _arguments.wrong_type("record", record, "the contents of comparison.json")
        self._record = record

    @property
    def level(self) -> str:
        """The level of the comparison."""
        level: str = self._record["verdict"]
        return level

    @property
    def s(self) -> float | None:
        """The evidence S against one source of both samples; None for the same run twice."""
        s: float | None = self._record["s"]
        return s

    @property
    def tests(self) -> Table:
        """A record for each compared table and subject."""
        return Table(self._record["tests"])

    @property
    def record(self) -> Record:
        """The contents of comparison.json."""
        return self._record

    def __repr__(self) -> str:
        return f"<Comparison {self.level}, S = {_digits(self.s)}>"

    def _repr_html_(self) -> str:
        a, b = self._record["a"]["deals"], self._record["b"]["deals"]
        rows = sorted(self.tests, key=lambda row: float(row["log10_p"]))[:3]
        lines = [
            f"{row['test']} {row['subject']}: {row['effect']} (p = {_p_value(row['log10_p'])})"
            for row in rows
        ]
        return _head(self.level, f"{a:,} and {b:,} deals · S = {_digits(self.s)}", lines)


def run(
    condition: Condition | str = "",
    deals: int | None = None,
    seed: Seed = None,
    *,
    sampler: Sampler = "auto",
    defect: str | None = None,
    battery: Literal["tables", "standard", "full"] | None = None,
    target: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Verdict:
    """Deal, count and test; a text is the condition.

    The counts depend only on the condition, the number of deals and the seed, and are those of
    ``fairdeal run``. Nothing is written to disk. ``defect`` deals with one of the known defects
    (``fairdeal run --defect help``); ``battery`` is ``tables``, ``standard`` or ``full``; a PASS
    needs ``target`` deals.

    >>> import fairdeal as fd
    >>> fd.run(deals=1_000_000, seed=2026).level
    'PASS'
    """
    if isinstance(condition, str):
        condition = Condition(condition, "run")
    condition = as_condition("condition", condition)
    condition._refuse_mix()
    deals = _arguments.optional_whole("deals", deals, most=2**64 - 1)
    target = _arguments.optional_whole("target", target, most=2**64 - 1)
    sampler_name = _arguments.text("sampler", sampler)
    defect = _arguments.optional_text("defect", defect)
    depth = _arguments.optional_text("battery", battery)
    threads = _arguments.threads(threads)
    with reported(progress) as callback:
        report = condition._script.run(
            deals,
            _arguments.seed(seed),
            sampler_name,
            defect,
            depth,
            target,
            threads,
            condition.name,
            callback,
        )
    return Verdict(report)


def audit(
    source: Any,
    condition: Condition | str | None = None,
    deals: int | None = None,
    *,
    form: Literal["hands", "seats"] = "seats",
    format: str | None = None,
    events: Literal["compatible", "same", "distinct"] = "compatible",
    battery: Literal["tables", "standard", "full"] | None = None,
    target: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Verdict:
    """Test deals from elsewhere, in the order in which they were dealt.

    ``source`` is one of:

    - a path, or a list of paths, of files or folders in any format that ``fairdeal audit`` reads;
    - an array (n, 4) of hands or (n, 52) of seats;
    - a function that fills such an array, or returns one: it is called until it has dealt
      ``deals`` deals; ``form`` is the form of the array;
    - the :class:`Deals` that :func:`read` returns;
    - an iterable of arrays, of :class:`Deal` objects, PBN strings, or deals of endplay or redeal,
      of which ``deals`` are taken, or all.

    ``condition`` is the condition that all deals should satisfy. ``events`` says whether all files
    are records of the ``same`` event, or every file is an event of its own (``distinct``). By
    default, boards on which two records of one event contradict each other are not tested;
    ``record["conflicts"]`` names them, and the verdict is at most INCONCLUSIVE.

    >>> import fairdeal as fd, numpy as np
    >>> shuffle = np.random.default_rng(1).permuted
    >>> def dealer(seats):  # a correct dealer
    ...     seats[:] = np.repeat(np.arange(4), 13)
    ...     shuffle(seats, axis=1, out=seats)
    >>> fd.audit(dealer, deals=20_000).level
    'INCONCLUSIVE'
    """
    script = None if condition is None else as_condition("condition", condition)._script
    deals = _arguments.optional_whole("deals", deals)
    target = _arguments.optional_whole("target", target, most=2**64 - 1)
    threads = _arguments.threads(threads)
    format = _arguments.optional_text("format", format)
    depth = _arguments.optional_text("battery", battery)
    _arguments.one_of("form", form, ("hands", "seats"))
    _arguments.one_of("events", events, ("compatible", "same", "distinct"), "a rule")
    if isinstance(source, Deals):
        source = source.hands
    with reported(progress) as callback:
        paths = _paths(source)
        if paths is not None:
            return Verdict(
                _fairdeal.audit_files(
                    paths, script, format, events, depth, target, threads, callback
                )
            )
        given = _counted(chunks(source, deals, form), deals, callback)
        return Verdict(_fairdeal.audit_deals(iter(given), script, depth, target, threads))


def compare(a: Verdict, b: Verdict) -> Comparison:
    """Compare the deals of two runs or audits of the same condition.

    >>> import fairdeal as fd
    >>> monday, tuesday = (fd.run(deals=100_000, seed=seed) for seed in (1, 2))
    >>> fd.compare(monday, tuesday).level
    'ALIKE'
    """
    for name, verdict in (("a", a), ("b", b)):
        if not isinstance(verdict, Verdict):
            raise _arguments.wrong_type(name, verdict, "a verdict")
    return Comparison(json.loads(_fairdeal.compare(a._report, b._report)))


def _paths(source: Any) -> list[str] | None:
    """The paths, if the source is a path or a list of paths. A PBN deal string is no path."""
    if isinstance(source, (str, os.PathLike)):
        return [_arguments.path("source", source)]
    if isinstance(source, (list, tuple)) and source:
        is_path = [
            isinstance(of, os.PathLike) or (isinstance(of, str) and of[1:2] != ":")
            for of in source
        ]
        if all(is_path):
            return [_arguments.path("source", of) for of in source]
    return None


def _counted(
    given: Iterable[Any], deals: int | None, callback: ProgressCallback | None
) -> Iterable[Any]:
    done = 0
    for chunk in given:
        yield chunk
        done += len(chunk)
        if callback is not None:
            callback("deals", done, deals)


def _typed(column: Sequence[str]) -> list[Any]:
    """The cells of a column as integers, as numbers or as text; None for empty ones."""
    kind: Callable[[str], Any]
    for kind in (int, float):
        try:
            return [kind(cell) if cell else None for cell in column]
        except ValueError:
            pass
    return [cell or None for cell in column]


def _digits(s: float | None) -> str:
    return "none" if s is None else f"{s:.2f}"


def _headline(level: str, name: str, deals: int, s: float | None) -> str:
    return f"{level} {name} · {deals:,} deals · S = {_digits(s)}".strip()


def _p_value(log10_p: float) -> str:
    return f"{10**log10_p:.2g}" if log10_p > -300 else f"1e{math.floor(log10_p)}"


def _head(level: str, headline: str, lines: list[str]) -> str:
    colour = _COLOURS.get(level, "#cf222e")
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        f'<div style="border-left: 0.4em solid {colour}; padding: 0.2em 1em">'
        f'<b style="color: {colour}">{escape(level)}</b> {escape(headline)}<ul>{items}</ul></div>'
    )
