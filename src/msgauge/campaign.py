"""The rounds of a run: launch after launch, round after round, until it is enough. Replayable.

Which launch comes next follows from the plan and the records alone, so a run that was interrupted goes on with exactly
the launches that an undisturbed one would have had: what is whole on disk is passed over, never measured twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from attrs import evolve

from msgauge.analysis.run import analyse_round
from msgauge.analysis.stop_decision import decide
from msgauge.errors import MsgaugeError, StoreError
from msgauge.execution.session import Session
from msgauge.hosts import Host
from msgauge.model import (
    Analysis,
    Build,
    Event,
    Launch,
    LaunchEnded,
    LaunchRecord,
    LaunchStarted,
    LaunchStatus,
    MeasuringEnded,
    MeasuringStarted,
    Plan,
    RoundEnded,
    StopReason,
)
from msgauge.plan import forecast_round_s, is_given_up, launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.stacks.base.family import LaunchOptions

Watcher = Callable[[Event], None]


def measure(folder: RunFolder, builds: Sequence[Build], host: Host, watch: Watcher) -> StopReason:
    """Measure what is left of a run, and say why it ended.

    Raises:
        StoreError: a record cannot be written. What was measured before is safe.
        KeyboardInterrupt: from Ctrl-C; the launch that ran is ended, those before it are safe.
    """
    with _Sessions(folder, builds, host) as sessions:
        campaign = _Campaign(folder, sessions, host, watch)
        watch(MeasuringStarted(folder.plan, campaign.remaining_s()))
        why = campaign.run_rounds()
    watch(MeasuringEnded(why))
    return why


class _Sessions:
    """One session for each stack that has a worker, opened when its first launch comes and open until the run ends."""

    def __init__(self, folder: RunFolder, builds: Sequence[Build], host: Host) -> None:
        self._folder = folder
        self._builds = {built.stack: built for built in builds}
        self._stacks = {stack.spec: stack for stack in folder.stacks}
        self._host = host
        self._opened: dict[str, Session] = {}
        self._exits = ExitStack()

    def __enter__(self) -> _Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def of(self, stack: str) -> Session | None:
        """The session of a stack; None when it has no worker or its session did not open (noted as its failure)."""
        built = self._builds[stack]
        if stack not in self._opened and not built.reason:
            try:
                session = Session(self._stacks[stack], built, self._options(stack))
                self._opened[stack] = self._exits.enter_context(session)
            except MsgaugeError as error:
                self._builds[stack] = evolve(built, reason=f"its session did not start: {error}")
                self._folder.write_builds(list(self._builds.values()))
        return self._opened.get(stack)

    def _options(self, stack: str) -> LaunchOptions:
        most = max(self._folder.plan.rank_counts)
        return LaunchOptions(most, self._host.cores, self._folder.build_folder(stack), (self._host,))


class _Campaign:
    """The rounds of one run while it is being measured."""

    def __init__(self, folder: RunFolder, sessions: _Sessions, host: Host, watch: Watcher) -> None:
        self._folder = folder
        self._plan: Plan = folder.plan
        self._sessions = sessions
        self._watch = watch
        self._progress = _Progress()
        for record in folder.dataset.records:
            self._progress.add(record)
        self._before_s = sum(record.seconds for record in folder.dataset.records)
        self._analysis: Analysis | None = None
        self._kernels = folder.facts.kernels
        self._started = time.monotonic()
        simulated = frozenset(stack.spec for stack in folder.stacks if stack.simulated)
        self._forecast_s = forecast_round_s(self._plan, simulated, host.cores)

    def run_rounds(self) -> StopReason:
        """Round after round; why it ended."""
        number = 0
        for round in range(self._plan.stopping.maximum_rounds):
            launches = launches_of_round(self._plan, round, number)
            number += len(launches)
            if not self._run_launches(launches):
                return StopReason.FAILURES
            if self._is_over():
                return StopReason.DEADLINE
            why = None if self._progress.latest_round > round else self._evaluate_round(round)
            if why is not None:
                return why
        return StopReason.ROUNDS

    def remaining_s(self) -> float:
        """Seconds that the rest is expected to take at most."""
        stopping = self._plan.stopping
        rounds_left = stopping.maximum_rounds - self._folder.dataset.rounds
        return max(0.0, min(stopping.budget_s - self._time_used_s(), rounds_left * self._round_s()))

    def _run_launches(self, launches: Sequence[Launch]) -> bool:
        """Perform the launches of a round that are not on disk yet; False when no stack is left that could start."""
        alive = False
        for position, launch in enumerate(launches, start=1):
            if launch.number in self._folder.dataset or self._is_over():
                alive = True
                continue
            given_up_now = (launch.stack, launch.ranks) in self._progress.given_up
            session = None if given_up_now else self._sessions.of(launch.stack)
            if session is None:
                continue
            alive = True
            self._watch(LaunchStarted(launch, position, len(launches)))
            self._record_launch(self._run_launch(session, launch))
        return alive

    def _run_launch(self, session: Session, launch: Launch) -> LaunchRecord:
        """Perform a launch; a stack whose processes or daemons cannot be started has failed, and the rest goes on."""
        try:
            return session.run(self._plan, launch, self._folder.launch_folder(launch.number))
        except StoreError:
            raise
        except MsgaugeError as error:
            return LaunchRecord(launch, LaunchStatus.FAILED, reason=str(error))

    def _record_launch(self, record: LaunchRecord) -> None:
        """Publish how a launch went. An interrupted one is not kept as whole: it will be measured again."""
        if record.status is LaunchStatus.INTERRUPTED:
            raise KeyboardInterrupt
        self._folder.record(record)
        self._progress.add(record)
        self._watch(LaunchEnded(record))

    def _evaluate_round(self, round: int) -> StopReason | None:
        """Analyse what is there, show it, and decide about going on."""
        self._analysis = analyse_round(self._folder.dataset, self._kernels, self._analysis)
        self._watch(RoundEnded(round, self._analysis, self.remaining_s()))
        return decide(self._plan, self._analysis, self._time_used_s(), self._round_s())

    def _is_over(self) -> bool:
        return 0 < self._plan.stopping.deadline_s <= self._time_used_s()

    def _time_used_s(self) -> float:
        return self._before_s + time.monotonic() - self._started

    def _round_s(self) -> float:
        """Seconds of a round: the mean of those begun; during the first one not less than the forecast."""
        rounds = self._folder.dataset.rounds
        mean_s = self._time_used_s() / max(1, rounds)
        return mean_s if rounds > 1 else max(mean_s, self._forecast_s)


class _Progress:
    """What the launches so far say about the next one; each of them is looked at once."""

    def __init__(self) -> None:
        self.latest_round = -1
        self.given_up: set[tuple[str, int]] = set()
        """(stack, ranks) that is not started any more."""
        self._in_a_row: dict[tuple[str, int], int] = {}

    def add(self, record: LaunchRecord) -> None:
        """Take note of a launch; they come in order of their numbers."""
        launch = record.launch
        self.latest_round = max(self.latest_round, launch.round)
        if is_given_up(self._in_a_row, record):
            self.given_up.add((launch.stack, launch.ranks))
