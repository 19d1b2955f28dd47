#!/usr/bin/env python3
"""Training with presort.torch and without: a graph network of two layers, and an embedding under a linear
classifier. The time of a step, and whether two runs from one seed have the same losses in every bit.

usage: python_training.py STEPS ROUNDS [cpu]     (cpu: on the processor, with small sizes: a trial)

Kinds: PyTorch; PyTorch with use_deterministic_algorithms; presort.torch. A step is forward, backward and
SGD; medians of ROUNDS · STEPS steps, kinds by turns, each step between two events. Prints Markdown.
"""

import statistics
import sys
import time

import torch
from torch.nn import functional

import presort.torch

DEVICE = "cpu" if "cpu" in sys.argv else "cuda"
SMALL = DEVICE == "cpu"


class PyTorch:
    gather = staticmethod(lambda table, index: table[index])
    index_add = staticmethod(lambda start, index, source: start.index_add(0, index, source))
    embedding = staticmethod(functional.embedding)


def popular(count, most, generator):
    """Indices below `most` with Zipf's law of exponent 1: the k-th most popular one is drawn 1 / k as often."""
    part = torch.rand(count, dtype=torch.float64, generator=generator)
    return ((most + 1.0) ** part - 1).long().clamp_(max=most - 1)


class Graph:
    """Node classes from the features of neighbours: sums over edges, as graph networks have them."""

    def __init__(self, ops, seed):
        self.ops = ops
        nodes, edges, width, classes = (1000, 8000, 16, 7) if SMALL else (170_000, 2_400_000, 128, 40)
        generator = torch.Generator().manual_seed(seed)
        self.name = f"graph network: {nodes} nodes, {edges} edges, {width} features"
        self.source = torch.randint(0, nodes, (edges,), generator=generator).to(DEVICE)
        shuffled = torch.randperm(nodes, generator=generator)
        self.target = shuffled[popular(edges, nodes, generator)].to(DEVICE)
        self.features = torch.randn(nodes, width, generator=generator).to(DEVICE)
        self.classes = torch.randint(0, classes, (nodes,), generator=generator).to(DEVICE)
        shapes = [(width, width), (width, width), (width, classes)]
        self.weights = [
            (torch.randn(*shape, generator=generator) / shape[0] ** 0.5).to(DEVICE).requires_grad_() for shape in shapes
        ]

    def parameters(self):
        return self.weights

    def loss(self):
        state = self.features
        for weight in self.weights[:2]:
            messages = self.ops.gather(state @ weight, self.source)
            state = functional.relu(self.ops.index_add(torch.zeros_like(state), self.target, messages)) / 8
        return functional.cross_entropy(state @ self.weights[2], self.classes)


class Embedding:
    """Classes from the sum of a sequence's word vectors; words have Zipf's law."""

    def __init__(self, ops, seed):
        self.ops = ops
        words, width, batch, length, classes = (500, 16, 8, 16, 5) if SMALL else (1_000_000, 64, 8192, 64, 100)
        generator = torch.Generator().manual_seed(seed)
        self.name = f"embedding: {words} words of {width}, {batch} sequences of {length}"
        self.words = popular(batch * length, words, generator).reshape(batch, length).to(DEVICE)
        self.classes = torch.randint(0, classes, (batch,), generator=generator).to(DEVICE)
        self.weight = (0.1 * torch.randn(words, width, generator=generator)).to(DEVICE).requires_grad_()
        self.last = (torch.randn(width, classes, generator=generator) / 8).to(DEVICE).requires_grad_()

    def parameters(self):
        return [self.weight, self.last]

    def loss(self):
        return functional.cross_entropy(self.ops.embedding(self.words, self.weight).sum(1) @ self.last, self.classes)


def step(model, optimizer):
    """The loss before a step, and the step's time, ms."""
    if DEVICE == "cuda":
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
    else:
        began = time.perf_counter()
    optimizer.zero_grad(set_to_none=True)
    loss = model.loss()
    loss.backward()
    optimizer.step()
    if DEVICE == "cuda":
        stop.record()
        stop.synchronize()
        return loss.item(), start.elapsed_time(stop)
    return loss.item(), 1e3 * (time.perf_counter() - began)


def train(kind, ops, model_of, steps):
    torch.use_deterministic_algorithms(kind == "PyTorch, deterministic")
    model = model_of(ops, seed=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    taken = [step(model, optimizer) for _ in range(steps)]
    torch.use_deterministic_algorithms(False)
    return model.name, [loss for loss, _ in taken], [ms for _, ms in taken[2:]]


def main():
    steps, rounds = int(sys.argv[1]), int(sys.argv[2])
    kinds = {"PyTorch": PyTorch, "PyTorch, deterministic": PyTorch, "`presort.torch`": presort.torch}
    where = torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU"
    print(f"{where}, PyTorch {torch.__version__}; {rounds} runs of {steps} steps each")
    for model_of in (Graph, Embedding):
        times, losses = {kind: [] for kind in kinds}, {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind, ops in kinds.items():
                name, of_run, ms = train(kind, ops, model_of, steps)
                times[kind] += ms
                losses[kind].append(of_run)
        print(f"\n{name}\n\n| | a step, ms | losses of all runs alike | first and last loss |\n| --- | --- | --- | --- |")
        for kind in kinds:
            alike = all(run == losses[kind][0] for run in losses[kind])
            first, last = losses[kind][0][0], losses[kind][0][-1]
            print(f"| {kind} | {statistics.median(times[kind]):.2f} | {'in every bit' if alike else 'no'} |"
                  f" {first:.4f}, {last:.4f} |", flush=True)


if __name__ == "__main__":
    main()
