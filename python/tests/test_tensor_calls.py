"""presort.cuda's calls from C++ (class TensorCalls), with tensors and a library that only look like those of
PyTorch, CuPy and CUDA: what the library is handed must be what presort.cuda's own, slow way hands over."""

import ctypes
import importlib.util
import random
import sys
import types
import unittest
from unittest import mock

import numpy as np

import presort
import presort.cuda
import presort.gpu_library
import presort.gpu_order
from presort._presort import TensorCalls

CUDA, OTHERWISE = 2, -1
CODES = {"i": 0, "u": 1, "f": 2, "b": 4, "c": 5}  # of DLPack


class Dtype(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DlTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
        ("dimensions", ctypes.c_int32), ("dtype", Dtype), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Api(ctypes.Structure):
    DESCRIBE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DlTensor))
    STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("before", ctypes.c_void_p),
        ("unused", ctypes.c_void_p * 3), ("describe", DESCRIBE), ("current_stream", STREAM),
    ]  # fmt: skip


class Tensor:
    """Looks like a tensor of PyTorch, and like an array of another library, on GPU `device`."""

    def __init__(self, shape, element="<f4", address=4096, strides=None, device=0, where=CUDA, offset=0):
        self.shape, self.element, self.address, self.strides = shape, element, address, strides
        self.device, self.where, self.offset, self.requires_grad = device, where, offset, False
        self.has_interface = where == CUDA
        self.kept = (ctypes.c_int64 * len(shape))(*shape), (ctypes.c_int64 * len(shape))(*(strides or ()))

    @property
    def __cuda_array_interface__(self):
        if self.where != CUDA:
            raise AttributeError
        size = 2 if self.element == "bfloat16" else int(self.element[2:])
        strides = None if self.strides is None else tuple(size * one for one in self.strides)
        return {"shape": self.shape, "typestr": self.element, "data": (self.address + self.offset, False),
                "strides": strides, "version": 3}  # fmt: skip


class Pointer:
    def __init__(self, ptr, device_id):
        self.ptr, self.device_id = ptr, device_id


class CupyArray:
    """Looks like an array of CuPy, with what a Tensor has."""

    def __init__(self, tensor):
        self.shape, self.ndim, self.size = tensor.shape, len(tensor.shape), int(np.prod(tensor.shape))
        self.dtype = tensor.element if tensor.element == "bfloat16" else np.dtype(tensor.element)
        self.data = Pointer(tensor.address + tensor.offset, tensor.device)
        strides = tensor.__cuda_array_interface__["strides"]
        self._c_contiguous, expected = True, 2 if tensor.element == "bfloat16" else self.dtype.itemsize
        for length, stride in zip(reversed(self.shape), reversed(strides or ())):
            self._c_contiguous &= self.size == 0 or length <= 1 or stride == expected
            expected *= length
        self.interface = {**tensor.__cuda_array_interface__, "strides": None if self._c_contiguous else strides}
        self.device = types.SimpleNamespace(id=tensor.device)

    @property
    def __cuda_array_interface__(self):
        return self.interface


CupyArray.__module__ = "cupy"
CUPY = types.SimpleNamespace(
    ndarray=CupyArray,
    dtype=np.dtype,
    cuda=types.SimpleNamespace(get_current_stream=lambda device: Pointer(70 + device if device else 0, device)),
)


def describe(tensor, out):
    if tensor.element is None:
        return -1
    code, size = ("b", 2) if tensor.element == "bfloat16" else (tensor.element[1], int(tensor.element[2:]))
    to = out.contents
    to.data, to.device_type, to.device, to.dimensions = tensor.address, tensor.where, tensor.device, len(tensor.shape)
    to.dtype, to.byte_offset = Dtype(CODES[code], 8 * size, 1), tensor.offset
    to.shape = ctypes.cast(tensor.kept[0], ctypes.POINTER(ctypes.c_int64))
    to.strides = None if tensor.strides is None else ctypes.cast(tensor.kept[1], ctypes.POINTER(ctypes.c_int64))
    return 0


def current_stream(device_type, device, out):
    out[0] = None if device == 0 else 70 + device
    return 0 if device_type == CUDA else -1


def capsule(api, name=b"dlpack_exchange_api"):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(ctypes.addressof(api), name, None)


API = Api(major=1, minor=3, describe=Api.DESCRIBE(describe), current_stream=Api.STREAM(current_stream))
NAMES = tuple(f"presort_cuda_{name}" for name in TensorCalls.functions)


