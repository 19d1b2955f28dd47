"""Times of calls on tensors of PyTorch, for the programs beside this file."""
import statistics

import torch


def median_ns(call, rounds, to_warm_up=1):
    """Median time of `call` over `rounds` calls, ns, by device events on the current stream."""
    times = []
    for turn in range(rounds + to_warm_up):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        if turn >= to_warm_up:
            times.append(begin.elapsed_time(end) * 1e6)
    return statistics.median(times)
