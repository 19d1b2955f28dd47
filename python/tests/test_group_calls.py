"""presort.cuda.group_sum from C++ (class TensorCalls), with tensors and a library that only look like those of
PyTorch, CuPy and CUDA: what the library is handed must be what presort.cuda's slow way hands over."""

import ctypes
import random
import sys
import unittest
from unittest import mock

import presort
import presort.cuda
import presort.gpu_order
from presort._presort import TensorCalls
from test_tensor_calls import API, CUPY, OTHERWISE, CupyArray, Tensor, capsule

NAME = "presort_cuda_group_sum"
FOUND = 10  # index of the argument that says where the number of groups goes; the last one is the device


class GroupCallsTest(unittest.TestCase):
    def setUp(self):
        self.made, self.code, self.groups = [], 0, 3

        def made(*arguments):
            self.made.append(tuple(one or 0 for one in arguments))
            ctypes.c_uint64.from_address(arguments[FOUND]).value = self.groups
            return self.code

        self.function = ctypes.CFUNCTYPE(ctypes.c_int, *presort.gpu_library.ARGUMENTS[NAME])(made)
        addresses = [ctypes.cast(self.function, ctypes.c_void_p).value for _ in TensorCalls.functions]
        self.calls = TensorCalls(addresses)
        self.calls.add_exchange(Tensor, capsule(API))
        modules = mock.patch.dict(sys.modules, cupy=CUPY)
        modules.start()
        self.addCleanup(modules.stop)
        array, dtypes, streams = presort.gpu_arrays.arrays_of_cupy()
        self.calls.add_cupy(array, [(one, presort.gpu_library.ROWS[name]) for name, one in dtypes.items()], streams)

    def slowly(self, *arrays, **more):
        """What the slow way hands to the library, without where the number of groups goes and without the device,
        which it leaves to the library to find; None if it refuses."""
        call = mock.Mock()
        with mock.patch.multiple(presort.gpu_order, call=call):
            try:
                presort.gpu_order.group_sum(*arrays, **more)
            except (TypeError, ValueError):
                return None
        name, *arguments = call.call_args.args
        self.assertEqual(name, NAME)
        return [int(one) for i, one in enumerate(arguments[:-1]) if i != FOUND]

    def test_the_library_is_handed_what_the_slow_way_hands_over(self):
        draw = random.Random(seed := random.randrange(2**31))
        made, refused = {}, 0
        for _ in range(4000):
            key, element = draw.choice(["<i4", "<i8", "<u4", "<u8"]), draw.choice(["<i4", "<i8", "<u4", "<u8", "<f4", "<f8"])
            n, room = draw.choice([0, 1, 2, 9]), draw.choice([0, 1, 4])
            shapes = [(n,), (n,), (room,), (room,), (room,), (1,)]
            elements = [key, element, key, element, draw.choice(["<i4", "<u4"]), draw.choice(["<i8", "<u8"])]
            if draw.random() < 0.4:  # one of them is wrong, or looks it
                place = draw.randrange(6)
                if draw.random() < 0.5:
                    shapes[place] = draw.choice([(0,), (1,), (9,), (4, 1), ()])
                else:
                    elements[place] = draw.choice(["<i4", "<i8", "<u8", "<f4", "<f2", "<c8"])
            arrays = [Tensor(shape, one, 64 * (i + 1)) for i, (shape, one) in enumerate(zip(shapes, elements))]
            if draw.random() < 0.05:
                place = draw.randrange(6)
                shape = shapes[place]
                arrays[place] = Tensor(shape, elements[place], 640, strides=(2,) * len(shape))
            if of_cupy := draw.random() < 0.4:
                arrays = [CupyArray(one) for one in arrays]
            counts = arrays[4] if draw.random() < 0.5 else None
            count = arrays[5] if draw.random() < 0.5 else None
            self.made.clear()
            code, found = self.calls.group_sum(*arrays[:4], counts, count)
            expected = self.slowly(*arrays[:4], counts, count=count)
            case = (seed, [vars(one) for one in arrays], counts is None, count is None)
            if expected is None:
                self.assertEqual((code, found, self.made), (OTHERWISE, 0, []), case)
                refused += 1
                continue
            self.assertEqual((code, found, len(self.made)), (0, self.groups, 1), case)
            self.assertEqual([one for i, one in enumerate(self.made[0][:-1]) if i != FOUND], expected, case)
            self.assertEqual(self.made[0][-1], 0, case)
            kind = of_cupy, counts is None, count is None
            made[kind] = made.get(kind, 0) + 1
        self.assertEqual(len(made), 8, seed)
        self.assertGreater(min(made.values()), 50, (seed, made))
        self.assertGreater(refused, 300, seed)

    def test_presort_cuda_takes_the_short_way(self):
        keys, values, to, sums = Tensor((9,), "<i8"), Tensor((9,)), Tensor((4,), "<i8"), Tensor((4,))
        to.__class__.__len__ = lambda tensor: tensor.shape[0]
        self.addCleanup(lambda: delattr(Tensor, "__len__"))
        arrays, count = (keys, values, to, sums), Tensor((1,), "<u8")
        with mock.patch.object(presort.cuda, "_tensor_calls", self.calls), mock.patch.object(
            presort.gpu_order, "call"
        ) as slow:
            self.assertEqual(presort.cuda.group_sum(*arrays), 3)
            self.assertIs(presort.cuda.group_sum(*arrays, count=count), count)
            self.assertEqual(len(self.made), 2)
            self.groups = 5
            with self.assertRaisesRegex(ValueError, "^out_keys: found room for 4 groups, accepted: 5"):
                presort.cuda.group_sum(*arrays)
            self.assertIs(presort.cuda.group_sum(*arrays, count=count), count)  # the caller compares
            slow.assert_not_called()
            presort.cuda.group_sum(*arrays, stream=5, count=count)  # a stream that is given: the slow way
            slow.assert_called_once()
            with self.assertRaisesRegex(ValueError, "^values: found 8 elements"):
                presort.cuda.group_sum(keys, Tensor((8,)), to, sums)
            self.code = 3
            with mock.patch.dict(presort.gpu_library.functions, presort_cuda_error=lambda: b"no device"):
                with self.assertRaisesRegex(presort.EnvironmentError, "no device"):
                    presort.cuda.group_sum(*arrays)

    def test_anything_unusual_is_left_to_the_slow_way(self):
        arrays = [Tensor((9,), "<i8"), Tensor((9,)), Tensor((4,), "<i8"), Tensor((4,))]
        for place in range(4):
            for other in (None, [1.0], CupyArray(Tensor((9,)))):
                of = [other if i == place else one for i, one in enumerate(arrays)]
                self.assertEqual(self.calls.group_sum(*of, None, None), (OTHERWISE, 0))
        self.assertEqual(self.calls.group_sum(*arrays, 3, None), (OTHERWISE, 0))
        self.assertEqual(self.calls.group_sum(*arrays, None, 3), (OTHERWISE, 0))
        of_all = [*arrays, Tensor((4,), "<i4"), Tensor((1,), "<u8")]
        for place in range(6):  # on two devices
            of_all[place].device = 1
            self.assertEqual(self.calls.group_sum(*of_all), (OTHERWISE, 0))
            of_all[place].device = 0
        self.assertEqual(self.made, [])


if __name__ == "__main__":
    unittest.main()