class TensorCallsTest(unittest.TestCase):
    def setUp(self):
        self.made, self.code = [], 0

        def function(name):
            def made(*arguments):
                self.made.append((name, *(one or 0 for one in arguments)))
                return self.code

            return ctypes.CFUNCTYPE(ctypes.c_int, *presort.gpu_library.ARGUMENTS[name])(made)

        self.functions = [function(name) for name in NAMES]
        self.addresses = [ctypes.cast(one, ctypes.c_void_p).value for one in self.functions]
        self.calls = TensorCalls(self.addresses)
        self.calls.add_exchange(Tensor, capsule(API))
        self.modules = mock.patch.dict(sys.modules, cupy=CUPY)
        self.modules.start()
        self.addCleanup(self.modules.stop)
        array, dtypes, streams = presort.gpu_arrays.arrays_of_cupy()
        self.calls.add_cupy(array, [(one, presort.gpu_library.ROWS[name]) for name, one in dtypes.items()], streams)

    def slowly(self, call):
        """What the slow way hands to the library; None if it refuses."""
        made = mock.Mock()
        with mock.patch.multiple(presort.cuda, _call=made), mock.patch.multiple(presort.gpu_order, call=made):
            try:
                call()
            except (TypeError, ValueError):
                return None
        name, *arguments = made.call_args.args
        return (name, *(int(one) for one in arguments[:-1]))

    def drawn(self, draw, length, element):
        rows = draw.random() < 0.3
        shape = (length, draw.choice([0, 1, 3])) if rows else (length,)
        if draw.random() < 0.05:
            shape = draw.choice([(), (length, 1, 1)])
        strides = None
        if draw.random() < 0.5:
            strides, step = [], 1
            for one in reversed(shape):
                strides.insert(0, step if draw.random() < 0.9 else 7)
                step *= one
        return Tensor(shape, element, draw.randrange(1, 99) * 64, strides and tuple(strides),
                      offset=draw.choice([0, 0, 8]), where=CUDA if draw.random() < 0.98 else 1)  # fmt: skip

    def test_the_library_is_handed_what_the_slow_way_hands_over(self):
        draw = random.Random(seed := random.randrange(2**31))
        values = ["<i4", "<i8", "<u4", "<u8", "<f4", "<f8", "<f2", "bfloat16", "<i2", "<c8"]
        made, refused = {}, 0
        for _ in range(8000):
            element, n, m = draw.choice(values), draw.choice([0, 1, 2, 9]), draw.choice([0, 1, 4])
            out, from_ = self.drawn(draw, m, element), self.drawn(draw, n, element)
            if draw.random() < 0.7:  # as it mostly is
                from_ = Tensor((n, *out.shape[1:]), element)
            elif draw.random() < 0.2:
                from_.element = draw.choice(values)
            labels = self.drawn(draw, n if draw.random() < 0.95 else 5, draw.choice(["<i8", "<i4", "<u8", "<u4", "<f8"]))
            checked, deterministic = draw.random() < 0.5, draw.random() < 0.5
            reduce = draw.choice(["sum", "prod", "amin", "amax"])
            self.made.clear()
            operation = draw.choice(["reduce", "take", "count", "scatter", "scan", "tag", "sort"])
            sums = self.drawn(draw, m, draw.choice([element] * 9 + values))
            if operation == "scan" and draw.random() < 0.7:
                out = Tensor((n,), element, 640)
            if operation == "tag" and draw.random() < 0.7:
                element = draw.choice(["<i4", "<u4", "<i8", "<u8", "<f4"])
                out, sums = Tensor((n,), element, 640), Tensor((m,), element, 704)
            bits, starts = draw.choice([1, 2]), self.drawn(draw, draw.choice([3, 3, 5]), draw.choice(["<i8", "<u8", "<i4"]))
            if operation == "sort" and draw.random() < 0.8:
                element = draw.choice(["<i4", "<f8", "<u8", "<f2"])
                out, from_, sums = Tensor((n,), labels.element, 640), Tensor((n,), element), Tensor((n,), element, 704)
                starts = Tensor(((1 << bits) + 1,), "<i8", 768)
            if of_cupy := draw.random() < 0.4:
                arrays = [out, labels, from_, sums, starts]
                if any(one.where != CUDA or one.element == "bfloat16" for one in arrays):
                    continue  # which CuPy does not have
                out, labels, from_, sums, starts = map(CupyArray, arrays)
            if operation == "reduce":
                code = self.calls.reduce(out, labels, from_, presort.cuda._REDUCES[reduce], checked, deterministic)
                expected = self.slowly(lambda: presort.cuda.scatter_reduce(
                    out, labels, from_, reduce, checked=checked, deterministic=deterministic))  # fmt: skip
            elif operation == "count":
                code = self.calls.count(out, labels, checked)
                expected = self.slowly(lambda: presort.cuda.bincount(out, labels, checked=checked))
            elif operation == "scatter":
                code = self.calls.scatter(out, labels, from_, checked)
                expected = self.slowly(lambda: presort.cuda.scatter(out, labels, from_, checked=checked))
            elif operation == "scan":
                code = self.calls.scan(out, labels, from_, sums, deterministic, checked)
                expected = self.slowly(lambda: presort.cuda.multiscan(
                    out, labels, from_, sums, inclusive=deterministic, checked=checked))  # fmt: skip
            elif operation == "tag":
                code = self.calls.tag(out, labels, sums, checked)
                expected = self.slowly(lambda: presort.gpu_order.cumcount(out, labels, sums, checked=checked))
            elif operation == "sort":
                code = self.calls.sort(labels, from_, 4, bits, out, sums, starts, checked)
                expected = self.slowly(lambda: presort.gpu_order.partial_sort(
                    labels, from_, 4, bits, out, sums, starts, checked=checked))  # fmt: skip
            else:
                code = self.calls.take(out, labels, from_, checked)
                expected = self.slowly(lambda: presort.cuda.take(out, labels, from_, checked=checked))
            case = (seed, operation, vars(out), vars(labels), vars(from_), vars(sums), reduce, deterministic)
            if expected is None:
                self.assertEqual((code, self.made), (OTHERWISE, []), case)
                refused += 1
            else:
                self.assertEqual((code, self.made), (0, [(*expected, 0)]), case)
                made[operation, of_cupy] = made.get((operation, of_cupy), 0) + 1
        self.assertEqual(len(made), 14, seed)
        self.assertGreater(min(made.values()), 2, (seed, made))
        self.assertGreater(refused, 300, seed)

    def one_call(self, out=None, labels=None, values=None, **other):
        return self.calls.reduce(out or Tensor((4,)), labels or Tensor((9,), "<i8"), values or Tensor((9,)), 0,
                                 other.get("checked", False), False)  # fmt: skip

    def test_devices_and_their_streams(self):
        def on(device, **other):
            return self.one_call(Tensor((4,), device=device), Tensor((9,), "<i8", device=device),
                                 other.get("values", Tensor((9,), device=device)))  # fmt: skip

        self.assertEqual([on(0), on(3)], [0, 0])
        self.assertEqual([(one[9], one[11]) for one in self.made], [(1, 0), (73, 3)])
        self.assertEqual(on(3, values=Tensor((9,), device=2)), OTHERWISE)
        self.assertEqual(len(self.made), 2)

    def test_devices_and_streams_of_cupy(self):
        def on(*devices):
            arrays = Tensor((4,)), Tensor((9,), "<i8"), Tensor((9,))
            for tensor, device in zip(arrays, devices):
                tensor.device = device
            return self.calls.reduce(*map(CupyArray, arrays), 0, False, False)

        self.assertEqual([on(0, 0, 0), on(3, 3, 3)], [0, 0])
        self.assertEqual([(one[9], one[11]) for one in self.made], [(1, 0), (73, 3)])
        self.assertEqual([on(3, 3, 2), on(3, 2, 3), on(-1, -1, -1)], [OTHERWISE] * 3)
        self.assertEqual(len(self.made), 2)

    def test_arrays_of_cupy_that_are_unusual_are_left_to_the_slow_way(self):
        usual = [CupyArray(Tensor((4,))), CupyArray(Tensor((9,), "<i8")), CupyArray(Tensor((9,)))]

        def changed(attribute, value=None):
            array = CupyArray(Tensor((9,)))
            delattr(array, attribute) if value is None else setattr(array, attribute, value)
            return array

        unusual = [changed(name) for name in ("dtype", "ndim", "size", "data", "_c_contiguous")]
        unusual += [changed("dtype", np.dtype(">f4")), changed("ndim", 3), changed("ndim", 0), changed("ndim", 1.5)]
        unusual += [changed("_c_contiguous", False), changed("size", -1), changed("data", Pointer(None, 0))]
        unusual += [changed("data", Pointer(64, "0")), changed("data", Pointer(64, 2**40)), Tensor((9,)), None]
        rows = CupyArray(Tensor((9, 2)))
        rows.shape = [9, 2]
        for array in (*unusual, rows):
            for place in range(3):
                arrays = [array if i == place else one for i, one in enumerate(usual)]
                self.assertEqual(self.calls.reduce(*arrays, 0, False, False), OTHERWISE, vars(array) if array else array)
        self.assertEqual(self.made, [])

    def test_a_stream_of_cupy_that_cannot_be_had(self):
        arrays = [CupyArray(Tensor((4,))), CupyArray(Tensor((9,), "<i8")), CupyArray(Tensor((9,)))]

        def broken(device):
            raise RuntimeError(device)

        for streams in (broken, lambda device: None, lambda device: Pointer("1", device), 3):
            calls = TensorCalls(self.addresses)
            calls.add_cupy(CupyArray, [(np.dtype("f4"), 2), (np.dtype("i8"), 7)], streams)
            self.assertEqual(calls.reduce(*arrays, 0, False, False), OTHERWISE)
        self.assertEqual(self.made, [])

    @unittest.skipUnless(importlib.util.find_spec("cupy"), "no CuPy: its own arrays are not tried")
    def test_arrays_of_cupy_itself(self):
        del sys.modules["cupy"]  # which is put back when the test ends
        import cupy  # arrays of memory that is never looked at: no GPU is needed

        calls = TensorCalls(self.addresses)
        array, dtypes, _ = presort.gpu_arrays.arrays_of_cupy()
        elements = [(one, presort.gpu_library.ROWS[name]) for name, one in dtypes.items()]
        calls.add_cupy(array, elements, lambda device: Pointer(5, device))

        def made(shape, dtype, address):
            memory = cupy.cuda.UnownedMemory(address, 1 << 20, None, 0)
            return cupy.ndarray(shape, dtype, cupy.cuda.MemoryPointer(memory, 64))

        for name, dtype in dtypes.items():
            out, values = made((4, 3), dtype, 4096), made((9, 3), dtype, 8192)
            labels = made((9,), cupy.int64, 1 << 20)
            self.assertEqual(calls.reduce(out, labels, values, 0, True, False), 0)
            self.assertEqual(self.made.pop(), (
                "presort_cuda_add_rows", 8, (1 << 20) + 64, presort.gpu_library.ROWS[name], 8192 + 64, 9, 4096 + 64,
                4, 3, 5, 1, 0))  # fmt: skip
            part = values[:, 1]  # an array with gaps
            self.assertEqual(calls.reduce(made((4,), dtype, 4096), labels, part, 0, True, False), OTHERWISE)
            self.assertEqual(calls.reduce(out, labels, values.T, 0, True, False), OTHERWISE)

    def test_anything_unusual_is_left_to_the_slow_way(self):
        class Other(Tensor):
            pass

        gradient, silent, broken = Tensor((9,)), Tensor((9,)), Tensor((9,))
        gradient.requires_grad, broken.element = True, None
        del silent.requires_grad
        for values in (Other((9,)), [1.0] * 9, 3, gradient, silent, broken):
            self.assertEqual(self.one_call(values=values), OTHERWISE)
        tensors = Tensor((4,)), Tensor((9,), "<i8"), Tensor((9,))
        for place in range(3):
            without = tuple(None if i == place else tensor for i, tensor in enumerate(tensors))
            self.assertEqual(self.calls.reduce(*without, 0, False, False), OTHERWISE)
            self.assertEqual(self.calls.take(*without, False), OTHERWISE)
            self.assertEqual(self.calls.scatter(*without, False), OTHERWISE)
            self.assertEqual(self.calls.scan(*without, Tensor((4,)), True, False), OTHERWISE)
        for pair in ((None, tensors[1]), (Tensor((4,), "<i8"), None), (tensors[0], tensors[1])):
            self.assertEqual(self.calls.count(*pair, False), OTHERWISE)
        self.assertEqual(self.calls.scan(tensors[2], tensors[1], tensors[2], None, True, False), OTHERWISE)
        self.assertEqual(self.made, [])

    def test_codes_of_the_library_come_back(self):
        for self.code in (0, 1, 2, 3):
            self.assertEqual(self.one_call(checked=1), self.code)
        self.assertEqual([one[10] for one in self.made], [1] * 4)

    def test_other_capsules_are_refused(self):
        with self.assertRaisesRegex(ValueError, "addresses"):
            TensorCalls(self.addresses[1:])
        with self.assertRaises(ValueError):
            self.calls.add_exchange(Tensor, capsule(API, b"other"))
        for api in (Api(major=2, describe=API.describe, current_stream=API.current_stream), Api(major=1)):
            with self.assertRaisesRegex(ValueError, "__dlpack_c_exchange_api__: found another version"):
                self.calls.add_exchange(Tensor, capsule(api))

    def test_presort_cuda_prepares_the_short_way_when_a_library_is_there(self):
        arrays = CupyArray(Tensor((4,))), CupyArray(Tensor((9,), "<i8")), CupyArray(Tensor((9,)))
        addresses = dict(zip(NAMES, self.addresses))
        no_torch = mock.patch.dict(sys.modules, torch=None)  # where PyTorch itself is installed, other tests load it
        with no_torch, mock.patch.multiple(
            presort.cuda, _tensor_calls=None, _prepared=set(), call=mock.DEFAULT, address=addresses.__getitem__
        ) as patched:
            presort.cuda.index_add(*arrays)
            patched["call"].assert_called_once()
            self.assertEqual(self.made, [])
            presort.cuda.index_add(*arrays)
            presort.cuda.index_add(*arrays)
            self.assertEqual(len(self.made), 2)
            patched["call"].assert_called_once()
            self.assertIn("cupy", presort.cuda._prepared)
            torch = types.SimpleNamespace(Tensor=Tensor)  # is loaded later
            with mock.patch.dict(sys.modules, torch=torch), mock.patch.object(
                Tensor, "__dlpack_c_exchange_api__", capsule(API), create=True
            ), mock.patch.object(presort.gpu_arrays, "_is_tensor", lambda array: False):
                tensors = Tensor((4,)), Tensor((9,), "<i8"), Tensor((9,))
                with mock.patch.object(presort.cuda, "_reduced_tensors", lambda *_: False):
                    presort.cuda.index_add(*tensors)
                self.assertEqual(patched["call"].call_count, 2)
                presort.cuda.index_add(*tensors)
                presort.cuda.index_add(*arrays)
                self.assertEqual((len(self.made), patched["call"].call_count), (4, 2))

    def test_presort_cuda_takes_the_short_way(self):
        out, labels, values = Tensor((4,)), Tensor((9,), "<i8"), Tensor((9,))
        with mock.patch.object(presort.cuda, "_tensor_calls", self.calls), mock.patch.object(presort.cuda, "_call") as slow:
            self.assertIs(presort.cuda.index_add(out, labels, values, deterministic=True), out)
            self.assertIs(presort.cuda.scatter_reduce(out, labels, values, "amax"), out)
            self.assertIs(presort.cuda.take(out, labels, values), values)
            self.assertIs(presort.cuda.scatter(out, labels, values), out)
            self.assertIs(presort.cuda.multiscan(values, labels, Tensor((9,)), out), values)
            counts = Tensor((4,), "<i4")
            self.assertIs(presort.cuda.bincount(counts, labels), counts)
            self.assertIs(presort.cuda.bincount(out, labels, values), out)
            numbers = Tensor((9,), "<i4")
            self.assertIs(presort.cuda.cumcount(numbers, labels, counts), numbers)
            presort.cuda.partial_sort(labels, values, 4, 2, Tensor((9,), "<i8"), Tensor((9,)), Tensor((5,), "<u8"))
            names = ("reduce", "reduce", "take", "scatter", "scan", "count", "reduce", "tag", "sort")
            self.assertEqual([one[0] for one in self.made], [f"presort_cuda_{name}" for name in names])
            self.assertEqual([one[4] for one in self.made[:2]], [4, 3])  # sum in order, greatest
            slow.assert_not_called()
            presort.cuda.index_add(out, labels, values, stream=5)  # a stream that is given: the slow way
            slow.assert_called_once()
            with self.assertRaisesRegex(ValueError, "^values: found 8 elements"):
                presort.cuda.index_add(out, labels, Tensor((8,)))
            self.code = 2
            error = ctypes.create_string_buffer(b"label 9 at index 0")
            with mock.patch.dict(presort.gpu_library.functions, presort_cuda_error=lambda: error.value):
                with self.assertRaisesRegex(presort.LabelError, "label 9"):
                    presort.cuda.index_add(out, labels, values, checked=True)


if __name__ == "__main__":
    unittest.main()
