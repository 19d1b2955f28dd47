"""Temporary files: names that nobody can guess, in a folder of one's own, and modes that stay."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from random import Random

import faults
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site, World

VALIDATE = ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o", "out", "-q"]
COMPARE = ["compare", "-m", MACHINE, "--set", "memory.latency=90ns", "-n", "2^10", "-b", "2^8,2^10",
           "--model-only", "-q", "--plot", "p.svg"]  # fmt: skip
FIT = ["fit", "-m", MACHINE, "--matrix", "memlat.txt", "--cells", "none", "-q", "--plot", "p.svg"]
COMMANDS = [VALIDATE, COMPARE, FIT]
MADE = re.compile(r'^(\d+) +(?:openat\([^,]*, |open\(|mkdir\(|mkdirat\([^,]*, )"([^"]+)"(.*)')
NOBODY = 65534
GUESSES = 4000  # process numbers ahead


class TemporaryAttack(Attack):
    """One way to meet the temporary files of one command."""

    name = "temporary"
    about = "temporary files: guessable names, links in their place, modes"

    def size(self, world: World) -> int:
        return 3 * len(COMMANDS)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        words = COMMANDS[index // 3]
        for seed in ("replay/r.jsonl", "matrix/memlat.txt"):
            site.copy(site.world.seeds / seed)
        return (self._guess, self._links, self._modes)[index % 3](site, words)

    @staticmethod
    def _names(site: Site, words: list[str]) -> set[str]:
        """What is made in TMPDIR outside a private folder; the process's number is PID."""
        log = site.root / "made"
        tracer = [
            *faults.TRACER,
            "-s",
            "4096",
            "-e",
            "trace=openat,open,mkdir,mkdirat",
            "-o",
            str(log),
        ]
        site.start([*tracer, str(site.world.presort), *words], address_bytes=None).wait(60)
        names, private = set(), set()
        for line in log.read_text(errors="replace").splitlines():
            match = MADE.match(line)
            if not match or not match[2].startswith(str(site.temporary)):
                continue
            pid, path, rest = match.groups()
            name = path.removeprefix(f"{site.temporary}/").split("/")[0]
            if "0700" in rest:
                private.add(name)
            elif name not in private and "O_CREAT" in rest:
                names.add(name)
        pids = {line.split(" ", 1)[0] for line in log.read_text(errors="replace").splitlines()}
        return {re.sub(r"\d+", lambda n: "PID" if n[0] in pids else n[0], name) for name in names}

    def _guess(self, site: Site, words: list[str]) -> list[Finding]:
        """Finds temporary names that are the same in two runs, but for the process number."""
        if not faults.can_trace():
            return []
        same = self._names(site, words) & self._names(site, words)
        return [Finding("predictable", f"{words[0]}: {name} in TMPDIR") for name in sorted(same)]

    @staticmethod
    def _links(site: Site, words: list[str]) -> list[Finding]:
        """Links to a victim under the names that presort has had, for the processes to come."""
        victim = site.write("victim", "precious\n")
        for pid in range(os.getpid(), os.getpid() + GUESSES):
            (site.temporary / f"presort-{pid}.gnuplot").symlink_to(victim)
        found = judge(site.presort(*words), Expected())
        if not victim.exists() or victim.read_text() != "precious\n":
            found.append(
                Finding("overwrote", f"{words[0]}: a file that a link in TMPDIR points to")
            )
        return found

    @staticmethod
    def _modes(site: Site, words: list[str]) -> list[Finding]:
        """A file of another user that is replaced does not hand its mode on."""
        if os.geteuid() != 0:
            return []
        path: Path = site.write("t.yaml", "old\n")
        os.chown(path, NOBODY, NOBODY)
        path.chmod(0o6777)
        site.presort("tune", "-m", MACHINE, "-n", "2^10", "-b", "2^8", "--model-only", "-q", "-o",
                     "t.yaml")  # fmt: skip
        status = path.stat()
        if status.st_uid == 0 and stat.S_IMODE(status.st_mode) & 0o6022:
            mode = oct(stat.S_IMODE(status.st_mode))
            return [Finding("overwrote", f"a file of root has the mode of another user's: {mode}")]
        return []


ATTACKS: list[Attack] = [TemporaryAttack()]
