"""Checks of arguments: every error is one of fairdeal's and begins with the argument's name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable
from operator import index
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentTypeError, UsageError

Seed = Union[int, "np.integer[Any]", np.random.Generator, np.random.SeedSequence, None]
Path = Union[str, "os.PathLike[str]"]

#: The largest number of deals of one request.
MOST_DEALS = 10**16
_MOST_BYTES = 1 << 62


def wrong_type(name: str, value: object, wanted: str) -> ArgumentTypeError:
    """Return the error for an argument of another type."""
    return ArgumentTypeError(f"{name}: {type(value).__name__} instead of {wanted}")


def whole(name: str, value: Any, least: int = 0, most: int = MOST_DEALS) -> int:
    """Return a whole number within bounds; NumPy's integers are accepted, bool is not."""
    if isinstance(value, (bool, np.bool_)):
        raise wrong_type(name, value, "a whole number")
    try:
        number = index(value)
    except (TypeError, OverflowError):
        raise wrong_type(name, value, "a whole number") from None
    if number < least:
        raise UsageError(f"{name}: must be at least {least}")
    if number > most:
        raise UsageError(f"{name}: must be at most {most}")
    return number


def optional_whole(name: str, value: Any, least: int = 0, most: int = MOST_DEALS) -> int | None:
    """Return a whole number within bounds, or None."""
    return None if value is None else whole(name, value, least, most)


def threads(value: Any) -> int | None:
    """Return a number of threads, or None; the library has its own limit below this one."""
    return None if value is None else whole("threads", value, most=2**64 - 1)


def real(name: str, value: Any) -> float:
    """Return a finite number."""
    if isinstance(value, (str, bytes, bool)):
        raise wrong_type(name, value, "a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise wrong_type(name, value, "a number") from None
    if not np.isfinite(number):
        raise UsageError(f"{name}: {number} is not a finite number")
    return number


def text(name: str, value: Any) -> str:
    """Return a text that can be passed on as UTF-8."""
    if not isinstance(value, str):
        raise wrong_type(name, value, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{name}: the text has characters that are not Unicode") from None
    return value


def optional_text(name: str, value: Any) -> str | None:
    """Return a text, or None."""
    return None if value is None else text(name, value)


def one_of(name: str, value: Any, names: Iterable[str], what: str = "") -> str:
    """Return one of some names."""
    known = list(names)
    if text(name, value) not in known:
        expected = ", ".join(known[:-1]) + f" or {known[-1]}"
        raise UsageError(f"{name}: `{value}` is not {what or 'one of them'}: {expected}")
    return str(value)


def flag(name: str, value: Any) -> bool:
    """Return a bool; NumPy's are accepted."""
    if not isinstance(value, (bool, np.bool_)):
        raise wrong_type(name, value, "a bool")
    return bool(value)


def path(name: str, value: Any) -> str:
    """Return a path as a text."""
    try:
        found = os.fspath(value)
    except TypeError:
        raise wrong_type(name, value, "a path") from None
    if isinstance(found, bytes):
        found = os.fsdecode(found)
    try:
        is_path = b"\0" not in os.fsencode(found)
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        raise UsageError(f"{name}: the path has characters that no file's name has")
    return str(found)


def paths(name: str, value: Any) -> list[str]:
    """Return the paths of a path, or of an iterable over paths."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return [path(name, value)]
    try:
        found = list(value)
    except TypeError:
        raise wrong_type(name, value, "a path, or a list of paths") from None
    return [path(name, each) for each in found]


def function(name: str, value: Any) -> Callable[..., Any]:
    """Return a function."""
    if not callable(value):
        raise wrong_type(name, value, "a function")
    return value  # type: ignore[no-any-return]


def seed(value: Any, name: str = "seed") -> int:
    """Return a seed of 128 bits: a whole number, the next 128 bits of a generator, the state of a
    seed sequence, or for None one from the operating system."""
    if value is None:
        return secrets.randbits(128)
    if isinstance(value, np.random.Generator):
        return int.from_bytes(value.bytes(16), "little")
    if isinstance(value, np.random.SeedSequence):
        return int.from_bytes(value.generate_state(4, np.uint32).astype("<u4").tobytes(), "little")
    return whole(name, value, most=2**128 - 1)


def allocated(shape: tuple[int, ...], dtype: Any, name: str) -> npt.NDArray[Any]:
    """Return an array of zeros, if there is memory for it."""
    size = np.dtype(dtype).itemsize
    for length in shape:
        size *= length
    try:
        if size > _MOST_BYTES:
            raise MemoryError
        return np.zeros(shape, dtype=dtype)
    except (MemoryError, ValueError):
        raise UsageError(f"{name}: there is not enough memory for {shape[0]} rows") from None
