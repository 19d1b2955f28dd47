"""Sums, scatters, gathers and scans by label, groups and partial sorts of arrays in a GPU's memory: PyTorch,
CuPy, Numba, anything that has ``__cuda_array_interface__``. For JAX see ``presort.jax``.

>>> import torch, presort.cuda                                            # doctest: +SKIP
>>> sums = torch.zeros(1 << 20, device="cuda")                            # doctest: +SKIP
>>> presort.cuda.index_add(sums, labels, values)                          # doctest: +SKIP

Everything runs on one stream: ``stream`` (a number, or an object of PyTorch or CuPy), or else the current
stream of the library that made ``out``. The host waits for nothing, unless ``checked=True`` asks for a
check of the labels. Arrays are used where they lie, in one piece, and nothing is copied or converted.

Sums of floats are added in any order: runs differ by rounding, as those of PyTorch do. Sums of rows, and
those with ``deterministic=True``, are added in the order of the inputs: the same bits in every run.

It needs a package that was built with CUDA (python/README.md); without it calls are an ImportError.

Errors: TypeError for an element type, or an object that is not in a GPU's memory or requires a gradient;
ValueError for shapes, arrays with gaps, arrays of different devices or streams; LabelError, an IndexError,
for a label with ``checked=True``; EnvironmentError, a RuntimeError, without a device or memory. Everything
but labels is checked before anything runs.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from . import gpu_order
from ._presort import TensorCalls
from .gpu_arrays import (
    UNKNOWN_DEVICE,
    arrays_of_cupy,
    check_length,
    check_shape,
    columns_of,
    current_stream_of_torch,
    describe,
    device_of_tensors,
    element_bytes,
    element_of_tensor,
    exchange_of_torch,
    number_of,
    place_of,
)
from .gpu_library import LABELS, NUMBERS, ROWS, address, call, throw
from .gpu_order import check_room

__all__ = [
    "bincount",
    "cumcount",
    "group_sum",
    "index_add",
    "multiscan",
    "partial_sort",
    "scatter",
    "scatter_reduce",
    "take",
]

_HALVES = ("<f2", "bfloat16")
# Numbers of operators in python/src/cuda/elements.cuh
_SUM, _SUM_IN_ORDER = 0, 4
_REDUCES = {"sum": _SUM, "prod": 1, "amin": 2, "amax": 3, "min": 2, "max": 3}


def _call(function: str, *arguments: int) -> None:
    call(function, *arguments)
    _prepare_tensor_calls()


# Calls from C++ on tensors of libraries that are loaded and tell quickly what a tensor is; None as long as there
# was no call, or no such library
_tensor_calls: TensorCalls | None = None
_OTHERWISE = -1  # the code of a call that was not made, as something is unusual
_prepared: set[str] = set()  # libraries that _tensor_calls takes


def _prepare_tensor_calls() -> None:
    """Makes later calls take the short way: on tensors of PyTorch from 2.10 on, and on arrays of CuPy."""
    if "torch" not in _prepared and (torch := exchange_of_torch()) is not None:
        _prepared.add("torch")
        _tensor_calls_made().add_exchange(*torch)
    if "cupy" not in _prepared and (cupy := arrays_of_cupy()) is not None:
        _prepared.add("cupy")
        array, dtypes, streams = cupy
        _tensor_calls_made().add_cupy(array, [(dtype, ROWS[name]) for name, dtype in dtypes.items()], streams)


def _tensor_calls_made() -> TensorCalls:
    global _tensor_calls
    if _tensor_calls is None:
        _tensor_calls = TensorCalls([address(f"presort_cuda_{name}") for name in TensorCalls.functions])
    return _tensor_calls


def _done(code: int) -> bool:
    """Whether a call by _tensor_calls was made. Raises its error."""
    if code > 0:
        throw(code)
    return code != _OTHERWISE


# What types of (labels, values) of PyTorch are called: size of a label, number of the value's type
_known_types: dict[tuple[Any, Any], tuple[int, int] | None] = {}


def _types_of_tensors(labels: Any, out: Any) -> tuple[int, int] | None:
    key = (labels.dtype, out.dtype)
    if key not in _known_types:
        label_bytes = LABELS.get(element_of_tensor(labels) or "")
        element = NUMBERS.get(element_of_tensor(out) or "")
        _known_types[key] = None if label_bytes is None or element is None else (label_bytes, element)
    return _known_types[key]


def _reduced_tensors(
    out: Any, labels: Any, values: Any, operator: int, checked: bool, deterministic: bool, stream: Any
) -> bool:
    """Reduces tensors of PyTorch of one dimension, if all is as it should be. False: nothing was done."""
    device = device_of_tensors(out, labels, values)
    if device == UNKNOWN_DEVICE or stream is not None or deterministic:
        return False
    types = _types_of_tensors(labels, out)
    n = labels.numel()
    if types is None or values.dtype is not out.dtype or values.numel() != n:
        return False
    _call(
        "presort_cuda_reduce",
        types[0], labels.data_ptr(), types[1], operator, values.data_ptr(), n, out.data_ptr(), out.numel(),
        current_stream_of_torch(device), checked, device,
    )  # fmt: skip
    return True


def scatter_reduce(
    out: Any,
    labels: Any,
    values: Any,
    reduce: str = "sum",
    *,
    checked: bool = False,
    deterministic: bool = False,
    stream: Any = None,
) -> Any:
    """``out[labels[j]] = reduce(out[labels[j]], values[j])`` for every j. Returns ``out``.

    ``reduce`` is ``"sum"``, ``"prod"``, ``"amin"`` or ``"amax"``, of rows and 16-bit floats ``"sum"`` alone; the last two are
    not defined for NaN.
    Shapes: out[m], labels[n], values[n]; or rows: out[m, d], values[n, d], d up to 4096.
    Elements: labels of 4 or 8 bytes; values as ``out``: int32, int64, uint32, uint64, float32, float64; of
    sums also float16 and bfloat16, which are summed as float32 and rounded once.
    Order: that of the inputs for rows, for float16 and bfloat16, and for sums with ``deterministic=True``,
    which then have the same bits in every run; any otherwise.
    Requires: labels below m, which ``checked=True`` looks at; that waits for the stream.
    """
    operator = _REDUCES.get(reduce) if isinstance(reduce, str) else None
    if operator is None:
        raise ValueError(f"reduce: found {reduce!r}, accepted: {', '.join(_REDUCES)}")
    return _reduce(out, labels, values, "values", operator, reduce, checked, deterministic, stream)


def _reduce(
    out: Any,
    labels: Any,
    values: Any,
    name: str,  # of the argument `values`
    operator: int,
    reduce: str,
    checked: bool,
    deterministic: bool,
    stream: Any,
) -> Any:
    if stream is None and _tensor_calls is not None:
        if _done(_tensor_calls.reduce(out, labels, values, operator, checked, deterministic)):
            return out
    if "torch" not in _prepared and _reduced_tensors(out, labels, values, operator, checked, deterministic, stream):
        return out
    to, by, what = (
        describe("out", out, (1, 2), writes=True),
        describe("labels", labels),
        describe(name, values, (1, 2)),
    )
    has_rows = len(to.shape) == 2 or to.element in _HALVES  # sums of halves: rows of one column
    label_bytes, element = number_of("labels", by, LABELS), number_of("out", to, ROWS if has_rows else NUMBERS)
    n, m = by.shape[0], to.shape[0]
    check_shape(name, what, "out", to, "labels", n)
    device, on = place_of(stream, ("out", "labels", name), (out, labels, values), (to, by, what))
    if has_rows:
        if operator != _SUM:
            raise ValueError(f"reduce: found {reduce!r}, accepted for rows and halves: sum")
        _call(
            "presort_cuda_add_rows",
            label_bytes, by.address, element, what.address, n, to.address, m, columns_of(to), on, checked, device,
        )  # fmt: skip
        return out
    if deterministic:
        if operator == _SUM:
            operator = _SUM_IN_ORDER
        elif reduce == "prod" and to.element[1] == "f":
            raise ValueError("deterministic: found True, accepted for products of floats: False")
    _call(
        "presort_cuda_reduce",
        label_bytes, by.address, element, operator, what.address, n, to.address, m, on, checked, device,
    )  # fmt: skip
    return out


def index_add(
    out: Any, labels: Any, values: Any, *, checked: bool = False, deterministic: bool = False, stream: Any = None
) -> Any:
    """``out[labels[j]] += values[j]`` for every j: ``scatter_reduce`` with ``"sum"``. Returns ``out``."""
    if stream is None and _tensor_calls is not None:  # saves a call of Python's
        if _done(_tensor_calls.reduce(out, labels, values, _SUM, checked, deterministic)):
            return out
    return scatter_reduce(out, labels, values, checked=checked, deterministic=deterministic, stream=stream)


def bincount(
    out: Any,
    labels: Any,
    weights: Any = None,
    *,
    checked: bool = False,
    deterministic: bool = False,
    stream: Any = None,
) -> Any:
    """``out[labels[j]] += 1``, or ``weights[j]``, for every j: ``np.bincount`` into counts that go on. Returns ``out``.

    Shapes: out[m], labels[n], weights[n]. Elements: labels of 4 or 8 bytes; counts integers of 4 or 8 bytes;
    weights, and sums of them, as ``scatter_reduce`` has values. Requires: labels below m, which
    ``checked=True`` looks at; that waits for the stream.
    """
    if weights is not None:
        return _reduce(out, labels, weights, "weights", _SUM, "sum", checked, deterministic, stream)
    if stream is None and _tensor_calls is not None and _done(_tensor_calls.count(out, labels, checked)):
        return out
    to, by = describe("out", out, writes=True), describe("labels", labels)
    label_bytes, count_bytes = number_of("labels", by, LABELS), number_of("out", to, LABELS)
    device, on = place_of(stream, ("out", "labels"), (out, labels), (to, by))
    _call(
        "presort_cuda_count",
        label_bytes, by.address, by.shape[0], count_bytes, to.address, to.shape[0], on, checked, device,
    )  # fmt: skip
    return out


def scatter(out: Any, labels: Any, values: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[labels[j]] = values[j]`` for every j, the last one winning. Returns ``out``.

    Shapes: out[m], labels[n], values[n]. Elements: labels of 4 or 8 bytes; values as ``out``, of 4 or 8
    bytes. Requires: labels below m, which ``checked=True`` looks at; that waits for the stream.
    """
    if stream is None and _tensor_calls is not None and _done(_tensor_calls.scatter(out, labels, values, checked)):
        return out
    to, by, what = describe("out", out, writes=True), describe("labels", labels), describe("values", values)
    label_bytes = number_of("labels", by, LABELS)
    number_of("out", to, NUMBERS)
    check_shape("values", what, "out", to, "labels", by.shape[0])
    device, on = place_of(stream, ("out", "labels", "values"), (out, labels, values), (to, by, what))
    _call(
        "presort_cuda_scatter",
        label_bytes, by.address, element_bytes(to.element), what.address, by.shape[0], to.address, to.shape[0],
        on, checked, device,
    )  # fmt: skip
    return out


