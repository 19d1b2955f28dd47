"""Sums, scatters, gathers and scans by label that pre-sort their inputs where that is faster.

Functions on arrays (``presort.arrays``) have the names that numpy, PyTorch and JAX use:

>>> import numpy as np, presort
>>> presort.segment_sum(np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), num_segments=2)
array([2., 5.])

The simulator and the tuner (``presort.simulator``) answer whether a pre-sort pays on a machine:

>>> machine = presort.Machine.bundled("emerald-rapids-host")
>>> presort.tune(machine, n=2**26, m=2**24).presorts
True

Results are those of a loop over the inputs in their order, in every bit, whatever plan runs.
"""

from importlib.metadata import version

from ._presort import EnvironmentError, InputError, LabelError
from .arrays import (
    bincount,
    choose_by_rule,
    cumcount,
    group_sum,
    index_add,
    last_plan,
    load,
    multiscan,
    partial_sort,
    release_memory,
    scatter,
    scatter_reduce,
    segment_max,
    segment_min,
    segment_prod,
    segment_sum,
    set_threads,
    take,
    use_plan,
)
from .explanation import explain
from .simulator import Choice, Machine, Phase, Prediction, crossover, predict, simulate, tune

__version__ = version("presort")

__all__ = [
    "Choice",
    "EnvironmentError",
    "InputError",
    "LabelError",
    "Machine",
    "Phase",
    "Prediction",
    "bincount",
    "choose_by_rule",
    "crossover",
    "cumcount",
    "explain",
    "group_sum",
    "index_add",
    "last_plan",
    "load",
    "multiscan",
    "partial_sort",
    "predict",
    "release_memory",
    "scatter",
    "scatter_reduce",
    "segment_max",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "set_threads",
    "simulate",
    "take",
    "tune",
    "use_plan",
]
