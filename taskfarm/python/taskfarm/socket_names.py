"""Where the socket of a farm stands that names no address, and what killed farms left there."""

from __future__ import annotations

import os
import re
import socket
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LONGEST_SOCKET_PATH = 107  # sun_path of Linux, without the zero byte
YOUNG_S = 60.0  # between bind and listen a socket refuses too
_OWN_NAME = re.compile(r"taskfarm-[0-9]+-[0-9a-f]{8}\.sock")


def make_socket_name() -> str:
    """In the user's own folder for such files; a batch job may have its name from elsewhere, and no such folder.

    Where there is no folder for it, or its path is longer than the address of a socket may be or not to be written in a
    url, it is a name without a file, which is kept to this user as well: each side asks the kernel who the other is.
    Files there that killed farms left are removed.
    """
    name = f"taskfarm-{os.getpid()}-{os.urandom(4).hex()}"
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    if not (Path(folder).is_absolute() and os.access(folder, os.W_OK | os.X_OK)):
        try:
            folder = tempfile.gettempdir()
        except FileNotFoundError:  # none can be written to
            return f"@{name}"
    remove_forsaken(Path(folder))
    path = str(Path(folder) / f"{name}.sock")
    return path if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and "?" not in path else f"@{name}"


def remove_forsaken(folder: Path) -> None:
    """Remove this user's sockets of farms that nobody listens on any more; whatever cannot be found out stays."""
    with suppress(OSError):
        listed = {line.rpartition(" ")[2] for line in os.fsdecode(Path("/proc/net/unix").read_bytes()).splitlines()}
        for path in folder.iterdir():
            if _OWN_NAME.fullmatch(path.name) and str(path) not in listed and _is_forsaken(path):
                path.unlink(missing_ok=True)


def _is_forsaken(path: Path) -> bool:
    """Another container may listen that shares the folder alone, and not the list of sockets: the socket says it."""
    try:
        status = path.lstat()
        mine = stat.S_ISSOCK(status.st_mode) and status.st_uid == os.geteuid()
        if not mine or time.time() - status.st_mtime < YOUNG_S:
            return False
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
            peer.setblocking(False)
            peer.connect(str(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
