"""presort.cuda's calls from C++ (class TensorCalls), with tensors and a library that only look like those of
PyTorch and CUDA: what the library is handed must be what presort.cuda's own, slow way hands over."""

import ctypes
import random
import unittest
from unittest import mock

import presort
import presort.cuda
import presort.gpu_library
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
        self.calls = TensorCalls(Tensor, capsule(API), self.addresses)

    def slowly(self, call):
        """What the slow way hands to the library; None if it refuses."""
        with mock.patch.object(presort.cuda, "_call") as made:
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
        for _ in range(6000):
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
            operation = draw.choice(["reduce", "take", "count", "scatter", "scan"])
            sums = self.drawn(draw, m, draw.choice([element] * 9 + values))
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
                out = Tensor((n,), element, 640) if draw.random() < 0.7 else out
                code = self.calls.scan(out, labels, from_, sums, deterministic, checked)
                expected = self.slowly(lambda: presort.cuda.multiscan(
                    out, labels, from_, sums, inclusive=deterministic, checked=checked))  # fmt: skip
            else:
                code = self.calls.take(out, labels, from_, checked)
                expected = self.slowly(lambda: presort.cuda.take(out, labels, from_, checked=checked))
            case = (seed, operation, vars(out), vars(labels), vars(from_), vars(sums), reduce, deterministic)
            if expected is None:
                self.assertEqual((code, self.made), (OTHERWISE, []), case)
                refused += 1
            else:
                self.assertEqual((code, self.made), (0, [(*expected, 0)]), case)
                made[operation] = made.get(operation, 0) + 1
        self.assertEqual(len(made), 5, seed)
        self.assertGreater(min(made.values()), 15, (seed, made))
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
        with self.assertRaises(ValueError):
            TensorCalls(Tensor, capsule(API, b"other"), self.addresses)
        for api in (Api(major=2, describe=API.describe, current_stream=API.current_stream), Api(major=1)):
            with self.assertRaisesRegex(ValueError, "__dlpack_c_exchange_api__: found another version"):
                TensorCalls(Tensor, capsule(api), self.addresses)

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
            names = ("reduce", "reduce", "take", "scatter", "scan", "count", "reduce")
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
