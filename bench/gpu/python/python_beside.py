#!/usr/bin/env python3
"""presort.cuda and presort.jax beside what Python programs call today on arrays in a GPU's memory: sums of float32
values by int64 labels, the same inputs, by turns, one run.

usage: python_beside.py ROUNDS

ns an input, medians of ROUNDS: wall time of several calls in a row, from the first until the device is done with the
last, so that what a call costs the host counts where the device waits for it. All results are compared. Those of
PyTorch and presort.cuda add into an array that is there; those of CuPy's bincount and of JAX are new arrays.
Libraries that are not installed are left out. Prints Markdown.
"""

import importlib.util
import statistics
import sys
import time

import numpy as np
import torch

import presort.cuda

SIZES = ((16, 12), (20, 16), (22, 10), (24, 10), (24, 20), (24, 24), (26, 10), (26, 20), (26, 26))
SECONDS_OF_A_TURN = 0.02
MOST_CALLS = 200


def optional(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


cupy, cupyx, jax = optional("cupy"), optional("cupyx"), optional("jax")
if jax:
    jax.config.update("jax_enable_x64", True)
    import presort.jax


class Contender:
    """A call, and what waits for its results; both return arrays of the call's own library."""

    def __init__(self, call, wait, to_numpy):
        self.call, self.wait, self.to_numpy = call, wait, to_numpy

    def time(self, calls):
        began = time.perf_counter()
        result = None
        for _ in range(calls):
            result = self.call()
        self.wait(result)
        return time.perf_counter() - began


def of_torch(call):
    return Contender(call, lambda _: torch.cuda.synchronize(), lambda tensor: tensor.cpu().numpy())


def of_cupy(call):
    return Contender(call, lambda _: cupy.cuda.get_current_stream().synchronize(), cupy.asnumpy if cupy else None)


def of_jax(call):
    return Contender(call, lambda array: array.block_until_ready(), np.asarray)


def contenders(labels, values, m):
    """Contenders by name. Those that add to an array begin with zeros when `clear` is called."""
    sums = [torch.zeros(m, device="cuda") for _ in range(3)]
    found = {
        "`presort.cuda.index_add`": of_torch(lambda: presort.cuda.index_add(sums[0], labels, values)),
        f"PyTorch {torch.__version__} `index_add_`": of_torch(lambda: sums[1].index_add_(0, labels, values)),
        "PyTorch `scatter_reduce_`": of_torch(lambda: sums[2].scatter_reduce_(0, labels, values, "sum")),
        "PyTorch `bincount` with weights": of_torch(lambda: torch.bincount(labels, values, m)),
    }
    cleared = list(sums)
    if cupy:
        own_labels, own_values = cupy.from_dlpack(labels), cupy.from_dlpack(values)
        of_scatter = cupy.zeros(m, cupy.float32)
        of_presort = cupy.zeros(m, cupy.float32)
        cleared += [torch.from_dlpack(of_scatter), torch.from_dlpack(of_presort)]
        add = getattr(cupyx, "scatter_add", None)

        def scatter_add():
            if add is not None:
                add(of_scatter, own_labels, own_values)
            else:
                cupy.add.at(of_scatter, own_labels, own_values)
            return of_scatter

        found["`presort.cuda.index_add` on CuPy's arrays"] = of_cupy(
            lambda: presort.cuda.index_add(of_presort, own_labels, own_values)
        )
        found[f"CuPy {cupy.__version__} `bincount` with weights"] = of_cupy(lambda: cupy.bincount(own_labels, own_values, m))
        found["CuPy `cupyx.scatter_add`" if add else "CuPy `add.at`"] = of_cupy(scatter_add)
    if jax and jax.default_backend() == "gpu":
        jax_labels, jax_values = jax.dlpack.from_dlpack(labels), jax.dlpack.from_dlpack(values)
        theirs = jax.jit(lambda v, k: jax.ops.segment_sum(v, k, m))
        ours = jax.jit(lambda v, k: presort.jax.segment_sum(v, k, m))
        found["`presort.jax.segment_sum`"] = of_jax(lambda: ours(jax_values, jax_labels))
        found[f"JAX {jax.__version__} `ops.segment_sum`"] = of_jax(lambda: theirs(jax_values, jax_labels))
    return found, lambda: [one.zero_() for one in cleared]


def check(runs, clear):
    """Compares the results of one call each, and returns how many calls of each a turn has."""
    expected, calls = None, {}
    for name, one in runs.items():
        clear()
        torch.cuda.synchronize()
        result = one.call()
        one.wait(result)
        found = one.to_numpy(result).astype(np.float64)
        expected = found if expected is None else expected
        if not np.allclose(found, expected, rtol=1e-3, atol=1e-2):
            sys.exit(f"{name}: its sums differ from those of presort.cuda.index_add")
        one.time(3)
        calls[name] = max(3, min(MOST_CALLS, round(SECONDS_OF_A_TURN / (one.time(3) / 3))))
    return calls


def main():
    rounds = int(sys.argv[1])
    torch.manual_seed(20261126)
    print(torch.cuda.get_device_name())
    columns = {}
    for log2_n, log2_m in SIZES:
        n, m = 2**log2_n, 2**log2_m
        labels, values = torch.randint(0, m, (n,), device="cuda"), torch.rand(n, device="cuda")
        runs, clear = contenders(labels, values, m)
        calls = check(runs, clear)
        times = {name: [] for name in runs}
        for _ in range(rounds):
            for name, one in runs.items():
                times[name].append(1e9 * one.time(calls[name]) / calls[name] / n)
        columns[f"2^{log2_n} into 2^{log2_m}"] = {name: statistics.median(of) for name, of in times.items()}
        torch.cuda.empty_cache()
    print("\n| | " + " | ".join(columns) + " |\n| --- |" + " --- |" * len(columns))
    for name in next(iter(columns.values())):
        print(f"| {name} | " + " | ".join(f"{column[name]:.4f}" for column in columns.values()) + " |")


def group_contenders(keys, values, groups):
    """Group-bys, which are not told the keys; each returns the number of groups and the sum of all sums."""
    found_keys, sums = torch.empty_like(keys[: groups + 1]), torch.empty_like(values[: groups + 1])

    def ours():
        count = presort.cuda.group_sum(keys, values, found_keys, sums)
        return count, sums[:count]

    def of_unique(unique, zeros, own_keys, own_values):
        found, place = unique(own_keys, return_inverse=True)
        return len(found), zeros(len(found)).index_add_(0, place, own_values)

    found = {
        "`presort.cuda.group_sum`": ours,
        "PyTorch `unique` and `index_add_`": lambda: of_unique(
            torch.unique, lambda m: torch.zeros(m, device="cuda"), keys, values
        ),
    }
    if cupy:
        own_keys, own_values = cupy.from_dlpack(keys), cupy.from_dlpack(values)

        def of_cupy_unique():
            unique, place = cupy.unique(own_keys, return_inverse=True)
            return len(unique), cupy.bincount(place, own_values, len(unique))

        found["CuPy `unique` and `bincount`"] = of_cupy_unique
    return found


def print_groups(rounds):
    print("\nSums of float32 values by int64 keys that are not told, ns an input:\n")
    columns = {}
    for log2_n, log2_groups in ((20, 10), (24, 10), (24, 16), (24, 20)):
        n, groups = 2**log2_n, 2**log2_groups
        keys = torch.randint(0, groups, (n,), device="cuda") * 0x9E3779B97F4A7C1 % (1 << 61)
        values = torch.ones(n, device="cuda")
        runs, times = group_contenders(keys, values, groups), {}
        for name, call in runs.items():
            count, sums = call()
            if count != len(torch.unique(keys)) or abs(float(sums.sum()) - n) > 1e-6 * n:
                sys.exit(f"{name}: found {count} groups with sums of {float(sums.sum())}")
            times[name] = []
        for _ in range(rounds):
            for name, call in runs.items():
                torch.cuda.synchronize()
                began = time.perf_counter()
                call()
                torch.cuda.synchronize()
                times[name].append(1e9 * (time.perf_counter() - began) / n)
        columns[f"2^{log2_n}, 2^{log2_groups} keys"] = {name: statistics.median(of) for name, of in times.items()}
    print("| | " + " | ".join(columns) + " |\n| --- |" + " --- |" * len(columns))
    for name in next(iter(columns.values())):
        print(f"| {name} | " + " | ".join(f"{column[name]:.3f}" for column in columns.values()) + " |")


if __name__ == "__main__":
    print_groups(int(sys.argv[1]))
    main()
