#!/usr/bin/env python3
"""What gpu_draws measured, as tables: how calls stand beside peers, how well plans were chosen.

usage: draws_table.py FILE...   (lines of JSON of gpu_draws)
"""
import gzip
import json
import statistics
import sys

GROUPS = (
    ("n < 2^16", lambda row: row["n"] < 1 << 16),
    ("2^16 to 2^20", lambda row: 1 << 16 <= row["n"] < 1 << 20),
    ("2^20 to 2^24", lambda row: 1 << 20 <= row["n"] < 1 << 24),
    ("2^24 and more", lambda row: row["n"] >= 1 << 24),
    ("labels in no order", lambda row: row["labels"] not in ("sorted", "cells", "equal")),
    ("labels in order, equal", lambda row: row["labels"] in ("sorted", "cells", "equal")),
    ("u32", lambda row: row["type"] == "u32"),
    ("f32", lambda row: row["type"] == "f32"),
    ("u64", lambda row: row["type"] == "u64"),
    ("f64", lambda row: row["type"] == "f64"),
    ("bf16", lambda row: row["type"] == "bf16"),
    ("16 bytes", lambda row: row["type"] == "16"),
    ("all", lambda row: True),
)


def quantile(values, part):
    """The value below which the share `part` of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def peer(row):
    """ns an input of the faster peer."""
    return min(row["peers"].values())


def regret(row):
    """What the chosen plan takes longer than the best timed one; None where it was not timed."""
    chosen = row.get("plans", {}).get(row["chosen"])
    return None if chosen is None else chosen / min(row["plans"].values()) - 1


def errors(row):
    """Errors of the predictions of plans within twice the best, as fractions of the measured time."""
    if "plans" not in row:
        return []
    best = min(row["plans"].values())
    return [abs(row["predicted"][plan] / ns - 1)
            for plan, ns in row["plans"].items() if ns <= 2 * best]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rows = []
    for path in sys.argv[1:]:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines if line.rstrip().endswith("}")]
    print("| draws | points | a peer ahead by > 5 % | by > 25 % | median: peer's time over ours | "
          "the same, having looked at the labels | regret: mean, 95 % | "
          "error of good plans: median, 90 % |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, belongs in GROUPS:
        group = [row for row in rows if belongs(row)]
        if not group:
            continue
        ratios = [peer(row) / row["ours"] for row in group]
        looking = [peer(row) / row["looking"] for row in group if "looking" in row]
        regrets = [lost for lost in map(regret, group) if lost is not None]
        wrong = [error for row in group for error in errors(row)]
        print(f"| {name} | {len(group)} | {sum(ratio < 1 / 1.05 for ratio in ratios)} | "
              f"{sum(ratio < 0.8 for ratio in ratios)} | {statistics.median(ratios):.2f} | "
              f"{statistics.median(looking) if looking else 0:.2f} | "
              + (f"{100 * statistics.mean(regrets):.0f}, {100 * quantile(regrets, 0.95):.0f} % | "
                 if regrets else "– | ")
              + (f"{100 * statistics.median(wrong):.0f}, {100 * quantile(wrong, 0.9):.0f} % |"
                 if wrong else "– |"))


if __name__ == "__main__":
    main()
