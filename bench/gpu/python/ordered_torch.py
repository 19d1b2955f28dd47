#!/usr/bin/env python3
"""What PyTorch takes for scans and segmented reductions, the sizes of gpu_ordered_torch.

usage: ordered_torch.py ROUNDS
Prints a line of JSON for each operation and size: medians of device events of the whole call, us.
torch_scatter's segment_coo and segment_csr are timed too where that package is installed.
"""
import json
import sys

import torch

from torch_timing import median_ns

SIZES = [1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28]
LENGTHS = [32, 1024]


def median_us(call, rounds):
    return round(median_ns(call, rounds) / 1e3, 2)


def torch_scatter_calls():
    try:
        import torch_scatter
    except ImportError:
        return None
    return torch_scatter


def scans(n, rounds):
    for dtype in (torch.float32, torch.int32):
        values = torch.randint(0, 100, (n,), device="cuda").to(dtype)
        # PyTorch makes sums of i32 as i64 unless it is told otherwise
        out = torch.empty_like(values)
        us = median_us(lambda: torch.cumsum(values, 0, dtype=dtype, out=out), rounds)
        print(json.dumps({"operation": "scan", "type": str(dtype), "n": n, "torch cumsum": us}),
              flush=True)


def segments(n, rounds, scatter):
    values = torch.rand(n, device="cuda")
    for length in LENGTHS:
        count = n // length
        offsets = torch.arange(0, n + 1, length, device="cuda")
        rows = values.view(count, length)
        row = {"operation": "segmented sum", "type": "f32", "n": n, "length": length}
        row["torch segment_reduce"] = median_us(
            lambda: torch.segment_reduce(values, "sum", offsets=offsets, unsafe=True), rounds)
        row["torch sum of rows"] = median_us(lambda: rows.sum(1), rounds)
        if scatter is not None:
            row["torch_scatter segment_csr"] = median_us(
                lambda: scatter.segment_csr(values, offsets), rounds)
            index = torch.arange(n, device="cuda") // length
            row["torch_scatter segment_coo"] = median_us(
                lambda: scatter.segment_coo(values, index), rounds)
        print(json.dumps(row), flush=True)


def main():
    rounds = int(sys.argv[1])
    scatter = torch_scatter_calls()
    print(json.dumps({"torch": torch.__version__, "torch_scatter": scatter is not None}), flush=True)
    for n in SIZES:
        scans(n, rounds)
        segments(n, rounds, scatter)


if __name__ == "__main__":
    main()
