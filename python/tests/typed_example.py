"""A program as users write it, which ``mypy --strict`` must accept (test_typing.py) and Python run."""

from __future__ import annotations

import numpy as np

import presort


def mean_of_groups(keys: np.ndarray, values: np.ndarray) -> dict[int, float]:
    found, sums, counts = presort.group_sum(keys, values)
    return dict(zip(found.tolist(), (sums / counts).tolist()))


def pays(machine: presort.Machine, buckets: int) -> bool:
    choice = presort.tune(machine, n=2**24, m=buckets, model_only=True)
    best: presort.Prediction = choice.candidates[0]
    return choice.presorts and best.low_ns <= best.high_ns


labels = np.array([2, 0, 2])
out = presort.index_add(np.zeros(3), labels, np.ones(3))
total: float = float(presort.segment_sum(out, labels, 3).sum())
rows = presort.take(np.eye(3), labels)
print(mean_of_groups(np.array([7, -1, 7]), np.array([1.0, 5.0, 3.0])), total, rows.shape)
print(pays(presort.Machine.bundled("golden-cove-vm"), 2**24))
