"""Arrays in a GPU's memory, and the stream that a call on them runs on: what ``presort.cuda`` asks of its
arguments here. Tensors of PyTorch are asked directly, which takes a tenth of the time of their
``__cuda_array_interface__``; everything else is asked by that interface. Most calls on tensors of PyTorch and
arrays of CuPy do not come here: class TensorCalls (python/src/tensors.cpp) makes them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

UNKNOWN_DEVICE = -1
_BYTES_OF_NUMPY_CODE = 2  # "<f4": byte order, kind, then the bytes

# The types of PyTorch's elements as the interface names them; the interface has no name for bfloat16.
_TORCH_ELEMENTS = {
    "int32": "<i4", "int64": "<i8", "uint32": "<u4", "uint64": "<u8",
    "float32": "<f4", "float64": "<f8", "float16": "<f2", "bfloat16": "bfloat16",
}  # fmt: skip
_torch_elements: dict[Any, str] = {}


class GpuArray(NamedTuple):
    """What is known of an array in a GPU's memory. ``stream`` is None where the array names none."""

    address: int
    shape: tuple[int, ...]
    element: str
    stream: int | None
    device: int


def element_bytes(element: str) -> int:
    """Bytes of an element."""
    return 2 if element == "bfloat16" else int(element[_BYTES_OF_NUMPY_CODE:])


