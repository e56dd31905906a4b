"""Whatever happens to a job, no file and no process of it stays, and the next job works at once.

The ``bench`` fixture fails every test after which something is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filempi_bench import INSIDE, OCTAVE, TOOLBOX, Bench

PHASES = """
MPI_Init;
comm = MPI_COMM_WORLD;
me = MPI_Comm_rank(comm);
n = MPI_Comm_size(comm);
right = mod(me + 1, n);
left = mod(me - 1, n);
fclose(fopen(sprintf('at.%d', me), 'w'));
switch getenv('PHASE')
    case 'compute'
        started = tic();
        while toc(started) < 0.7
            x = sum(sin(1:1000));
        end
        MPI_Barrier(comm);
    case 'receive'
        MPI_Recv(right, 1, comm);
    case 'send'
        while true
            MPI_Send(right, 1, comm, ones(1, 100000) * me);
            MPI_Recv(left, 1, comm);
        end
    case 'collective'
        while true
            MPI_Allreduce(1, comm, ones(100), 'sum');
        end
    case 'finalize'
        MPI_Finalize;
        pause(0.7);
end
"""
HELLO = """
MPI_Init;
comm = MPI_COMM_WORLD;
total = MPI_Allreduce(1, comm, MPI_Comm_rank(comm) + 1, 'sum');
printf('total %d\\n', total);
MPI_Finalize;
"""


def works(bench: Bench, ranks: int = 3) -> bool:
    result = bench.run(HELLO, ranks=ranks)
    return result.status == 0 and result.output.count(f"total {ranks * (ranks + 1) // 2}") == ranks


def wait_for(condition: object, limit_s: float = 15) -> None:
    until = time.monotonic() + limit_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until, "the job did not get this far"
        time.sleep(0.01)


def start_phases(bench: Bench, phase: str, ranks: int = 3) -> subprocess.Popen[str]:
    bench.program("phases", PHASES)
    process = bench.start(f"eval(MPI_Run('phases', {ranks}, {{}}))", PHASE=phase)
    reach(bench, phase, ranks)
    return process


def reach(bench: Bench, phase: str, ranks: int) -> None:
    """Wait until all ranks of a job are in the phase."""
    if phase != "start":
        wait_for(lambda: all((bench.work / f"at.{rank}").exists() for rank in range(ranks)))
    else:
        wait_for(lambda: len(bench.ranks()) == ranks - 1)


def test_success_leaves_nothing(bench: Bench) -> None:
    assert works(bench)
    assert bench.left(0.5) == []


SESSION = """
for attempt = 1:3
    try
        eval(MPI_Run('phases', 3, {}));
    catch problem
        note = fopen('ended.t', 'w'); fputs(note, problem.message); fclose(note); rename('ended.t', 'ended');
    end
    while ~exist('go', 'file'), pause(0.01); end
    unlink('go');
