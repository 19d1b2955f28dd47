"""Counts cases, shows each cause of findings once, with the command that repeats it."""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from findings import VERDICTS, Found
from world import World

if TYPE_CHECKING:
    from schedule import CaseResult


class Report:
    """What was run and what was found."""

    def __init__(self, world: World, seed: int, keep: Path | None, work: Path) -> None:
        self._world = world
        self._seed = seed
        self._keep = keep
        self._work = work  # where cases leave the files of findings
        self.inputs: Counter[str] = Counter()
        self.cases: Counter[str] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.findings: dict[tuple[str, str], list[Found]] = {}

    def add(self, result: CaseResult) -> None:
        """Takes one case in. What is found for the first time is printed."""
        self.cases[result.kind] += 1
        self.inputs[result.kind] += result.count
        self.seconds[result.kind] += result.seconds
        new = False
        for found in result.found:
            known = self.findings.setdefault(found.key(), [])
            known.append(found)
            if len(known) == 1:
                self._show(found)
                new = True
        self._put_away({found.folder for found in result.found if found.folder}, new)

    def repeat(self, found: Found) -> str:
        """The command that runs the case of a finding again."""
        words = ["tests/attack/run.py", str(self._world.presort)]
        if found.kind.startswith("in-"):
            words += ["--inputs", str(self._world.inputs)]
        if found.kind == "allocations":
            words += ["--faults", str(self._world.faults)]
        words += ["--sanitized"] if self._world.sanitized else []
        words += ["--kinds", found.kind, "--seed", str(found.seed)]
        return " ".join([*words, "--first", str(found.index), "--cases 1"])

    def _show(self, found: Found) -> None:
        print(f"\nFOUND {found.kind}: {found.finding.verdict}: {found.finding.detail}")
        print(f"  process: {found.command[:1000]}")
        print(f"  again:   {self.repeat(found)}", flush=True)

    def _put_away(self, folders: Iterable[str], first: bool) -> None:
        """Keeps the files of a cause's first finding, if any are kept."""
        for folder in folders:
            if self._keep and first:
                target = self._keep / Path(folder).name
                shutil.copytree(folder, target, symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(folder, ignore_errors=True)

    def summary(self) -> None:
        """The counts, then every cause once, worst first."""
        print(f"\n{'kind':<12} {'cases':>8} {'inputs':>9} {'seconds':>8}  findings")
        for kind in self.cases:
            count = sum(len(found) for key, found in self.findings.items() if key[0] == kind)
            print(
                f"{kind:<12} {self.cases[kind]:>8} {self.inputs[kind]:>9} "
                f"{self.seconds[kind]:>8.0f}  {count}"
            )
        order = list(VERDICTS)
        causes = sorted(self.findings.values(), key=lambda f: order.index(f[0].finding.verdict))
        for found in causes:
            first = found[0]
            print(
                f"\n{len(found)} x {first.finding.verdict} ({first.kind}): "
                f"{first.finding.detail}\n  again: {self.repeat(first)}"
            )
        print(
            f"\nseed {self._seed}: {sum(self.inputs.values())} inputs and processes, "
            f"{len(causes)} causes of findings",
            flush=True,
        )

    def cells(self) -> dict[str, str]:
        """The last two cells of a table's row, by kind: inputs, and findings by verdict."""
        cells = {}
        for kind, inputs in self.inputs.items():
            verdicts: Counter[str] = Counter()
            for (of, _), found in self.findings.items():
                if of == kind:
                    verdicts[found[0].finding.verdict] += len(found)
            text = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common())
            cells[kind] = f" {inputs:,} | {text or '0'} "
        return cells

    def fill(self, page: str) -> str:
        """The page with the last two cells of each kind's row replaced; rows of others stay."""
        cells = self.cells()
        lines = []
        for line in page.splitlines():
            parts = line.split("|")
            kind = parts[1].strip() if len(parts) > 4 else ""
            if kind in cells:
                line = "|".join([*parts[:-3], cells.pop(kind), parts[-1]])
            lines.append(line)
        lines += [f"| {kind} | – | – |{cell}|" for kind, cell in cells.items()]
        return "\n".join(lines) + "\n"
