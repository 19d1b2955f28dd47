#!/usr/bin/env python3
"""Attacks the presort command and reports what should not be. See README.md.

  run.py PRESORT --minutes 5                          all kinds, for so long
  run.py PRESORT --kinds machine,trace --cases 1000   so many cases of each kind
  run.py PRESORT --kinds machine --seed 7 --first 12 --cases 1   one case again

Exit status: 0 nothing found, 1 findings, 2 bad usage, 3 nothing could be attacked.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import corpus
import kinds
from attack import Attack
from report import Report
from schedule import Plan, attack_all
from world import World

USAGE_ERROR, NOTHING_TO_DO = 2, 3


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("presort", type=Path, nargs="?", help="the command under attack")
    parser.add_argument("--inputs", type=Path, help="the executable attack_inputs")
    parser.add_argument("--faults", type=Path, help="the library attack_faults")
    parser.add_argument("--minutes", type=float, help="total time; $PRESORT_ATTACK_MINUTES, or 5")
    parser.add_argument("--cases", type=int, help="cases of each kind, instead of --minutes")
    parser.add_argument("--kinds", default="all", help="names, separated by commas; -NAME: not it")
    parser.add_argument("--seed", type=int, help="$PRESORT_ATTACK_SEED, or a random one")
    parser.add_argument("--first", type=int, help="number of the first case; then in order")
    parser.add_argument("--jobs", type=int, default=2, help="cases at the same time")
    parser.add_argument("--sanitized", action="store_true", help="built with ASan and UBSan")
    parser.add_argument("--keep", type=Path, help="folder for what findings wrote")
    parser.add_argument("--report", type=Path, help="page whose table's last two columns to fill")
    parser.add_argument("--seeds-only", type=Path, help="make the valid inputs there and stop")
    parser.add_argument("--list", action="store_true", help="list the kinds and stop")
    return parser.parse_args()


def chosen(names: str) -> list[Attack]:
    """The attacks of a list of names. Errors: SystemExit for a name that is none."""
    words = [word for word in names.split(",") if word]
    known = {attack.name: attack for attack in kinds.ATTACKS}
    for word in words:
        if word != "all" and word.removeprefix("-") not in known:
            sys.exit(f"run.py: --kinds: found '{word}', accepted: all, {', '.join(known)}")
    wanted = [word for word in words if not word.startswith("-")] or ["all"]
    names_wanted = list(known) if "all" in wanted else wanted
    return [known[name] for name in names_wanted if f"-{name}" not in words]


def seed_of(given: int | None) -> int:
    """The seed given, by argument or environment, or one that nobody knew."""
    if given is not None:
        return given
    text = os.environ.get("PRESORT_ATTACK_SEED", "")
    return int(text) if text else int.from_bytes(os.urandom(4), "little")


def seconds_of(options: argparse.Namespace) -> float | None:
    """The total time; None: as many cases as were asked for."""
    if options.cases is not None:
        return None
    minutes = options.minutes
    if minutes is None:
        minutes = float(os.environ.get("PRESORT_ATTACK_MINUTES") or 5)
    return minutes * 60


def runnable(attacks: list[Attack], world: World) -> list[Attack]:
    """Those that nothing is missing for; the others are said."""
    rest = []
    for attack in attacks:
        if why := attack.missing(world):
            print(f"skipped: {attack.name}: {why}", flush=True)
        else:
            rest.append(attack)
    return rest


def main() -> int:
    """Runs what the command line asks for."""
    options = arguments()
    if options.list:
        for attack in kinds.ATTACKS:
            print(f"{attack.name:<12} {attack.about}")
        return 0
    if options.presort is None or not os.access(options.presort, os.X_OK):
        print(f"run.py: no such command: {options.presort}", file=sys.stderr)
        return USAGE_ERROR
    for path in (options.inputs, options.faults):
        if path is not None and not path.is_file():
            print(f"run.py: no such file: {path}", file=sys.stderr)
            return USAGE_ERROR
    if options.seeds_only:
        source = Path(__file__).resolve().parents[2]
        corpus.make(World(options.presort.resolve(), source, options.seeds_only.resolve()))
        return 0
    seed = seed_of(options.seed)
    work = Path(tempfile.mkdtemp(prefix="presort-attack-"))
    try:
        world = World(
            presort=options.presort.resolve(),
            source=Path(__file__).resolve().parents[2],
            seeds=work / "seeds",
            inputs=options.inputs and options.inputs.resolve(),
            faults=options.faults and options.faults.resolve(),
            sanitized=options.sanitized,
        )
        corpus.make(world)
        attacks = runnable(chosen(options.kinds), world)
        if not attacks:
            return NOTHING_TO_DO
        print(f"seed {seed}", flush=True)
        report = Report(world, seed, options.keep, work / "kept")
        plan = Plan(seed, options.jobs, seconds_of(options), options.cases, options.first)
        attack_all(world, attacks, plan, work, report)
        report.summary()
        if options.report:
            page = options.report.read_text() if options.report.exists() else ""
            options.report.write_text(report.fill(page))
        return 1 if report.findings else 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
