"""The functions of presort.arrays against numpy's own loops, and what they refuse."""

import os
import pickle
import platform
import random
import signal
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

import presort

SEED = int(os.environ.get("PRESORT_PROPERTY_SEED") or random.randrange(2**32))
print(f"random cases: PRESORT_PROPERTY_SEED={SEED} repeats them", file=sys.stderr)

LABELS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
VALUES = [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]


def draw_case(rng, values=VALUES):
    """Random labels below m and random values; n and m are 0, 1 or anything up to some thousands."""
    n = int(rng.choice([0, 1, 2, 63, 64, 65, rng.integers(1, 5000)]))
    m = int(rng.choice([1, 2, 127, rng.integers(1, 100_000)]))
    kinds = [kind for kind in LABELS if np.iinfo(kind).max >= m - 1]
    labels = rng.integers(0, m, n).astype(kinds[rng.integers(len(kinds))])
    kind = values[rng.integers(len(values))]
    if np.dtype(kind).kind == "f":
        data = rng.normal(size=n).astype(kind)
    else:
        data = rng.integers(0, 1000, n).astype(kind)
    return labels, data, m


def loop(out, labels, values, function):
    """The oracle: one input after the other."""
    with np.errstate(over="ignore"):
        for label, value in zip(labels.tolist(), values):
            out[label] = function(out[label], value)
    return out


class ReductionTest(unittest.TestCase):
    OPERATORS = {
        "sum": np.add,
        "prod": np.multiply,
        "amin": np.minimum,
        "amax": np.maximum,
    }

    def setUp(self):
        self.rng = np.random.default_rng(SEED)

    def test_every_operator_is_the_loop_in_every_bit(self):
        for _ in range(60):
            labels, values, m = draw_case(self.rng)
            for reduce, function in self.OPERATORS.items():
                start = self.rng.integers(0, 9, m).astype(values.dtype)
                expected = loop(start.copy(), labels, values, function)
                out = start.copy()
                returned = presort.scatter_reduce(out, labels, values, reduce)
                self.assertIs(returned, out)
                np.testing.assert_array_equal(out, expected)

    def test_bincount_is_numpys(self):
        for _ in range(60):
            labels, values, _ = draw_case(self.rng)
            for minlength in (0, 7):
                if labels.dtype != np.uint64:  # which numpy refuses
                    expected = np.bincount(labels, minlength=minlength)
                    found = presort.bincount(labels, minlength=minlength)
                    np.testing.assert_array_equal(found, expected)
                    self.assertEqual(found.dtype, np.int64)
                    weighed = presort.bincount(labels, values, minlength)
                    np.testing.assert_array_equal(weighed, np.bincount(labels, values, minlength))
                    self.assertEqual(weighed.dtype, np.float64)

    def test_index_add_is_numpys_add_at(self):
        for _ in range(40):
            labels, values, m = draw_case(self.rng)
            expected = np.zeros(m, values.dtype)
            np.add.at(expected, labels, values)
            np.testing.assert_array_equal(
                presort.index_add(np.zeros(m, values.dtype), labels, values), expected
            )

    def test_segments_without_data_have_the_neutral_element(self):
        labels = np.array([2, 2])
        for kind in VALUES:
            data = np.array([3, 4], kind)
            least = np.iinfo(kind).min if np.dtype(kind).kind in "iu" else -np.inf
            greatest = np.iinfo(kind).max if np.dtype(kind).kind in "iu" else np.inf
            for function, empty, full in [
                (presort.segment_sum, 0, 7),
                (presort.segment_prod, 1, 12),
                (presort.segment_min, greatest, 3),
                (presort.segment_max, least, 4),
            ]:
                found = function(data, labels, 4)
                self.assertEqual(found.tolist(), np.array([empty, empty, full, empty], kind).tolist())
                self.assertEqual(found.dtype, kind)
                self.assertEqual(len(function(data, labels)), 3)

    def test_a_presort_changes_nothing(self):
        n, m = 200_000, 1 << 16
        labels = self.rng.integers(0, m, n)
        values = self.rng.normal(size=n)
        expected = presort.segment_sum(values, labels, m)
        try:
            for plan in ("sortBits=8", "sortBits=5,bufferBytes=512", "sortBits=0,prefetchDistance=32"):
                presort.use_plan(plan)
                np.testing.assert_array_equal(presort.segment_sum(values, labels, m), expected)
                self.assertIn(plan.split(",")[0], presort.last_plan())
            presort.set_threads(2)
            np.testing.assert_array_equal(presort.segment_sum(values, labels, m), expected)
        finally:
            presort.set_threads(0)
            presort.choose_by_rule()


class MoveTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(SEED + 1)

    def test_take(self):
        for _ in range(40):
            labels, _, m = draw_case(self.rng)
            table = self.rng.integers(0, 99, m).astype(VALUES[self.rng.integers(len(VALUES))])
            np.testing.assert_array_equal(
                presort.take(table, labels), table[labels.astype(np.int64)], strict=True
            )
            out = np.empty(len(labels), table.dtype)
            self.assertIs(presort.take(table, labels, out), out)

    def test_scatter_keeps_the_last(self):
        for _ in range(40):
            labels, values, m = draw_case(self.rng)
            expected = loop(np.zeros(m, values.dtype), labels, values, lambda old, new: new)
            found = presort.scatter(np.zeros(m, values.dtype), labels, values)
            np.testing.assert_array_equal(found, expected)

    def test_partial_sort(self):
        for _ in range(40):
            labels, values, m = draw_case(self.rng)
            if m < 2:
                continue
            width = (m - 1).bit_length()
            bits = int(self.rng.integers(1, min(width, 12) + 1))
            top = labels.astype(np.uint64) >> np.uint64(width - bits)
            order = np.argsort(top, kind="stable")
            sorted_labels, sorted_values, starts = presort.partial_sort(labels, values, m, bits)
            np.testing.assert_array_equal(sorted_labels, labels[order])
            np.testing.assert_array_equal(sorted_values, values[order])
            expected = np.searchsorted(top[order], np.arange(2**bits + 1, dtype=np.uint64))
            np.testing.assert_array_equal(starts, expected)


class ScanTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(SEED + 2)

    def test_multiscan_and_cumcount(self):
        for _ in range(40):
            labels, values, m = draw_case(self.rng)
            sums = np.zeros(m, values.dtype)
            before, after, earlier = [], [], []
            counts = [0] * m
            for label, value in zip(labels.tolist(), values):
                before.append(sums[label])
                sums[label] += value
                after.append(sums[label])
                earlier.append(counts[label])
                counts[label] += 1
            np.testing.assert_array_equal(presort.multiscan(labels, values, m), after)
            np.testing.assert_array_equal(
                presort.multiscan(labels, values, m, inclusive=False), before
            )
            np.testing.assert_array_equal(presort.cumcount(labels), earlier)


