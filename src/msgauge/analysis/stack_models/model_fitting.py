"""From a run folder to the models of its stacks: LogGP, breakpoints and what they follow, closure, predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.estimates.observations import Observation, make_observations
from msgauge.analysis.stack_models.program_predictions import predictions
from msgauge.analysis.stack_models.stack_model import BreakpointExplanation, StackModel, model_of, with_causes
from msgauge.errors import UsageError
from msgauge.model import Pattern, PluginFacts, Stack
from msgauge.model.rounding import round_floats
from msgauge.models.breakpoint_causes import SettingTrial, explain
from msgauge.models.segments import Segmentation
from msgauge.results.run_folder import RunFolder
from msgauge.units import parse_size


def has_trains(folder: RunFolder) -> bool:
    """Whether a run measured what models are made from."""
    trains = {kernel.name for kernel in folder.facts.kernels if kernel.pattern is Pattern.TRAIN}
    return any(cell.kernel in trains for cell in folder.plan.cells)


def models(folder: RunFolder) -> tuple[StackModel, ...]:
    """The model of every stack of a run, in the order of the plan; what a stack lacks is its ``reason``.

    Raises:
        StoreError: the samples are damaged.
    """
    observed = make_observations(folder.dataset, folder.facts.kernels)
    found = [_model(spec, observed, folder.plan.seed) for spec in folder.plan.stacks]
    return round_floats(explain_breakpoints(found, folder.stacks, folder.facts))


def _model(spec: str, observed: Sequence[Observation], seed: int) -> StackModel:
    """Deterministic: the same samples and seed give the same intervals."""
    model = model_of(spec, observed, np.random.default_rng(seed))
    if model.model is None:
        return model
    mine = [one for one in observed if one.stack == spec]
    return evolve(model, predictions=predictions(model.model, mine))


# --- what a breakpoint follows ----------------------------------------------------------------------------------


def explain_breakpoints(
    found: Sequence[StackModel], stacks: Sequence[Stack], facts: PluginFacts
) -> tuple[StackModel, ...]:
    """The models with what their breakpoints follow, where two stacks differ in one setting alone."""
    settings = {stack.spec: settings_of(stack, facts) for stack in stacks}
    rest = {stack.spec: (*_kind(stack), _other_words(stack, settings[stack.spec])) for stack in stacks}
    models = {model.stack: model for model in found}
    return tuple(with_causes(model, _explain_model(model.stack, models, settings, rest)) for model in found)


def settings_of(stack: Stack, facts: PluginFacts) -> dict[str, float]:
    """The settings in bytes that its family declared, by name, as far as the words of its variant set them."""
    known = {setting.name for setting in facts.of_stack(stack.spec).settings if setting.kind == "bytes"}
    found = {}
    for word in stack.variant:
        name, _, value = word.partition("=")
        if value and name in known:
            try:
                found[name] = float(parse_size(value))
            except UsageError:
                continue
    return found


def _kind(stack: Stack) -> tuple[str, str, str]:
    return stack.family, stack.version, stack.origin.kind


def _other_words(stack: Stack, settings: Mapping[str, float]) -> frozenset[str]:
    return frozenset(word for word in stack.variant if word.partition("=")[0] not in settings)


def _explain_model(
    spec: str,
    found: Mapping[str, StackModel],
    settings: Mapping[str, Mapping[str, float]],
    rest: Mapping[str, object],
) -> tuple[BreakpointExplanation, ...]:
    """For each setting of a stack that another stack of the run has at another value and nothing else differs."""
    explained = []
    for name, value in settings[spec].items():
        others = [
            other
            for other in found
            if name in settings[other]
            and settings[other][name] != value
            and rest[spec] == rest[other]
            and _without(name, settings[spec]) == _without(name, settings[other])
        ]
        trials = [(value, found[spec].segmentation)]
        trials += [(settings[other][name], found[other].segmentation) for other in others]
        explained += _explanation(name, trials)
    return tuple(explained)


def _without(name: str, settings: Mapping[str, float]) -> dict[str, float]:
    return {other: value for other, value in settings.items() if other != name}


def _explanation(name: str, trials: Sequence[tuple[float, Segmentation | None]]) -> list[BreakpointExplanation]:
    """What the trials show of a setting; nothing where it was tried at one value."""
    known = [SettingTrial(value, found) for value, found in trials if found is not None]
    values = tuple(trial.setting_bytes for trial in known)
    if len(known) < 2:
        return []
    try:
        return [BreakpointExplanation(name, values, explain(known))]
    except UsageError as error:
        return [BreakpointExplanation(name, values, (), f"{error.what} To know, {error.remedy}.")]
