#!/usr/bin/env python3
"""The attackers themselves: same numbers make same cases, and what is wrong is found.

usage: self_test.py PRESORT [--inputs EXECUTABLE]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import containers
import corpus
import determinism
import inputs
import judge
import kinds
import mutate
from attack import generator
from findings import Finding, Found
from process import Outcome
from report import Report
from world import Site, World

PRESORT = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("presort")
INPUTS = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
HERE = Path(__file__).resolve().parent

# A false command that misbehaves as its second argument says (crash, hang, …); JudgeTest runs it.
CULPRIT = """#!/bin/sh
case "$2" in
  crash) kill -SEGV $$ ;;
  hang) sleep 60 ;;
  mute) exit 2 ;;
  words) echo "presort: std::bad_alloc" >&2; exit 3 ;;
  escape) printf 'presort: found \\033[2J\\n' >&2; exit 2 ;;
  status) echo "presort: what" >&2; exit 7 ;;
  json) echo '{"predicted_ns_per_input": NaN}' ;;
  null) echo '{"predicted_ns_per_input": null}' ;;
  absurd) echo '{"predicted_ns_per_input": 1e300}' ;;
  good) echo '{"predicted_ns_per_input": 1.5}' ;;
esac
"""


def outcome(**changes: object) -> Outcome:
    """A process that did nothing wrong, but for the changes."""
    values = {
        "words": ("presort", "run"),
        "status": 0,
        "timed_out": False,
        "seconds": 0.1,
        "cpu_seconds": 0.1,
        "peak_bytes": 1 << 20,
        "stdout": b"",
        "stderr": b"",
    }
    return Outcome(**{**values, **changes})  # type: ignore[arg-type]


class JudgeTest(unittest.TestCase):
    def verdicts(self, **changes: object) -> list[str]:
        expected = judge.Expected(json=True, names=("m.yaml",), place=True)
        return [finding.verdict for finding in judge.judge(outcome(**changes), expected)]

    def test_good_outcomes_pass(self) -> None:
        self.assertEqual(self.verdicts(stdout=b'{"ns_per_input": 2}'), [])
        self.assertEqual(self.verdicts(status=2, stderr=b"presort: m.yaml:3:1: x: found 'y'"), [])

    def test_bad_outcomes_are_found(self) -> None:
        message = b"presort: m.yaml:3:1: "
        self.assertEqual(self.verdicts(status=-11), ["signal"])
        self.assertEqual(self.verdicts(status=-9, timed_out=True), ["hang"])
        self.assertEqual(self.verdicts(peak_bytes=3 << 30), ["memory"])
        self.assertEqual(self.verdicts(status=134), ["status"])
        self.assertEqual(self.verdicts(status=2), ["mute"])
        self.assertEqual(self.verdicts(status=2, stderr=message + b"basic_string"), ["cryptic"])
        self.assertEqual(self.verdicts(status=2, stderr=message + b"\x1b[2J"), ["control"])
        self.assertEqual(self.verdicts(status=2, stderr=message + b"\xff"), ["control"])
        self.assertEqual(self.verdicts(status=2, stderr=b"presort: no"), ["vague"])
        self.assertEqual(self.verdicts(status=2, stderr=b"presort: m.yaml is bad"), ["vague"])
        self.assertEqual(self.verdicts(stdout=b"{"), ["broken"])
        self.assertEqual(self.verdicts(stdout=b'{"x_ns": NaN}'), ["broken"])
        self.assertEqual(self.verdicts(stdout=b'{"predicted_ns": null}'), ["nonsense"])
        self.assertEqual(self.verdicts(stdout=b'{"predicted_ns": [-1]}'), ["nonsense"])
        report = b"x.cpp:1: runtime error: division by zero"
        self.assertEqual(self.verdicts(status=1, stderr=report), ["sanitizer"])


class ProcessTest(unittest.TestCase):
    """A whole process is run, limited and judged."""

    def run_culprit(self, what: str, timeout: float = 20) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            culprit = Path(folder) / "culprit"
            culprit.write_text(CULPRIT)
            culprit.chmod(0o755)
            site = Site(World(culprit, HERE, Path(folder)), Path(folder) / "site")
            result = site.presort("run", what, timeout=timeout)
            return [f.verdict for f in judge.judge(result, judge.Expected(json=True))]

    def test_culprits_are_found(self) -> None:
        expected = {
            "crash": "signal",
            "mute": "mute",
            "words": "cryptic",
            "escape": "control",
            "status": "status",
            "json": "broken",
            "null": "nonsense",
            "absurd": "nonsense",
        }
        for what, verdict in expected.items():
            self.assertEqual(self.run_culprit(what), [verdict], what)
        self.assertEqual(self.run_culprit("hang", timeout=0.5), ["hang"])
        self.assertEqual(self.run_culprit("good"), [])

    def test_text_that_was_run_is_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site = Site(World(PRESORT, HERE, Path(folder)), Path(folder) / "site")
            site.start(["/bin/sh", "-c", "touch PWNED7"]).wait(20)
            self.assertEqual([path.name for path in site.canaries()], ["PWNED7"])


class CaseTest(unittest.TestCase):
    def test_a_case_depends_on_kind_seed_and_number_alone(self) -> None:
        text = b"cpu:\n  clock: 2.5GHz\n  cores: 2\n"

        def made(kind: str, seed: int, index: int) -> bytes:
            return mutate.change_text(generator(kind, seed, index), text)

        self.assertEqual(made("a", 1, 2), made("a", 1, 2))
        self.assertGreater(len({made("a", 1, index) for index in range(50)}), 30)
        self.assertGreater(len({made(kind, 1, 2) for kind in "abcdefgh"}), 3)

    def test_mutations_of_containers_stay_small_and_differ(self) -> None:
        packed = containers.PACK["gz"](b"1,2,3\n" * 100)
        made = {containers.change_packed(generator("g", 1, index), "gz", packed, mutate.change_text)
                for index in range(40)}  # fmt: skip
        self.assertGreater(len(made), 20)
        array = corpus.npy_header("<u4", 3) + b"\0" * 12
        self.assertEqual(len(array) % 4, 0)
        self.assertTrue(all(containers.change_npy(generator("n", 1, i), array) for i in range(5)))

    def test_kinds_have_names_of_their_own_and_a_share(self) -> None:
        names = [attack.name for attack in kinds.ATTACKS]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(all(attack.share > 0 and attack.about for attack in kinds.ATTACKS))

    def test_findings_of_one_cause_have_one_signature(self) -> None:
        first, second = Finding("hang", "20 s at 'a' 1.5"), Finding("hang", "21 s at 'b' 2")
        self.assertEqual(first.signature(), second.signature())
        self.assertRaises(ValueError, Finding, "nonesuch", "x")

    def test_documents_are_compared_to_the_last_bit_or_nearly(self) -> None:
        left, right = {"a": [1, 2.0]}, {"a": [1, 2.0000001]}
        self.assertEqual(determinism.difference(left, left), "")
        self.assertIn(".a[1]", determinism.difference(left, right))
        self.assertEqual(determinism.difference(left, right, tolerance=1e-4), "")

    @unittest.skipUnless(INPUTS, "no attack_inputs")
    def test_the_table_of_inputs_is_that_of_the_executable(self) -> None:
        world = World(PRESORT, HERE, HERE, inputs=INPUTS)
        self.assertEqual(inputs.KINDS, inputs.kinds_of(world))


class ReportTest(unittest.TestCase):
    def test_the_last_two_cells_of_a_row_are_replaced(self) -> None:
        report = Report(World(PRESORT, HERE, HERE), 1, None, HERE)
        report.inputs["keys"] = 1500
        found = Found("keys", 1, 0, Finding("hang", "20 s"), "presort")
        report.findings[found.key()] = [found, found]
        head = "# Page\n| kind | a | b | c | d |\n"
        page = head + "| keys | 9 | 1 hang | – | – |\n| bombs | 1 | 0 | – | – |\n"
        expected = page.replace("1 hang | – | – |", "1 hang | 1,500 | 2 hang |")
        self.assertEqual(report.fill(page), expected)


class RunTest(unittest.TestCase):
    """run.py with a command that makes seeds and then fails."""

    def attack(self, presort: Path, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(HERE / "run.py"), str(presort), "--jobs", "1", *words]
        return subprocess.run(command, capture_output=True, text=True)

    def test_findings_are_repeatable_and_give_exit_status_1(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wrapper = Path(folder) / "presort"
            wrapper.write_text(
                f'#!/bin/sh\n"{PRESORT}" "$@"\nstatus=$?\n'
                '[ "$1" = machines ] && kill -SEGV $$\nexit $status\n'
            )
            wrapper.chmod(0o755)
            words = ["--kinds", "machine", "--seed", "3"]
            result = self.attack(wrapper, *words, "--cases", "40")
            self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            again = [
                line for line in result.stdout.splitlines() if "signal" in line or "again" in line
            ]
            at = next(i for i, line in enumerate(again) if "signal" in line)
            index = again[at + 1].split("--first ")[1].split()[0]
            repeated = self.attack(wrapper, *words, "--first", index, "--cases", "1")
            self.assertEqual(repeated.returncode, 1, repeated.stdout + repeated.stderr)
            self.assertIn("signal", repeated.stdout)

    def test_bad_usage_gives_exit_status_2(self) -> None:
        self.assertEqual(self.attack(Path("/nonesuch")).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
