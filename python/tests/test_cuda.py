"""presort.cuda: the checks of arrays and streams, with objects that only look like arrays of a GPU; and, on
a machine with a GPU and PyTorch or CuPy, sums and gathers against theirs."""

import importlib.util
import random
import unittest
from unittest import mock

import numpy as np

import presort
import presort.cuda


class Fake:
    """Looks like an array in a GPU's memory."""

    def __init__(self, length, element="<f4", **other):
        self.__cuda_array_interface__ = {
            "shape": (length,), "typestr": element, "data": (4096, False), "version": 3, **other,
        }  # fmt: skip


def fakes(**changed):
    arrays = {"out": Fake(4), "labels": Fake(9, "<i8"), "values": Fake(9)}
    return {**arrays, **changed}


def calls_made(*arguments, **keywords):
    """What index_add hands to the library."""
    with mock.patch.object(presort.cuda, "_call") as call:
        presort.cuda.index_add(*arguments, **keywords)
    return [one.value if hasattr(one, "value") else one for one in call.call_args.args]


class CheckTest(unittest.TestCase):
    def refused(self, error, words, function=None, **arrays):
        with mock.patch.object(presort.cuda, "_call") as call, self.assertRaisesRegex(error, words):
            (function or presort.cuda.index_add)(**arrays)
        call.assert_not_called()

    def test_what_is_no_array_of_a_gpu_is_refused(self):
        for name in fakes():
            for other in (np.zeros(9, np.float32), [1, 2], None):
                self.refused(TypeError, f"^{name}: found .*GPU", **fakes(**{name: other}))

    def test_shapes_are_checked(self):
        self.refused(ValueError, "^values: found 8 elements, accepted: 9", **fakes(values=Fake(8)))
        two = Fake(9)
        two.__cuda_array_interface__["shape"] = (3, 3)
        self.refused(ValueError, "^values: found 2 dimensions", **fakes(values=two))
        self.refused(ValueError, "^values: found an array with gaps", **fakes(values=Fake(9, strides=(8,))))
        self.refused(ValueError, "^values: found a mask", **fakes(values=Fake(9, mask=Fake(9, "|b1"))))
        self.refused(ValueError, "^out: found an array that is read-only", **fakes(out=Fake(4, data=(4096, True))))

    def test_elements_are_checked(self):
        self.refused(TypeError, "^labels: found elements of <f4", **fakes(labels=Fake(9, "<f4")))
        self.refused(TypeError, "^labels: found elements of [|]i1", **fakes(labels=Fake(9, "|i1")))
        self.refused(TypeError, "^out: found elements of <f2", **fakes(out=Fake(4, "<f2")))
        self.refused(TypeError, "^out: found elements of >f4", **fakes(out=Fake(4, ">f4")))
        self.refused(TypeError, "^values: found <f8 as elements, accepted: <f4", **fakes(values=Fake(9, "<f8")))

    def test_arrays_of_two_streams_are_refused(self):
        self.refused(ValueError, "^stream: found out on stream 7 and values on stream 8",
                     **fakes(out=Fake(4, stream=7), values=Fake(9, stream=8)))  # fmt: skip
        self.refused(ValueError, "^values: found stream 0", **fakes(values=Fake(9, stream=0)))
        for stream in ("7", 1.5, -1, True):
            self.refused(TypeError, "^stream: found", stream=stream, **fakes())

    def test_take_is_checked(self):
        arrays = {"table": Fake(4), "indices": Fake(9, "<u4"), "out": Fake(9)}
        take = presort.cuda.take
        self.refused(ValueError, "^out: found 8 elements", take, **{**arrays, "out": Fake(8)})
        self.refused(TypeError, "^out: found <f8", take, **{**arrays, "out": Fake(9, "<f8")})
        self.refused(TypeError, "^indices: found", take, **{**arrays, "indices": Fake(9, "<f8")})

    def test_the_call_has_addresses_sizes_and_the_arrays_stream(self):
        out, labels, values = Fake(4, "<i8", data=(64, False)), Fake(9, "<u4", data=(128, True)), Fake(9, "<i8")
        for element in (labels, values):
            element.__cuda_array_interface__["stream"] = 7
        made = calls_made(out, labels, values)
        self.assertEqual(made, ["presort_cuda_index_add", 4, 128, 1, 4096, 9, 64, 4, 7, 0])

    def test_streams_given_and_default(self):
        def on(stream=None, **changed):
            return calls_made(**fakes(**changed), stream=stream)[8]

        self.assertEqual(on(), 1)  # the legacy default stream
        self.assertEqual(on(0), 1)
        self.assertEqual(on(99, values=Fake(9, stream=8)), 99)
        self.assertEqual(on(mock.Mock(spec=["cuda_stream"], cuda_stream=55)), 55)
        self.assertEqual(on(mock.Mock(spec=["ptr"], ptr=56)), 56)
        self.assertEqual(on(out=Fake(4, stream=1), values=Fake(9, stream=None)), 1)

    def test_empty_arrays_and_one_element_with_strides(self):
        none = Fake(0, "<i8", data=(0, False))
        made = calls_made(Fake(4), none, Fake(0, data=(0, False)))
        self.assertEqual(made[5], 0)
        self.assertEqual(calls_made(Fake(1, strides=(400,)), none, Fake(0))[7], 1)

    def test_errors_of_the_library_are_those_of_the_package(self):
        for code, error in ((1, ValueError), (2, presort.LabelError), (3, presort.EnvironmentError)):
            with self.assertRaisesRegex(error, "some words"):
                presort.cuda._throw(code, "some words")

    def test_without_the_library_it_says_so(self):
        with mock.patch.object(presort.cuda, "_loaded", None), mock.patch.object(presort.cuda, "_LIBRARY", "none.so"):
            with self.assertRaisesRegex(ImportError, "built without CUDA"):
                presort.cuda.index_add(**fakes())


