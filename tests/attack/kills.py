"""SIGKILL, SIGINT, SIGTERM at a random moment: outputs stay whole, the next run tidies up."""

from __future__ import annotations

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
from process import Outcome, crowding
from world import Site

INTERRUPTED = 130
LATE_SECONDS = 5.0  # most seconds from a signal to the end; work checks for signals every second
START_SECONDS = 0.1  # seconds until a process can take signals, on a busy machine
SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM]


@dataclass(frozen=True)
class Job:
    """A command with an output."""

    name: str
    words: list[str]
    seeds: list[str]
    output: str
    check: Callable[[Site, Path], str]
    before: list[str]  # words that leave another good output first; [] leaves none
    share: int = 4


VALIDATE = ["validate", "-m", MACHINE, "--model", "-o", "out", "-q", "--replay"]
TUNE = ["tune", "-m", MACHINE, "--model-only", "-q", "-o", "t.yaml"]
SIMULATE = ["simulate", "-m", MACHINE, "-q", "--record", "r.presort"]
COMPARE = ["compare", "-m", MACHINE, "--model-only", "-q", "--plot", "p.svg", "-b", "2^8,2^10"]

JOBS = [
    Job("tune", [*TUNE, "-n", "2^16", "-b", "2^8..2^14", "--dist", "uniform,zipf:1"], [], "t.yaml",
        outputs.tuned_file, [*TUNE, "-n", "2^10", "-b", "2^8"]),
    Job("record", [*SIMULATE, "-n", "2^14", "-b", "2^10", "--full"], [], "r.presort",
        outputs.trace_file, [*SIMULATE, "-n", "2^8", "-b", "2^4", "--full"]),
    Job("record of a trace", [*SIMULATE, "--trace", "sorted.presort"], ["trace/sorted.presort"],
        "r.presort", outputs.trace_file, [*SIMULATE, "-n", "2^8", "-b", "2^4", "--full"]),
    Job("validate", [*VALIDATE, "r.jsonl"], ["replay/r.jsonl"], "out", outputs.result_folder,
        [*VALIDATE, "r.jsonl"]),
    Job("validate --loops", ["validate", "--loops", "-m", MACHINE, "-o", "out", "-q", "--replay",
                             "l.jsonl"], ["loops/l.jsonl"], "out", outputs.result_folder, []),
    Job("compare", [*COMPARE, "-n", "2^14", "--set", "memory.latency=90ns,95ns"], [], "p.svg",
        outputs.svg_file, [*COMPARE, "-n", "2^10", "--set", "memory.latency=90ns"]),
    Job("probe", ["probe", "--quick", "-q", "-o", "m.yaml"], ["machine/machine_small.yaml"],
        "m.yaml", outputs.machine_file, [], 1),
    Job("run", ["run", "-n", "2^22", "-b", "2^16", "--reps", "50", "-q", "--json"], [], "",
        lambda _site, _path: "", [], 2),
]  # fmt: skip


@dataclass
class Good:
    """What a job takes and leaves when nobody interrupts it."""

    seconds: float
    before: Path | None  # the other output, kept for the cases that follow


