"""A folder below the system's temporary folder for what other users must read and write, removed at the end."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import tempfile
from pathlib import Path

from attrs import frozen

from msgauge.errors import LaunchError

_PLAIN = re.compile(r"[\w./@%+=:,~-]*", re.ASCII)


@frozen
class Copies:
    """A folder of one launch that belongs to another user."""

    folder: Path

    def bring(self, file: Path) -> Path:
        """A copy of a file here, readable and executable for all; the file itself where all can read it already."""
        if _open_to_all(file):
            return file
        target = self.path(file.name)
        shutil.copyfile(file, target)
        target.chmod(0o755 if os.access(file, os.X_OK) else 0o644)
        return target

    def path(self, name: str) -> Path:
        """Where a file of that name stands."""
        return self.folder / name


@frozen
class Scratch:
    """The folder of one session; also its TMPDIR. Its path is short, as names of sockets below it must be."""

    folder: Path

    @classmethod
    def make(cls) -> Scratch:
        """A fresh one.

        Raises:
            LaunchError: there is no temporary folder to write to.
        """
        try:
            folder = Path(tempfile.mkdtemp(prefix="mg-"))
        except OSError as error:
            remedy = "make room there, or set TMPDIR to a folder that you may write to"
            raise LaunchError("no temporary folder can be made", where=tempfile.gettempdir(), remedy=remedy) from error
        return cls(folder)

    def remove(self) -> None:
        """Remove it and all below."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def name_plainly(self, folder: Path) -> Path:
        """The folder itself or, where its path has blanks or letters beyond ASCII, a link to it from here.

        smpirun splits the arguments of its program at blanks, and LAM's mpirun takes no others.
        """
        if _PLAIN.fullmatch(str(folder)):
            return folder
        link = self.folder / "links" / folder.name
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
        return link

    def copies(self, name: str, user: str) -> Copies:
        """The folder of one launch, owned by the user.

        Raises:
            LaunchError: no such user, or only root could do that.
        """
        return Copies(self._folder_of(_entry(user), f"launch-{name}"))

    def identity(self, user: str) -> dict[str, str]:
        """Variables that say who one is and where temporary files go; a user without a home gets one here.

        Raises:
            LaunchError: no such user, or only root could do that.
        """
        if not user:
            return {"TMPDIR": str(self.folder)}
        entry = _entry(user)
        own = str(self._folder_of(entry, f"of-{user}"))
        home = entry.pw_dir if Path(entry.pw_dir).is_dir() else own
        return {"TMPDIR": own, "USER": user, "LOGNAME": user, "HOME": home}

    def _folder_of(self, entry: pwd.struct_passwd, name: str) -> Path:
        """A folder in this one that belongs to the user; this one itself stays ours, and readable."""
        self.folder.chmod(0o755)
        folder = self.folder / name
        folder.mkdir(exist_ok=True, mode=0o755)
        _change_owner(folder, entry)
        return folder


def _open_to_all(file: Path) -> bool:
    """Whether any user can reach and read a file."""
    real = file.resolve()
    return bool(real.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in real.parents)


def _entry(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(user)
    except KeyError:
        remedy = f"make it with 'useradd {user}', or name another in the configuration"
        raise LaunchError(f"there is no user {user!r} on this machine", remedy=remedy) from None


def _change_owner(path: Path, entry: pwd.struct_passwd) -> None:
    try:
        os.chown(path, entry.pw_uid, entry.pw_gid)
    except PermissionError as error:
        remedy = "start msgauge as that user, or as root"
        raise LaunchError(
            f"only root may start processes as {entry.pw_name}", where=str(path), remedy=remedy
        ) from error