def _is_tensor(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def _element_of_tensor(name: str, dtype: Any) -> str:
    found = _torch_elements.get(dtype)
    if found is None:
        element = _TORCH_ELEMENTS.get(str(dtype).removeprefix("torch."))
        if element is None:
            raise TypeError(f"{name}: found elements of {dtype}, accepted: {', '.join(_TORCH_ELEMENTS)}")
        found = _torch_elements[dtype] = element
    return found


def _describe_tensor(name: str, tensor: Any) -> GpuArray:
    if not tensor.is_cuda:
        raise TypeError(f"{name}: found a tensor on {tensor.device}, accepted: one in a GPU's memory")
    if tensor.requires_grad:
        raise TypeError(
            f"{name}: found a tensor that requires a gradient, accepted: one that does not "
            "(.detach()); presort.torch has functions with gradients"
        )
    if not tensor.is_contiguous():
        raise ValueError(f"{name}: found an array with gaps, accepted: one in one piece")
    element = _torch_elements.get(tensor.dtype) or _element_of_tensor(name, tensor.dtype)
    return GpuArray(tensor.data_ptr(), tensor.shape, element, None, tensor.get_device())


def _describe_interface(name: str, array: Any, interface: dict[str, Any], writes: bool) -> GpuArray:
    shape, element = tuple(map(int, interface["shape"])), str(interface["typestr"])
    strides = interface.get("strides")
    if strides is not None and 0 not in shape:
        expected = element_bytes(element)
        for length, stride in zip(reversed(shape), reversed(strides)):
            if length > 1 and stride != expected:
                raise ValueError(f"{name}: found an array with gaps, accepted: one in one piece")
            expected *= length
    if interface.get("mask") is not None:
        raise ValueError(f"{name}: found a mask, accepted: an array without one")
    address, read_only = interface["data"]
    if writes and read_only:
        raise ValueError(f"{name}: found an array that is read-only")
    stream = interface.get("stream")
    if stream == 0:
        raise ValueError(f"{name}: found stream 0, which the interface does not allow, accepted: None, 1, 2, …")
    return GpuArray(int(address or 0), shape, element, stream, UNKNOWN_DEVICE)


def describe(name: str, array: Any, dimensions: tuple[int, ...] = (1,), writes: bool = False) -> GpuArray:
    """Where an array lies and what it holds.

    Errors: TypeError for an object that is no array in a GPU's memory; ValueError for one with gaps, a
    mask or another number of dimensions, and for a read-only one that is written.
    """
    if _is_tensor(array):
        found = _describe_tensor(name, array)
    else:
        interface = getattr(array, "__cuda_array_interface__", None)
        if interface is None:
            raise TypeError(
                f"{name}: found {type(array).__name__}, accepted: an array in a GPU's memory, with "
                "__cuda_array_interface__"
            )
        found = _describe_interface(name, array, interface, writes)
    if len(found.shape) not in dimensions:
        accepted = " or ".join(map(str, dimensions))
        raise ValueError(f"{name}: found {len(found.shape)} dimensions, accepted: {accepted}")
    return found


def number_of(name: str, array: GpuArray, accepted: dict[str, int]) -> int:
    """The number that stands beside an array's type. Errors: TypeError for a type that is not accepted."""
    found = accepted.get(array.element)
    if found is None:
        kinds = ", ".join(accepted)
        raise TypeError(f"{name}: found elements of {array.element}, accepted: {kinds}")
    return found


def check_length(name: str, found: GpuArray, length: int, other: str) -> None:
    """Checks that an array has as many elements, or rows, as another one."""
    if found.shape[0] != length:
        raise ValueError(f"{name}: found {found.shape[0]} elements, accepted: {length}, as {other} has")


def check_shape(name: str, found: GpuArray, other: str, accepted: GpuArray, lengths: str, length: int) -> None:
    """Checks that an array has the type and the columns of another one, and the length of a third."""
    if found.element != accepted.element:
        raise TypeError(f"{name}: found {found.element} as elements, accepted: {accepted.element}, as {other} has")
    if found.shape[1:] != accepted.shape[1:]:
        raise ValueError(
            f"{name}: found rows of {found.shape[1:]}, accepted: {accepted.shape[1:]}, as {other} has"
            if len(found.shape) == len(accepted.shape)
            else f"{name}: found {len(found.shape)} dimensions, accepted: {len(accepted.shape)}, as {other} has"
        )
    check_length(name, found, length, lengths)


def columns_of(array: GpuArray) -> int:
    """Elements of a row; 1 for an array of one dimension."""
    return array.shape[1] if len(array.shape) == 2 else 1


def device_of_tensors(*arrays: Any) -> int:
    """The device that holds tensors of PyTorch of one dimension, in one piece, without gradients;
    UNKNOWN_DEVICE if anything is otherwise. Takes a third of the time of ``describe``, which says what."""
    torch = sys.modules.get("torch")
    if torch is None:
        return UNKNOWN_DEVICE
    first, tensor = arrays[0], torch.Tensor
    if type(first) is not tensor or not first.is_cuda:
        return UNKNOWN_DEVICE
    device: int = first.get_device()
    for array in arrays:
        if (
            type(array) is not tensor
            or array.get_device() != device
            or array.dim() != 1
            or array.requires_grad
            or not array.is_contiguous()
        ):
            return UNKNOWN_DEVICE
    return device


def exchange_of_torch() -> tuple[type, object] | None:
    """PyTorch's class of tensors and its functions in C by DLPack's exchange API; None without PyTorch, and
    before its version 2.10."""
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    found = getattr(tensor, "__dlpack_c_exchange_api__", None)
    return None if tensor is None or found is None else (tensor, found)


def arrays_of_cupy() -> tuple[type, dict[str, Any], Callable[[int], object]] | None:
    """CuPy's class of arrays, its types of elements by the interface's names, and what gives the current stream of
    a device; None without CuPy."""
    cupy = sys.modules.get("cupy")
    array, streams = getattr(cupy, "ndarray", None), getattr(getattr(cupy, "cuda", None), "get_current_stream", None)
    if cupy is None or array is None or streams is None:  # the last two while it is being imported
        return None
    dtypes = {name: cupy.dtype(name) for name in _TORCH_ELEMENTS.values() if name != "bfloat16"}
    return array, dtypes, streams


def element_of_tensor(tensor: Any) -> str | None:
    """The element's type as the interface names it; None for a type that no call takes."""
    return _torch_elements.get(tensor.dtype) or _TORCH_ELEMENTS.get(str(tensor.dtype).removeprefix("torch."))


def current_stream_of_torch(device: int) -> int:
    """PyTorch's current stream of a device."""
    return _legacy_as_one(_current_of_torch(device))


def _current_of_torch(device: int) -> int:
    torch = sys.modules["torch"]
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # what PyTorch's own compiler calls
    return int(raw(device) if raw is not None else torch.cuda.current_stream(device).cuda_stream)


def _current_of_library(array: Any, device: int) -> int | None:
    """The current stream of the library that made an array; None for an unknown library."""
    if device != UNKNOWN_DEVICE:
        return _current_of_torch(device)
    if type(array).__module__.partition(".")[0] == "cupy" and "cupy" in sys.modules:
        cupy = importlib.import_module("cupy")
        return int(cupy.cuda.get_current_stream(array.device.id).ptr)
    return None


# 0 and 1 both name the legacy default stream.
def _legacy_as_one(stream: int) -> int:
    return stream if stream else 1


def _given_stream(stream: Any) -> int:
    for name in ("cuda_stream", "ptr"):  # PyTorch's and CuPy's objects
        stream = getattr(stream, name, stream)
    if not isinstance(stream, int) or isinstance(stream, bool) or stream < 0:
        raise TypeError(f"stream: found {stream!r}, accepted: a number, or a stream of PyTorch or CuPy")
    return _legacy_as_one(stream)


def place_of(
    stream: Any, names: tuple[str, ...], arrays: tuple[Any, ...], described: tuple[GpuArray, ...]
) -> tuple[int, int]:
    """The device that holds arrays, and the stream that a call on them runs on.

    The device is UNKNOWN_DEVICE if none of them tells. The stream is the one that is given, or else the
    current one of the arrays' library, or the one that they name, or the legacy default stream.
    Errors: TypeError for an object that is no stream; ValueError for arrays of different devices or streams.
    """
    device = described[0].device
    alike = device != UNKNOWN_DEVICE
    for one in described:
        alike = alike and one.device == device
    if not alike:
        device = _device_of(names, described)
    if stream is not None:
        return device, _given_stream(stream)
    if alike:  # all are PyTorch's
        return device, _legacy_as_one(_current_of_torch(device))
    return device, _common_stream(names, arrays, described)


def _device_of(names: tuple[str, ...], described: tuple[GpuArray, ...]) -> int:
    device = UNKNOWN_DEVICE
    for name, array in zip(names, described):
        if array.device not in (device, UNKNOWN_DEVICE):
            if device != UNKNOWN_DEVICE:
                raise ValueError(f"{name}: found memory of GPU {array.device}, accepted: GPU {device}, as the others")
            device = array.device
    if any(array.device == UNKNOWN_DEVICE for array in described):
        return UNKNOWN_DEVICE  # the library looks where the others lie
    return device


def _common_stream(names: tuple[str, ...], arrays: tuple[Any, ...], described: tuple[GpuArray, ...]) -> int:
    found: dict[int, str] = {}
    for name, array, one in zip(names, arrays, described):
        own = _current_of_library(array, one.device)
        own = one.stream if own is None else own
        if own is not None:
            found.setdefault(_legacy_as_one(own), name)
    if len(found) > 1:
        (one_stream, first), (other, second) = list(found.items())[:2]
        raise ValueError(
            f"stream: found {first} on stream {one_stream} and {second} on stream {other}, accepted: arrays of "
            "one stream, or a stream that is given and waits for both"
        )
    return next(iter(found), 1)
