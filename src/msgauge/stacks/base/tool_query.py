"""Ask a tool of the machine something: with a time limit, without a terminal, and without ever raising."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from attrs import frozen

MOST_OUTPUT = 1 << 20
_OF_LOADER = re.compile(r"^ERROR: ld\.so: .*: ignored\.\n", re.MULTILINE)
"""What the loader says before every program when LD_PRELOAD names a library that is not there: no answer of a tool."""


@frozen
class Answer:
    """What a tool said. ``code`` is None when it could not be started, -9 when it overran its time."""

    code: int | None
    text: str

    @property
    def good(self) -> bool:
        return self.code == 0


def ask(
    argv: Sequence[str], *, environment: Mapping[str, str] | None = None, limit_s: float = 10.0, folder: str = ""
) -> Answer:
    """Run ``argv`` in ``folder`` and give back its exit code and combined output (at most 1 MiB).

    Output goes through a file, not a pipe: a daemon that keeps its parent's pipe open (lamd) would hold a reader up
    for ever. The whole process group is ended past the limit.
    """
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "LC_ALL": "C", **(environment or {})},
                start_new_session=True,
                cwd=folder or None,
            )
        except (OSError, ValueError) as problem:
            return Answer(None, f"{argv[0]} cannot be started: {problem}")
        code = _wait(process, limit_s)
        output.seek(0)
        return Answer(code, _OF_LOADER.sub("", output.read(MOST_OUTPUT).decode("utf-8", "replace")))


def _wait(process: subprocess.Popen[bytes], limit_s: float) -> int:
    try:
        return process.wait(limit_s)
    except subprocess.TimeoutExpired:
        return -9
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
