"""Sums and gathers by label on arrays in a GPU's memory: PyTorch, CuPy, Numba, anything that has
``__cuda_array_interface__``.

>>> import torch, presort.cuda                                            # doctest: +SKIP
>>> sums = torch.zeros(1 << 20, device="cuda")                            # doctest: +SKIP
>>> presort.cuda.index_add(sums, labels, values)                          # doctest: +SKIP

Everything runs on one stream: ``stream`` (a number, or an object of PyTorch or CuPy), or else the current
stream of the library that made ``out``. The host waits for nothing, unless ``checked=True`` asks for a
check of the labels. Arrays are used where they lie, in one piece, and nothing is copied or converted.

Sums of floats are added in any order: runs differ by rounding, as those of PyTorch do.

It needs a package that was built with CUDA (python/README.md); without it calls are an ImportError.

Errors: TypeError for an element type or an object that is not in a GPU's memory; ValueError for shapes,
arrays with gaps, and arrays of different streams; LabelError, an IndexError, for a label with
``checked=True``; EnvironmentError, a RuntimeError, without a device or memory. Everything but labels is
checked before anything runs.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ._presort import EnvironmentError, LabelError

_LIBRARY = "libpresort_cuda.so"
_SUMS = {"<u4": 0, "<i4": 0, "<u8": 1, "<i8": 1, "<f4": 2, "<f8": 3}
_LABELS = {"<u4": 4, "<i4": 4, "<u8": 8, "<i8": 8}
_WRONG_LABEL, _NO_DEVICE = 2, 3
_TEXT_BYTES = 1000

_loaded: ctypes.CDLL | None = None


class _Array(NamedTuple):
    """What an array's interface says. ``stream`` is None where it names none."""

    address: int
    length: int
    element: str
    stream: int | None


def _library() -> ctypes.CDLL:
    global _loaded
    if _loaded is None:
        path = Path(__file__).parent / _LIBRARY
        if not path.exists():
            raise ImportError(
                "presort.cuda: this presort was built without CUDA; see python/README.md for how to build it"
            )
        _loaded = ctypes.CDLL(str(path))
    return _loaded


def _array(name: str, array: Any, writes: bool = False) -> _Array:
    """The array's address and shape, or an error."""
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(
            f"{name}: found {type(array).__name__}, accepted: an array in a GPU's memory, with "
            "__cuda_array_interface__"
        )
    shape, element = tuple(interface["shape"]), str(interface["typestr"])
    if len(shape) != 1:
        raise ValueError(f"{name}: found {len(shape)} dimensions, accepted: 1")
    strides = interface.get("strides")
    if strides is not None and shape[0] > 1 and strides[0] != int(element[2:]):
        raise ValueError(f"{name}: found an array with gaps, accepted: one in one piece")
    if interface.get("mask") is not None:
        raise ValueError(f"{name}: found a mask, accepted: an array without one")
    address, read_only = interface["data"]
    if writes and read_only:
        raise ValueError(f"{name}: found an array that is read-only")
    stream = interface.get("stream")
    if stream == 0:
        raise ValueError(f"{name}: found stream 0, which the interface does not allow, accepted: None, 1, 2, …")
    return _Array(int(address or 0), int(shape[0]), element, stream)


def _of_library(array: Any) -> int | None:
    """The current stream of the library that made an array; None for an unknown library."""
    maker = type(array).__module__.partition(".")[0]
    if maker == "torch" and "torch" in sys.modules:
        torch = importlib.import_module("torch")
        return int(torch.cuda.current_stream(array.device).cuda_stream)
    if maker == "cupy" and "cupy" in sys.modules:
        cupy = importlib.import_module("cupy")
        return int(cupy.cuda.get_current_stream(array.device.id).ptr)
    return None


# 0 and 1 both name the legacy default stream.
def _legacy_as_one(stream: int) -> int:
    return stream if stream else 1


