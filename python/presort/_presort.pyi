"""The compiled part of the package. Programs call presort.arrays and presort.simulator, which check and
name their arguments; nothing here is a promise. A test compares this file with the module."""

from enum import Enum
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]

class EnvironmentError(RuntimeError): ...
class InputError(ValueError): ...
class LabelError(IndexError): ...

class Operator(Enum):
    sum = 0
    prod = 1
    min = 2
    max = 3

class Context:
    def __init__(self) -> None: ...
    def choose_from(self, file: str) -> list[str]: ...
    def use_plan(self, plan: str) -> None: ...
    def choose_by_rule(self) -> None: ...
    def set_threads(self, threads: int) -> None: ...
    def release(self) -> None: ...
    def last_plan(self) -> str: ...
    def multireduce(
        self, labels: _Array, values: _Array, out: _Array, op: Operator, checked: bool
    ) -> None: ...
    def scatter(self, labels: _Array, values: _Array, out: _Array, checked: bool) -> None: ...
    def gather(self, labels: _Array, table: _Array, out: _Array, checked: bool) -> None: ...
    def histogram(self, labels: _Array, out: _Array, checked: bool) -> None: ...
    def multiscan(
        self, labels: _Array, values: _Array, start: _Array, out: _Array, inclusive: bool, checked: bool
    ) -> None: ...
    def multitag(self, labels: _Array, counts: _Array, out: _Array, checked: bool) -> None: ...
    def add_rows(
        self, labels: _Array, values: _Array, out: _Array, m: int, columns: int, checked: bool
    ) -> None: ...
    def take_rows(
        self, labels: _Array, table: _Array, out: _Array, m: int, columns: int, checked: bool
    ) -> None: ...
    def group_sum(self, keys: _Array, values: _Array) -> tuple[_Array, _Array, _Array]: ...
    def partial_sort(
        self,
        labels: _Array,
        values: _Array,
        m: int,
        sorted_labels: _Array,
        sorted_values: _Array,
        part_starts: _Array,
        sort_bits: int,
        checked: bool,
    ) -> None: ...

class TensorCalls:
    def __init__(
        self, type: type, capsule: object, reduce: int, add_rows: int, take: int, take_rows: int
    ) -> None: ...
    def reduce(
        self, out: Any, labels: Any, values: Any, operation: int, checked: Any, deterministic: Any
    ) -> int: ...
    def take(self, table: Any, indices: Any, out: Any, checked: Any) -> int: ...

class Machine:
    @staticmethod
    def from_file(path: str) -> Machine: ...
    @staticmethod
    def from_text(text: str, file: str) -> Machine: ...
    def to_yaml(self) -> str: ...
    @property
    def name(self) -> str: ...

def predict(
    machine: Machine,
    op: str,
    n: int,
    m: int,
    dist: str,
    types: str,
    seed: int,
    plan: str,
    closed_form: bool,
    full: bool,
) -> dict[str, Any]: ...
def choose(
    machine: Machine,
    op: str,
    n: int,
    m: int,
    dist: str,
    types: str,
    seed: int,
    model_only: bool,
) -> dict[str, Any]: ...
