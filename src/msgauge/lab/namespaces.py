"""Namespaces of Linux by its own calls: make them, enter them, mount in them. Standard library alone.

Runs in the keeper of a lab and its children, never in msgauge itself.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

NEW_TIME, NEW_MOUNTS, NEW_UTS, NEW_IPC = 0x80, 0x20000, 0x4000000, 0x8000000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
OF_A_HOST = NEW_NETWORK | NEW_UTS | NEW_IPC | NEW_PROCESSES | NEW_MOUNTS
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where programs of a host are looked for, daemons among them, whatever the user's own PATH."""
_ENTERED = ("time", "net", "uts", "ipc", "pid", "mnt")
"""In this order: once the mounts of a host are entered, nothing outside is named by a path any more."""
_BIND, _MOVE, _RECURSIVE, _PRIVATE = 0x1000, 0x2000, 0x4000, 0x40000
_DIE_WITH_PARENT = 1
_AMBIENT, _AMBIENT_RAISE, _AMBIENT_CLEAR = 47, 2, 4
_CAPABILITY_VERSION = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Leave the namespaces named for new ones. Raises OSError where the kernel refuses."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def become_root_of_own() -> None:
    """Enter a user namespace in which this process may do what root may, with what is made in it; its user stays.

    Programs that it starts may too (``ip``, ``tc``), until one lets go of it (``drop_capabilities``).

    Raises:
        OSError: the kernel refuses.
    """
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    held = (ctypes.c_uint32 * 6)()
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _check(_libc.capget(header, held), "capget")
    held[2], held[5] = held[1], held[4]  # inheritable as permitted, of both halves
    _check(_libc.capset(header, held), "capset")
    for number in range(64):
        if (held[1] | held[4] << 32) >> number & 1:
            _check(_libc.prctl(_AMBIENT, _AMBIENT_RAISE, number, 0, 0), "prctl")


def drop_capabilities() -> None:
    """From the next program on this process is an ordinary one."""
    _libc.prctl(_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)


def enter(pid: int) -> None:
    """Enter all namespaces of a process; its process numbers hold for children alone. Raises OSError."""
    opened = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in _ENTERED]
    for name, descriptor in zip(_ENTERED, opened, strict=True):
        same = os.fstat(descriptor).st_ino == Path(f"/proc/self/ns/{name}").stat().st_ino if name == "time" else False
        if not same:  # a process may not enter the time that it is in
            _check(_libc.setns(descriptor, 0), f"setns {name}")
        os.close(descriptor)


def enter_network(pid: int) -> None:
    """Enter the network of a process alone. Raises OSError."""
    descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    _check(_libc.setns(descriptor, NEW_NETWORK), "setns net")
    os.close(descriptor)


def die_with_parent() -> None:
    """From now on the kernel ends this process when its parent ends, in whatever way."""
    _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def set_clock_offset(offset_ns: int) -> None:
    """After ``unshare(NEW_TIME)``: the monotonic clock of children is ahead by this. Raises OSError."""
    seconds, rest = divmod(offset_ns, 1_000_000_000)
    Path("/proc/self/timens_offsets").write_text(f"monotonic {seconds} {rest}\nboottime {seconds} {rest}\n")


OWN_PLACES = ("/tmp", "/dev/shm", "/run")
"""Where a host has files of its own, and sees of the system's what is brought in."""
OUTSIDE = "/run/outside"
"""Where a host keeps the system's own ones, under a name that nothing looks at."""


def furnish(name: str, outside: Sequence[str], files: Sequence[tuple[str, str]]) -> None:
    """Make the mounts of a host in new namespaces: own /proc, /sys, /dev/shm, /run and /tmp, its name, its files.

    ``outside``: folders below the system's ``OWN_PLACES`` that stay to be seen. ``files``: (source, target) of files
    to be bound.
    """
    socket.sethostname(name)
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    _mount("proc", "/proc", "proc")
    _cover_own_places()
    with suppress(OSError):
        _mount("sysfs", "/sys", "sysfs")
    for folder in outside:
        bring_in(folder)
    for source, target in files:
        if Path(target).exists():
            _mount(source, target, "", _BIND)


def _cover_own_places() -> None:
    """Empty file systems on them, through which the system's stay to be reached below ``OUTSIDE``.

    /run cannot hold what shows the /run beneath it before it is covered, so all are bound on /sys, and moved then.
    """
    _mount("tmpfs", "/sys", "tmpfs", options="mode=711")
    for place in OWN_PLACES:
        Path("/sys" + place).mkdir(parents=True)
        _mount(place, "/sys" + place, "", _BIND | _RECURSIVE)
    for place in OWN_PLACES:
        _mount("tmpfs", place, "tmpfs", options="mode=755" if place == "/run" else "mode=1777")
    Path(OUTSIDE).mkdir()
    _mount("/sys", OUTSIDE, "", _MOVE)


def lies_in_own_place(folder: Path) -> bool:
    """Whether a folder is one that hosts see only if it is brought in; these places themselves never are."""
    return ".." not in folder.parts and any(Path(place) in folder.parents for place in OWN_PLACES)


def bring_in(folder: str) -> None:
    """Show a folder below one of the system's ``OWN_PLACES`` in this host too, under its own name. Raises OSError.

    Its parents get the modes that they have outside, so that other users may pass.
    """
    inner = Path(folder)
    outer = Path(OUTSIDE + folder)
    if not lies_in_own_place(inner):
        return
    if os.path.ismount(inner) and inner.samefile(outer):  # one that was renamed since is still shown under its old name
        return
    for part in [*reversed(inner.parents), inner]:
        if not part.exists():
            part.mkdir()
            part.chmod(Path(f"{OUTSIDE}{part}").stat().st_mode & 0o7777)
    _mount(str(outer), folder, "", _BIND | _RECURSIVE)


def _mount(source: str, target: str, kind: str, flags: int = 0, options: str = "") -> None:
    result = _libc.mount(source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None)
    _check(result, f"mount {target}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
