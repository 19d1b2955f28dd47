#!/usr/bin/env python3
"""PyTorch's index_add_ beside the multireduces that gpu_draws drew.

usage: draws_torch.py FILE [ROUNDS]   (lines of JSON of gpu_draws, of the same device)

Takes the draws whose labels are uniform, equal or sorted, which PyTorch makes as well, and prints for
each a line of JSON: n, m, labels, type, ours and torch in ns an input. Medians by device events; labels
are int64, as PyTorch wants them; unsigned values are its int32 and int64.
"""
import json
import sys

import torch

from torch_timing import median_ns

TYPES = {"u32": torch.int32, "f32": torch.float32, "u64": torch.int64, "f64": torch.float64}


def make_labels(kind, n, m):
    """Labels on the device, or None for a kind that is left out."""
    if kind == "uniform":
        return torch.randint(m, (n,), device="cuda")
    if kind == "equal":
        return torch.full((n,), m // 2, device="cuda")
    if kind == "sorted":
        return torch.arange(n, device="cuda") * m // n
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    with open(sys.argv[1], encoding="utf-8") as lines:
        draws = [json.loads(line) for line in lines if line.rstrip().endswith("}")]
    for draw in draws:
        n, m = draw["n"], draw["m"]
        labels = make_labels(draw["labels"], n, m)
        if labels is None:
            continue
        values = torch.ones(n, dtype=TYPES[draw["type"]], device="cuda")
        buckets = torch.zeros(m, dtype=values.dtype, device="cuda")
        ns = median_ns(lambda: buckets.index_add_(0, labels, values), rounds, 2) / n
        print(json.dumps({"n": n, "m": m, "labels": draw["labels"], "type": draw["type"],
                          "ours": draw["ours"], "torch": round(ns, 5)}))


if __name__ == "__main__":
    main()
