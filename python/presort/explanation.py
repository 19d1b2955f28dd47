"""Why a plan is chosen, in words: where the time goes without and with a pre-sort."""

from __future__ import annotations

from .simulator import Choice, Machine, Prediction, tune

_TERMS = {
    "core": "the core's own instructions",
    "memoryLatency": "waits for memory",
    "memoryBandwidth": "waits for memory's bandwidth",
    "TLB": "page walks",
    "branches": "mispredicted branches",
    "stores": "stores that wait for others",
    "dependence": "results that wait for earlier ones",
    "storage": "waits for the disk",
}
_WORTH_NAMING = 0.08  # least share of a plan's time for which a part of it is mentioned


def _presorts(prediction: Prediction) -> bool:
    return not prediction.plan.startswith("sortBits=0")


def _times(prediction: Prediction) -> str:
    return f"{prediction.ns_per_input:.3g} ns an input ({prediction.low_ns:.3g} to {prediction.high_ns:.3g})"


def _where(prediction: Prediction) -> str:
    terms = sorted(prediction.stack_ns.items(), key=lambda term: -term[1])
    total = prediction.ns_per_input
    return ", ".join(
        f"{100 * ns / total:.0f} % {_TERMS.get(name, 'waits for the ' + name)}"
        for name, ns in terms
        if ns >= _WORTH_NAMING * total
    )


def _phases(prediction: Prediction) -> str:
    named = [phase for phase in prediction.phases if phase.ns_per_input >= 0.005 * prediction.ns_per_input]
    return ", ".join(f"{phase.name} {phase.ns_per_input:.3g}" for phase in named)


def _best(choice: Choice, presorts: bool) -> Prediction | None:
    """The prediction of the chosen plan or its direct rival, or else the fastest of the kind."""
    kind = [candidate for candidate in choice.candidates if _presorts(candidate) == presorts]
    for candidate in kind:
        if candidate.plan in (choice.plan, choice.direct_plan):
            return candidate
    return min(kind, key=lambda candidate: candidate.ns_per_input, default=None)


def _answer(choice: Choice, direct: Prediction, presorted: Prediction | None) -> str:
    if presorted is None:
        return f"No pre-sort was tried: {_times(direct)}."
    if not choice.matters:
        gap = max(direct.ns_per_input, presorted.ns_per_input) / min(
            direct.ns_per_input, presorted.ns_per_input
        )
        return (
            f"It does not matter: {_times(presorted)} with the best pre-sort, {_times(direct)} without; "
            f"the difference, {100 * (gap - 1):.0f} %, is within the predictions' own error."
        )
    if choice.presorts:
        return (
            f"Pre-sort: {_times(presorted)} instead of {_times(direct)}, "
            f"{direct.ns_per_input / presorted.ns_per_input:.1f} times as fast."
        )
    return (
        f"No pre-sort: {_times(direct)}; the best pre-sort takes {_times(presorted)}, "
        f"{presorted.ns_per_input / direct.ns_per_input:.1f} times as long."
    )


def explain(
    machine: Machine,
    *,
    n: int,
    m: int,
    op: str = "multireduce",
    dist: str = "uniform",
    types: str = "u32+u32",
    seed: int = 1,
    model_only: bool = False,
) -> str:
    """Why the tuner takes its plan for a problem, in sentences.

    Says the predicted times with their 80 % intervals in brackets (in four cases of five the real time is
    within), what the time is spent on without and with a pre-sort, and the runner-up. Near ties are
    simulated unless ``model_only``. Errors: those of ``tune``.
    """
    choice = tune(machine, n=n, m=m, op=op, dist=dist, types=types, seed=seed, model_only=model_only)
    direct, presorted = _best(choice, False), _best(choice, True)
    if direct is None:
        return f"Only pre-sorts are possible for {choice.problem}: {choice.plan}."
    lines = [_answer(choice, direct, presorted)]
    lines.append(f"Without a pre-sort ({direct.plan}): {_where(direct)}.")
    if presorted is not None:
        lines.append(
            f"With one ({presorted.plan}): {_where(presorted)}. Its parts, ns an input: {_phases(presorted)}."
        )
    if choice.runner_up and choice.runner_up not in (choice.plan, choice.direct_plan):
        more = choice.runner_up_ns_per_input / choice.ns_per_input - 1
        lines.append(
            f"The runner-up ({choice.runner_up}) is predicted to take {choice.runner_up_ns_per_input:.3g} ns, "
            f"{100 * abs(more):.0f} % {'more' if more >= 0 else 'less, but less surely'}."
        )
    return "\n".join(lines)
