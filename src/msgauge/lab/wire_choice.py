"""By what links are emulated: ``tbf`` on a bridge, ``netem``, or a switch in user space."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import Literal

from msgauge.errors import ToolError
from msgauge.lab.faults import Faults
from msgauge.lab.link import Link

Wire = Literal["bridge", "netem", "switch"]


def choose_wire(link: Link, faults: Faults) -> Wire:
    """How links are emulated here: the kernel's own means first.

    Raises:
        ToolError: frames are to wait or to be lost, and there is neither netem nor /dev/net/tun.
    """
    if not link.latency_ns and not faults.delays():
        return "bridge"
    probe = [
        "unshare",
        *(["-r"] if os.geteuid() else []),
        "-n",
        "tc",
        "qdisc",
        "add",
        "dev",
        "lo",
        "root",
        "netem",
        "delay",
        "1ms",
    ]
    with suppress(OSError, subprocess.SubprocessError):
        if subprocess.run(probe, capture_output=True, stdin=subprocess.DEVNULL, timeout=5, check=False).returncode == 0:
            return "netem"
    if os.access("/dev/net/tun", os.R_OK | os.W_OK):
        return "switch"
    raise ToolError(
        "this kernel can neither delay nor lose frames: it has no netem, and /dev/net/tun may not be used",
        remedy="ask for no latency (bare, or --latency 0us) and for no late or lossy host, or run it as root",
    )
