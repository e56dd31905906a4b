"""Two versions in different runs: old against new, cell by cell.

Launches of different runs share no round, so nothing cancels a change of the machine between them. How much that may
be has to be known: from repeated runs of a version, or from reference stacks in both. Where it is not, nothing is
decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from msgauge.analysis.between_runs.reference_changes import ReferenceChanges, Tests, describe_beside
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_references import (
    Pair,
    choose_references,
    match_stacks,
    tell_apart,
    variances_beside,
    warn_of_parted,
    warn_of_references,
)
from msgauge.analysis.between_runs.short_runs import list_deviations
from msgauge.analysis.between_runs.what_differs import find_warnings
from msgauge.analysis.verdicts.clock_steps import describe_doubt_of_steps
from msgauge.analysis.verdicts.doubt import includes_one
from msgauge.model import Comparison, Notice, Word
from msgauge.stats.between_runs import Changes, change, change_against_references, variance_between
from msgauge.stats.location import student_interval
from msgauge.stats.pairwise import MARGIN
from msgauge.units import format_limits

Basis = Literal["repeated runs", "reference stacks", "nothing"]
SIGNIFICANCE = 0.05
"""Of a change, corrected over all that are shown together."""
ENOUGH_FREEDOM = 4.0
"""With so many degrees of freedom repeated runs are asked, however many reference stacks there are."""
UNKNOWN = "how much runs of the same build differ on this machine is not known"


@frozen
class Level:
    """Time of one version in a cell, ns, with its 95 % interval: over launches of one run, or over several runs."""

    median_ns: float
    low_ns: float
    high_ns: float
    launches: int


@frozen
class RunChange:
    """One cell of a stack in both versions; of a reference it is shown what changed, and nothing is judged."""

    comparison: Comparison
    old: Level
    new: Level
    reference: bool = False


@frozen
class MeanChange:
    """The geometric mean over the cells of a stack, new over old, with its 95 % interval."""

    pair: Pair
    cells: int
    ratio: float
    low: float
    high: float
    verdict: Word


@frozen
class RunsCompared:
    """All that ``diff`` says: changes by stack and cell, and what the intervals rest on."""

    changes: tuple[RunChange, ...]
    means: tuple[MeanChange, ...]
    basis: Basis
    found: Changes = field(eq=False)
    """What is known of those that are judged, in their order."""
    references: tuple[str, ...] = ()
    warnings: tuple[Notice, ...] = ()

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """The comparisons that have a verdict."""
        return tuple(one.comparison for one in self.changes if not one.reference)


@frozen(eq=False)
class _Columns:
    """Cells of stacks as columns: keys in the old and the new runs, log levels and their variances by launches.

    ``beside``: the same variances less what references show of the pace, as ``variances_beside``. ``hidden``: by how
    much steps of the clocks may have moved the shift; ``moved``: draws of how far few launches may have. ``tests``: of
    each column.
    """

    keys: tuple[tuple[SeriesKey, SeriesKey], ...]
    old: np.ndarray
    new: np.ndarray
    errors: tuple[np.ndarray, np.ndarray]
    beside: tuple[np.ndarray, np.ndarray]
    hidden: np.ndarray
    moved: np.ndarray
    tests: tuple[Tests, ...]

    @property
    def shift(self) -> np.ndarray:
        """Log ratio of the mean levels."""
        return np.asarray(np.nanmean(self.new, axis=0) - np.nanmean(self.old, axis=0))


def compare_runs(old: Sequence[RunLevels], new: Sequence[RunLevels], named: Sequence[str] = ()) -> RunsCompared:
    """One comparison for each stack and cell that both versions have; ``verdict`` speaks of the new one.

    ``named``: stacks that are known not to have changed. Verdicts are corrected for the number of all that are judged.

    Raises:
        UsageError: a reference that is not in both.
    """
    pairs = match_stacks(old, new)
    references, warnings = choose_references(old, new, pairs, named)
    aside = _only_whole(_collect(references, old, new))
    judged = _collect([pair for pair in pairs if pair not in references], old, new, aside.keys)
    basis, changes = _judge(judged, aside)
    rows = [
        RunChange(comparison, *_levels(keys, old, new))
        for keys, comparison in zip(judged.keys, _comparisons(judged, changes, (old, new)), strict=True)
    ]
    unjudged = Changes(aside.shift, *(np.full(len(aside.keys), np.nan) for _ in range(2)))
    rows += [
        RunChange(evolve(comparison, reason="a reference: it is taken as unchanged"), *_levels(keys, old, new), True)
        for keys, comparison in zip(aside.keys, _comparisons(aside, unjudged, (old, new)), strict=True)
    ]
    means = _means([pair for pair in pairs if pair not in references], judged, aside)
    few = warn_of_references(references, pairs) if basis == "reference stacks" else ()
    few += warn_of_parted(_part(aside)) if basis == "repeated runs" else ()
    found = tuple(warnings) + few + find_warnings(old, new, pairs)
    return RunsCompared(tuple(rows), means, basis, changes, tuple(pair.new for pair in references), found)


def _part(aside: _Columns) -> tuple[str, ...]:
    return tell_apart(aside.old, aside.new, [key.stack for _, key in aside.keys])


def _collect(
    pairs: Sequence[Pair],
    old: Sequence[RunLevels],
    new: Sequence[RunLevels],
    references: Sequence[tuple[SeriesKey, SeriesKey]] = (),
) -> _Columns:
    """The cells of these stacks that some run of each version has, in the order of the first new run that has them."""
    keys = []
    for pair in pairs:
        before = {key for run in old for key in run.medians_ns if key.stack == pair.old}
        after = dict.fromkeys(key for run in new for key in run.medians_ns if key.stack == pair.new)
        keys += [(key.of(pair.old), key) for key in after if key.of(pair.old) in before]
    sides = [(old, [first for first, _ in keys]), (new, [second for _, second in keys])]
    levels = [np.array([[run.level(key) for key in side] for run in runs], dtype=float) for runs, side in sides]
    errors = [np.array([[run.variance(key) for key in side] for run in runs], dtype=float) for runs, side in sides]
    steps = [np.array([[run.step_log(key) for key in side] for run in runs], dtype=float) for runs, side in sides]
    hidden = np.asarray(sum(np.nanmean(one, axis=0) for one in steps)) if keys else np.zeros(0)
    beside = errors
    if references:
        beside = [
            np.array([variances_beside(run, side, [one[place] for one in references]) for run in runs], dtype=float)
            for place, (runs, side) in enumerate(sides)
        ]
    moved = list_deviations([runs for runs, _ in sides], [side for _, side in sides])
    table = tuple(keys), levels[0], levels[1]
    tests = tuple((key.of(""),) for _, key in keys)
    return _Columns(*table, (errors[0], errors[1]), (beside[0], beside[1]), hidden, moved, tests)


def _only_whole(columns: _Columns) -> _Columns:
    """The cells that every run has."""
    whole = np.flatnonzero(np.isfinite(columns.old).all(axis=0) & np.isfinite(columns.new).all(axis=0))
    keys, tables = tuple(columns.keys[place] for place in whole), (columns.old, columns.new)
    tests = tuple(columns.tests[place] for place in whole)
    old, new, *errors = (table[:, whole] for table in (*tables, *columns.errors, *columns.beside))
    hidden, moved = columns.hidden[whole], columns.moved[:, whole]
    return _Columns(keys, old, new, (errors[0], errors[1]), (errors[2], errors[3]), hidden, moved, tests)


def _judge(judged: _Columns, aside: _Columns) -> tuple[Basis, Changes]:
    """The changes with the best that is known of how runs differ, and what steps of the clocks hide of them."""
    if not judged.keys:
        return "nothing", Changes(*(np.empty(0) for _ in range(3)))
    basis, changes = _choose_basis(judged, aside)
    return basis, evolve(changes, hidden=judged.hidden)


def _choose_basis(judged: _Columns, aside: _Columns) -> tuple[Basis, Changes]:
    old, new, moved = _without_moods(judged, aside)
    between = variance_between([old, new])
    enough = float(np.median(between.freedom))
    stacks = len({key.stack for _, key in judged.keys})
    references = ReferenceChanges.of(aside.shift, [key for _, key in aside.keys])
    by_references = change_against_references(
        judged.shift,
        _launch_variance(judged),
        references.table,
        stacks=stacks,
        beside=references.find_beside(judged.tests),
    )
    repeated = bool(np.isfinite(between.variance).any())
    better = not repeated or enough < min(ENOUGH_FREEDOM, by_references.stack_freedom + 1)
    if better and np.isfinite(by_references.error).any():
        return "reference stacks", by_references
    if repeated:
        return "repeated runs", evolve(change(old, new, judged.errors, between), moved=moved)
    return "nothing", by_references


def _without_moods(judged: _Columns, aside: _Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels, old and new, and what may have moved them, less the mean deviation of the references in each run.

    As they are where there is no reference, or where the references changed against each other.
    """
    if not aside.keys or _part(aside):
        return judged.old, judged.new, judged.moved
    middle = aside.old.mean(axis=0)
    first, second = ((levels - middle).mean(axis=1, keepdims=True) for levels in (aside.old, aside.new))
    return judged.old - first, judged.new - second, judged.moved - aside.moved.mean(axis=1, keepdims=True)


