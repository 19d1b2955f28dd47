"""Mutated values of the command line: numbers, plans, distributions, types, options, changes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import nasty
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site

PLAN_KEYS = ["sortBits", "passes", "bufferBytes", "layout", "streaming", "strategy", "rangePasses",
             "nSets", "prefetchDistance", "inputDistance", "threads", "pageSize", "isa",
             "chunkBytes", "x", ""]  # fmt: skip
PLAN_VALUES = ["1", "2", "4", "8", "12", "64", "63", "4096", "1024", "64B", "256B", "16KiB",
               "pairs", "separate", "direct", "privateTables", "plainRadix", "sharedSets", "4KiB",
               "2MiB", "1GiB", "generic", "avx2", "avx512", "true", "false"]  # fmt: skip
TYPES = ["u32+u32", "u64+f64", "u8+u32", "u16+u8", "u32", "+", "u32+", "f32+u32", "u128+u32",
         "u32+f32", "u64+u64", "i64+i64"]  # fmt: skip
OPERATIONS = ["multireduce", "scatter", "gather", "histogram", "multiscan", "multitag",
              "partialSort", "segmentedReduce", "segmentedScan", "x", ""]  # fmt: skip
RANGES = ["2^10..2^12", "2^12..2^10", "1,2", "1,,2", ",", "..", "2^10..", "..4", "0..4",
          "1..18446744073709551615", "2^10..2^11..2^12"]  # fmt: skip
SETTINGS = ["cpu.caches.L2.size", "cpu.caches.L1d.latency", "cpu.caches.L1d.line",
            "cpu.caches.L3.share", "cpu.caches.L3.ways", "memory.latency", "memory.bandwidth",
            "memory.rowHit", "memory.turnaround", "memory.writeBandwidth",
            "cpu.clock", "cpu.cores", "cpu.siblings",
            "cpu.tlb.STLB.entries", "cpu.walk.walkers", "cpu.walk.nested.hostPage",
            "cpu.window.entries", "cpu.window.storeRuns", "memory.rowSize", "memory.channels",
            "plan.pageSize", "plan.sortBits", "plan.threads", "name", "cpu.costs", "cpu", "",
            "cpu.caches", "cpu.caches.L9.size", "cpu.frames", "x"]  # fmt: skip
FILES = ["/dev/null", "/", "..", "nope", "nope.yaml", "/proc/self/mem", "/etc/passwd", "", "-"]


def number(draw: Random) -> str:
    """A count, or what should be one."""
    good = ["2^10", "2^8", "100", "16", "1e3"]
    odd = [" 5", "5 ", "5\n", "", "0.0", *RANGES]
    return draw.choice([draw.choice(nasty.NUMBERS), draw.choice(good), draw.choice(odd)])


def quantity(draw: Random) -> str:
    """A number with a unit, or what should be one."""
    if draw.random() < 0.3:
        return draw.choice(nasty.QUANTITIES + nasty.WORDS)
    return draw.choice(nasty.NUMBERS) + draw.choice(nasty.UNITS)


def plan(draw: Random) -> str:
    """A plan of one to three keys."""
    keys = range(draw.choice([1, 1, 2, 3]))
    return ",".join(
        draw.choice(PLAN_KEYS)
        + draw.choice(["=", "=", "=", "=", "", "=="])
        + (draw.choice(PLAN_VALUES) if draw.random() < 0.7 else draw.choice(nasty.NUMBERS))
        for _ in keys
    )


def distribution(draw: Random) -> str:
    """A distribution of labels."""
    kind = draw.choice(["uniform", "zipf", "zipf-contiguous", "clustered", "sequential", "sorted",
                        "permutation", "degenerate", "rmat", "words", "cells", "sessions", "strays", "file",
                        "x", ""])  # fmt: skip
    value = draw.choice([number(draw), draw.choice(FILES), "1", "1.25", "16", "0.57:0.19:0.19", "1:", "1:0.5"])
    return kind + draw.choice(["", ":" + value])


def _maybe(draw: Random, chance: float, option: str, value: Callable[[Random], str]) -> list[str]:
    return [option, value(draw)] if draw.random() < chance else []


def _problem(draw: Random) -> list[str]:
    words = ["-n", number(draw) if draw.random() < 0.5 else "2^10"]
    words += ["-b", number(draw) if draw.random() < 0.5 else "2^8"]
    words += _maybe(draw, 0.4, "--dist", distribution)
    words += _maybe(draw, 0.3, "--type", lambda d: d.choice(TYPES))
    return words + _maybe(draw, 0.3, "--op", lambda d: d.choice(OPERATIONS))


def _machine(draw: Random) -> list[str]:
    chance = draw.random()
    if chance < 0.8:
        return ["-m", draw.choice([MACHINE, MACHINE, MACHINE, "core2-t7300", "opteron-6274-disk"])]
    return ["-m", draw.choice(FILES + nasty.NAMES)]


def _run(draw: Random) -> list[str]:
    words = ["run", *_problem(draw), "--reps", number(draw) if draw.random() < 0.1 else "1"]
    words += _maybe(draw, 0.5, "--plan", plan) + _maybe(draw, 0.2, "--threads", number)
    words += _maybe(draw, 0.2, "--seed", number) + _maybe(draw, 0.05, "--device", distribution)
    return words + draw.choice([[], ["--check"]])


def _simulate(draw: Random) -> list[str]:
    words = ["simulate", *_machine(draw), *_problem(draw), *_maybe(draw, 0.5, "--plan", plan)]
    words += _maybe(draw, 0.2, "--ci", quantity) + _maybe(draw, 0.2, "--seed", number)
    if draw.random() < 0.1:
        words += ["--mrc", *_maybe(draw, 0.5, "--mrc-rate", quantity)]
    return words + draw.choice([[], ["--model"], ["--dependent"], ["--full"]])


def _tune(draw: Random) -> list[str]:
    words = ["tune", *_machine(draw), *_problem(draw), "--model-only"]
    words += _maybe(draw, 0.4, "--require", plan) + _maybe(draw, 0.2, "--threads", number)
    words += _maybe(draw, 0.2, "--page-size", quantity) + _maybe(draw, 0.1, "--measure", number)
    return words + _maybe(draw, 0.1, "--labels", lambda d: d.choice(FILES))


def _compare(draw: Random) -> list[str]:
    values = ",".join(quantity(draw) for _ in range(draw.choice([1, 1, 2])))
    setting = draw.choice(SETTINGS) + draw.choice(["=", "=", "=", ""]) + values
    return ["compare", *_machine(draw), *_problem(draw), "--model-only", "--set", setting]


def _validate(draw: Random) -> list[str]:
    option = draw.choice(["--reps", "--max-regret", "--measure", "--max-median-error", "--largest",
                          "--max-p95-regret", "--grid", "--tuned", "--labels"])  # fmt: skip
    return ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out", option,
            quantity(draw)]  # fmt: skip


def _trace(draw: Random) -> list[str]:
    option = draw.choice(["--copies", "--limit", "--interval", "--page", "--format", "--seed"])
    words = ["simulate", "-m", MACHINE, "--trace", "loop.csv", option, number(draw)]
    return words + draw.choice([[], ["--functional"], ["--processes"], ["--mrc"]])


def _fit(draw: Random) -> list[str]:
    return ["fit", "-m", MACHINE, "--matrix", draw.choice(FILES), "--cells",
            draw.choice(["none", "random", "x"]), "--budget", number(draw)]  # fmt: skip


def _others(draw: Random) -> list[str]:
    return draw.choice([
        ["machines", "-m", draw.choice(FILES + nasty.NAMES)],
        ["selfcheck", "-m", draw.choice(FILES), "--seed", number(draw)],
        ["probe", "--compare", draw.choice(FILES), "--compare", draw.choice(FILES)],
        ["calibrate", "-m", draw.choice(FILES), "--dry-run", "-q"],
        [draw.choice(nasty.WORDS + nasty.NAMES)],
        ["help", draw.choice(["tune", "x", "--json"])],
    ])  # fmt: skip


MAKERS = [_run, _simulate, _simulate, _tune, _compare, _compare, _validate, _trace, _fit, _others]
STRAYS = ["--", "-", "--x", "-n", "-b", "--json=1", "-q5", "--help=3", "", "-nan", "-o", "--n=5"]


class ValueAttack(Attack):
    """One command with values that may be anything."""

    name = "values"
    about = "mutated values of the command line"
    share = 3.0

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        site.copy(site.world.seeds / "replay" / "r.jsonl")
        site.copy(site.world.seeds / "trace" / "loop.csv")
        words = draw.choice(MAKERS)(draw)
        if words[0] in ("run", "simulate", "tune", "compare", "validate"):
            words += ["--json"] if "--interval" not in words else []
            words += ["-q"]
        if draw.random() < 0.1:
            words.insert(draw.randrange(1, len(words) + 1), draw.choice(STRAYS))
        words = [word.replace("\0", "") for word in words]
        asks_help = words[0] == "help" or {"--help", "--help=3", "-h"} & set(words)
        json = "--json" in words and not asks_help
        codes = frozenset({0, 1, 2, 3}) if words[0] in ("validate", "selfcheck", "probe") else None
        outcome = site.presort(*words)
        if outcome.timed_out and "--full" in words:
            return []  # all of a problem, however large, is simulated on request
        return judge(outcome, Expected(codes=codes or Expected().codes, json=json))


ATTACKS: list[Attack] = [ValueAttack()]
