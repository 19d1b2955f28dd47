"""Problems of any size: every n with every m, up to the largest numbers that there are."""

from __future__ import annotations

from random import Random

from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import MOST_BYTES, Expected, judge
from process import Outcome
from world import Site, World

SIZES = [1, 2, 3, 255, 1 << 20, (1 << 26) + 1, (1 << 31) - 1, 1 << 32, (1 << 32) + 1, 1 << 40,
         1 << 58, 1 << 61, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]  # fmt: skip
TYPES = ["u32+u32", "u64+u64", "u64+u32", "u32+f64"]
PLANS = ["sortBits=0", "sortBits=9", "sortBits=4,passes=2", "strategy=privateTables", "nSets=4",
         "rangePasses=3", "sortBits=5,chunkBytes=64KiB", "strategy=plainRadix,sortBits=4",
         "threads=2", "threads=1024,sortBits=6", "sortBits=12,passes=1,pageSize=4KiB"]  # fmt: skip
OPERATIONS = ["multireduce", "scatter", "gather", "histogram", "multiscan", "multitag",
              "partialSort", "segmentedReduce", "segmentedScan"]  # fmt: skip
DISTRIBUTIONS = ["uniform", "zipf:1", "zipf-contiguous:1", "clustered:16", "sequential", "sorted",
                 "permutation", "degenerate", "rmat:0.57:0.19:0.19", "words:1.1:2.7", "cells:3",
                 "sessions:8:0.01", "strays:0.1"]  # fmt: skip

# Commands with their options other than n, m and types; True: the command takes a plan.
COMMANDS: list[tuple[list[str], bool]] = [
    (["run", "--reps", "1"], True),
    (["run", "--reps", "1", "--check"], True),
    (["simulate", "-m", MACHINE], True),
    (["simulate", "-m", MACHINE, "--model"], True),
    (["simulate", "-m", "opteron-6274-disk"], True),
    (["tune", "-m", MACHINE, "--model-only"], False),
    (["tune", "-m", "emerald-rapids-host", "--device", "gpu"], False),
    (["compare", "-m", MACHINE, "--set", "memory.latency=90ns", "--model-only"], False),
]
SLOW_SECONDS = 20.0  # twice what it takes on a quiet core, as other cases run at the same time
RUN_BYTES = 4 << 30  # most memory of a problem that is run: inputs, a sorted copy and buckets


class SizeAttack(Attack):
    """One command with one n and one m; types, plan, operation and labels are drawn."""

    name = "sizes"
    about = "every n with every m, to the largest numbers"
    share = 3.0

    def size(self, world: World) -> int:
        return len(COMMANDS) * len(SIZES) ** 2

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        index, command = divmod(index, len(COMMANDS))
        n, m = SIZES[index % len(SIZES)], SIZES[index // len(SIZES)]
        words, takes_plan = COMMANDS[command]
        words = [*words, "-n", str(n), "-b", str(m), "--type", draw.choice(TYPES)]
        plan = draw.choice(PLANS)
        operation = draw.choice(["multireduce", draw.choice(OPERATIONS)])
        labels = draw.choice(["uniform", draw.choice(DISTRIBUTIONS)])
        words += ["--op", operation, "--dist", labels, *(["--plan", plan] if takes_plan else [])]
        outcome = site.presort(*words, "--json", "-q")
        most_bytes = RUN_BYTES if words[0] == "run" else MOST_BYTES
        found = judge(outcome, Expected(json=True, most_bytes=most_bytes))
        return [self._of(words, finding) for finding in found or slow(outcome)]

    @staticmethod
    def _of(words: list[str], finding: Finding) -> Finding:
        """The finding, told apart by the command alone."""
        cause = f"{words[0]} {finding.detail}" if finding.verdict == "signal" else words[0]
        return Finding(finding.verdict, f"{' '.join(words)}: {finding.detail}", cause)


def slow(outcome: Outcome) -> list[Finding]:
    """A finding for an answer that took long, of the process and not of a busy machine."""
    late = outcome.seconds > SLOW_SECONDS and outcome.cpu_seconds > 0.8 * SLOW_SECONDS
    return [Finding("slow", f"{outcome.seconds:.0f} s")] if late else []


ATTACKS: list[Attack] = [SizeAttack()]
