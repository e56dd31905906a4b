"""Two versions in different runs: what a ratio across runs is worth, given how much runs of the same binary differ.

All launches of a run share its state of the machine. However many there are, a difference between two runs is one
observation of the change and one of that state; how large the latter is has to come from elsewhere: from repeated
runs, or from stacks that did not change and were measured in both runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen

from msgauge.stats.multiplicity import holm

LEVEL = 0.05
LEAST_FREEDOM = 2.0
"""Two runs of one version have one degree of freedom: an interval of twelve standard errors, which tells nothing."""
LEAST_REFERENCES = 3
_USUAL = 2.0
"""So many scatters of the references' cells are no change of single ones."""
_LEAST_LOG_P = -30.0
_HALVINGS = 40
_NOTHING = 1e-12


@frozen(eq=False)
class RunVariance:
    """Variance of the logarithm of a time between runs, and its degrees of freedom; both of shape (cells,)."""

    variance: np.ndarray
    freedom: np.ndarray


@frozen(eq=False)
class Changes:
    """New over old in each cell, shape (cells,): the log ratio, its standard error and degrees of freedom.

    The error is nan where nothing is known of how runs differ.
    """

    shift: np.ndarray
    error: np.ndarray
    freedom: np.ndarray
    hidden: np.ndarray = field(default=np.zeros(1), kw_only=True)
    """By how much steps of clocks may have moved ``shift``; they keep its sign."""
    moved: np.ndarray = field(default=np.zeros((1, 1)), kw_only=True)
    """Draws of what few launches of a run may have moved ``shift`` by beside the error: shape (draws, cells)."""

    def interval(self, level: float = 1 - LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of the ratio."""
        from scipy.special import stdtrit

        reach = stdtrit(self.freedom, (1 + level) / 2) * self.error
        if self.moved.any():
            reach = self._reach_of_draws((1 - level) / 2, reach)
        return np.exp(self.shift - reach - self.hidden), np.exp(self.shift + reach + self.hidden)

    def p_different(self) -> np.ndarray:
        """Two-sided p of "nothing changed", adjusted for the number of cells (Holm)."""
        return holm(np.minimum(1.0, 2 * self._beyond(np.abs(self.shift))))

    def p_alike(self, margin: float) -> np.ndarray:
        """p of "changed by ``margin`` or more", adjusted for the number of cells; 0.03 is ±3 %.

        Source: Schuirmann 1987 (two one-sided tests); Holm 1979.
        """
        return holm(self._beyond(float(np.log1p(margin)) - np.abs(self.shift) - self.hidden))

    def _beyond(self, distance: np.ndarray) -> np.ndarray:
        """Chance of an error beyond this on the likelier side: (cells,), nan where nothing is known of it."""
        from scipy.special import stdtr

        sides = []
        for side in (1.0, -1.0):
            left = side * self.moved - distance
            with np.errstate(divide="ignore", invalid="ignore"):
                chance = np.where(self.error > 0, stdtr(self.freedom, left / self.error), (left > -_NOTHING) * 1.0)
            sides.append(chance.mean(axis=0))
        return np.where(np.isnan(self.error), np.nan, np.maximum(*sides))

    def _reach_of_draws(self, chance: float, error: np.ndarray) -> np.ndarray:
        """The distance that is missed with this chance on a side; ``error``: the same of the error alone."""
        low, high = np.zeros(self.shift.shape), error + np.abs(self.moved).max(axis=0)
        for _ in range(_HALVINGS // 2):
            middle = (low + high) / 2
            beyond = self._beyond(middle) > chance
            low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
        return np.where(np.isnan(self.error), np.nan, high)


@frozen(eq=False)
class ChangesBesideReferences(Changes):
    """Changes with an error of each cell (``error``), and one that all cells of a stack share.

    Limits lie at the root of the sum of both squares, each times its own quantile of Student's t: where one of the two
    is known from few degrees of freedom, this is not too narrow, as an error of so many degrees as a weighting of both
    gives would be. What a stack has in common counts once for each stack and not once for each cell. Where the
    references changed in a cell by more than elsewhere (``beside``), the stack may have, or may not: limits hold for
    both, and no word is said that holds for one of them only.

    Source: Banerjee 1960, "On confidence interval for two-means problem based on separate estimates of variances".
    """

    stack_error: float = 0.0
    stack_freedom: float = 1.0
    stacks: int = 1
    beside: np.ndarray = field(default=np.zeros(1), kw_only=True)
    """By how much more the references changed in a cell than elsewhere, beyond what is usual: logarithms, (cells,)."""

    def interval(self, level: float = 1 - LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """As ``Changes.interval``."""
        once = np.ones(self.shift.shape)
        reach = self._reach((1 - level) / 2 * once, 1, once) + self.hidden
        low, high = self.shift - np.maximum(self.beside, 0.0), self.shift - np.minimum(self.beside, 0.0)
        return np.exp(low - reach), np.exp(high + reach)

    def p_different(self) -> np.ndarray:
        """Two-sided p of "nothing changed", adjusted for the stacks (Bonferroni) and for all cells (Holm)."""
        same_way = np.maximum(np.sign(self.shift) * self.beside, 0.0)
        return np.asarray(np.minimum(1.0, 2 * self._one_sided(np.maximum(np.abs(self.shift) - same_way, 0.0))))

    def p_alike(self, margin: float) -> np.ndarray:
        """As ``Changes.p_alike``, adjusted as ``p_different``."""
        farthest = np.maximum(np.abs(self.shift), np.abs(self.shift - self.beside))
        return self._one_sided(float(np.log1p(margin)) - farthest - self.hidden)

    def _one_sided(self, distance: np.ndarray) -> np.ndarray:
        """The least chance at which the limits reach no further, the cells that are nearer counted; 1 where they do.

        With the levels of all cells this is a test of every group of them (Holm's shortcut), for a group has no wider
        limits than one that contains it.
        """
        alone = self._least_chance(distance, np.ones(distance.shape))
        order = np.argsort(alone, kind="stable")
        left = np.empty(distance.shape)
        left[order] = np.arange(distance.size, 0, -1)
        p = self._least_chance(distance, left)
        p[order] = np.maximum.accumulate(p[order])
        return np.where(np.isfinite(self.error), p, np.nan)

    def _least_chance(self, distance: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Without the maximum over what is farther; ``cells``: among how many each is."""
        low, high = np.full(distance.shape, _LEAST_LOG_P), np.full(distance.shape, np.log(0.5))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            beyond = self._reach(np.exp(middle), self.stacks, cells) > distance
            low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
        return np.where(distance > 0, np.exp(high), 1.0)

    def _reach(self, chance: np.ndarray, stacks: int, cells: np.ndarray) -> np.ndarray:
        """How far the limits lie, where either side misses with this chance among so many stacks and cells."""
        from scipy.special import stdtrit

        of_stack = stdtrit(self.stack_freedom, 1 - chance / stacks) * self.stack_error
        of_cell = stdtrit(self.freedom, 1 - chance / cells) * self.error
        return np.asarray(np.hypot(of_stack, of_cell))


def variance_between(versions: Sequence[np.ndarray]) -> RunVariance:
    """From repeated runs of the same stack; nan where there are fewer than two degrees of freedom.

    ``versions``: for each version its log levels, shape (runs, cells), nan where missing. What differs between runs of
    one version is no change; runs less versions are the degrees of freedom, however many the cells, for a run is fast
    or slow as a whole. A cell whose runs agree by chance counts with the median variance of all cells: its own alone
    is exact for a normal law, the larger of both errs on the safe side.

    Source: analysis of variance, random effects (Searle, Casella and McCulloch 1992, section 3.4).
    """
    squares, freedom = np.zeros(versions[0].shape[1]), np.zeros(versions[0].shape[1])
    for table in versions:
        known = np.isfinite(table)
        count = known.sum(axis=0)
        middle = np.where(known, table, 0.0).sum(axis=0) / np.maximum(count, 1)
        squares += np.where(known, (table - middle) ** 2, 0.0).sum(axis=0)
        freedom += np.maximum(count - 1, 0)
    enough = freedom >= LEAST_FREEDOM
    own = np.where(enough, squares / np.maximum(freedom, 1), np.nan)
    usual = np.median(own[enough]) if enough.any() else np.nan
    return RunVariance(np.where(enough, np.maximum(own, usual), np.nan), freedom)


def change(old: np.ndarray, new: np.ndarray, errors: tuple[np.ndarray, np.ndarray], between: RunVariance) -> Changes:
    """How a stack changed from the runs of one version to those of another.

    ``old`` and ``new``: log levels, shape (runs, cells), nan where missing; ``errors``: the variance of each of them by
    the launches of its run. A run counts with the variance between runs, or with that of its launches where it has so
    few that theirs is larger.

    Source: Student 1908; Welch 1947.
    """
    first, second = (
        _mean_of_runs(levels, spread, between.variance) for levels, spread in zip((old, new), errors, strict=True)
    )
    return Changes(second[0] - first[0], np.sqrt(first[1] + second[1]), between.freedom)


def change_against_references(
    shift: np.ndarray,
    variance: np.ndarray,
    references: np.ndarray,
    stacks: int = 1,
    beside: np.ndarray | None = None,
) -> ChangesBesideReferences:
    """The change of a stack less that of stacks which did not change, measured in the same runs.

    ``shift``: log ratios new over old, shape (cells,), of so many ``stacks`` together, with the ``variance`` of each by
    its launches; ``references``: the same log ratios of reference stacks, shape (references, tests), nan where missing;
    ``beside``: what ``find_beside`` gives of each cell, by default nothing.
    Their mean is the change of the machine. How far the cells of a reference lie from its own mean is what is left in a
    cell; what they have in common there beyond that may be the machine's too. By how much a run shifts a stack as a
    whole is seen from how far references lie from each other, with one degree of freedom less than there are of them. A
    single one has nothing to lie apart from: it shows by its own change how much runs differ at all, with one degree of
    freedom; what it shares with the stack that is judged makes this err the less. Three cells of references are the
    fewest.

    Source: random effects in two levels (Searle, Casella and McCulloch 1992); Banerjee 1960 for their sum.
    """
    rows = [row[np.isfinite(row)] for row in references]
    rows = [row for row in rows if row.size]
    values, count = sum(row.size for row in rows), len(rows)
    if values < max(LEAST_REFERENCES, count + 2):
        nothing = np.full(shift.shape, np.nan)
        return ChangesBesideReferences(shift, nothing, nothing)
    means = np.array([row.mean() for row in rows])
    within = float(sum(((row - row.mean()) ** 2).sum() for row in rows) / (values - count))
    machine = float(means.mean())
    apart = float(means.var(ddof=1)) * (1 + 1 / count) if count > 1 else machine**2
    return ChangesBesideReferences(
        shift - machine,
        np.sqrt(variance + within * (1 + 1 / values)),
        np.full(shift.shape, float(values - count)),
        stack_error=float(np.sqrt(apart)),
        stack_freedom=float(max(count - 1, 1)),
        stacks=stacks,
        beside=np.zeros(shift.shape) if beside is None else beside,
    )


def find_beside(references: np.ndarray) -> np.ndarray:
    """By how much more references changed in a test than in all of theirs, beyond what is usual: logarithms, (tests,).

    ``references``: log ratios new over old, shape (references, tests), nan where missing. The pooled scatter of cells
    has a normal law in mind. Where a machine changes in a few tests alone, it hardly shows them; there the references
    themselves do.
    """
    known = np.isfinite(references)
    count = known.sum(axis=1, keepdims=True)
    own = np.where(known, references, 0.0).sum(axis=1, keepdims=True) / np.maximum(count, 1)
    apart = np.where(known, references - own, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    usual = 1.4826 * float(np.median(np.abs(apart[known.any(axis=0)])))
    return np.asarray(np.sign(apart) * np.maximum(np.abs(apart) - _USUAL * usual, 0.0))


def median_variance(logs: np.ndarray) -> float:
    """Variance of the median of launches, by the normal's ratio of a median's variance to a mean's; nan below two."""
    return float(np.pi / 2 * logs.var(ddof=1) / logs.size) if logs.size > 1 else float("nan")


def _mean_of_runs(levels: np.ndarray, spread: np.ndarray, between: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean level over the runs of a version, and its variance; each of shape (cells,)."""
    known = np.isfinite(levels)
    count = np.maximum(known.sum(axis=0), 1)
    of_runs = np.maximum(np.where(np.isfinite(spread), spread, 0.0), between)
    mean = np.where(known.any(axis=0), np.where(known, levels, 0.0).sum(axis=0) / count, np.nan)
    return mean, np.where(known, of_runs, 0.0).sum(axis=0) / count**2