def _launch_variance(columns: _Columns) -> np.ndarray:
    """Variance of the log ratio by launches, beside references; nan where no run of a version has two of them."""
    counts = [np.isfinite(one).sum(axis=0) for one in columns.beside]
    parts = [
        np.where(count > 0, np.nansum(one, axis=0) / np.maximum(count, 1) ** 2, np.nan)
        for one, count in zip(columns.beside, counts, strict=True)
    ]
    return np.asarray(parts[0] + parts[1])


def _comparisons(
    columns: _Columns, changes: Changes, runs: tuple[Sequence[RunLevels], Sequence[RunLevels]]
) -> list[Comparison]:
    low, high, words = _say(changes)
    different = changes.p_different()
    found = []
    for index, (before, after) in enumerate(columns.keys):
        word = words[index]
        reason = (
            _describe_hidden(changes, index)
            or describe_beside(changes, index)
            or _doubt(float(low[index]), float(high[index]))
        )
        launches = [
            run.medians_ns[key].size
            for key, side in zip((before, after), runs, strict=True)
            for run in side
            if key in run.medians_ns
        ]
        found.append(
            Comparison(
                before.stack,
                after.stack,
                index,
                after.kernel,
                after.size_bytes,
                after.ranks,
                after.options,
                ratio=float(np.exp(changes.shift[index])),
                ratio_low=float(low[index]),
                ratio_high=float(high[index]),
                verdict=word,
                reason=reason if word == "undecided" else "",
                p_value=float("nan"),
                p_adjusted=float(different[index]),
                mode=after.mode,
                cache=after.cache,
                rounds=min(launches),
            )
        )
    return found


