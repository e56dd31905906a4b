"""What msgauge did until November 2026, kept to show what it gets wrong.

Verdicts by t and ranks joined by Bonferroni, with Holm; marks by unpaired medians; models by a bootstrap over launches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

import numpy as np
from attrs import evolve

from msgauge.analysis import run
from msgauge.analysis.run import choose_levels
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.model import StopReason
from msgauge.models import loggp, message_trains, segments
from msgauge.models.estimate import ParameterEstimate
from msgauge.papers import claim_cases
from msgauge.results.dataset import Dataset
from msgauge.stats import dependence, host_effects, launch_ranges, slow_columns
from msgauge.stats.host_groups import strata
from msgauge.stats.location import median_interval, student_interval
from msgauge.stats.multiplicity import holm
from msgauge.stats.pairwise import FASTER, SLOWER, UNDECIDED
from msgauge.stats.ratio import estimate_ratios


def against_base(logs: np.ndarray, base: int | None = 0, level: float = 0.05) -> np.ndarray:
    """Words on every stack against the base, shape (stacks - 1, cells); ``base`` None: fastest in most cells."""
    stacks, cells, _ = logs.shape
    if base is None:
        fastest = np.median(logs, axis=2).argmin(axis=0)
        base = int(np.bincount(fastest, minlength=stacks).argmax())
    others = [stack for stack in range(stacks) if stack != base]
    ratio, low, high, p = estimate_ratios(logs[others] - logs[base])
    sure = (holm(p.ravel()).reshape(p.shape) <= level) & ((low > 1) | (high < 1))
    return np.where(sure, np.where(ratio > 1, SLOWER, FASTER), UNDECIDED).reshape(stacks - 1, cells)


def marks(logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which stacks had ``*``, the smallest median, and which had a blank, clearly slower: bool (stacks, cells).

    A blank is "slower" by the comparison with ``*`` where one of the two is the base, which was the stack that is the
    fastest in most cells; else an interval that does not overlap that of ``*``.
    """
    stacks, cells, _ = logs.shape
    fastest = np.median(logs, axis=2).argmin(axis=0)
    base = int(np.bincount(fastest, minlength=stacks).argmax())
    words = np.insert(against_base(logs, base), base, UNDECIDED, axis=0)
    low, high = median_interval(np.exp(logs))
    columns = np.arange(cells)
    blank = low > high[fastest, columns]
    by_base = fastest == base
    blank[:, by_base] = words[:, by_base] == SLOWER
    blank[base, ~by_base] = (words[fastest, columns] == FASTER)[~by_base]
    star = np.arange(stacks)[:, None] == fastest
    return star, blank & ~star


def contradicted_rows(logs: np.ndarray) -> tuple[int, int]:
    """Rows with a verdict in which ``*`` stood beside a stack that the verdict calls faster, and all with a verdict."""
    star, _ = marks(logs)
    base = int(star.sum(axis=1).argmax())
    words = np.insert(against_base(logs, base), base, UNDECIDED, axis=0)
    decided = np.isin(words, (FASTER, SLOWER)).any(axis=0)
    wrong = (star & (words == SLOWER)).any(axis=0) | (star[base] & (words == FASTER).any(axis=0))
    return int((wrong & decided).sum()), int(decided.sum())


@contextmanager
def redrawn_verdicts() -> Iterator[None]:
    """Verdicts as they were in runs that leave tests alone: every look judged all of them anew, at its own level."""

    def choose(dataset: Dataset, stopped: StopReason) -> Levels:
        return evolve(choose_levels(dataset, stopped), before=())

    with mock.patch.object(run, "choose_levels", choose):
        yield


def level_of_looks(rounds: tuple[int, ...], level: float) -> float:
    """The same level for all looks at one comparison, by the recursion that supposes a standardised normal sum.

    Source: Pocock 1977; Armitage, McPherson and Rowe 1969.
    """
    low, high = 1e-6, level
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _chance_to_cross(rounds, middle) > level else (middle, high)
    return low


def _chance_to_cross(rounds: tuple[int, ...], level: float) -> float:
    from scipy.special import ndtri

    grid = np.linspace(-9.0, 9.0, 361)
    step = grid[1] - grid[0]
    density, outside = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi), 0.0
    beyond = np.clip((np.abs(grid) + float(ndtri(level / 2))) / step + 0.5, 0.0, 1.0)
    for index in range(len(rounds)):
        outside += float((density * beyond).sum() * step)
        if index + 1 < len(rounds):
            share = np.sqrt(rounds[index] / rounds[index + 1])
            apart = (grid[:, None] - share * grid[None, :]) ** 2 / (2 * (1 - share**2))
            density = (np.exp(-apart) / np.sqrt(2 * np.pi * (1 - share**2))) @ (density * (1 - beyond)) * step
    return outside


