"""Claims about building: compiled once, again when anything changed, and a failure has a reason and a remedy."""

import errno
import os
import shutil
import signal
import stat
import sys
import threading
import time
from pathlib import Path

import pytest
from attrs import evolve, frozen
from simulated_runs import orphans

from msgauge import build as building
from msgauge.build import CompilerRoom, begin_builds, build, find_spare_cores
from msgauge.execution import compilers
from msgauge.execution.supervisor import Outcome, Supervisor
from msgauge.model import Build, Cell, Command, HostSet, Origin, Plan, Stack
from msgauge.stacks.base.family import Recipe

COMPILER = """#!{python} -IS
import os, sys, time
if "-show" in sys.argv:
    print("/bin/true -I/somewhere"); sys.exit(0)
if "--version" in sys.argv: sys.exit(0)
with open({log!r}, "a") as log: log.write("compiled " + " ".join(sys.argv[1:]) + "\\n")
if "-DFAIL" in sys.argv:
    print("worker.cpp:1: error: no matching function for call"); sys.exit(1)
if "-DHANG" in sys.argv: time.sleep(600)
out = sys.argv[sys.argv.index("-o") + 1]
includes = [word[2:] for word in sys.argv if word.startswith("-I")]
assert any(os.path.exists(os.path.join(place, "kernels.inc")) for place in includes)
with open(out, "w") as file: file.write("#!/bin/sh\\necho worker\\n")
os.chmod(out, 0o755)
print("a warning from the compiler")
"""


MEETING = """#!{python} -IS
import os, sys, time
if "-show" in sys.argv:
    print("/bin/true"); sys.exit(0)
open(os.path.join({meeting!r}, str(os.getpid())), "w").close()
limit = time.monotonic() + 30
while len(os.listdir({meeting!r})) < 2:
    if time.monotonic() > limit: sys.exit("nobody else compiles")
    time.sleep(0.01)
out = sys.argv[sys.argv.index("-o") + 1]
with open(out, "w") as file: file.write("#!/bin/sh\\n")
os.chmod(out, 0o755)
"""


@frozen
class Toy:
    """A family whose wrapper is a few lines that pretend to compile."""

    native: bool = True
    transport: str = "mpi"

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        if not self.native:
            return None
        words = [f"-I{folder}" for folder in recipe.include] + [f"-D{name}" for name in recipe.defines]
        flags = [word for word in stack.variant if word.startswith("-")]
        argv = (stack.compiler, *words, *flags, *map(str, recipe.sources), "-o", str(recipe.output))
        return Command(argv, environment=stack.environment)

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        return (str(binary),) if self.native else (sys.executable, "-m", "worker")


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    compiler = tmp_path / "toycc"
    compiler.write_text(COMPILER.format(python=sys.executable, log=str(tmp_path / "count")))
    compiler.chmod(0o755)
    monkeypatch.setenv("MSGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(building, "families", lambda: {"toy": Toy(), "script": Toy(native=False)})
    return Stack("toy", "1", Origin("prefix", str(tmp_path)), compiler=str(compiler))


def compilations(tmp_path: Path) -> list[str]:
    """``core`` or ``worker`` for each run of the compiler."""
    log = tmp_path / "count"
    lines = log.read_text().splitlines() if log.exists() else []
    return ["core" if line.endswith(" -c") else "worker" for line in lines]


def test_a_worker_is_compiled_once_and_then_taken_from_the_cache(tmp_path: Path, toy: Stack) -> None:
    first = build(toy, keep=tmp_path / "one")
    second = build(toy, keep=tmp_path / "two")
    assert (first.reason, first.cached, second.cached) == ("", False, True)
    assert first.program == second.program
    assert os.access(first.program[0], os.X_OK)
    assert compilations(tmp_path) == ["core", "worker"]


def test_what_was_done_is_kept_beside_the_run(tmp_path: Path, toy: Stack) -> None:
    for name in ("fresh", "cached"):
        result = build(toy, keep=tmp_path / name)
        assert "a warning from the compiler" in (tmp_path / name / "build.log").read_text()
        assert toy.compiler in (tmp_path / name / "command.txt").read_text()
        assert "KERNEL(pingpong)" in (tmp_path / name / "include" / "kernels.inc").read_text()
        assert "a warning from the compiler" in result.log


@pytest.mark.parametrize("change", ["flags", "environment", "wrapper", "version", "kernels"])
def test_any_change_that_matters_compiles_anew(
    tmp_path: Path, toy: Stack, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(toy, keep=tmp_path / "one")
    changed = toy
    if change == "flags":
        changed = evolve(toy, variant=("-O3",))
    elif change == "environment":
        changed = evolve(toy, environment=(("I_MPI_ROOT", "/x"),))
    elif change == "wrapper":
        compiler = Path(toy.compiler)
        compiler.write_text(compiler.read_text().replace("-I/somewhere", "-I/elsewhere"))
    elif change == "version":
        changed = evolve(toy, version="2")
    else:
        (tmp_path / "more").mkdir()
        (tmp_path / "more" / "mine.hpp").write_text("// a kernel of the user's own")
        monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path / "more"))
    assert not build(changed, keep=tmp_path / "two").cached
    anew = ["worker"] if change == "kernels" else ["core", "worker"]
    assert compilations(tmp_path) == ["core", "worker", *anew]