class RefusalTest(unittest.TestCase):
    """Every refusal names its argument, and leaves what would have been written as it was."""

    def refuses(self, error, text, function, *arguments, **keywords):
        out = arguments[0] if isinstance(arguments[0], np.ndarray) else np.zeros(0)
        before = out.copy()
        with self.assertRaises(error) as raised:
            function(*arguments, **keywords)
        self.assertIn(text, str(raised.exception))
        np.testing.assert_array_equal(out, before)

    def test_labels(self):
        out, values = np.ones(4), np.ones(3)
        add = presort.index_add
        self.refuses(IndexError, "label 4 at index 1", add, out, [0, 4, 1], values)
        self.refuses(presort.LabelError, "label -1 at index 2 is negative", add, out, [0, 3, -1], values)
        self.refuses(IndexError, "negative", add, out, np.array([0, -5, 1], np.int8), values)
        self.refuses(IndexError, "negative", presort.bincount, np.array([3, -2]))
        self.refuses(IndexError, "label 9", presort.take, np.ones(9), [9])
        self.refuses(TypeError, "labels: found elements of float64", add, out, values, values)
        self.refuses(ValueError, "labels: found 2 dimensions", add, out, [[1]], values)

    def test_values_and_results(self):
        out, labels = np.ones(4, np.float32), np.array([1, 2])
        add = presort.index_add
        self.refuses(ValueError, "values: found 3 elements, accepted: 2", add, out, labels, np.ones(3))
        self.refuses(TypeError, "values: found elements of complex128", add, out, labels, np.ones(2, complex))
        self.refuses(TypeError, "values: found elements of float64", add, np.ones(4, int), labels, np.ones(2))
        self.refuses(TypeError, "out: found elements of float16", add, np.ones(4, np.float16), labels, [1, 2])
        self.refuses(TypeError, "out: found list", add, [1, 2, 3], labels, [1, 2])
        self.refuses(ValueError, "out: found an array with gaps", add, np.ones(8)[::2], labels, [1, 2])
        frozen = np.ones(4)
        frozen.flags.writeable = False
        self.refuses(ValueError, "read-only", add, frozen, labels, [1.0, 2.0])
        self.refuses(ValueError, "reduce: found 'mean'", presort.scatter_reduce, out, labels, out[:2].copy(), "mean")
        self.refuses(ValueError, "overlap", add, out, labels, out[:2])
        self.refuses(ValueError, "num_segments: found -1", presort.segment_sum, out, np.arange(4), -1)

    def test_plans_and_files(self):
        for text in ("sortBits=99", "sortbits=8", "\0"):
            with self.assertRaises(ValueError):
                presort.use_plan(text)
        with self.assertRaises(presort.InputError) as raised:
            presort.load("/nonexistent/tuned.yaml")
        self.assertIn("/nonexistent/tuned.yaml", str(raised.exception))
        with self.assertRaises(ValueError):
            presort.set_threads(-1)

    def test_labels_that_are_all_negative(self):
        for function in (presort.segment_sum, presort.segment_max):
            with self.assertRaisesRegex(presort.LabelError, "label -5 at index 0 is negative"):
                function(np.ones(2), np.array([-5, -5]))

    def test_arrays_in_other_shapes_are_copied_right(self):
        labels = np.arange(10)[::-2]
        values = np.arange(20.0)[::4]
        self.assertEqual(presort.segment_sum(values, labels, 10)[9], 0.0)
        self.assertEqual(presort.segment_sum(values, labels, 10)[1], 16.0)
        swapped = values.astype(values.dtype.newbyteorder())
        np.testing.assert_array_equal(
            presort.segment_sum(swapped, labels), presort.segment_sum(values, labels)
        )


class TunedFileTest(unittest.TestCase):
    FILE = Path(__file__).parents[2] / "tests" / "io" / "valid" / "tuned.yaml"

    def test_a_file_of_another_machine_is_refused(self):
        with self.assertRaisesRegex(presort.InputError, "is of another machine"):
            presort.load(self.FILE)

    def test_plans_come_from_a_file_of_this_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tuned.yaml"
            text = self.FILE.read_text(encoding="utf-8")
            file.write_text(text.replace("isa: generic", f"isa: {platform.machine()}"), "utf-8")
            try:
                with warnings.catch_warnings(record=True):
                    presort.load(file)
                labels = np.random.default_rng(SEED).integers(0, 2**16, 2**18, np.uint32)
                presort.segment_sum(np.ones(2**18, np.uint32), labels, 2**16)
                self.assertIn("from the table's multireduce", presort.last_plan())
            finally:
                presort.choose_by_rule()