end
"""


@pytest.mark.parametrize("phase", ["start", "compute", "receive", "send", "collective", "finalize"])
def test_each_rank_killed_in_turn_ends_the_job_and_leaves_nothing(bench: Bench, phase: str) -> None:
    """Ranks 1 and 2 of two jobs of one session, then the session itself: after each the next job works at once."""
    bench.program("phases", PHASES)
    bench.program("session", SESSION)
    process = bench.start("session", PHASE=phase)
    for victim in (1, 2):
        reach(bench, phase, 3)
        os.kill(bench.ranks()[victim], signal.SIGKILL)
        wait_for((bench.work / "ended").exists)
        assert "ended" in (bench.work / "ended").read_text()
        assert bench.left(session=process.pid) == []
        for path in [*bench.work.glob("at.*"), bench.work / "ended"]:
            path.unlink()
        (bench.work / "go").touch()
    reach(bench, phase, 3)
    os.kill(process.pid, signal.SIGKILL)
    assert bench.finish(process, 20).status == -signal.SIGKILL
    assert bench.left() == []
    assert works(bench)


def test_a_rank_that_is_still_starting_is_ended_without_a_file_of_its_variables(bench: Bench) -> None:
    """Octave writes octave-workspace when SIGTERM ends it before the toolbox can forbid it."""
    slow = bench.work / "slow"
    note = "fclose(fopen(['starting.', getenv('FILEMPI_RANK')], 'w')); pause(20);"
    slow.write_text(f'#!/bin/sh\nexec {OCTAVE} -qfW --no-gui --eval "{note} $1"\n')
    slow.chmod(0o755)
    settings = (TOOLBOX / "MatMPI_Comm_settings.m").read_text(encoding="utf-8")
    given = "{'octave-cli', '-qfW', '--no-gui', '--eval'}"
    assert given in settings
    bench.program("MatMPI_Comm_settings", settings.replace(given, f"{{'{slow}'}}"))
    bench.program("program", HELLO)
    process = bench.start("eval(MPI_Run('program', 3, {}))")
    wait_for(lambda: all((bench.work / f"starting.{rank}").exists() for rank in (1, 2)))
    os.kill(process.pid, signal.SIGKILL)
    assert bench.finish(process, 20).status == -signal.SIGKILL
    assert bench.left() == []


def test_an_error_in_a_rank_is_shown_with_its_message(bench: Bench) -> None:
    text = HELLO.replace("MPI_Finalize;", "if MPI_Comm_rank(comm) == 2, error('the sky fell'); end")
    result = bench.run(text, ranks=3)
    assert result.status == 1
    assert "Rank 2 ended with exit status 1" in result.errors
    assert "the sky fell" in result.errors


def test_who_waited_for_a_rank_that_failed_is_told_why_it_failed(bench: Bench) -> None:
    bench.program(
        "program",
        "MPI_Init; if MPI_Comm_rank(MPI_COMM_WORLD) == 1, error('the sky fell'); end;MPI_Recv(1, 1, MPI_COMM_WORLD);",
    )
    result = bench.octave(
        "try, eval(MPI_Run('program', 3, {}));"
        "catch problem, printf('%s | %s', problem.identifier, problem.message); end"
    )
    told = result.output[result.output.index("MPI:peerLost |") :]
    assert "error in rank 1: the sky fell" in told


def test_an_error_in_rank_zero_ends_the_others(bench: Bench) -> None:
    text = HELLO.replace("MPI_Finalize;", "if MPI_Comm_rank(comm) == 0, error('root fell'); end; MPI_Recv(0, 9, comm);")
    result = bench.run(text, ranks=3, limit_s=15)
    assert result.status == 1
    assert "root fell" in result.errors


@pytest.mark.parametrize("aborter", [0, 1])
def test_abort_ends_all_ranks(bench: Bench, aborter: int) -> None:
    text = HELLO.replace(
        "MPI_Finalize;", f"if MPI_Comm_rank(comm) == {aborter}, MPI_Abort; end; MPI_Recv({aborter}, 9, comm);"
    )
    result = bench.run(text, ranks=3, limit_s=15)
    assert result.status == 1
    assert f"Rank {aborter} has aborted the job" in result.errors
    assert bench.left() == []
    assert works(bench)


def test_whoever_sees_that_a_job_is_called_off_sees_why(bench: Bench) -> None:
    """A reader that looks all the time never finds the file without its text, and the first reason stays."""
    process = bench.start(
        INSIDE + "for k = 1:300, mkdir(sprintf('%d', k)); end;"
        "for k = 1:300, for by = 1:2, abort_job(sprintf('%d', k), by, sprintf('by %d', by)); end; end"
    )
    seen = []
    for number in range(1, 301):
        place = bench.work / str(number) / "abort"
        while not place.exists() and process.poll() is None:
            pass
        seen.append(place.read_text())
    assert bench.finish(process).status == 0
    assert seen == ["by 1"] * 300


def test_a_rank_that_never_listens_is_ended_by_abort(bench: Bench) -> None:
    """It is ended by a signal, at which Octave would write its variables into the working folder (see Bench.left)."""
    text = HELLO.replace(
        "MPI_Finalize;",
        "if MPI_Comm_rank(comm) == 0, MPI_Abort; else, while true, x = sum(1:9); end; end",
    )
    result = bench.run(text, ranks=2, limit_s=20)
    assert result.status == 1
    assert bench.left() == []
    assert works(bench)


def test_an_interrupt_leaves_nothing(bench: Bench) -> None:
    for phase in ("compute", "receive", "send"):
        process = start_phases(bench, phase)
        os.kill(process.pid, signal.SIGINT)
        bench.finish(process, 20)
        assert bench.left() == []
        for path in bench.work.glob("at.*"):
            path.unlink()
    assert works(bench)


def test_an_interrupt_while_the_session_waits_for_the_others_ends_the_job(bench: Bench) -> None:
    """Rank 0 has ended well; the others compute on."""
    text = "MPI_Init; if MPI_Comm_rank(MPI_COMM_WORLD) ~= 0, fclose(fopen('at.1', 'w')); pause(60); end; MPI_Finalize;"
    for machines in ("{}", "{'localhost'}"):
        bench.program("program", text)
        process = bench.start(f"try, eval(MPI_Run('program', 2, {machines})); catch, end; pause(60)")
        wait_for((bench.work / "at.1").exists)
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        bench.finish(process, 20)
        assert bench.left() == []
        (bench.work / "at.1").unlink()


def aged(folder: Path) -> None:
    long_ago = time.time() - 3600
    os.utime(folder, (long_ago, long_ago))


def test_the_sweep_spares_the_side_folders_of_a_running_job(bench: Bench) -> None:
    """Those of the machines and those of MatMPI_Comm_dir, though they have no keeper and look old."""
    text = """
    MPI_Init; comm = MatMPI_Comm_dir(MPI_COMM_WORLD, 'more');
    if MPI_Comm_rank(comm) == 0
        fclose(fopen('at.0', 'w'));
        while ~exist('go', 'file'), pause(0.01); end
        MPI_Send(1, 1, comm, 5); MPI_Send(1, 1, MPI_COMM_WORLD, 6);
    else
        printf('got %d %d', MPI_Recv(0, 1, comm), MPI_Recv(0, 1, MPI_COMM_WORLD));
    end
    """
    (bench.work / "more").mkdir()
    bench.program("program", text)
    process = bench.start("eval(MPI_Run('program', 2, {['localhost:' pwd()]}))")
    wait_for((bench.work / "at.0").exists)
    side = [*bench.work.glob("filempi-*"), *bench.work.glob("more/filempi-*")]
    assert len(side) == 2
    for folder in side:
        aged(folder)
    assert bench.octave("MPI_Abort; MatMPI_Delete_all; cd more; MPI_Abort").status == 0
    assert all(folder.exists() for folder in side)
    (bench.work / "go").touch()
    assert "got 5 6" in bench.finish(process).output


def test_the_sweep_removes_side_folders_too(bench: Bench) -> None:
    (bench.work / "more").mkdir()
    (bench.work / "machine").mkdir()
    bench.program("program", "MPI_Init; MatMPI_Comm_dir(MPI_COMM_WORLD, 'more'); fclose(fopen('at.0', 'w')); pause(60)")
    process = bench.start("eval(MPI_Run('program', 2, {'localhost:machine'}))")
    wait_for((bench.work / "at.0").exists)
    time.sleep(0.2)
    os.kill(int(next(bench.jobs.glob("filempi-*/keeper")).read_text().split()[0]), signal.SIGKILL)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    assert [*bench.work.glob("m*/filempi-*")] != []
    assert works(bench)
    assert [*bench.work.glob("m*/filempi-*")] == []


def test_an_interrupt_at_the_prompt_ends_the_job_but_not_the_session(bench: Bench) -> None:
    bench.program("phases", PHASES)
    argv = ["octave-cli", "-qfW", "--interactive", "--no-line-editing", "--no-history"]
    process = bench.begin(argv, subprocess.PIPE, subprocess.STDOUT, PHASE="receive")
    assert process.stdin is not None
    toolbox = Path(__file__).parents[2] / "matlab" / "filempi"
    process.stdin.write(f"addpath('{toolbox}');\neval(MPI_Run('phases', 2, {{}}));\n")
    process.stdin.flush()
    wait_for(lambda: all((bench.work / f"at.{rank}").exists() for rank in range(2)))
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    wait_for(lambda: bench.ranks() == {} and not list(bench.jobs.iterdir()))
    process.stdin.write("disp('still here')\nexit\n")
    process.stdin.flush()
    output, _ = process.communicate(timeout=20)
    assert "still here" in output


def test_the_keeper_killed_with_all_its_ranks_is_swept_by_the_next_job(bench: Bench) -> None:
    process = start_phases(bench, "receive")
    keeper = int(next(bench.jobs.glob("filempi-*/keeper")).read_text().split()[0])
    os.kill(keeper, signal.SIGKILL)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    assert bench.ranks(), "the ranks were to be orphans here"
    assert works(bench)
    assert bench.left() == []


@pytest.mark.parametrize("machines", ["{}", "{'far'}"])
def test_a_session_whose_keeper_was_killed_ends_its_job_itself(
    bench: Bench, machines: str, stand_in_for_ssh: Path
) -> None:
    text = "MPI_Init; r = MPI_Comm_rank(MPI_COMM_WORLD); fclose(fopen(sprintf('at.%d', r), 'w')); pause(60 * (r > 0));"
    bench.program("program", text)
    path = f"{stand_in_for_ssh}:{os.environ['PATH']}"
    process = bench.start(f"eval(MPI_Run('program', 2, {machines}))", PATH=path)
    wait_for(lambda: all((bench.work / f"at.{rank}").exists() for rank in range(2)))
    keeper = next(iter([*bench.jobs.glob("filempi-*/keeper"), *bench.work.glob("filempi-*/keeper")]))
    os.kill(int(keeper.read_text().split()[0]), signal.SIGKILL)
    result = bench.finish(process, 30)
    assert result.status == 1
    assert "Rank 1 ended with" in result.errors


def test_the_sweep_spares_a_process_that_reuses_an_id(bench: Bench) -> None:
    process = start_phases(bench, "receive")
    folder = next(bench.jobs.glob("filempi-*"))
    bystander = subprocess.Popen(["sleep", "30"])
    try:
        keeper = int((folder / "keeper").read_text().split()[0])
        ranks = bench.ranks()
        os.kill(keeper, signal.SIGKILL)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        for pid in ranks.values():
            os.kill(pid, signal.SIGKILL)
        (folder / "pid.1").write_text(f"{bystander.pid} 12345\n")
        assert works(bench)
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_the_sweep_leaves_folders_of_like_names_alone(bench: Bench) -> None:
    """Private, old, and without a keeper, as a killed job's folder is; but no job has such a name."""
    notes = bench.jobs / "filempi-notes"
    notes.mkdir(mode=0o700)
    (notes / "precious").write_text("data")
    os.utime(notes, (1, 1))
    assert works(bench, ranks=2)
    assert bench.octave("MPI_Abort").status == 0
    assert (notes / "precious").read_text() == "data"
    (notes / "precious").unlink()
    notes.rmdir()


