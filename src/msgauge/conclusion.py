"""Store -> analyse -> report: what may be claimed from a run folder as it stands, written into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.analyse import analyse
from msgauge.analysis import derived
from msgauge.analysis.advising import with_advice
from msgauge.errors import StoreError
from msgauge.model import Analysis, Build, Failure, LaunchRecord, Plan, Warning
from msgauge.paths import cache_folder
from msgauge.plan import FAILURES_IN_A_ROW, given_up, launches_of_round
from msgauge.store import RunFolder, publish
from msgauge.units import counted, format_duration


def conclude(folder: RunFolder, stopped: str) -> Analysis:
    """Analyse a run and write ``findings.json`` and ``samples.parquet``.

    Raises:
        StoreError: samples are damaged, or the folder cannot be written.
    """
    analysis = with_advice(folder, analysed(folder, stopped))
    folder.write_analysis(analysis)
    if analysis.rounds:
        folder.write_parquet()
    return analysis


def analysed(folder: RunFolder, stopped: str) -> Analysis:
    """What may be claimed from a run folder, stacks without a worker included; writes nothing."""
    records = folder.records()
    builds = folder.builds
    analysis = analyse(folder.plan, folder.stacks, records, folder.samples(), run=folder.name, stopped=stopped)
    return evolve(
        analysis,
        failures=(*_failed_builds(builds), *analysis.failures, *_not_reached(folder.plan, builds, records, stopped)),
        warnings=(*analysis.warnings, *_given_up(records), *_uncached(builds, folder.path)),
    )


def analysed_again(path: Path) -> tuple[RunFolder, Analysis]:
    """A run folder, and its analysis made anew from its samples.

    Raises:
        StoreError: it cannot be read.
    """
    folder = RunFolder.open(path)
    return folder, with_advice(folder, analysed(folder, stopped_before(folder)))


def keep_if_possible(folder: RunFolder, analysis: Analysis) -> None:
    """Write the findings of a run that was analysed anew; a folder that cannot be written keeps those it has.

    Raises:
        StoreError: it cannot be written and holds no findings yet.
    """
    try:
        folder.write_analysis(analysis)
    except StoreError:
        folder.analysis()


def stopped_before(folder: RunFolder) -> str:
    """Why measuring ended, as it was noted; "interrupted" when nobody noted anything."""
    try:
        return folder.analysis().stopped
    except StoreError:
        return "interrupted"


def write_page(path: Path, output: Path | None = None) -> Path:
    """Write the HTML page of a run, ``report.html`` in its folder when no other place is named.

    Raises:
        StoreError: the run was not analysed, or the page cannot be written.
    """
    from msgauge.report import page, view

    place = output or path / "report.html"
    folder = RunFolder.open(path)
    derived.derive(folder)
    publish(place, page.render(view.load(folder)).encode())
    return place


def _failed_builds(builds: Sequence[Build]) -> list[Failure]:
    """Stacks without a worker, with the tail of the compiler's log."""
    return [
        Failure(built.stack, built.reason, log="\n".join(built.log.splitlines()[-20:]))
        for built in builds
        if built.reason
    ]


def _not_reached(
    plan: Plan, builds: Sequence[Build], records: Sequence[LaunchRecord], stopped: str
) -> Iterator[Failure]:
    """Cells of the launches that a deadline left out of every round: they are told by name."""
    if stopped != "deadline":
        return
    began = {(record.launch.stack, record.launch.ranks) for record in records}
    without = {built.stack for built in builds if built.reason}
    cells = {cell.id: cell for cell in plan.cells}
    limit = format_duration(plan.stopping.deadline_s)
    for launch in launches_of_round(plan, 0, 0):
        if (launch.stack, launch.ranks) in began or launch.stack in without:
            continue
        where = counted(launch.ranks, "process")
        reason = f"not reached: the deadline of {limit} came before its first launch on {where}"
        yield from (Failure(launch.stack, reason, cells[number].kernel, number) for number in sorted(launch.cells))


def _uncached(builds: Sequence[Build], folder: Path) -> list[Warning]:
    """Workers that stand in the run folder because the cache could not be written."""
    inside = f"{folder.absolute()}/"
    kept = [built.stack for built in builds if built.command and any(word.startswith(inside) for word in built.program)]
    if not kept:
        return []
    return [
        Warning(
            "cache-not-writable",
            f"the workers of {', '.join(kept)} could not be kept in the cache {cache_folder()}: each run compiles "
            "them anew, and this run folder is larger for them",
            remedy="make the cache writable, or set MSGAUGE_CACHE to a folder that is",
            evidence=(("stacks", ", ".join(kept)),),
        )
    ]


def _given_up(records: Sequence[LaunchRecord]) -> list[Warning]:
    """One warning for each stack that was started no more."""
    return [
        Warning(
            "stack-given-up",
            f"{stack} was started no more with {counted(ranks, 'process')} after {FAILURES_IN_A_ROW} failed launches "
            "in a row",
            remedy="see the logs of its last launches in the run folder; raise launch_limit if it is only slow",
            evidence=(("stack", stack), ("ranks", str(ranks))),
        )
        for stack, ranks in sorted(given_up(records))
    ]
