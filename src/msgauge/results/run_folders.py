"""The folders of runs: a new one; which hold a run, which held one, and which of them began last."""

from __future__ import annotations

import re
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path

from msgauge.errors import StoreError
from msgauge.results.publishing import make_folder, store_errors
from msgauge.results.reading import read_errors

PLAN = "plan.json"
"""Written before anything is measured: a folder without it is no run."""
STUDY = "study.toml"
_MEASURED = ("launches", "launches.jsonl")
"""What comes after the plan."""


def is_run_folder(path: Path) -> bool:
    """Whether a run was planned in this folder.

    Raises:
        StoreError: nobody may tell this user.
    """
    with read_errors(path):
        return (path / PLAN).is_file()


def name_study(run: str | Path) -> str:
    """What ``msgauge compare`` takes to measure the same again: tests, ranks and hosts, whatever they came from."""
    return str(Path(run) / STUDY)


def was_run_folder(path: Path) -> bool:
    """Whether this folder held a run and lost its plan."""
    return not (path / PLAN).is_file() and any((path / name).exists() for name in _MEASURED)


def find_run_folders(place: Path) -> list[Path]:
    """All run folders directly below a folder, by name; none where there is no such folder.

    Raises:
        StoreError: one cannot be looked into, or held a run and lost its plan: who asks for all of them would not
            miss it.
    """
    with read_errors(place):
        inside = sorted(place.iterdir()) if place.is_dir() else []
    found = []
    for path in inside:
        if path.name.startswith(".") or path.name == "lost+found":
            continue
        if is_run_folder(path):
            found.append(path)
        elif was_run_folder(path):
            remedy = f"take it from a backup, or move this folder out of {place}"
            raise StoreError(f"a run without its plan: {PLAN} is gone", where=str(path), remedy=remedy)
    return found


def find_readable_runs(place: Path) -> list[Path]:
    """Those of them that this user can read, whatever became of the others."""
    return sorted(path.parent for path in place.glob(f"*/{PLAN}"))


def began_ns(run: Path) -> int:
    """When a run was planned, ns since 1970."""
    return (run / PLAN).stat().st_mtime_ns


def make_run_folder(parent: Path) -> Path:
    """A new empty folder for a run under ``parent``, named by the minute and this host.

    Raises:
        StoreError: it cannot be made, or ``parent`` has a name that cannot be kept.
    """
    if any("\udc80" <= letter <= "\udcff" for letter in str(parent.absolute())):
        what = "the name of a folder of runs holds bytes that are no UTF-8"  # plans, logs and commands are text
        raise StoreError(what, where=str(parent), remedy="name another with --runs FOLDER")
    host = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname().split(".", 1)[0])[:32] or "host"
    make_folder(parent)
    while True:  # until it is a name that no other run of this minute has
        path = parent / f"{time.strftime('%Y-%m-%dT%H%M')}-{host}-{secrets.token_hex(2)}"
        with store_errors(path), suppress(FileExistsError):
            path.mkdir()
            return path