@pytest.fixture
def small_disk(bench: Bench) -> Iterator[Path]:
    """A file system of 2 MB in memory, where this user may mount one."""
    place = bench.work / "small"
    place.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mount.returncode != 0:
        pytest.skip("only root may mount a small file system")
    try:
        yield place
        deadline = time.monotonic() + 8
        while list(place.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(place.iterdir()) == []
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("values", ["rand(1000, 1000)", "rand(1, 3000)"], ids=["one large", "many small"])
@pytest.mark.parametrize("transport", ["stream", "file"])
def test_a_full_disk_is_an_error_not_a_hang(bench: Bench, small_disk: Path, values: str, transport: str) -> None:
    text = f"""
    MPI_Init;
    comm = MPI_COMM_WORLD;
    if MPI_Comm_rank(comm) == 1
        try
            for k = 1:200
                MPI_Send(0, 1, comm, {values});
            end
            MPI_Send(0, 2, comm, 1);
            MPI_Recv(0, 3, comm);
        catch problem
            fclose(fopen('noticed', 'w'));
            rethrow(problem);
        end
    else
        started = tic();
        while ~exist('noticed', 'file') && toc(started) < 5, pause(0.01); end
        MPI_Recv(1, 2, comm);
    end
    """
    result = bench.run(text, FILEMPI_DIR=str(small_disk), FILEMPI_TRANSPORT=transport, FILEMPI_DEADLINE="10")
    assert result.status == 1
    assert "disk is full" in result.errors + result.output
    assert works(bench)


def test_a_disk_that_is_full_at_the_start_is_an_error(bench: Bench, small_disk: Path) -> None:
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        try:
            while True:
                file.write(bytes(65536))
                file.flush()
        except OSError:
            pass
    result = bench.run(HELLO, FILEMPI_DIR=str(small_disk))
    assert result.status == 1
    assert "full" in result.errors
    filler.unlink()
