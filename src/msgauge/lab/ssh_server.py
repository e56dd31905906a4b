"""An sshd on every host of a lab, with keys made for that lab alone. Standard library alone: the keeper uses it.

All files stand in the lab's folder. Each user has a key of his own that opens his own account alone, since the files
behind the hosts are those of this computer: whoever is root on a host is root here. Users without a login shell or a
home get both from the hosts' own list of accounts, which holds no password.
"""

from __future__ import annotations

import os
import pwd
import select
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgauge.lab import namespaces

CLIENT_CONFIG = "ssh_config"
_LIMIT_S = 60.0


def write_files(folder: Path, names: Sequence[str], users: Sequence[str]) -> None:
    """Make keys, configuration of server and clients, and the hosts' list of accounts in the folder of a lab.

    ``names``: names and addresses of the hosts. Raises OSError or SubprocessError.
    """
    place = folder / "ssh"
    (place / "authorized").mkdir(parents=True)
    _make_key(place / "hostkey")
    public = " ".join((place / "hostkey.pub").read_text().split()[:2])
    (place / "known_hosts").write_text("".join(f"{name} {public}\n" for name in names))
    accounts = [pwd.getpwnam(user) for user in dict.fromkeys(["root", *users])]
    for account in accounts:
        _write_user(place, account)
    (place / "sshd_config").write_text(_server_config(place, [account.pw_name for account in accounts]))
    _write_accounts(place, {account.pw_name for account in accounts})
    (folder / CLIENT_CONFIG).write_text(_client_config(place))
    for file in (place / "known_hosts", place / "passwd", folder / CLIENT_CONFIG):
        file.chmod(0o644)


def account_files(folder: Path) -> list[tuple[str, str]]:
    """(source, target) of the files that stand in for those of this computer on every host."""
    return [(str(folder / "ssh" / name), f"/etc/{name}") for name in ("passwd", "shadow")]


def start(first_processes: Sequence[int], folder: Path) -> None:
    """Start an sshd on every host; it ends with the host's process 1. Raises RuntimeError with what it said."""
    program = shutil.which("sshd", path=namespaces.SEARCH_PATH)
    if program is None:
        raise RuntimeError("there is no sshd; install openssh-server")
    argv = [program, "-f", str(folder / "ssh" / "sshd_config"), "-E", "/run/sshd.log"]
    waiting = [_start_on(pid, argv) for pid in first_processes]
    said = [_wait(child, reads) for child, reads in waiting]
    wrong = [text for text in said if text]
    if wrong:
        raise RuntimeError(f"sshd: {wrong[0][:300]}")


def _make_key(file: Path) -> None:
    argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "msgauge lab", "-f", str(file)]
    environment = {"PATH": f"{os.environ.get('PATH', '')}:{namespaces.SEARCH_PATH}", "LC_ALL": "C"}
    subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LIMIT_S, check=True, env=environment)


def _write_user(place: Path, account: pwd.struct_passwd) -> None:
    """A key in a folder of the user's own, which is his home on the hosts where he has none."""
    own = place / account.pw_name
    own.mkdir(mode=0o700)
    _make_key(own / "id")
    shutil.copyfile(own / "id.pub", place / "authorized" / account.pw_name)
    (place / "authorized" / account.pw_name).chmod(0o644)
    for path in (own, own / "id", own / "id.pub"):
        os.chown(path, account.pw_uid, account.pw_gid)


def _server_config(place: Path, users: Sequence[str]) -> str:
    """``StrictModes no``: the folder stands below /tmp, which belongs to everybody; the files in it are root's."""
    return f"""\
HostKey {place}/hostkey
AuthorizedKeysFile {place}/authorized/%u
AllowUsers {" ".join(users)}
StrictModes no
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UsePAM no
UseDNS no
MaxStartups 1000
MaxSessions 1000
PidFile /run/sshd.pid
PrintMotd no
PrintLastLog no
# Else bash reads ~/.bashrc for every command: the file and its locks are this computer's, not its emulated hosts'.
SetEnv SHLVL=1
"""


def _client_config(place: Path) -> str:
    return f"""\
# For the hosts of this lab: ssh -F {place.parent}/{CLIENT_CONFIG} n2 hostname
Host *
  IdentityFile {place}/%u/id
  IdentitiesOnly yes
  UserKnownHostsFile {place}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
  LogLevel ERROR
"""


def _write_accounts(place: Path, users: set[str]) -> None:
    """The accounts of this computer, without passwords; the lab's users may log in, have a shell and a home."""
    lines = []
    for account in pwd.getpwall():
        shell, home = account.pw_shell, account.pw_dir
        if account.pw_name in users:
            shell = "/bin/sh" if Path(shell).name in ("nologin", "false", "sync", "") else shell
            home = home if Path(home).is_dir() and home != "/" else str(place / account.pw_name)
        lines.append(f"{account.pw_name}:x:{account.pw_uid}:{account.pw_gid}:{account.pw_gecos}:{home}:{shell}\n")
    (place / "passwd").write_text("".join(lines))
    (place / "shadow").touch(mode=0o600)
    (place / "shadow").write_text("".join(f"{account.pw_name}:*:19000:0:99999:7:::\n" for account in pwd.getpwall()))


def _start_on(first_process: int, argv: Sequence[str]) -> tuple[int, int]:
    """A child that starts sshd on a host, and where it says what went wrong."""
    reads, writes = os.pipe()
    child = os.fork()
    if child:
        os.close(writes)
        return child, reads
    try:
        namespaces.enter(first_process)
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT_S, check=False, cwd="/"
        )
        if done.returncode:
            log = Path("/run/sshd.log")
            os.write(writes, (done.stderr or (log.read_text() if log.exists() else "it ended at once")).encode())
    except (OSError, subprocess.SubprocessError) as error:
        with suppress(OSError):
            os.write(writes, str(error).encode())
    os._exit(0)


def _wait(child: int, reads: int) -> str:
    said = b""
    while select.select([reads], [], [], _LIMIT_S)[0]:
        part = os.read(reads, 4096)
        said += part
        if not part:
            break
    os.close(reads)
    os.waitpid(child, 0)
    return said.decode(errors="replace").strip()
