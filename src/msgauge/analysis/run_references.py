"""Which stacks of two versions belong together, and which of them are known not to have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from msgauge.analysis.run_levels import RunLevels
from msgauge.errors import UsageError
from msgauge.model import Notice


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
