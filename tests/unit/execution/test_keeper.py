"""Claims about the keeper: nothing that it started outlives it, whatever the processes or msgauge do."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import asdict
from process_ends import alive, gone

from msgauge.errors import LaunchError
from msgauge.execution.output_limit import MOST_BYTES, READABLE_BYTES
from msgauge.execution.supervisor import KEEPER, Outcome, Run, Supervisor, clean_environment
from msgauge.model import CgroupKind, Command, Traces
from msgauge.stacks.base.families import collect_traces, collect_variables

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".part", "w") as file: file.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        time.sleep(600)
    os._exit(0)
while not os.path.exists(sys.argv[1]): time.sleep(0.005)
"""


@pytest.fixture
def keeper() -> Iterator[Supervisor]:
    supervisor = Supervisor(collect_traces())
    yield supervisor
    supervisor.close()


def run(keeper: Supervisor, *argv: str, limit_s: float = 20.0, user: str = "", **more) -> Outcome:
    folder = Path(more.pop("folder", "/dev"))
    out = folder / "out" if str(folder) != "/dev" else Path(os.devnull)
    return keeper.run(Run(Command(argv, user=user), out, out, limit_s, {"PATH": os.environ["PATH"]}, **more))


def daemon(keeper: Supervisor, file: Path, **more) -> int:
    """Start a process that detaches itself by double fork and a new session; its number."""
    assert run(keeper, sys.executable, "-c", DAEMON, str(file), **more).exit_code == 0
    return int(file.read_text())


def test_exit_codes_and_signals_are_told_apart(keeper: Supervisor) -> None:
    assert run(keeper, "sh", "-c", "exit 3").exit_code == 3
    crashed = run(keeper, "sh", "-c", "kill -SEGV $$")
    assert (crashed.exit_code, crashed.signal, crashed.ended) == (None, signal.SIGSEGV, "")


def test_a_program_that_is_not_there_is_said_to_be_so(keeper: Supervisor) -> None:
    assert "No such file" in run(keeper, "no-such-program").error
    assert run(keeper, "true").exit_code == 0


def test_what_a_command_used_is_counted_with_its_children(keeper: Supervisor) -> None:
    burn = "import time\nend = time.process_time() + 0.15\nwhile time.process_time() < end: pass"
    outcome = run(keeper, "sh", "-c", f"{sys.executable} -c '{burn}'; true")
    assert 0.14 < outcome.usage.user_s + outcome.usage.system_s < 2.0
    assert outcome.usage.peak_memory_bytes > 1_000_000


def test_output_is_kept_and_standard_input_is_empty(keeper: Supervisor, tmp_path: Path) -> None:
    assert run(keeper, "sh", "-c", "cat; echo out; echo err >&2", folder=tmp_path).exit_code == 0
    assert (tmp_path / "out").read_text() == "out\nerr\n"


def test_a_command_that_fills_the_disk_with_its_output_is_ended_and_its_output_can_be_read(
    keeper: Supervisor, tmp_path: Path
) -> None:
    flood = f"printf 'the first word\\n'; truncate -s {MOST_BYTES} {tmp_path}/out; echo the last word; exec sleep 60"
    flooded = run(keeper, "sh", "-c", flood, folder=tmp_path)
    assert flooded.ended == "flood" and flooded.seconds < 10
    said = (tmp_path / "out").read_bytes()
    assert said.startswith(b"the first word\n") and said.endswith(b"the last word\n")
    assert len(said) < READABLE_BYTES and b"left out %d bytes" % (MOST_BYTES + 14 - (2 << 20)) in said


def test_long_output_of_a_command_that_ends_by_itself_is_kept_without_its_middle(
    keeper: Supervisor, tmp_path: Path
) -> None:
    long = run(
        keeper, "sh", "-c", f"echo first; truncate -s {READABLE_BYTES} {tmp_path}/out; echo last", folder=tmp_path
    )
    assert long.exit_code == 0 and long.ended == ""
    assert (tmp_path / "out").stat().st_size < READABLE_BYTES
    assert run(keeper, "sh", "-c", "echo more", folder=tmp_path).exit_code == 0
    assert (tmp_path / "out").read_bytes().endswith(b"last\nmore\n")


