"""Sums and gathers by label on arrays in a GPU's memory: PyTorch, CuPy, Numba, anything that has
``__cuda_array_interface__``.

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

import ctypes
from pathlib import Path
from typing import Any, NoReturn

from ._presort import EnvironmentError, LabelError, TensorCalls
from .gpu_arrays import (
    UNKNOWN_DEVICE,
    GpuArray,
    current_stream_of_torch,
    describe,
    device_of_tensors,
    element_bytes,
    element_of_tensor,
    exchange_of_torch,
    place_of,
)

_LIBRARY = "libpresort_cuda.so"
# Numbers of types and operators in python/src/cuda/elements.cuh
_NUMBERS = {"<u4": 0, "<u8": 1, "<f4": 2, "<f8": 3, "<i4": 6, "<i8": 7}
_ROWS = {**_NUMBERS, "<f2": 4, "bfloat16": 5}
_HALVES = ("<f2", "bfloat16")
_LABELS = {"<u4": 4, "<i4": 4, "<u8": 8, "<i8": 8}
_SUM, _SUM_IN_ORDER = 0, 4
_REDUCES = {"sum": _SUM, "prod": 1, "amin": 2, "amax": 3, "min": 2, "max": 3}
_WRONG_LABEL, _NO_DEVICE = 2, 3

_P, _N, _I = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int
_ARGUMENTS = {
    "presort_cuda_reduce": (_I, _P, _I, _I, _P, _N, _P, _N, _P, _I, _I),
    "presort_cuda_add_rows": (_I, _P, _I, _P, _N, _P, _N, _N, _P, _I, _I),
    "presort_cuda_count": (_I, _P, _N, _I, _P, _N, _P, _I, _I),
    "presort_cuda_scatter": (_I, _P, _I, _P, _N, _P, _N, _P, _I, _I),
    "presort_cuda_take": (_I, _P, _N, _I, _P, _N, _P, _P, _I, _I),
    "presort_cuda_take_rows": (_I, _P, _N, _I, _P, _N, _N, _P, _P, _I, _I),
}

_functions: dict[str, Any] = {}


def _function(name: str) -> Any:
    """A function of the library, which is loaded when one is first asked for."""
    found = _functions.get(name)
    if found is not None:
        return found
    path = Path(__file__).parent / _LIBRARY
    if not path.exists():
        raise ImportError(
            "presort.cuda: this presort was built without CUDA; see python/README.md for how to build it"
        )
    library = ctypes.CDLL(str(path))
    library.presort_cuda_error.restype = ctypes.c_char_p
    for each, arguments in _ARGUMENTS.items():
        getattr(library, each).argtypes = arguments
    for each in ("presort_cuda_error", *_ARGUMENTS):
        _functions[each] = getattr(library, each)
    return _functions[name]


def _call(function: str, *arguments: int) -> None:
    code = _function(function)(*arguments)
    if _tensor_calls is None:
        _prepare_tensor_calls()
    if code:
        _throw(code, _function("presort_cuda_error")().decode(errors="replace"))


# Calls on tensors of PyTorch from C++; None as long as there was none, or where PyTorch is too old for them
_tensor_calls: TensorCalls | None = None
_OTHERWISE = -1  # the code of a call that was not made, as something is unusual


def _prepare_tensor_calls() -> None:
    """Makes later calls take the short way, if PyTorch is loaded and offers one."""
    global _tensor_calls
    found = exchange_of_torch()
    if found is not None:
        names = ("reduce", "add_rows", "take", "take_rows")
        functions = (_function(f"presort_cuda_{name}") for name in names)
        _tensor_calls = TensorCalls(*found, *(ctypes.cast(one, _P).value or 0 for one in functions))


def _done(code: int) -> bool:
    """Whether a call by _tensor_calls was made. Raises its error."""
    if code > 0:
        _throw(code, _function("presort_cuda_error")().decode(errors="replace"))
    return code != _OTHERWISE


def _throw(code: int, text: str) -> NoReturn:
    raise {_WRONG_LABEL: LabelError, _NO_DEVICE: EnvironmentError}.get(code, ValueError)(text)


def _element(name: str, array: GpuArray, accepted: dict[str, int]) -> int:
    found = accepted.get(array.element)
    if found is None:
        kinds = ", ".join(accepted)
        raise TypeError(f"{name}: found elements of {array.element}, accepted: {kinds}")
    return found


def _same_shape(name: str, found: GpuArray, other: str, accepted: GpuArray, lengths: str, length: int) -> None:
    """Checks that an array has the type and the columns of another one, and the length of a third."""
    if found.element != accepted.element:
        raise TypeError(f"{name}: found {found.element} as elements, accepted: {accepted.element}, as {other} has")
    if found.shape[1:] != accepted.shape[1:]:
        raise ValueError(
            f"{name}: found rows of {found.shape[1:]}, accepted: {accepted.shape[1:]}, as {other} has"
            if len(found.shape) == len(accepted.shape)
            else f"{name}: found {len(found.shape)} dimensions, accepted: {len(accepted.shape)}, as {other} has"
        )
    if found.shape[0] != length:
        raise ValueError(f"{name}: found {found.shape[0]} elements, accepted: {length}, as {lengths} has")


def _columns(array: GpuArray) -> int:
    return array.shape[1] if len(array.shape) == 2 else 1


# What types of (labels, values) of PyTorch are called: size of a label, number of the value's type
_known_types: dict[tuple[Any, Any], tuple[int, int] | None] = {}


def _types_of_tensors(labels: Any, out: Any) -> tuple[int, int] | None:
    key = (labels.dtype, out.dtype)
    if key not in _known_types:
        label_bytes = _LABELS.get(element_of_tensor(labels) or "")
        element = _NUMBERS.get(element_of_tensor(out) or "")
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
    if _tensor_calls is None:
        if _reduced_tensors(out, labels, values, operator, checked, deterministic, stream):
            return out
    elif stream is None and _done(_tensor_calls.reduce(out, labels, values, operator, checked, deterministic)):
        return out
    to, by, what = (
        describe("out", out, (1, 2), writes=True),
        describe("labels", labels),
        describe("values", values, (1, 2)),
    )
    has_rows = len(to.shape) == 2 or to.element in _HALVES  # sums of halves: rows of one column
    label_bytes, element = _element("labels", by, _LABELS), _element("out", to, _ROWS if has_rows else _NUMBERS)
    n, m = by.shape[0], to.shape[0]
    _same_shape("values", what, "out", to, "labels", n)
    device, on = place_of(stream, ("out", "labels", "values"), (out, labels, values), (to, by, what))
    if has_rows:
        if operator != _SUM:
            raise ValueError(f"reduce: found {reduce!r}, accepted for rows and halves: sum")
        _call(
            "presort_cuda_add_rows",
            label_bytes, by.address, element, what.address, n, to.address, m, _columns(to), on, checked, device,
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


def bincount(out: Any, labels: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[k] +=`` the number of j with ``labels[j] == k``. Returns ``out``.

    Shapes: out[m], labels[n]. Elements: integers of 4 or 8 bytes. Requires: labels below m, which
    ``checked=True`` looks at; that waits for the stream.
    """
    to, by = describe("out", out, writes=True), describe("labels", labels)
    label_bytes, count_bytes = _element("labels", by, _LABELS), _element("out", to, _LABELS)
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
    to, by, what = describe("out", out, writes=True), describe("labels", labels), describe("values", values)
    label_bytes = _element("labels", by, _LABELS)
    _element("out", to, _NUMBERS)
    _same_shape("values", what, "out", to, "labels", by.shape[0])
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
    label_bytes = _element("indices", by, _LABELS)
    _element("table", from_, _ROWS)
    n, m, bytes_ = by.shape[0], from_.shape[0], element_bytes(from_.element)
    _same_shape("out", to, "table", from_, "indices", n)
    device, on = place_of(stream, ("out", "table", "indices"), (out, table, indices), (to, from_, by))
    if len(to.shape) == 2 or bytes_ == 2:
        _call(
            "presort_cuda_take_rows",
            label_bytes, by.address, n, bytes_, from_.address, m, _columns(to), to.address, on, checked, device,
        )  # fmt: skip
    else:
        _call(
            "presort_cuda_take",
            label_bytes, by.address, n, bytes_, from_.address, m, to.address, on, checked, device,
        )  # fmt: skip
    return out