def _stream(stream: Any, arrays: dict[str, Any], described: dict[str, _Array]) -> int:
    """The stream that the call runs on."""
    if stream is not None:
        for name in ("cuda_stream", "ptr"):  # PyTorch's and CuPy's objects
            stream = getattr(stream, name, stream)
        if not isinstance(stream, int) or isinstance(stream, bool) or stream < 0:
            raise TypeError(f"stream: found {stream!r}, accepted: a number, or a stream of PyTorch or CuPy")
        return _legacy_as_one(stream)
    found: dict[int, str] = {}
    for name, array in arrays.items():
        own = _of_library(array)
        own = described[name].stream if own is None else own
        if own is not None:
            found.setdefault(_legacy_as_one(own), name)
    if len(found) > 1:
        (one, first), (other, second) = list(found.items())[:2]
        raise ValueError(
            f"stream: found {first} on stream {one} and {second} on stream {other}, accepted: arrays of one "
            "stream, or a stream that is given and waits for both"
        )
    return next(iter(found), 1)


def _element(name: str, array: _Array, accepted: dict[str, int]) -> int:
    if array.element not in accepted:
        kinds = ", ".join(accepted)
        raise TypeError(f"{name}: found elements of {array.element}, accepted: {kinds}")
    return accepted[array.element]


def _same(name: str, found: Any, other: str, accepted: Any, what: str) -> None:
    if found != accepted:
        raise (ValueError if what == "elements" else TypeError)(
            f"{name}: found {found} {what}, accepted: {accepted}, as {other} has"
        )


def _call(function: str, *arguments: Any) -> None:
    text = ctypes.create_string_buffer(_TEXT_BYTES)
    code = getattr(_library(), function)(*arguments, text, ctypes.c_uint64(_TEXT_BYTES))
    if code:
        _throw(code, text.value.decode(errors="replace"))


def _throw(code: int, text: str) -> NoReturn:
    raise {_WRONG_LABEL: LabelError, _NO_DEVICE: EnvironmentError}.get(code, ValueError)(text)


def index_add(out: Any, labels: Any, values: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[labels[j]] += values[j]`` for every j, in any order. Returns ``out``.

    Shapes: out[m], labels[n], values[n]. Elements: labels of 4 or 8 bytes; values as ``out``: int32,
    int64, uint32, uint64, float32, float64. Requires: labels below m, which ``checked=True`` looks at;
    that waits for the stream.
    """
    to, by, what = _array("out", out, writes=True), _array("labels", labels), _array("values", values)
    label_bytes, sum_ = _element("labels", by, _LABELS), _element("out", to, _SUMS)
    _same("values", what.element, "out", to.element, "as elements")
    _same("values", what.length, "labels", by.length, "elements")
    on = _stream(
        stream,
        {"out": out, "labels": labels, "values": values},
        {"out": to, "labels": by, "values": what},
    )
    _call(
        "presort_cuda_index_add",
        ctypes.c_int(label_bytes), ctypes.c_void_p(by.address), ctypes.c_int(sum_), ctypes.c_void_p(what.address),
        ctypes.c_uint64(by.length), ctypes.c_void_p(to.address), ctypes.c_uint64(to.length), ctypes.c_void_p(on),
        ctypes.c_int(checked),
    )  # fmt: skip
    return out


def take(table: Any, indices: Any, out: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[i] = table[indices[i]]`` for every i. Returns ``out``.

    Shapes: table[m], indices[n], out[n]; ``out`` does not overlap them. Elements: indices of 4 or 8 bytes;
    table and out of one type of 4 or 8 bytes. Requires: indices below m, which ``checked=True`` looks at;
    that waits for the stream.
    """
    from_, by, to = _array("table", table), _array("indices", indices), _array("out", out, writes=True)
    label_bytes = _element("indices", by, _LABELS)
    _element("table", from_, _SUMS)
    _same("out", to.element, "table", from_.element, "as elements")
    _same("out", to.length, "indices", by.length, "elements")
    on = _stream(
        stream,
        {"out": out, "table": table, "indices": indices},
        {"out": to, "table": from_, "indices": by},
    )
    _call(
        "presort_cuda_take",
        ctypes.c_int(label_bytes), ctypes.c_void_p(by.address), ctypes.c_uint64(by.length),
        ctypes.c_int(int(from_.element[2:])), ctypes.c_void_p(from_.address), ctypes.c_uint64(from_.length),
        ctypes.c_void_p(to.address), ctypes.c_void_p(on), ctypes.c_int(checked),
    )  # fmt: skip
    return out
