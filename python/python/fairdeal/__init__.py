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
from ._errors import ConditionError, Error, InputError, SearchError, SystemFailure, UsageError
from ._fairdeal import SCENARIOS as _SCENARIOS
from ._fairdeal import Deal, Hand, __version__
from ._theory import PATTERNS, SHAPES, Theory, law
from ._tricks import par, tricks
from ._verdict import Comparison, Verdict, audit, compare, run

#: The built-in conditions: names and summaries.
SCENARIOS: dict[str, str] = {name: summary for name, summary, _ in _SCENARIOS}

__all__ = [
    "PATTERNS",
    "SCENARIOS",
    "SHAPES",
    "Comparison",
    "Condition",
    "ConditionError",
    "ConditionWarning",
    "Deal",
    "Error",
    "Hand",
    "InputError",
    "SearchError",
    "SystemFailure",
    "Theory",
    "UsageError",
    "Verdict",
    "__version__",
    "audit",
    "compare",
    "law",
    "par",
    "run",
    "to_deal",
    "to_endplay",
    "to_redeal",
    "tricks",
]