class ThreadTest(unittest.TestCase):
    def test_calls_from_several_threads(self):
        labels = np.random.default_rng(SEED).integers(0, 1000, 100_000)
        expected = np.bincount(labels)
        wrong = []

        def work():
            for _ in range(20):
                if not np.array_equal(presort.bincount(labels), expected):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_an_interrupt_from_the_keyboard_comes_after_the_call(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        labels = np.arange(1 << 22, dtype=np.uint32)[::-1].copy()
        values = np.ones(1 << 22, np.float32)
        out = np.zeros(1 << 22, np.float32)
        add = threading.Event()

        def interrupt():
            add.wait()
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=interrupt)
        sender.start()
        calls = 0
        with self.assertRaises(KeyboardInterrupt):
            add.set()
            for _ in range(10000):
                presort.index_add(out, labels, values)
                calls += 1
        sender.join()
        # No call is made by half: each has added 1 everywhere.
        self.assertTrue((out == out[0]).all())
        self.assertIn(out[0], (calls, calls + 1))
        np.testing.assert_array_equal(presort.index_add(np.zeros(2), [1, 1], [1.0, 2.0]), [0, 3])

    def test_errors_survive_pickling(self):
        error = presort.LabelError("label 7 at index 0 is not below the number of buckets, 3")
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))


class RowsTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(SEED)

    def draw(self):
        labels, _, m = draw_case(self.rng)
        m = min(m, 2000)
        labels = (labels.astype(np.int64) % m).astype(np.int32)
        columns = int(self.rng.choice([1, 2, 7, 16, 65]))
        return labels, m, columns

    def test_index_add_of_integer_rows_is_the_loop(self):
        for _ in range(25):
            labels, m, columns = self.draw()
            for kind in (np.int32, np.uint32, np.int64, np.uint64):
                values = self.rng.integers(0, 1000, (len(labels), columns)).astype(kind)
                start = self.rng.integers(0, 9, (m, columns)).astype(kind)
                expected = start.copy()
                np.add.at(expected, labels, values)
                self.assertIs(presort.index_add(start, labels, values), start)
                np.testing.assert_array_equal(start, expected)

    def test_index_add_of_float_rows_is_the_loop_up_to_rounding_and_the_same_every_time(self):
        for _ in range(25):
            labels, m, columns = self.draw()
            for kind, tolerance in ((np.float32, 2e-5), (np.float64, 1e-13)):
                values = self.rng.random((len(labels), columns)).astype(kind)
                expected = np.zeros((m, columns), np.float64)
                np.add.at(expected, labels, values.astype(np.float64))
                out = presort.index_add(np.zeros((m, columns), kind), labels, values)
                np.testing.assert_allclose(out, expected, rtol=tolerance)
                presort.set_threads(3)
                again = presort.index_add(np.zeros((m, columns), kind), labels, values)
                presort.set_threads(0)
                np.testing.assert_array_equal(out, again)

    def test_take_of_rows_is_numpys(self):
        for _ in range(25):
            labels, m, columns = self.draw()
            for kind in VALUES:
                table = self.rng.integers(0, 1000, (m, columns)).astype(kind)
                np.testing.assert_array_equal(presort.take(table, labels), table[labels])
                out = np.empty((len(labels), columns), kind)
                self.assertIs(presort.take(table, labels, out), out)

    def test_what_is_refused(self):
        out = np.zeros((3, 2))
        with self.assertRaisesRegex(ValueError, "rows of 3 elements, accepted: 2"):
            presort.index_add(out, [0], np.ones((1, 3)))
        with self.assertRaisesRegex(ValueError, "values: found 1 dimensions, accepted: 2"):
            presort.index_add(out, [0], np.ones(1))
        with self.assertRaises(IndexError):
            presort.index_add(out, [0, 3], np.ones((2, 2)))
        with self.assertRaises(IndexError):
            presort.take(out, [-1])
        self.assertFalse(out.any())
        self.assertEqual(presort.take(np.zeros((3, 0)), [1, 1]).shape, (2, 0))
        presort.index_add(np.zeros((3, 0)), [1], np.zeros((1, 0)))


class GroupSumTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(SEED)

    def check(self, keys, values):
        found, sums, counts = presort.group_sum(keys, values)
        expected = {}
        for key, value in zip(keys.tolist(), values):
            with np.errstate(over="ignore"):
                expected[key] = expected.get(key, values.dtype.type(0)) + value
        self.assertEqual(found.tolist(), sorted(expected))
        np.testing.assert_array_equal(sums, np.array([expected[key] for key in sorted(expected)], values.dtype))
        self.assertEqual(sums.dtype, values.dtype)
        self.assertEqual(found.dtype, keys.dtype)
        self.assertEqual(int(counts.sum()), len(keys))
        np.testing.assert_array_equal(counts, np.unique(keys, return_counts=True)[1])
        unsorted = presort.group_sum(keys, values, sort=False)
        self.assertEqual(sorted(zip(*map(np.ndarray.tolist, unsorted))),
                         sorted(zip(found.tolist(), sums.tolist(), counts.tolist())))

    def test_sums_are_those_of_a_dictionary_in_every_bit(self):
        for _ in range(40):
            n = int(self.rng.choice([0, 1, 2, 511, 512, 513, self.rng.integers(1, 5000)]))
            kind = [np.int32, np.uint32, np.int64, np.uint64][self.rng.integers(4)]
            limits = np.iinfo(kind)
            few = self.rng.integers(limits.min, limits.max, max(1, n // 3), kind, endpoint=True)
            keys = self.rng.choice(few, n) if n else np.empty(0, kind)
            for value_kind in VALUES:
                values = (self.rng.normal(size=n) * 100).astype(np.float64)
                values = np.abs(values).astype(value_kind)
                self.check(keys, values)

    def test_more_groups_than_the_cache_holds_are_partitioned(self):
        n = 400_000
        keys = self.rng.integers(-(2**62), 2**62, n) // 2 * 2
        keys[: n // 2] = keys[n // 2 :]  # each twice
        keys[::7] = 5  # and one that is frequent
        self.check(keys, self.rng.normal(size=n))

    def test_what_is_refused(self):
        with self.assertRaisesRegex(ValueError, "values: found 1 elements, accepted: 2"):
            presort.group_sum([1, 2], [1.0])
        with self.assertRaisesRegex(TypeError, "keys: found elements of float64"):
            presort.group_sum([0.5], [1.0])


class OnADevice:
    """An array as another library hands it over, on a device of its choice."""

    def __init__(self, device):
        self.device = device

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, **_):
        raise AssertionError("its memory is not to be asked for")


class OverDlpack:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)


class DlpackTest(unittest.TestCase):
    def test_arrays_of_other_libraries_are_read(self):
        labels, values = np.array([1, 0, 1]), np.array([1.0, 2.0, 4.0])
        found = presort.segment_sum(OverDlpack(values), OverDlpack(labels), 2)
        np.testing.assert_array_equal(found, [2, 5])

    def test_arrays_of_a_gpu_are_refused_by_name(self):
        for device in (2, 13):
            with self.assertRaisesRegex(TypeError, "data: found an array in a GPU's memory"):
                presort.segment_sum(OnADevice(device), [0], 1)
            with self.assertRaisesRegex(TypeError, "presort.cuda"):
                presort.segment_sum([1.0], OnADevice(device), 1)
        with self.assertRaisesRegex(TypeError, "DLPack type 8"):
            presort.segment_sum([1.0], OnADevice(8), 1)

    def test_out_must_share_its_memory(self):
        with self.assertRaisesRegex(TypeError, "out: found OverDlpack"):
            presort.index_add(OverDlpack(np.zeros(2)), [0], [1.0])


if __name__ == "__main__":
    unittest.main()
