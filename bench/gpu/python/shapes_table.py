#!/usr/bin/env python3
"""Prints what launch shapes are worth: shapes_table.py FILE..., lines of gpu_launch_shapes.

For each kernel and size of problem: what the shape of a call loses against the best shape of each
problem, the best single other shape and what it loses, and in how many problems a shape is ahead by
3 % and more.
"""
import collections
import gzip
import json
import sys


def lines(paths):
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            yield from (json.loads(line) for line in file if line.startswith("{"))


def group_of(line):
    size = "below 2^20" if line["n"] < 1 << 20 else "2^20 and more"
    return line["kernel"], line["value"], size


def main():
    groups = collections.defaultdict(list)
    for line in lines(sys.argv[1:]):
        shapes = line["shapes"]
        best = min(shapes.values())
        groups[group_of(line)].append({name: ns / best - 1 for name, ns in shapes.items()})
    print("| kernel | value | inputs | problems | a call loses: mean, worst | 3 % and more "
          "| the best single shape | loses |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for (kernel, value, size), problems in sorted(groups.items()):
        def loss(name):
            return sum(one.get(name, 1) for one in problems) / len(problems)

        calls = [next(ns for name, ns in one.items() if name.startswith("call"))
                 for one in problems]
        names = {name for one in problems for name in one if not name.startswith("call")}
        single = min(names, key=loss)
        print(f"| {kernel} | {value} | {size} | {len(problems)} "
              f"| {100 * sum(calls) / len(calls):.1f}, {100 * max(calls):.0f} % "
              f"| {sum(loss_of >= 0.03 for loss_of in calls)} | {single} "
              f"| {100 * loss(single):.1f} % |")


if __name__ == "__main__":
    main()
