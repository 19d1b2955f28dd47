"""Every key of a full machine file with extreme values of its unit: all of them, one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from attack import Attack
from findings import Finding
from judge import Expected, judge
from world import Site, World

# A key of a YAML file with a number as its value, perhaps with a unit.
NUMBER = re.compile(r"([A-Za-z]\w*):\s*(-?[0-9][A-Za-z0-9_.%/^+-]*)")

TIMES = ["0cy", "1e300cy", "1e300ns", "1e-300cy", "1e9cy", "1e-320ns", "1000s", "1e6s", "100ms"]
BYTES = ["0B", "1B", "2B", "3B", "32B", "63B", "64B", "128B", "1KiB", "4KiB", "3KiB", "1GiB",
         "1TiB", "8388608TiB", "16777215TiB", "2199023255552B"]  # fmt: skip
RATES = ["0B/s", "1e-300B/s", "1e300B/s", "1B/s", "1e90TB/s", "1KB/s"]
EVENTS = ["0/s", "1/s", "1e-300/s", "1e300/s", "1e90T/s"]
CLOCKS = ["1e-300GHz", "0Hz", "1Hz", "1e300Hz", "1e290GHz", "0.001Hz", "1THz"]
SHARES = ["0%", "1e-300%", "101%", "1e300%", "0.0001%"]
COUNTS = ["0", "1", "2", "3", "1000", "1000000", "2147483647", "4294967296", "2^40", "2^62",
          "18446744073709551615", "0.5", "1e300", "1e-300"]  # fmt: skip

BY_UNIT = [
    (re.compile(r"\d(cy|ns|us|ms|s)$"), TIMES),
    (re.compile(r"B/s$"), RATES),
    (re.compile(r"\d[kMGT]?/s$"), EVENTS),
    (re.compile(r"\d([KMGT]i)?B$"), BYTES),
    (re.compile(r"Hz$"), CLOCKS),
    (re.compile(r"%$"), SHARES),
]

FILES = ["machine_full.yaml", "machine_disk.yaml", "machine_ssd.yaml"]

COMMANDS = [
    ["simulate", "-m", "f.yaml", "-n", "2^12", "-b", "2^10", "--model", "--json", "-q"],
    ["simulate", "-m", "f.yaml", "-n", "2^10", "-b", "2^8", "--plan", "sortBits=3", "--json", "-q"],
    ["tune", "-m", "f.yaml", "-n", "2^12", "-b", "2^10", "--model-only", "--json", "-q"],
    ["machines", "-m", "f.yaml"],
]


def extremes(value: str) -> list[str]:
    """What takes the place of a value."""
    for unit, values in BY_UNIT:
        if unit.search(value):
            return values
    return COUNTS


@dataclass(frozen=True)
class Change:
    """A machine file with one value changed."""

    key: str
    value: str
    text: str


def changes(world: World) -> list[Change]:
    """Every number of every file with every extreme of its unit."""
    found = []
    for name in FILES:
        text = (world.seeds / "machine" / name).read_text()
        for match in NUMBER.finditer(text, text.find("\ncpu:")):
            first, last = match.span(2)
            for value in extremes(match[2]):
                found.append(Change(match[1], value, text[:first] + value + text[last:]))
    return found


class KeyAttack(Attack):
    """One value of a machine file at an extreme, read by all commands until one refuses it."""

    name = "keys"
    about = "every number of a machine file at its extremes"
    share = 2.0

    def __init__(self) -> None:
        self._changes: list[Change] = []

    def _cases(self, world: World) -> list[Change]:
        if not self._changes:
            self._changes = changes(world)
        return self._changes

    def size(self, world: World) -> int:
        return len(self._cases(world))

    def count(self, site: Site) -> int:
        return len(site.commands)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        change = self._cases(site.world)[index]
        site.write("f.yaml", change.text)
        found: list[Finding] = []
        for words in COMMANDS:
            if "--model" in words and "\nstorage:" in change.text:
                continue  # there is no closed form of a block device
            outcome = site.presort(*words)
            expected = Expected(json="--json" in words, names=("f.yaml",), place=True)
            for finding in judge(outcome, expected):
                detail = f"{change.key}: {change.value} in {words[0]}: {finding.detail}"
                found.append(Finding(finding.verdict, detail, f"{change.key} in {words[0]}"))
            if outcome.status != 0:
                break
        return found


ATTACKS: list[Attack] = [KeyAttack()]