def take(table: Any, indices: Any, out: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[i] = table[indices[i]]`` for every i. Returns ``out``.

    Shapes: table[m], indices[n], out[n]; or rows: table[m, d], out[n, d], d up to 4096; ``out`` does not
    overlap them. Elements: indices of 4 or 8 bytes; table and out of one type, as rows of ``scatter_reduce``
    have them. Requires: indices below m, which ``checked=True`` looks at; that waits for the stream.
    """
    if stream is None and _tensor_calls is not None and _done(_tensor_calls.take(table, indices, out, checked)):
        return out
    from_, by, to = (
        describe("table", table, (1, 2)),
        describe("indices", indices),
        describe("out", out, (1, 2), writes=True),
    )
    label_bytes = number_of("indices", by, LABELS)
    number_of("table", from_, ROWS)
    n, m, bytes_ = by.shape[0], from_.shape[0], element_bytes(from_.element)
    check_shape("out", to, "table", from_, "indices", n)
    device, on = place_of(stream, ("out", "table", "indices"), (out, table, indices), (to, from_, by))
    if len(to.shape) == 2 or bytes_ == 2:
        _call(
            "presort_cuda_take_rows",
            label_bytes, by.address, n, bytes_, from_.address, m, columns_of(to), to.address, on, checked, device,
        )  # fmt: skip
    else:
        _call(
            "presort_cuda_take",
            label_bytes, by.address, n, bytes_, from_.address, m, to.address, on, checked, device,
        )  # fmt: skip
    return out


def multiscan(
    out: Any, labels: Any, values: Any, sums: Any, *, inclusive: bool = True, checked: bool = False, stream: Any = None
) -> Any:
    """``out[i]`` = ``sums[labels[i]]`` + the values up to i that have its label; ``sums`` then goes on from there.

    With ``sums`` of zeros: pandas' ``groupby.cumsum``. ``inclusive=False`` leaves its own value out. Returns ``out``.
    Shapes: out[n], labels[n], values[n], sums[m]. Elements: labels of 4 or 8 bytes; the others of one type of
    4 or 8 bytes. Sums of floats have the same bits in every run. Requires: labels below m, which
    ``checked=True`` looks at; that waits for the stream.
    """
    if stream is None and _tensor_calls is not None:
        if _done(_tensor_calls.scan(out, labels, values, sums, inclusive, checked)):
            return out
    to, by = describe("out", out, writes=True), describe("labels", labels)
    what, totals = describe("values", values), describe("sums", sums, writes=True)
    label_bytes, element, n = number_of("labels", by, LABELS), number_of("out", to, NUMBERS), by.shape[0]
    check_length("out", to, n, "labels")
    check_shape("values", what, "out", to, "labels", n)
    check_shape("sums", totals, "out", to, "sums", totals.shape[0])
    device, on = place_of(
        stream, ("out", "labels", "values", "sums"), (out, labels, values, sums), (to, by, what, totals)
    )
    _call(
        "presort_cuda_scan",
        label_bytes, by.address, element, bool(inclusive), what.address, n, totals.address, totals.shape[0], to.address,
        on, checked, device,
    )  # fmt: skip
    return out


@wraps(gpu_order.cumcount)
def cumcount(out: Any, labels: Any, counts: Any, *, checked: bool = False, stream: Any = None) -> Any:
    if stream is None and _tensor_calls is not None and _done(_tensor_calls.tag(out, labels, counts, checked)):
        return out
    found = gpu_order.cumcount(out, labels, counts, checked=checked, stream=stream)
    _prepare_tensor_calls()
    return found


@wraps(gpu_order.partial_sort)
def partial_sort(
    labels: Any,
    values: Any,
    num_buckets: int,
    bits: int,
    out_labels: Any,
    out_values: Any,
    starts: Any,
    *,
    checked: bool = False,
    stream: Any = None,
) -> None:
    outs = out_labels, out_values, starts
    if stream is None and _tensor_calls is not None and 1 <= bits <= max(num_buckets - 1, 0).bit_length():
        if _done(_tensor_calls.sort(labels, values, num_buckets, bits, *outs, checked)):
            return
    gpu_order.partial_sort(labels, values, num_buckets, bits, *outs, checked=checked, stream=stream)
    _prepare_tensor_calls()


@wraps(gpu_order.group_sum)
def group_sum(
    keys: Any,
    values: Any,
    out_keys: Any,
    out_sums: Any,
    out_counts: Any = None,
    *,
    count: Any = None,
    stream: Any = None,
) -> Any:
    if stream is None and _tensor_calls is not None:
        code, found = _tensor_calls.group_sum(keys, values, out_keys, out_sums, out_counts, count)
        if _done(code):
            return count if count is not None else check_room(found, len(out_keys))
    result = gpu_order.group_sum(keys, values, out_keys, out_sums, out_counts, count=count, stream=stream)
    _prepare_tensor_calls()
    return result