def _word(shift: float, p_different: float, p_alike: float) -> Word:
    if p_alike <= SIGNIFICANCE:
        return "equivalent"
    if p_different <= SIGNIFICANCE:
        return "faster" if shift < 0 else "slower"
    return "undecided"


def _say(changes: Changes) -> tuple[np.ndarray, np.ndarray, list[Word]]:
    """Low and high of each ratio, and its word; the interval of a difference that steps of a clock blur ends at 1."""
    low, high = changes.interval()
    judged = zip(changes.shift, changes.p_different(), changes.p_alike(MARGIN), strict=True)
    words = [_word(float(shift), float(different), float(alike)) for shift, different, alike in judged]
    said = np.array(words, dtype=object)
    return (
        np.where(said == "slower", np.maximum(low, 1.0), low),
        np.where(said == "faster", np.minimum(high, 1.0), high),
        words,
    )


def _describe_hidden(changes: Changes, index: int) -> str:
    """The reason where steps of the clock alone keep a change from being "equivalent"; else nothing."""
    hidden = float(np.broadcast_to(changes.hidden, changes.shift.shape)[index])
    shift, margin = float(changes.shift[index]), float(np.log1p(MARGIN))
    if not abs(shift) < margin < abs(shift) + hidden:
        return ""
    return describe_doubt_of_steps(float(np.exp(shift - hidden)), float(np.exp(shift + hidden)))


