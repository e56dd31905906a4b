"""Commands as text for a shell."""

from __future__ import annotations

import shlex

from msgauge.model.stack import Command


def shell_line(command: Command) -> str:
    """A command as one line that can be pasted into a shell, with the environment it adds and the user it runs as.

    Root becomes that user: ``su`` is on every system, ``sudo`` is not, and such users often have no shell of their own.
    """
    assigned = [f"{name}={shlex.quote(value)}" for name, value in command.environment]
    line = " ".join([*(["env", *assigned] if assigned else []), *map(shlex.quote, command.argv)])
    if command.folder:
        line = f"cd {shlex.quote(command.folder)} && {line}"
    return f"su {shlex.quote(command.user)} -s /bin/sh -c {shlex.quote(line)}" if command.user else line
