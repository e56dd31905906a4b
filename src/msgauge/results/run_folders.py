"""Which folders hold a run, which held one, and which of them began last."""

from __future__ import annotations

from pathlib import Path

from msgauge.errors import StoreError
from msgauge.results.reading import read_errors

PLAN = "plan.json"
"""Written before anything is measured: a folder without it is no run."""
_MEASURED = ("launches", "launches.jsonl")
"""What comes after the plan."""


def is_run_folder(path: Path) -> bool:
    """Whether a run was planned in this folder.

    Raises:
        StoreError: nobody may tell this user.
    """
    with read_errors(path):
        return (path / PLAN).is_file()


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
        elif any((path / name).exists() for name in _MEASURED):
            remedy = f"take it from a backup, or move this folder out of {place}"
            raise StoreError(f"a run without its plan: {PLAN} is gone", where=str(path), remedy=remedy)
    return found


def find_readable_runs(place: Path) -> list[Path]:
    """Those of them that this user can read, whatever became of the others."""
    return sorted(path.parent for path in place.glob(f"*/{PLAN}"))


def began_ns(run: Path) -> int:
    """When a run was planned, ns since 1970."""
    return (run / PLAN).stat().st_mtime_ns
