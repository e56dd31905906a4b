"""Stacks that come as Debian packages: what is on offer, and getting it where root or sudo allow."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence

from msgauge.errors import StackError, ToolError
from msgauge.stacks.base.tool_query import ask

LIMIT_S = 900.0
_asked: dict[str, str] = {}
"""Versions by package, as apt told them to this process."""


def is_there() -> bool:
    """Is this a system with apt?"""
    return shutil.which("apt-get") is not None


def version_on_offer(package: str) -> str:
    """The upstream version that apt would install, empty when it knows none."""
    ask_about([package])
    return _asked.get(package, "")


def ask_about(packages: Sequence[str]) -> None:
    """Look all of these up at once: apt takes as long for one as for many, and longer than all else here."""
    unknown = [package for package in dict.fromkeys(packages) if package not in _asked]
    if unknown and is_there():
        _asked.update(dict.fromkeys(unknown, "") | read_policy(ask(["apt-cache", "policy", *unknown]).text))


def read_policy(text: str) -> dict[str, str]:
    """Upstream versions by package in what ``apt-cache policy`` printed: ``4.1.4`` of ``4.1.4-3+b1``."""
    blocks = re.findall(r"^(\S+):\n((?:[ \t].*\n?)*)", text, re.MULTILINE)
    found = {name: re.search(r"^\s*Candidate:\s*(?:\d+:)?(\d[\w.~]*)", block, re.MULTILINE) for name, block in blocks}
    return {name: match.group(1) for name, match in found.items() if match}


def install(packages: Sequence[str]) -> None:
    """Install packages by apt.

    Raises:
        ToolError: no apt here, or neither root nor sudo without a password; the remedy is the command to run.
        StackError: apt failed; its last lines are told.
    """
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not is_there():
        raise ToolError("this system has no apt-get", remedy=f"get the counterparts of {' '.join(packages)}")
    if os.geteuid() != 0:
        if not ask(["sudo", "-n", "true"]).good:
            remedy = f"run: sudo {shlex.join(command)}"
            raise ToolError("installing Debian packages needs root, or sudo without a password", remedy=remedy)
        command = ["sudo", "-n", *command]
    answer = ask(command, environment={"DEBIAN_FRONTEND": "noninteractive"}, limit_s=LIMIT_S)
    if not answer.good:
        tail = "\n".join(answer.text.strip().splitlines()[-6:])
        raise StackError(f"apt-get failed: {tail}", where=shlex.join(command), remedy="try: apt-get update")
