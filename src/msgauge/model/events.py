"""What the pipeline tells whoever watches it: live progress, logs."""

from __future__ import annotations

from attrs import frozen

from msgauge.model.analysis import Analysis, Notice, StopReason
from msgauge.model.launch import Build, LaunchRecord
from msgauge.model.plan import Launch, Plan


@frozen
class BuildStarted:
    """A worker is being compiled for this stack; it is the next whose end is told."""

    stack: str


@frozen
class BuildEnded:
    """A worker was compiled, taken from the cache, or failed (``build.reason``)."""

    build: Build


@frozen
class MeasuringStarted:
    """Measuring begins; builds may go on beside it.

    ``expected_s``: the forecast for the rest; ``prospects``: what the run can tell in its budget, in a clause.
    """

    plan: Plan
    expected_s: float
    prospects: str = ""


@frozen
class ConditionsChanged:
    """A run is resumed under other conditions than those of its launches until now."""

    notice: Notice


@frozen
class RoundsTorn:
    """Rounds of a resumed run that are measured anew; so many launches of them were there and are put aside."""

    rounds: int
    launches: int


@frozen
class HostsAwaited:
    """The next launch needs hosts that are lost; they are tried again."""

    names: tuple[str, ...]


@frozen
class HostsReturned:
    """Connections to these hosts had ended and were made again."""

    names: tuple[str, ...]


@frozen
class LaunchStarted:
    """One launch begins; ``position`` of ``of`` in its round."""

    launch: Launch
    position: int
    of: int


@frozen
class LaunchEnded:
    """One launch ended, well or not."""

    record: LaunchRecord


@frozen
class RoundEnded:
    """A round is complete: the table so far, and how many seconds are left at most."""

    round: int
    analysis: Analysis
    left_s: float
    coming: int = 0
    """So many rounds, with those that are done, will be had by the test with the most; 0: nothing is open."""


@frozen
class MeasuringEnded:
    """Measuring is over."""

    why: StopReason


Event = (
    BuildStarted
    | BuildEnded
    | MeasuringStarted
    | ConditionsChanged
    | RoundsTorn
    | HostsAwaited
    | HostsReturned
    | LaunchStarted
    | LaunchEnded
    | RoundEnded
    | MeasuringEnded
)
