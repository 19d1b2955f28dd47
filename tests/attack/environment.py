"""What surrounds a process: variables, limits on memory, files, threads, stack, and file sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import nasty
import outputs
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import LOADER_STATUS, Expected, judge
from world import CANARY, Site, World

SMALL = ["-n", "2^10", "-b", "2^8"]


@dataclass(frozen=True)
class Job:
    """A command, its input, and what it must not lose."""

    name: str
    words: list[str]
    output: str = ""
    check: Callable[[Site, Path], str] | None = None


JOBS = [
    Job("machines", ["machines"]),
    Job("simulate", ["simulate", "-m", MACHINE, *SMALL, "--full", "--record", "r.presort"],
        "r.presort", outputs.trace_file),
    Job("tune", ["tune", "-m", MACHINE, *SMALL, "-o", "t.yaml"], "t.yaml", outputs.tuned_file),
    Job("run", ["run", "-n", "2^16", "-b", "2^12", "--reps", "1", "--plan", "threads=2,sortBits=3",
                "--check"]),
    Job("validate", ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out"],
        "out", outputs.result_folder),
    Job("compare", ["compare", "-m", MACHINE, "--set", "memory.latency=90ns", *SMALL, "-b",
                    "2^8,2^10", "--model-only", "--plot", "p.svg"], "p.svg", outputs.svg_file),
]  # fmt: skip


def _file(site: Site) -> str:
    return str(site.write("a-file", ""))


def _missing(site: Site) -> str:
    return str(site.root / "no-such-folder")


def _hostile(text: str) -> Callable[[Site], str]:
    """A folder whose name a shell would run."""

    def make(site: Site) -> str:
        path = site.root / text.replace("/", "")
        path.mkdir(exist_ok=True)
        return str(path)

    return make


def _failing(script: str) -> Callable[[Site], str]:
    """A search path with a gnuplot of one's own."""

    def make(site: Site) -> str:
        path = site.write("bin/gnuplot", f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return f"{path.parent}:/usr/bin:/bin"

    return make


# Odd environments: (description, variable, its value).
VARIABLES: list[tuple[str, str, Callable[[Site], str]]] = [
    ("TMPDIR is missing", "TMPDIR", _missing),
    ("TMPDIR is a file", "TMPDIR", _file),
    ("TMPDIR is empty", "TMPDIR", lambda site: ""),
    ("TMPDIR cannot be written", "TMPDIR", lambda site: "/proc"),
    ("TMPDIR is full", "TMPDIR", lambda site: "/dev/full"),
    ("TMPDIR is long", "TMPDIR", lambda site: "/" + "a" * 5000),
    *[(f"TMPDIR is hostile: {text!r}", "TMPDIR", _hostile(text))
      for text in nasty.INJECTIONS if CANARY in text],
    ("PRESORT_DATA is missing", "PRESORT_DATA", _missing),
    ("PRESORT_DATA is a file", "PRESORT_DATA", _file),
    ("PRESORT_DATA is hostile", "PRESORT_DATA", lambda site: nasty.NAMES[0]),
    ("LC_ALL is unknown", "LC_ALL", lambda site: "xx_YY.UTF-99"),
    ("LC_ALL is C", "LC_ALL", lambda site: "C"),
    ("PATH is empty", "PATH", lambda site: ""),
    ("gnuplot fails", "PATH", _failing("exit 1")),
    ("gnuplot prints nothing", "PATH", _failing("exit 0")),
    ("gnuplot is killed", "PATH", _failing("kill -9 $$")),
    ("gnuplot reads nothing", "PATH", _failing("exec <&-; exec >&-; exit 0")),
    ("gnuplot prints noise", "PATH", _failing("head -c 100000 /dev/urandom")),
]  # fmt: skip

# Options of the shell's ulimit: limits of address space and stack in KiB, of open files, of a
# file's blocks.
LIMITS = [
    *[f"-v {mib * 1024}" for mib in (64, 80, 100, 128, 160, 200, 256, 400, 700)],
    *[f"-n {files}" for files in (3, 4, 5, 6, 8, 12)],
    *[f"-f {blocks}" for blocks in (0, 1, 2, 8)],
    *[f"-s {kib}" for kib in (256, 1024)],
    "-c 0 -d 20000",
]
CASES = [(job, variable, "") for job in range(len(JOBS)) for variable in range(len(VARIABLES))]
CASES += [(job, -1, limit) for job in range(len(JOBS)) for limit in LIMITS]


class EnvironmentAttack(Attack):
    """One command in one odd environment."""

    name = "environment"
    about = "odd variables, and limits on memory, files, stack"

    def size(self, world: World) -> int:
        return len(CASES)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        number, variable, limit = CASES[index]
        job = JOBS[number]
        site.copy(site.world.seeds / "replay" / "r.jsonl")
        words = [str(site.world.presort), *job.words, "-q"] if job.name != "machines" else [
            str(site.world.presort), *job.words]  # fmt: skip
        env: dict[str, str] = {}
        what = f"ulimit {limit}"
        if limit:
            if site.world.sanitized and "-v" in limit:
                return []
            words = ["/bin/sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *words]
        else:
            what, name, value = VARIABLES[variable]
            env = {name: value(site)}
        outcome = site.start(words, env=env).wait(site.world.patience())
        site.commands[-1] += f"  # {what}"
        if outcome.status == LOADER_STATUS and b"while loading" in outcome.stderr:
            return []
        # With a limit on file size, messages that go to a file are lost too.
        expected = Expected(codes=frozenset({0, 2, 3}), silent=limit.startswith("-f"))
        found = judge(outcome, expected) + self._output(site, job, outcome.status)
        found = [Finding("signal", f.detail) if f.verdict == "flood" else f for f in found]
        return [Finding(f.verdict, f"{job.name}, {what}: {f.detail}", f"{job.name}, {what[:16]}")
                for f in found]  # fmt: skip

    @staticmethod
    def _output(site: Site, job: Job, status: int) -> list[Finding]:
        """A result that is announced is there; one that is there is whole."""
        path = site.folder / job.output
        if job.check is None:
            return []
        if not path.exists():
            plot = job.output.endswith(".svg")  # may be left out, with a warning
            return [Finding("lost", f"no {job.output}")] if status == 0 and not plot else []
        if status == 0 and path.is_dir() and not (path / "summary.txt").exists():
            return [Finding("lost", "no summary.txt")]
        wrong = job.check(site, path)
        return [Finding("broken" if status == 0 else "torn", wrong)] if wrong else []


ATTACKS: list[Attack] = [EnvironmentAttack()]
