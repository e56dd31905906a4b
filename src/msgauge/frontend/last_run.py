"""The run that a command is about when its line names none: the one that began last below ``runs/``."""

from __future__ import annotations

from pathlib import Path

from msgauge.errors import UsageError, hint_nearest
from msgauge.results.reading import read_errors
from msgauge.results.run_folders import began_ns, find_readable_runs

RUNS = Path("runs")


def choose_run(named: Path | None, runs: Path = RUNS) -> Path:
    """The folder named, or the last run below ``runs``.

    Raises:
        UsageError: nothing of that name, or no run to take.
    """
    here = {path.name: path for path in find_readable_runs(runs)}
    if named is None:
        if not here:
            raise UsageError(
                f"there is no run below {runs}/", remedy="name the folder of a run, or measure one: msgauge compare"
            )
        return max(here.values(), key=began_ns)
    with read_errors(named):
        is_there = named.exists()
    if not is_there and (near := hint_nearest(named.name, here)):
        raise UsageError(f"there is no folder {str(named)!r}", remedy=f"did you mean {str(here[near])!r}?")
    return named
