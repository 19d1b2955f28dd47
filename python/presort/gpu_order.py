"""The operations of ``presort.cuda`` that number and order inputs and group them by key. ``presort.cuda`` says
what all of them share: streams, arrays, errors."""

from __future__ import annotations

import ctypes
from typing import Any

from .gpu_arrays import check_length, check_shape, describe, element_bytes, number_of, place_of
from .gpu_library import LABELS, LONG_WORDS, NUMBERS, WORDS, call


def cumcount(out: Any, labels: Any, counts: Any, *, checked: bool = False, stream: Any = None) -> Any:
    """``out[i]`` = ``counts[labels[i]]`` + the number of inputs before i with its label; ``counts`` then goes on.

    With ``counts`` of zeros: pandas' ``groupby.cumcount``. Returns ``out``.
    Shapes: out[n], labels[n], counts[m]. Elements: integers of 4 or 8 bytes, ``counts`` as ``out``. Requires:
    labels below m, which ``checked=True`` looks at; that waits for the stream.
    """
    to, by, totals = describe("out", out, writes=True), describe("labels", labels), describe("counts", counts, writes=True)
    label_bytes, count_bytes, n = number_of("labels", by, LABELS), number_of("out", to, LABELS), by.shape[0]
    check_length("out", to, n, "labels")
    check_shape("counts", totals, "out", to, "counts", totals.shape[0])
    device, on = place_of(stream, ("out", "labels", "counts"), (out, labels, counts), (to, by, totals))
    call(
        "presort_cuda_tag",
        label_bytes, by.address, n, count_bytes, totals.address, totals.shape[0], to.address, on, checked, device,
    )  # fmt: skip
    return out


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
    """Labels and values, stably sorted by the top ``bits`` bits of the labels alone, into ``out_labels`` and ``out_values``.

    Part d is what stands from starts[d] up to starts[d + 1], of the labels whose top bits are d. Labels have
    ceil(log2(num_buckets)) bits.
    Shapes: labels[n], values[n], the results too; starts[2^bits + 1]. Elements: labels of 4 or 8 bytes, values
    of 4 or 8 bytes, starts of 8. Requires: labels below ``num_buckets``, which ``checked=True`` looks at; that waits
    for the stream.
    """
    most = max(num_buckets - 1, 0).bit_length()
    if not 1 <= bits <= most:
        raise ValueError(f"bits: found {bits}, accepted: 1 to {most}, the bits of the labels")
    names = ("out_labels", "out_values", "starts", "labels", "values")
    arrays = (out_labels, out_values, starts, labels, values)
    described = tuple(describe(name, one, writes=i < 3) for i, (name, one) in enumerate(zip(names, arrays)))
    to, to_values, begins, by, what = described
    label_bytes, n = number_of("labels", by, LABELS), by.shape[0]
    number_of("values", what, NUMBERS)
    number_of("starts", begins, LONG_WORDS)
    check_length("values", what, n, "labels")
    check_shape("out_labels", to, "labels", by, "labels", n)
    check_shape("out_values", to_values, "values", what, "labels", n)
    check_length("starts", begins, (1 << bits) + 1, f"a sort by {bits} bits")
    device, on = place_of(stream, names, arrays, described)
    call(
        "presort_cuda_sort",
        label_bytes, by.address, element_bytes(what.element), what.address, n, num_buckets, bits, to.address,
        to_values.address, begins.address, on, checked, device,
    )  # fmt: skip


def check_room(groups: int, room: int) -> int:
    """The number of groups. Errors: ValueError if there are more than room."""
    if groups > room:
        raise ValueError(f"out_keys: found room for {room} groups, accepted: {groups}")
    return groups


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
    """Sums of values by key, for any integer keys: SQL's GROUP BY. For each different key one element of
    ``out_keys``, ``out_sums`` and, if given, ``out_counts``, in no particular order.

    Returns the number of groups, which waits for the stream; or ``count``, if it is given: the number is then
    written there, and the host waits for nothing.
    Shapes: keys[n], values[n]; out_keys[r], out_sums[r], out_counts[r], with room for r groups; count[1].
    Elements: keys of 4 or 8 bytes; values of 4 or 8 bytes; keys and sums of their types; out_counts of 4
    bytes; count of 8. Sums of floats are added in any order.
    Errors: ValueError if there are more groups than room, of which some are then written; with ``count`` the
    caller compares.
    """
    names = ["out_keys", "out_sums", "keys", "values"]
    arrays = [out_keys, out_sums, keys, values]
    for name, array in (("out_counts", out_counts), ("count", count)):
        if array is not None:
            names.append(name)
            arrays.append(array)
    described = tuple(describe(name, one, writes=name not in ("keys", "values")) for name, one in zip(names, arrays))
    by_name = dict(zip(names, described))
    to, sums, by, what = described[:4]
    key_bytes, element, n, room = number_of("keys", by, LABELS), number_of("values", what, NUMBERS), by.shape[0], to.shape[0]
    check_length("values", what, n, "keys")
    check_shape("out_keys", to, "keys", by, "out_keys", room)
    check_shape("out_sums", sums, "values", what, "out_keys", room)
    if (counts := by_name.get("out_counts")) is not None:
        number_of("out_counts", counts, WORDS)
        check_length("out_counts", counts, room, "out_keys")
    if (number := by_name.get("count")) is not None:
        number_of("count", number, LONG_WORDS)
        check_length("count", number, 1, "the number of groups")
    device, on = place_of(stream, tuple(names), tuple(arrays), described)
    found = ctypes.c_uint64()
    call(
        "presort_cuda_group_sum",
        key_bytes, by.address, element, what.address, n, to.address, sums.address, counts.address if counts else 0, room,
        number.address if number else 0, ctypes.addressof(found), on, device,
    )  # fmt: skip
    if count is not None:
        return count
    return check_room(found.value, room)
