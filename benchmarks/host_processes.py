"""What runs on the hosts of a lab: for benchmarks and tests that look for what is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgauge.lab.emulation import Lab


def processes_on(lab: Lab) -> Iterator[tuple[str, Path]]:
    """Each process with the name of its host and its folder of /proc; hosts that are down have none.

    Hosts are known by the first processes that the lab names: ``refresh_lab`` tells those of hosts that came back.
    """
    homes = {}
    for name, pid in zip(lab.hosts, lab.first_processes, strict=True):
        if (home := Path(f"/proc/{pid}/ns/pid")).is_symlink():
            homes[home.readlink()] = name
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name = homes.get((process / "ns" / "pid").readlink())
        except OSError:
            continue
        if name:
            yield name, process


def command_line(process: Path) -> str:
    """Its words with spaces between; '' for one that has ended."""
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def program_of(process: Path) -> str:
    """The name of its program; '' for one that has ended."""
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return ""
