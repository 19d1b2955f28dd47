"""The same command again, on one processor and on two: the same bits, but for what is timed."""

from __future__ import annotations

import json
import math
import os
from random import Random

from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site, World

TIMED = {"seconds", "accesses_per_second", "provenance", "wall_seconds"}
MIDDLE = ["-n", "2^18", "-b", "2^16"]
REPLAY = ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out"]

COMMANDS = [
    ["simulate", "-m", MACHINE, *MIDDLE],
    ["simulate", "-m", MACHINE, *MIDDLE, "--plan", "sortBits=8"],
    ["simulate", "-m", MACHINE, *MIDDLE, "--plan", "sortBits=8,threads=2"],
    ["simulate", "-m", MACHINE, *MIDDLE, "--dist", "zipf:1", "--op", "gather"],
    ["simulate", "-m", MACHINE, *MIDDLE, "--model"],
    ["simulate", "-m", MACHINE, "-n", "2^16", "-b", "2^12", "--mrc"],
    ["simulate", "-m", "opteron-6274-ssd", "-n", "2^12", "-b", "2^12"],
    ["simulate", "-m", MACHINE, "--trace", "sorted.presort", "--copies", "2"],
    ["tune", "-m", MACHINE, "-n", "2^18", "-b", "2^10..2^16", "--dist", "uniform,zipf:1"],
    ["tune", "-m", MACHINE, "-n", "2^16", "-b", "2^12", "--threads", "1,2"],
    ["compare", "-m", MACHINE, "--set", "memory.latency=100ns,200ns", "-n", "2^16", "-b", "2^12"],
    ["selfcheck", "-m", "core2-t7300"],
    ["fit", "-m", MACHINE, "--matrix", "memlat.txt", "--cells", "none"],
    REPLAY,
    [*REPLAY, "--measure", "5"],
    [*REPLAY, "--confirm"],
]


def without_times(document: object) -> object:
    """The document without its provenance and the times that the command itself took."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if key not in TIMED}
    if isinstance(document, list):
        return [without_times(item) for item in document]
    return document


def difference(left: object, right: object, path: str = "", tolerance: float = 0) -> str:
    """The first place where two documents differ, or ""; numbers by more than a part of them."""
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        pairs = [(f"{path}.{key}", left[key], right[key]) for key in left]
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(left, right, strict=True))]
    else:
        if left == right or (tolerance and _near(left, right, tolerance)):
            return ""
        return f"{path}: {str(left)[:60]} and {str(right)[:60]}"
    differences = (difference(a, b, place, tolerance) for place, a, b in pairs)
    return next((found for found in differences if found), "")


def _near(left: object, right: object, tolerance: float) -> bool:
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    return numbers and math.isclose(left, right, rel_tol=tolerance)  # type: ignore[arg-type]


class DeterminismAttack(Attack):
    """One command three times: as it is, on one processor, and as it is again."""

    name = "determinism"
    about = "the same command again, with one processor and with all"

    def size(self, world: World) -> int:
        return len(COMMANDS)

    def count(self, site: Site) -> int:
        return 3

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        for seed in ("replay/r.jsonl", "trace/sorted.presort", "matrix/memlat.txt"):
            site.copy(site.world.seeds / seed)
        words = [*COMMANDS[index], "--json"]
        words += [] if words[0] == "selfcheck" else ["-q"]
        documents = []
        for processors in (None, {min(os.sched_getaffinity(0))}, None):
            document, found = self._run(site, words, processors)
            if found:
                return found
            documents.append(document)
        for document, which in zip(documents[1:], ("on one processor", "again"), strict=True):
            if where := difference(documents[0], document):
                return [Finding("differs", f"{' '.join(words)}: {which}: {where}", " ".join(words))]
        return []

    @staticmethod
    def _run(
        site: Site, words: list[str], processors: set[int] | None
    ) -> tuple[object, list[Finding]]:
        """The JSON document of one run."""
        all_of_them = os.sched_getaffinity(0)
        os.sched_setaffinity(0, processors or all_of_them)
        try:
            outcome = site.presort(*words, timeout=120)
        finally:
            os.sched_setaffinity(0, all_of_them)
        found = judge(outcome, Expected(codes=frozenset({0, 1}), json=True))
        return (None, found) if found else (without_times(json.loads(outcome.stdout)), [])


ATTACKS: list[Attack] = [DeterminismAttack()]
