"""Sums and reads by label on PyTorch tensors, with gradients, on the CPU and on a GPU.

>>> import torch, presort.torch
>>> out = presort.torch.index_add(torch.zeros(3), torch.tensor([2, 0, 2]), torch.ones(3))
>>> out
tensor([1., 0., 2.])

Tensors are of float32, float64 or integers of 32 and 64 bits, on a GPU also of float16 and bfloat16; indices
are int32 or int64. Sums have the same bits in every run, gradients included. Gradients of gradients work too.

On a GPU (presort.cuda) calls run on PyTorch's current stream, and the host waits for nothing. So indices are
not checked there: a wrong one reads or writes other memory. On the CPU a wrong one is an IndexError.

Errors otherwise are those of ``presort.arrays`` and ``presort.cuda``.
"""

from __future__ import annotations

from typing import Any

import torch

from . import arrays, cuda

__all__ = ["embedding", "gather", "index_add"]


def _detached(name: str, tensor: torch.Tensor) -> torch.Tensor:
    """A tensor in one piece, without its gradient."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name}: found {type(tensor).__name__}, accepted: a tensor")
    if tensor.device.type not in ("cpu", "cuda"):
        raise TypeError(f"{name}: found a tensor on {tensor.device}, accepted: one on the CPU or a GPU")
    return tensor.detach().contiguous()


def _add(out: torch.Tensor, indices: torch.Tensor, source: torch.Tensor) -> None:
    """Adds into out, which is in one piece."""
    by, what = _detached("index", indices), _detached("source", source)
    if out.is_cuda:
        cuda.index_add(out, by, what, deterministic=True)
    else:
        arrays.index_add(_numpy("input", out), _numpy("index", by), _numpy("source", what))


def _numpy(name: str, tensor: torch.Tensor) -> Any:
    if tensor.device.type != "cpu":
        raise TypeError(f"{name}: found a tensor on {tensor.device}, accepted: one on the CPU, as the others")
    return tensor.numpy()


def _take(table: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    from_, by = _detached("table", table), _detached("index", indices)
    if from_.is_cuda:
        out = from_.new_empty((by.shape[0], *from_.shape[1:]))
        cuda.take(from_, by, out)
        return out
    return torch.from_numpy(arrays.take(_numpy("table", from_), _numpy("index", by)))


def _flat(indices: torch.Tensor) -> torch.Tensor:
    return indices.reshape(-1)


class _IndexAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, start: torch.Tensor, indices: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(indices)
        out = _detached("input", start).clone(memory_format=torch.contiguous_format)
        _add(out, indices, source)
        return out

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        (indices,) = ctx.saved_tensors
        of_start = gradient if ctx.needs_input_grad[0] else None
        of_source = _Gather.apply(gradient, indices) if ctx.needs_input_grad[2] else None
        return of_start, None, of_source


class _Sum(torch.autograd.Function):
    """Sums by index into zeros: the gradient of a gather, without a copy of what it adds into."""

    @staticmethod
    def forward(ctx: Any, indices: torch.Tensor, source: torch.Tensor, shape: torch.Size) -> torch.Tensor:
        ctx.save_for_backward(indices)
        out = source.detach().new_zeros(shape)
        _add(out, indices, source)
        return out

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        (indices,) = ctx.saved_tensors
        return None, _Gather.apply(gradient, indices) if ctx.needs_input_grad[1] else None, None


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(indices)
        ctx.shape = table.shape
        return _take(table, indices)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        (indices,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        return _Sum.apply(indices, gradient, ctx.shape), None


# Untyped, as whether apply() is typed depends on PyTorch's version
_index_add: Any = _IndexAdd.apply
_gather: Any = _Gather.apply


def index_add(input: torch.Tensor, index: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """``input.index_add(0, index, source)``: a new tensor. Gradients flow to input and source.

    Shapes: input[m], index[n], source[n]; or rows: input[m, d], source[n, d]. Sums have the same bits in
    every run, which PyTorch promises only with ``use_deterministic_algorithms``.
    """
    added: torch.Tensor = _index_add(input, index, source)
    return added


def gather(table: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """``table[index]`` along the first axis, of one index dimension. The gradient flows to the table.

    Shapes: table[m] or table[m, d], index[n]; the result[n] or [n, d].
    """
    taken: torch.Tensor = _gather(table, index)
    return taken


def embedding(indices: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """``torch.nn.functional.embedding(indices, weight)``, whose backward pass adds rows by label.

    Shapes: indices of any shape, weight[m, d]; the result has the indices' shape and d columns.
    """
    rows = gather(weight, _flat(indices))
    return rows.reshape(*indices.shape, weight.shape[1])
