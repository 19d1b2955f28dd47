"""Operations on arrays by label.

Arguments that are read may be anything that ``numpy.asarray`` takes, or an array of another library that
is on the CPU and speaks DLPack (PyTorch, JAX): its memory is read where it is. Integers of 8 and 16 bits,
bool and arrays that are not in one piece are copied first. Arrays that are written (``out``) must be numpy
arrays, or tensors with a method ``numpy()`` that shares their memory, in one piece, of int32, int64,
uint32, uint64, float32 or float64, and are never copied.

Labels are integers from 0 up to, but not including, the number of buckets. They are checked, one more
pass over them, unless ``unchecked=True`` says that they are right; with wrong ones the process may then
crash. Everything is checked before anything is written.

Errors: TypeError for an element type or an array that cannot be used; ValueError for lengths, an
operator or a plan; LabelError, an IndexError, for a label; EnvironmentError, a RuntimeError, when memory
or threads cannot be had.

Calls of one process run one after the other, and release the interpreter's lock.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from ._presort import Context, LabelError, Operator

_context = Context()

_Array = np.ndarray[Any, Any]

_OPERATORS = {
    "sum": Operator.sum,
    "prod": Operator.prod,
    "amin": Operator.min,
    "amax": Operator.max,
    "min": Operator.min,
    "max": Operator.max,
}
_NATIVE = frozenset(
    np.dtype(name) for name in ("int32", "int64", "uint32", "uint64", "float32", "float64")
)
_LABELS = frozenset(np.dtype(name) for name in ("int32", "int64", "uint32", "uint64"))


# Devices of DLPack whose memory the CPU reads: kDLCPU, kDLCUDAHost (pinned), kDLROCMHost
_CPU_DEVICES = frozenset((1, 3, 11))
_CUDA_DEVICES = frozenset((2, 13))  # kDLCUDA, kDLCUDAManaged


def _refuse_device(name: str, array: Any) -> None:
    """TypeError for an array whose memory is not the CPU's."""
    ask = getattr(array, "__dlpack_device__", None)
    device = int(ask()[0]) if ask is not None else 1
    if device in _CUDA_DEVICES or (ask is None and hasattr(array, "__cuda_array_interface__")):
        raise TypeError(
            f"{name}: found an array in a GPU's memory, accepted: one in the CPU's; copy it first "
            "(.cpu() in PyTorch, cupy.asnumpy), or see presort.cuda"
        )
    if device not in _CPU_DEVICES:
        raise TypeError(
            f"{name}: found an array on a device of DLPack type {device}, accepted: one in the CPU's memory"
        )


