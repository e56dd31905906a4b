"""From a run folder to the models of its stacks: LogGP, breakpoints and what they follow, closure, predictions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve

from msgauge.advise.observed import Observed
from msgauge.advise.programs import predictions
from msgauge.advise.stack_model import Explained, StackModel, model_of, with_causes
from msgauge.analysis.observing import observations
from msgauge.errors import UsageError
from msgauge.models.causes import Trial, explain
from msgauge.models.segments import Segmentation
from msgauge.store import RunFolder
from msgauge.units import parse_size

EAGER = re.compile(r"eager")
"""Settings whose name says that they limit eager messages are tried on breakpoints."""


def has_trains(folder: RunFolder) -> bool:
    """Whether a run measured what models are made from."""
    return any(cell.kernel == "prtt" for cell in folder.plan.cells)


def models(folder: RunFolder) -> tuple[StackModel, ...]:
    """The model of every stack of a run, in the order of the plan; what a stack lacks is its ``reason``.

    Raises:
        StoreError: the samples are damaged.
    """
    observed = observations(folder.records(), folder.samples(), folder)
    found = {spec: _model(spec, observed, folder.plan.seed) for spec in folder.plan.stacks}
    settings = {stack.spec: _settings_of(stack.variant) for stack in folder.stacks}
    rest = {
        stack.spec: (stack.family, stack.version, frozenset(w for w in stack.variant if not _settings_of((w,))))
        for stack in folder.stacks
    }
    return tuple(with_causes(model, _explained(spec, found, settings, rest)) for spec, model in found.items())


def _model(spec: str, observed: Sequence[Observed], seed: int) -> StackModel:
    """Deterministic: the same samples and seed give the same intervals."""
    model = model_of(spec, observed, np.random.default_rng(seed))
    if model.model is None:
        return model
    mine = [one for one in observed if one.stack == spec]
    return evolve(model, predictions=predictions(model.model, mine))


# --- what a breakpoint follows ----------------------------------------------------------------------------------


def _settings_of(variant: Sequence[str]) -> dict[str, float]:
    """The settings in bytes among the words of a variant, by name."""
    found = {}
    for word in variant:
        name, _, value = word.partition("=")
        if value and EAGER.search(name):
            try:
                found[name] = float(parse_size(value))
            except UsageError:
                continue
    return found


def _explained(
    spec: str,
    found: Mapping[str, StackModel],
    settings: Mapping[str, Mapping[str, float]],
    rest: Mapping[str, object],
) -> tuple[Explained, ...]:
    """For each setting of a stack that another stack of the run has at another value and nothing else differs."""
    told = []
    for name, value in settings[spec].items():
        others = [
            other
            for other in found
            if name in settings[other] and settings[other][name] != value and _same_but(spec, other, settings, rest)
        ]
        trials = [(value, found[spec].segmentation)]
        trials += [(settings[other][name], found[other].segmentation) for other in others]
        told += _explanation(name, trials)
    return tuple(told)


def _same_but(spec: str, other: str, settings: Mapping[str, Mapping[str, float]], rest: Mapping[str, object]) -> bool:
    return rest[spec] == rest[other] and settings[spec].keys() == settings[other].keys()


def _explanation(name: str, trials: Sequence[tuple[float, Segmentation | None]]) -> list[Explained]:
    known = [Trial(value, found) for value, found in trials if found is not None]
    try:
        causes = explain(known) if len(known) > 1 else ()
    except UsageError:
        return []
    return [Explained(name, tuple(trial.setting_bytes for trial in known), causes)] if causes else []
