"""Start one stack's processes, watch over them, and say how it went.

A ``Session`` holds what a stack needs around launches (daemons, a keeper); ``run`` does one launch. Whatever the
ranks do (crash, hang, write garbage, start in the wrong number), the answer is a ``LaunchRecord`` with a reason that a
person understands, and nothing is left running.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from attrs import evolve

from msgauge.errors import LaunchError, StoreError, WireError
from msgauge.execution import teardown
from msgauge.execution.data_path import route_of
from msgauge.execution.first_host_clock import ClockAhead, probe_clock
from msgauge.execution.host_access import HostAccess, PresentComputer, SessionFiles
from msgauge.execution.interference_probe import LIMIT_S as SENTINEL_LIMIT_S
from msgauge.execution.interference_probe import compile_sentinel, parse_sentinel
from msgauge.execution.launch_checks import LaunchChecks
from msgauge.execution.launch_files import LaunchFiles
from msgauge.execution.launch_limit import find_limit_s
from msgauge.execution.launch_status import LaunchEnd, judge
from msgauge.execution.local_launcher import cores_apart
from msgauge.execution.scratch_folder import Scratch
from msgauge.execution.supervisor import Outcome, Run, Supervisor, clean_environment, describe_environment
from msgauge.model import (
    Build,
    Command,
    Launch,
    LaunchRecord,
    LaunchStatus,
    Pairs,
    Plan,
    Samples,
    Stack,
    serialization,
)
from msgauge.model.shell import shell_line
from msgauge.paths import cache_folder
from msgauge.results import wire
from msgauge.results.publishing import publish
from msgauge.stacks.base.families import collect_traces, collect_variables, families
from msgauge.stacks.base.family import Family, LaunchOptions


class Session:
    """A stack ready to launch: its keeper, its daemons; a context manager.

    Entering starts the daemons. After a launch that had to be ended, they are started anew for the next one.

    Raises:
        LaunchError: (on entering) the daemons could not be started.
    """

    def __init__(
        self,
        stack: Stack,
        build: Build,
        options: LaunchOptions,
        *,
        family: Family | None = None,
        access: HostAccess | None = None,
    ) -> None:
        self.stack = stack
        self.build = build
        self.access = access or PresentComputer()
        reach = self.access.reach
        self._reach = evolve(reach, hosts=reach.hosts.of(stack.spec))
        if reach.hosts.names:
            options = evolve(options, reach=self._reach, cores=reach.hosts.cores or options.cores)
        self.options = options
        self.family = family or _family(stack)
        self._checks = LaunchChecks(stack, self.family, self._reach, self.family.promise(stack))
        self._open = ExitStack()
        self._daemons = ExitStack()
        self._sentinel: Path | None = None
        self._boot_ns = 0
        self._booted_on: tuple[int, frozenset[str]] = (0, frozenset())
        """How often hosts had come back when the daemons were started, and which were gone."""
        self._must_reopen = False
        """The last launch was ended by force: daemons and all are to be started anew before the next."""

    def __enter__(self) -> Session:
        with ExitStack() as opening:
            self.keeper = Supervisor(collect_traces())
            opening.callback(self.keeper.close)
            self.scratch = Scratch.make()
            self.keeper.own([self.scratch.folder])
            self.keeper.watch(self.access.first_processes)
            self._share_programs()
            opening.callback(self.scratch.remove)
            self._sentinel = None if self.stack.simulated else compile_sentinel()
            opening.callback(self._stop_daemons)
            self._start_daemons()
            self._open = opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._open.close()

    def _share_programs(self) -> None:
        """What ranks read must be seen on their hosts, also where each host has its own, as of /tmp."""
        programs = tuple(Path(word) for word in self.build.program if Path(word).is_file())
        places = (self.stack.launcher and Path(self.stack.launcher).parent, self.stack.origin.where)
        library = [Path(place) for place in places if place and Path(place).is_absolute()]
        own = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2])
        folders = {
            self.scratch.folder,
            self.options.folder.absolute(),
            cache_folder(),
            *own,
            *(one.parent for one in programs),
            *library,
        }
        shown = sorted(one for one in folders if _is_folder(one) and not folders & set(one.parents))
        managed = Path(self.stack.origin.where if self.stack.origin.kind != "system" else "")
        installation = managed if managed.is_absolute() and managed.is_dir() else None
        self.access.equip(SessionFiles(programs, installation, tuple(shown)))

    def _start_daemons(self) -> None:
        """On the hosts that are there: launches that need others are not started."""
        self._booted_on = self._host_state()
        options = evolve(self.options, folder=self.scratch.folder, session=self.scratch.folder.name)
        if options.reach:
            options = evolve(options, reach=options.reach.without(self._booted_on[1]))
        self._daemons = ExitStack()
        before_ns = time.monotonic_ns()
        try:
            self._daemons.enter_context(self.family.session(self.stack, options, _SessionRunner(self)))
        except OSError as error:
            raise LaunchError(f"the daemons of {self.stack.spec} could not be started: {error}") from error
        self._boot_ns = time.monotonic_ns() - before_ns

    def _stop_daemons(self) -> None:
        with suppress(LaunchError, OSError):
            self._daemons.close()
        with suppress(LaunchError):
            self.access.sweep(self.scratch.folder.name)

    def run(self, plan: Plan, launch: Launch, folder: Path) -> LaunchRecord:
        """Do one launch; all of its files stand in ``folder``.

        Raises:
            StoreError: the folder cannot be written.
            LaunchError: the daemons could not be started anew after the launch before, or the keeper died.
            HostsLostError: a scheduler took the hosts back.
            KeyboardInterrupt: after everything was ended.
        """
        if lost := self._find_loss(launch.ranks):
            return LaunchRecord(launch, LaunchStatus.FAILED, f"not started: {lost}", started=_now(), lost=True)
        if self._must_reopen or self._booted_on != self._host_state():
            self._restart()
        self.keeper.watch(self.access.first_processes)
        place = folder.absolute()
        files = LaunchFiles(place if self._reach.hosts.names else self.scratch.name_plainly(place))
        self._write_plan(plan, launch, (files.plan,), None)
        publish(files.samples, b"")
        command, salvages = self._command(launch, files)
        environment = self._environment(command)
        publish(files.folder / "command.txt", (shell_line(command) + "\n").encode())
        publish(
            files.folder / "environment.json", serialization.dumps(describe_environment(command, environment)).encode()
        )
        record = LaunchRecord(launch=launch, status=LaunchStatus.INTERRUPTED, started=_now(), command=command)
        self.keeper.own(salvages=salvages)
        self.access.begin(self.scratch.folder.name, files.folder)
        before = self._probe()
        settled = salvages[0][0] if salvages else files.samples
        run = Run(command, files.stdout, files.stderr, self._limit_s(plan, launch), environment, settled=settled)
        ahead = self._first_host_clock(command)
        self._write_plan(plan, launch, {files.plan, *_plans_in(command)}, ahead)
        self.access.deliver(files.folder)
        try:
            outcome = self.keeper.run(run, lambda: self._find_loss(launch.ranks))
        finally:
            self.access.finish(self.scratch.folder.name, files.folder)
        outcome = evolve(outcome, lost=outcome.lost or self._find_loss(launch.ranks))
        after = self._probe()
        self._salvage(salvages)
        record = self._make_record(evolve(record, sentinel_before=before, sentinel_after=after), outcome, files, plan)
        astray = bool(self._reach.mark) and record.status is not LaunchStatus.OK  # ranks may live on elsewhere
        self._must_reopen = astray or bool(outcome.ended)
        if self._must_reopen:
            self.access.sweep(self.scratch.folder.name)
        return record

    def _host_state(self) -> tuple[int, frozenset[str]]:
        return self.access.returns, frozenset(self.access.find_lost())

    def _find_loss(self, ranks: int) -> str:
        """Which hosts of so many ranks are gone, and why; '' while all stand."""
        lost, hosts = self.access.find_lost(), self._reach.hosts
        needed = hosts.list_needed(ranks) if lost else ()
        return "; ".join(lost[name] for name in needed if name in lost)

    def _first_host_clock(self, command: Command | None) -> ClockAhead | None:
        """What rank 0's clock is ahead of this computer's; None where nobody can tell when a launch began."""
        if self.access.copies:
            return None
        if self.access.one_clock or command is None:
            return ClockAhead(0, 0)
        asked = self.access.command(Command((*self.build.program, "--clock")))
        return probe_clock(asked.argv, self._environment(command))

    def _write_plan(self, plan: Plan, launch: Launch, places: Iterable[Path], ahead: ClockAhead | None) -> None:
        """The plan as of now; the last time it is written is the beginning of the launch."""
        here = self.options.reach is None and all(host.local for host in self.options.hosts)
        alone = launch.ranks <= self.options.cores and here
        pin = tuple(cores_apart()[: launch.ranks]) if alone and not self.stack.simulated else ()
        begun_ns = time.monotonic_ns() + ahead.ahead_ns if ahead else 0
        start = wire.Start(self._boot_ns, begun_ns, pin, ahead.error_ns if ahead else 0)
        text = wire.write_plan(plan, launch, self.options.cores, start)
        for place in places:
            if place.exists():
                place.write_text(text)  # keeps owner and mode of a copy for another user
            else:
                publish(place, text.encode())

    def _command(self, launch: Launch, files: LaunchFiles) -> tuple[Command, list[tuple[Path, Path]]]:
        """The launcher's command; for another user on copies in the scratch folder, with what is to come back."""
        options = evolve(self.options, ranks=launch.ranks, folder=files.folder, session=self.scratch.folder.name)
        command = self.family.launch_command(self.stack, _worker(self.build, files.plan, files.samples), options)
        if not command.user:
            return self.access.command(command), []
        copies = self.scratch.copies(files.folder.name, command.user)
        plan, samples = copies.bring(files.plan), copies.path("samples.bin")
        program = tuple(str(copies.bring(Path(word))) if Path(word).is_file() else word for word in self.build.program)
        argv = _worker(evolve(self.build, program=program), plan, samples)
        command = self.family.launch_command(self.stack, argv, evolve(options, folder=copies.folder))
        command = evolve(command, folder=command.folder or str(copies.folder))
        return self.access.command(command), [(samples, files.samples)]

    def _environment(self, command: Command) -> dict[str, str]:
        environment = clean_environment(command, os.environ, collect_variables())
        own = self.scratch.identity(command.user)
        if (reach := self._reach).temporary:
            own |= {"TMPDIR": reach.temporary, "MSGAUGE_SESSION": self.scratch.folder.name}
        if reach.mark:
            own["MSGAUGE_MARK"] = f"{reach.mark}.{self.scratch.folder.name}"
        return {**environment, **own, **dict(command.environment)}

    def _salvage(self, salvages: Sequence[tuple[Path, Path]]) -> None:
        if salvages:
            try:
                self.keeper.salvage(salvages)
            except LaunchError as error:
                raise StoreError(error.what, where=error.where, remedy=error.remedy) from error

    def _restart(self) -> None:
        """The tree was ended by force: nothing in it, daemons included, is trusted any more."""
        self._stop_daemons()
        self.keeper.sweep()
        self._start_daemons()
        self._must_reopen = False

    def _probe(self) -> Pairs:
        if self._sentinel is None:
            return ()
        said, command = self.scratch.folder / "sentinel.out", Command((str(self._sentinel),))
        said.unlink(missing_ok=True)
        environment = clean_environment(command, os.environ, collect_variables())
        self.keeper.run(Run(command, said, Path(os.devnull), SENTINEL_LIMIT_S, environment))
        return parse_sentinel(said.read_text(errors="replace")) if said.exists() else ()

    def _limit_s(self, plan: Plan, launch: Launch) -> float:
        return find_limit_s(plan.stopping.launch_limit_s, launch.ranks, away=self.options.reach is not None)

    def _make_record(self, record: LaunchRecord, outcome: Outcome, files: LaunchFiles, plan: Plan) -> LaunchRecord:
        frames, garbage = _frames(files.samples, record.launch)
        facts = wire.parse_facts(frames)
        publish(files.folder / "placement.json", serialization.dumps(facts.placement).encode())
        log, asked_s = files.log_tail(), plan.stopping.launch_limit_s
        starting_s = self._limit_s(plan, record.launch) - asked_s
        ended = LaunchEnd(outcome, facts, frames, log, self.family.log_noise, garbage, asked_s, starting_s)
        route = route_of(facts.routes)
        astray = self._checks.find_astray(facts, record.launch.ranks, route)
        judged = judge(ended, record.launch, astray)
        ahead = self._first_host_clock(record.command) if teardown.find_launch_cells(frames) else None
        if facts.ended and outcome.began_s and ahead:
            teardown.add_teardown(files.samples, frames, outcome.over_ns + ahead.ahead_ns)
        kept = (*self.keeper.condition, *self.access.notes)
        condition = self._checks.list_conditions(facts, record.launch.ranks, route, kept)
        clock = dict(facts.clock)
        return evolve(
            record,
            status=judged.status,
            reason=judged.reason,
            astray=judged.astray,
            exit_code=outcome.shell_code,
            seconds=outcome.seconds,
            usage=facts.usage if facts.placement else outcome.usage,
            placement=facts.placement,
            timer_cost_ns=_float(clock.get("cost_ns")),
            timer_resolution_ns=_float(clock.get("resolution_ns")),
            clocks=facts.clocks,
            condition=(*condition, *_user_pair(record.command)),
            route=route,
            lost=bool(outcome.lost) and judged.status is not LaunchStatus.OK,
            log=ended.log if judged.status is not LaunchStatus.OK or judged.reason else "",
        )


