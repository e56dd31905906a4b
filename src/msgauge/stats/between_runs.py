"""Two versions in different runs: what a ratio across runs is worth, given how much runs of the same binary differ.

All launches of a run share its state of the machine. However many there are, a difference between two runs is one
observation of the change and one of that state; how large the latter is has to come from elsewhere: from repeated
runs, or from stacks that did not change and were measured in both runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from msgauge.stats.multiplicity import holm

LEVEL = 0.05
LEAST_FREEDOM = 2.0
"""Two runs of one version have one degree of freedom: an interval of twelve standard errors, which tells nothing."""
LEAST_REFERENCES = 3


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

    def interval(self, level: float = 1 - LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of the ratio."""
        from scipy.special import stdtrit

        reach = stdtrit(self.freedom, (1 + level) / 2) * self.error
        return np.exp(self.shift - reach), np.exp(self.shift + reach)

    def p_different(self) -> np.ndarray:
        """Two-sided p of "nothing changed", adjusted for the number of cells (Holm)."""
        return holm(_two_sided(self.shift, self.error, self.freedom))

    def p_alike(self, margin: float) -> np.ndarray:
        """p of "changed by ``margin`` or more", adjusted for the number of cells; 0.03 is ±3 %.

        Source: Schuirmann 1987 (two one-sided tests); Holm 1979.
        """
        from scipy.special import stdtr

        room = float(np.log1p(margin)) - np.abs(self.shift)
        with np.errstate(divide="ignore", invalid="ignore"):
            one_sided = np.where(self.error > 0, stdtr(self.freedom, -room / self.error), (room <= 0).astype(float))
        return holm(np.where(np.isnan(self.error), np.nan, one_sided))


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


def change_against_references(shift: np.ndarray, variance: np.ndarray, references: np.ndarray) -> Changes:
    """The change of a stack less that of stacks which did not change, measured in the same runs.

    ``shift``: log ratios new over old of the stack, shape (cells,), with the ``variance`` of each by its launches;
    ``references``: the same log ratios of reference stacks, shape (references, cells), nan where missing. Their mean is
    the change of the machine; how far their cells lie from it, and how far they lie from each other, is what is left of
    it in any other stack. Three cells of references are the fewest. With one reference stack, what a run does to a
    stack alone cannot be seen.

    Source: random effects in two levels (Searle, Casella and McCulloch 1992); Satterthwaite 1946.
    """
    rows = [row[np.isfinite(row)] for row in references]
    rows = [row for row in rows if row.size]
    values, stacks = sum(row.size for row in rows), len(rows)
    if values < max(LEAST_REFERENCES, stacks + 2):
        nothing = np.full(shift.shape, np.nan)
        return Changes(shift, nothing, nothing)
    means = np.array([row.mean() for row in rows])
    within = float(sum(((row - row.mean()) ** 2).sum() for row in rows) / (values - stacks))
    among = float(means.var(ddof=1)) if stacks > 1 else 0.0
    scatter = within * (1 + 1 / values)
    apart = among * (1 + 1 / stacks)
    total = variance + scatter + apart
    uncertain = (variance + scatter) ** 2 / (values - stacks) + apart**2 / max(stacks - 1, 1)
    freedom = np.where(uncertain > 0, total**2 / np.where(uncertain > 0, uncertain, 1.0), float(values - stacks))
    return Changes(shift - float(means.mean()), np.sqrt(total), np.minimum(freedom, values - stacks))


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


def _two_sided(shift: np.ndarray, error: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(freedom, -np.abs(shift) / error)
    still = error == 0
    return np.asarray(np.where(still, (np.abs(shift) < 1e-12).astype(float), p))
