"""Which folders hold a run, and which of them began last."""

from __future__ import annotations

from pathlib import Path

PLAN = "plan.json"
"""Written before anything is measured: a folder without it is no run."""


def is_run_folder(path: Path) -> bool:
    """Whether a run was planned in this folder."""
    return (path / PLAN).is_file()


def find_run_folders(place: Path) -> list[Path]:
    """The run folders directly below a folder, by name; none where there is no such folder."""
    return sorted(path.parent for path in place.glob(f"*/{PLAN}"))


def began_ns(run: Path) -> int:
    """When a run was planned, ns since 1970."""
    return (run / PLAN).stat().st_mtime_ns