class _SessionRunner:
    """What a family's ``session`` runs its daemons' commands with; they are left running."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._count = 0

    def run(self, command: Command, limit_s: float) -> tuple[int, str]:
        """Exit code and combined output; -9 past the limit, 127 when it could not be started."""
        session = self._session
        self._count += 1
        said = session.scratch.folder / f"session-{self._count}.out"
        said.unlink(missing_ok=True)
        environment = session._environment(command)
        session.access.share([session.scratch.folder])
        outcome = session.keeper.run(
            Run(session.access.command(command), said, said, limit_s, environment, sweep=False)
        )
        output = said.read_text(errors="replace") if said.exists() else ""
        if outcome.error:
            return 127, outcome.error
        return (-9 if outcome.ended else outcome.shell_code or 0), output


def _family(stack: Stack) -> Family:
    found = families()
    if stack.family not in found:
        raise LaunchError(f"no plug-in for stacks of the family {stack.family!r}", remedy="see 'msgauge stacks'")
    return found[stack.family]


def _worker(build: Build, plan: Path, samples: Path) -> tuple[str, ...]:
    return (*build.program, "--plan", str(plan), "--samples", str(samples))


def _frames(path: Path, launch: Launch) -> tuple[list[Samples], str]:
    """All frames, or those before the garbage and what was wrong with it."""
    try:
        return wire.read_frames(path, launch=launch.number)[0], ""
    except WireError as error:
        return wire.readable_frames(path, launch=launch.number), str(error)


def _user_pair(command: Command | None) -> Pairs:
    return (("user", command.user),) if command is not None and command.user else ()


def _plans_in(command: Command) -> list[Path]:
    """The copies of the plan that the ranks will read, where they read a copy."""
    after = zip(command.argv, command.argv[1:], strict=False)
    return [Path(path) for word, path in after if word == "--plan" and Path(path).is_file()]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _float(text: str | None) -> float:
    try:
        return float(text or 0.0)
    except ValueError:
        return 0.0


def _is_folder(path: Path) -> bool:
    """False where this user may not look."""
    try:
        return path.is_dir()
    except PermissionError:
        return False
