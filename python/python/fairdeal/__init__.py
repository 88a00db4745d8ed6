"""Exactly uniform bridge deals under any constraint, exact probabilities, and tests of randomness.

>>> import fairdeal as fd
>>> hands = fd.Condition("hcp(north) >= 20").deals(1000, seed=1)   # deal
>>> probability = fd.Condition("hcp(north) >= 20").probability     # compute
>>> verdict = fd.audit(hands, "hcp(north) >= 20")                  # judge
>>> len(hands), round(float(probability), 6), verdict.level
(1000, 0.014451, 'INCONCLUSIVE')
"""

from ._condition import Condition, ConditionWarning
from ._convert import to_deal, to_endplay, to_redeal
from ._deals import FORMATS, Deals, convert, read
from ._errors import (
    ArgumentTypeError,
    ConditionError,
    Error,
    ExistingFileError,
    InputError,
    InternalError,
    MissingFileError,
    RowIndexError,
    SearchError,
    SystemFailure,
    UnknownNameError,
    UsageError,
)
from ._fairdeal import SCENARIOS as _SCENARIOS
from ._fairdeal import Deal, Hand, __version__
from ._table import Table
from ._theory import PATTERNS, SHAPES, Theory, law
from ._tricks import par, tricks
from ._verdict import Comparison, Verdict, audit, compare, run

#: The built-in conditions: names and summaries.
SCENARIOS: dict[str, str] = {name: summary for name, summary, _ in _SCENARIOS}

__all__ = [
    "FORMATS",
    "PATTERNS",
    "SCENARIOS",
    "SHAPES",
    "ArgumentTypeError",
    "Comparison",
    "Condition",
    "ConditionError",
    "ConditionWarning",
    "Deal",
    "Deals",
    "Error",
    "ExistingFileError",
    "Hand",
    "InputError",
    "InternalError",
    "MissingFileError",
    "RowIndexError",
    "SearchError",
    "SystemFailure",
    "Table",
    "Theory",
    "UnknownNameError",
    "UsageError",
    "Verdict",
    "__version__",
    "audit",
    "compare",
    "convert",
    "law",
    "par",
    "read",
    "run",
    "to_deal",
    "to_endplay",
    "to_redeal",
    "tricks",
]
