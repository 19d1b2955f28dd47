#!/usr/bin/env python3
"""PyTorch's index_add_, scatter_reduce_ and bincount beside the multireduces that gpu_draws drew.

usage: draws_torch.py FILE [ROUNDS]   (lines of JSON of gpu_draws, of the same device)

Takes the draws whose labels are uniform, equal or sorted, which PyTorch makes as well, and prints for
each a line of JSON: n, m, labels, type, ours and PyTorch's in ns an input. Medians by device events; labels
are int64, as PyTorch wants them; unsigned values are its int32 and int64. bincount sums floats alone, into
a new array of doubles. In the end, for each function, how often it is ahead by more than 5 %.
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
    ahead = {}
    for draw in draws:
        n, m, kind = draw["n"], draw["m"], TYPES.get(draw["type"])
        labels = make_labels(draw["labels"], n, m) if kind else None
        if labels is None:
            continue
        values, buckets = torch.ones(n, dtype=kind, device="cuda"), torch.zeros(m, dtype=kind, device="cuda")
        calls = {
            "index_add_": lambda: buckets.index_add_(0, labels, values),
            "scatter_reduce_": lambda: buckets.scatter_reduce_(0, labels, values, "sum"),
        }
        if kind.is_floating_point:
            calls["bincount"] = lambda: torch.bincount(labels, values, m)
        times = {name: round(median_ns(call, rounds, 2) / n, 5) for name, call in calls.items()}
        print(json.dumps({"n": n, "m": m, "labels": draw["labels"], "type": draw["type"], "ours": draw["ours"]} | times))
        for name, ns in times.items():
            ahead.setdefault(name, []).append(draw["ours"] / ns)
    for name, ratios in ahead.items():
        by = [ratio for ratio in ratios if ratio > 1.05]
        print(f"{name}: ahead by more than 5 % at {len(by)} of {len(ratios)}, at most {max(ratios):.2f} times as fast")


if __name__ == "__main__":
    main()
