"""What msgauge did until November 2026, kept to show what it gets wrong: t and ranks joined by Bonferroni, Holm."""

from __future__ import annotations

import numpy as np

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
