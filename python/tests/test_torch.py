"""presort.torch against PyTorch's own functions, and its gradients against differences."""

import importlib.util
import random
import unittest

import numpy as np

HAVE_TORCH = importlib.util.find_spec("torch") is not None
if HAVE_TORCH:
    import torch

    import presort
    import presort.cuda
    import presort.torch


@unittest.skipUnless(HAVE_TORCH, "PyTorch is not installed: presort.torch is not tested")
class TorchTest(unittest.TestCase):
    def setUp(self):
        self.seed = random.randrange(2**31)
        torch.manual_seed(self.seed)

    def cases(self):
        """Random sizes: (m, indices, shape of a row)."""
        for n, m in [(0, 3), (1, 1), (7, 4), (65, 30), (2000, 300)]:
            for row in [(), (1,), (5,)]:
                yield m, torch.randint(0, m, (n,)), row

    def test_index_add_is_torchs(self):
        for m, index, row in self.cases():
            start = torch.randn(m, *row, dtype=torch.float64)
            source = torch.randn(len(index), *row, dtype=torch.float64)
            found = presort.torch.index_add(start, index, source)
            torch.testing.assert_close(found, start.index_add(0, index, source))

    def test_gather_and_embedding_are_torchs(self):
        for m, index, row in self.cases():
            table = torch.randn(m, *row)
            self.assertTrue(torch.equal(presort.torch.gather(table, index), table[index]))
        weight = torch.randn(9, 4)
        index = torch.randint(0, 9, (2, 3, 5))
        found = presort.torch.embedding(index, weight)
        self.assertTrue(torch.equal(found, torch.nn.functional.embedding(index, weight)))

    def test_gradients_are_differences(self):
        for m, index, row in self.cases():
            if len(index) > 100:
                continue
            start = torch.randn(m, *row, dtype=torch.float64, requires_grad=True)
            source = torch.randn(len(index), *row, dtype=torch.float64, requires_grad=True)

            def added(a, b, index=index):
                return presort.torch.index_add(a, index, b)

            def taken(a, index=index):
                return presort.torch.gather(a, index)

            self.assertTrue(torch.autograd.gradcheck(added, (start, source)))
            self.assertTrue(torch.autograd.gradcheck(taken, (start,)))
            self.assertTrue(torch.autograd.gradgradcheck(added, (start, source)))
            self.assertTrue(torch.autograd.gradgradcheck(taken, (start,)))
        weight = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
        index = torch.tensor([[0, 5, 5], [2, 2, 2]])
        self.assertTrue(
            torch.autograd.gradcheck(lambda w: presort.torch.embedding(index, w), (weight,))
        )

    def test_the_backward_pass_of_an_embedding_is_torchs(self):
        index = torch.randint(0, 50, (400,))
        ours = torch.randn(50, 8, requires_grad=True)
        theirs = ours.detach().clone().requires_grad_()
        (presort.torch.embedding(index, ours) ** 2).sum().backward()
        (torch.nn.functional.embedding(index, theirs) ** 2).sum().backward()
        torch.testing.assert_close(ours.grad, theirs.grad)

    def test_tensors_are_read_and_written_where_they_are(self):
        labels, values = torch.tensor([1, 0, 1]), torch.tensor([1.0, 2.0, 4.0])
        out = torch.zeros(2)
        self.assertIs(presort.index_add(out, labels, values), out)
        self.assertEqual(out.tolist(), [2.0, 5.0])
        np.testing.assert_array_equal(presort.segment_sum(values, labels, 2), [2, 5])
        np.testing.assert_array_equal(presort.take(values, labels), [2, 1, 2])

    def test_what_cannot_be_used_is_named(self):
        needs_gradient = torch.ones(2, requires_grad=True)
        with self.assertRaisesRegex(TypeError, "requires a gradient"):
            presort.segment_sum(needs_gradient, torch.tensor([0, 1]))
        with self.assertRaisesRegex(TypeError, "requires a gradient"):
            presort.index_add(needs_gradient, [0, 1], [1.0, 1.0])
        with self.assertRaisesRegex(TypeError, "found a tensor on meta"):
            presort.torch.gather(torch.ones(2, device="meta"), torch.tensor([0]))
        with self.assertRaises(IndexError):
            presort.torch.gather(torch.ones(2), torch.tensor([2]))


@unittest.skipUnless(HAVE_TORCH and torch.cuda.is_available(), "no GPU: presort.torch is not tested on one")
class GpuTest(unittest.TestCase):
    def setUp(self):
        try:
            presort.cuda.index_add(torch.zeros(1, device="cuda"), torch.tensor([0], device="cuda"),
                                   torch.ones(1, device="cuda"))  # fmt: skip
        except ImportError as error:
            self.skipTest(str(error))
        torch.manual_seed(random.randrange(2**31))

    def test_results_and_gradients_are_those_of_the_cpu_in_every_bit(self):
        for n, m, row in [(0, 3, (4,)), (1, 1, ()), (700, 40, (8,)), (5000, 9, (33,))]:
            index = torch.randint(0, m, (n,))
            tensors = torch.randn(m, *row), torch.randn(n, *row), torch.randn(m, *row), torch.randn(n, *row)
            found = []
            for device in ("cpu", "cuda"):
                start, source, of_sum, of_taken = (one.detach().clone().to(device) for one in tensors)
                start.requires_grad_(), source.requires_grad_()
                sums = presort.torch.index_add(start, index.to(device), source)
                taken = presort.torch.gather(start, index.to(device))
                ((sums * of_sum).sum() + (taken * of_taken).sum()).backward()
                found.append([one.detach().cpu() for one in (sums, taken, start.grad, source.grad)])
            for ours, theirs in zip(*found):
                if row:  # of rows, the sums are grouped alike on both
                    self.assertTrue(torch.equal(ours, theirs), (n, m, row))
                torch.testing.assert_close(ours, theirs)

    def test_gradients_are_differences(self):
        index = torch.randint(0, 5, (30,), device="cuda")
        start = torch.randn(5, 3, dtype=torch.float64, device="cuda", requires_grad=True)
        source = torch.randn(30, 3, dtype=torch.float64, device="cuda", requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(lambda a, b: presort.torch.index_add(a, index, b), (start, source)))
        self.assertTrue(torch.autograd.gradcheck(lambda a: presort.torch.gather(a, index), (start,)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda a: presort.torch.gather(a, index), (start,)))

    def test_tensors_of_two_places_are_refused(self):
        table, index = torch.ones(2, device="cuda"), torch.tensor([0])
        with self.assertRaisesRegex(TypeError, "indices: found a tensor on cpu"):
            presort.torch.gather(table, index)
        with self.assertRaisesRegex(TypeError, "index: found a tensor on cuda"):
            presort.torch.gather(table.cpu(), index.cuda())


if __name__ == "__main__":
    unittest.main()
