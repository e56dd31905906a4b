"""When the results of a run are drawn up, and the level of each of these looks, so that what all of them show holds."""

from __future__ import annotations

from math import floor, log2
from statistics import NormalDist

from attrs import evolve

from msgauge.model import Stopping
from msgauge.stats.group_sequential import FIRST_LOOK, levels_at_looks, looks
from msgauge.stats.pairwise import FEWEST_ROUNDS, INTERVAL_LEVEL, LEVEL, TWO_STACKS
from msgauge.stats.sign_flips import MOST_FLIPS

PROMISED = 0.05 / TWO_STACKS
"""Levels of all that a run ever shows, however often it goes on to other limits: of two stacks these err in 5 %."""
INTERVALS_PROMISED = 0.07
"""Chance that the interval of one number misses in any report of a run, however often it goes on to other limits."""
LEAST_LEVEL = 1.001 / MOST_FLIPS
"""No number of rounds gives a p below, whatever the data: a look with a lower level could decide nothing."""
LIVE_SHARE = 0.2
"""Of the chance that an interval misses, what is spent before the end: the report has to be narrow, the display not."""
LIVE_LEVEL = 0.0025
"""Level of an interval that is shown before the end, at most."""


def looks_of_run(stopping: Stopping) -> tuple[int, ...]:
    """The rounds after which results are drawn up: from seven or ``minimum_rounds`` on, x 1.4 apart, and the last.

    A run of a set number of rounds is looked at once, when these are done. One that had ended and goes on has the looks
    of before too, and of those to come the last ones, as many as what is left to be spent allows to decide something.
    """
    last = stopping.maximum_rounds
    before = [rounds for rounds in stopping.looked if rounds < last]
    first = max(FIRST_LOOK, stopping.minimum_rounds, *(rounds + 1 for rounds in before))
    coming = looks(min(first, last), last)
    if before:
        coming = coming[-max(1, int(_rest_to_spend(stopping.spent[: len(before)]) / (2 * LEAST_LEVEL))) :]
    return tuple(sorted({*before, *coming}))


def extend_looks(before: Stopping, after: Stopping, rounds: int) -> Stopping:
    """The limits ``after`` of a run that goes on after ``rounds`` rounds: what was shown under ``before`` counts.

    Whoever looks at ten rounds and goes on to twenty has looked twice: the looks to come share what is left of 4.6 %.
    """
    shown = {*(look for look in looks_of_run(before) if look <= rounds), rounds}
    looked = tuple(sorted(look for look in shown if look >= FEWEST_ROUNDS))
    spent = tuple(level_after(before, look, is_end=look == rounds) for look in looked)
    intervals = tuple(interval_level_after(before, look, is_end=look == rounds) for look in looked)
    return evolve(after, looked=looked, spent=spent, shown=intervals, ends=before.ends + 1)


def is_look(stopping: Stopping, rounds: int) -> bool:
    """Whether results are drawn up after so many rounds."""
    return rounds in looks_of_run(stopping)


def least_rounds(stopping: Stopping, rounds: int) -> int:
    """At which look after so many rounds a difference can be shown, or with how many where none is to come; 0: never.

    n rounds give no p below 2^(1 - n), and none a p below that of the flips that are drawn.
    """
    planned, levels = looks_of_run(stopping), _levels(stopping)
    least = [max(0.5 ** (look - 1), 1 / MOST_FLIPS) for look in planned]
    able = [look for look, level, p in zip(planned, levels, least, strict=True) if look > rounds and p <= level]
    level = level_when_resumed(stopping, rounds) if stopping.spent else levels[-1]
    return able[0] if able else 1 - floor(log2(level)) if level else 0


def least_rounds_at_end(stopping: Stopping) -> int:
    """With how many rounds a run has to end for any difference to be shown; 0: with none that it may have."""
    able = (n for n in range(1, stopping.maximum_rounds + 1) if 0.5 ** (n - 1) <= level_after(stopping, n, is_end=True))
    return next(able, 0)


def level_after(stopping: Stopping, rounds: int, *, is_end: bool = False) -> float:
    """Level of the table that is drawn up after so many rounds; all looks of the run together err in 4 %.

    ``is_end``: the run ended here whatever the verdicts were (its budget was used up, its rounds are done), so this
    table has the levels of all looks that it did not reach. Each time that a run goes on to other limits, the looks to
    come spend half of what is left of 4.6 %, or the rest where half could decide nothing. A table between two looks, of
    a run that somebody interrupted, has a level that is the lower the farther the next look is.

    A budget ends a run by the time that whole rounds took, which exchanging two stacks within a round leaves as it is;
    so what the sign flips say of a run holds for those that ended there, too.

    Source: O'Brien and Fleming 1979, for tables between two looks: half of what they would spend.
    """
    planned, levels = looks_of_run(stopping), _levels(stopping)
    coming = [(look, level) for look, level in zip(planned, levels, strict=True) if look >= rounds]
    if not coming:
        return levels[-1]
    if is_end:
        return sum(level for _, level in coming)
    look, level = coming[0]
    if look == rounds or level == 0:
        return level
    return NormalDist().cdf(NormalDist().inv_cdf(level / 2) * (look / max(rounds, 1)) ** 0.5)


def interval_level_after(stopping: Stopping, rounds: int, *, is_end: bool = False) -> float:
    """Level of one interval that is shown after so many rounds; all that a run shows of one number miss in 5 %.

    The looks before the end have a fifth of that together, in equal parts; one part is left for whoever interrupts the
    run between two looks. ``is_end``: as in ``level_after``; the report has all that no look before it has spent. A run
    that goes on to other limits has as much as it would have had, and half of what is left of 7 % if that is more.

    Source: Bonferroni's inequality.
    """
    planned, before = looks_of_run(stopping), _earlier_levels(stopping)
    if rounds in planned[: len(before)]:
        return before[planned.index(rounds)]
    spent, to_come = sum(before), planned[len(before) :]
    left = max(INTERVAL_LEVEL, (spent + INTERVALS_PROMISED) / 2 if before else 0.0) - spent
    live = min(LIVE_LEVEL, LIVE_SHARE * left / len(to_come))
    return left - live * sum(look < rounds for look in to_come) if is_end else live


def level_when_resumed(stopping: Stopping, rounds: int) -> float:
    """Level of the table of a run that ended after so many rounds and is resumed for a set number of them."""
    more = evolve(stopping, minimum_rounds=rounds + 1, maximum_rounds=rounds + 1)
    return level_after(extend_looks(stopping, more, rounds), rounds + 1)


def _levels(stopping: Stopping) -> tuple[float, ...]:
    """Of all looks of the run, those that were shown under other limits first."""
    spent = stopping.spent[: len([rounds for rounds in stopping.looked if rounds < stopping.maximum_rounds])]
    return levels_at_looks(looks_of_run(stopping), sum(spent) + _rest_to_spend(spent), spent)


def _rest_to_spend(spent: tuple[float, ...]) -> float:
    """Level of the looks to come together; 0 where what is left could decide nothing."""
    left = PROMISED - sum(spent)
    share = max(LEVEL - sum(spent), left / 2 if spent else 0.0)
    return share if share >= LEAST_LEVEL else left if left >= LEAST_LEVEL else 0.0


def _earlier_levels(stopping: Stopping) -> tuple[float, ...]:
    """Levels of intervals at the looks under other limits; plans that do not name them had one report of 95 %."""
    count = len([rounds for rounds in stopping.looked if rounds < stopping.maximum_rounds])
    return (stopping.shown or (*[0.0] * (len(stopping.looked) - 1), INTERVAL_LEVEL))[:count]
