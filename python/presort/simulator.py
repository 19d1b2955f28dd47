"""Does a pre-sort pay on a machine? The simulator, the closed form and the tuner.

Sizes are numbers of inputs (n) and buckets (m); labels follow a formula (``dist``: ``"uniform"``,
``"zipf:1"``, ``"clustered:16"``, …); ``types`` are of label and value (``"u32+f64"``). Times are ns per
input. Results are dataclasses; ``pandas.DataFrame([...])`` of a list of them is a table.

Errors: InputError, a ValueError, for what is no problem, plan or machine file, naming what is accepted.
Work can be interrupted from the keyboard.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _presort

_MACHINES = Path(__file__).parent / "machines"
_BUCKETS = tuple(2**k for k in range(10, 29, 2))


class Machine:
    """A machine as a machine file describes it: caches, TLBs, prefetchers, memory, core."""

    def __init__(self, native: _presort.Machine):
        self._native = native

    @classmethod
    def from_yaml(cls, path: str | os.PathLike[str]) -> Machine:
        """Reads a machine file, such as ``presort probe`` writes."""
        return cls(_presort.Machine.from_file(os.fspath(path)))

    @classmethod
    def bundled(cls, name: str) -> Machine:
        """One of the machines that come with presort: ``Machine.bundled_names()``."""
        if name not in cls.bundled_names():
            accepted = ", ".join(cls.bundled_names())
            raise _presort.InputError(f"machine: found {name!r}, accepted: {accepted}")
        return cls.from_yaml(_MACHINES / f"{name}.yaml")

    @staticmethod
    def bundled_names() -> list[str]:
        files = (path.name.removesuffix(".yaml") for path in _MACHINES.glob("*.yaml"))
        return sorted(name for name in files if not name.endswith(".costs"))

    @property
    def name(self) -> str:
        return self._native.name

    def to_yaml(self) -> str:
        """The text of a machine file with every key."""
        return self._native.to_yaml()

    def __repr__(self) -> str:
        return f"<presort.Machine {self.name}>"


@dataclass(frozen=True)
class Phase:
    """A part of a plan's work: its ns per input of the problem, and what they are spent waiting for."""

    name: str
    ns_per_input: float
    stack_ns: dict[str, float]


@dataclass(frozen=True)
class Prediction:
    """What a plan takes for a problem on a machine."""

    machine: str
    problem: str
    plan: str
    ns_per_input: float
    ci95_relative: float  # relative half-width of the 95 % interval that sampling leaves
    stack_ns: dict[str, float]  # ns per input, by what the core waited for
    phases: list[Phase] = field(repr=False)
    seconds: float  # time that the prediction took
    origin: str = "simulation"  # "simulation", or "model" for the closed form
    low_ns: float = 0.0  # the 80 % interval: where the real time is expected in four cases of five,
    high_ns: float = 0.0  # ns per input


@dataclass(frozen=True)
class Choice:
    """The plan for a problem: the fastest that is predicted."""

    problem: str
    plan: str
    ns_per_input: float
    direct_plan: str  # the fastest without a pre-sort
    direct_ns_per_input: float
    runner_up: str
    runner_up_ns_per_input: float
    presorts: bool  # True: the plan has a pre-sort
    matters: bool  # False: the pre-sort's gain or loss is within the model's own error
    origin: str  # how the plan was predicted: "model" or "simulation"
    candidates: list[Prediction] = field(repr=False)  # of all plans that could have been the best

    @property
    def gain(self) -> float:
        """How many times as fast the plan is as the fastest without a pre-sort."""
        return self.direct_ns_per_input / self.ns_per_input


def _prediction(row: dict[str, Any]) -> Prediction:
    phases = [Phase(**phase) for phase in row.pop("phases")]
    return Prediction(phases=phases, **row)


def simulate(
    machine: Machine,
    plan: str = "sortBits=0",
    *,
    n: int,
    m: int,
    op: str = "multireduce",
    dist: str = "uniform",
    types: str = "u32+u32",
    seed: int = 1,
    full: bool = False,
) -> Prediction:
    """Runs the plan's own memory accesses through the machine's simulated caches, TLBs and core.

    Of a sample of the inputs, unless ``full``: every input.
    """
    return _prediction(
        _presort.predict(machine._native, op, n, m, dist, types, seed, plan, False, full)
    )


def predict(
    machine: Machine,
    plan: str = "sortBits=0",
    *,
    n: int,
    m: int,
    op: str = "multireduce",
    dist: str = "uniform",
    types: str = "u32+u32",
    seed: int = 1,
) -> Prediction:
    """As ``simulate``, in closed form: a hundred times as fast, and a little less exact."""
    row = _presort.predict(machine._native, op, n, m, dist, types, seed, plan, True, False)
    row["origin"] = "model"
    return _prediction(row)


def tune(
    machine: Machine,
    *,
    n: int,
    m: int,
    op: str = "multireduce",
    dist: str = "uniform",
    types: str = "u32+u32",
    seed: int = 1,
    model_only: bool = False,
) -> Choice:
    """Chooses among all plans that make sense; near ties are simulated unless ``model_only``."""
    row = _presort.choose(machine._native, op, n, m, dist, types, seed, model_only)
    row["candidates"] = [_prediction(candidate) for candidate in row["candidates"]]
    return Choice(**row)


def crossover(
    machine: Machine,
    *,
    n: int,
    buckets: Iterable[int] = _BUCKETS,
    op: str = "multireduce",
    dist: str = "uniform",
    types: str = "u32+u32",
    seed: int = 1,
) -> int | None:
    """The fewest buckets, of those given, from which on a pre-sort is at least 1.05 times as fast.

    None: it never is.
    """
    found = None
    for m in sorted(buckets):
        choice = tune(machine, n=n, m=m, op=op, dist=dist, types=types, seed=seed, model_only=True)
        pays = choice.presorts and choice.gain >= 1.05
        found = (found or m) if pays else None
    return found
