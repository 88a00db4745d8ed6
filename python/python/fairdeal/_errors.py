"""Exceptions of fairdeal."""

from __future__ import annotations


class Error(Exception):
    """The base of all exceptions of fairdeal."""


class ConditionError(Error, ValueError):
    """A condition with an error, or one that no deal satisfies.

    Prints the line of the text with a caret under the place. ``line`` and ``column`` count from 1
    and are ``None`` if the error has no place; ``message`` is a single line.

    >>> import fairdeal as fd
    >>> try:
    ...     fd.Condition("spades(wset) == 9")
    ... except fd.ConditionError as error:
    ...     print(error.line, error.column)
    1 8
    """

    def __init__(
        self,
        text: str,
        message: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.line = line
        self.column = column


class UsageError(Error, ValueError):
    """A request that cannot be carried out as given."""


class InputError(Error, ValueError):
    """A file or an array with unexpected contents."""


class SearchError(Error):
    """A billion deals in a row did not satisfy the condition."""


class SystemFailure(Error, OSError):
    """Reading, memory or threads failed."""