@contextmanager
def independent_rounds() -> Iterator[None]:
    """Absolute times as if no round resembled the one before it."""
    with mock.patch.object(dependence, "widening_factor", lambda *_: 1.0):
        yield


@contextmanager
def independent_scatter() -> Iterator[None]:
    """Slowest over fastest of ten launches as if no launch resembled the one before it, by chi-square."""

    def limits(logs: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import chdtri

        freedom = logs.shape[-1] - 1
        squares = (launch_ranges.RANGES[0] * logs.std(axis=-1, ddof=1)) ** 2 * freedom
        low, high = (np.sqrt(squares / float(chdtri(freedom, (1 - side * level) / 2))) for side in (1, -1))
        return low, high

    with mock.patch.object(claim_cases, "limit_ranges", limits):
        yield


REPLICATES = 400


@contextmanager
def bootstrapped_models(launches: int) -> Iterator[None]:
    """LogGP as it was: fitted to medians of resampled launches, the interval by Student's t with their spread."""
    random = np.random.default_rng(1)

    def resampled(times: np.ndarray) -> np.ndarray:
        draws = random.integers(0, launches, size=(REPLICATES, launches))
        return np.asarray(np.median(times[np.vstack([np.arange(launches)[None, :], draws])], axis=1))

    def interval(values: np.ndarray, *_: object) -> ParameterEstimate:
        return _from_replicates(values, launches)

    with (
        mock.patch.object(message_trains, "median_and_launches", resampled),
        mock.patch.object(loggp, "from_launches", interval),
    ):
        yield


def _from_replicates(replicates: np.ndarray, launches: int) -> ParameterEstimate:
    from scipy.stats import t as student

    value, finite = float(replicates[0]), replicates[1:][np.isfinite(replicates[1:])]
    if finite.size < 20 or not np.isfinite(value):
        return ParameterEstimate(value)
    low, high = np.percentile(finite, [2.5, 97.5])
    spread = float(high - low) / (2 * 1.96) * np.sqrt(launches / (launches - 1))
    half = float(student.ppf(0.975, launches - 1)) * spread
    return ParameterEstimate(value, value - half, value + half)


@contextmanager
def robust_noise() -> Iterator[None]:
    """Breakpoints as they were: held against the robust scatter of cells, to which a slower group does not exist."""

    def noise(times: np.ndarray, _: np.random.Generator) -> float:
        count = times.shape[0]
        logs = np.log(times)
        logs = logs - np.median(logs, axis=0)
        logs = logs - np.median(logs, axis=1, keepdims=True)
        single = 1.4826 * float(np.median(np.abs(logs))) * np.sqrt(count / (count - 1))
        return float(single * np.sqrt(np.pi / 2 / count))

    with mock.patch.object(segments, "_noise_between", noise):
        yield


@contextmanager
def single_map_intervals() -> Iterator[None]:
    """Maps whose hosts and pairs had Student's interval of their own launches, whatever had picked them.

    What a host adds was the median of its row, into which slow partners went.
    """

    def by_rows(matrix: np.ndarray, labels: np.ndarray) -> np.ndarray:
        level = np.where(np.eye(len(matrix), dtype=bool), np.nan, matrix)
        apart = strata(labels)
        if apart.any():
            level[apart] -= np.nanmedian(level[apart]) - np.nanmedian(level[~apart])
        middle = np.nanmedian(level, axis=1)
        return np.asarray(middle - np.median(middle))

    def find(values: np.ndarray, seed: int, parts: Sequence[np.ndarray] = (), **_: bool) -> Iterator[slow_columns.Slow]:
        for column, p in slow_columns.step_down(values, seed, parts):
            others = np.delete(values, column, axis=1)
            shifts = values[:, column] - (0.0 if parts else np.median(others, axis=1))
            if min(shifts.mean(), np.median(shifts)) >= np.log1p(slow_columns.LEAST_HOST):
                low, high = student_interval(shifts)
                yield slow_columns.Slow(column, float(shifts.mean()), float(low), float(high), p)

    def find_unlike(unlike: np.ndarray, seed: int, *, mirrored: bool = False, **_: bool) -> Iterator[slow_columns.Slow]:
        return find(np.concatenate([unlike, -unlike], axis=1) if mirrored else unlike, seed)

    def single(values: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        return student_interval(values, min(level, 0.95))

    with mock.patch.multiple(
        host_effects, find_slow=find, find_unlike=find_unlike, host_additions=by_rows, student_interval=single
    ):
        yield