def _doubt(low: float, high: float) -> str:
    if not np.isfinite(low):
        return UNKNOWN
    spread = f"the interval {format_limits(low, high)}"
    if low >= 1 / (1 + MARGIN) and high <= 1 + MARGIN:
        return f"{spread} is within ±{100 * MARGIN:.0f} %; not when corrected for all cells"
    if includes_one(low, high):
        return f"{spread} includes 1 and is wider than the ±{100 * MARGIN:.0f} % margin"
    return f"{spread} excludes 1; not significant when corrected for all cells"


def _levels(
    keys: tuple[SeriesKey, SeriesKey], old: Sequence[RunLevels], new: Sequence[RunLevels]
) -> tuple[Level, Level]:
    first, second = (_level(key, runs) for key, runs in zip(keys, (old, new), strict=True))
    return first, second


def _level(key: SeriesKey, runs: Sequence[RunLevels]) -> Level:
    known = [run.locate(key) for run in runs if key in run.medians_ns]
    if len(known) == 1:
        return Level(known[0].median, known[0].low, known[0].high, known[0].launches)
    logs = np.log([one.median for one in known])
    low, high = student_interval(logs)
    hidden = float(np.nanmean([run.step_log(key) for run in runs]))
    launches = sum(one.launches for one in known)
    return Level(float(np.exp(logs.mean())), float(np.exp(low - hidden)), float(np.exp(high + hidden)), launches)


def _means(pairs: Sequence[Pair], judged: _Columns, aside: _Columns) -> tuple[MeanChange, ...]:
    """The geometric mean of each stack over the cells that all runs have: a series of its own, judged as the cells."""
    rows: list[tuple[Pair, np.ndarray]] = []
    whole = np.isfinite(judged.old).all(axis=0) & np.isfinite(judged.new).all(axis=0)
    for pair in pairs:
        mine = whole & np.array([key.stack == pair.new for _, key in judged.keys], dtype=bool)
        if mine.sum() > 1:
            rows.append((pair, mine))
    if not rows:
        return ()
    old, new, *errors = (
        np.stack([table[:, mine].mean(axis=1) for _, mine in rows], axis=1)
        for table in (judged.old, judged.new, *judged.errors, *judged.beside)
    )
    keys = tuple(judged.keys[int(np.flatnonzero(mine)[0])] for _, mine in rows)
    tests = tuple(tuple(judged.tests[place][0] for place in np.flatnonzero(mine)) for _, mine in rows)
    hidden = np.array([judged.hidden[mine].mean() for _, mine in rows])
    moved = np.stack([judged.moved[:, mine].mean(axis=1) for _, mine in rows], axis=1)
    means = _Columns(keys, old, new, (errors[0], errors[1]), (errors[2], errors[3]), hidden, moved, tests)
    _, changes = _judge(means, aside)
    low, high, words = _say(changes)
    return tuple(
        MeanChange(
            pair,
            int(mine.sum()),
            float(np.exp(changes.shift[index])),
            float(low[index]),
            float(high[index]),
            words[index],
        )
        for index, (pair, mine) in enumerate(rows)
    )
