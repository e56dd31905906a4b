"""Builds of mexmpi for the MPIs of this machine, and jobs of Octave ranks on them."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from attrs import define
from one_builder import one_builder

from msgauge.stacks.base.octave import OCTAVE_NOISE

ROOT = Path(__file__).parents[2]
TOOLBOX = ROOT / "matlab" / "mexmpi"
HERE = Path(__file__).parent
OCTAVE = shutil.which("octave-cli")
ALL = os.environ.get("MEXMPI_ALL") == "1"
"""Everything (make test-mexmpi), or the part that `make test` has time for."""
SANITIZED = os.environ.get("MEXMPI_SANITIZED") == "1"
"""Over MEX files built with AddressSanitizer and UndefinedBehaviorSanitizer (make test-mexmpi-sanitized)."""
FAMILIES = ("openmpi", "mpich", "intelmpi") if ALL else ("openmpi", "mpich")
BUILDS = ROOT / "build" / ("mexmpi-sanitized" if SANITIZED else "mexmpi")
OPTIONS = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" if SANITIZED else "-O0"
SANITIZER_LIBRARIES = ("libasan.so", "libubsan.so")
# Each rank writes to a file of its own: launchers mix the ranks' lines.
OWN_OUTPUT = '[ -z "$MEXMPI_TEST_OUTPUT" ] || exec >"$MEXMPI_TEST_OUTPUT/$$" 2>&1; exec "$@"'


@define
class Result:
    """How a job ended: exit status of the launcher, standard output and error together."""

    status: int
    output: str


@define(frozen=True)
class Mpi:
    """One build: its folder's name, and the launcher of its MPI."""

    name: str
    launcher: str

    @property
    def family(self) -> str:
        return self.name.split("-")[0]

    def run(self, statement: str, ranks: int, limit_s: float = 40, **settings: str) -> Result:
        """Run a statement on some ranks, the toolbox and this folder's functions being on the path."""
        with tempfile.TemporaryDirectory(prefix="mexmpi-") as folder:
            process = self.start(statement, ranks, MEXMPI_TEST_OUTPUT=folder, **settings)
            try:
                output, _ = process.communicate(timeout=limit_s)
            except BaseException:
                output = end_job(process)
                print(all_output(Path(folder), output)[-3000:])
                raise
            return Result(process.returncode, all_output(Path(folder), output))

    def run_to_end(self, statement: str, ranks: int = 2) -> Result:
        """Run a statement after which each rank writes "rank is done": all must, and the job must end well."""
        result = self.run(statement, ranks)
        assert result.output.count("rank is done") == ranks, result.output
        assert result.status == 0, result.output
        return result

    def start(self, statement: str, ranks: int, **settings: str) -> subprocess.Popen[str]:
        """Start the same without waiting for it."""
        text = f"addpath('{TOOLBOX}', '{HERE / 'functions'}'); {statement}"
        more = ["--oversubscribe"] if "openmpi" in self.launcher else []
        octave = [*sanitizers(), OCTAVE or "octave-cli", "-qfW", "--no-gui", "--eval", text]
        return subprocess.Popen(
            [self.launcher, *more, "-n", str(ranks), "sh", "-c", OWN_OUTPUT, "sh", *octave],
            env=environment(MEXMPI_USE=self.name, **settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


def sanitizers() -> list[str]:
    """What stands before an interpreter that loads MEX files with sanitizers; launchers and compilers do not get them.

    Memory that MPI or Octave does not give back is not looked for.
    """
    if not SANITIZED:
        return []
    shown = [subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True) for name in SANITIZER_LIBRARIES]
    preloaded = ":".join(name.strip() for name in shown)
    return ["env", f"LD_PRELOAD={preloaded}", "ASAN_OPTIONS=detect_leaks=0", "UBSAN_OPTIONS=print_stacktrace=1"]


def interpreter() -> str:
    """The program that a rank starts as a further rank: the interpreter, where need be with sanitizers."""
    path = BUILDS / "interpreter"
    path.write_text(f'#!/bin/sh\nexec {shlex.join([*sanitizers(), OCTAVE or "octave-cli"])} "$@"\n')
    path.chmod(0o755)
    return str(path)


def all_output(folder: Path, launcher: str) -> str:
    """What the ranks have written, one after the other, and then what their launcher has said itself."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.iterdir())] + [launcher]
    lines = [line for text in texts for line in text.splitlines() if line not in OCTAVE_NOISE.lines]
    return "\n".join(line for line in lines if "shadows a built-in function" not in line)


def end_job(process: subprocess.Popen[str]) -> str:
    """End a job that hangs, by its launcher first, for ranks of Open MPI are in process groups of their own."""
    process.terminate()
    try:
        output, _ = process.communicate(timeout=8)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    return output


def environment(**settings: str) -> dict[str, str]:
    """Of a job: no trace of another launcher, more ranks than cores allowed, also as root in a container."""
    hidden = ("OMPI_", "PMI", "PRTE_", "HYDRA_", "MEXMPI_", "FILEMPI", "MP_")
    base = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    base.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1", MEXMPI_BUILDS=str(BUILDS)
    )
    base.update(PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", OMPI_MCA_rmaps_base_oversubscribe="1")
    base.update(OMPI_MCA_osc="^ucx")  # it writes a line for each window and is then not used
    return base | settings


def wrappers() -> list[str]:
    """A compiler wrapper of each MPI: msgauge's own where installed, else the system's."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "msgauge" / "stacks"
    found = []
    for family in FAMILIES:
        own = sorted(cache.glob(f"{family}-*/bin/mpicc"))
        system = shutil.which(f"mpicc.{family}")
        found += [str(own[-1])] if own else [system] if system else []
    return found


def fingerprint() -> str:
    """Of all that a build is made of."""
    digest = hashlib.sha256()
    for path in sorted([*TOOLBOX.glob("source/**/*"), *TOOLBOX.glob("functions/*.m"), TOOLBOX / "mexmpi_build.m"]):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def build_all() -> list[Mpi]:
    """A build for each wrapper, side by side; builds of the same source are kept, and of two test runs one builds."""
    with one_builder(BUILDS.parent / "mexmpi.lock"):
        return _build_all()


def _build_all() -> list[Mpi]:
    stamp = BUILDS / "fingerprint"
    wanted = fingerprint() + "\n" + "\n".join(wrappers())
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(BUILDS, ignore_errors=True)
        BUILDS.mkdir(parents=True)
        statement = "addpath('{}'); mexmpi_build('{}', 'options', '{}')"
        running = [
            subprocess.Popen(
                [OCTAVE or "octave-cli", "-qfW", "--eval", statement.format(TOOLBOX, wrapper, OPTIONS)],
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for wrapper in wrappers()
        ]
        for process in running:
            said, _ = process.communicate(timeout=280)
            assert "is built for" in said, said
        stamp.write_text(wanted)
    found = [Mpi(path.parent.name, noted(path, "launcher")) for path in sorted(BUILDS.glob("*/build.txt"))]
    return sorted(found, key=lambda build: FAMILIES.index(build.family))


def noted(path: Path, word: str) -> str:
    """What a build's notes say of something."""
    lines = dict(line.split(" ", 1) for line in path.read_text().splitlines())
    return lines[word]
