"""Every system call of short commands failing in turn, by strace.

An error is injected into the n-th call of a name, for each name and each n. A command may then
refuse or go on; it must not claim success with an output that is not the one of a good run.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import outputs
from attack import Attack
from corpus import MACHINE
from determinism import difference, without_times
from findings import Finding
from judge import LOADER_STATUS, Expected, judge
from process import ADDRESS_BYTES, Outcome
from world import Site, World

# The likely errors of each system call; calls that are not listed fail with EIO.
ERRORS = {
    "openat": ["EMFILE", "EACCES"], "mmap": ["ENOMEM"], "mprotect": ["ENOMEM"],
    "write": ["ENOSPC", "EPIPE"], "pwrite64": ["ENOSPC"], "clone3": ["EAGAIN"], "clone": ["EAGAIN"],
    "vfork": ["EAGAIN"], "fork": ["EAGAIN"], "pipe2": ["EMFILE"], "pipe": ["EMFILE"],
    "wait4": ["ECHILD", "EINTR"], "mkdir": ["EACCES", "ENOSPC"], "rename": ["EIO", "EXDEV"],
    "fallocate": ["ENOSPC"], "ftruncate": ["ENOSPC"], "sched_setaffinity": ["EINVAL"],
    "madvise": ["EINVAL"], "getrandom": ["EAGAIN"], "read": ["EIO", "EINTR"], "dup2": ["EMFILE"],
    "execve": ["ENOENT", "EACCES"], "fcntl": ["EMFILE"], "socket": ["EMFILE"],
}  # fmt: skip
# System calls that are never made to fail: those that end processes and threads, and those that no
# program can do without. A failing brk returns the old break and no error, which strace cannot do;
# allocations.py refuses memory instead.
EXCLUDED = {"brk", "exit", "exit_group", "futex", "rt_sigreturn", "arch_prctl", "set_tid_address",
            "rseq", "set_robust_list", "restart_syscall", "munmap"}  # fmt: skip
CALL = re.compile(r"^(\d+) +(\w+)\(")
FEW_CALLS = 8
TRACER = ["strace", "-f", "-qq", "-e", "signal=none"]


@dataclass(frozen=True)
class Job:
    """A short command, its inputs and its outputs."""

    name: str
    words: list[str]
    seeds: list[str]
    output: str
    check: Callable[[Site, Path], str] | None
    repeatable: bool = True  # its JSON is the same each time


SMALL = ["-n", "2^10", "-b", "2^8", "-q", "--json"]
JOBS = [
    Job("tune", ["tune", "-m", "m.yaml", *SMALL, "-o", "t.yaml"], ["machine/machine_small.yaml"],
        "t.yaml", outputs.tuned_file),
    Job("validate", ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out", "-q",
                     "--json"], ["replay/r.jsonl"], "out", outputs.result_folder),
    Job("run", ["run", *SMALL, "--reps", "1", "--check", "--plan", "threads=2,sortBits=3"], [], "",
        None, False),
    Job("simulate", ["simulate", "-m", MACHINE, *SMALL, "--full", "--record", "r.presort"], [],
        "r.presort", outputs.trace_file),
]  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """One error in one call."""

    job: int
    call: str
    error: str
    number: int  # counts from 1, in each process and thread of its own


def place(site: Site, job: Job) -> None:
    """Copies the inputs of a job."""
    for seed in job.seeds:
        site.copy(site.world.seeds / seed, "m.yaml" if seed.startswith("machine/") else None)


def calls_of(site: Site, job: Job) -> Counter[str]:
    """How often a job makes each system call; in child processes the first few are enough."""
    site.clear()
    place(site, job)
    log = site.root / "calls"
    words = [*TRACER, "-o", str(log), str(site.world.presort), *job.words]
    site.start(words, address_bytes=None).wait(site.world.patience() * 5)
    counts: Counter[tuple[str, str]] = Counter()
    first = ""
    for line in log.read_text(errors="replace").splitlines():
        if match := CALL.match(line):
            first = first or match[1]
            counts[match[1], match[2]] += 1
    most: Counter[str] = Counter()
    for (process, call), count in counts.items():
        most[call] = max(most[call], count if process == first else min(count, FEW_CALLS))
    return most


# A command that prints the version: nearly all of its system calls come from loading the program.
LOADED = Job("version", ["version"], [], "", None)


def faults(world: World, root: Path) -> list[Fault]:
    """Every fault of every job."""
    found = []
    # A dynamic loader whose memory is refused may end by a signal, before main.
    first = {"execve": 2, "mmap": 1 + calls_of(Site(world, root), LOADED)["mmap"]}
    for number, job in enumerate(JOBS):
        for call, count in sorted(calls_of(Site(world, root), job).items()):
            for error in ERRORS.get(call, ["EIO"]) if call not in EXCLUDED else []:
                begin = first.get(call, 1)  # the first execve is strace's own
                found += [Fault(number, call, error, n) for n in range(begin, count + 1)]
    return found


def without_plots(document: object) -> object:
    """The document of a validation whose list of files has no drawings."""
    if not isinstance(document, dict) or "files" not in document:
        return document
    return document | {"files": [name for name in document["files"] if not name.endswith(".svg")]}


@cache
def can_trace() -> bool:
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    words = ["strace", "-qq", "-e", "trace=none", "true"]
    return subprocess.run(words, capture_output=True).returncode == 0


class FaultAttack(Attack):
    """One error in one system call of one command."""

    name = "faults"
    about = "every system call of short commands failing in turn"
    share = 2.0

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._good: dict[int, object] = {}  # the documents of good runs

    def missing(self, world: World) -> str:
        if world.sanitized:
            return "sanitizers do not bear failing system calls"
        return "" if can_trace() else "strace is missing or may not trace"

    def size(self, world: World) -> int:
        if not self._faults:
            self._faults = faults(world, world.seeds.parent / "counting")
        return len(self._faults)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        fault = self._faults[index]
        job = JOBS[fault.job]
        if fault.job not in self._good:
            self._good[fault.job] = self._good_run(site, job)
        site.clear()
        place(site, job)
        inject = f"inject={fault.call}:error={fault.error}:when={fault.number}"
        words = [*TRACER, "-e", f"trace={fault.call}", "-e", inject, "-o", "/dev/null"]
        running = site.start([*words, str(site.world.presort), *job.words],
                             address_bytes=2 * ADDRESS_BYTES)  # fmt: skip
        outcome = running.wait(site.world.patience() * 2)
        where = f"{job.name}, {fault.call} number {fault.number} fails with {fault.error}"
        found = self._judge(site, job, fault, outcome)
        cause = f"{job.name} {fault.call} {fault.error}"
        return [Finding(f.verdict, f"{where}: {f.detail}", f"{cause} {f.cause}") for f in found]

    @staticmethod
    def _good_run(site: Site, job: Job) -> object:
        site.clear()
        place(site, job)
        return without_times(json.loads(site.presort(*job.words).stdout))

    def _judge(self, site: Site, job: Job, fault: Fault, outcome: Outcome) -> list[Finding]:
        if outcome.status == LOADER_STATUS:
            return []
        if fault.call == "close" and outcome.timed_out:
            return []  # a failing close closes; strace leaves the pipe of a child process open
        silent = fault.call in ("write", "writev")  # it may have been the message
        found = judge(outcome, Expected(json=fault.call not in ("write",), silent=silent))
        found = [f for f in found if f.verdict not in ("vague", "cryptic")]
        path = site.folder / job.output
        if job.check and path.exists() and (wrong := job.check(site, path)):
            verdict = "broken" if outcome.status == 0 else "torn"
            found.append(Finding(verdict, wrong))
        if outcome.status != 0 or found:
            return found
        if job.check and not path.exists():
            return [Finding("lost", f"exit status 0, but {job.output} is not there")]
        if job.repeatable:
            return self._compare(fault, outcome)
        return []

    def _compare(self, fault: Fault, outcome: Outcome) -> list[Finding]:
        """What a run that claims success printed, beside a good run."""
        try:
            document = without_times(json.loads(outcome.stdout))
        except ValueError as error:
            return [Finding("broken", f"exit status 0, but stdout is no JSON: {error}")]
        good = self._good[fault.job]
        # Plots may be missing, with a warning; the failed write may be that warning.
        if b"no plots" in outcome.stderr or fault.call == "write":
            good, document = without_plots(good), without_plots(document)
        where = difference(good, document, tolerance=1e-4)
        return [Finding("broken", f"exit status 0, but {where}")] if where else []


ATTACKS: list[Attack] = [FaultAttack()]