class KillAttack(Attack):
    """One command killed once."""

    name = "kills"
    about = "signals at random moments; outputs whole, leftovers removed"
    share = 3.0

    def __init__(self) -> None:
        self._good: dict[str, Good] = {}

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        jobs = [job for job in JOBS if shutil.which("gnuplot") or "--plot" not in job.words]
        job = draw.choices(jobs, [job.share for job in jobs])[0]
        if job.name not in self._good:
            self._good[job.name] = self._learn(site, job)
        good = self._good[job.name]
        site.clear()
        self._place(site, job)
        path = site.folder / job.output
        old = draw.random() < 0.7 and good.before is not None
        if old:
            copy(good.before, path)
        before = content(path)
        sent = draw.choice(SIGNALS)
        delay = draw.uniform(0, 1.1 * good.seconds)
        outcome, late = self._kill(site, job, sent, delay)
        where = f"{job.name}, {sent.name} after {delay:.3f} s"
        site.commands[-1] += f"  # {sent.name} after {delay:.3f} s"
        found = self._end(outcome, sent, late) + self._output(site, job, before, outcome, sent)
        found += self._leftovers(site, job, sent)
        cause = f"{job.name} {'SIGKILL' if sent == signal.SIGKILL else 'interrupt'}"
        return [Finding(f.verdict, f"{where}: {f.detail}", f"{cause} {f.cause}") for f in found]

    @staticmethod
    def _place(site: Site, job: Job) -> None:
        for seed in job.seeds:
            site.copy(site.world.seeds / seed, "m.yaml" if job.name == "probe" else None)

    def _learn(self, site: Site, job: Job) -> Good:
        """Runs the job to its end, and what comes before it."""
        site.clear()
        self._place(site, job)
        kept = None
        if job.before:
            site.presort(*job.before)
            kept = site.root / f"before-{job.name}" / job.output
            kept.parent.mkdir(exist_ok=True)
            copy(site.folder / job.output, kept)
        elif job.name == "probe":
            kept = site.world.seeds / job.seeds[0]
        return Good(site.presort(*job.words, timeout=120).seconds, kept)

    @staticmethod
    def _kill(site: Site, job: Job, sent: signal.Signals, delay: float) -> tuple[Outcome, float]:
        """How it ended, and how long after the signal."""
        running = site.start([str(site.world.presort), *job.words])
        if not running.ended(delay):
            running.signal(sent)
        outcome = running.wait(site.world.patience())
        return outcome, outcome.seconds - delay

    @staticmethod
    def _end(outcome: Outcome, sent: signal.Signals, late: float) -> list[Finding]:
        """What is wrong with how it ended."""
        if outcome.status == -sent and (sent == signal.SIGKILL or outcome.seconds < START_SECONDS):
            return []  # before main, there is nobody to take a signal
        expected = Expected(codes=frozenset({0, INTERRUPTED}), silent=True)
        found = judge(outcome, expected)
        if not found and sent != signal.SIGKILL and late > LATE_SECONDS * crowding():
            found = [Finding("slow", f"{late:.1f} s from the signal to the end")]
        return found

    @staticmethod
    def _output(
        site: Site, job: Job, before: dict[str, bytes], outcome: Outcome, sent: signal.Signals
    ) -> list[Finding]:
        """What is wrong with the output: it is the old one, or a new one, whole."""
        path = site.folder / job.output
        after = content(path)
        if not job.output or after == before:
            stale = outcome.status == 0 and job.output and not after
            return [Finding("lost", "exit status 0 without an output")] if stale else []
        missing = sorted(set(before) - set(after))
        if missing:
            return [Finding("lost", f"{missing[0]} of the old output is gone", "gone")]
        # After a kill, all files of an output folder must be from the old result, or all from the
        # new; a mixture is "torn".
        if wrong := job.check(site, path):
            return [Finding("torn", wrong, re_cause(wrong))]
        # Incomplete output may replace nothing complete, except tune's, which keeps partial results
        # by design.
        partial = job.name == "probe" and b"complete: false" in after.get(job.output, b"")
        if partial and before:
            return [Finding("lost", "a complete file is replaced by an incomplete one", "partial")]
        return []

    def _leftovers(self, site: Site, job: Job, sent: signal.Signals) -> list[Finding]:
        """Temporary files that stay: after an interrupt none, after SIGKILL until the next run."""
        left = outputs.temporaries(site.folder) + outputs.temporaries(site.temporary)
        if sent == signal.SIGKILL and left:
            site.presort(*job.words, timeout=120)
            left = outputs.temporaries(site.folder)
        return [Finding("left", f"{left[0]} and {len(left) - 1} more", "left")] if left else []


def re_cause(wrong: str) -> str:
    """The cause of a torn output: what is wrong, without the file's name."""
    return wrong.split(" ", 1)[-1][:30]


def content(path: Path) -> dict[str, bytes]:
    """The files of an output by name, without temporary ones; nothing where there is none."""
    if path.is_dir():
        return {file.name: file.read_bytes() for file in path.iterdir()
                if file.is_file() and not outputs.TEMPORARY.search(file.name)}  # fmt: skip
    return {path.name: path.read_bytes()} if path.is_file() else {}


def copy(source: Path | None, target: Path) -> None:
    """Copies an output, a file or a folder."""
    if source is None:
        return
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)


ATTACKS: list[Attack] = [KillAttack()]
