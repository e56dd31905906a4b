"""Commands as text for a shell."""

from __future__ import annotations

import shlex

from msgauge.model.stack import Command


def shell_line(command: Command) -> str:
    """A command as one line that can be pasted into a shell."""
    words = [f"{name}={shlex.quote(value)}" for name, value in command.environment]
    prefix = ["env", *words] if words else []
    become = ["sudo", "-u", command.user] if command.user else []
    line = " ".join([*become, *prefix, *(shlex.quote(word) for word in command.argv)])
    return f"cd {shlex.quote(command.folder)} && {line}" if command.folder else line
