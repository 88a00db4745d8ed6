"""The program that the package is compared with, and the fixtures of the repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """Run the program that FAIRDEAL names, and return its output."""
    path = os.environ.get("FAIRDEAL")
    if path is None:
        pytest.skip("FAIRDEAL does not name the program")

    def run(*arguments: str) -> str:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    return run
