"""Stacks that come as Debian packages: what is on offer, and getting it where root or sudo allow."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import lru_cache

from msgauge.errors import StackError, ToolError
from msgauge.stacks.ask import ask

LIMIT_S = 900.0


def is_there() -> bool:
    """Is this a system with apt?"""
    return shutil.which("apt-get") is not None


@lru_cache(maxsize=64)
def version_on_offer(package: str) -> str:
    """The upstream version that apt would install, empty when it knows none."""
    return read_policy(ask(["apt-cache", "policy", package]).text)


def read_policy(text: str) -> str:
    """The upstream version in what ``apt-cache policy`` printed: ``4.1.4`` of ``4.1.4-3+b1``."""
    match = re.search(r"^\s*Candidate:\s*(?:\d+:)?(\d[\w.~]*)", text, re.MULTILINE)
    return match.group(1) if match else ""


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
