#!/usr/bin/env python3
"""Sums by 64-bit keys by DuckDB, Polars and pandas, beside group_speed.

usage: group_peers.py GROUP_SPEED LOG10_N THREADS ROUNDS   (GROUP_SPEED: the program of bench/speed/group_speed.cpp)

The keys are those of group_speed's first two kinds: 1000 groups and n / 10, drawn uniformly, mixed; values
are u64. Prints a line of JSON for each library and kind: ns an input, the median of ROUNDS, of the clock and
of the process' time on its cores (with one thread the latter tells less of other load). Sums and counts are
both asked for. group_speed runs before and after.
"""
import json
import os
import statistics
import subprocess
import sys
import time

if len(sys.argv) < 5:
    sys.exit(__doc__)
PROGRAM, LOG10_N, THREADS, ROUNDS = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
os.environ["POLARS_MAX_THREADS"] = str(THREADS)

import duckdb  # noqa: E402  after the number of threads is set
import numpy as np  # noqa: E402
import pandas  # noqa: E402
import polars  # noqa: E402


def mixed(numbers):
    """SplitMix64's finaliser, as presort's mix64."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def measured(call, n):
    """Median ns an input: of the clock, of the process' cores."""
    clock, cores = [], []
    for turn in range(ROUNDS + 1):
        begin, begin_cores = time.perf_counter(), time.process_time()
        call()
        if turn > 0:
            clock.append(time.perf_counter() - begin)
            cores.append(time.process_time() - begin_cores)
    return {"clock": round(statistics.median(clock) * 1e9 / n, 2),
            "cores": round(statistics.median(cores) * 1e9 / n, 2)}


def ours():
    arguments = [PROGRAM, str(ROUNDS), str(LOG10_N), str(THREADS), "few"]
    print(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout, end="", flush=True)


def main():
    n = int(10**LOG10_N)
    random = np.random.default_rng(1)
    database = duckdb.connect(config={"threads": THREADS})
    ours()
    for groups in (1000, n // 10):
        keys = mixed(random.integers(0, groups, n, dtype=np.uint64) + np.uint64(5))
        values = np.arange(n, dtype=np.uint64) % np.uint64(3)
        table = polars.DataFrame({"key": keys, "value": values})
        frame = pandas.DataFrame({"key": keys, "value": values})
        arrow = table.to_arrow()
        database.register("t", arrow)
        database.execute("create or replace table inputs as select * from t")
        calls = {
            f"DuckDB {duckdb.__version__}": lambda: database.execute(
                "create or replace temp table r as "
                "select key, sum(value)::ubigint as s, count(*) as c from inputs group by key"),
            f"Polars {polars.__version__}": lambda: table.group_by("key").agg(
                polars.col("value").sum(), polars.len()),
        }
        if THREADS == 1:
            calls[f"pandas {pandas.__version__}"] = lambda: frame.groupby("key", sort=False)["value"].agg(
                ["sum", "count"])
        for name, call in calls.items():
            row = {"library": name, "n": n, "groups": groups, "threads": THREADS}
            print(json.dumps(row | measured(call, n)), flush=True)
        database.execute("drop table r")
    ours()


if __name__ == "__main__":
    main()