def has_gpu(library):
    if importlib.util.find_spec(library) is None or not (presort.cuda.Path(presort.cuda.__file__).parent
                                                         / presort.cuda._LIBRARY).exists():  # fmt: skip
        return False
    return importlib.import_module(library).cuda.is_available()


@unittest.skipUnless(has_gpu("torch"), "no GPU, PyTorch, or package with CUDA: presort.cuda is not run")
class TorchTest(unittest.TestCase):
    SIZES = [(0, 3), (1, 1), (7, 4), (255, 1000), (100_003, 513), (1 << 20, 1 << 18), (3_000_001, 1 << 22)]

    def test_sums_and_gathers_are_torchs(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, m in self.SIZES:
            for label in (torch.int32, torch.int64):
                labels = torch.randint(0, m, (n,), device="cuda", dtype=label)
                for value in (torch.int32, torch.int64, torch.float32, torch.float64):
                    values = torch.randint(-3, 4, (n,), device="cuda").to(value)  # sums are exact in any order
                    sums = torch.randint(-3, 4, (m,), device="cuda").to(value)
                    expected = sums.index_add(0, labels, values)
                    self.assertIs(presort.cuda.index_add(sums, labels, values), sums)
                    self.assertTrue(torch.equal(sums, expected), (n, m, label, value))
                    taken = torch.empty(n, device="cuda", dtype=value)
                    presort.cuda.take(sums, labels, taken, checked=True)
                    self.assertTrue(torch.equal(taken, expected[labels.long()]), (n, m, label, value))

    def test_it_runs_on_the_callers_stream_and_waits_for_nothing(self):
        import torch

        n, m = 1 << 20, 1 << 16
        labels = torch.randint(0, m, (n,), device="cuda")
        values, sums = torch.ones(n, device="cuda"), torch.zeros(m, device="cuda")
        presort.cuda.index_add(sums, labels, values)  # chooses its plan, takes its scratch
        torch.cuda.synchronize()
        sums.zero_()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(400_000_000)  # some 0.2 s
            values.fill_(2)
            presort.cuda.index_add(sums, labels, values)
            busy = not stream.query()  # the call came back before the stream was done
            doubled = sums.sum()
        stream.synchronize()
        self.assertTrue(busy)
        self.assertEqual(float(doubled), 2 * n)
        # A graph can capture the call, which it could not if anything waited
        sums.zero_()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            presort.cuda.index_add(sums, labels, values)
        graph.replay()
        graph.replay()
        self.assertEqual(float(sums.sum()), 4 * n)

    def test_wrong_labels_and_memory_are_refused(self):
        import torch

        sums, values = torch.zeros(3, device="cuda"), torch.ones(3, device="cuda")
        with self.assertRaises(presort.LabelError):
            presort.cuda.index_add(sums, torch.tensor([0, 3, 2], device="cuda"), values, checked=True)
        self.assertEqual(float(sums.sum()), 0)
        host = np.zeros(3, np.int64)
        with self.assertRaisesRegex(ValueError, "labels: found memory that is not a GPU's"):
            presort.cuda.index_add(sums, Fake(3, "<i8", data=(host.ctypes.data, False)), values)


@unittest.skipUnless(has_gpu("cupy"), "no GPU, CuPy, or package with CUDA: CuPy's arrays are not tried")
class CupyTest(unittest.TestCase):
    def test_sums_are_cupys(self):
        import cupy

        with cupy.cuda.Stream(non_blocking=True) as stream:
            labels = cupy.random.randint(0, 1 << 12, 1 << 20)
            values = cupy.random.randint(-3, 4, 1 << 20).astype(cupy.float32)
            sums = presort.cuda.index_add(cupy.zeros(1 << 12, cupy.float32), labels, values)
            expected = cupy.bincount(labels, values, 1 << 12)
            stream.synchronize()
            self.assertTrue(bool((sums == expected).all()))


if __name__ == "__main__":
    unittest.main()
