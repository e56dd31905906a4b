"""Which stacks of two versions belong together, and which of them are known not to have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.errors import UsageError
from msgauge.model import Notice
from msgauge.model.stack_names import leave_out_origin, leave_out_version, name_family, name_library, name_lowest
from msgauge.stats.between_runs import LEVEL, change, median_variance, variance_between
from msgauge.stats.dependence import Pace

ALIKE = 2.0
"""A stack with a variance of up to so many times that of references scatters as they do."""
ENOUGH_REFERENCES = 3
"""With fewer, how much a run shifts single stacks is known from one degree of freedom."""


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
    """Stacks of the same spec; of what is left those that differ in their version alone, then in where it comes from
    too, then those of one library.

    Each as far as it is one in the old runs and one in the new ones.
    """
    before, after = _specs(old), _specs(new)
    earlier = {spec: spec for spec in after if spec in before}
    for name_of in (leave_out_version, leave_out_origin, name_library):
        left = [spec for spec in before if spec not in earlier.values()]
        came = [spec for spec in after if spec not in earlier]
        had, has = (Counter(map(name_of, specs)) for specs in (left, came))
        alone = {name_of(spec): spec for spec in left if had[name_of(spec)] == 1}
        earlier |= {spec: alone[name_of(spec)] for spec in came if has[name_of(spec)] == 1 and name_of(spec) in alone}
    return tuple(Pair(earlier[spec], spec) for spec in after if spec in earlier)


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

    What references share with a stack is taken from it anyway; what is left of it round by round has the variance of a
    median. As far as a stack scatters more than references do, its rounds count for as few as they resemble each other;
    how much those of references do is seen from how far their levels lie apart. A series that scatters by chance less
    than all of its stack do counts with their mean variance. Shape (keys,); nan where a series has fewer than two
    launches or is not in the run.
    """
    known = [key for key in keys if key in run.medians_ns]
    known_references = [key for key in references if key in run.medians_ns]
    found = dict.fromkeys(keys, float("nan"))
    usual = max((_scatter(rows) for rows in _split_by_stack(run, known_references, leave_out=True)), default=0.0)
    for stack in dict.fromkeys(key.stack for key in known):
        mine = [key for key in known if key.stack == stack]
        (rows,) = _split_by_stack(run, mine, known_references)
        scatter, pace = _scatter(rows), Pace(tuple(rows))
        share = max(0.0, 1 - ALIKE * usual / scatter) if scatter > 0 else 0.0
        for key, logs in zip(mine, rows, strict=True):
            wider = pace.factor(logs.size) ** 2 if share > 0 else 1.0
            usual_of_stack = np.pi / 2 * scatter / logs.size if logs.size > 1 else float("nan")
            found[key] = max(median_variance(logs), usual_of_stack) * (1 + share * (wider - 1))
    return np.array([found[key] for key in keys])


def tell_apart(old: np.ndarray, new: np.ndarray, stacks: Sequence[str]) -> tuple[str, ...]:
    """References that repeated runs show to have changed beside the others, so that none of them shows the machine.

    ``old`` and ``new``: log levels of cells of these ``stacks``, shape (runs, cells), none missing. Each stack's mean
    less that of all others is judged as a stack is by repeated runs; of two that part nobody knows which it was.
    """
    names, of = list(dict.fromkeys(stacks)), np.array(stacks)
    if len(names) < 2:
        return ()
    first, second = (
        np.stack([one[:, of == name].mean(axis=1) - one[:, of != name].mean(axis=1) for name in names], axis=1)
        for one in (old, new)
    )
    nothing = np.zeros(first.shape), np.zeros(second.shape)
    found = change(first, second, nothing, variance_between([first, second]))
    return tuple(name for name, p in zip(names, found.p_different(), strict=True) if p <= LEVEL)


def warn_of_parted(stacks: Sequence[str]) -> tuple[Notice, ...]:
    """What a reader must know where ``tell_apart`` names these stacks."""
    what = f"references changed against each other ({', '.join(stacks)}): changes are judged by repeated runs alone"
    return (Notice("references-disagree", what, "name those that did not change with --reference"),) if stacks else ()


def warn_of_references(references: Sequence[Pair], pairs: Sequence[Pair]) -> tuple[Notice, ...]:
    """What these references cannot tell."""
    judged = [pair.new for pair in pairs if pair not in references]
    return (*_warn_of_few_references([pair.new for pair in references]), *_warn_of_one_library(references, judged))


def _warn_of_one_library(references: Sequence[Pair], judged: Sequence[str]) -> tuple[Notice, ...]:
    """What a run does to one library alone, where all references are of that and some of those judged are not."""
    libraries = {name_lowest(pair.new) for pair in references}
    others = [spec for spec in judged if name_lowest(spec) not in libraries]
    if len(references) < 2 or len(libraries) > 1 or not others:
        return ()
    library, whom = libraries.pop(), ", ".join(others)
    what = f"all references are of {library}: what a run does to that library alone looks like a change of {whom}"
    remedy = "name references of several libraries (--reference), or measure old and new side by side (--against)"
    return (Notice("references-alike", what, remedy),)


def _warn_of_few_references(references: Sequence[str]) -> tuple[Notice, ...]:
    """What one or two reference stacks cannot tell: how much a run shifts a single stack by itself."""
    if len(references) >= ENOUGH_REFERENCES:
        return ()
    seen = "by its own change alone" if len(references) == 1 else "by a single difference"
    what = f"by how much runs shift single stacks is seen {seen} ({', '.join(references)}): intervals are wide"
    remedy = "measure three or more stacks that do not change in both runs, or old and new side by side (--against)"
    return (Notice("few-references", what, remedy),)


def _split_by_stack(
    run: RunLevels, keys: Sequence[SeriesKey], references: Sequence[SeriesKey] = (), *, leave_out: bool = False
) -> Iterator[list[np.ndarray]]:
    """Logarithms of each stack's series less the mean of ``references`` in the same rounds; each of shape (rounds,).

    ``leave_out``: less that of the other stacks among the ``keys``, of which a single one stays as it is.
    """
    for stack in dict.fromkeys(key.stack for key in keys):
        others = [key for key in keys if key.stack != stack] if leave_out else references
        machine: dict[int, list[np.ndarray]] = {}
        for key in others:
            logs = np.log(run.medians_ns[key])
            machine.setdefault(logs.size, []).append(logs - np.median(logs))
        series = [np.log(run.medians_ns[key]) for key in keys if key.stack == stack]
        yield [logs - np.mean(machine.get(logs.size, [np.zeros(logs.size)]), axis=0) for logs in series]


def _scatter(rows: Sequence[np.ndarray]) -> float:
    """The mean variance of these series of more than one round; 0 where there is none."""
    variances = [logs.var(ddof=1) for logs in rows if logs.size > 1]
    return float(np.mean(variances)) if variances else 0.0


def _specs(runs: Sequence[RunLevels]) -> list[str]:
    return list(dict.fromkeys(key.stack for run in runs for key in run.medians_ns))


def _find_named(name: str, pairs: Sequence[Pair]) -> list[Pair]:
    found = [pair for pair in pairs if name in (pair.new, pair.old, name_family(pair.new))]
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
