"""The library behind ``presort.cuda``: libpresort_cuda.so, which is loaded when one of its functions is first
asked for. Its functions are those of python/src/cuda/entry.cu."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, NoReturn

from ._presort import EnvironmentError, LabelError

LIBRARY = "libpresort_cuda.so"
_WRONG_LABEL, _NO_DEVICE = 2, 3

_P, _N, _I = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int
ARGUMENTS = {
    "presort_cuda_reduce": (_I, _P, _I, _I, _P, _N, _P, _N, _P, _I, _I),
    "presort_cuda_add_rows": (_I, _P, _I, _P, _N, _P, _N, _N, _P, _I, _I),
    "presort_cuda_count": (_I, _P, _N, _I, _P, _N, _P, _I, _I),
    "presort_cuda_scatter": (_I, _P, _I, _P, _N, _P, _N, _P, _I, _I),
    "presort_cuda_take": (_I, _P, _N, _I, _P, _N, _P, _P, _I, _I),
    "presort_cuda_take_rows": (_I, _P, _N, _I, _P, _N, _N, _P, _P, _I, _I),
    "presort_cuda_scan": (_I, _P, _I, _I, _P, _N, _P, _N, _P, _P, _I, _I),
    "presort_cuda_tag": (_I, _P, _N, _I, _P, _N, _P, _P, _I, _I),
    "presort_cuda_sort": (_I, _P, _I, _P, _N, _N, _I, _P, _P, _P, _P, _I, _I),
    "presort_cuda_group_sum": (_I, _P, _I, _P, _N, _P, _P, _P, _N, _P, _P, _P, _I),
}

# Numbers of types of elements in python/src/cuda/elements.cuh, and bytes of labels and counts
NUMBERS = {"<u4": 0, "<u8": 1, "<f4": 2, "<f8": 3, "<i4": 6, "<i8": 7}
ROWS = {**NUMBERS, "<f2": 4, "bfloat16": 5}
WORDS = {"<u4": 4, "<i4": 4}
LONG_WORDS = {"<u8": 8, "<i8": 8}
LABELS = {**WORDS, **LONG_WORDS}

functions: dict[str, Any] = {}


def is_there() -> bool:
    """Whether this presort was built with CUDA."""
    return (Path(__file__).parent / LIBRARY).exists()


def function(name: str) -> Any:
    """A function of the library. Errors: ImportError if there is no library."""
    found = functions.get(name)
    if found is not None:
        return found
    if not is_there():
        raise ImportError(
            "presort.cuda: this presort was built without CUDA; see python/README.md for how to build it"
        )
    library = ctypes.CDLL(str(Path(__file__).parent / LIBRARY))
    library.presort_cuda_error.restype = ctypes.c_char_p
    for each, arguments in ARGUMENTS.items():
        getattr(library, each).argtypes = arguments
    for each in ("presort_cuda_error", *ARGUMENTS):
        functions[each] = getattr(library, each)
    return functions[name]


def address(name: str) -> int:
    """Where a function of the library lies. Errors: as function()."""
    return ctypes.cast(function(name), ctypes.c_void_p).value or 0


def throw(code: int) -> NoReturn:
    """Raises the error that a function returned as a code, with the library's own words."""
    text = function("presort_cuda_error")().decode(errors="replace")
    raise {_WRONG_LABEL: LabelError, _NO_DEVICE: EnvironmentError}.get(code, ValueError)(text)


def call(name: str, *arguments: int) -> None:
    """Calls a function of the library. Errors: as function(), and those of throw()."""
    code = function(name)(*arguments)
    if code:
        throw(code)