def test_the_limit_ends_the_whole_tree_daemons_included(keeper: Supervisor, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    outcome = run(keeper, sys.executable, "-c", DAEMON + "time.sleep(600)", str(file), limit_s=1.0)
    assert outcome.ended == "limit"
    assert 1.0 <= outcome.seconds < 30
    assert gone(int(file.read_text()))


def test_a_launch_is_swept_but_daemons_of_the_session_stay(keeper: Supervisor, tmp_path: Path) -> None:
    of_session = daemon(keeper, tmp_path / "session", sweep=False)
    of_launch = daemon(keeper, tmp_path / "launch")
    assert gone(of_launch)
    assert alive(of_session)
    assert keeper.sweep() == 1
    assert gone(of_session)


def test_closing_ends_double_forked_daemons(tmp_path: Path) -> None:
    keeper = Supervisor(collect_traces())
    pid = daemon(keeper, tmp_path / "pid", sweep=False)
    assert alive(pid)
    keeper.close()
    assert not alive(pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_keeper_ends_all_below_it(number: int, tmp_path: Path) -> None:
    keeper = Supervisor(collect_traces())
    pid = daemon(keeper, tmp_path / "pid", sweep=False)
    os.kill(keeper.pid, number)
    assert gone(pid, keeper.pid)
    with pytest.raises(LaunchError, match="keeper"):
        run(keeper, "true")
    keeper.close()


OWNER = f"""
import sys, time, os
from pathlib import Path
sys.path.insert(0, {str(KEEPER.parents[2])!r})
from msgauge.stacks.base.families import collect_traces, collect_variables
from msgauge.execution.supervisor import Supervisor, Run
from msgauge.model import Command, Traces
folder = Path(sys.argv[1])
keeper = Supervisor()
keeper.own([folder / "scratch"], [(folder / "scratch/samples.bin", folder / "samples.bin")])
print(keeper.pid, flush=True)
out = Path(os.devnull)
program = "open('scratch/samples.bin','w').write('precious'); " + sys.argv[2]
keeper.run(Run(Command((sys.executable, "-c", program, "pid"), folder=str(folder)), out, out, 600, dict(os.environ)))
"""


def test_kill_9_of_msgauge_leaves_no_process_no_litter_and_all_samples(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    argv = [sys.executable, "-c", OWNER, str(tmp_path), "exec(" + repr(DAEMON) + ")\ntime.sleep(600)"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        keeper_pid = int(owner.stdout.readline())
        wait_for(tmp_path / "pid")
        pid = int((tmp_path / "pid").read_text())
        assert alive(pid) and alive(keeper_pid)
        owner.kill()
    assert gone(pid, keeper_pid)
    assert (tmp_path / "samples.bin").read_text() == "precious"
    assert not (tmp_path / "scratch").exists()


def wait_for(file: Path) -> None:
    limit = time.monotonic() + 20
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < limit, f"{file} never came"
        time.sleep(0.01)


def test_forks_without_end_are_ended_too(keeper: Supervisor) -> None:
    """Bounded in count and time: each process forks one successor and ends, a hundred times a second."""
    chain = (
        "import os, time\nend = time.monotonic() + 5\nos.setsid() if os.fork() == 0 else os._exit(0)\n"
        "while time.monotonic() < end:\n    time.sleep(0.01)\n    if os.fork(): os._exit(0)"
    )
    run(keeper, sys.executable, "-c", chain, sweep=False)
    keeper.sweep()
    assert keeper.sweep() == 0


def test_rescued_samples_never_shrink(keeper: Supervisor, tmp_path: Path) -> None:
    source, target = tmp_path / "from", tmp_path / "to"
    source.write_text("short")
    target.write_text("longer than that")
    keeper.salvage([(source, target)])
    assert target.read_text() == "longer than that"
    source.write_text("now the longest of all of them")
    keeper.salvage([(source, target)])
    assert target.read_text() == source.read_text()


def test_samples_that_cannot_be_brought_home_are_told(keeper: Supervisor, tmp_path: Path) -> None:
    (tmp_path / "from").write_text("x")
    with pytest.raises(LaunchError, match="could not be brought"):
        keeper.salvage([(tmp_path / "from", tmp_path / "missing" / "to")])


def test_samples_that_could_not_be_brought_home_are_brought_at_the_end(tmp_path: Path) -> None:
    """Those that had failed once were forgotten, and went with the folder that they lay in."""
    scratch, home = tmp_path / "scratch", tmp_path / "missing"
    scratch.mkdir()
    (scratch / "from").write_text("x")
    keeper = Supervisor(collect_traces())
    keeper.own([scratch], [(scratch / "from", home / "to")])
    with pytest.raises(LaunchError):
        keeper.salvage([(scratch / "from", home / "to")])
    home.mkdir()
    keeper.close()
    assert (home / "to").read_text() == "x"
    assert not scratch.exists()


def test_a_launch_that_hangs_after_its_last_frame_is_not_waited_for_long(tmp_path: Path) -> None:
    samples = tmp_path / "samples.bin"
    samples.write_bytes(b"cell=1 count=1\n" + bytes(8) + b"cell=-1 kernel=launch series=end count=0\n")
    request = {"do": "run", "argv": ["sleep", "600"], "env": {"PATH": os.environ["PATH"]}, "limit_s": 60}
    answer = asked({**request, "settled": str(samples), "settle_s": 0.2})
    assert (answer["ended"], answer["signal"]) == ("settled", signal.SIGKILL)
    assert answer["seconds"] < 5


def asked(request: dict) -> dict:
    """One request to a keeper of its own, in the bare protocol."""
    argv = [sys.executable, "-I", "-S", str(KEEPER), json.dumps(asdict(Traces()))]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


def test_nonsense_is_answered_and_survived() -> None:
    assert "unknown request" in asked({"do": "dance"})["error"]
    assert "error" in asked({"do": "run", "argv": [], "env": {}})


def test_shared_memory_of_a_crashed_tree_is_removed_and_that_of_others_is_not(keeper: Supervisor) -> None:
    ours, theirs = (Path(f"/dev/shm/{name}_{os.getpid()}") for name in ("mpich_shm_test", "somebody_elses"))
    code = f"from pathlib import Path; import os; Path({str(ours)!r}).touch(); os.abort()"
    try:
        theirs.touch()
        assert run(keeper, sys.executable, "-c", code).signal == signal.SIGABRT
        assert not ours.exists()
        assert theirs.exists()
    finally:
        theirs.unlink(missing_ok=True)
        ours.unlink(missing_ok=True)


def test_shared_memory_that_was_there_before_stays_whatever_its_name() -> None:
    """Of another job of ours, between two processes that map it.

    Keepers of tests that run beside this one may have begun before it was there, and take it: so it is tried again.
    """
    before = Path(f"/dev/shm/mpich_shm_before_{os.getpid()}")
    stayed = False
    try:
        for _ in range(5):
            before.touch()
            supervisor = Supervisor(collect_traces())
            assert run(supervisor, "true").exit_code == 0
            supervisor.close()
            stayed = stayed or before.exists()
    finally:
        before.unlink(missing_ok=True)
    assert stayed


def test_shared_memory_of_any_name_goes_when_a_killed_process_had_it_open(keeper: Supervisor) -> None:
    segment = Path(f"/dev/shm/odd_name_{os.getpid()}")
    code = f"import time; held = open({str(segment)!r}, 'w'); time.sleep(600)"
    try:
        run(keeper, "sh", "-c", f'{sys.executable} -c "{code}" & while [ ! -e {segment} ]; do sleep 0.01; done')
        assert not segment.exists()
    finally:
        segment.unlink(missing_ok=True)


def test_a_segment_that_somebody_still_uses_stays(keeper: Supervisor) -> None:
    segment = Path(f"/dev/shm/mpich_shm_used_{os.getpid()}")
    try:
        with segment.open("w"):
            run(keeper, "true")
            assert segment.exists()
    finally:
        segment.unlink(missing_ok=True)


def test_the_condition_is_stated_and_its_cgroup_is_gone_at_the_end() -> None:
    keeper = Supervisor(collect_traces())
    condition = dict(keeper.condition)
    groups = [path for path in Path("/sys/fs/cgroup").glob(f"**/msgauge-{keeper.pid}") if path.is_dir()]
    assert bool(groups) == (CgroupKind(condition["cgroup"]) is CgroupKind.OWN)
    assert bool(condition["cgroup_detail"]) == (condition["cgroup"] != "own")
    assert int(condition["open_files"]) >= 256
    keeper.close()
    assert not any(path.exists() for path in groups)


SYSTEM_V = """
import ctypes, sys, time
library = ctypes.CDLL(None)
segment, semaphores = library.shmget(0, 4096, 0o1600), library.semget(0, 2, 0o1600)
library.semctl(semaphores, 0, 16, 1)
open(sys.argv[1], "w").write(f"{segment} {semaphores} ")
time.sleep(600)
"""


def test_system_v_memory_and_semaphores_of_a_killed_process_are_removed(keeper: Supervisor, tmp_path: Path) -> None:
    assert run(keeper, sys.executable, "-c", SYSTEM_V, str(tmp_path / "ids"), limit_s=1.0).ended == "limit"
    segment, semaphores = (tmp_path / "ids").read_text().split()
    assert segment not in system_v("shm") and semaphores not in system_v("sem")


def system_v(kind: str) -> list[str]:
    return [line.split()[1] for line in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()]


def test_even_a_killed_keeper_leaves_nothing_where_it_had_a_cgroup(tmp_path: Path) -> None:
    keeper = Supervisor(collect_traces())
    pid = daemon(keeper, tmp_path / "pid", sweep=False)
    if dict(keeper.condition)["cgroup"] != "own":
        os.kill(pid, signal.SIGKILL)
        keeper.close()
        pytest.skip("no cgroup of its own can be made here")
    os.kill(keeper.pid, signal.SIGKILL)
    with pytest.raises(LaunchError, match="keeper"):
        run(keeper, "true")
    keeper.close()
    assert gone(pid)
    assert not list(Path("/sys/fs/cgroup").glob(f"*/msgauge-{keeper.pid}"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root may become another user")
def test_a_command_runs_as_the_user_it_names_and_with_no_groups_of_root(keeper: Supervisor, tmp_path: Path) -> None:
    run(keeper, "id", user="nobody", folder=tmp_path)
    said = (tmp_path / "out").read_text()
    assert "(nobody)" in said and "root" not in said


def test_foreign_launchers_leave_no_trace_in_the_environment() -> None:
    base = {"OMPI_COMM_WORLD_RANK": "3", "PMI_RANK": "1", "UCX_TLS": "tcp", "HOME": "/h", "LC_ALL": "de_DE"}
    command = Command(("x",), environment=(("UCX_TLS", "sm"),))
    assert clean_environment(command, base, collect_variables()) == {"HOME": "/h", "LC_ALL": "C", "UCX_TLS": "sm"}
