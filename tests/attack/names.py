"""Hostile names: in files, of files, in results; in all that is drawn, printed, written."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree
from pathlib import Path
from random import Random

import nasty
from attack import Attack
from corpus import MACHINE
from findings import Finding
from judge import CONTROL, Expected, judge
from world import Site, World

SMALL = ["-n", "2^10", "-b", "2^8"]
VALIDATE = ["validate", "--model", "--replay", "r.jsonl", "-o", "out", "-q"]
MATRIX = ["--matrix", "memlat.txt", "--cells", "none", "-q"]

# Places of a machine file where a name stands: the text to replace, and the text that takes a
# hostile name.
MACHINE_FIELDS = {
    "machine": ("name: small", "name: {}"),
    "level": ("name: L2", "name: {}"),
    "TLB": ("name: STLB", "name: {}"),
    "provenance": ("cpu:\n", "provenance: {{a: {}}}\ncpu:\n"),
    "provenance key": ("cpu:\n", "provenance: {{{}: a}}\ncpu:\n"),
    "costs": ("clock:", "costs: {}\n  clock:"),
}
MACHINE_COMMANDS = [
    [*VALIDATE, "-m", "m.yaml"],
    [*VALIDATE, "-m", "m.yaml", "--json"],
    ["machines", "-m", "m.yaml"],
    ["machines", "-m", "m.yaml", "--json"],
    ["simulate", "-m", "m.yaml", *SMALL, "-q"],
    ["simulate", "-m", "m.yaml", *SMALL, "-q", "--json"],
    ["tune", "-m", "m.yaml", *SMALL, "--model-only", "-q", "-o", "t.yaml", "--explain"],
    ["compare", "-m", "m.yaml", "--set", "memory.latency=90ns,95ns", *SMALL, "-b", "2^8,2^10",
     "--model-only", "-q", "--plot", "plot.svg"],
    ["fit", "-m", "m.yaml", *MATRIX, "--plot", "plot.svg", "-o", "f.yaml"],
    ["probe", "--compare", "m.yaml", "--compare", "m.yaml"],
]  # fmt: skip

# Fields of a recorded point that may hold a hostile name.
POINT_FIELDS = ["dist", "op", "types", "host", "plan"]

# Files that get a hostile name: the kind of content, its source, the name's ending, and a command's
# arguments to read the file.
FILE_COMMANDS = [
    ("labels", "l.txt", ".txt", ["run", *SMALL, "--dist", "file:{}", "--reps", "1", "-q"]),
    ("labels", "l.txt", ".txt", ["tune", "-m", MACHINE, "--labels", "{}", "--model-only", "-q"]),
    ("labels", "l.txt", ".txt", ["simulate", "-m", MACHINE, *SMALL, "--dist", "file:{}", "--json"]),
    ("machine", "machine_small.yaml", ".yaml", ["machines", "-m", "{}"]),
    ("machine", "machine_small.yaml", ".yaml", [*VALIDATE, "-m", "{}"]),
    ("trace", "loop.csv", ".csv", ["simulate", "-m", MACHINE, "--trace", "{}"]),
    ("replay", "r.jsonl", ".jsonl", ["validate", "-m", MACHINE, "--model", "--replay", "{}", "-q"]),
    ("matrix", "memlat.txt", ".txt", ["fit", "-m", MACHINE, "--matrix", "{}", "--cells", "none"]),
    ("replay", "r.jsonl", "", ["validate", "-m", MACHINE, "--model", "--replay", "r.jsonl", "-o",
                               "{}", "-q"]),
    ("replay", "r.jsonl", ".svg", ["compare", "-m", MACHINE, *SMALL, "--model-only", "-q", "--plot",
                                   "{}"]),
]  # fmt: skip


class NameAttack(Attack):
    """One hostile name in one place, with one command."""

    name = "names"
    about = "hostile names in files, of files, in results; scripts and terminals"

    def __init__(self) -> None:
        texts = nasty.INJECTIONS + nasty.NAMES
        in_machines = [
            ("machine", field, command, text)
            for text in texts
            for field in MACHINE_FIELDS
            for command in range(len(MACHINE_COMMANDS))
        ]
        in_points = [("point", field, 0, text) for text in texts for field in POINT_FIELDS]
        of_files = [("file", "", command, text) for text in texts
                    for command in range(len(FILE_COMMANDS))]  # fmt: skip
        self._cases = in_machines + in_points + of_files

    def size(self, world: World) -> int:
        return len(self._cases)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        place, field, command, text = self._cases[index]
        for seed in ("replay/r.jsonl", "matrix/memlat.txt"):
            site.copy(site.world.seeds / seed)
        if place == "machine":
            words = self._machine(site, field, command, text)
        elif place == "point":
            words = self._point(site, field, text)
        else:
            words = self._file(site, command, text)
        if not words:
            return []
        inputs = set(site.folder.rglob("*"))
        outcome = site.presort(*words)
        codes = frozenset({0, 1, 2, 3}) if words[0] == "probe" else frozenset({0, 2, 3})
        found = judge(outcome, Expected(codes=codes, json="--json" in words))
        outputs = sorted(set(site.folder.rglob("*")) - inputs)
        return found + (written(outputs) if outcome.status == 0 else [])

    @staticmethod
    def _machine(site: Site, field: str, command: int, text: str) -> list[str]:
        content = (site.world.seeds / "machine" / "machine_small.yaml").read_text()
        old, new = MACHINE_FIELDS[field]
        site.write("m.yaml", content.replace(old, new.format(nasty.yaml_quoted(text)), 1))
        return MACHINE_COMMANDS[command]

    @staticmethod
    def _point(site: Site, field: str, text: str) -> list[str]:
        points = [json.loads(line) for line in (site.folder / "r.jsonl").read_text().splitlines()]
        for point in points:
            match field:
                case "dist":
                    point["problem"]["dist"] = "file:l.txt"
                    point["problem"].update(n=200, m=16)
                    point["problem"]["dist"] = f"file:{text}.txt"
                case "host":
                    point["provenance"]["host"] = text
                case "plan":
                    point["plan"][text] = text
                case _:
                    point["problem"][field] = text
        site.write("r.jsonl", "".join(json.dumps(point) + "\n" for point in points))
        if field == "dist" and creatable(text):
            site.copy(site.world.seeds / "labels" / "l.txt", f"{text}.txt")
        return [*VALIDATE, "-m", MACHINE]

    @staticmethod
    def _file(site: Site, command: int, text: str) -> list[str]:
        kind, seed, ending, words = FILE_COMMANDS[command]
        if not creatable(text):
            return []
        if "-o" not in words and "--plot" not in words:
            site.copy(site.world.seeds / kind / seed, text + ending)
        return [word.replace("{}", text + ending) for word in words]


def creatable(text: str) -> bool:
    """Whether a file can have the name."""
    return bool(text) and not set(text) & {"/", "\0"} and len(text.encode()) < 200


def written(paths: list[Path]) -> list[Finding]:
    """What is wrong with documents that a case wrote."""
    found = []
    for path in paths:
        if path.suffix not in (".svg", ".html", ".json", ".txt", ".yaml") or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        if bad := CONTROL.search(text):
            detail = f"{ascii(bad[0])} in {ascii(path.name)}"
            found.append(Finding("control", detail, f"in a file {path.suffix}"))
        elif path.suffix in (".svg", ".html") and re.search('<script>alert|" onload="', text):
            found.append(Finding("ran", f"a name is a script in {ascii(path.name)}"))
        elif path.suffix == ".svg":
            try:
                xml.etree.ElementTree.fromstring(text)
            except xml.etree.ElementTree.ParseError as error:
                found.append(Finding("broken", f"{ascii(path.name)} is no XML: {error}"))
    return found


ATTACKS: list[Attack] = [NameAttack()]
