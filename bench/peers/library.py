"""The C interface of bench/peers.cpp, and its arrays as numpy sees them."""

import ctypes

from exits import EXIT_ENVIRONMENT, EXIT_USAGE, die

try:
    import numpy as np
except ImportError:
    die(EXIT_ENVIRONMENT, "numpy is missing; Debian: python3-numpy")


class Library:
    """The C interface of bench/peers.cpp."""

    SIGNATURES = {
        "error": (ctypes.c_char_p, []),
        "versions": (ctypes.c_char_p, []),
        "open": (
            ctypes.c_void_p,
            [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint64],
        ),
        "close": (None, [ctypes.c_void_p]),
        "labels": (ctypes.POINTER(ctypes.c_uint32), [ctypes.c_void_p]),
        "values": (ctypes.POINTER(ctypes.c_uint32), [ctypes.c_void_p]),
        "buckets": (ctypes.POINTER(ctypes.c_uint32), [ctypes.c_void_p]),
        "huge_share": (ctypes.c_double, [ctypes.c_void_p]),
        "count": (ctypes.c_int, [ctypes.c_void_p]),
        "name": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int]),
        "is_ours": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
        "threads": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
        "counts_labels": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
        "left_out": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int]),
        "run": (ctypes.c_double, [ctypes.c_void_p, ctypes.c_int]),
    }

    def __init__(self, path):
        try:
            loaded = ctypes.CDLL(path)
        except OSError as error:
            die(EXIT_ENVIRONMENT, f"{error}; build it: ninja -C build presort_peers")
        for name, (result, arguments) in self.SIGNATURES.items():
            function = getattr(loaded, "peers_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def check(self, failed):
        if failed:
            die(EXIT_USAGE, self.error().decode())


class Inputs:
    """The library's arrays of one n and m, as numpy sees them."""

    def __init__(self, library, n, m, labels, seed):
        self.library, self.n, self.m = library, n, m
        self.handle = library.open(n, m, labels.encode(), seed)
        library.check(not self.handle)
        self.labels = np.ctypeslib.as_array(library.labels(self.handle), (n,))
        self.values = np.ctypeslib.as_array(library.values(self.handle), (n,))
        self.buckets = np.ctypeslib.as_array(library.buckets(self.handle), (m,))

    def close(self):
        del self.labels, self.values, self.buckets
        self.library.close(self.handle)


def keep_freed_memory():
    """What Python's libraries free stays with the process, for their next call. Pages from the
    kernel, zeroed anew for each call, took np.bincount up to 40 ns an input on a virtual machine
    whose host takes free pages back; ours and the sorts get their scratch once."""
    M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # constants of <malloc.h>
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_MMAP_MAX, 0)
        libc.mallopt(M_TRIM_THRESHOLD, -1)
