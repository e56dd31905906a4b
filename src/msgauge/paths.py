"""Where msgauge keeps what it makes for this user, and where its own shipped files are."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from msgauge.errors import ConfigError

_SHARED = Path("/tmp")
"""Where a user without a home has one."""


def cache_folder() -> Path:
    """Folder of things that may be deleted at any time: managed stacks, compiled workers, proofs.

    ``MSGAUGE_CACHE`` wins, then ``XDG_CACHE_HOME``, then ``~/.cache``. The folder need not exist yet.
    """
    own = os.environ.get("MSGAUGE_CACHE")
    return Path(own).absolute() if own else _base("XDG_CACHE_HOME", ".cache") / "msgauge"


def config_folder() -> Path:
    """Folder of the user's ``config.toml``: ``MSGAUGE_CONFIG``, else under ``XDG_CONFIG_HOME``, else ``~/.config``."""
    own = os.environ.get("MSGAUGE_CONFIG")
    return Path(own).absolute() if own else _base("XDG_CONFIG_HOME", ".config") / "msgauge"


def native_folder() -> Path:
    """The shipped C++ sources."""
    return Path(__file__).parent / "native"


def platforms_folder() -> Path:
    """The shipped platform files for simulated stacks."""
    return Path(__file__).parent / "platforms"


def expand_home(text: str) -> Path:
    """A path whose ``~`` or ``~NAME`` is resolved; of a user who is not here it stays as it was written."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _base(variable: str, fallback: str) -> Path:
    value = os.environ.get(variable, "")
    if value and Path(value).is_absolute():
        return Path(value)
    return _home() / fallback


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no HOME and no entry for this user: batch systems and containers do that
        return _own_folder(_SHARED / f"home-of-{os.getuid()}")


def _own_folder(place: Path) -> Path:
    """A folder below one that everybody may write to, made where it is not there; what is in it starts programs.

    Raises:
        ConfigError: somebody else has made it, or may change what is in it.
    """
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    found = place.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ConfigError(
            f"there is no home folder, and {place} is not this user's alone",
            remedy="set HOME to a folder of your own",
        )
    return place
