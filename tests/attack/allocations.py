"""Memory, threads and writes that are refused: the n-th of them, or all from the n-th on.

The library attack_faults is loaded before the command (see faults_preload.cpp).
"""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

from attack import Attack
from faults import JOBS, Job, place
from findings import Finding
from judge import LOADER_STATUS, Expected, judge
from world import Site, World

CALLS = ["malloc", "malloc", "mmap", "thread", "write"]


class AllocationAttack(Attack):
    """One refused allocation, thread or write of one command."""

    name = "allocations"
    about = "the n-th allocation, thread or write refused"
    share = 2.0

    def __init__(self) -> None:
        self._counts: dict[int, dict[str, int]] = {}

    def missing(self, world: World) -> str:
        if world.sanitized:
            return "sanitizers have an allocator of their own"
        return "" if world.faults else "no --faults LIBRARY"

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        number = index % len(JOBS)
        job = JOBS[number]
        counts = self._counts.get(number) or self._count(site, job)
        self._counts[number] = counts
        call = draw.choice(CALLS)
        # Number of the call that fails: half of the draws are small numbers, which even short
        # commands reach.
        most = max(1, counts.get(call, 1))
        chosen = int(math.exp(draw.uniform(0, math.log(most + 1))))
        chosen = min(most, chosen if draw.random() < 0.5 else draw.randint(1, most))
        on = draw.choice(["", "+"])  # "+": all later calls fail too
        site.clear()
        place(site, job)
        outcome = site.presort(*job.words, env=self._settings(site.world, f"{call}:{chosen}{on}"))
        where = f"{job.name}, {call} number {chosen}{on} refused"
        site.commands[-1] = f"PRESORT_ATTACK_FAIL={call}:{chosen}{on} {site.commands[-1]}"
        if outcome.status == LOADER_STATUS:
            return []
        found = judge(outcome, Expected(silent=on == "+" or call == "write"))
        found = [f for f in found if f.verdict not in ("vague", "cryptic")]
        found += self._outputs(site, job, outcome.status)
        return [Finding(f.verdict, f"{where}: {f.detail}", f"{job.name} {call}{on} {f.cause}")
                for f in found]  # fmt: skip

    @staticmethod
    def _settings(world: World, fail: str, count: Path | None = None) -> dict[str, str]:
        settings = {"LD_PRELOAD": str(world.faults), "PRESORT_ATTACK_FAIL": fail}
        return settings | ({"PRESORT_ATTACK_COUNT": str(count)} if count else {})

    def _count(self, site: Site, job: Job) -> dict[str, int]:
        """Number of calls of each kind in a run in which none fails."""
        site.clear()
        place(site, job)
        path = site.root / "counts"
        site.presort(*job.words, env=self._settings(site.world, "", path))
        pairs = (line.split() for line in path.read_text().splitlines())
        return {name: int(count) for name, count in pairs}

    @staticmethod
    def _outputs(site: Site, job: Job, status: int) -> list[Finding]:
        path = site.folder / job.output
        if job.check is None:
            return []
        if not path.exists():
            return [Finding("lost", f"exit status 0 without {job.output}")] if status == 0 else []
        wrong = job.check(site, path)
        return [Finding("broken" if status == 0 else "torn", wrong)] if wrong else []


ATTACKS: list[Attack] = [AllocationAttack()]
