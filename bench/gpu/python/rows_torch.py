#!/usr/bin/env python3
"""What PyTorch takes for the shapes of gpu_rows_speed: index_add_, and the same made deterministic.

usage: rows_torch.py ROUNDS
Prints a line of JSON for each shape, type and kind of labels: medians of device events, ms.
"""
import json
import sys

import torch

from torch_timing import median_ns

SHAPES = [(7_770_000, 128, 1_000_000), (1_000_000, 64, 200_000), (4_000_000, 32, 10_000_000),
          (50_000_000, 8, 1_000_000), (65_536, 128, 65_536)]


def median_ms(call, rounds):
    return round(median_ns(call, rounds) / 1e6, 4)


def labels_of(kind, n, m):
    if kind == "zipf:1.25":
        part = torch.rand(n, dtype=torch.float64, device="cuda")
        last = (m + 1) ** (1 - 1.25)
        rank = ((1 - part * (1 - last)) ** (1 / (1 - 1.25)) - 1).long() % m
        return torch.randperm(m, device="cuda")[rank]
    labels = torch.randint(0, m, (n,), device="cuda")
    if kind == "half on one":
        labels[torch.rand(n, device="cuda") < 0.5] = m // 3
    return labels


def main():
    rounds = int(sys.argv[1])
    for n, columns, m in SHAPES:
        for dtype in (torch.float32, torch.bfloat16):
            values = torch.randn(n, columns, device="cuda").to(dtype)
            buckets = torch.zeros(m, columns, dtype=dtype, device="cuda")
            for kind in ("uniform", "half on one", "zipf:1.25"):
                labels = labels_of(kind, n, m)
                row = {"n": n, "columns": columns, "m": m, "type": str(dtype), "labels": kind}
                row["index_add_ ms"] = median_ms(lambda: buckets.index_add_(0, labels, values),
                                                 rounds)
                row["index_select ms"] = median_ms(lambda: buckets.index_select(0, labels), rounds)
                torch.use_deterministic_algorithms(True)
                try:
                    row["deterministic index_add_ ms"] = median_ms(
                        lambda: buckets.index_add_(0, labels, values), rounds)
                except RuntimeError as error:
                    row["deterministic index_add_ ms"] = str(error).splitlines()[0]
                torch.use_deterministic_algorithms(False)
                print(json.dumps(row), flush=True)
            del values, buckets
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
