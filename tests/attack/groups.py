"""Control groups: little memory, few processes. A command asks what is there before it takes it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from random import Random

from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site, World

ROOT = Path("/sys/fs/cgroup")
MIB = 1 << 20


@dataclass(frozen=True)
class Limit:
    """A limit of a control group: the controller, its files in versions 1 and 2, the value."""

    controller: str
    file_1: str
    file_2: str
    value: int

    def __str__(self) -> str:
        unit = f"{self.value // MIB} MiB" if self.controller == "memory" else f"{self.value}"
        return f"{self.controller} {unit}"


def memory(mib: int) -> Limit:
    """So much memory for all processes of a group."""
    return Limit("memory", "memory.limit_in_bytes", "memory.max", mib * MIB)


def processes(most: int) -> Limit:
    """So many processes and threads."""
    return Limit("pids", "pids.max", "pids.max", most)


RUN = ["run", "-b", "2^16", "--reps", "1", "-q", "-n"]
TUNE = ["tune", "-m", MACHINE, "-n", "2^12", "-b", "2^8", "-q", "-o", "t.yaml"]
VALIDATE = ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out", "-q"]
THREADED = [*RUN, "2^16", "--plan", "threads=2,sortBits=4"]

CASES: list[tuple[Limit, list[str]]] = [
    *[(memory(mib), [*RUN, n, *plan])
      for mib in (64, 100, 200, 400)
      for n in ("2^20", "2^22", "2^24", "2^25", "2^26", "2^28")
      for plan in ([], ["--plan", "sortBits=6"], ["--check"])],
    *[(processes(most), words) for most in (1, 2, 3) for words in (TUNE, VALIDATE, THREADED)],
]  # fmt: skip


def folder_of(limit: Limit, name: str) -> tuple[Path, str]:
    """Where a group with such a limit would be, and the file of the limit."""
    if (ROOT / limit.controller).is_dir():
        return ROOT / limit.controller / name, limit.file_1
    unified = ROOT / "unified" if (ROOT / "unified").is_dir() else ROOT
    return unified / name, limit.file_2


class GroupAttack(Attack):
    """One command in a control group with one limit."""

    name = "groups"
    about = "control groups with little memory or few processes"
    share = 0.5

    def missing(self, world: World) -> str:
        if world.sanitized:
            return "sanitizers take more memory"
        for limit in (memory(64), processes(1)):
            folder, file = folder_of(limit, f"presort-attack-{os.getpid()}")
            try:
                folder.mkdir()
                (folder / file).write_text(str(limit.value))
            except OSError as error:
                return f"no control group can be made: {error}"
            finally:
                if folder.is_dir():
                    folder.rmdir()
        return ""

    def size(self, world: World) -> int:
        return len(CASES)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        limit, words = CASES[index]
        site.copy(site.world.seeds / "replay" / "r.jsonl")
        folder, file = folder_of(limit, f"presort-attack-{os.getpid()}")
        folder.mkdir()
        try:
            (folder / file).write_text(str(limit.value))
            script = f'echo $$ >{folder}/cgroup.procs && exec "$@"'
            command = [str(site.world.presort), *words]
            running = site.start(["/bin/sh", "-c", script, "sh", *command])
            outcome = running.wait(site.world.patience())
        finally:
            folder.rmdir()
        site.commands[-1] = f"{' '.join(command)}  # in a group of {limit}"
        return [Finding(f.verdict, f"{words[0]} {words[-1]} in a group of {limit}: {f.detail}",
                        f"{words[0]} {limit.controller}")
                for f in judge(outcome, Expected())]  # fmt: skip


ATTACKS: list[Attack] = [GroupAttack()]
