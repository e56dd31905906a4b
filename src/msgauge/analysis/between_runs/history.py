"""Many runs in order of time: the level of every stack in every cell, and where it changed for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import exp, inf
from statistics import fmean

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey, warn_of_conditions
from msgauge.analysis.between_runs.version_series import name_series
from msgauge.errors import UsageError
from msgauge.model import Notice
from msgauge.stats.change_points import FEWEST_RUNS, LevelShift, estimate_size, find_steps
from msgauge.stats.launch_depths import level_runs
from msgauge.stats.level_differences import SHORTEST

_MOST_NAMED = 3


@frozen
class RunMark:
    """One run of a history: its folder, and when it began, or the part of most launches where it was resumed later."""

    path: str
    name: str
    started: str


@frozen
class Change:
    """A change of level; runs are numbered from 0. ``first`` is the first run after it, surely one of the range."""

    first: int
    earliest: int
    latest: int
    factor: float
    low: float
    high: float
    together: tuple[float, float]
    """Limits of the factor that hold for the changes of all series of the history together."""
    p_value: float
    """Corrected for all cells and stacks of the history and all runs."""
    build: str = ""
    """What is known of the build there: ``same``, ``changed``, or nothing."""


@frozen(eq=False)
class CellHistory:
    """One stack in one cell: ``runs`` are the numbers of the runs that measured it; times in ns with 95 % intervals."""

    key: SeriesKey
    runs: tuple[int, ...]
    median_ns: np.ndarray
    low_ns: np.ndarray
    high_ns: np.ndarray
    versions: tuple[str, ...]
    compared: np.ndarray
    """Log levels of these runs by so many launches as are compared, nan where a run has too few: (depths, runs)."""
    changes: tuple[Change, ...] = ()

    @property
    def spread(self) -> float:
        """How far runs lie apart, relative: by the differences of neighbours, so that changes of level do not count."""
        if self.median_ns.size < 2:
            return float("nan")
        return float(1.4826 / np.sqrt(2) * np.median(np.abs(np.diff(np.log(self.median_ns)))))

    def stretches(self) -> list[tuple[int, int, float]]:
        """First and last run of each level, and the level in ns: the median of its runs."""
        numbers = np.array(self.runs)
        edges = [self.runs[0], *(change.first for change in self.changes), self.runs[-1] + 1]
        found = []
        for start, end in pairwise(edges):
            inside = (numbers >= start) & (numbers < end)
            found.append((int(numbers[inside][0]), int(numbers[inside][-1]), float(np.median(self.median_ns[inside]))))
        return found

    def bound_standing(self, change: Change, cases: int) -> tuple[float, float]:
        """Limits of the last level over that before a change, which hold for so many series together."""
        if change == self.changes[-1]:
            return change.together
        numbers = np.array(self.runs)
        former = max((one.first for one in self.changes if one.first < change.first), default=0)
        sides = ((numbers >= former) & (numbers < change.first), numbers >= self.changes[-1].first)
        pairs = [[logs[side & np.isfinite(logs)] for side in sides] for logs in self.compared]
        before, now = max(pairs, key=lambda pair: min(pair[0].size, pair[1].size))
        low, high = estimate_size(before, now, cases)[1:] if min(before.size, now.size) > 1 else (0.0, inf)
        return low, high


@frozen(eq=False)
class History:
    """All series of a number of runs."""

    runs: tuple[RunMark, ...]
    series: tuple[CellHistory, ...]
    warnings: tuple[Notice, ...] = ()
    references: tuple[str, ...] = ()
    """Stacks whose pace is taken out of all times."""

    @property
    def tested(self) -> tuple[CellHistory, ...]:
        """Those that are long enough for a change to be seen."""
        return tuple(one for one in self.series if len(one.runs) >= FEWEST_RUNS)


def trace_history(runs: Sequence[RunLevels]) -> History:
    """The history of runs in any order.

    Raises:
        UsageError: fewer than two runs, or no cell of a stack that two of them share.
    """
    if len(runs) < 2:
        raise UsageError("one run is no history", remedy="name several runs, or a folder of them, usually runs/")
    ordered = sorted(runs, key=lambda run: (run.standing, run.name))
    names = name_series(ordered)
    series = _collect(ordered, names.of_runs)
    if all(len(one.runs) < 2 for one in series):
        raise UsageError(
            "no two of these runs have a test of the same stack in common", remedy="name runs of the same study"
        )
    marks = tuple(RunMark(run.path, run.name, run.standing) for run in ordered)
    warnings = (*names.warnings, *_find_warnings(ordered, series))
    return History(marks, tuple(_add_changes(series, ordered)), warnings)


def _collect(runs: Sequence[RunLevels], names: Sequence[Mapping[str, str]]) -> list[CellHistory]:
    """Every series of all runs, in the order in which they first come."""
    found: dict[SeriesKey, list[tuple[int, SeriesKey]]] = {}
    for number, run in enumerate(runs):
        for key in run.medians_ns:
            if key.stack in names[number]:
                found.setdefault(key.of(names[number][key.stack]), []).append((number, key))
    series = []
    for name, places in found.items():
        levels = [runs[number].locate(key) for number, key in places]
        series.append(
            CellHistory(
                name,
                tuple(number for number, _ in places),
                np.array([one.median for one in levels]),
                np.array([one.low for one in levels]),
                np.array([one.high for one in levels]),
                tuple(key.stack for _, key in places),
                level_runs([runs[number].medians_ns[key] for number, key in places]),
            )
        )
    return series


def _add_changes(series: Sequence[CellHistory], runs: Sequence[RunLevels]) -> list[CellHistory]:
    """All series that are long enough are searched together, each in the runs that measured it, at all its depths."""
    rows = [
        (index, depth)
        for index, one in enumerate(series)
        for depth, logs in enumerate(one.compared)
        if np.isfinite(logs).sum() >= FEWEST_RUNS
    ]
    logs = np.full((len(rows), len(runs)), np.nan)
    for row, (index, depth) in enumerate(rows):
        logs[row, list(series[index].runs)] = series[index].compared[depth]
    logs = logs[:, measured := np.flatnonzero(np.isfinite(logs).any(axis=0))]
    changed = list(series)
    for step in sorted(find_steps(logs) if rows else (), key=lambda step: rows[step.series]):
        one = changed[index := rows[step.series][0]]
        change = _make_change(step, measured[np.isfinite(logs[step.series])], measured, one, runs)
        if not any(change.earliest <= other.latest and other.earliest <= change.latest for other in one.changes):
            changed[index] = evolve(one, changes=(*one.changes, _allow_for_steps(change, one, runs)))
    return [evolve(one, changes=tuple(sorted(one.changes, key=lambda change: change.first))) for one in changed]


def _make_change(
    step: LevelShift, counting: np.ndarray, measured: np.ndarray, one: CellHistory, runs: Sequence[RunLevels]
) -> Change:
    """A change may have come with any run after the last one before it that counts for the series; numbers of runs."""
    first, earliest, latest = (int(measured[column]) for column in (step.first_after, step.earliest, step.latest))
    before = int(counting[np.searchsorted(counting, earliest) - 1])
    build = _compare_builds(one, range(before, latest + 1), runs)
    return Change(first, before + 1, latest, step.factor, step.low, step.high, step.together, step.p_value, build)


def _allow_for_steps(change: Change, one: CellHistory, runs: Sequence[RunLevels]) -> Change:
    """With limits of the factor that reach as much further as steps of the clocks leave open on both sides of it."""
    doubts = [runs[run].step_log(one.key.of(version)) for run, version in zip(one.runs, one.versions, strict=True)]
    first = one.runs.index(change.first)
    reach = exp(fmean(doubts[:first]) + fmean(doubts[first:]))
    low, high = change.together
    return evolve(change, low=change.low / reach, high=change.high * reach, together=(low / reach, high * reach))


def _compare_builds(one: CellHistory, between: range, runs: Sequence[RunLevels]) -> str:
    """Whether the build changed between these runs."""
    places = [place for place, run in enumerate(one.runs) if run in between]
    said = [runs[one.runs[place]].identities.get(one.versions[place], "") for place in places]
    if not all(said):
        return "changed" if len({one.versions[place] for place in places}) > 1 else ""
    return "same" if len(set(said)) == 1 else "changed"


def _find_warnings(runs: Sequence[RunLevels], series: Sequence[CellHistory]) -> list[Notice]:
    warnings = [one for run in runs for one in run.changed]
    warnings += [*_warn_of_resumed(runs), *_warn_of_few_launches(runs, series)]
    warnings += _warn_of_conditions(runs)
    short = [one for one in series if len(one.runs) < FEWEST_RUNS]
    if short:
        what = f"{len(short)} of {len(series)} series have fewer than {FEWEST_RUNS} runs: no change can be seen in them"
        warnings.append(Notice("history-short", what, "measure the same study and stacks again"))
    ended = [one for one in series if len(one.runs) >= FEWEST_RUNS and one.runs[-1] < len(runs) - SHORTEST]
    if ended:
        stacks = ", ".join(dict.fromkeys(one.key.stack for one in ended))
        what = (
            f"{len(ended)} of {len(series)} series are in none of the last {SHORTEST} runs ({stacks}): of these runs "
        )
        warnings.append(Notice("history-ended", f"{what}nothing is said", "see why they were not measured there"))
    return warnings


def _warn_of_conditions(runs: Sequence[RunLevels]) -> list[Notice]:
    """With the runs that are to be left out, where most were made under the same conditions."""
    remedy = "name only runs of one machine in one state"
    return [
        evolve(one, remedy=remedy + _tell_odd(runs, dict(one.evidence))) for one in warn_of_conditions(runs, remedy)
    ]


def _tell_odd(runs: Sequence[RunLevels], differing: Iterable[str]) -> str:
    """``: A and B are unlike the others`` in these conditions; a run that does not state one may be like any."""
    odd = set[int]()
    for name in differing:
        stated = {number: str(run.machine[name]) for number, run in enumerate(runs) if name in run.machine}
        usual, _ = Counter(stated.values()).most_common(1)[0]
        odd |= {number for number, value in stated.items() if value != usual}
    named = name_runs([runs[number] for number in sorted(odd)])
    return f": {named} {'are' if len(odd) > 1 else 'is'} unlike the others" if 2 * len(odd) < len(runs) else ""


def _warn_of_resumed(runs: Sequence[RunLevels]) -> list[Notice]:
    """Runs that went on hours after they began: no place in a history is theirs for certain."""
    resumed = [run for run in runs if len(run.sittings) > 1]
    if not resumed:
        return []
    what = (
        f"{len(resumed)} of {len(runs)} runs were resumed more than three hours later ({name_runs(resumed)}): each "
        "stands where the part of most of its launches began, and its levels are of all parts"
    )
    remedy = "begin a new run in place of resuming one of another day, or leave these out"
    parts = ((run.name, ", ".join(f"{count} from {start}" for start, count in run.sittings)) for run in resumed)
    return [Notice("history-resumed", what, remedy, tuple(parts))]


def _warn_of_few_launches(runs: Sequence[RunLevels], series: Sequence[CellHistory]) -> list[Notice]:
    """Runs that have too few launches to be compared by as many as others have."""
    few, counted = set[int](), set[int]()
    for one in series:
        numbers, held = np.array(one.runs), np.isfinite(one.compared)
        few |= set(numbers[~held[0]].tolist())
        counted |= set(numbers[held.any(axis=0)].tolist())
    if not few:
        return []
    compared = [runs[number] for number in sorted(few & counted)]
    left_out = [runs[number] for number in sorted(few - counted)]
    said = []
    if compared:
        what = "compared with others by as few, which shows large changes alone"
        said.append(f"{len(compared)} are {what} ({name_runs(compared)})")
    if left_out:
        what = f"not searched for changes, as fewer than {SHORTEST} are no level"
        said.append(f"{len(left_out)} are {what} ({name_runs(left_out)})")
    message = f"{len(few)} of {len(runs)} runs have less than half as many launches as others: {'; '.join(said)}"
    most = ((run.name, str(max(times.size for times in run.medians_ns.values()))) for run in (*compared, *left_out))
    return [Notice("history-few-launches", message, "give all runs as many rounds", tuple(most))]


def name_runs(runs: Sequence[RunLevels]) -> str:
    """The first of them by name."""
    more = f" and {len(runs) - _MOST_NAMED} more" if len(runs) > _MOST_NAMED else ""
    return ", ".join(run.name for run in runs[:_MOST_NAMED]) + more
