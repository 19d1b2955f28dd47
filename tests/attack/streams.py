"""Standard streams that are closed, full or read by nobody, with every subcommand."""

from __future__ import annotations

import itertools
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import outputs
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site, World

SMALL = ["-n", "2^10", "-b", "2^8"]
WRITTEN = ("closed", "full", "pipe", "plain")
CANNOT_WRITE = 3


@dataclass(frozen=True)
class Job:
    """A command, what it leaves, and how that is checked."""

    name: str
    words: list[str]
    seed: str = ""  # input file
    output: str = ""
    check: Callable[[Site, Path], str] | None = None
    status: int = 0  # exit status when all streams are good
    talks: bool = True  # prints to stdout


SIMULATE = ["simulate", "-m", MACHINE]
TRACE = [*SIMULATE, "--trace", "loop.csv"]
TUNE = ["tune", "-m", MACHINE, *SMALL, "-o", "t.yaml"]
VALIDATE = ["validate", "-m", MACHINE, "-o", "out", "--replay"]
COMPARE = ["compare", "-m", MACHINE, *SMALL, "--model-only", "--plot", "p.svg", "--set"]
FIT = ["fit", "-m", MACHINE, "--cells", "none", "--matrix", "memlat.txt"]

JOBS = [
    Job("version", ["--version"]),
    Job("help", ["tune", "-h"]),
    Job("machines", ["machines"]),
    Job("machines --json", ["machines", "--json"]),
    Job("simulate", [*SIMULATE, *SMALL]),
    Job("simulate --json", [*SIMULATE, *SMALL, "--json"]),
    Job("simulate --interval", [*TRACE, "--interval", "2"], "trace/loop.csv"),
    Job(
        "simulate --record",
        [*SIMULATE, *SMALL, "--full", "--record", "r.presort"],
        output="r.presort",
        check=outputs.trace_file,
    ),
    Job(
        "record of a trace",
        [*TRACE, "--record", "r.presort"],
        "trace/loop.csv",
        "r.presort",
        outputs.trace_file,
    ),
    Job("tune", [*TUNE, "--model-only"], output="t.yaml", check=outputs.tuned_file),
    Job("tune --json", [*TUNE, "--json"], output="t.yaml", check=outputs.tuned_file),
    Job("run", ["run", *SMALL, "--reps", "1"]),
    Job("run --json", ["run", *SMALL, "--reps", "1", "--json", "--check"]),
    Job(
        "validate",
        [*VALIDATE, "r.jsonl", "--model"],
        "replay/r.jsonl",
        "out",
        outputs.result_folder,
    ),
    Job(
        "validate --loops",
        [*VALIDATE, "l.jsonl", "--loops"],
        "loops/l.jsonl",
        "out",
        outputs.result_folder,
    ),
    Job("compare", [*COMPARE, "memory.latency=90ns"], output="p.svg", check=outputs.svg_file),
    Job("fit", FIT, "matrix/memlat.txt"),
    Job("usage", ["tune", "--no-such-option"], status=2, talks=False),
    Job("bad file", ["machines", "-m", "nope.yaml"], status=2, talks=False),
]
JOBS = [job for job in JOBS if shutil.which("gnuplot") or "--plot" not in job.words]
CASES = list(itertools.product(range(len(JOBS)), ("plain", "closed"), WRITTEN, WRITTEN))


def allowed_codes(job: Job, stdout: str) -> frozenset[int]:
    """Output that cannot be written is exit status 3; who closed stdout asked for nothing."""
    if not job.talks or stdout == "plain":
        return frozenset({job.status})
    if stdout == "closed":
        return frozenset({job.status, CANNOT_WRITE})
    return frozenset({CANNOT_WRITE, -signal.SIGPIPE} if stdout == "pipe" else {CANNOT_WRITE})


class StreamAttack(Attack):
    """One command with one kind of each stream."""

    name = "streams"
    about = "standard streams closed, full or unread, with every subcommand"

    def size(self, world: World) -> int:
        return len(CASES)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        number, stdin, stdout, stderr = CASES[index]
        job = JOBS[number]
        if job.seed:
            site.copy(site.world.seeds / job.seed)
        inputs = {path: path.read_bytes() for path in site.folder.iterdir()}
        outcome = site.presort(*job.words, streams=(stdin, stdout, stderr))
        where = f"{job.name} <{stdin} >{stdout} 2>{stderr}"
        site.commands[-1] += f"  # <{stdin} >{stdout} 2>{stderr}"
        codes = allowed_codes(job, stdout)
        found: list[Finding] = []
        if outcome.status not in codes:
            ended = f"ended with {outcome.status}, expected one of {sorted(codes)}"
            verdict = "signal" if outcome.status < 0 else "status"
            found.append(
                Finding(verdict, f"{where}: {ended}", f"ended with {outcome.status}, 2>{stderr}")
            )
        elif outcome.status >= 0:
            json = "--json" in job.words and stdout == "plain"
            expected = Expected(codes=codes, json=json, silent=stderr != "plain")
            found += judge(outcome, expected)
        found += self._outputs(site, job, outcome.status, where)
        changed = [path.name for path, content in inputs.items() if path.read_bytes() != content]
        return found + [Finding("overwrote", f"{where}: {name}") for name in changed]

    @staticmethod
    def _outputs(site: Site, job: Job, status: int, where: str) -> list[Finding]:
        """What is wrong with what the command left."""
        if job.check is None:
            return []
        path = site.folder / job.output
        if not path.exists():
            lost = status == 0 or where.endswith(">plain 2>full") or ">plain" in where
            return (
                [Finding("lost", f"{where}: {job.output} is not there", job.name)] if lost else []
            )
        wrong = job.check(site, path)
        return [Finding("broken", f"{where}: {wrong}", job.name)] if wrong else []


ATTACKS: list[Attack] = [StreamAttack()]
