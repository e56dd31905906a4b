"""What is said of a claim that a run left undecided: how many rounds more would decide it, and how long they take."""

from __future__ import annotations

from math import isfinite, nan
from typing import Literal

from attrs import frozen

from msgauge.units import format_count, format_duration, format_percent

LEAST_ROUNDS = 5
"""As the verdicts of a run: with fewer, launches in two modes agree by chance too often."""


Word = Literal["may", "begins", "never"]


@frozen
class ClaimForecast:
    """What it would take to decide a claim.

    ``word``: so many rounds more decide it in one run of two (``may``), or give it the fewest that ever do
    (``begins``), or nothing reasonable does (``never``).
    """

    word: Word
    rounds: int
    """More of those in which all of its tests run; of a claim that nothing decides: so many are not enough."""
    seconds: float = nan
    """What these take in the tests of the claim alone; nan where that is not known."""
    distance: float = nan
    """By which the estimate that stands in the way lies beside its bound: 0.02 is 2 %."""
    options: str = ""
    """What ``msgauge paper --resume RUN`` is to be told; empty where nothing helps."""


def tell_forecast(found: ClaimForecast | None, run: str = "RUN") -> str:
    """The sentence with its command; '' where nothing is foretold. ``run``: the folder that the command names."""
    return ": ".join(filter(None, [tell_outlook(found), tell_command(found, run)]))


def tell_command(found: ClaimForecast | None, run: str) -> str:
    """What would decide the claim; '' where nothing helps. ``run``: the folder that it names."""
    return f"msgauge paper --resume {run} {found.options}" if found and found.options else ""


def tell_outlook(found: ClaimForecast | None) -> str:
    """The sentence without its command."""
    if found is None:
        return ""
    more = f"{format_count(found.rounds, 'more round')} of its tests"
    lasting = f", {format_duration(found.seconds)}" if isfinite(found.seconds) else ""
    apart = f"{format_percent(found.distance)} from its bound; " if isfinite(found.distance) else ""
    if found.word == "may":
        return f"{apart}about {more}{lasting}, would decide it in one run of two"
    if found.word == "begins":
        return f"{more}{lasting}, come first, as no claim is decided before round {LEAST_ROUNDS}"
    return f"not in any reasonable time: {apart}{more}{lasting}, would not be sure to decide it"
