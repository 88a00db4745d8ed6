"""What mypy and pyright say of the examples, and of typical mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parent / "examples"

Found = dict[int, set[str]]


def wanted() -> Found:
    """The codes of errors that the lines of the mistakes name."""
    lines = (FOLDER / "mistakes.py").read_text().splitlines()
    comments = ((number, line.partition("# error: ")[2]) for number, line in enumerate(lines, 1))
    return {number: set(codes.split()) for number, codes in comments if codes}


def told(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=FOLDER, capture_output=True, text=True, timeout=300
    )
    return done.stdout


def by_mypy(path: Path, cache: Path) -> Found:
    found: Found = defaultdict(set)
    printed = told("mypy", "--strict", "--no-pretty", "--cache-dir", str(cache), str(path))
    for line, code in re.findall(r"^[^:\n]+:(\d+): error: .*\[([\w-]+)\]$", printed, re.M):
        found[int(line)].add(code)
    assert found or "Success" in printed, printed
    return found


def by_pyright(path: Path) -> Found:
    found: Found = defaultdict(set)
    printed = told("pyright", "--outputjson", "--pythonpath", sys.executable, str(path))
    for of in json.loads(printed)["generalDiagnostics"]:
        if of["severity"] == "error":
            found[of["range"]["start"]["line"] + 1].add(of.get("rule", "syntax"))
    return found


def test_typical_mistakes_are_errors(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("pyright")
    mistakes = FOLDER / "mistakes.py"
    mypy, pyright = by_mypy(mistakes, tmp_path), by_pyright(mistakes)
    assert len(wanted()) > 20
    for line, codes in wanted().items():
        of_mypy = {code for code in codes if not code.startswith("report")}
        # A call that fits no overload has one of two rules, by the version of pyright.
        assert mypy.pop(line, set()) == of_mypy, f"mypy on line {line}"
        assert pyright.pop(line, set()) & (codes - of_mypy), f"pyright on line {line}"
    assert (mypy, pyright) == ({}, {})


def test_the_examples_are_clean(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("pyright")
    assert (by_mypy(EXAMPLES, tmp_path), by_pyright(EXAMPLES)) == ({}, {})
