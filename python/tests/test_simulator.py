"""The simulator and the tuner from Python."""

import _thread
import dataclasses
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import presort


class MachineTest(unittest.TestCase):
    def test_bundled_machines_are_read_and_written(self):
        self.assertIn("golden-cove-vm", presort.Machine.bundled_names())
        for name in presort.Machine.bundled_names():
            machine = presort.Machine.bundled(name)
            self.assertTrue(machine.name)
            self.assertIn("presort: machine/1", machine.to_yaml())

    def test_others_are_refused(self):
        with self.assertRaisesRegex(ValueError, "found 'pdp-11', accepted: .*golden-cove-vm"):
            presort.Machine.bundled("pdp-11")
        with self.assertRaisesRegex(presort.InputError, "no-such-file"):
            presort.Machine.from_yaml("no-such-file.yaml")

    def test_a_key_of_older_files_is_ignored_with_a_warning(self):
        text = presort.Machine.bundled("golden-cove-vm").to_yaml()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "old.yaml"
            file.write_text(text.replace("window: {entries: 512,", "window: {entries: 512, loads: 192,"), "utf-8")
            with self.assertWarnsRegex(RuntimeWarning, r"old\.yaml:\d+:\d+: cpu\.window\.loads: ignored"):
                machine = presort.Machine.from_yaml(file)
        self.assertEqual(machine.to_yaml(), text)


class PredictionTest(unittest.TestCase):
    def setUp(self):
        self.machine = presort.Machine.bundled("golden-cove-vm")

    def test_a_large_multireduce_gains_by_a_presort(self):
        direct = presort.simulate(self.machine, n=2**24, m=2**24)
        sorted_first = presort.simulate(self.machine, "sortBits=8", n=2**24, m=2**24)
        self.assertGreater(direct.ns_per_input, sorted_first.ns_per_input)
        for prediction in (direct, sorted_first):
            self.assertAlmostEqual(sum(prediction.stack_ns.values()), prediction.ns_per_input, 6)
            phases = sum(phase.ns_per_input for phase in prediction.phases)
            self.assertAlmostEqual(phases, prediction.ns_per_input, 6)
        closed = presort.predict(self.machine, n=2**24, m=2**24)
        self.assertLess(abs(closed.ns_per_input / direct.ns_per_input - 1), 0.5)
        self.assertEqual(closed.origin, "model")

    def test_tune_and_crossover(self):
        large = presort.tune(self.machine, n=2**26, m=2**26, model_only=True)
        self.assertTrue(large.presorts and large.matters)
        self.assertGreater(large.gain, 1.5)
        self.assertGreater(len(large.candidates), 3)
        small = presort.tune(self.machine, n=2**26, m=2**8, model_only=True)
        self.assertFalse(small.presorts)
        found = presort.crossover(self.machine, n=2**26, buckets=[2**8, 2**26])
        self.assertEqual(found, 2**26)
        self.assertIsNone(presort.crossover(self.machine, n=2**26, buckets=[2**8]))
        self.assertIn("plan", dataclasses.asdict(large))

    def test_what_is_no_problem_is_refused(self):
        for keywords, text in [
            ({"n": 0, "m": 4}, "n"),
            ({"n": 4, "m": 2**40}, "m"),
            ({"n": 4, "m": 4, "op": "sort"}, "op"),
            ({"n": 4, "m": 4, "dist": "zipf:99"}, "dist"),
            ({"n": 4, "m": 4, "types": "u12"}, "types"),
        ]:
            with self.assertRaisesRegex(ValueError, text):
                presort.predict(self.machine, **keywords)
        with self.assertRaises(ValueError):
            presort.predict(self.machine, "sortBits=x", n=4, m=4)

    def test_a_long_simulation_is_interrupted(self):
        # A background job of a shell ignores the signal unless it asks for it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        threading.Timer(0.5, _thread.interrupt_main).start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            presort.simulate(self.machine, n=2**28, m=2**26, full=True)
        self.assertLess(time.monotonic() - began, 20)


class ExplainTest(unittest.TestCase):
    def test_it_says_both_times_with_their_intervals_and_why(self):
        machine = presort.Machine.bundled("golden-cove-vm")
        problem = {"n": 2**26, "m": 2**26, "model_only": True}
        choice = presort.tune(machine, **problem)
        text = presort.explain(machine, **problem)
        first, without, with_one = text.splitlines()[:3]
        self.assertTrue(first.startswith("Pre-sort: "), text)
        self.assertIn(f"{choice.ns_per_input:.3g} ns an input (", first)
        self.assertIn(f"{choice.direct_ns_per_input:.3g} ns an input (", first)
        self.assertIn(f"{choice.gain:.1f} times as fast", first)
        self.assertIn("waits for memory", without)
        self.assertIn(choice.plan, with_one)
        self.assertIn("partition 1", with_one)

    def test_it_says_no_where_a_presort_does_not_pay(self):
        machine = presort.Machine.bundled("golden-cove-vm")
        self.assertRegex(presort.explain(machine, n=2**24, m=2**8, model_only=True), "^No pre-sort")

    def test_the_interval_holds_the_prediction(self):
        machine = presort.Machine.bundled("golden-cove-vm")
        found = presort.predict(machine, n=2**20, m=2**10)
        self.assertLess(found.low_ns, found.ns_per_input)
        self.assertGreater(found.high_ns, found.ns_per_input)


if __name__ == "__main__":
    unittest.main()
