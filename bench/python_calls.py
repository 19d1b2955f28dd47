#!/usr/bin/env python3
"""The Python package beside what Python programs call today: the same inputs, by turns, one run.

Sums of float64 values by int64 labels, and counts; medians of several rounds in ns per input, each
result compared with the first one's. Then what a call costs beside its work: one of one input. Prints
Markdown. Libraries that are not installed are left out.

With --cpp LIBRARY also how much longer presort.index_add takes than the C++ call that it makes, in this
process and by turns: both read and write the same arrays, check labels, and keep their scratch. The library
is built beside the package (pip install . -C build-dir=build/python, ninja -C build/python python_beside).
--only-cpp leaves the other libraries out.

--processor-time counts the processor time of all the process's threads, for a machine with other programs
at work. A library whose threads stay awake is then charged for it.

  bench/python_calls.py --log2-n 24 --log2-m 10 20 24 --rounds 5 --cpp build/python/python/libpython_beside.so
"""

import argparse
import ctypes
import importlib.util
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import presort


def optional(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def contenders(labels, values, m):
    """Name and call of each; every call returns m sums."""
    calls = [
        ("`presort.segment_sum`", lambda: presort.segment_sum(values, labels, m)),
        ("`presort.segment_sum`, `unchecked`",
         lambda: presort.segment_sum(values, labels, m, unchecked=True)),
        ("`presort.bincount` with weights", lambda: presort.bincount(labels, values, m)),
        ("`np.bincount` with weights", lambda: np.bincount(labels, values, m)),
    ]

    def group_sum():
        found, of_group, _ = presort.group_sum(labels, values, sort=False)
        sums = np.zeros(m)
        sums[found] = of_group
        return sums

    calls.append(("`presort.group_sum`, which is not told the labels", group_sum))

    def add_at():
        sums = np.zeros(m)
        np.add.at(sums, labels, values)
        return sums

    calls.append(("`np.add.at`", add_at))
    if pandas := optional("pandas"):
        frame = pandas.DataFrame({"label": labels, "value": values})

        def pandas_sums():
            return frame.groupby("label")["value"].sum().reindex(range(m), fill_value=0).to_numpy()

        calls.append((f"pandas {pandas.__version__} `groupby.sum`", pandas_sums))
    if polars := optional("polars"):
        table = polars.DataFrame({"label": labels, "value": values})

        def polars_sums():
            found = table.group_by("label").agg(polars.col("value").sum())
            sums = np.zeros(m)
            sums[found["label"].to_numpy()] = found["value"].to_numpy()
            return sums

        calls.append((f"Polars {polars.__version__} `group_by.agg`", polars_sums))
    if jax := optional("jax"):
        jax.config.update("jax_enable_x64", True)
        jax_labels, jax_values = jax.numpy.asarray(labels), jax.numpy.asarray(values)
        jitted = jax.jit(lambda v, k: jax.ops.segment_sum(v, k, m))
        calls.append((f"JAX {jax.__version__} `ops.segment_sum`, CPU",
                      lambda: np.asarray(jitted(jax_values, jax_labels).block_until_ready())))
    if torch := optional("torch"):
        torch.set_num_threads(1)
        torch_labels, torch_values = torch.from_numpy(labels), torch.from_numpy(values)
        calls.append((f"PyTorch {torch.__version__} `index_add_`, CPU",
                      lambda: torch.zeros(m, dtype=torch.float64)
                      .index_add_(0, torch_labels, torch_values).numpy()))
        calls.append((f"PyTorch {torch.__version__} `scatter_reduce_`, CPU",
                      lambda: torch.zeros(m, dtype=torch.float64)
                      .scatter_reduce_(0, torch_labels, torch_values, "sum").numpy()))
    return calls


def race(calls, rounds, n, clock):
    times = {name: [] for name, _ in calls}
    expected = None
    for turn in range(rounds + 1):  # the first one warms up
        for name, call in calls:
            began = clock()
            found = call()
            took = clock() - began
            if expected is None:
                expected = found.copy()
            if not np.allclose(found, expected, rtol=1e-9):
                sys.exit(f"{name}: its sums differ from those of presort.segment_sum")
            if turn > 0:
                times[name].append(1e9 * took / n)
    return {name: statistics.median(of_one) for name, of_one in times.items()}


def call_overhead():
    """Microseconds of a call of one input, with a plan that is given."""
    out, labels, values = np.zeros(4), np.array([1]), np.ones(1)
    presort.use_plan("sortBits=0")
    rounds = []
    for _ in range(50):
        began = time.perf_counter()
        for _ in range(200):
            presort.index_add(out, labels, values)
        rounds.append(1e6 * (time.perf_counter() - began) / 200)
    presort.choose_by_rule()
    return statistics.median(rounds)


class Beside:
    """The C++ call that presort.index_add makes, in this process (bench/python_beside.cpp)."""

    def __init__(self, library):
        self.function = ctypes.CDLL(str(Path(library).resolve())).presort_beside_add
        self.function.restype = ctypes.c_int64
        self.function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64]

    def add(self, out, labels, values):
        """Time of one call, ns, as C++ itself takes it."""
        took = self.function(labels.ctypes.data, values.ctypes.data, len(labels), out.ctypes.data, len(out))
        if took < 0:
            sys.exit("presort_beside_add: the call was refused")
        return took


