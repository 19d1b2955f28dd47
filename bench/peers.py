#!/usr/bin/env python3
"""Our CPU kernels beside those of other libraries, by turns, on the same inputs in huge pages.

u32 labels and values. Prints a Markdown table for each m: median ns per input, and the ratio to
our best plan with as many threads. Every result is compared with the others'. With one thread it
is processor time, so that what others run on the machine meanwhile does not count; with several
the clock's, so that only a quiet machine tells.

  cmake -S . -B build -G Ninja && ninja -C build presort_peers
  bench/peers.py --log2-n 26 --log2-m 10 20 28 --cpu 1

Debian packages, each optional but numpy: libhwy-dev libtbb-dev libboost-dev python3-numpy
python3-pandas.
"""

import argparse
import gc
import json
import os
import statistics
import sys
from itertools import chain

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers"))
from exits import EXIT_DIFFERS, EXIT_ENVIRONMENT, die
from library import Inputs, Library, keep_freed_memory, np
from contenders import left_out, library_contenders, numpy_contenders, pandas_contenders, pd


def run_once(contender, arguments):
    """On the one processor, or, with several threads, on all."""
    cpus = {arguments.cpu} if contender.threads == 1 else arguments.all_cpus
    os.sched_setaffinity(0, cpus)
    try:
        return contender.run()
    finally:
        os.sched_setaffinity(0, arguments.all_cpus)


def warm_up(contenders, arguments):
    """One run of each: how many rounds it gets, and is its result the same? It counts for the slow
    ones, which a cold start does not show in."""
    expected = {}
    for contender in contenders:
        ns, result = run_once(contender, arguments)
        contender.rounds = arguments.rounds
        if ns > arguments.slow_seconds * 1e9:
            contender.rounds = min(arguments.rounds, arguments.slow_rounds) - 1
            contender.times.append(ns)
        found = contender.found(result)
        if found is None:
            print(f"{contender.name}: sums of 2^53 and more, not compared", file=sys.stderr)
        elif contender.operation not in expected:
            expected[contender.operation] = found.copy()
        elif not np.array_equal(found, expected[contender.operation]):
            die(EXIT_DIFFERS, f"{contender.name}: its {contender.operation} differs from the plain loop's")


def race(contenders, arguments):
    """By turns; those with fewer rounds spread theirs over all."""
    for turn in range(arguments.rounds):
        for contender in contenders:
            rounds = contender.rounds
            if (turn + 1) * rounds // arguments.rounds > turn * rounds // arguments.rounds:
                contender.times.append(run_once(contender, arguments)[0])


def rows_of(contenders, inputs, arguments):
    rows = [
        {
            "operation": c.operation,
            "n": inputs.n,
            "m": inputs.m,
            "labels": arguments.labels,
            "name": c.name,
            "ours": c.ours,
            "threads": c.threads,
            "rounds": len(c.times),
            "ns_per_input": statistics.median(c.times) / inputs.n,
            "times_ns": c.times,
        }
        for c in contenders
    ]
    for row in rows:
        best = min(
            r["ns_per_input"]
            for r in rows
            if r["ours"] and r["operation"] == row["operation"] and r["threads"] == row["threads"]
        )
        row["ratio"] = row["ns_per_input"] / best
    return rows


def print_table(rows, operation):
    rows = [r for r in rows if r["operation"] == operation]
    print(f"\n| {operation} | ns per input | against our best | rounds |")
    print("| --- | --- | --- | --- |")
    # Rows of the table are ordered: one thread first, and this project's kernels before the peers.
    for r in sorted(rows, key=lambda r: (r["threads"], not r["ours"])):
        name = f"**{r['name']}**" if r["ours"] else r["name"]
        print(f"| {name} | {r['ns_per_input']:.2f} | {r['ratio']:.2f} | {r['rounds']} |")


def compare(library, m, arguments):
    inputs = Inputs(library, arguments.n, m, arguments.labels, arguments.seed)
    contenders = [
        contender
        for contender in chain(
            library_contenders(inputs), numpy_contenders(inputs), pandas_contenders(inputs)
        )
        if contender.ours or not any(word in contender.name for word in arguments.skip)
    ]
    warm_up(contenders, arguments)
    race(contenders, arguments)
    rows = rows_of(contenders, inputs, arguments)
    huge = round(100 * library.huge_share(inputs.handle))
    print(
        f"\n## n = {power(inputs.n)}, m = {power(m)}, {arguments.labels}\n\n"
        f"{huge} % of the arrays in huge pages. All results agree."
    )
    texts = left_out(inputs) + [f"peers named *{word}*, as asked" for word in arguments.skip]
    for text in dict.fromkeys(texts):
        print(f"Left out: {text}")
    for operation in ("multireduce", "histogram"):
        print_table(rows, operation)
    sys.stdout.flush()
    if arguments.json:
        with open(arguments.json, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    del contenders
    inputs.close()
    gc.collect()


def power(number):
    exponent = number.bit_length() - 1
    return f"2^{exponent}" if number == 1 << exponent else str(number)


def within(low, high):
    def parse(text):
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"found '{text}', accepted: {low} to {high}")
        return number

    return parse


def positive_seconds(text):
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"found '{text}', accepted: a number above 0")
    return seconds


def parse_arguments():
    all_cpus = os.sched_getaffinity(0)
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--log2-n", type=within(0, 32), default=16, help="inputs (16)")
    parser.add_argument(
        "--log2-m", type=within(0, 32), nargs="+", default=[8, 16], help="buckets (8 16)"
    )
    parser.add_argument("--labels", default="uniform", help="their distribution (uniform)")
    parser.add_argument("--seed", type=within(0, 2**64 - 1), default=1)
    parser.add_argument("--rounds", type=within(1, 10**6), default=7, help="timed runs (7)")
    parser.add_argument(
        "--slow-seconds", type=positive_seconds, default=1.0, help="a run above it is slow (1)"
    )
    parser.add_argument(
        "--slow-rounds", type=within(3, 10**6), default=3, help="timed runs of slow ones (3)"
    )
    parser.add_argument(
        "--cpu",
        type=within(0, 10**6),
        default=max(all_cpus),
        help="where one thread runs (the last one)",
    )
    parser.add_argument(
        "--skip", nargs="+", default=[], metavar="WORD", help="leave out peers with it in the name"
    )
    parser.add_argument("--json", metavar="FILE", help="append a JSON line for each row")
    parser.add_argument(
        "--library", default=os.path.join(here, "..", "build", "libpresort_peers.so")
    )
    arguments = parser.parse_args()
    if arguments.cpu not in all_cpus:
        parser.error(f"--cpu: found {arguments.cpu}, accepted: {sorted(all_cpus)}")
    arguments.all_cpus = all_cpus
    arguments.n = 1 << arguments.log2_n
    return arguments


def main():
    arguments = parse_arguments()
    library = Library(arguments.library)
    gc.disable()
    keep_freed_memory()
    versions = f"{library.versions().decode()}, numpy {np.__version__}"
    print(versions + (f", pandas {pd.__version__}" if pd else ""))
    print(
        f"Medians of {arguments.rounds} rounds by turns; of {arguments.slow_rounds} for what takes "
        f"more than {arguments.slow_seconds:g} s."
    )
    for log2_m in arguments.log2_m:
        try:
            compare(library, 1 << log2_m, arguments)
        except MemoryError as error:
            die(EXIT_ENVIRONMENT, f"m = 2^{log2_m}: not enough memory: {error}")


if __name__ == "__main__":
    main()
