"""Octave programs on the file toolbox, each in folders of its own, and the check that nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

from attrs import define, field

from msgauge.stacks.base.octave import OCTAVE_NOISE

ROOT = Path(__file__).parents[2]
TOOLBOX = ROOT / "matlab" / "filempi"
EXCHANGE = Path(__file__).parent / "exchange"
OCTAVE = shutil.which("octave-cli")
INSIDE = "addpath([getenv('TOOLBOX') '/private']); "  # for tests of single functions of the toolbox


@define
class Result:
    """How an Octave session ended: exit status (negative: signal), standard output, standard error."""

    status: int
    output: str
    errors: str


@define
class Bench:
    """A working folder for programs and a folder for the jobs, both watched for what is left behind."""

    work: Path
    jobs: Path
    started: list[subprocess.Popen[str]] = field(factory=list)

    def program(self, name: str, text: str) -> None:
        (self.work / f"{name}.m").write_text(text, encoding="utf-8")

    def environment(self, **settings: str) -> dict[str, str]:
        base = {name: value for name, value in os.environ.items() if not name.startswith("FILEMPI")}
        base.update(FILEMPI_DIR=str(self.jobs), FILEMPI_DEADLINE="30", OMP_NUM_THREADS="1")
        base.update(settings)
        return base

    def start(self, statement: str, **settings: str) -> subprocess.Popen[str]:
        """Start a session that has the toolbox on its path and runs a statement."""
        words = [OCTAVE or "octave-cli", "-qfW", "--no-gui", "--eval"]
        text = f"addpath(getenv('TOOLBOX')); {statement}"
        return self.begin([*words, text], TOOLBOX=str(TOOLBOX), **settings)

    def begin(
        self, argv: list[str], stdin: int = subprocess.DEVNULL, errors: int = subprocess.PIPE, **settings: str
    ) -> subprocess.Popen[str]:
        """Begin a session of Octave in the bench's folder, which is ended with the bench."""
        process = subprocess.Popen(
            argv,
            cwd=self.work,
            env=self.environment(**settings),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def finish(self, process: subprocess.Popen[str], limit_s: float = 60) -> Result:
        output, errors = process.communicate(timeout=limit_s)
        lines = [line for line in errors.splitlines() if line not in OCTAVE_NOISE.lines]
        return Result(process.returncode, output, "\n".join(lines))

    def octave(self, statement: str, limit_s: float = 60, **settings: str) -> Result:
        return self.finish(self.start(statement, **settings), limit_s)

    def run(self, text: str, ranks: int = 2, limit_s: float = 60, **settings: str) -> Result:
        """Run a program text on some ranks by ``eval(MPI_Run(...))``."""
        self.program("program", text)
        return self.octave(f"eval(MPI_Run('program', {ranks}, {{}}))", limit_s, **settings)

    def ranks(self) -> dict[int, int]:
        """Process ids by rank of what runs for this bench now, the session not among them."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                variables = dict(
                    pair.split(b"=", 1) for pair in (entry / "environ").read_bytes().split(b"\0") if b"=" in pair
                )
                if variables.get(b"FILEMPI_JOB", b"").startswith(bytes(self.jobs)):
                    found[int(variables[b"FILEMPI_RANK"])] = int(entry.name)
        return found

    def processes(self, spared: int = 0) -> list[str]:
        """Command lines of all processes that have to do with this bench's jobs, but for the spared one."""
        mark = bytes(self.jobs)
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) not in {os.getpid(), spared}:
                with contextlib.suppress(OSError):
                    command = (entry / "cmdline").read_bytes()
                    if command and (mark in command or mark in (entry / "environ").read_bytes()):
                        found.append(command.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def left(self, limit_s: float = 8, session: int = 0) -> list[str]:
        """Files and processes that are still there after a while; empty when all is clean. session: a process id that
        may go on. What Octave writes into the working folder when a signal ends it counts too."""
        until = time.monotonic() + limit_s
        while True:
            try:
                dumps = [*self.work.rglob("octave-workspace"), *self.work.rglob("octave-core")]
                files = [*self.jobs.rglob("*"), *self.work.rglob("filempi-*"), *dumps]
            except FileNotFoundError:  # a folder went while it was read
                continue
            found = [*map(str, files), *self.processes(session)]
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.02)
