"""Progress of long work: a callback, or bars of tqdm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

from ._arguments import wrong_type

ProgressCallback = Callable[[str, int, Union[int, None]], object]
Progress = Union[bool, ProgressCallback, None]


class _Bars:
    """A bar of tqdm for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self.tqdm = tqdm
        self.bar: Any = None
        self.stage = ""

    def __call__(self, stage: str, done: int, of: int | None) -> None:
        if stage != self.stage:
            self.close()
            self.stage = stage
            self.bar = self.tqdm(total=of, desc=stage, unit_scale=True, leave=False)
        self.bar.total = of
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


@contextmanager
def reported(progress: Progress) -> Iterator[ProgressCallback | None]:
    """Give the callback for an argument ``progress``: with True, tqdm's bars if it is installed."""
    if callable(progress):
        yield progress
        return
    if not isinstance(progress, (bool, type(None))):
        raise wrong_type("progress", progress, "a function or a bool")
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bars = _Bars(tqdm)
    try:
        yield bars
    finally:
        bars.close()
