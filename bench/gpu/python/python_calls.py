#!/usr/bin/env python3
"""What a call of presort.cuda costs the host, beside the same call from C++ and PyTorch's own; and the time
on the device, sums of float32 values by int64 labels.

usage: python_calls.py LOOP ROUNDS        (LOOP: bench/gpu/python/call_loop.cpp as a shared library)

Where CuPy is installed, calls on its arrays over the same memory stand beside.

Host: µs a call, medians of ROUNDS by turns of 20 calls each, after which the device is waited for; the host
never waits in between. Device: ns an input between events around one call. Prints Markdown.
"""

import ctypes
import statistics
import sys
import time

import torch

import presort.cuda
import presort.gpu_library

try:
    import cupy
except ImportError:
    cupy = None  # its rows are left out

CALLS = 20
SUM, SUM_IN_ORDER = 0, 4  # Reduce of python/src/cuda/elements.cuh


def contenders(loop, labels, values, sums):
    """Name, and a function that makes CALLS calls and returns the host's time of them, ns."""
    reduce = presort.gpu_library.function("presort_cuda_reduce")
    address = ctypes.cast(reduce, ctypes.c_void_p)
    stream = torch.cuda.current_stream().cuda_stream

    def timed(call):
        def run():
            began = time.perf_counter_ns()
            for _ in range(CALLS):
                call()
            return time.perf_counter_ns() - began

        return run

    def cpp(operation):
        took = loop(address, operation, CALLS, labels.data_ptr(), values.data_ptr(), labels.numel(), sums.data_ptr(),
                    sums.numel(), stream)  # fmt: skip
        if took < 0:
            sys.exit("the call from C++ was refused")
        return took

    found = {
        "C++": lambda: cpp(SUM),
        "`presort.cuda.index_add`": timed(lambda: presort.cuda.index_add(sums, labels, values)),
        "C++, deterministic": lambda: cpp(SUM_IN_ORDER),
        "the same from Python": timed(
            lambda: presort.cuda.index_add(sums, labels, values, deterministic=True)
        ),
        "`index_add_`": timed(lambda: sums.index_add_(0, labels, values)),
        "`scatter_reduce_`": timed(lambda: sums.scatter_reduce_(0, labels, values, "sum")),
    }
    if cupy:
        own_sums, own_labels, own_values = (cupy.from_dlpack(tensor) for tensor in (sums, labels, values))
        found["`index_add` on CuPy's arrays"] = timed(lambda: presort.cuda.index_add(own_sums, own_labels, own_values))
        found["the same, deterministic"] = timed(
            lambda: presort.cuda.index_add(own_sums, own_labels, own_values, deterministic=True)
        )
    return found


def device_ns(call, rounds):
    times = []
    for _ in range(rounds):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        call()
        stop.record()
        stop.synchronize()
        times.append(1e6 * start.elapsed_time(stop))
    return statistics.median(times)


def main():
    loop = ctypes.CDLL(sys.argv[1]).time_reductions
    loop.restype = ctypes.c_int64
    loop.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64,
                     ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p]  # fmt: skip
    rounds = int(sys.argv[2])
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    host, device, names = [], [], []
    for log2_n, log2_m in ((10, 8), (16, 12), (20, 16), (22, 10), (24, 10), (24, 20), (24, 24), (26, 26)):
        n, m = 2**log2_n, 2**log2_m
        labels, values = torch.randint(0, m, (n,), device="cuda"), torch.rand(n, device="cuda")
        sums = torch.zeros(m, device="cuda")
        runs = contenders(loop, labels, values, sums)
        names = list(runs)
        times = {name: [] for name in names}
        for turn in range(rounds + 2):
            for name, run in runs.items():
                torch.cuda.synchronize()
                took = run()
                if turn >= 2:
                    times[name].append(took / CALLS / 1e3)
        torch.cuda.synchronize()
        host.append((log2_n, log2_m, [statistics.median(times[name]) for name in names]))
        calls = [lambda: presort.cuda.index_add(sums, labels, values), lambda: sums.index_add_(0, labels, values)]
        device.append((log2_n, log2_m, [device_ns(call, rounds) / n for call in calls]))
    print("\nµs of the host a call\n\n| n | m | " + " | ".join(names) + " |\n|" + " --- |" * (len(names) + 2))
    for log2_n, log2_m, row in host:
        print(f"| 2^{log2_n} | 2^{log2_m} | " + " | ".join(f"{one:.1f}" for one in row) + " |")
    print("\nns an input on the device\n\n| n | m | presort | `index_add_` |\n| --- | --- | --- | --- |")
    for log2_n, log2_m, row in device:
        print(f"| 2^{log2_n} | 2^{log2_m} | " + " | ".join(f"{one:.4f}" for one in row) + " |")


if __name__ == "__main__":
    main()