def beside_cpp(beside, labels, values, m, calls):
    """Times of index_add and of the C++ call by turns, ns, and of index_add once more, as a measure of noise."""

    def python(out):
        began = time.perf_counter_ns()
        presort.index_add(out, labels, values)
        return time.perf_counter_ns() - began

    out, expected = np.zeros(m), np.zeros(m)
    presort.index_add(out, labels, values)
    beside.add(expected, labels, values)
    if not np.array_equal(out, expected):
        sys.exit("presort.index_add: its sums are not the bits of the C++ call")
    contenders = [python, lambda array: beside.add(array, labels, values), python]
    times = [[], [], []]
    for turn in range(calls):
        for place in range(3):  # each contender is first, second and last as often
            which = (turn + place) % 3
            times[which].append(contenders[which](out))
    return times


def more(ours, theirs):
    """The median over turns of how much longer ours took, and its error (95 %), in percent."""
    ratios = sorted(100 * (a / b - 1) for a, b in zip(ours, theirs))
    middle, half = len(ratios) / 2, 0.98 * len(ratios) ** 0.5
    low, high = ratios[max(0, int(middle - half))], ratios[min(len(ratios) - 1, int(middle + half))]
    return f"{statistics.median(ratios):+.1f} % ({low:+.1f} to {high:+.1f})"


def print_beside_cpp(library, seed, rounds):
    beside = Beside(library)
    print("\n`presort.index_add` beside the C++ call, in one process, on the same arrays, by turns:\n")
    print("| n | m | Python, ns an input | C++ | more | Python beside itself |\n| --- | --- | --- | --- | --- | --- |")
    for log2_n, log2_m in ((10, 8), (16, 10), (20, 10), (20, 18), (20, 22), (22, 10), (22, 20), (24, 22)):
        generator = np.random.default_rng(seed)
        n = 2**log2_n
        labels, values = generator.integers(0, 2**log2_m, n), generator.random(n)
        ours, theirs, again = beside_cpp(beside, labels, values, 2**log2_m, rounds * max(6, min(300, 2**25 // n)))
        python, cpp = statistics.median(ours + again) / n, statistics.median(theirs) / n
        print(f"| 2^{log2_n} | 2^{log2_m} | {python:.3f} | {cpp:.3f} | {more(ours, theirs)} | {more(again, ours)} |",
              flush=True)


def print_race(arguments, n, clock):
    columns = {}
    for log2_m in arguments.log2_m:
        generator = np.random.default_rng(arguments.seed)
        labels = generator.integers(0, 2**log2_m, n)
        values = generator.random(n)
        columns[log2_m] = race(contenders(labels, values, 2**log2_m), arguments.rounds, n, clock)
        print(f"m=2^{log2_m}: {presort.last_plan()}", file=sys.stderr)
    print(f"n = 2^{arguments.log2_n}, ns per input by m:\n")
    print("| | " + " | ".join(f"2^{log2_m}" for log2_m in columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for name in next(iter(columns.values())):
        print(f"| {name} | " + " | ".join(f"{column[name]:.2f}" for column in columns.values()) + " |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--log2-n", type=int, default=24)
    parser.add_argument("--log2-m", type=int, nargs="+", default=[10, 20, 24])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--cpp", metavar="LIBRARY", help="build/python/python/libpython_beside.so")
    parser.add_argument("--only-cpp", action="store_true")
    arguments = parser.parse_args()
    clock = time.process_time if arguments.processor_time else time.perf_counter
    n = 2**arguments.log2_n
    if not arguments.only_cpp:
        print_race(arguments, n, clock)
    print(f"\nA call of one input: {call_overhead():.1f} µs")
    if arguments.cpp:
        print_beside_cpp(arguments.cpp, arguments.seed, arguments.rounds)


if __name__ == "__main__":
    main()
