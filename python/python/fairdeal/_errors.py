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

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.message, self.line, self.column)


class UsageError(Error, ValueError):
    """A request that cannot be carried out as given, such as a number outside its bounds."""


class ArgumentTypeError(UsageError, TypeError):
    """An argument of another type; the message begins with its name."""


class UnknownNameError(UsageError, KeyError):
    """A name that nothing has: of a seat, a table, a type or a scenario."""

    __str__ = Exception.__str__


class InputError(Error, ValueError):
    """A file or an array with unexpected contents."""


class RowIndexError(InputError, IndexError):
    """A row that deals or a table do not have."""


class SearchError(Error):
    """A billion deals in a row did not satisfy the condition."""


class SystemFailure(Error, OSError):
    """Reading, writing, memory or threads failed."""


class MissingFileError(SystemFailure, FileNotFoundError):
    """A file or a folder that does not exist."""


class ExistingFileError(SystemFailure, FileExistsError):
    """A file or a folder that would be overwritten."""


class InternalError(Error, RuntimeError):
    """A defect of fairdeal itself: please report it."""
