"""Two processes that write one output at the same time: it is the one's or the other's, whole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import outputs
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site

OTHER = "cascade-lake-vm"
REPORTS = ("summary.txt", "report.html", "result.jsonl", "validate.json")


def _validate(machine: str) -> list[str]:
    return ["validate", "-m", machine, "--model", "--replay", "r.jsonl", "-o", "out", "-q"]


def _tune(buckets: str) -> list[str]:
    return [
        "tune",
        "-m",
        MACHINE,
        "-n",
        "2^16",
        "-b",
        buckets,
        "--model-only",
        "-q",
        "-o",
        "t.yaml",
    ]


def _record(buckets: str) -> list[str]:
    return ["simulate", "-m", MACHINE, "-n", "2^12", "-b", buckets, "--full", "-q", "--record",
            "t.presort"]  # fmt: skip


def mixed(site: Site) -> list[Finding]:
    """Whether the files of a result folder are of different machines."""
    machines = set()
    for name in REPORTS:
        path = site.folder / "out" / name
        if not path.exists():
            return [Finding("lost", f"{name} is not there")]
        text = path.read_text(errors="replace")
        of = frozenset(
            machine for machine in (MACHINE, OTHER) if re.search(rf"\b{machine}\b", text)
        )
        machines |= {of} if of else set()
    if len(machines) > 1:
        return [Finding("mixed", f"files of {sorted(map(sorted, machines))} in one folder")]
    wrong = outputs.result_folder(site, site.folder / "out")
    return [Finding("torn", wrong)] if wrong else []


def of_one_problem(site: Site) -> list[Finding]:
    """Whether a tuned file is whole."""
    wrong = outputs.tuned_file(site, site.folder / "t.yaml")
    return [Finding("torn", wrong)] if wrong else []


def of_one_trace(site: Site) -> list[Finding]:
    """Whether a trace is whole."""
    outcome = site.presort("simulate", "-m", MACHINE, "--trace", "t.presort", "--functional", "-q",
                           "--json")  # fmt: skip
    if outcome.status != 0:
        return [Finding("torn", outcome.message()[-150:])]
    json.loads(outcome.stdout)
    return []


@dataclass(frozen=True)
class Job:
    """Commands that are started at the same time, and what is asked of their output."""

    name: str
    commands: list[list[str]]
    check: Callable[[Site], list[Finding]]
    busy: frozenset[int] = frozenset({0})  # statuses; 2 or 3 where the output may be locked


JOBS = [
    Job("validate", [_validate(MACHINE), _validate(OTHER)], mixed, frozenset({0, 2, 3})),
    Job("tune", [_tune("2^8..2^12"), _tune("2^14"), _tune("2^8,2^20")], of_one_problem),
    Job("record", [_record("2^8"), _record("2^10")], of_one_trace),
]


class WriterAttack(Attack):
    """Several processes, one output."""

    name = "writers"
    about = "two processes with one output"

    def count(self, site: Site) -> int:
        return len(site.commands)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        job = JOBS[index % len(JOBS)]
        site.copy(site.world.seeds / "replay" / "r.jsonl")
        order = draw.sample(job.commands, len(job.commands))
        running = [site.start([str(site.world.presort), *words]) for words in order]
        outcomes = [process.wait(site.world.patience()) for process in running]
        found = [finding for outcome in outcomes
                 for finding in judge(outcome, Expected(codes=job.busy))]  # fmt: skip
        if not found and not any(outcome.status == 0 for outcome in outcomes):
            found = [Finding("lost", "none of the processes wrote its output")]
        found += job.check(site)
        if left := outputs.temporaries(site.folder):
            found.append(Finding("left", left[0]))
        return [Finding(f.verdict, f"{job.name}: {f.detail}", f"{job.name} {f.verdict}")
                for f in found]  # fmt: skip


ATTACKS: list[Attack] = [WriterAttack()]
