"""How the tests of two versions were measured: some differ in nothing else, and whatever speaks of one must say which.

It stands beside the comparison, which knows its columns by their place: what is judged does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from msgauge.analysis.between_runs.run_comparison import RunChange, RunsCompared
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey


def add_ways(compared: RunsCompared, old: Sequence[RunLevels], new: Sequence[RunLevels]) -> RunsCompared:
    """The same with mode and cache in each comparison, from the runs that were compared."""
    left: dict[tuple[object, ...], list[SeriesKey]] = {}
    pairs = dict.fromkeys((one.comparison.base, one.comparison.other, one.reference) for one in compared.changes)
    for before, after, is_reference in pairs:
        for key in _list_keys((before, after), old, new, everywhere=is_reference):
            left.setdefault((before, after, key.kernel, key.size_bytes, key.ranks, key.options), []).append(key)
    return evolve(compared, changes=tuple(_name(one, left) for one in compared.changes))


def _list_keys(
    pair: tuple[str, str], old: Sequence[RunLevels], new: Sequence[RunLevels], *, everywhere: bool
) -> Iterator[SeriesKey]:
    """The keys of a pair of stacks that were compared, in the order of its comparisons; references are in every run."""
    enough = all if everywhere else any
    for key in dict.fromkeys(key for run in new for key in run.medians_ns if key.stack == pair[1]):
        if enough(key.of(pair[0]) in run.medians_ns for run in old) and enough(key in run.medians_ns for run in new):
            yield key


def _name(one: RunChange, left: dict[tuple[object, ...], list[SeriesKey]]) -> RunChange:
    said = one.comparison
    key = left[said.base, said.other, said.kernel, said.size_bytes, said.ranks, said.options].pop(0)
    return evolve(one, comparison=evolve(said, mode=key.mode, cache=key.cache))
