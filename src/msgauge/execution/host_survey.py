"""Every host of a list is asked once, all at the same time: what it is, and which files of stacks stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from attrs import field, frozen

from msgauge.execution.host_access import HostAccess
from msgauge.model import Command

COUNT_CORES = "unset OMP_NUM_THREADS OMP_THREAD_LIMIT; nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null"
"""How many processors a host has, in its shell; ``nproc`` would say what these variables ask for."""
_LIMIT_S = 30.0
_AT_ONCE = 16
_READY = "msgauge-ready"
_FILE = re.compile(r"file (\d+) (\d+) (/.*)", re.ASCII)
"""Checksum, size and path; a greeting of the host may begin with the same word."""


@frozen
class HostFacts:
    """What one host said of itself; empty ``said`` where it did not answer, with the reason in ``silence``."""

    name: str
    said: Mapping[str, str] = field(factory=dict)
    files: Mapping[str, str] = field(factory=dict)
    """Checksum and size of each file that was asked for; '' where there is none."""
    clock_ahead_ns: int = 0
    """By how much its wall clock is ahead of this computer's."""
    clock_error_ns: int = 0
    silence: str = ""


def survey_hosts(access: HostAccess, files: Sequence[str]) -> tuple[HostFacts, ...]:
    """The facts of all hosts, in their order. ``files``: absolute paths that should be the same everywhere."""
    names = access.reach.hosts.names
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return tuple(pool.map(lambda name: _ask(access, name, tuple(files)), names))


def _ask(access: HostAccess, name: str, files: tuple[str, ...]) -> HostFacts:
    peers = [other for other in access.reach.hosts.names if other != name]
    script = write_script(files, access.reach.interface, peers[:1])
    command = access.command(Command((access.reach.agent, name, f"exec /bin/sh -c {shlex.quote(script)}"), folder="/"))
    before_ns = time.time_ns()
    try:
        done = subprocess.run(
            command.argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT_S,
            check=False,
            env={**os.environ, **dict(command.environment)},
        )
    except (OSError, subprocess.SubprocessError) as error:
        return HostFacts(name, silence=f"{type(error).__name__}: {error}"[:200])
    if _READY not in done.stdout.splitlines():
        told = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        return HostFacts(name, silence=told[:200])
    return parse_facts(name, done.stdout, before_ns, time.time_ns())


def write_script(files: Sequence[str], interface: str, peers: Sequence[str]) -> str:
    """What a host runs: POSIX shell and the usual small tools. Its clock is read first."""
    listed = " ".join(shlex.quote(file) for file in files)
    peer = shlex.quote(peers[0]) if peers else "localhost"
    return f"""
echo "wall=$(date +%s%N)"
way={shlex.quote(interface)}
address=$(getent ahostsv4 {peer} 2>/dev/null | awk '{{print $1; exit}}')
PATH=$PATH:/usr/sbin:/sbin
[ -n "$way" ] || way=$(ip -o route get "$address" 2>/dev/null | sed -n 's/.* dev \\([^ ]*\\).*/\\1/p')
net=/sys/class/net/$way
first() {{ head -n 1 "$1" 2>/dev/null; }}
echo "kernel=$(uname -r)"
echo "machine=$(uname -m)"
echo "cores=$({COUNT_CORES})"
echo "processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
echo "libc=$(getconf GNU_LIBC_VERSION 2>/dev/null)"
echo "memory=$(sed -n 's/^MemTotal: *//p' /proc/meminfo 2>/dev/null)"
echo "clocksource=$(first /sys/devices/system/clocksource/clocksource0/current_clocksource)"
echo "governor=$(first /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)"
echo "congestion=$(first /proc/sys/net/ipv4/tcp_congestion_control)"
echo "interface=$way"
echo "mtu=$(first "$net/mtu")"
echo "speed=$(first "$net/speed")"
echo "duplex=$(first "$net/duplex")"
echo "link=$(first "$net/operstate")"
for file in {listed}; do
  if [ -f "$file" ]; then echo "file $(cksum <"$file") $file"; else echo "lacks $file"; fi
done
echo {_READY}
"""


def parse_facts(name: str, output: str, before_ns: int, after_ns: int) -> HostFacts:
    """Facts out of what a host said between two readings of this computer's wall clock.

    Half of what the question took bounds the error of the offset, whatever way its parts took. Source: Cristian 1989.
    """
    said, files = {}, {}
    for line in output.splitlines():
        if found := _FILE.fullmatch(line):
            files[found[3]] = f"{found[1]} {found[2]}"
        elif line.startswith("lacks "):
            files[line.removeprefix("lacks ")] = ""
        else:
            key, equal, value = line.partition("=")
            if equal:
                said[key] = value.strip()[:200]
    wall = said.pop("wall", "")
    error_ns = (after_ns - before_ns + 1) // 2
    ahead_ns = int(wall) - (before_ns + after_ns) // 2 if wall.isdecimal() and len(wall) > 12 else 0
    return HostFacts(name, said, files, ahead_ns, error_ns)
