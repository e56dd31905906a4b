"""Labs of an ordinary user: whether the kernel lets him make user namespaces, and what to do where it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from msgauge.errors import ToolError, UsageError

_TRIAL = """
import sys
sys.path.insert(0, sys.argv[1])
from msgauge.lab import namespaces
namespaces.become_root_of_own()
namespaces.unshare(namespaces.OF_A_HOST)
"""
_SWITCHES = (
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("user/max_user_namespaces", "0", "10000"),
)
"""Settings of the kernel: name, the value that forbids user namespaces, one that allows them."""


def refuse_without_root(ssh: bool) -> None:
    """Refuse a lab that this ordinary user cannot have.

    Raises:
        UsageError: it is to have an sshd, which changes the user.
        ToolError: the kernel does not allow user namespaces, with the setting that forbids them.
    """
    if ssh:
        raise UsageError("hosts with an sshd need root", remedy="run it as root: sudo msgauge lab up --ssh ...")
    package = str(Path(__file__).parents[2])
    argv = [sys.executable, "-I", "-S", "-c", _TRIAL, package]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        why = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise ToolError(f"the kernel does not let this user emulate hosts: {why}", remedy=find_remedy())


def refuse_slurm_without_root() -> None:
    """Slurm's daemons change the user, and munge's key is to be its own user's.

    Raises:
        UsageError: this user is not root.
    """
    if os.geteuid():
        raise UsageError("hosts with Slurm need root", remedy="run it as root: sudo msgauge lab up --slurm ...")


def find_remedy(settings: Path = Path("/proc/sys")) -> str:
    """What allows user namespaces, by the kernel's own settings."""
    for name, forbids, allows in _SWITCHES:
        file = settings / name
        if file.exists() and file.read_text().strip() == forbids:
            return f"let root say: sysctl {name.replace('/', '.')}={allows}; or run it as root"
    return "run it as root: sudo msgauge lab up ...; containers often forbid user namespaces"
