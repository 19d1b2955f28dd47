"""Runs cases of many kinds at the same time, each kind for its share of the time."""

from __future__ import annotations

import shutil
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import current_process, get_context
from pathlib import Path

from attack import Attack, generator
from findings import Finding, Found
from report import Report
from world import Site, World

LONGEST_CASE_SECONDS = 900.0


@dataclass(frozen=True)
class Plan:
    """What to run."""

    seed: int
    jobs: int
    seconds: float | None  # total; None: `cases` of each kind
    cases: int | None
    first: int | None  # cases in order from this one; None: in an order that the seed gives


@dataclass(frozen=True)
class CaseResult:
    """What became of one case."""

    kind: str
    index: int
    count: int  # inputs or processes
    seconds: float
    found: list[Found]


@dataclass
class _Queue:
    """The cases of one kind that are still to be run."""

    attack: Attack
    numbers: Iterator[int]
    spent: float = 0.0  # seconds spent, with those that running cases are expected to take
    cases: int = 0
    running: int = 0
    done: bool = field(default=False)

    def expected(self) -> float:
        """Seconds that a case is likely to take."""
        return self.spent / self.cases if self.cases else 0.1


_world: World | None = None
_attacks: dict[str, Attack] = {}
_root: Path | None = None


def _start_worker(world: World, attacks: list[Attack], work: Path) -> None:
    """Runs in each worker before its first case."""
    global _world, _root
    _world = world
    _attacks.update({attack.name: attack for attack in attacks})
    _root = work / f"worker-{current_process().pid}"


def _run_case(kind: str, seed: int, index: int, kept: Path) -> CaseResult:
    """Runs in a worker."""
    assert _world is not None and _root is not None
    site = Site(_world, _root)
    attack = _attacks[kind]
    begin = time.monotonic()
    try:
        findings = attack.run(site, generator(kind, seed, index), index)
    except Exception:  # a mistake of ours, or output that no check expected
        lines = traceback.format_exc().strip().splitlines()
        findings = [Finding("broken", f"the attack failed: {lines[-1]} {lines[-3].strip()}")]
    if canaries := site.canaries():
        findings = [Finding("ran", f"{canaries[0].name} was made"), *findings]
    seconds = time.monotonic() - begin
    count = attack.count(site)
    folder = ""
    if findings:
        folder = str(kept / f"{kind}-{seed}-{index}")
        shutil.copytree(site.folder, folder, symlinks=True, dirs_exist_ok=True)
    command = site.commands[-1] if site.commands else ""
    found = [Found(kind, seed, index, finding, command, folder) for finding in findings]
    return CaseResult(kind, index, count, seconds, found)


def _order(attack: Attack, world: World, plan: Plan) -> Iterator[int]:
    """The numbers of an attack's cases."""
    size = attack.size(world)
    begin = plan.first or 0
    if size is None:
        last = begin + plan.cases if plan.cases is not None else 1 << 62
        return iter(range(begin, last))
    numbers = list(range(begin, size))
    if plan.first is None:
        generator(attack.name, plan.seed, -1).shuffle(numbers)
    return iter(numbers[: plan.cases])


def _next_case(queues: list[_Queue]) -> tuple[_Queue, int] | None:
    """The next case: of the kind that has had the least time for its share."""
    waiting = [queue for queue in queues if not queue.done]
    for queue in sorted(waiting, key=lambda queue: queue.spent / queue.attack.share):
        index = next(queue.numbers, None)
        if index is not None:
            return queue, index
        queue.done = True
    return None


def attack_all(world: World, attacks: list[Attack], plan: Plan, work: Path, report: Report) -> None:
    """Runs the attacks and hands every result to the report."""
    queues = [_Queue(attack, _order(attack, world, plan)) for attack in attacks]
    end = None if plan.seconds is None else time.monotonic() + plan.seconds
    pool = ProcessPoolExecutor(
        plan.jobs, get_context("fork"), _start_worker, (world, attacks, work)
    )
    running: dict[Future[CaseResult], tuple[_Queue, float]] = {}
    with pool:
        while True:
            while len(running) < plan.jobs and (end is None or time.monotonic() < end):
                case = _next_case(queues)
                if case is None:
                    break
                queue, index = case
                estimate = queue.expected()
                queue.spent += estimate
                queue.cases += 1
                kept = work / "kept"
                future = pool.submit(_run_case, queue.attack.name, plan.seed, index, kept)
                running[future] = (queue, estimate)
            if not running:
                return
            done, _ = wait(running, LONGEST_CASE_SECONDS, FIRST_COMPLETED)
            for future in done:
                queue, estimate = running.pop(future)
                result = future.result()
                queue.spent += result.seconds - estimate
                report.add(result)
