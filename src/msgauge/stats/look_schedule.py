"""When the results of a run are drawn up, and the level of each of these looks, so that what all of them show holds."""

from __future__ import annotations

from math import floor, log2

from attrs import evolve

from msgauge.model import Stopping
from msgauge.stats.group_sequential import FIRST_LOOK, levels_at_looks, looks
from msgauge.stats.pairwise import FEWEST_ROUNDS, LEVEL


def looks_of_run(stopping: Stopping) -> tuple[int, ...]:
    """The rounds after which results are drawn up: from seven or ``minimum_rounds`` on, x 1.4 apart, and the last.

    A run of a set number of rounds is looked at once, when these are done; one that had ended and goes on has the looks
    of before too.
    """
    last = stopping.maximum_rounds
    before = [rounds for rounds in stopping.looked if rounds < last]
    first = max(FIRST_LOOK, stopping.minimum_rounds, *(rounds + 1 for rounds in before))
    return tuple(sorted({*before, *looks(min(first, last), last)}))


def extend_looks(before: Stopping, after: Stopping, rounds: int) -> Stopping:
    """The limits ``after`` of a run that goes on after ``rounds`` rounds: what was shown under ``before`` counts.

    Its looks share one level with those to come: whoever looks at ten rounds and goes on to twenty has looked twice.
    """
    shown = {*before.looked, *(look for look in looks_of_run(before) if look <= rounds), rounds}
    return evolve(after, looked=tuple(sorted(look for look in shown if look >= FEWEST_ROUNDS)))


def is_look(stopping: Stopping, rounds: int) -> bool:
    """Whether results are drawn up after so many rounds."""
    return rounds in looks_of_run(stopping)


def least_rounds(stopping: Stopping) -> int:
    """After how many rounds the first look comes that can show a difference: n rounds give no p below 2^(1 - n)."""
    planned = looks_of_run(stopping)
    able = [n for n, level in zip(planned, levels_at_looks(planned, LEVEL), strict=True) if 0.5 ** (n - 1) <= level]
    return able[0] if able else 1 - floor(log2(LEVEL))


def level_after(stopping: Stopping, rounds: int) -> float:
    """Level of the table that is drawn up after so many rounds; all looks of the run together err in 4 %.

    A run that ended between two looks (its budget was used up) is drawn up once more, in place of the looks that it did
    not reach; that look has the level of a later one.
    """
    planned = looks_of_run(stopping)
    levels = levels_at_looks(planned, LEVEL)
    return levels[planned.index(rounds)] if rounds in planned else levels[-1]
