#!/usr/bin/env python3
"""What PyTorch and CuPy take for a multireduce and a histogram of u32 + u32 labels and values.

usage: peers_torch.py LOG2_N ROUNDS LOG2_M...
Prints a line of JSON for each m: ns per input, medians of device events.
"""
import json
import sys

import cupy
import torch

from torch_timing import median_ns


def main():
    log2_n, rounds = int(sys.argv[1]), int(sys.argv[2])
    n = 1 << log2_n
    # torch and presort run on one stream, so that torch's events mark presort's work too.
    stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
    values = torch.randint(0, 1000, (n,), dtype=torch.int32, device="cuda")
    for log2_m in map(int, sys.argv[3:]):
        m = 1 << log2_m
        labels = torch.randint(0, m, (n,), dtype=torch.int32, device="cuda")
        wide = labels.long()
        buckets = torch.zeros(m, dtype=torch.int32, device="cuda")
        row = {"n": n, "m": m, "labels": "uniform"}
        row["torch index_add_"] = median_ns(lambda: buckets.index_add_(0, labels, values), rounds)
        row["torch scatter_add_"] = median_ns(lambda: buckets.scatter_add_(0, wide, values), rounds)
        row["torch bincount"] = median_ns(lambda: torch.bincount(labels, minlength=m), rounds)
        with stream:
            array = cupy.from_dlpack(labels)
            row["cupy bincount"] = median_ns(lambda: cupy.bincount(array, minlength=m), rounds)
        for key in list(row):
            if " " in key:
                row[key] = round(row[key] / n, 5)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
