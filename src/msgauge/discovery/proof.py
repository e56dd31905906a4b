"""Proof that a stack works: a hello of two ranks, compiled by its own wrapper and started by its own launcher.

The library's own version string comes from inside the ranks. What was proved is remembered as long as the wrapper, the
launcher and the sources of the hello stay the same; what failed is tried again each time.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from attrs import evolve

from msgauge.execution.supervisor import Run, Supervisor, clean_environment
from msgauge.hosts import this_host
from msgauge.model import Command, Stack
from msgauge.paths import cache_folder, native_folder
from msgauge.stacks.base.families import collect_traces, collect_variables
from msgauge.stacks.base.family import Family, LaunchOptions, Recipe
from msgauge.stacks.base.tool_query import MOST_OUTPUT, Answer

RANKS = 2
COMPILE_LIMIT_S = 90.0
LAUNCH_LIMIT_S = 30.0


def prove_stack(family: Family, stack: Stack, *, afresh: bool = False) -> Stack:
    """The stack with its library's string, or as not usable with the reason. Never raises for what a stack does."""
    remembered = None if afresh else _read_remembered(stack)
    if remembered is not None:
        return evolve(stack, library=remembered)
    with _scratch(stack.user) as folder, closing(Supervisor(collect_traces())) as keeper:
        keeper.own([folder])
        library, reason = _prove(family, stack, folder, _Kept(keeper, folder))
    if reason:
        return evolve(stack, usable=False, reason=reason)
    _remember(stack, library)
    return evolve(stack, library=library)


def read_hellos(text: str) -> list[dict[str, str]]:
    """The facts of each rank in the ``msgauge-hello`` lines of a text; other lines are passed over."""
    lines = (line.partition("msgauge-hello ")[2] for line in text.splitlines() if "msgauge-hello " in line)
    return [{key: unquote(value) for key, _, value in (word.partition("=") for word in line.split())} for line in lines]


def _prove(family: Family, stack: Stack, folder: Path, kept: _Kept) -> tuple[str, str]:
    program = folder / "hello"
    native = native_folder()
    recipe = Recipe((native / "hello.cpp",), (native,), program, (f"MSGAUGE_TRANSPORT={family.transport}",))
    compile_command = family.compile_command(stack, recipe)
    if compile_command is not None:
        answer = kept.answer(compile_command, COMPILE_LIMIT_S)
        if not answer.good:
            return "", f"its wrapper does not compile: {_tail(answer)}; run: {' '.join(compile_command.argv)}"
        program.chmod(0o755)
    options = LaunchOptions(ranks=RANKS, cores=this_host().cores, folder=folder)
    argv = (*family.program(stack, program), *(() if compile_command else ("--hello",)))
    launch_command = family.launch_command(stack, argv, options)
    try:
        with family.session(stack, options, kept):
            answer = kept.answer(launch_command, LAUNCH_LIMIT_S)
    except Exception as problem:
        return "", f"its session does not start: {problem}"
    return _judge(family, stack, answer, launch_command)


def _judge(family: Family, stack: Stack, answer: Answer, command: Command) -> tuple[str, str]:
    hellos = read_hellos(answer.text)
    sizes = sorted({hello.get("size", "") for hello in hellos})
    ranks = sorted(hello.get("rank", "") for hello in hellos)
    if sizes == ["1"] and len(hellos) == RANKS:
        return "", (
            f"every process is rank 0 of 1: {stack.compiler} and {stack.launcher} are of different stacks; "
            "name a pair of one stack as a [[prefix]] in config.toml"
        )
    if not answer.good or ranks != [str(rank) for rank in range(RANKS)] or sizes != [str(RANKS)]:
        over = f"ran past {LAUNCH_LIMIT_S:.0f} s" if answer.code == -9 else f"ended with {answer.code}"
        return "", f"a hello of two ranks {over}: {_tail(answer)}; run: {' '.join(command.argv)}"
    return hellos[0].get("library", ""), family.verify(stack, hellos[0])


class _Kept:
    """Runs the commands of a proof under a keeper, so that nothing of it outlives msgauge; a ``family.Runner``."""

    def __init__(self, keeper: Supervisor, folder: Path) -> None:
        self._keeper = keeper
        self._folder = folder
        self._count = 0

    def run(self, command: Command, limit_s: float) -> tuple[int, str]:
        """What the commands of a session are run with: their daemons stay."""
        answer = self.answer(command, limit_s, sweep=False)
        return (127 if answer.code is None else answer.code), answer.text

    def answer(self, command: Command, limit_s: float, *, sweep: bool = True) -> Answer:
        """Exit code and combined output; -9 past the limit."""
        self._count += 1
        said = self._folder / f"said-{self._count}"
        environment = clean_environment(command, {**os.environ, "TMPDIR": str(self._folder)}, collect_variables())
        outcome = self._keeper.run(Run(command, said, said, limit_s, environment, sweep=sweep))
        text = said.read_text(errors="replace")[:MOST_OUTPUT] if said.exists() else ""
        if outcome.error:
            return Answer(None, f"{command.argv[0]} cannot be started: {outcome.error}")
        code = outcome.exit_code if outcome.exit_code is not None else 128 + (outcome.signal or 0)
        return Answer(-9 if outcome.ended else code, text)


@contextmanager
def _scratch(user: str) -> Iterator[Path]:
    """A folder that the user of the ranks may read and write; daemons' temporary files go there too.

    Its path is short, as names of sockets below it must be.
    """
    folder = Path(tempfile.mkdtemp(prefix="mg-hello-"))
    try:
        if user:
            with suppress(OSError, LookupError):
                shutil.chown(folder, user)
            folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tail(answer: Answer) -> str:
    lines = [line.strip() for line in answer.text.splitlines() if line.strip(" -*=")]
    return " | ".join(lines[-4:])[:600] or "it said nothing"


def _read_remembered(stack: Stack) -> str | None:
    try:
        entry = json.loads(_proof_file(stack).read_text(encoding="utf-8"))
        return str(entry["library"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _remember(stack: Stack, library: str) -> None:
    """A cache that cannot be written costs the next discovery a second or two, nothing more."""
    file = _proof_file(stack)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"spec": stack.spec, "library": library}), encoding="utf-8")
        draft.replace(file)


def _proof_file(stack: Stack) -> Path:
    parts = [stack.spec, stack.user, sys.platform, *(f"{name}={value}" for name, value in stack.environment)]
    parts += [_stamp(path) for path in (stack.compiler, stack.launcher)]
    digest = hashlib.sha256("\0".join([*parts, _digest_sources(native_folder())]).encode()).hexdigest()[:32]
    return cache_folder() / "proofs" / f"{digest}.json"


@lru_cache(maxsize=4)
def _digest_sources(folder: Path) -> str:
    """What a hello may be made of, wherever it stands: of headers all but the kernels, of which it has none."""
    sources = [folder / "hello.cpp", *(file for file in folder.rglob("*.hpp") if file.parent.name != "kernels")]
    digest = hashlib.sha256()
    for file in sorted(sources, key=lambda file: file.relative_to(folder)):
        digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _stamp(path: str) -> str:
    """What changes when a file does; no name names no file, and not the current folder."""
    if not path:
        return "none"
    try:
        status = Path(path).stat()
    except OSError:
        return f"{path} -"
    return f"{path} {os.path.realpath(path)} {status.st_mtime_ns} {status.st_size}"
