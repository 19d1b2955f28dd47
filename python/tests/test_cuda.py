"""presort.cuda: the checks of arrays and streams, with objects that only look like arrays of a GPU; and, on
a machine with a GPU and PyTorch or CuPy, sums and gathers against theirs."""

import ctypes
import importlib.util
import random
import re
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import presort
import presort.cuda
import presort.gpu_library
import presort.gpu_order


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
    def setUp(self):
        # Calls are not made, and the library need not be there.
        prepare = mock.patch.object(presort.cuda, "_prepare_tensor_calls")
        prepare.start()
        self.addCleanup(prepare.stop)

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
        self.refused(TypeError, "^out: found elements of <c8", **fakes(out=Fake(4, "<c8")))
        self.refused(TypeError, "^out: found elements of >f4", **fakes(out=Fake(4, ">f4")))
        self.refused(TypeError, "^values: found <f8 as elements, accepted: <f4", **fakes(values=Fake(9, "<f8")))

    def test_arrays_of_two_streams_are_refused(self):
        self.refused(ValueError, "^stream: found out on stream 7 and values on stream 8",
                     **fakes(out=Fake(4, stream=7), values=Fake(9, stream=8)))  # fmt: skip
        self.refused(ValueError, "^values: found stream 0", **fakes(values=Fake(9, stream=0)))
        for stream in ("7", 1.5, -1, True):
            self.refused(TypeError, "^stream: found", stream=stream, **fakes())

    def test_arrays_on_two_devices_are_refused(self):
        def on(device):
            return presort.gpu_arrays.GpuArray(4096, (9,), "<f4", None, device)

        with self.assertRaisesRegex(ValueError, "^labels: found memory of GPU 1, accepted: GPU 0, as the others"):
            presort.gpu_arrays.place_of(5, ("out", "labels"), (None, None), (on(0), on(1)))
        unknown = presort.gpu_arrays.UNKNOWN_DEVICE
        self.assertEqual(presort.gpu_arrays.place_of(5, ("out", "labels"), (None, None), (on(2), on(2))), (2, 5))
        # The library looks where an array lies whose device is not known.
        self.assertEqual(presort.gpu_arrays.place_of(5, ("out", "labels"), (None, None), (on(2), on(unknown)))[0], unknown)

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
        self.assertEqual(made, ["presort_cuda_reduce", 4, 128, 7, 0, 4096, 9, 64, 4, 7, False, -1])

    def test_rows_and_halves_are_summed_in_order(self):
        def rows(element):
            out, values = Fake(4, element, data=(64, False)), Fake(9, element)
            out.__cuda_array_interface__["shape"], values.__cuda_array_interface__["shape"] = (4, 5), (9, 5)
            return out, values

        out, values = rows("<f8")
        made = calls_made(out, Fake(9, "<u8", data=(128, True)), values, checked=True)
        self.assertEqual(made, ["presort_cuda_add_rows", 8, 128, 3, 4096, 9, 64, 4, 5, 1, True, -1])
        self.assertEqual(calls_made(Fake(4, "<f2"), Fake(9, "<u8"), Fake(9, "<f2"))[8], 1)  # one column
        out.__cuda_array_interface__["strides"] = (80, 16)
        self.refused(ValueError, "^out: found an array with gaps", out=out, labels=Fake(9, "<i8"), values=values)
        out.__cuda_array_interface__["strides"] = (40, 8)
        calls_made(out, Fake(9, "<i8"), values)
        values.__cuda_array_interface__["shape"] = (9, 6)
        self.refused(ValueError, "^values: found rows of", out=out, labels=Fake(9, "<i8"), values=values)
        values.__cuda_array_interface__["shape"] = (9,)
        self.refused(ValueError, "^values: found 1 dimensions, accepted: 2", out=out, labels=Fake(9, "<i8"), values=values)

    def test_operators(self):
        def operator(reduce, element="<f4", **keywords):
            with mock.patch.object(presort.cuda, "_call") as call:
                presort.cuda.scatter_reduce(
                    Fake(4, element), Fake(9, "<i8"), Fake(9, element), reduce, **keywords
                )
            return call.call_args.args[4]

        self.assertEqual([operator(one) for one in ("sum", "prod", "amin", "amax", "min", "max")], [0, 1, 2, 3, 2, 3])
        self.assertEqual(operator("sum", deterministic=True), 4)
        self.assertEqual(operator("amin", deterministic=True), 2)
        self.assertEqual(operator("prod", "<i4", deterministic=True), 1)
        for wrong in ("mean", None, 3):
            self.refused(ValueError, "^reduce: found", presort.cuda.scatter_reduce, reduce=wrong, **fakes())
        self.refused(ValueError, "^deterministic: found True", presort.cuda.scatter_reduce, reduce="prod",
                     deterministic=True, **fakes())  # fmt: skip
        self.refused(ValueError, "accepted for rows and halves: sum", presort.cuda.scatter_reduce, reduce="amax",
                     out=Fake(4, "<f2"), labels=Fake(9, "<i8"), values=Fake(9, "<f2"))  # fmt: skip

    def test_counts_and_scatters_are_checked(self):
        with mock.patch.object(presort.cuda, "_call") as call:
            presort.cuda.bincount(Fake(4, "<i8"), Fake(9, "<u4"))
            presort.cuda.scatter(Fake(4, "<f8"), Fake(9, "<u4"), Fake(9, "<f8"))
        counted, scattered = (one.args for one in call.call_args_list)
        self.assertEqual(counted, ("presort_cuda_count", 4, 4096, 9, 8, 4096, 4, 1, False, -1))
        self.assertEqual(scattered, ("presort_cuda_scatter", 4, 4096, 8, 4096, 9, 4096, 4, 1, False, -1))
        self.refused(TypeError, "^out: found elements of <f4", presort.cuda.bincount, out=Fake(4), labels=Fake(9, "<i8"))
        self.refused(ValueError, "^values: found 8 elements", presort.cuda.scatter, **fakes(values=Fake(8)))

    def test_counts_of_weights_are_sums(self):
        with mock.patch.object(presort.cuda, "_call") as call:
            presort.cuda.bincount(Fake(4), Fake(9, "<i8"), Fake(9), deterministic=True)
        self.assertEqual(call.call_args.args, ("presort_cuda_reduce", 8, 4096, 2, 4, 4096, 9, 4096, 4, 1, False, -1))
        self.refused(ValueError, "^weights: found 8 elements, accepted: 9", presort.cuda.bincount, out=Fake(4),
                     labels=Fake(9, "<i8"), weights=Fake(8))  # fmt: skip
        self.refused(TypeError, "^weights: found ndarray", presort.cuda.bincount, out=Fake(4), labels=Fake(9, "<i8"),
                     weights=np.ones(9))  # fmt: skip

    def test_scans_are_checked(self):
        arrays = {"out": Fake(9, "<f8"), "labels": Fake(9, "<u4"), "values": Fake(9, "<f8"), "sums": Fake(4, "<f8")}
        with mock.patch.object(presort.cuda, "_call") as call:
            self.assertIs(presort.cuda.multiscan(**arrays, inclusive=False, checked=True), arrays["out"])
        self.assertEqual(call.call_args.args, ("presort_cuda_scan", 4, 4096, 3, False, 4096, 9, 4096, 4, 4096, 1, True, -1))
        scan = presort.cuda.multiscan
        for name, other, words in (("out", Fake(8, "<f8"), "8 elements"), ("values", Fake(8, "<f8"), "8 elements"),
                                   ("sums", Fake(4, "<f8", data=(64, True)), "an array that is read-only"),
                                   ("out", Fake(9, "<f8", data=(64, True)), "an array that is read-only")):  # fmt: skip
            self.refused(ValueError, f"^{name}: found {words}", scan, **{**arrays, name: other})
        for name, other in (("sums", Fake(4)), ("values", Fake(9)), ("labels", Fake(9)), ("out", None)):
            self.refused(TypeError, f"^{name}: found", scan, **{**arrays, name: other})

    def test_numbers_of_inputs_are_checked(self):
        arrays = {"out": Fake(9, "<i8"), "labels": Fake(9, "<u4"), "counts": Fake(4, "<i8")}
        with mock.patch.object(presort.gpu_order, "call") as call:
            self.assertIs(presort.cuda.cumcount(**arrays), arrays["out"])
            made = call.call_args.args
            call.reset_mock()
            for name, other, error in (("out", Fake(8, "<i8"), ValueError), ("counts", Fake(4, "<i4"), TypeError),
                                       ("counts", Fake(4, "<i8", data=(64, True)), ValueError)):  # fmt: skip
                with self.assertRaisesRegex(error, f"^{name}: found"):
                    presort.cuda.cumcount(**{**arrays, name: other})
            call.assert_not_called()
        self.assertEqual(made, ("presort_cuda_tag", 4, 4096, 9, 8, 4096, 4, 4096, 1, False, -1))

    def test_partial_sorts_are_checked(self):
        arrays = {"labels": Fake(9, "<u4"), "values": Fake(9, "<f8"), "num_buckets": 12, "bits": 3,
                  "out_labels": Fake(9, "<u4"), "out_values": Fake(9, "<f8"), "starts": Fake(9, "<i8")}  # fmt: skip
        with mock.patch.object(presort.gpu_order, "call") as call:
            self.assertIsNone(presort.cuda.partial_sort(**arrays, stream=7))
            made = call.call_args.args
            call.reset_mock()
            for name, other, error in (("bits", 0, ValueError), ("bits", 5, ValueError), ("starts", Fake(8, "<i8"), ValueError),
                                       ("starts", Fake(9, "<i4"), TypeError), ("out_values", Fake(9), TypeError),
                                       ("out_labels", Fake(9, "<u4", data=(64, True)), ValueError),
                                       ("values", Fake(9, "<f2"), TypeError), ("values", Fake(8, "<f8"), ValueError)):  # fmt: skip
                with self.assertRaisesRegex(error, f"^{name}: found"):
                    presort.cuda.partial_sort(**{**arrays, name: other})
            with self.assertRaisesRegex(ValueError, "^bits: found 1, accepted: 1 to 0"):
                presort.cuda.partial_sort(**{**arrays, "num_buckets": 1, "bits": 1})
            call.assert_not_called()
        self.assertEqual(made, ("presort_cuda_sort", 4, 4096, 8, 4096, 9, 12, 3, 4096, 4096, 4096, 7, False, -1))

    def test_groups_are_checked(self):
        arrays = {"keys": Fake(9, "<i8"), "values": Fake(9), "out_keys": Fake(5, "<i8"), "out_sums": Fake(5)}
        more = {"out_counts": Fake(5, "<u4"), "count": Fake(1, "<i8", data=(64, False))}

        def found(number):
            def call(*arguments):
                ctypes.c_uint64.from_address(arguments[11]).value = number

            return mock.patch.object(presort.gpu_order, "call", side_effect=call)

        with found(5) as call:
            self.assertEqual(presort.cuda.group_sum(**arrays), 5)
            made = call.call_args.args
            self.assertIs(presort.cuda.group_sum(**arrays, **more), more["count"])
            with_more = call.call_args.args
        self.assertEqual(made[:11], ("presort_cuda_group_sum", 8, 4096, 2, 4096, 9, 4096, 4096, 0, 5, 0))
        self.assertEqual(with_more[8:11], (4096, 5, 64))
        with found(6), self.assertRaisesRegex(ValueError, "^out_keys: found room for 5 groups, accepted: 6"):
            presort.cuda.group_sum(**arrays)
        with found(0) as call:
            for name, other, error in (("keys", Fake(9), TypeError), ("values", Fake(8), ValueError),
                                       ("out_keys", Fake(5, "<i4"), TypeError), ("out_sums", Fake(4), ValueError),
                                       ("out_counts", Fake(5, "<i8"), TypeError), ("out_counts", Fake(4, "<i4"), ValueError),
                                       ("count", Fake(2, "<i8"), ValueError), ("count", Fake(1, "<i4"), TypeError),
                                       ("out_sums", Fake(5, data=(64, True)), ValueError)):  # fmt: skip
                with self.assertRaisesRegex(error, f"^{name}: found"):
                    presort.cuda.group_sum(**{**arrays, **more, name: other})
            call.assert_not_called()

    def test_functions_have_the_librarys_arguments(self):
        source = Path(__file__).parents[1] / "src/cuda/entry.cu"
        if not source.exists():
            self.skipTest("no source tree")
        types = {"int": ctypes.c_int, "uint64_t": ctypes.c_uint64, "const void*": ctypes.c_void_p,
                 "void*": ctypes.c_void_p}  # fmt: skip
        found = {}
        for name, arguments in re.findall(r"PRESORT_EXPORT int (\w+)\(([^)]*)\)", source.read_text()):
            kinds = [" ".join(one.split()[:-1]) for one in arguments.split(",")]
            found[name] = tuple(types[kind] for kind in kinds)
        self.assertEqual(found, presort.gpu_library.ARGUMENTS)

    def test_numbers_of_types_and_operators_are_those_of_the_library(self):
        source = Path(__file__).parents[1] / "src/cuda/elements.cuh"
        if not source.exists():
            self.skipTest("no source tree")
        enums = {name: [one.strip() for one in names.split(",")]
                 for name, names in re.findall(r"enum class (\w+) : int \{([^}]*)\}", source.read_text())}  # fmt: skip
        elements = ["<u4", "<u8", "<f4", "<f8", "<f2", "bfloat16", "<i4", "<i8"]
        self.assertEqual(enums["Element"], ["u32", "u64", "f32", "f64", "f16", "bf16", "i32", "i64"])
        self.assertEqual([presort.gpu_library.ROWS[one] for one in elements], list(range(8)))
        operators = [presort.cuda._REDUCES[one] for one in ("sum", "prod", "amin", "amax")]
        self.assertEqual(enums["Reduce"], ["sum", "product", "least", "greatest", "sumInOrder"])
        self.assertEqual([*operators, presort.cuda._SUM_IN_ORDER], list(range(5)))

    def test_streams_given_and_default(self):
        def on(stream=None, **changed):
            return calls_made(**fakes(**changed), stream=stream)[9]

        self.assertEqual(on(), 1)  # the legacy default stream
        self.assertEqual(on(0), 1)
        self.assertEqual(on(99, values=Fake(9, stream=8)), 99)
        self.assertEqual(on(mock.Mock(spec=["cuda_stream"], cuda_stream=55)), 55)
        self.assertEqual(on(mock.Mock(spec=["ptr"], ptr=56)), 56)
        self.assertEqual(on(out=Fake(4, stream=1), values=Fake(9, stream=None)), 1)

    def test_empty_arrays_and_one_element_with_strides(self):
        none = Fake(0, "<i8", data=(0, False))
        made = calls_made(Fake(4), none, Fake(0, data=(0, False)))
        self.assertEqual(made[6], 0)
        self.assertEqual(calls_made(Fake(1, strides=(400,)), none, Fake(0))[8], 1)

    def test_errors_of_the_library_are_those_of_the_package(self):
        functions = {"presort_cuda_error": lambda: b"some words"}
        for code, error in ((1, ValueError), (2, presort.LabelError), (3, presort.EnvironmentError)):
            with mock.patch.dict(presort.gpu_library.functions, functions), self.assertRaisesRegex(error, "some words"):
                presort.gpu_library.throw(code)

    def test_without_the_library_it_says_so(self):
        with mock.patch.dict(presort.gpu_library.functions, clear=True), mock.patch.object(presort.gpu_library, "LIBRARY", "none.so"):
            with self.assertRaisesRegex(ImportError, "built without CUDA"):
                presort.cuda.index_add(**fakes())


