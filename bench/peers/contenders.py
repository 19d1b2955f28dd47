"""All that takes part: what the library has, and numpy and pandas on the same inputs."""

import time

import numpy as np

try:
    import pandas as pd
except ImportError:
    pd = None

EXACT_FLOAT = 2.0**53  # sums below it are exact in float64, whatever their order


class Contender:
    """run() does the operation and returns (ns, result); found(result) gives the u32 buckets, or
    None where the type of the result cannot hold them exactly."""

    def __init__(self, name, operation, run, found, ours=False, threads=1):
        self.name = name
        self.operation = operation
        self.run = run
        self.found = found
        self.ours = ours
        self.threads = threads
        self.times = []
        self.rounds = 0


def library_contenders(inputs):
    library, handle = inputs.library, inputs.handle

    def run_of(index):
        def run():
            inputs.buckets.fill(0)
            ns = library.run(handle, index)
            library.check(ns < 0)
            return ns, inputs.buckets

        return run

    for i in range(library.count(handle)):
        yield Contender(
            library.name(handle, i).decode(),
            "histogram" if library.counts_labels(handle, i) else "multireduce",
            run_of(i),
            lambda result: result,
            bool(library.is_ours(handle, i)),
            library.threads(handle, i),
        )


def timed(work):
    """The result is kept until the clock has stopped: its pages are not freed meanwhile."""

    def run():
        start = time.thread_time_ns()
        result = work()
        return time.thread_time_ns() - start, result

    return run


def modulo(sums):
    """Sums of any numeric type modulo 2^32."""
    if sums.dtype.kind == "f":
        if sums.max(initial=0) >= EXACT_FLOAT:
            return None
        sums = sums.astype(np.uint64)
    return sums.astype(np.uint32)


def numpy_contenders(inputs):
    labels, values, buckets, m = inputs.labels, inputs.values, inputs.buckets, inputs.m

    def add_at():
        buckets.fill(0)
        return timed(lambda: np.add.at(buckets, labels, values))()[0], buckets

    # Types of labels and weights that numpy.bincount computes in; other types it would convert first.
    wide_labels, wide_values = labels.astype(np.int64), values.astype(np.float64)
    yield Contender("np.add.at", "multireduce", add_at, modulo)
    yield Contender(
        "np.bincount", "multireduce", timed(lambda: np.bincount(labels, values, m)), modulo
    )
    yield Contender(
        "np.bincount, int64 and float64 given",
        "multireduce",
        timed(lambda: np.bincount(wide_labels, wide_values, m)),
        modulo,
    )
    yield Contender(
        "np.bincount", "histogram", timed(lambda: np.bincount(labels, minlength=m)), modulo
    )
    yield Contender(
        "np.bincount, int64 given",
        "histogram",
        timed(lambda: np.bincount(wide_labels, minlength=m)),
        modulo,
    )


def pandas_contenders(inputs):
    if pd is None:
        return
    keys, values = pd.Series(inputs.labels, copy=False), pd.Series(inputs.values, copy=False)

    def found(groups):
        sums = np.zeros(inputs.m, np.uint32)
        sums[groups.index.to_numpy()] = modulo(groups.to_numpy())
        return sums

    def group_by(sort):
        return timed(lambda: values.groupby(keys, sort=sort).sum())

    yield Contender("pandas groupby, sorted", "multireduce", group_by(True), found)
    yield Contender("pandas groupby", "multireduce", group_by(False), found)


def left_out(inputs):
    texts = []
    while text := inputs.library.left_out(inputs.handle, len(texts)):
        texts.append(text.decode())
    return texts + ([] if pd else ["pandas groupby: pandas was not found; Debian: python3-pandas"])
