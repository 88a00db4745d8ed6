"""The compiled part of fairdeal."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Union, final

import numpy as np
import numpy.typing as npt

_Progress = Union[Callable[[str, int, Union[int, None]], object], None]
_DealArray = Union[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]
_Fraction = tuple[int, int]

__all__ = [
    "FORMATS",
    "PATTERNS",
    "PROGRAM",
    "SCENARIOS",
    "SHAPES",
    "Deal",
    "DealStream",
    "ExactTables",
    "Hand",
    "Report",
    "Script",
    "__version__",
    "audit_deals",
    "audit_files",
    "compare",
    "convert_files",
    "leads",
    "null_law",
    "par",
    "read_files",
    "tricks",
    "write_file",
]

__version__: str
PROGRAM: str
SCENARIOS: list[tuple[str, str, str]]
SHAPES: list[str]
FORMATS: tuple[list[str], list[str]]
PATTERNS: list[str]

@final
class Hand:
    @classmethod
    def from_bits(cls, bits: int) -> Hand: ...
    @property
    def bits(self) -> int: ...
    @property
    def spades(self) -> str: ...
    @property
    def hearts(self) -> str: ...
    @property
    def diamonds(self) -> str: ...
    @property
    def clubs(self) -> str: ...
    @property
    def suits(self) -> list[str]: ...
    @property
    def lengths(self) -> tuple[int, int, int, int]: ...
    @property
    def hcp(self) -> int: ...
    @property
    def shape(self) -> str: ...
    @property
    def pattern(self) -> str: ...
    @property
    def cards(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, card: str, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Deal:
    def __new__(cls, pbn: str) -> Deal: ...
    @classmethod
    def from_hands(cls, hands: Sequence[int]) -> Deal: ...
    @classmethod
    def from_seats(cls, seats: Sequence[int]) -> Deal: ...
    @classmethod
    def from_array(cls, array: _DealArray) -> list[Deal]: ...
    @classmethod
    def from_number(cls, number: int, scheme: str | None = None) -> Deal: ...
    def number(self, scheme: str | None = None) -> int: ...
    @property
    def pbn(self) -> str: ...
    @property
    def hands(self) -> tuple[Hand, Hand, Hand, Hand]: ...
    @property
    def north(self) -> Hand: ...
    @property
    def east(self) -> Hand: ...
    @property
    def south(self) -> Hand: ...
    @property
    def west(self) -> Hand: ...
    def __getitem__(self, seat: str, /) -> Hand: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class DealStream(Iterator[Any]):
    def __iter__(self) -> DealStream: ...
    def __next__(self) -> Any: ...

@final
class ExactTables:
    total: int
    probability: _Fraction
    types: list[tuple[str, _Fraction, _Fraction, _Fraction]]
    def values(self, table: str) -> list[list[float]]: ...
    def ways(self, table: str, subject: int) -> tuple[list[int], int]: ...
    def mean(self, table: str, subject: int) -> _Fraction: ...

@final
class Report:
    def __new__(cls, fields: tuple[Any, ...]) -> Report: ...
    name: str
    level: str
    deals: int
    s: float | None
    evidence: list[tuple[str, str, float, str]]
    bounds: list[tuple[str, float, str]]
    detectable: list[str]
    json: str
    @property
    def table_names(self) -> list[str]: ...
    def table(self, name: str) -> str | None: ...
    def save(self, folder: str, overwrite: bool) -> None: ...

@final
class Script:
    def __new__(cls, text: str, name: str = "condition") -> Script: ...
    @property
    def text(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def notation(self) -> list[str]: ...
    @property
    def types(self) -> list[tuple[str, int]]: ...
    def of_type(self, place: int) -> Script: ...
    def theory(self, given: Script | None = None, progress: _Progress = None) -> ExactTables: ...
    def joint(
        self, values: Sequence[str], progress: _Progress = None
    ) -> tuple[list[tuple[list[int], int]], int]: ...
    def fill(
        self, array: _DealArray, seed: int, sampler: str = "auto", progress: _Progress = None
    ) -> None: ...
    def fill_mix(
        self,
        array: _DealArray,
        types: npt.NDArray[np.uint8],
        seed: int,
        sampler: str,
        shares: str,
        progress: _Progress = None,
    ) -> None: ...
    def stream(
        self,
        deals: int | None,
        seed: int,
        size: int,
        seats: bool,
        sampler: str,
        shares: str,
    ) -> DealStream: ...
    def combined(self, operator: str, other: Script | None = None) -> str: ...
    def mask(
        self, array: _DealArray, mask: npt.NDArray[np.bool_], progress: _Progress = None
    ) -> None: ...
    def column(
        self, array: _DealArray, column: npt.NDArray[np.int64], progress: _Progress = None
    ) -> None: ...
    def sampler(self, deals: int, sampler: str = "auto") -> str: ...
    def run(
        self,
        deals: int | None,
        seed: int,
        sampler: str = "auto",
        defect: str | None = None,
        depth: str | None = None,
        target: int | None = None,
        threads: int | None = None,
        name: str = "run",
        progress: _Progress = None,
    ) -> Report: ...

def audit_files(
    files: Sequence[str],
    script: Script | None = None,
    format: str | None = None,
    events: str = "compatible",
    depth: str | None = None,
    target: int | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Report: ...
def audit_deals(
    chunks: Iterator[Any],
    script: Script | None = None,
    depth: str | None = None,
    target: int | None = None,
    threads: int | None = None,
    progress: _Progress = None,
) -> Report: ...
def leads(
    script: Script,
    contract: str,
    declarer: str,
    hand: str | None,
    best: str,
    vulnerable: str,
    deals: int | None,
    seed: int,
    confidence: float,
    within: float | None,
    sampler: str,
    progress: _Progress = None,
) -> str: ...
def compare(a: Report, b: Report) -> str: ...
def null_law(name: str) -> tuple[list[float], tuple[list[int], int]]: ...
def tricks(
    chunk: _DealArray | list[Deal], threads: int | None = None, progress: _Progress = None
) -> npt.NDArray[np.uint8]: ...
def par(
    tricks: npt.NDArray[np.uint8], dealer: str = "north", vulnerable: str = "none"
) -> npt.NDArray[np.int64]: ...
def read_files(
    files: Sequence[str], format: str | None, progress: _Progress = None
) -> tuple[
    npt.NDArray[np.uint64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int8],
    npt.NDArray[np.int8],
    npt.NDArray[np.uint32],
    list[str],
    npt.NDArray[np.uint8],
]: ...
def write_file(
    path: str,
    format: str | None,
    overwrite: bool,
    hands: _DealArray,
    boards: npt.NDArray[np.int64],
    dealers: npt.NDArray[np.int8],
    vulnerable: npt.NDArray[np.int8],
    events: npt.NDArray[np.uint32],
    names: Sequence[str],
    tricks: npt.NDArray[np.uint8],
) -> None: ...
def convert_files(
    files: Sequence[str],
    path: str,
    format: str | None,
    from_format: str | None,
    overwrite: bool,
    progress: _Progress = None,
) -> tuple[int, int]: ...
