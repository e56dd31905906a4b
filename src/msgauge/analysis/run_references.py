"""Which stacks of two versions belong together, and which of them are known not to have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.run_levels import RunLevels, SeriesKey
from msgauge.errors import UsageError
from msgauge.model import Notice
from msgauge.stats.between_runs import median_variance
from msgauge.stats.dependence import Pace


@frozen
class Pair:
    """The spec of a stack in the old runs and that in the new ones."""

    old: str
    new: str

    @property
    def title(self) -> str:
        """For people: one spec, or ``old -> new``."""
        return self.new if self.old == self.new else f"{self.old} -> {self.new}"


def match_stacks(old: Sequence[RunLevels], new: Sequence[RunLevels]) -> tuple[Pair, ...]:
    """Stacks of the same spec; of what is left, the one of a family in the old runs and the one in the new runs."""
    before, after = _specs(old), _specs(new)
    left = Counter(_family(spec) for spec in before if spec not in after)
    came = Counter(_family(spec) for spec in after if spec not in before)
    pairs = []
    for spec in after:
        if spec in before:
            pairs.append(Pair(spec, spec))
        elif left[_family(spec)] == came[_family(spec)] == 1:
            (earlier,) = (one for one in before if one not in after and _family(one) == _family(spec))
            pairs.append(Pair(earlier, spec))
    return tuple(pairs)


def choose_references(
    old: Sequence[RunLevels], new: Sequence[RunLevels], pairs: Sequence[Pair], named: Sequence[str]
) -> tuple[tuple[Pair, ...], tuple[Notice, ...]]:
    """The named ones; else those whose build is the same in all runs, while another's is not.

    Raises:
        UsageError: a name that no stack of both has, or that leaves nothing to be judged.
    """
    warnings = _warn_of_mixed_builds(old, new, pairs)
    same = tuple(pair for pair in pairs if _is_same_build(pair, old, new))
    if named:
        chosen = tuple(pair for name in named for pair in _find_named(name, pairs))
        if set(chosen) >= set(pairs):
            raise UsageError("every stack of both runs is named as a reference", remedy="leave one to be judged")
        return tuple(dict.fromkeys(chosen)), warnings
    if len(same) < len(pairs):
        return same, warnings
    if pairs:
        warnings = (*warnings, _warn_of_same_build(pairs))
    return (), warnings


def variances_beside(run: RunLevels, keys: Sequence[SeriesKey], references: Sequence[SeriesKey]) -> np.ndarray:
    """Variance of the log level of each series by the launches of this run, less the pace that references show.

    What references share with a stack is taken from it anyway. What is left of it round by round has the variance of a
    median, and more as far as rounds of the stack resemble each other: they hold for one stack, whatever references do.
    Shape (keys,); nan where a series has fewer than two launches or is not in the run.
    """
    machine: dict[int, list[np.ndarray]] = {}
    for key in references:
        logs = np.log(run.medians_ns.get(key, np.empty(0)))
        machine.setdefault(logs.size, []).append(logs - np.median(logs) if logs.size else logs)
    left = {key: np.log(run.medians_ns[key]) for key in keys if key in run.medians_ns}
    left = {key: logs - np.mean(machine.get(logs.size, [np.zeros(logs.size)]), axis=0) for key, logs in left.items()}
    paces = {
        stack: Pace(tuple(logs for key, logs in left.items() if key.stack == stack))
        for stack in {key.stack for key in left}
    }
    return np.array(
        [
            median_variance(left[key]) * paces[key.stack].factor(left[key].size) ** 2 if key in left else np.nan
            for key in keys
        ]
    )


def _specs(runs: Sequence[RunLevels]) -> list[str]:
    return list(dict.fromkeys(key.stack for run in runs for key in run.medians_ns))


def _family(spec: str) -> str:
    return spec.partition("@")[0]


def _find_named(name: str, pairs: Sequence[Pair]) -> list[Pair]:
    found = [pair for pair in pairs if name in (pair.new, pair.old, _family(pair.new))]
    if not found:
        known = ", ".join(pair.new for pair in pairs) or "none"
        raise UsageError(f"no stack {name!r} is in both runs", remedy=f"those in both are: {known}")
    return found


def _is_same_build(pair: Pair, old: Sequence[RunLevels], new: Sequence[RunLevels]) -> bool:
    """Whether all runs say what they ran, and it is one thing."""
    said = [run.identities.get(pair.old, "") for run in old] + [run.identities.get(pair.new, "") for run in new]
    return all(said) and len(set(said)) == 1


def _warn_of_mixed_builds(
    old: Sequence[RunLevels], new: Sequence[RunLevels], pairs: Sequence[Pair]
) -> tuple[Notice, ...]:
    mixed = [
        spec
        for pair in pairs
        for spec, runs in ((pair.old, old), (pair.new, new))
        if len({run.identities[spec] for run in runs if spec in run.identities}) > 1
    ]
    if not mixed:
        return ()
    what = f"runs that are given as one version measured different builds of {', '.join(dict.fromkeys(mixed))}"
    return (Notice("builds-differ", what, "give only runs of the same build as repeated runs"),)


def _warn_of_same_build(pairs: Sequence[Pair]) -> Notice:
    names = ", ".join(pair.new for pair in pairs)
    return Notice(
        "same-build",
        f"old and new are the same build of {names}: what differs between them is the machine, not the stack",
        "to compare two builds, keep the old one in a prefix of its own: msgauge compare --against PREFIX",
    )
