"""Claims about launches: whatever the ranks do becomes a record with a reason that a person understands."""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import speaking_worker
from attrs import evolve, field, frozen

from msgauge.errors import LaunchError
from msgauge.execution import session as launching
from msgauge.execution.host_access import PresentComputer
from msgauge.execution.session import Session
from msgauge.model import Build, Cell, Command, HostSet, Launch, LaunchRecord, Origin, Plan, Reach, Stack, Stopping
from msgauge.results import wire
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Variant
from msgauge.stacks.base.promises import BY_TCP

WORKER = Path(speaking_worker.__file__)
PLAN = Plan(
    "quick",
    7,
    ("talk@1",),
    (Cell(0, "pingpong", 8, 2), Cell(1, "pingpong", 64, 2)),
    (2,),
    stopping=Stopping(launch_limit_s=1.0),
)
STACK = Stack("talk", "1", Origin("builtin"))


@frozen
class Talk(PlainFamily):
    """A family whose launcher is the worker itself."""

    user: str = ""
    lie: str = ""
    broken_daemon: bool = False
    log: list[str] = field(factory=list)

    def variants(self) -> Sequence[Variant]:
        return (Variant("tcp", "transport", "TCP", BY_TCP),)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        return Command(tuple(program), environment=(("TALK", "it's on"),), user=self.user)

    def verify(self, stack: Stack, facts: dict[str, str]) -> str:
        assert facts["library"] == "Fake 1"
        return self.lie

    @contextmanager
    def session(self, stack: Stack, options: LaunchOptions, runner) -> Iterator[None]:
        script = "echo booted; sleep 600 </dev/null >/dev/null 2>&1 &" if not self.broken_daemon else "echo no; exit 4"
        code, said = runner.run(Command(("sh", "-c", script)), 10.0)
        if code:
            raise LaunchError(f"the daemon did not start: {said.strip()}")
        self.log.append(said.strip())
        yield
        self.log.append("halted")


@pytest.fixture(autouse=True)
def no_sentinel_and_no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "compile_sentinel", lambda: None)
    monkeypatch.setattr("msgauge.execution.launch_limit.GRACE_S", 0.0)


class Elsewhere(PresentComputer):
    """Hosts that are this computer; ``n2`` goes away once samples of a launch are there."""

    def __init__(self, reach: Reach, samples: Path | None = None) -> None:
        self.reach = reach
        self.samples = samples
        self.swept: list[str] = []

    def find_lost(self) -> dict[str, str]:
        gone = self.samples is not None and self.samples.exists() and self.samples.stat().st_size
        return {"n2": "n2 does not answer"} if gone else {}

    def sweep(self, session: str) -> None:
        self.swept.append(session)


def session(
    behaviour: str, family: Talk | None = None, stack: Stack = STACK, access: PresentComputer | None = None
) -> Session:
    build = Build("talk@1", (sys.executable, str(WORKER), behaviour), None)
    options = LaunchOptions(ranks=2, cores=2, folder=Path("/nonexistent"))
    return Session(stack, build, options, family=family or Talk(), access=access)


def performed(behaviour: str, folder: Path, family: Talk | None = None) -> LaunchRecord:
    with session(behaviour, family) as open_session:
        return open_session.run(PLAN, Launch(3, 1, "talk@1", 2, (1, 0), 5), folder)


def test_a_launch_that_goes_well_keeps_all_that_a_report_needs(tmp_path: Path) -> None:
    record = performed("fine", tmp_path)
    assert (record.status, record.reason, record.exit_code, record.log) == ("ok", "", 0, "")
    assert [frame.cell for frame in wire.read_frames(tmp_path / "samples.bin")[0] if frame.cell >= 0] == [1, 0]
    assert (record.usage.user_s, record.usage.voluntary_switches) == (1.0, 6)
    assert [(place.rank, place.cpu) for place in record.placement] == [(0, 1), (1, 1)]
    assert (record.timer_cost_ns, record.timer_resolution_ns) == (25.5, 1.0)
    assert {"cgroup", "open_files", "binding"} <= dict(record.condition).keys()
    assert (tmp_path / "stdout").read_text() == "hello from the worker\n"
    assert len(json.loads((tmp_path / "placement.json").read_text())) == 2
    assert json.loads((tmp_path / "environment.json").read_text())["added"] == {"TALK": "it's on"}


