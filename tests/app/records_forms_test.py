#!/usr/bin/env python3
"""Compares what --csv and --markdown print with what --json says, for probe, simulate and validate.

usage: records_forms_test.py PRESORT SOURCE_DIR
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

presort, source = (Path(one).resolve() for one in sys.argv[1:3])
kept = tempfile.TemporaryDirectory()
folder = Path(kept.name)
machine = source / "tests/app/data/machine.yaml"
trace = source / "tests/sim/trace/data/valid/loop.din"
sweeps = source / "docs/results/sweeps"
failures = 0


def check(right, what):
    global failures
    if not right:
        print(f"FAILED: {what}", file=sys.stderr)
        failures += 1


def run(*words, code=0):
    done = subprocess.run([presort, *map(str, words)], capture_output=True, text=True, cwd=folder, check=False)
    check(done.returncode == code, f"presort {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
    return done


def rows_of(*words):
    text = run(*words, "--csv").stdout
    lines = list(csv.reader(io.StringIO(text)))
    check(len({len(line) for line in lines}) == 1, f"{words}: lines of CSV differ in their cells")
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def same_rows(what, found, expected):
    """Cells against the numbers and texts of JSON; None: an empty cell. Only names of `expected` are compared."""
    check(len(found) == len(expected) > 0, f"{what}: {len(found)} rows, not {len(expected)}")
    for row, wanted in zip(found, expected):
        for name, value in wanted.items():
            cell = row.get(name, "(no such column)")
            if value is None:
                right = cell == ""
            elif isinstance(value, bool):
                right = cell == ("yes" if value else "no")
            elif isinstance(value, (int, float)):
                # JSON and CSV print the shortest text that is read back as the same number.
                right = cell not in ("", "(no such column)") and float(cell) == value
            else:
                right = cell == value
            check(right, f"{what}: {name}: found {cell!r}, JSON says {value!r}")


def markdown_has(what, words, rows):
    lines = run(*words, "--markdown").stdout.splitlines()
    check(len(lines) == rows + 2 and all(line.startswith("| ") for line in lines), f"{what}: --markdown: {len(lines)} lines")


# simulate: a problem, a curve, a GPU's plan
problem = ("simulate", "-m", machine, "-n", "2^16", "-b", "2^12", "--plan", "sortBits=6", "-q")
said = json.loads(run(*problem, "--json").stdout)
rows = rows_of(*problem)
low, high = said["predicted_80_percent_ns_per_input"]
expected = [("total", "predicted", said["predicted_ns_per_input"])]
expected += [("total", "80 % interval, low", low), ("total", "80 % interval, high", high)]
expected += [("phase", one["name"], one["ns_per_input"]) for one in said["phases"]]
same_rows("simulate", rows[: len(expected)], [dict(zip(("part", "name", "ns_per_input"), one)) for one in expected])
stack = {row["name"]: float(row["ns_per_input"]) for row in rows[len(expected) :]}
check(stack == said["stack_ns"], f"simulate: stack {stack}, JSON says {said['stack_ns']}")
markdown_has("simulate", problem, len(rows))
for words in (problem, ("simulate", "-m", machine, "--trace", trace, "-q")):
    curve = json.loads(run(*words, "--mrc", "--json").stdout)["miss_ratio_curve"]
    same_rows(f"{words} --mrc", rows_of(*words, "--mrc"), [{"level": None, **point} for point in curve])
gpu = ("simulate", "-m", "h200", "--device", "gpu", "-n", "2^20", "-b", "2^12", "--plan", "strategy=globalSets", "-q")
phases = json.loads(run(*gpu, "--json").stdout)["phases"]
same_rows("simulate --device gpu", rows_of(*gpu), [
    {"phase": one["name"], "ns_per_input": one["ns_per_input"], "launches_and_ends_ns": one["serial_ns"],
     "l2_hit_ratio": one["l2_hit_ratio"], "bound": one["bound"]} for one in phases])  # fmt: skip

# validate: recorded points of a CPU and of a GPU, recorded loops
recorded = folder / "few.jsonl"
lines = subprocess.run(["gzip", "-dc", sweeps / "golden-cove-vm.jsonl.gz"], capture_output=True, text=True, check=True)
recorded.write_text("".join(lines.stdout.splitlines(keepends=True)[:30]))
replay = ("validate", "-m", "golden-cove-vm", "--model", "-q", "--replay", recorded)
rows = rows_of(*replay, "-o", "cpu")
points = [json.loads(line) for line in (folder / "cpu/result.jsonl").read_text().splitlines()]
same_rows("validate", rows, [
    {"n": one["problem"]["n"], "m": one["problem"]["m"], "op": one["problem"]["op"],
     "predicted_ns": one["predicted_ns_per_input"], "measured_ns": one["measured_ns_per_input"],
     "predicted_low_ns": one["predicted_80_percent_ns_per_input"][0],
     "predicted_high_ns": one["predicted_80_percent_ns_per_input"][1],
     "spread": one["spread"], "runs": len(one["samples_ns_per_input"]), "quiet_runs": one["quiet_samples"],
     "in_grid": one["in_grid"], "tuned": one["tuned"], "direct": one["direct"], "dropped": one["dropped"]}
    for one in points])  # fmt: skip
for row in rows:
    error = float(row["predicted_ns"]) / float(row["measured_ns"]) - 1
    check(abs(error - float(row["relative_error"])) < 1e-9, f"validate: relative_error {row['relative_error']}")
markdown_has("validate", (*replay, "-o", "cpu"), len(rows))

recorded = folder / "gpu.jsonl"
lines = subprocess.run(["gzip", "-dc", sweeps / "gpu-drawn-h200.jsonl.gz"], capture_output=True, text=True, check=True)
recorded.write_text("".join(lines.stdout.splitlines(keepends=True)[:6]))
replay = ("validate", "-m", "h200", "--device", "gpu", "--model", "-q", "--replay", recorded)
rows = rows_of(*replay, "-o", "gpu")
points = [json.loads(line) for line in (folder / "gpu/result.jsonl").read_text().splitlines()]
expected = [
    {"n": one["n"], "m": one["m"], "op": one["op"], "types": one["types"], "labels": one["dist"], "plan": plan,
     "measured_ns": ns, "closed_form_ns": one.get("predicted", {}).get(plan), "simulated_ns": None}
    for one in points for plan, ns in one["plans"].items()]  # fmt: skip
by_plan = [sorted(all_, key=lambda row: (int(row["n"]), int(row["m"]), row["op"], row["types"], row["labels"], row["plan"]))
           for all_ in (rows, expected)]  # fmt: skip
same_rows("validate --device gpu", *by_plan)

recorded = folder / "loops.jsonl"
lines = subprocess.run(["gzip", "-dc", sweeps / "loops-golden-cove-vm.jsonl.gz"], capture_output=True, text=True, check=True)
small = [line for line in lines.stdout.splitlines(keepends=True) if json.loads(line)["footprint_bytes"] <= 1 << 16]
recorded.write_text("".join(small[:8]))
replay = ("validate", "--loops", "-m", "golden-cove-vm", "-q", "--replay", recorded, "-o", "loops")
said = json.loads(run(*replay, "--json").stdout)["loops"]
same_rows("validate --loops", rows_of(*replay), [
    {"loop": one["loop"], "footprint_bytes": one["footprint_bytes"], "page_size": one["page_size"],
     "predicted_ns": one["predicted_ns_per_item"], "measured_ns": one["measured_ns_per_item"],
     "relative_error": one["relative_error"], "spread": one["spread"], "fits_in": one["fits_in"]}
    for one in said])  # fmt: skip

# probe --compare: two machine files that were probed
two = ("probe", *(word for name in ("golden-cove-vm", "golden-cove-vm") for word in ("--compare", name)))
said = json.loads(run(*two, "--json").stdout)["values"]
same_rows("probe --compare", rows_of(*two), [
    {"key": one["key"], "unit": one["unit"] or None, "first": one["first"]["value"], "second": one["second"]["value"],
     "counts": one["counts"], "agrees": one["agrees"]} for one in said])  # fmt: skip

# What is refused, before any work
for words, text in (
    ((*problem, "--csv", "--json"), "--json and --csv exclude each other"),
    ((*problem, "--csv", "--markdown"), "--csv and --markdown exclude each other"),
    ((*problem, "--draw", "--csv"), "--draw and --csv exclude each other"),
    (("simulate", "-m", machine, "--trace", trace, "--csv"), "found --trace"),
    ((*gpu, "--json", "--markdown"), "exclude each other"),
    ((*replay, "--json", "--csv"), "exclude each other"),
    ((*two, "--json", "--csv"), "exclude each other"),
    (("probe", "--disk", ".", "--json", "--csv"), "exclude each other"),
    (("probe", "-o", "machine.yaml", "--json", "--csv"), "exclude each other"),
):
    done = run(*words, code=2)
    check(text in done.stderr and done.stdout == "", f"{words}: {done.stderr}")

sys.exit(failures > 0)