def has_gpu(library):
    if importlib.util.find_spec(library) is None or not presort.gpu_library.is_there():
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

    def test_reductions_counts_and_scatters_are_torchs(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, m in self.SIZES:
            for label in (torch.int32, torch.int64):
                labels = torch.randint(0, m, (n,), device="cuda", dtype=label)
                for value in (torch.int32, torch.int64, torch.float32, torch.float64):
                    values = torch.randint(-9, 10, (n,), device="cuda").to(value)
                    start = torch.randint(-3, 4, (m,), device="cuda").to(value)
                    for reduce in ("amin", "amax", "sum"):
                        expected = start.scatter_reduce(0, labels.long(), values, reduce)
                        for deterministic in (False, True):
                            found = presort.cuda.scatter_reduce(
                                start.clone(), labels, values, reduce, deterministic=deterministic
                            )
                            self.assertTrue(torch.equal(found, expected), (n, m, label, value, reduce))
                    signs = values.sign() + (values == 0).to(value)  # products of 1 and -1 are exact
                    found = presort.cuda.scatter_reduce(start.clone(), labels, signs, "prod")
                    self.assertTrue(torch.equal(found, start.scatter_reduce(0, labels.long(), signs, "prod")))
                    found = presort.cuda.scatter(start.clone(), labels, values).cpu()
                    expected, order = start.cpu(), labels.long().cpu()
                    presort.scatter(expected, order, values.cpu())
                    self.assertTrue(torch.equal(found, expected), (n, m, label, value))
                counts = presort.cuda.bincount(torch.ones(m, device="cuda", dtype=torch.int64), labels)
                self.assertTrue(torch.equal(counts - 1, torch.bincount(labels, minlength=m)))

    def test_scans_and_numbers_are_those_of_the_cpu(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, m in self.SIZES:
            labels = torch.randint(0, m, (n,), device="cuda", dtype=random.choice([torch.int32, torch.int64]))
            for value in (torch.int32, torch.int64, torch.float32, torch.float64):
                values = torch.randint(-3, 4, (n,), device="cuda").to(value)  # sums are exact in any order
                start = torch.randint(-3, 4, (m,), device="cuda").to(value)
                for inclusive in (True, False):
                    sums, out = start.clone(), torch.empty_like(values)
                    presort.cuda.multiscan(out, labels, values, sums, inclusive=inclusive, checked=True)
                    expected = presort.multiscan(labels.cpu(), values.cpu(), m, inclusive=inclusive)
                    expected = torch.from_numpy(expected).cuda() + start[labels.long()]
                    self.assertTrue(torch.equal(out, expected), (n, m, value, inclusive))
                    self.assertTrue(torch.equal(sums, start.index_add(0, labels, values)), (n, m, value))
            for count in (torch.int32, torch.int64):
                counts, out = torch.ones(m, device="cuda", dtype=count), torch.empty(n, device="cuda", dtype=count)
                presort.cuda.cumcount(out, labels, counts)
                self.assertTrue(np.array_equal(out.cpu().numpy() - 1, presort.cumcount(labels.cpu(), m)), (n, m, count))
                self.assertTrue(torch.equal(counts.long() - 1, torch.bincount(labels, minlength=m)), (n, m, count))

    def test_partial_sorts_are_those_of_the_cpu(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, m, bits in [(0, 4, 2), (1, 2, 1), (7, 3, 1), (255, 1000, 10), (100_003, 513, 9), (1 << 20, 1 << 18, 12),
                           (3_000_001, 1 << 22, 8), (1000, 1 << 25, 23)]:  # fmt: skip
            for label in (torch.int32, torch.int64):
                labels = torch.randint(0, m, (n,), device="cuda", dtype=label)
                for value in (torch.int32, torch.float64):
                    values = torch.arange(n, device="cuda").to(value)
                    out = torch.empty_like(labels), torch.empty_like(values)
                    starts = torch.full(((1 << bits) + 1,), -1, device="cuda", dtype=torch.int64)
                    presort.cuda.partial_sort(labels, values, m, bits, *out, starts, checked=True)
                    expected = presort.partial_sort(labels.cpu(), values.cpu(), m, bits)
                    for one, other in zip((*out, starts), expected):
                        self.assertTrue(np.array_equal(one.cpu().numpy(), other), (n, m, bits, label, value))

    def test_groups_are_those_of_the_cpu(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, groups in [(0, 1), (1, 1), (255, 300), (100_003, 513), (1 << 20, 1 << 16), (3_000_001, 1 << 20)]:
            for key in (torch.int32, torch.int64):
                keys = torch.randint(-groups, groups, (n,), device="cuda", dtype=key) * 1999
                for value in (torch.int64, torch.float32, torch.float64):
                    values = torch.randint(-3, 4, (n,), device="cuda").to(value)  # sums are exact in any order
                    expected = presort.group_sum(keys.cpu(), values.cpu())
                    room = len(expected[0])
                    for waits in (True, False):
                        of = torch.empty(room, device="cuda", dtype=key), torch.empty(room, device="cuda", dtype=value)
                        counts = torch.empty(room, device="cuda", dtype=torch.int32)
                        number = None if waits else torch.zeros(1, device="cuda", dtype=torch.int64)
                        found = presort.cuda.group_sum(keys, values, *of, counts, count=number)
                        self.assertEqual(int(found), room, (n, groups, key, value, waits))
                        order = of[0].argsort()
                        for one, other in zip((*of, counts), expected):
                            self.assertTrue(np.array_equal(one[order].cpu().numpy(), other), (n, groups, key, value, waits))
                    if room > 1:
                        with self.assertRaisesRegex(ValueError, f"^out_keys: found room for {room - 1} groups"):
                            presort.cuda.group_sum(keys, values, of[0][:-1], of[1][:-1])

    def test_counts_of_weights_are_torchs(self):
        import torch

        for n, m in self.SIZES:
            labels, weights = torch.randint(0, m, (n,), device="cuda"), torch.randint(0, 9, (n,), device="cuda").double()
            for deterministic in (False, True):
                found = presort.cuda.bincount(torch.ones(m, device="cuda").double(), labels, weights,
                                              deterministic=deterministic)  # fmt: skip
                self.assertTrue(torch.equal(found - 1, torch.bincount(labels, weights, m)), (n, m))

    def test_rows_are_torchs_and_the_same_in_every_run(self):
        import torch

        torch.manual_seed(random.randrange(2**31))
        for n, m, columns in [(0, 3, 2), (1, 1, 1), (65, 30, 7), (20_001, 513, 64), (100_003, 9, 33)]:
            labels = torch.randint(0, m, (n,), device="cuda", dtype=random.choice([torch.int32, torch.int64]))
            for value in (torch.int32, torch.int64, torch.float32, torch.float64, torch.float16, torch.bfloat16):
                # With the few values that halves hold exactly
                whole = torch.randint(-3, 4, (n, columns), device="cuda")
                if value in (torch.float16, torch.bfloat16) and n > 1000:
                    whole = (whole == 3).long() * (torch.rand(n, 1, device="cuda") < 0.001)
                values, start = whole.to(value), torch.randint(-3, 4, (m, columns), device="cuda").to(value)
                found = presort.cuda.index_add(start.clone(), labels, values)
                self.assertTrue(torch.equal(found, start.index_add(0, labels, values)), (n, m, columns, value))
                taken = torch.empty_like(values)
                presort.cuda.take(found, labels, taken)
                self.assertTrue(torch.equal(taken, found[labels.long()]), (n, m, columns, value))
        labels, values = torch.randint(0, 100, (1 << 20,), device="cuda"), torch.randn(1 << 20, device="cuda")
        for shape in ((-1,), (-1, 1), (1 << 17, 8)):
            rows = values.reshape(shape)
            runs = [
                presort.cuda.index_add(
                    torch.zeros(100, *rows.shape[1:], device="cuda"), labels[: len(rows)], rows, deterministic=True
                )
                for _ in range(5)
            ]
            self.assertTrue(all(torch.equal(run, runs[0]) for run in runs), shape)
            exact = torch.zeros_like(runs[0].double()).index_add(0, labels[: len(rows)], rows.double())
            torch.testing.assert_close(runs[0].double(), exact, rtol=1e-4, atol=1e-2)

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
        with self.assertRaisesRegex(TypeError, "values: found a tensor on cpu"):
            presort.cuda.index_add(sums, torch.tensor([0, 1, 2], device="cuda"), torch.ones(3))
        with self.assertRaisesRegex(TypeError, "out: found a tensor that requires a gradient"):
            presort.cuda.index_add(
                sums.clone().requires_grad_(), torch.tensor([0, 1, 2], device="cuda"), values
            )
        with self.assertRaisesRegex(ValueError, "out: found an array with gaps"):
            presort.cuda.index_add(
                torch.zeros(6, device="cuda")[::2], torch.tensor([0, 1, 2], device="cuda"), values
            )
        with self.assertRaisesRegex(ValueError, "columns: found 5000"):
            presort.cuda.index_add(torch.zeros(3, 5000, device="cuda"), torch.tensor([0], device="cuda"),
                                   torch.ones(1, 5000, device="cuda"))  # fmt: skip
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