@pytest.mark.parametrize(("ranks", "looked"), [(1, True), (2, False)])
def test_a_launch_of_one_rank_leaves_no_route_to_look_at(tmp_path: Path, ranks: int, looked: bool) -> None:
    """The worker of these tests tells no route: with two ranks the variant stays unverified, alone it has no route."""
    promising = evolve(STACK, variant=("tcp",))
    with session("fine", stack=promising) as open_session:
        record = open_session.run(PLAN, Launch(3, 1, "talk@1", ranks, (1, 0), 5), tmp_path)
    assert record.status == "ok", record.reason
    assert ("variant" not in dict(record.condition)) == looked


def test_the_kept_command_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    performed("fine", tmp_path)
    (tmp_path / "samples.bin").unlink()
    assert os.system(f"sh {tmp_path / 'command.txt'} > /dev/null") == 0
    assert wire.read_frames(tmp_path / "samples.bin")[1]


@pytest.mark.parametrize(
    ("behaviour", "status", "says"),
    [
        ("crash", "failed", "crashed with signal 11 (SIGSEGV) after 1 of 2 cells"),
        ("exit", "failed", "ended with exit code 3 after 1 of 2 cells: cannot go on: no such device"),
        ("quiet", "failed", "its samples are cut off after 1 of 2 cells"),
        ("garbage", "failed", "something other than samples"),
        ("cut", "failed", "signal 9 (SIGKILL) after 1 of 2 cells"),
        ("wrong-size", "failed", "wrong number of ranks"),
        ("hang", "timeout", "still running after 1"),
        ("fail-at-the-end", "ok", "all samples are safe, but it ended with exit code 9"),
    ],
)
def test_what_went_wrong_is_said(tmp_path: Path, behaviour: str, status: str, says: str) -> None:
    record = performed(behaviour, tmp_path)
    assert record.status == status
    assert says in record.reason
    assert "hello from the worker" in record.log


def test_a_launch_that_is_ended_says_what_it_was_allowed(tmp_path: Path) -> None:
    assert " s to start), ended " in performed("hang", tmp_path).reason


def test_samples_before_a_crash_are_kept(tmp_path: Path) -> None:
    performed("cut", tmp_path)
    frames, ended = wire.read_frames(tmp_path / "samples.bin")
    assert [frame.values.tolist() for frame in frames if frame.cell == 1] == [[10, 20, 30]]
    assert not ended


def test_a_hang_after_the_last_sample_costs_no_sample(tmp_path: Path) -> None:
    record = performed("hang-at-the-end", tmp_path)
    assert record.status == "ok"
    assert "hung when it should have ended" in record.reason


def test_another_library_than_claimed_is_refused_by_name(tmp_path: Path) -> None:
    record = performed("fine", tmp_path, Talk(lie="this is MPICH, not Talk"))
    assert (record.status, record.reason) == ("failed", "this is MPICH, not Talk")


def test_a_program_that_is_gone_is_said_to_be_so(tmp_path: Path) -> None:
    with session("fine") as open_session:
        open_session.build = evolve(open_session.build, program=("/gone/worker",))
        record = open_session.run(PLAN, Launch(1, 1, "talk@1", 2, (0,), 5), tmp_path)
    assert record.status == "failed"
    assert "could not be started: [Errno 2] No such file" in record.reason


