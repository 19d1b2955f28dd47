"""Where an attack runs: the command under attack, the seeds, and the folder of one case."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from process import ADDRESS_BYTES, HANG_SECONDS, Outcome, Running, crowding

# Name of a file that appears only if text of an input was run as a command: see nasty.INJECTIONS.
CANARY = "PWNED"

SANITIZER_SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096:"
    "abort_on_error=0:exitcode=99:handle_abort=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=0",
}


@dataclass(frozen=True)
class World:
    """What all cases share. Paths are absolute."""

    presort: Path  # the command
    source: Path  # the root of the source tree
    seeds: Path  # valid inputs, made by corpus.py; nobody writes there
    inputs: Path | None = None  # the executable attack_inputs
    faults: Path | None = None  # the library attack_faults
    sanitized: bool = False  # built with ASan and UBSan: slower, and needs much address space

    def patience(self) -> float:
        """After so many seconds a process hangs."""
        return HANG_SECONDS * crowding() * (4 if self.sanitized else 1)

    def seed_files(self, kind: str) -> list[Path]:
        """The valid inputs of a kind, in the order of their names."""
        return sorted((self.seeds / kind).iterdir())


@dataclass
class Site:
    """The folder of one case, its current directory, and a folder for its temporary files."""

    world: World
    root: Path
    folder: Path = field(init=False)
    temporary: Path = field(init=False)
    captures: Path = field(init=False)
    commands: list[str] = field(default_factory=list)  # command lines that were run, for the report

    def __post_init__(self) -> None:
        self.folder = self.root / "case"
        self.temporary = self.root / "tmp"
        self.captures = self.root / "captures"
        self.clear()

    def clear(self) -> None:
        """Makes the folders anew."""
        self.commands.clear()
        for folder in (self.folder, self.temporary, self.captures):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)

    def write(self, name: str, content: bytes | str) -> Path:
        """Writes a file of the case."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def copy(self, source: Path, name: str | None = None) -> Path:
        """Copies a seed into the case, with the core costs that a machine file may name."""
        for costs in source.parent.glob("*.costs.yaml"):
            if not (self.folder / costs.name).exists():
                shutil.copyfile(costs, self.folder / costs.name)
        target = self.folder / (name or source.name)
        shutil.copyfile(source, target)
        return target

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a case: few variables, so that it depends on nothing else."""
        kept = {
            name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ
        }
        settings = SANITIZER_SETTINGS if self.world.sanitized else {}
        return {
            **kept,
            **settings,
            "TMPDIR": str(self.temporary),
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            **(extra or {}),
        }

    def start(
        self,
        words: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        streams: tuple[str, str, str] = ("plain", "plain", "plain"),
        address_bytes: int | None = ADDRESS_BYTES,
    ) -> Running:
        """Starts any program in the case's folder."""
        limit = None if self.world.sanitized else address_bytes
        running = Running(words, self.folder, self.captures, self.environment(env), limit, streams)
        self.commands.append(" ".join(running.words))
        return running

    def presort(self, *words: str, timeout: float | None = None, **options) -> Outcome:
        """Runs the command under attack to its end. Options: those of start()."""
        running = self.start([str(self.world.presort), *words], **options)
        return running.wait(timeout or self.world.patience())

    def canaries(self) -> list[Path]:
        """Files that text of an input made by being run."""
        return [path for path in self.root.rglob("*") if path.name.startswith(CANARY)]
