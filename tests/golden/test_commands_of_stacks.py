"""The commands of every stack and variant, as they were seen to work; no stack need be installed for these."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from msgauge.discovery import registry
from msgauge.hosts import Host
from msgauge.model import HostSet, Origin, Reach, Stack
from msgauge.stacks.base.family import LaunchOptions, Recipe
from msgauge.stacks.base.local_ranks import LAUNCHER

GOLDEN = Path(__file__).parent / "commands"
PACKAGE = LAUNCHER.parents[1]


@pytest.fixture(autouse=True)
def _all_wrappers_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msgauge.stacks.base.fortran.shutil.which", lambda name: name)


PLACES = {
    "openmpi5": Stack(
        "openmpi", "5.0.11", Origin("managed", "/m/o"), compiler="/m/o/bin/mpicxx", launcher="/m/o/bin/mpiexec"
    ),
    "openmpi4": Stack("openmpi", "4.1.4", Origin("system"), compiler="mpicxx.openmpi", launcher="mpiexec.openmpi"),
    "mpich4": Stack(
        "mpich",
        "4.0.2",
        Origin("system"),
        compiler="mpicxx.mpich",
        launcher="mpiexec.mpich",
        library="MPICH Version: 4.0.2\nMPICH Device: ch4:ucx\n",
    ),
    "mpich5": Stack("mpich", "5.0.2", Origin("managed"), compiler="/m/m/bin/mpicxx", launcher="/m/m/bin/mpiexec"),
    "intelmpi": Stack(
        "intelmpi",
        "2021.18.1",
        Origin("managed"),
        compiler="/m/i/bin/mpicxx",
        launcher="/m/i/bin/mpiexec",
        environment=(("I_MPI_ROOT", "/m/i"), ("LD_LIBRARY_PATH", "/m/i/lib")),
    ),
    "lam": Stack("lam", "7.1.4", Origin("system"), compiler="mpic++.lam", launcher="mpirun.lam", user="nobody"),
    "tcp": Stack("tcp", "1", Origin("builtin"), compiler="g++"),
    "unix": Stack("unix", "1", Origin("builtin"), compiler="g++"),
    "shm": Stack("shm", "1", Origin("builtin"), compiler="g++"),
    "pvm": Stack("pvm", "3.4.6", Origin("system"), compiler="g++"),
    "zeromq": Stack("zeromq", "4.3.4", Origin("system"), compiler="g++"),
    "taskfarm": Stack("taskfarm", "1.0", Origin("prefix", "/t"), compiler="g++"),
    "ucx": Stack("ucx", "1.13", Origin("system"), compiler="g++"),
    "fake": Stack("fake", "1", Origin("builtin"), compiler="g++", simulated=True),
    "smpi": Stack("smpi", "3.32", Origin("system"), compiler="smpicxx", launcher="smpirun", simulated=True),
    "mpi4py": Stack(
        "mpi4py",
        "4.1.2+mpich-5.0.2",
        Origin("managed"),
        compiler="/m/p/bin/python",
        launcher="/m/m/bin/mpiexec",
        environment=(("MPI4PY_MPIABI", "mpich"), ("MPI4PY_LIBMPI", "/m/m/lib/libmpi.so.12")),
        axes=(("library", "mpich"), ("version", "5.0.2"), ("language", "python")),
    ),
    "mexmpi": Stack(
        "mexmpi",
        "7.3.0+mpich-5.0.2",
        Origin("managed"),
        compiler="/usr/bin/octave-cli",
        launcher="/m/m/bin/mpiexec",
        environment=(("MEXMPI_BUILD", "/m/c/mpich-5.0.2"), ("OMP_NUM_THREADS", "1")),
        language="octave",
        axes=(("library", "mpich"), ("version", "5.0.2"), ("language", "octave")),
    ),
    "custom": Stack(
        "custom",
        "old-1.0",
        Origin("prefix", "/o"),
        compiler="/o/bin/mpicc",
        launcher="/o/bin/go",
        environment=(
            ("MSGAUGE_LAUNCH", "{launcher} -np {ranks} {program}"),
            ("MSGAUGE_LAUNCH_ON_HOSTS", "{launcher} -np {ranks} --on={hosts} --by={agent} --if={interface} {program}"),
        ),
    ),
}
WORDS = {
    "openmpi5": ["", "shm", "tcp", "yield", "tcp,yield"],
    "openmpi4": ["", "shm", "tcp", "yield", "fortran"],
    "mpich4": ["", "shm", "tcp", "fortran,tcp"],
    "mpich5": ["", "tcp"],
    "intelmpi": ["", "shm", "tcp", "yield", "fortran"],
    "lam": ["", "usysv", "sysv", "tcp", "fortran"],
    "tcp": ["", "spin", "yield", "block"],
    "unix": ["", "block"],
    "shm": ["", "yield"],
    "pvm": ["", "route=direct", "encoding=raw,route=direct", "encoding=inplace", "psend", "mcast"],
    "zeromq": ["", "ipc", "spin"],
    "taskfarm": ["", "tls"],
    "ucx": ["", "tcp", "shm", "block"],
    "fake": ["", "L=2us,noise=0.05", "crash=7"],
    "smpi": ["", "platform=torus", "eager=1KiB,os=0:1e-6:0%3B1024:2e-6:0", "compute=yes,platform=gigabit,speed=4Gf"],
    "mpi4py": ["", "objects", "objects,tcp"],
    "mexmpi": ["", "into", "tcp"],
    "custom": [""],
}
CASES = [(place, words) for place, every in WORDS.items() for words in every]
HOSTS = (Host("n1", 2, local=False), Host("n2", 2, local=False))
REACH = Reach(HostSet("lab:2x2", "lab", ("n1", "n2"), 2, "core", emulated=True), "/lab/rsh", "eth0", "/tmp")


def commands_of(place: str, words: str) -> str:
    """All commands of a stack under variant words, as text."""
    family = registry.families()[PLACES[place].family]
    stack = family.with_variant(PLACES[place], tuple(words.split(","))) if words else PLACES[place]
    recipe = Recipe(
        (Path("/s/worker.cpp"), Path("/s/kernels.cpp")),
        (Path("/s"), Path("/g")),
        Path("/b/worker"),
        ("MSGAUGE_TRANSPORT=x",),
    )
    program = (*family.program(stack, Path("/b/worker")), "--plan", "p")
    lines = [stack.spec, str(stack.axes)]
    for title, command in [
        ("compile", family.compile_command(stack, recipe)),
        ("two on two cores", family.launch_command(stack, program, LaunchOptions(2, 2, Path("/f")))),
        ("eight on two cores", family.launch_command(stack, program, LaunchOptions(8, 2, Path("/f")))),
        ("four on two hosts", family.launch_command(stack, program, LaunchOptions(4, 2, Path("/f"), HOSTS, REACH))),
    ]:
        if command is None:
            lines.append(f"{title}: nothing")
            continue
        as_user = f" (as {command.user})" if command.user else ""
        environment = [f"  {name}={value}" for name, value in command.environment]
        lines += [f"{title}{as_user}: {' '.join(command.argv)}", *environment]
    text = "\n".join(lines) + "\n"
    text = text.replace(str(LAUNCHER), "LAUNCHER").replace(sys.executable, "PYTHON")
    return text.replace(str(PACKAGE), "PACKAGE")


@pytest.mark.parametrize(("place", "words"), CASES, ids=lambda part: part or "plain")
@pytest.mark.parametrize("root", [False, True], ids=["user", "root"])
def test_commands_are_those_seen_to_work(place: str, words: str, root: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
    file = GOLDEN / f"{place}-{words or 'plain'}{'-root' if root and place.startswith('openmpi') else ''}.txt"
    assert commands_of(place, words) == file.read_text(encoding="utf-8")


def test_every_golden_file_is_of_a_case() -> None:
    stems = {f"{place}-{words or 'plain'}" for place, words in CASES}
    assert {file.stem.removesuffix("-root") for file in GOLDEN.glob("*.txt")} == stems


def test_root_flags_are_given_to_root_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "ALLOW_RUN_AS_ROOT" not in commands_of("openmpi5", "")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert "PRTE_ALLOW_RUN_AS_ROOT=1" in commands_of("openmpi5", "")


@pytest.mark.parametrize(("place", "words"), [case for case in CASES if case[1] and "fortran" not in case[1]])
def test_variants_are_compiled_alike_and_so_share_a_worker(place: str, words: str) -> None:
    compiled = [commands_of(place, which).split("compile")[1].split("two on")[0] for which in ("", words)]
    assert compiled[0] == compiled[1]


@pytest.mark.parametrize("device", ["ch4:ucx ofi", "ch4:ofi,ucx"])
def test_mpich_with_both_network_modules_takes_the_one_that_starts_many_ranks(device: str) -> None:
    stack = Stack("mpich", "5.0.2", Origin("managed", "/p"), library=f"MPICH Device: {device}\nMPICH CC: cc\n")
    told = dict(registry.families()["mpich"].variant_environment(stack, "tcp"))  # type: ignore[attr-defined]
    assert told == {"MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_CH4_NETMOD": "ofi", "FI_PROVIDER": "tcp"}
