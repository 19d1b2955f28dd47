"""Sums and reads by label on PyTorch tensors, with gradients.

>>> import torch, presort.torch
>>> out = presort.torch.index_add(torch.zeros(3), torch.tensor([2, 0, 2]), torch.ones(3))
>>> out
tensor([1., 0., 2.])

Tensors are on the CPU, of float32, float64 or integers of 32 and 64 bits; indices are int32 or int64. A
tensor in a GPU's memory is a TypeError: this package has the kernels of the CPU. Errors otherwise are
those of ``presort.arrays``. Gradients of gradients work too.
"""

from __future__ import annotations

from typing import Any

import torch

from . import arrays

__all__ = ["embedding", "gather", "index_add"]


def _numpy(name: str, tensor: torch.Tensor) -> Any:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name}: found {type(tensor).__name__}, accepted: a tensor")
    if tensor.device.type != "cpu":
        raise TypeError(
            f"{name}: found a tensor on {tensor.device}, accepted: one on the CPU, as this presort was "
            "built without CUDA; copy it first (.cpu())"
        )
    return tensor.detach().contiguous().numpy()


def _flat(indices: torch.Tensor) -> torch.Tensor:
    return indices.reshape(-1)


class _IndexAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, start: torch.Tensor, indices: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(indices)
        out = start.detach().clone(memory_format=torch.contiguous_format)
        arrays.index_add(_numpy("input", out), _numpy("index", indices), _numpy("source", source))
        return out

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        (indices,) = ctx.saved_tensors
        of_start = gradient if ctx.needs_input_grad[0] else None
        of_source = _Gather.apply(gradient, indices) if ctx.needs_input_grad[2] else None
        return of_start, None, of_source


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(indices)
        ctx.shape = table.shape
        return torch.from_numpy(arrays.take(_numpy("table", table), _numpy("index", indices)))

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
        (indices,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        return _IndexAdd.apply(gradient.new_zeros(ctx.shape), indices, gradient), None


def index_add(input: torch.Tensor, index: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """``input.index_add(0, index, source)``: a new tensor. Gradients flow to input and source.

    Shapes: input[m], index[n], source[n]; or rows: input[m, d], source[n, d]. Sums of rows have the same
    bits in every run, which PyTorch promises only with ``use_deterministic_algorithms``.
    """
    return _IndexAdd.apply(input, index, source)  # type: ignore[no-any-return,no-untyped-call]


def gather(table: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """``table[index]`` along the first axis, of one index dimension. The gradient flows to the table.

    Shapes: table[m] or table[m, d], index[n]; the result[n] or [n, d].
    """
    return _Gather.apply(table, index)  # type: ignore[no-any-return,no-untyped-call]


def embedding(indices: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """``torch.nn.functional.embedding(indices, weight)``, whose backward pass adds rows by label.

    Shapes: indices of any shape, weight[m, d]; the result has the indices' shape and d columns.
    """
    rows = gather(weight, _flat(indices))
    return rows.reshape(*indices.shape, weight.shape[1])
