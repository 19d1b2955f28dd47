"""presort.jax: sums, scatters, gathers and scans on JAX's arrays against numpy and JAX itself, under jit and outside,
on every device that JAX has here and presort was built for."""

import importlib.util
import random
import unittest

import numpy as np

import presort

HAS_JAX = importlib.util.find_spec("jax") is not None
if HAS_JAX:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    import presort.gpu_library
    import presort.jax


def devices():
    found = list(jax.devices("cpu"))
    if presort.gpu_library.is_there() and jax.default_backend() == "gpu":
        found += jax.devices("gpu")[:1]
    return found


@unittest.skipUnless(HAS_JAX, "no JAX: presort.jax is not tried")
class JaxTest(unittest.TestCase):
    SIZES = [(0, 3), (1, 1), (7, 4), (255, 1000), (10_003, 513), (1 << 17, 1 << 15)]

    def setUp(self):
        self.seed = random.randrange(2**31)
        self.draw = np.random.default_rng(self.seed)

    def arrays(self):
        """Labels, values, the numbers of both and the device, of every kind."""
        for device in devices():
            with jax.default_device(device):
                for n, m in self.SIZES:
                    for label in self.draw.choice(["int32", "int64", "uint32", "uint64"], 2, replace=False):
                        value = self.draw.choice(["int32", "int64", "uint32", "uint64", "float32", "float64"])
                        labels = self.draw.integers(0, m, n).astype(label)
                        values = self.draw.integers(0, 5, n).astype(value)  # sums are exact in any order
                        yield labels, values, n, m, (self.seed, str(device), n, m, label, value)

    def test_sums_are_numpys(self):
        for labels, values, n, m, case in self.arrays():
            start = self.draw.integers(0, 9, m).astype(values.dtype)
            expected = start.copy()
            np.add.at(expected, labels, values)
            given = jnp.asarray(start)
            for call in (presort.jax.index_add, jax.jit(presort.jax.index_add)):
                found = call(given, jnp.asarray(labels), jnp.asarray(values))
                self.assertTrue(np.array_equal(found, expected), case)
                self.assertEqual(found.dtype, values.dtype, case)
                self.assertTrue(np.array_equal(given, start), case)  # what is given is not written
            found = jax.jit(presort.jax.segment_sum, static_argnums=2)(values, labels, m)
            self.assertTrue(np.array_equal(found, expected - start), case)

    def test_other_reductions_are_jaxs(self):
        for labels, values, n, m, case in self.arrays():
            for ours, theirs in ((presort.jax.segment_min, jax.ops.segment_min), (presort.jax.segment_max, jax.ops.segment_max),
                                 (presort.jax.segment_prod, jax.ops.segment_prod)):  # fmt: skip
                few = np.minimum(values, 1) if ours is presort.jax.segment_prod else values
                found, expected = ours(few, labels, m), theirs(few, labels, m)
                self.assertTrue(np.array_equal(found, expected), (case, ours.__name__))

    def test_gathers_scatters_and_scans_are_numpys(self):
        for labels, values, n, m, case in self.arrays():
            table = self.draw.integers(0, 99, m).astype(values.dtype)
            self.assertTrue(np.array_equal(jax.jit(presort.jax.take)(table, labels), table[labels]), case)
            expected = presort.scatter(table.copy(), labels, values)
            self.assertTrue(np.array_equal(presort.jax.scatter(table, labels, values), expected), case)
            for inclusive in (True, False):
                expected = presort.multiscan(labels, values, m, inclusive=inclusive)
                found = presort.jax.multiscan(labels, values, m, inclusive=inclusive)
                self.assertTrue(np.array_equal(found, expected), (case, inclusive))

    def test_counts_are_jaxs(self):
        for labels, values, n, m, case in self.arrays():
            self.assertTrue(np.array_equal(presort.jax.bincount(labels, length=m), np.bincount(labels.astype(np.int64), minlength=m)), case)
            found = presort.jax.bincount(labels, values, length=m)
            self.assertTrue(np.array_equal(found, np.bincount(labels.astype(np.int64), values, m)), case)

    def test_rows_and_gradients_are_jaxs(self):
        for device in devices():
            with jax.default_device(device):
                for n, m, d in [(0, 3, 2), (5, 4, 0), (1, 1, 1), (65, 30, 7), (2001, 513, 16)]:
                    labels = jnp.asarray(self.draw.integers(0, m, n))
                    values, table = jnp.asarray(self.draw.random((n, d))), jnp.asarray(self.draw.random((m, d)))
                    weights = jnp.asarray(self.draw.random((m, d)))

                    def loss(table, values, add, take):
                        summed = add(table, labels, values * take(table, labels))
                        return (weights * summed**2).sum()

                    def ours(table, values):
                        return loss(table, values, presort.jax.index_add, presort.jax.take)

                    def theirs(table, values):
                        return loss(table, values, lambda t, k, v: t.at[k].add(v), lambda t, k: t[k])

                    case = (self.seed, str(device), n, m, d)
                    for transform in (lambda f: f, lambda f: jax.grad(f, (0, 1)), lambda f: jax.jit(jax.grad(f, (0, 1)))):
                        found, expected = transform(ours)(table, values), transform(theirs)(table, values)
                        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
                            np.testing.assert_allclose(one, other, rtol=1e-9, err_msg=str(case))
                    second = [jax.grad(lambda t: jax.grad(f)(t, values).sum())(table) for f in (ours, theirs)]
                    np.testing.assert_allclose(*second, rtol=1e-9, err_msg=str(case))

    def test_the_bits_are_those_of_a_loop_on_the_cpu(self):
        with jax.default_device(jax.devices("cpu")[0]):
            labels, values = self.draw.integers(0, 100, 10_000), self.draw.random(10_000)
            expected = presort.segment_sum(values, labels, 100)
            self.assertTrue(np.array_equal(presort.jax.segment_sum(values, labels, 100), expected))
            batch = jax.vmap(lambda v: presort.jax.segment_sum(v, labels, 100))(jnp.stack([values, 2 * values]))
            self.assertTrue(np.array_equal(batch, np.stack([expected, 2 * expected])))

    def test_wrong_labels_are_found(self):
        for device in devices():
            with jax.default_device(device):
                for wrong in (3, -1):
                    for call in (lambda k: presort.jax.segment_sum(jnp.ones(3), k, 3, checked=True),
                                 lambda k: presort.jax.take(jnp.ones(3), k, checked=True),
                                 lambda k: presort.jax.scatter(jnp.ones(3), k, jnp.ones(3), checked=True),
                                 lambda k: presort.jax.multiscan(k, jnp.ones(3), 3, checked=True)):  # fmt: skip
                        with self.assertRaisesRegex(RuntimeError, "label"):
                            jax.block_until_ready(call(jnp.array([0, wrong, 2])))
        with jax.default_device(jax.devices("cpu")[0]), self.assertRaisesRegex(RuntimeError, "label"):
            jax.block_until_ready(presort.jax.segment_sum(jnp.ones(1), jnp.array([9]), 3))

    def test_bad_arguments_are_named(self):
        out, labels, values = jnp.zeros(4), jnp.zeros(9, int), jnp.zeros(9)
        add = presort.jax.index_add
        for arguments, error, words in [
            ((out, jnp.zeros(9), values), TypeError, "^labels: found elements of float64"),
            ((out, labels.reshape(3, 3), values), ValueError, "^labels: found 2 dimensions"),
            ((out, labels, jnp.zeros(8)), ValueError, "^values: found 8 elements, accepted: 9, as labels has"),
            ((out, labels, jnp.zeros(9, jnp.float32)), TypeError, "^values: found float32 as elements, accepted: float64"),
            ((out, labels, jnp.zeros((9, 2))), ValueError, "^values: found rows of"),
            ((jnp.zeros(4, bool), labels, values), TypeError, "^out: found elements of bool"),
        ]:
            with self.assertRaisesRegex(error, words):
                add(*arguments)
        with self.assertRaisesRegex(ValueError, "^reduce: found 'mean'"):
            presort.jax.scatter_reduce(out, labels, values, "mean")
        with self.assertRaisesRegex(ValueError, "^num_segments: found -1"):
            presort.jax.segment_sum(values, labels, -1)
        with self.assertRaisesRegex(ValueError, "^values: found 2 dimensions, accepted: 1$"):
            presort.jax.scatter_reduce(out, labels, jnp.zeros((9, 2)), "amax")
        with self.assertRaisesRegex(ValueError, "^weights: found 8 elements"):
            presort.jax.bincount(labels, jnp.zeros(8), length=4)


if __name__ == "__main__":
    unittest.main()
