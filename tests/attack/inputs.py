"""Mutated inputs read by the readers themselves, many in one process (attack_inputs)."""

from __future__ import annotations

import shlex
import subprocess
from random import Random

from attack import Attack
from findings import VERDICTS, Finding
from process import Outcome
from world import Site, World

BATCH = 2000  # most inputs of a case
BATCH_SECONDS = 20.0  # seconds after which a case ends, however many inputs it had
KINDS = ["machine", "costs", "problem", "tuned", "grid", "replay", "loops", "matrix", "labels",
         "trace", "numbers", "plans", "settings", "options", "calls",
         "sizes"]  # fmt: skip


class InputAttack(Attack):
    """A batch of inputs of one kind."""

    share = 1.0

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self.name = f"in-{kind}"
        self.about = f"mutated {kind} in one process, {BATCH} a case"
        self._inputs = 0

    def missing(self, world: World) -> str:
        return "" if world.inputs else "no --inputs EXECUTABLE"

    def count(self, site: Site) -> int:
        return self._inputs

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        world = site.world
        seed = draw.getrandbits(32)
        words = [str(world.inputs), self._kind, str(seed)]
        rest = [str(BATCH), str(world.seeds), "--seconds", str(BATCH_SECONDS)]
        running = site.start([*words, *rest], address_bytes=None)
        outcome = running.wait(BATCH_SECONDS + 3 * world.patience())
        return self._read(world, words, outcome)

    def _read(self, world: World, words: list[str], outcome: Outcome) -> list[Finding]:
        """The findings that the process prints; see attack_inputs.cpp."""
        found = []
        self._inputs = 0
        for line in outcome.stdout.decode(errors="replace").splitlines():
            if line.startswith("DONE "):
                self._inputs = int(line.split()[1])
            elif line.startswith("FOUND "):
                _, count, first, rest = line.split(" ", 3)
                cause, _, detail = rest.partition("\t")
                verdict, _, what = cause.partition(": ")
                again = shlex.join([*words, "1", "SEEDS", "--first", first, "--show"])
                verdict = verdict if verdict in VERDICTS else "signal"
                report = _sanitizer_report(outcome) if verdict in ("sanitizer", "signal") else ""
                text = f"{what}: {detail} {report}({count} of this batch; {again})"
                found.append(Finding(verdict, text, f"{self._kind} {what}"))
        if self._inputs == 0 and not found:
            found.append(Finding("broken", f"attack_inputs said {outcome.message()[-200:]!r}"))
        return found


def _sanitizer_report(outcome: Outcome) -> str:
    """The first line of what a sanitizer said."""
    for line in outcome.message().splitlines():
        if "Sanitizer" in line or "runtime error" in line:
            return line.strip()[:200] + " "
    return ""


def kinds_of(world: World) -> list[str]:
    """What the executable knows, for a test that the table here is complete."""
    return subprocess.run([str(world.inputs), "--list"], capture_output=True, text=True,
                          check=True).stdout.split()  # fmt: skip


ATTACKS: list[Attack] = [InputAttack(kind) for kind in KINDS]
