"""Warnings at the line of the caller."""

from __future__ import annotations

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning at the first line that is not of this package."""
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