def test_an_installation_elsewhere_shares_what_was_compiled_until_a_source_differs(
    tmp_path: Path, toy: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(building.native_folder(), elsewhere)
    build(toy, keep=tmp_path / "one", kernels={"pingpong"})
    monkeypatch.setattr(building, "native_folder", lambda: elsewhere)
    monkeypatch.setattr(building, "kernel_folders", lambda: [elsewhere / "kernels"])
    assert build(toy, keep=tmp_path / "two", kernels={"pingpong"}).cached
    with (elsewhere / "kernels" / "pingpong.hpp").open("a") as header:
        header.write("// changed")
    assert not build(toy, keep=tmp_path / "three", kernels={"pingpong"}).cached
    assert compilations(tmp_path) == ["core", "worker", "worker"]
    with (elsewhere / "measure.hpp").open("a") as header:
        header.write("// changed")
    assert not build(toy, keep=tmp_path / "four", kernels={"pingpong"}).cached
    assert compilations(tmp_path)[3:] == ["core", "worker"]


def test_a_worker_is_compiled_with_the_kernels_of_the_study_alone(tmp_path: Path, toy: Stack) -> None:
    build(toy, keep=tmp_path / "two", kernels={"pingpong", "bcast"})
    listed = (tmp_path / "two" / "include" / "kernels.inc").read_text()
    assert listed.endswith("#define MSGAUGE_KERNELS(KERNEL) KERNEL(bcast) KERNEL(pingpong)\n")
    assert build(toy, keep=tmp_path / "same", kernels={"bcast", "pingpong"}).cached
    assert not build(toy, keep=tmp_path / "other", kernels={"pingpong"}).cached
    assert compilations(tmp_path) == ["core", "worker", "worker"]


def test_a_kernel_of_the_users_own_is_included_by_its_path(
    tmp_path: Path, toy: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more").mkdir()
    header = tmp_path / "more" / "mine.hpp"
    header.write_text("// a kernel")
    monkeypatch.setenv("MSGAUGE_KERNELS", str(tmp_path / "more"))
    build(toy, keep=tmp_path / "one")
    listed = (tmp_path / "one" / "include" / "kernels.inc").read_text()
    assert f'#include "{header}"' in listed
    assert "KERNEL(mine)" in listed


def test_a_failed_compilation_tells_its_first_error_and_is_tried_again(tmp_path: Path, toy: Stack) -> None:
    failing = evolve(toy, variant=("-DFAIL",))
    for name in ("one", "two"):
        result = build(failing, keep=tmp_path / name)
        assert result.program == ()
        assert "ended with 1: worker.cpp:1: error: no matching function" in result.reason
    assert compilations(tmp_path) == ["core", "core"]


@pytest.mark.parametrize(
    "cause", ["/usr/bin/ld: final link failed: No space left on device", "x.cpp: undefined reference to `MPI_Init'"]
)
def test_the_reason_of_a_linker_is_told_and_not_that_it_failed(cause: str) -> None:
    log = f"{cause}\ncollect2: error: ld returned 1 exit status\n"
    assert building._first_error(log) == cause
    assert building._first_error("collect2: error: ld returned 1 exit status") == log.splitlines()[-1]


def test_a_missing_compiler_is_told_with_a_remedy(tmp_path: Path, toy: Stack) -> None:
    for compiler, remedy in (("no-such-mpicxx", "install"), ("/gone/mpicxx", "msgauge stacks")):
        result = build(evolve(toy, compiler=compiler), keep=tmp_path / "one")
        assert f"{compiler} cannot be started" in result.reason
        assert remedy in result.reason


def test_a_compiler_that_hangs_is_ended(tmp_path: Path, toy: Stack) -> None:
    result = build(evolve(toy, variant=("-DHANG",)), keep=tmp_path / "one", limit_s=0.3)
    assert "longer than 0.3 s" in result.reason


def test_a_cache_that_cannot_be_written_costs_only_the_cache(
    tmp_path: Path, toy: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MSGAUGE_CACHE", str(tmp_path / "file" / "cache"))
    result = build(toy, keep=tmp_path / "one")
    assert result.program == (str(tmp_path / "one" / "worker"),)
    assert "cannot be written" in (tmp_path / "one" / "build.log").read_text()


def test_a_run_folder_that_cannot_be_written_is_a_reason(tmp_path: Path, toy: Stack) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be kept" in build(toy, keep=tmp_path / "file" / "keep").reason


def test_a_limit_of_processes_is_not_called_a_lack_of_room(
    tmp_path: Path, toy: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("msgauge.build.list_kernels", refuse)
    assert "no more processes can be started here; raise the limit" in build(toy, keep=tmp_path).reason


def test_several_builds_at_once_publish_one_whole_worker(tmp_path: Path, toy: Stack) -> None:
    results: list[Build] = []
    keeps = [tmp_path / f"keep-{number}" for number in range(4)]
    threads = [threading.Thread(target=lambda keep=keep: results.append(build(toy, keep=keep))) for keep in keeps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({result.program for result in results}) == 1
    assert Path(results[0].program[0]).read_text().endswith("echo worker\n")
    assert [path.name for path in (tmp_path / "cache" / "workers").iterdir() if path.name.startswith(".")] == []


def test_a_worker_that_needs_no_compiler_is_its_program(tmp_path: Path, toy: Stack) -> None:
    result = build(evolve(toy, family="script"), keep=tmp_path / "one")
    assert (result.program, result.command, result.reason) == ((sys.executable, "-m", "worker"), None, "")


def test_an_unusable_or_unknown_stack_keeps_its_reason(tmp_path: Path, toy: Stack) -> None:
    assert (
        build(evolve(toy, usable=False, reason="no mpi.h; install it"), keep=tmp_path).reason == "no mpi.h; install it"
    )
    assert "no plug-in" in build(evolve(toy, family="pigeons"), keep=tmp_path).reason


def test_workers_are_executable_for_other_users(tmp_path: Path, toy: Stack) -> None:
    mode = Path(build(toy, keep=tmp_path / "one").program[0]).stat().st_mode
    assert mode & stat.S_IXUSR
    assert building.LIMIT_S > 60


def build_side_by_side(tmp_path: Path, stacks: list[Stack]) -> list[Build]:
    """What comes of each, in the order in which they were begun, as many at once as there are."""
    room = CompilerRoom(len(stacks))
    with begin_builds(stacks, lambda spec: tmp_path / spec, ["pingpong"], room) as (coming, _):
        return [one.result() for one in coming.values()]


def test_workers_are_compiled_side_by_side_and_told_in_the_order_of_stacks(tmp_path: Path, toy: Stack) -> None:
    """Each compiler waits for the other's beginning, so one after the other would never end."""
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    Path(toy.compiler).write_text(MEETING.format(python=sys.executable, meeting=str(meeting)))
    stacks = [evolve(toy, version=str(number)) for number in (2, 1)]
    found = build_side_by_side(tmp_path, stacks)
    assert [one.stack for one in found] == ["toy@2", "toy@1"]
    assert [one.reason for one in found] == ["", ""]


def test_stacks_that_compile_alike_compile_once_however_many_run_at_once(tmp_path: Path, toy: Stack) -> None:
    twins = [toy, evolve(toy, variant=("spin",)), evolve(toy, variant=("yield",))]
    found = build_side_by_side(tmp_path, twins)
    assert [one.reason for one in found] == ["", "", ""]
    assert len({one.program for one in found}) == 1
    assert compilations(tmp_path) == ["core", "worker"]
    assert sorted(one.cached for one in found) == [False, True, True]


def test_a_wrapper_that_answers_only_once_still_compiles_once_for_all_its_variants(tmp_path: Path, toy: Stack) -> None:
    """What a wrapper says of itself is asked once: a question that fails under load must not compile a worker again."""
    asked = f"if '-show' in sys.argv and os.path.exists({str(tmp_path / 'asked')!r}): sys.exit(9)\n"
    marked = f"if '-show' in sys.argv: open({str(tmp_path / 'asked')!r}, 'w').close()\n"
    script = Path(toy.compiler).read_text()
    Path(toy.compiler).write_text(script.replace("import os, sys, time\n", "import os, sys, time\n" + asked + marked))
    twins = [toy, evolve(toy, variant=("spin",)), evolve(toy, variant=("yield",))]
    found = build_side_by_side(tmp_path, twins)
    assert [one.reason for one in found] == ["", "", ""]
    assert compilations(tmp_path) == ["core", "worker"]


def test_an_interruption_ends_all_compilers(tmp_path: Path, toy: Stack) -> None:
    stacks = [toy, *(evolve(toy, version=f"2.{number}", variant=("-DHANG",)) for number in range(3))]
    with begin_builds(stacks, lambda spec: tmp_path / spec, ["pingpong"], CompilerRoom(4)) as (coming, running):
        assert coming[toy.spec].result().reason == ""
        limit = time.monotonic() + 20
        while (tmp_path / "count").read_text().count("compiled") < 4 and time.monotonic() < limit:
            time.sleep(0.02)
        before = time.monotonic()
        assert running.ran_since(before)
    assert time.monotonic() - before < 20
    assert orphans(tmp_path / "toycc") == []
    assert not running.ran_since(time.monotonic())


def test_compilers_beside_measuring_are_confined_and_nothing_else_is(tmp_path: Path, toy: Stack) -> None:
    allowed = os.sched_getaffinity(0)
    script = Path(toy.compiler).read_text()
    seen = f"open({str(tmp_path / 'seen')!r}, 'w').write(repr(sorted(os.sched_getaffinity(0))))\n"
    Path(toy.compiler).write_text(script.replace("import os, sys, time\n", "import os, sys, time\n" + seen))
    room = CompilerRoom(1, (max(allowed),))
    with begin_builds([toy], lambda spec: tmp_path / spec, ["pingpong"], room) as (coming, _):
        assert coming[toy.spec].result().reason == ""
        assert os.sched_getaffinity(0) == allowed
    assert (tmp_path / "seen").read_text() == repr([max(allowed)])


def test_a_compiler_whose_keeper_is_killed_is_a_reason(
    tmp_path: Path, toy: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying(Supervisor):
        def run(self, *_: object) -> Outcome:  # type: ignore[override]
            os.kill(self.pid, signal.SIGKILL)
            return super().run(*_)  # type: ignore[arg-type]

    monkeypatch.setattr(compilers, "Supervisor", Dying)
    result = build(toy, keep=tmp_path / "one")
    assert result.program == ()
    assert "the keeper process ended by itself" in result.reason


def a_plan(*ranks: int, hosts: HostSet | None = None) -> Plan:
    cells = tuple(Cell(number, "pingpong", 8, count) for number, count in enumerate(ranks))
    return Plan("unit", 1, ("a@1",), cells, ranks, hosts=hosts or HostSet())


def processors(count: int) -> tuple[tuple[int, ...], ...]:
    """So many cores of one processor each."""
    return tuple((number,) for number in range(count))


@pytest.mark.parametrize(
    ("cores", "ranks", "expected"),
    [
        (2, (2,), 0),
        (3, (2,), 0),
        (4, (2,), 1),
        (8, (2,), 5),
        (8, (2, 6), 1),
        (8, (2, 7), 0),
        (8, (64,), 0),
        (0, (2,), 0),
    ],
)
def test_cores_are_to_spare_beside_all_ranks_and_one_for_msgauge(
    cores: int, ranks: tuple[int, ...], expected: int
) -> None:
    spare = find_spare_cores(a_plan(*ranks), processors(cores))
    assert spare == processors(cores)[cores - expected :]


def test_compilers_get_whole_cores_and_never_the_other_thread_of_a_ranks_core() -> None:
    threads_of_four_cores = ((0, 4), (1, 5), (2, 6), (3, 7))
    assert find_spare_cores(a_plan(2), threads_of_four_cores) == ((3, 7),)
    assert find_spare_cores(a_plan(3), threads_of_four_cores) == ()


@pytest.mark.parametrize(
    "hosts", [HostSet("lab:2", names=("a", "b"), emulated=True), HostSet("n1,n2", names=("n1", "n2"))]
)
def test_with_hosts_no_core_is_to_spare(hosts: HostSet) -> None:
    assert find_spare_cores(a_plan(2, hosts=hosts), processors(64)) == ()


def test_under_a_quota_of_processor_time_no_core_is_to_spare() -> None:
    assert find_spare_cores(a_plan(2), processors(64), 16.0) == ()


@pytest.mark.parametrize(
    ("running", "available_kib", "expected"),
    [(1, 64 << 20, 8), (5, 64 << 20, 4), (40, 64 << 20, 1), (1, 3 << 20, 3), (1, 1000, 1)],
)
def test_as_many_compile_as_cores_are_idle_and_memory_holds(
    tmp_path: Path, running: int, available_kib: int, expected: int
) -> None:
    (tmp_path / "stat").write_text(f"cpu  1 2 3\nctxt 7\nprocs_running {running}\n")
    (tmp_path / "meminfo").write_text(f"MemTotal: 99 kB\nMemAvailable:   {available_kib} kB\n")
    assert building.count_idle(8, tmp_path) == expected
    assert building.count_idle(8, tmp_path / "nowhere") == 1