def _array(name: str, array: Any) -> _Array:
    """The argument as a numpy array that shares its memory if it can."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__dlpack_device__") or hasattr(array, "__cuda_array_interface__"):
        _refuse_device(name, array)
        if getattr(array, "requires_grad", False):
            raise TypeError(
                f"{name}: found a tensor that requires a gradient, accepted: one that does not "
                "(.detach()); presort.torch has functions with gradients"
            )
        if hasattr(np, "from_dlpack") and hasattr(array, "__dlpack__"):
            try:
                return np.from_dlpack(array)
            except (BufferError, RuntimeError, TypeError):
                pass  # a type that DLPack or numpy lacks, such as bfloat16: as numpy sees it, below
    return np.asarray(array)


def _labels(name: str, array: Any) -> _Array:
    """The labels as 32- or 64-bit integers in one piece."""
    array = _array(name, array)
    if array.ndim != 1:
        raise ValueError(f"{name}: found {array.ndim} dimensions, accepted: 1")
    if array.dtype not in _LABELS:
        if array.dtype.kind not in "iub" or array.dtype.itemsize > 8:
            if array.size:
                raise TypeError(f"{name}: found elements of {array.dtype}, accepted: integers")
            return np.empty(0, np.uint32)
        wide: np.dtype[Any] = np.dtype(np.int32 if array.dtype.kind == "i" else np.uint32)
        wide = array.dtype.newbyteorder("=") if array.dtype.itemsize >= 4 else wide
        converted: _Array = array.astype(wide)
        return converted
    return np.ascontiguousarray(array)


def _values(name: str, array: Any, dtype: Any = None, dimensions: tuple[int, ...] = (1,)) -> _Array:
    """The values as elements that kernels take, of ``dtype`` if one is given."""
    array = _array(name, array)
    if array.ndim not in dimensions:
        accepted = " or ".join(map(str, dimensions))
        raise ValueError(f"{name}: found {array.ndim} dimensions, accepted: {accepted}")
    if dtype is None:
        dtype = array.dtype
        if dtype not in _NATIVE:
            dtype = _widened(name, dtype)
    elif not np.can_cast(array.dtype, dtype, "same_kind"):
        raise TypeError(f"{name}: found elements of {array.dtype}, accepted: what fits {dtype}")
    return np.ascontiguousarray(array, dtype=dtype)


def _widened(name: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind in "iub" and dtype.itemsize < 4:
        return np.dtype(np.int32 if dtype.kind == "i" else np.uint32)
    native = dtype.newbyteorder("=")
    if native in _NATIVE:
        return native
    if dtype.kind == "f" and dtype.itemsize == 2:
        return np.dtype(np.float32)
    raise TypeError(
        f"{name}: found elements of {dtype}, accepted: integers up to 64 bits, float16, float32, "
        "float64"
    )


def _out(name: str, array: Any, dimensions: tuple[int, ...] = (1,)) -> _Array:
    """An array that is written, or a view of its memory; or an error."""
    if not isinstance(array, np.ndarray):
        if not (hasattr(array, "__dlpack_device__") and hasattr(array, "numpy")):
            raise TypeError(f"{name}: found {type(array).__name__}, accepted: a numpy array or a tensor")
        _refuse_device(name, array)
        if getattr(array, "requires_grad", False):
            raise TypeError(f"{name}: found a tensor that requires a gradient, accepted: one that does not")
        array = array.numpy()
    if array.dtype not in _NATIVE:
        raise TypeError(
            f"{name}: found elements of {array.dtype}, accepted: int32, int64, uint32, uint64, "
            "float32, float64"
        )
    if array.ndim not in dimensions:
        accepted = " or ".join(map(str, dimensions))
        raise ValueError(f"{name}: found {array.ndim} dimensions, accepted: {accepted}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name}: found an array with gaps, accepted: one in one piece")
    if not array.flags.writeable:
        raise ValueError(f"{name}: found an array that is read-only")
    return array  # type: ignore[no-any-return]


def _operator(reduce: str) -> Operator:
    try:
        return _OPERATORS[reduce]
    except (KeyError, TypeError):
        accepted = ", ".join(_OPERATORS)
        raise ValueError(f"reduce: found {reduce!r}, accepted: {accepted}") from None


def _same_length(name: str, array: _Array, other: str, length: int) -> None:
    if len(array) != length:
        raise ValueError(f"{name}: found {len(array)} elements, accepted: {length}, as {other} has")


def _same_columns(name: str, array: _Array, other: str, rows: _Array) -> None:
    if array.shape[1] != rows.shape[1]:
        raise ValueError(
            f"{name}: found rows of {array.shape[1]} elements, accepted: {rows.shape[1]}, as {other} has"
        )


def _count(name: str, labels: _Array, given: int | None) -> int:
    """The number of buckets: what is given, or one more than the largest label."""
    if given is None:
        return max(int(labels.max()) + 1, 0) if len(labels) else 0
    if given < 0:
        raise ValueError(f"{name}: found {given}, accepted: 0 or more")
    return int(given)


# Functions that set plans, threads and memory.


def load(file: str | os.PathLike[str]) -> None:
    """Takes plans from a tuned file of this machine from now on (``presort tune --out FILE``).

    Warns (RuntimeWarning) of what differs from the machine it was made on and may matter little.
    Errors: InputError for a file that cannot be read, or is of another machine.
    """
    for warning in _context.choose_from(os.fspath(file)):
        warnings.warn(warning, RuntimeWarning, stacklevel=2)


def use_plan(plan: str) -> None:
    """Runs this plan from now on, for example ``"sortBits=9,bufferBytes=256"``.

    Operations that cannot run it refuse it with an InputError.
    """
    _context.use_plan(plan)


def choose_by_rule() -> None:
    """Chooses plans from a sample of the labels, without a file: what is done unless told otherwise."""
    _context.choose_by_rule()


def set_threads(threads: int) -> None:
    """Keeps a team of so many threads; 0, the default: as many as each plan says."""
    _context.set_threads(threads)


def release_memory() -> None:
    """Gives back the scratch memory that is kept: up to 2.2 times the inputs of the largest call."""
    _context.release()


def last_plan() -> str:
    """The plan that ran last, where it came from and what it was chosen for; "" before any call."""
    return _context.last_plan()


# Functions that reduce values per label or segment.


def scatter_reduce(
    out: Any, labels: Any, values: Any, reduce: str = "sum", *, unchecked: bool = False
) -> Any:
    """``out[labels[j]] = reduce(out[labels[j]], values[j])`` for every j, in order.

    ``reduce`` is ``"sum"``, ``"prod"``, ``"amin"`` or ``"amax"``. Returns ``out``.
    Shapes: out[m], labels[n], values[n].
    """
    given = out
    out = _out("out", out)
    labels = _labels("labels", labels)
    values = _values("values", values, out.dtype)
    _same_length("values", values, "labels", len(labels))
    _context.multireduce(labels, values, out, _operator(reduce), not unchecked)
    return given


def index_add(out: Any, labels: Any, values: Any, *, unchecked: bool = False) -> Any:
    """``out[labels[j]] += values[j]`` for every j: ``np.add.at``. Returns ``out``.

    Shapes: out[m], labels[n], values[n]; or rows: out[m, d], values[n, d], with d up to 4096. Numbers
    are added in the order of the inputs. Rows of floats are summed in groups that depend on labels and
    shapes alone: the same bits in every run, not always those of a loop.
    """
    given = out
    out = _out("out", out, (1, 2))
    if out.ndim == 1:
        scatter_reduce(out, labels, values, "sum", unchecked=unchecked)
        return given
    labels = _labels("labels", labels)
    values = _values("values", values, out.dtype, (2,))
    _same_length("values", values, "labels", len(labels))
    _same_columns("values", values, "out", out)
    if out.shape[1] > 0:
        _context.add_rows(
            labels, values.reshape(-1), out.reshape(-1), out.shape[0], out.shape[1], not unchecked
        )
    return given


def bincount(
    labels: Any, weights: Any = None, minlength: int = 0, *, unchecked: bool = False
) -> _Array:
    """How often each label occurs, or the sums of its weights as float64: ``np.bincount``.

    The result has one element for every label up to the largest, and ``minlength`` at least.
    """
    labels = _labels("labels", labels)
    if minlength < 0:
        raise ValueError(f"minlength: found {minlength}, accepted: 0 or more")
    if len(labels) and labels.dtype.kind == "i" and (least := int(labels.min())) < 0:
        raise LabelError(f"label {least} is negative")
    # There is a bucket for each label, so labels need no check.
    buckets = max(_count("labels", labels, None), int(minlength))
    if weights is None:
        out = np.zeros(buckets, np.int64)
        _context.histogram(labels, out, False)
        return out
    weights = _values("weights", weights, np.dtype(np.float64))
    _same_length("weights", weights, "labels", len(labels))
    out = np.zeros(buckets, np.float64)
    _context.multireduce(labels, weights, out, Operator.sum, False)
    return out


def _segment(data: Any, labels: Any, count: int | None, op: str, unchecked: bool) -> _Array:
    data = _values("data", data)
    labels = _labels("segment_ids", labels)
    _same_length("data", data, "segment_ids", len(labels))
    out = np.full(_count("num_segments", labels, count), _identity(op, data.dtype), data.dtype)
    _context.multireduce(labels, data, out, _OPERATORS[op], not unchecked)
    return out


def _identity(op: str, dtype: np.dtype[Any]) -> Any:
    if op == "sum":
        return 0
    if op == "prod":
        return 1
    if dtype.kind == "f":
        return np.inf if op == "min" else -np.inf
    limits = np.iinfo(dtype)
    return limits.max if op == "min" else limits.min


def segment_sum(
    data: Any, segment_ids: Any, num_segments: int | None = None, *, unchecked: bool = False
) -> _Array:
    """The sums of the data of each segment; segment ids stand in any order.

    Without ``num_segments`` there are as many as the largest id says. A segment without data is 0.
    """
    return _segment(data, segment_ids, num_segments, "sum", unchecked)


def segment_prod(
    data: Any, segment_ids: Any, num_segments: int | None = None, *, unchecked: bool = False
) -> _Array:
    """The products of the data of each segment; 1 for one without data. See ``segment_sum``."""
    return _segment(data, segment_ids, num_segments, "prod", unchecked)


def segment_min(
    data: Any, segment_ids: Any, num_segments: int | None = None, *, unchecked: bool = False
) -> _Array:
    """The least value of each segment; without data, the largest number of the type."""
    return _segment(data, segment_ids, num_segments, "min", unchecked)


def segment_max(
    data: Any, segment_ids: Any, num_segments: int | None = None, *, unchecked: bool = False
) -> _Array:
    """The largest value of each segment; without data, the least number of the type."""
    return _segment(data, segment_ids, num_segments, "max", unchecked)


def group_sum(keys: Any, values: Any, *, sort: bool = True) -> tuple[_Array, _Array, _Array]:
    """Sums of values by key, for any integer keys: SQL's GROUP BY, pandas' ``groupby.sum``.

    Returns (keys, sums, counts), one element for each different key: rising keys, or, with
    ``sort=False``, in an order that depends on keys and threads. Shapes: keys[n], values[n]. A sum is that
    of a loop over the inputs in their order, in every bit. Runs on the threads of ``set_threads``, or on one.
    """
    keys = _labels("keys", keys)
    values = _values("values", values)
    _same_length("values", values, "keys", len(keys))
    found, sums, counts = _context.group_sum(keys, values)
    counts = counts.view(np.int64)
    if sort:
        order = np.argsort(found)
        return found[order], sums[order], counts[order]
    return found, sums, counts


# Functions that move values: take, scatter.


def take(
    table: Any, indices: Any, out: Any = None, *, unchecked: bool = False
) -> Any:
    """``table[indices]``, ``np.take`` along the first axis.

    Shapes: table[m], indices[n]; the result[n]. Or rows: table[m, d], with d up to 4096; the result[n, d].
    """
    table = _values("table", table, None, (1, 2))
    indices = _labels("indices", indices)
    shape = (len(indices), *table.shape[1:])
    given = out = np.empty(shape, table.dtype) if out is None else out
    out = _out("out", out, (table.ndim,))
    _same_length("out", out, "indices", len(indices))
    if out.dtype != table.dtype:
        raise TypeError(f"out: found elements of {out.dtype}, accepted: {table.dtype}, as table has")
    if table.ndim == 1:
        _context.gather(indices, table, out, not unchecked)
        return given
    _same_columns("out", out, "table", table)
    if table.shape[1] > 0:
        _context.take_rows(
            indices, table.reshape(-1), out.reshape(-1), table.shape[0], table.shape[1], not unchecked
        )
    return given


def scatter(out: Any, labels: Any, values: Any, *, unchecked: bool = False) -> Any:
    """``out[labels[j]] = values[j]``, the last j of a label winning. Returns ``out``."""
    given = out
    out = _out("out", out)
    labels = _labels("labels", labels)
    values = _values("values", values, out.dtype)
    _same_length("values", values, "labels", len(labels))
    _context.scatter(labels, values, out, not unchecked)
    return given


# Functions that scan, number and order inputs.


def multiscan(
    labels: Any,
    values: Any,
    num_buckets: int | None = None,
    *,
    inclusive: bool = True,
    unchecked: bool = False,
) -> _Array:
    """For every input the sum of the values with its label up to it: pandas' ``groupby.cumsum``.

    ``inclusive=False`` leaves its own value out. Shapes: labels[n], values[n]; the result[n].
    """
    labels = _labels("labels", labels)
    values = _values("values", values)
    _same_length("values", values, "labels", len(labels))
    start = np.zeros(_count("num_buckets", labels, num_buckets), values.dtype)
    out: _Array = np.empty_like(values)
    _context.multiscan(labels, values, start, out, inclusive, not unchecked)
    return out


def cumcount(
    labels: Any, num_buckets: int | None = None, *, unchecked: bool = False
) -> _Array:
    """For every input how many earlier ones have its label, as int64: pandas' ``groupby.cumcount``."""
    labels = _labels("labels", labels)
    counts = np.zeros(_count("num_buckets", labels, num_buckets), np.int64)
    out = np.empty(len(labels), np.int64)
    _context.multitag(labels, counts, out, not unchecked)
    return out


def partial_sort(
    labels: Any, values: Any, num_buckets: int, bits: int, *, unchecked: bool = False
) -> tuple[_Array, _Array, _Array]:
    """Labels and values, stably sorted by the top ``bits`` bits of the labels alone.

    Returns (labels, values, starts): part d is what stands from starts[d] up to starts[d + 1], of the
    labels whose top bits are d. Labels have ceil(log2(num_buckets)) bits.
    """
    labels = _labels("labels", labels)
    values = _values("values", values)
    _same_length("values", values, "labels", len(labels))
    buckets = _count("num_buckets", labels, num_buckets)
    label_bits = max(buckets - 1, 0).bit_length()
    if not 1 <= bits <= label_bits:
        raise ValueError(f"bits: found {bits}, accepted: 1 to {label_bits}, the bits of the labels")
    sorted_labels, sorted_values = np.empty_like(labels), np.empty_like(values)
    starts = np.zeros((1 << bits) + 1, np.uint64)
    _context.partial_sort(
        labels, values, buckets, sorted_labels, sorted_values, starts, bits, not unchecked
    )
    return sorted_labels, sorted_values, starts