def test_daemons_stand_over_several_launches_and_are_started_anew_after_one_was_ended(tmp_path: Path) -> None:
    family = Talk()
    with session("hang", family) as open_session:
        fine = evolve(open_session.build, program=(sys.executable, str(WORKER), "fine"))
        hanging, open_session.build = open_session.build, fine
        statuses = []
        for number, build in enumerate((fine, hanging, fine)):
            open_session.build = build
            folder = tmp_path / str(number)
            folder.mkdir()
            statuses.append(open_session.run(PLAN, Launch(number, 1, "talk@1", 2, (0,), 5), folder).status)
            assert family.log.count("booted") == (2 if number == 2 else 1)
        assert len(tree(open_session.keeper.pid)) == 1
        pid = open_session.keeper.pid
    assert statuses == ["ok", "timeout", "ok"]
    assert family.log == ["booted", "halted", "booted", "halted"]
    assert not Path(f"/proc/{pid}").exists()
    assert not open_session.scratch.folder.exists()


def tree(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_daemons_are_started_anew_where_a_host_came_back_between_two_launches(tmp_path: Path) -> None:
    """What stood there is gone, though the same hosts are there as before."""
    family = Talk()
    with session("fine", family) as open_session:
        for number, returns in enumerate((0, 1, 1)):
            open_session.access.returns = returns
            (tmp_path / str(number)).mkdir()
            open_session.run(PLAN, Launch(number, number, "talk@1", 2, (1, 0), 5), tmp_path / str(number))
        assert family.log == ["booted", "halted", "booted"]


def test_a_launch_that_broke_off_as_a_host_went_away_is_not_held_against_the_stack(tmp_path: Path) -> None:
    """It ends faster than hosts are asked for while it runs."""
    access = Elsewhere(Reach(HostSet(names=("n1", "n2"))), tmp_path / "samples.bin")
    with session("exit", access=access) as open_session:
        record = open_session.run(PLAN, Launch(3, 1, "talk@1", 2, (1, 0), 5), tmp_path)
    assert (record.status, record.lost) == ("failed", True)
    assert record.reason == "n2 does not answer; ended after 1 of 2 cells"


def test_ranks_that_may_live_on_elsewhere_are_ended_and_daemons_started_anew(tmp_path: Path) -> None:
    """After a launch that failed by itself too: its launcher is gone, which says nothing of ranks on other hosts."""
    family, access = Talk(), Elsewhere(Reach(HostSet(), mark="m"))
    with session("exit", family, access=access) as open_session:
        for number in range(2):
            (tmp_path / str(number)).mkdir()
            open_session.run(PLAN, Launch(number, number, "talk@1", 2, (1, 0), 5), tmp_path / str(number))
            assert len(access.swept) == (1, 3)[number]  # as daemons are ended there, too
        assert family.log == ["booted", "halted", "booted"]


def test_a_daemon_that_does_not_start_leaves_nothing_behind() -> None:
    opening = session("fine", Talk(broken_daemon=True))
    with pytest.raises(LaunchError, match="did not start: no"):
        opening.__enter__()
    assert not Path(f"/proc/{opening.keeper.pid}").exists()
    assert not opening.scratch.folder.exists()


def test_ctrl_c_in_a_launch_ends_its_ranks_and_nothing_else(tmp_path: Path) -> None:
    # A job in the background of a shell without job control is born with SIGINT ignored, and so would pytest be.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with session("hang") as open_session:
        plan = evolve(PLAN, stopping=Stopping(launch_limit_s=60.0))
        timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            open_session.run(plan, Launch(1, 1, "talk@1", 2, (0,), 5), tmp_path)
        assert len(tree(open_session.keeper.pid)) == 1
        assert not wire.read_frames(tmp_path / "samples.bin")[1]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_another_user_works_on_copies_and_the_samples_come_home(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    record = performed("fine", tmp_path, Talk(user="nobody"))
    assert record.status == "ok"
    assert dict(record.condition)["user"] == "nobody"
    assert record.command is not None and str(tmp_path) not in " ".join(record.command.argv)
    assert wire.read_frames(tmp_path / "samples.bin")[1]
    assert (tmp_path / "samples.bin").stat().st_uid == 0
    assert not Path(record.command.folder).exists()


def test_a_user_that_is_not_there_is_a_launch_error_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="no user 'nosuchuser'") as caught:
        performed("fine", tmp_path, Talk(user="nosuchuser"))
    assert "useradd" in caught.value.remedy
