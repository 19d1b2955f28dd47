"""Mutated files of every kind, and the commands that read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import containers
import mutate
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import Expected, judge
from world import Site, World

QUIET_JSON = ["--json", "-q"]
SMALL = ["-n", "2^10", "-b", "2^8", *QUIET_JSON]

# Arguments of commands that read a file; {} stands for the file's path.
Words = list[str]
Change = Callable[[Random, Path, bytes, bytes], bytes]  # seed's path and content, another's


@dataclass(frozen=True)
class FileKind:
    """How a file of one kind is changed, and what reads it."""

    name: str
    about: str
    readers: list[Words]  # one is drawn; those listed twice are drawn more often
    change: Change
    codes: frozenset[int] = frozenset({0, 2, 3})
    share: float = 1.0
    has_lines: bool = True  # text with lines, one of which a refusal can name


def _change_yaml(draw: Random, _path: Path, content: bytes, other: bytes) -> bytes:
    return mutate.change_text(draw, content, other)


def _change_machine(draw: Random, _path: Path, content: bytes, other: bytes) -> bytes:
    """A machine file changed, mostly behind its provenance, which is free text."""
    cut = content.find(b"\ncpu:") if draw.random() < 0.9 else 0
    cut = max(cut, 0)
    return content[:cut] + mutate.change_text(draw, content[cut:], other)


def _change_labels(draw: Random, path: Path, content: bytes, _other: bytes) -> bytes:
    if path.suffix == ".npy":
        return containers.change_npy(draw, content)
    if path.suffix == ".txt":
        return mutate.change_text(draw, content)
    return mutate.change_bytes(draw, content)


def _change_trace(draw: Random, path: Path, content: bytes, other: bytes) -> bytes:
    ending = path.suffix[1:]
    if ending in containers.PACK:
        inner = mutate.change_bytes if "champsim" in path.name else mutate.change_text
        return containers.change_packed(draw, ending, content, inner)
    if ending == "presort":  # compressed with zstd, under a name of its own
        return containers.change_packed(draw, "zst", content, mutate.change_bytes)
    if ending == "champsim":
        return mutate.change_bytes(draw, content)
    return mutate.change_text(draw, content, other)


def _change_lines(draw: Random, path: Path, content: bytes, _other: bytes) -> bytes:
    if path.suffix == ".gz":
        return containers.change_packed(draw, "gz", content, mutate.change_json_lines)
    return mutate.change_json_lines(draw, content)


SIMULATE = ["simulate", "-m", "{}", *SMALL]
MACHINE_READERS = [
    *[[*SIMULATE, "--model"]] * 3,
    *[SIMULATE] * 2,
    *[[*SIMULATE, "--plan", "sortBits=3"]] * 2,
    [*SIMULATE, "--op", "gather", "--dist", "zipf:1"],
    [*SIMULATE, "--dependent"],
    ["simulate", "-m", "{}", "-n", "2^10", "-b", "2^8", "--draw", "-q"],
    ["machines", "-m", "{}", "--json"],
    ["machines", "-m", "{}"],
    ["tune", "-m", "{}", "--model-only", *SMALL],
    ["compare", "-m", "{}", "--set", "memory.latency=90ns", "--model-only", *SMALL],
    ["probe", "--compare", "{}", "--compare", "{}"],
]
TUNED = ["run", "--tuned", "{}", "--reps", "1", *SMALL]
LABELS = ["--dist", "file:{}", "-n", "100", "-b", "16", *QUIET_JSON]
LABEL_READERS = [
    *[["run", "--reps", "1", *LABELS]] * 2,
    ["simulate", "-m", MACHINE, *LABELS],
    ["tune", "-m", MACHINE, "--labels", "{}", "--model-only", *QUIET_JSON],
]
TRACE = ["simulate", "-m", MACHINE, "--trace", "{}", "-q"]
FORMATS = ["presort", "lackey", "din", "xdin", "csv", "champsim"]
TRACE_READERS = [
    *[[*TRACE, "--json"]] * 3,
    [*TRACE, "--json", "--functional"],
    [*TRACE, "--json", "--mrc"],
    [*TRACE, "--json", "--mrc", "--mrc-rate", "10%"],
    [*TRACE, "--json", "--instructions"],
    [*TRACE, "--json", "--record", "rec.presort"],
    [*TRACE, "--json", "--copies", "2"],
    [*TRACE, "--json", "--page", "1GiB"],
    [*TRACE, "--interval", "7"],
    *[[*TRACE, "--json", "--format", name] for name in FORMATS],
]
VALIDATE = ["validate", "-m", MACHINE, "--replay", "{}", "-o", "out", *QUIET_JSON]
GRID = ["tune", "-m", MACHINE, "--plans", "{}", "--model-only", *SMALL]
MATRIX = ["fit", "-m", MACHINE, "--matrix", "{}", "--cells", "none", *QUIET_JSON]

KINDS = [
    FileKind(
        "machine",
        "machine files",
        MACHINE_READERS,
        _change_machine,
        codes=frozenset({0, 1, 2, 3}),
        share=3.0,
    ),
    FileKind("costs", "core costs", [SIMULATE, [*SIMULATE, "--model"]], _change_yaml),
    FileKind("grid", "plan grids", [GRID], _change_yaml),
    FileKind("tuned", "tuned files", [TUNED, *[[*TUNED, "--force"]] * 3], _change_yaml),
    FileKind("labels", "label files", LABEL_READERS, _change_labels, has_lines=False),
    FileKind("trace", "traces", TRACE_READERS, _change_trace, share=2.0, has_lines=False),
    FileKind("replay", "recorded results", [[*VALIDATE, "--model"]], _change_lines, share=2.0),
    FileKind("report", "results for a page", [["report", "{}", "-o", "page.html"]], _change_lines),
    FileKind("loops", "recorded loops", [[*VALIDATE, "--loops"]], _change_lines),
    FileKind("matrix", "latency matrices", [MATRIX], _change_yaml),
]


class FileAttack(Attack):
    """One mutated file, read by one command."""

    def __init__(self, kind: FileKind) -> None:
        self._kind = kind
        self.name = kind.name
        self.about = f"mutated {kind.about}"
        self.share = kind.share

    def _seeds(self, world: World) -> list[Path]:
        paths = world.seed_files(self.name)
        is_costs = self.name == "costs"
        return [path for path in paths if is_costs or not path.name.endswith(".costs.yaml")]

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        seeds = self._seeds(site.world)
        path, other = draw.choice(seeds), draw.choice(seeds)
        content = self._kind.change(draw, path, path.read_bytes(), other.read_bytes())
        name = path.name
        if self.name == "trace" and draw.random() < 0.2:
            name = name.split(".")[0]  # the format is guessed by the content
        given = self._place(site, path, name, content)
        words = [word.replace("{}", given) for word in draw.choice(self._kind.readers)]
        outcome = site.presort(*words)
        # A machine file may be right although the command cannot use the machine: the refusal then
        # names no file.
        unfit = b"\nstorage:" in content or words[0] == "probe"
        # A --set that contradicts other values of the file is refused by the name of the option.
        changed = ["--set "] if "--set" in words else []
        expected = Expected(
            codes=self._kind.codes,
            json="--json" in words,
            names=(name, given, *(["storage: found", "machine '"] if unfit else []), *changed),
            place=self._kind.has_lines and not unfit,
        )
        return judge(outcome, expected)

    def _place(self, site: Site, path: Path, name: str, content: bytes) -> str:
        """Writes the file; the name that the command is given."""
        if self.name == "machine":
            site.copy(path)  # the seed, and the files that it names
        if self.name != "costs":
            site.write(name, content)
            return name
        machine = path.name.replace(".costs.yaml", ".yaml")
        site.copy(site.world.seeds / "machine" / machine)
        site.write(name, content)
        return machine


ATTACKS: list[Attack] = [FileAttack(kind) for kind in KINDS]
