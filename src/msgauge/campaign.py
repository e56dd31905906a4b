"""The rounds of a run: launch after launch, round after round, until it is enough. Replayable.

Which launch comes next follows from the plan and the records alone, so a run that was interrupted goes on with exactly
the launches that an undisturbed one would have had: what is whole on disk is passed over, never measured twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from attrs import evolve

from msgauge.analysis.run import analyse_round
from msgauge.analysis.verdicts.stop_decision import decide
from msgauge.errors import HostsLostError, LaunchError, MsgaugeError, StoreError
from msgauge.execution.coming_builds import ComingBuilds
from msgauge.execution.host_access import HostAccess
from msgauge.execution.session import Session
from msgauge.hosts import Host
from msgauge.model import (
    RECONNECTED,
    Analysis,
    Event,
    HostsAwaited,
    HostsReturned,
    Launch,
    LaunchEnded,
    LaunchRecord,
    LaunchStarted,
    LaunchStatus,
    MeasuringEnded,
    MeasuringStarted,
    Plan,
    RoundEnded,
    RoundsTorn,
    StopReason,
)
from msgauge.plan import launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.rounds.run_progress import RunProgress
from msgauge.rounds.schedule import Schedule
from msgauge.rounds.torn_rounds import find_torn_rounds
from msgauge.stacks.base.family import LaunchOptions

Watcher = Callable[[Event], None]


def measure(folder: RunFolder, builds: ComingBuilds, host: Host, watch: Watcher, access: HostAccess) -> StopReason:
    """Measure what is left of a run, and say why it ended. ``access``: the way to its hosts.

    Builds may still be coming while the first round is measured: a launch waits for its own, and the order of launches
    depends on none. At the end all are there.

    Raises:
        StoreError: a record cannot be written. What was measured before is safe.
        KeyboardInterrupt: from Ctrl-C; the launch that ran is ended, those before it are safe.
    """
    with _Sessions(folder, builds, host, access) as sessions:
        campaign = _Campaign(folder, sessions, builds, watch, host.cores)
        expected_s = campaign.remaining_s(campaign.latest_round)
        watch(MeasuringStarted(folder.plan, expected_s, campaign.describe_prospects()))
        why = campaign.run_rounds()
        builds.wait_for_all()
    watch(MeasuringEnded(why))
    return why


def put_torn_rounds_aside(folder: RunFolder, builds: ComingBuilds, cores: int, watch: Watcher) -> None:
    """Let rounds of a run that goes on be measured anew where what is there of them is of another time.

    By the limits that the run had: what others would add to its last round is no launch that this round lacks.
    Raises StoreError where a folder cannot be put aside.
    """
    schedule, given_up = Schedule(folder, cores), _take_records(folder).given_up

    def list_lacking(round: int) -> list[Launch]:
        """What a round holds that is not on disk and can be started."""
        return [
            launch
            for launch in _list_launches(folder.plan, schedule, round)
            if launch.number not in folder.dataset
            and (launch.stack, launch.ranks) not in given_up
            and not builds.of(launch.stack).reason
        ]

    latest, each = folder.dataset.latest_round, len(launches_of_round(folder.plan, 0, 0))
    first = min([latest, *(number // each for number in folder.put_aside)])
    torn = find_torn_rounds(folder.dataset, range(max(0, first), latest + 1), list_lacking, folder.gone, time.time())
    if torn.rounds:
        folder.put_rounds_aside(torn.rounds, torn.launches)
        watch(RoundsTorn(len(torn.rounds), len(torn.launches)))


def _take_records(folder: RunFolder) -> RunProgress:
    progress = RunProgress()
    for record in folder.dataset.records:
        progress.take_record(record)
    return progress


def _list_launches(plan: Plan, schedule: Schedule, round: int) -> tuple[Launch, ...]:
    """What a round holds; nothing when nothing fits into the time that is left."""
    held, each = schedule.cells_of(round), len(launches_of_round(plan, 0, 0))
    return launches_of_round(plan, round, round * each, held) if held else ()


class _Sessions:
    """One session for each stack that has a worker, opened when its first launch comes and open until the run ends."""

    def __init__(self, folder: RunFolder, builds: ComingBuilds, host: Host, access: HostAccess) -> None:
        self._folder = folder
        self._access = access
        self._builds = builds
        self._stacks = {stack.spec: stack for stack in folder.stacks}
        self._host = host
        self._opened: dict[str, Session] = {}
        self._exits = ExitStack()

    def __enter__(self) -> _Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def find_lost(self) -> Mapping[str, str]:
        """Hosts that are gone, each with the reason."""
        return self._access.find_lost()

    def find_needed(self, launch: Launch) -> tuple[str, ...]:
        """Lost hosts without which the launch cannot be started."""
        lost = self.find_lost()
        if not lost or self._stacks[launch.stack].stays:
            return ()
        needed = self._access.reach.hosts.of(launch.stack).list_needed(launch.ranks)
        return tuple(name for name in needed if name in lost)

    def bring_back(self, names: Sequence[str]) -> tuple[str, ...]:
        """Try to reach lost hosts again; those that are back."""
        return self._access.bring_back(names)

    def of(self, stack: str) -> Session | LaunchError | None:
        """The session of a stack; None when it has no worker or its session did not open (noted as its failure).

        It waits for the worker. The error where the session did not open while hosts are gone, which says nothing about
        the stack.
        """
        built = self._builds.of(stack)
        if stack not in self._opened and not built.reason:
            try:
                access = None if self._stacks[stack].stays else self._access
                session = Session(self._stacks[stack], built, self._options(stack), access=access)
                self._opened[stack] = self._exits.enter_context(session)
            except HostsLostError as lost:
                raise KeyboardInterrupt from lost
            except MsgaugeError as error:
                why = f"its session did not start: {error}"
                if gone := self.find_lost():
                    return LaunchError(f"{'; '.join(gone.values())}; {why}")
                self._builds.replace(evolve(built, reason=why))
        return self._opened.get(stack)

    def _options(self, stack: str) -> LaunchOptions:
        most = max(self._folder.plan.rank_counts)
        cores = self._host.cores if self._stacks[stack].stays else self._folder.plan.hosts.cores or self._host.cores
        return LaunchOptions(most, cores, self._folder.build_folder(stack), (self._host,))


class _Campaign:
    """The rounds of one run while it is being measured."""

    def __init__(
        self, folder: RunFolder, sessions: _Sessions, builds: ComingBuilds, watch: Watcher, cores: int
    ) -> None:
        self._folder = folder
        self._plan: Plan = folder.plan
        self._sessions = sessions
        self._builds = builds
        self._watch = watch
        self._progress = _take_records(folder)
        self._before_s = self._progress.time.used_s
        self._schedule = Schedule(folder, cores)
        self._kernels = folder.facts.kernels
        self._analysis: Analysis | None = None
        self._returned: tuple[str, ...] = ()
        """Hosts that came back since the last launch."""
        self._started, self._waited_before_s = time.monotonic(), builds.waiting.total_s

    def run_rounds(self) -> StopReason:
        """Round after round; why it ended."""
        latest = self.latest_round
        rounds = range(latest, self._plan.stopping.maximum_rounds)
        for round in (*sorted(one for one in self._folder.torn_rounds if one < latest), *rounds):
            self._try_lost_hosts()
            launches = _list_launches(self._plan, self._schedule, round)
            if not launches:
                return StopReason.BUDGET
            if not self._run_launches(launches):
                return StopReason.FAILURES
            if self._is_over():
                return StopReason.DEADLINE
            if round < latest:
                continue  # it was looked at when it was measured; launches whose hosts had gone were done again
            why = self._evaluate_round(round)
            if why is not None:
                return why
        return StopReason.ROUNDS

    @property
    def latest_round(self) -> int:
        """The last round that was begun; the first one before any."""
        return max(0, self._progress.latest_round)

    def remaining_s(self, round: int) -> float:
        """Seconds that the rounds from this one on are expected to take at most; all those before it are done."""
        return self._within_budget(self._schedule.forecast(round).seconds)

    def _within_budget(self, expected_s: float) -> float:
        return max(0.0, min(self._plan.stopping.budget_s - self._time_used_s(), expected_s))

    def describe_prospects(self) -> str:
        """What the run can tell in its budget."""
        return self._schedule.describe_prospects(self._progress.latest_round + 1)

    def _run_launches(self, launches: Sequence[Launch]) -> bool:
        """Perform the launches of a round that are not on disk yet; False when no stack is left that could start."""
        alive = False
        for position, launch in enumerate(launches, start=1):
            if launch.number in self._folder.dataset or self._is_over():
                alive = True
                continue
            if (launch.stack, launch.ranks) in self._progress.given_up:
                continue
            if not self._builds.of(launch.stack).reason:
                self._bring_back(self._sessions.find_needed(launch))
            session = self._sessions.of(launch.stack)
            if session is None:
                continue
            alive = True
            self._watch(LaunchStarted(launch, position, len(launches)))
            began_s = time.monotonic()
            record = self._note_returned(self._run_launch(session, launch))
            self._record_launch(self._builds.note_in(record, began_s))
            self._builds.look()
        return alive

    def _try_lost_hosts(self) -> None:
        """Try those for whose sake stacks were given up: with them the next round has these stacks again."""
        waiting, progress = launches_of_round(self._plan, 0, 0), self._progress
        needed = dict.fromkeys(
            name
            for one in waiting
            if (one.stack, one.ranks) in progress.given_up and progress.failures.waits_for_hosts(one.stack, one.ranks)
            for name in self._sessions.find_needed(one)
        )
        self._bring_back(tuple(needed))

    def _bring_back(self, names: tuple[str, ...]) -> None:
        if not names:
            return
        self._watch(HostsAwaited(names))
        with self._builds.waiting.measure():
            returned = self._sessions.bring_back(names)
        if returned:
            self._watch(HostsReturned(returned))
            self._returned += returned

    def _note_returned(self, record: LaunchRecord) -> LaunchRecord:
        """A record with the hosts that came back before it."""
        returned, self._returned = self._returned, ()
        pair = (RECONNECTED, ", ".join(returned))
        return evolve(record, condition=(*record.condition, pair)) if returned else record

    def _run_launch(self, session: Session | LaunchError, launch: Launch) -> LaunchRecord:
        """Perform a launch; a stack whose processes or daemons cannot be started has failed, and the rest goes on."""
        try:
            if isinstance(session, LaunchError):
                raise session
            return session.run(self._plan, launch, self._folder.launch_folder(launch.number))
        except StoreError:
            raise
        except HostsLostError as lost:
            return LaunchRecord(launch, LaunchStatus.INTERRUPTED, reason=str(lost))
        except MsgaugeError as error:
            gone = bool(self._sessions.find_lost())
            return LaunchRecord(launch, LaunchStatus.FAILED, reason=str(error), lost=gone)

    def _record_launch(self, record: LaunchRecord) -> None:
        """Publish how a launch went. An interrupted one is not kept as whole: it will be measured again."""
        if record.status is LaunchStatus.INTERRUPTED:
            raise KeyboardInterrupt
        self._folder.record(record)
        self._progress.take_record(record)
        self._watch(LaunchEnded(record))

    def _evaluate_round(self, round: int) -> StopReason | None:
        """Analyse what is there, show it, and decide about going on, with the stacks that have a worker."""
        self._builds.wait_for_all()
        self._analysis = analyse_round(self._folder.dataset, self._kernels, self._analysis)
        self._schedule.take_look(round + 1, self._analysis)
        coming = self._schedule.forecast(round + 1)
        left_s, most = self._within_budget(coming.seconds), max(coming.rounds.values(), default=0)
        self._watch(RoundEnded(round, self._analysis, left_s, most))
        next_s, open_cells = self._schedule.round_s(round + 1), self._schedule.open_cells(round + 1)
        why = decide(self._plan, round + 1, open_cells, self._time_used_s(), next_s)
        lost = not self._analysis.has_times or self._all_given_up()
        return StopReason.FAILURES if why is StopReason.PRECISION and lost else why

    def _all_given_up(self) -> bool:
        """Whether no stack would be started again on any number of ranks."""
        launches = launches_of_round(self._plan, 0, 0)
        startable = [one for one in launches if not self._builds.look_up(one.stack).reason]
        return all((one.stack, one.ranks) in self._progress.given_up for one in startable)

    def _is_over(self) -> bool:
        return 0 < self._plan.stopping.deadline_s <= self._time_used_s()

    def _time_used_s(self) -> float:
        """Of measuring: waiting for workers and for hosts is none."""
        waited_s = self._builds.waiting.total_s - self._waited_before_s
        return self._before_s + time.monotonic() - self._started - waited_s
