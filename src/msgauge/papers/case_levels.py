"""What the cases of a claim say together, and how sure each of them has to be so that the claim is.

That at least u of n cases fit is said wrongly in 5 % at most when each case that counts as fitting is known to fit at
the level 1 - 5 % / (n - u + 1): where fewer than u fit, n - u + 1 do not at least, and one of those would have to pass
for one that does. So a claim about all cases holds when each of them fits by itself at 95 %, as any that does not can
prevent it. One case that decides alone, for a claim about any or against one about all, has to do so at the level at
which the intervals of all cases hold together. Whatever the cases have in common does not matter.

Source: Dunn 1961 (u = 1); Benjamini and Heller 2008, "Screening for partial conjunction hypotheses", Biometrics 64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from attrs import frozen

from msgauge.model import Stopping, StopReason

Verdict = Literal["holds", "does not hold", "undecided", "answered"]
Outcome = Literal["fits", "contradicts", "open"]
Hold = Literal["all", "most", "any"]
FAMILY_ERROR = 0.05
"""Chance that a claim is said to hold that does not, and chance of the reverse."""
LOOK_ERROR = 0.002
"""A claim that gets no more rounds is that sure: who looks often errs often, and this little at each look leaves the
5 % of the last word nearly whole (Haybittle 1971; Peto et al. 1976). Simulated in ``benchmarks/truth/documents.py``."""

T = TypeVar("T")


@frozen
class CaseLevels:
    """Of the interval of one case: the level at which it fits a claim, and the one at which it contradicts."""

    fits: float
    contradicts: float


def choose_error(stopping: Stopping, stopped: str) -> float:
    """How often a claim may be called true or false by mistake in the report of a run that ended so.

    A claim asks for one side of an interval, which misses there half as often as at both. So the first report has
    intervals of 5 %, and that of a run that went on a third as much as the one before it: all of them together err in
    3.75 %, and what is left of 5 % is for the looks between. A run that somebody interrupted is at a look.
    """
    last_word = FAMILY_ERROR / float(3**stopping.ends)
    return min(LOOK_ERROR, last_word) if stopped == StopReason.INTERRUPTED else last_word


def error_when_resumed(stopping: Stopping) -> float:
    """The same in the report to come of a run that goes on."""
    return FAMILY_ERROR / float(3 ** (stopping.ends + 1))


def find_levels(cases: int, measured: int, hold: Hold, error: float = FAMILY_ERROR) -> CaseLevels:
    """The levels for a claim of so many cases, of which so many have an interval at all."""
    needed = count_enough(cases, hold), count_against(cases, hold)
    return CaseLevels(*(level_of(measured - enough + 1, error) for enough in needed))


def level_of(cases: int, error: float = FAMILY_ERROR) -> float:
    """The level at which each of so many intervals is taken, so that one of them misses in so many runs at most."""
    return 1 - error / max(cases, 1)


def count_enough(cases: int, hold: Hold) -> int:
    """How many of the cases have to fit for the claim to hold."""
    return {"all": cases, "most": cases // 2 + 1, "any": 1}[hold]


def count_against(cases: int, hold: Hold) -> int:
    """How many of the cases have to contradict for the claim not to hold."""
    return cases - count_enough(cases, hold) + 1


def combine_verdicts(says: Sequence[str], hold: Hold) -> Verdict:
    """What the cases say together: all, most or any of them must fit."""
    if says.count("fits") >= count_enough(len(says), hold):
        return "holds"
    return "does not hold" if says.count("contradicts") >= count_against(len(says), hold) else "undecided"


def decide_case(measure: Callable[[float], T], judge: Callable[[T], Outcome], levels: CaseLevels) -> tuple[T, Outcome]:
    """A case with the interval that decides it, or with the wider one where neither does.

    ``measure``: the case at a level; ``judge``: what its interval says.
    """
    fitting = measure(levels.fits)
    if judge(fitting) == "fits":
        return fitting, "fits"
    contradicting = fitting if levels.contradicts == levels.fits else measure(levels.contradicts)
    if judge(contradicting) == "contradicts":
        return contradicting, "contradicts"
    return (fitting if levels.fits > levels.contradicts else contradicting), "open"
