"""Whether an output that a case left is whole: read again by the command, or parsed here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from corpus import MACHINE
from world import Site

SMALL = ["-n", "2^10", "-b", "2^8"]
TEMPORARY = re.compile(r"^[.].*([.]tmp|[.]\d+)$|[.]tmp$|[.]part$|~$")


def _read_by(*words: str) -> Callable[[Site, Path], str]:
    """ "" or what the command says of the file; {} stands for its path."""

    def check(site: Site, path: Path) -> str:
        outcome = site.presort(*[word.replace("{}", str(path)) for word in words])
        site.commands.pop()  # the case is about another process than this check
        # A tuned file without an entry for the problem is valid too
        read = outcome.status == 0 or "no entry of" in outcome.message()
        return "" if read else f"{path.name}: {outcome.message()[-150:]}"

    return check


tuned_file = _read_by("run", *SMALL, "--tuned", "{}", "--force", "--reps", "1", "-q")
machine_file = _read_by("machines", "-m", "{}")
trace_file = _read_by("simulate", "-m", MACHINE, "--trace", "{}", "--functional", "-q")


def svg_file(_site: Site, path: Path) -> str:
    """ "" or what is wrong with a drawing."""
    return "" if path.read_bytes().rstrip().endswith(b"</svg>") else f"{path.name} is cut short"


def _wrong_with(path: Path) -> str:
    content = path.read_bytes()
    if not content:
        # An empty result.jsonl is right if the run ended before anything was measured;
        # validate.json beside it says so.
        beside = path.parent / "validate.json"
        partial = path.name == "result.jsonl" and beside.is_file()
        return "" if partial and b'"complete": false' in beside.read_bytes() else "is empty"
    try:
        if path.suffix == ".json":
            json.loads(content)
        if path.suffix == ".jsonl":
            for line in content.splitlines():
                json.loads(line)
    except ValueError as error:
        return f"is no JSON: {error}"
    endings = {".svg": b"</svg>", ".html": b"</html>", ".jsonl": b"}"}
    ending = endings.get(path.suffix, b"")
    return "" if content.rstrip().endswith(ending) else "is cut short"


def result_folder(_site: Site, path: Path) -> str:
    """ "" or what is wrong with a folder of validate."""
    wrong = []
    for file in sorted(path.iterdir()):
        if file.is_file() and not TEMPORARY.search(file.name) and (what := _wrong_with(file)):
            wrong.append(f"{file.name} {what}")
    return ", ".join(wrong)


def temporaries(folder: Path) -> list[str]:
    """Names of files and folders that a killed process may leave, and the next must remove."""
    return sorted(path.name for path in folder.rglob("*")
                  if TEMPORARY.search(path.name) or path.name.startswith("."))  # fmt: skip
