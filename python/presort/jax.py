"""Sums, scatters, gathers and scans by label for JAX, on the CPU and on a GPU, inside ``jax.jit`` and outside.

>>> import jax, presort.jax                                                     # doctest: +SKIP
>>> sums = jax.jit(presort.jax.segment_sum, static_argnums=2)(data, ids, 1000)  # doctest: +SKIP

JAX's arrays are never written: a function that goes on from an array returns a new one. Where the old one is not
needed any more, XLA gives its memory to the new one. Calls run when and where XLA runs them, on a GPU on XLA's own
stream, and the host waits for nothing.

Elements: labels int32, int64, uint32 or uint64; values int32, int64, uint32, uint64, float32 or float64; on a
GPU sums and ``take`` also of float16 and bfloat16. Shapes: labels[n], values[n]; sums and ``take`` also of rows,
values[n, d]. ``index_add``, ``segment_sum`` and ``take`` have gradients.

Labels below the number of buckets are required. ``checked`` says whether they are looked at: by default on the CPU;
on a GPU, where a check waits for the stream, only with ``True``. With wrong labels that nobody checks the process
may crash, as XLA's own functions do not: those drop such inputs.

Sums of rows, and all on the CPU, have the same bits in every run; of single floats on a GPU, they differ from run to
run by rounding, as XLA's do.

Errors: TypeError and ValueError name the argument, when a call is traced; what is found when it runs, such as a
label, is an error of JAX, raised where its result is waited for. On a GPU a package that was built with CUDA is
needed (python/README.md).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import arrays
from ._presort import xla_cpu_handlers, xla_cuda_functions, xla_cuda_handlers
from .gpu_library import address, is_there

_LABELS = frozenset(map(np.dtype, ("int32", "int64", "uint32", "uint64")))
_VALUES = _LABELS | frozenset(map(np.dtype, ("float32", "float64")))
_HALVES = frozenset((np.dtype("float16"), jnp.dtype("bfloat16")))
_OPERATORS = {"sum": 0, "prod": 1, "amin": 2, "amax": 3, "min": 2, "max": 3}


def _register() -> None:
    platforms = {"cpu": xla_cpu_handlers(arrays._context)}
    if is_there():
        platforms["CUDA"] = xla_cuda_handlers([address(f"presort_cuda_{name}") for name in xla_cuda_functions])
    for platform, handlers in platforms.items():
        for name, handler in handlers.items():
            jax.ffi.register_ffi_target(f"presort_{name}", handler, platform=platform)


_register()


def _array(name: str, array: Any, accepted: frozenset[Any], dimensions: tuple[int, ...]) -> Any:
    array = jnp.asarray(array)
    if array.dtype not in accepted:
        kinds = ", ".join(sorted(map(str, accepted)))
        raise TypeError(f"{name}: found elements of {array.dtype}, accepted: {kinds}")
    if array.ndim not in dimensions:
        raise ValueError(f"{name}: found {array.ndim} dimensions, accepted: {' or '.join(map(str, dimensions))}")
    return array


def _labels(name: str, array: Any) -> Any:
    return _array(name, array, _LABELS, (1,))


def _same(name: str, found: Any, other: str, accepted: Any, length: int, lengths: str) -> None:
    if found.dtype != accepted.dtype:
        raise TypeError(f"{name}: found {found.dtype} as elements, accepted: {accepted.dtype}, as {other} has")
    if found.shape[1:] != accepted.shape[1:]:
        raise ValueError(f"{name}: found rows of {found.shape[1:]}, accepted: {accepted.shape[1:]}, as {other} has")
    if found.shape[0] != length:
        raise ValueError(f"{name}: found {found.shape[0]} elements, accepted: {length}, as {lengths} has")


def _checks(checked: bool | None) -> np.int32:
    return np.int32(2 if checked is None else bool(checked))


_ResultType: Any = jax.ShapeDtypeStruct


def _like(array: Any, shape: tuple[int, ...] | None = None) -> Any:
    return _ResultType(array.shape if shape is None else shape, array.dtype)


def _reduced(out: Any, labels: Any, values: Any, operation: int, checks: np.int32) -> Any:
    if 0 in values.shape or 0 in out.shape:
        return out
    call = jax.ffi.ffi_call(
        "presort_reduce", _like(out), input_output_aliases={0: 0}, vmap_method="sequential"
    )
    return call(out, labels, values, operation=np.int32(operation), checks=checks)


def _taken(table: Any, indices: Any, checks: np.int32) -> Any:
    shape = (indices.shape[0], *table.shape[1:])
    if 0 in shape:
        return jnp.zeros(shape, table.dtype)
    call = jax.ffi.ffi_call("presort_take", _like(table, shape), vmap_method="sequential")
    return call(table, indices, checks=checks)


def _no_gradient(indices: Any) -> Any:
    return np.zeros(indices.shape, jax.dtypes.float0)


@partial(jax.custom_vjp, nondiff_argnums=(3,))
def _summed(out: Any, labels: Any, values: Any, checks: int) -> Any:
    return _reduced(out, labels, values, _OPERATORS["sum"], np.int32(checks))


def _summed_forward(out: Any, labels: Any, values: Any, checks: int) -> Any:
    return _summed(out, labels, values, checks), labels


def _summed_backward(checks: int, labels: Any, gradient: Any) -> Any:
    return gradient, _no_gradient(labels), _gathered(gradient, labels, checks)


_summed.defvjp(_summed_forward, _summed_backward)


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def _gathered(table: Any, indices: Any, checks: int) -> Any:
    return _taken(table, indices, np.int32(checks))


def _gathered_forward(table: Any, indices: Any, checks: int) -> Any:
    return _gathered(table, indices, checks), (indices, table)


def _gathered_backward(checks: int, kept: Any, gradient: Any) -> Any:
    indices, table = kept
    return _summed(jnp.zeros_like(table), indices, gradient, checks), _no_gradient(indices)


_gathered.defvjp(_gathered_forward, _gathered_backward)


def scatter_reduce(out: Any, labels: Any, values: Any, reduce: str = "sum", *, checked: bool | None = None) -> Any:
    """``out`` with ``out[labels[j]] = reduce(out[labels[j]], values[j])`` done for every j, as a new array.

    ``reduce`` is ``"sum"``, ``"prod"``, ``"amin"`` or ``"amax"``; of rows, and of float16 and bfloat16, ``"sum"`` alone.
    Shapes: out[m], labels[n], values[n]; or rows: out[m, d], values[n, d]. The result has the shape of ``out``.
    """
    operator = _OPERATORS.get(reduce) if isinstance(reduce, str) else None
    if operator is None:
        raise ValueError(f"reduce: found {reduce!r}, accepted: {', '.join(_OPERATORS)}")
    is_sum = operator == _OPERATORS["sum"]
    dimensions = (1, 2) if is_sum else (1,)
    accepted = _VALUES | _HALVES if is_sum else _VALUES
    out, labels = _array("out", out, accepted, dimensions), _labels("labels", labels)
    values = _array("values", values, accepted, dimensions)
    _same("values", values, "out", out, labels.shape[0], "labels")
    if is_sum:
        return _summed(out, labels, values, int(_checks(checked)))
    return _reduced(out, labels, values, operator, _checks(checked))


def index_add(out: Any, labels: Any, values: Any, *, checked: bool | None = None) -> Any:
    """``out.at[labels].add(values)``: ``scatter_reduce`` with ``"sum"``."""
    return scatter_reduce(out, labels, values, checked=checked)


def _count(name: str, count: int) -> int:
    if count < 0:
        raise ValueError(f"{name}: found {count}, accepted: 0 or more")
    return int(count)


def segment_sum(data: Any, segment_ids: Any, num_segments: int, *, checked: bool | None = None) -> Any:
    """``jax.ops.segment_sum``: the sums of the data of each segment; segment ids stand in any order.

    Shapes: data[n] or data[n, d], segment_ids[n]; the result[num_segments] or [num_segments, d].
    """
    data = jnp.asarray(data)
    shape = (_count("num_segments", num_segments), *data.shape[1:])
    return index_add(jnp.zeros(shape, data.dtype), segment_ids, data, checked=checked)


def _segment(data: Any, segment_ids: Any, count: int, reduce: str, checked: bool | None) -> Any:
    data = _array("data", data, _VALUES, (1,))
    start = arrays._identity(reduce, np.dtype(data.dtype))
    out = jnp.full(_count("num_segments", count), start, data.dtype)
    return scatter_reduce(out, segment_ids, data, reduce, checked=checked)


def segment_prod(data: Any, segment_ids: Any, num_segments: int, *, checked: bool | None = None) -> Any:
    """``jax.ops.segment_prod``: the products of the data of each segment; 1 for one without data."""
    return _segment(data, segment_ids, num_segments, "prod", checked)


def segment_min(data: Any, segment_ids: Any, num_segments: int, *, checked: bool | None = None) -> Any:
    """``jax.ops.segment_min``: the least value of each segment; without data, the largest of the type."""
    return _segment(data, segment_ids, num_segments, "min", checked)


def segment_max(data: Any, segment_ids: Any, num_segments: int, *, checked: bool | None = None) -> Any:
    """``jax.ops.segment_max``: the largest value of each segment; without data, the least of the type."""
    return _segment(data, segment_ids, num_segments, "max", checked)


def bincount(labels: Any, weights: Any = None, *, length: int, checked: bool | None = None) -> Any:
    """``jnp.bincount``: how often each label below ``length`` occurs, or the sums of its weights."""
    labels = _labels("labels", labels)
    if weights is None:
        weights = jnp.ones(labels.shape, jnp.int32)
    else:
        weights = _array("weights", weights, _VALUES, (1,))
        if weights.shape != labels.shape:
            raise ValueError(f"weights: found {len(weights)} elements, accepted: {len(labels)}, as labels has")
    return index_add(jnp.zeros(_count("length", length), weights.dtype), labels, weights, checked=checked)


def take(table: Any, indices: Any, *, checked: bool | None = None) -> Any:
    """``table[indices]`` along the first axis.

    Shapes: table[m] or table[m, d], indices[n]; the result[n] or [n, d].
    """
    table = _array("table", table, _VALUES | _HALVES, (1, 2))
    return _gathered(table, _labels("indices", indices), int(_checks(checked)))


def scatter(out: Any, labels: Any, values: Any, *, checked: bool | None = None) -> Any:
    """``out`` with ``out[labels[j]] = values[j]``, the last j of a label winning, as a new array.

    Shapes: out[m], labels[n], values[n].
    """
    out, labels, values = _array("out", out, _VALUES, (1,)), _labels("labels", labels), _array("values", values, _VALUES, (1,))
    _same("values", values, "out", out, labels.shape[0], "labels")
    if 0 in values.shape or 0 in out.shape:
        return out
    call = jax.ffi.ffi_call(
        "presort_scatter", _like(out), input_output_aliases={0: 0}, vmap_method="sequential"
    )
    return call(out, labels, values, checks=_checks(checked))


def multiscan(
    labels: Any, values: Any, num_buckets: int, *, inclusive: bool = True, checked: bool | None = None
) -> Any:
    """For every input the sum of the values with its label up to it; ``inclusive=False`` leaves its own out.

    Shapes: labels[n], values[n]; the result[n].
    """
    labels, values = _labels("labels", labels), _array("values", values, _VALUES, (1,))
    _same("values", values, "values", values, labels.shape[0], "labels")
    sums = jnp.zeros(_count("num_buckets", num_buckets), values.dtype)
    if 0 in values.shape or 0 in sums.shape:
        return jnp.zeros_like(values)
    call = jax.ffi.ffi_call(
        "presort_scan", (_like(sums), _like(values)), input_output_aliases={0: 0}, vmap_method="sequential"
    )
    return call(sums, labels, values, operation=np.int32(inclusive), checks=_checks(checked))[1]
