"""Rounds that a resumed run measures anew, as what is left of them would be paired with launches of another time. Pure.

Launches of one round are compared because they stood side by side in time. A launch that is made up for days later
stands beside none of its round: a machine that has become slower since would look like a slower stack.

* In a round before the last one, or one that lacks a launch which it had, all launches are made again together.
* The round that was under way when the run ended goes on where it was, unless it waited for longer than
  ``LONGEST_PAUSE_S``; then it is made again too.

Only stacks of the kind of those that are lacking are: others are not compared with them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from math import inf

from attrs import frozen

from msgauge.model import Launch, LaunchRecord
from msgauge.results.dataset import Dataset

LONGEST_PAUSE_S = 600.0
"""The round under way at the end of a run goes on after a pause of no more; long rounds have such within them, too."""


@frozen
class TornRounds:
    """``rounds``: those that lack launches and are not the one that goes on; ``launches``: what is there of them."""

    rounds: frozenset[int] = frozenset()
    launches: tuple[int, ...] = ()
    """Numbers of the launches that are of another time than those that are lacking, ascending."""


def find_torn_rounds(
    dataset: Dataset,
    rounds: Iterable[int],
    lacking_of: Callable[[int], Sequence[Launch]],
    gone: Collection[int],
    now_s: float,
) -> TornRounds:
    """The torn ones among ``rounds``; ``lacking_of``: what the run would still launch of one.

    ``gone``: numbers of launches that had been whole; ``now_s``: seconds since 1970.
    """
    torn, aside = set(), list[int]()
    for round in rounds:
        lacking = lacking_of(round)
        there = [one.record for one in dataset.launches_of_round(round)]
        goes_on = round == dataset.latest_round and not any(launch.number in gone for launch in lacking)
        if not lacking or (goes_on and _pause_s(there, now_s) <= LONGEST_PAUSE_S):
            continue
        torn.add(round)
        kinds = [kind for kind in dataset.kinds if any(launch.stack in kind for launch in lacking)]
        aside += [record.launch.number for record in there if any(record.launch.stack in kind for kind in kinds)]
    return TornRounds(frozenset(torn), tuple(aside))


def _pause_s(there: Iterable[LaunchRecord], now_s: float) -> float:
    """Seconds since the last of these launches ended; inf where no time was noted."""
    return now_s - max((_end_s(record) for record in there), default=-inf)


def _end_s(record: LaunchRecord) -> float:
    try:
        return datetime.fromisoformat(record.started).timestamp() + record.seconds
    except ValueError:
        return -inf
