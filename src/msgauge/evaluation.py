"""Store -> analyse -> report: what may be claimed from a run folder as it stands, written into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import evolve

from msgauge.analysis.disturbed_rounds import add_disturbances
from msgauge.analysis.estimates.efficiencies import add_efficiencies
from msgauge.analysis.findings.anomaly_inputs import add_anomalies
from msgauge.analysis.guidance.decision import check_purpose, weigh_findings
from msgauge.analysis.guidance.guidance_caveats import add_guidance_caveats
from msgauge.analysis.run import analyse
from msgauge.analysis.warnings.changed_conditions import note_resumption, warn_changed
from msgauge.analysis.warnings.order_effects import warn_order
from msgauge.analysis.warnings.other_programs import warn_others
from msgauge.analysis.warnings.short_tails import warn_short_tails
from msgauge.errors import StoreError, ToolError
from msgauge.model import (
    RECONNECTED,
    Analysis,
    Build,
    Failure,
    FailureKind,
    LaunchRecord,
    Notice,
    Plan,
    Purpose,
    Stack,
    StopReason,
    VariantMark,
)
from msgauge.model.rounding import round_floats
from msgauge.papers import derived_results
from msgauge.plan import launches_of_round
from msgauge.results.given_up import FAILURES_IN_A_ROW, take_failures
from msgauge.results.incomplete_runs import warn_incomplete
from msgauge.results.publishing import publish, publish_output
from msgauge.results.run_folder import RunFolder
from msgauge.results.stop_reason import UNKNOWN as UNKNOWN_END
from msgauge.results.stop_reason import read_end
from msgauge.rounds.resolution import warn_not_begun, warn_undecided
from msgauge.units import format_count, format_duration


def conclude(folder: RunFolder, stopped: str) -> Analysis:
    """Analyse a run and write ``findings.json`` and ``samples.parquet``.

    Raises:
        StoreError: samples are damaged, or the folder cannot be written.
    """
    analysis = analyse_folder(folder, stopped)
    folder.write_analysis(analysis)
    if analysis.rounds:
        folder.write_parquet()
    return analysis


def analyse_folder(folder: RunFolder, stopped: str, purpose: Purpose | None = None) -> Analysis:
    """What may be claimed from a run folder, stacks without a worker included; writes nothing.

    ``purpose``: what to weigh the tests for, instead of what the run was made for.
    """
    dataset, builds = folder.dataset, folder.builds
    records = dataset.records
    analysis = analyse(dataset, run=folder.name, stopped=stopped, kernels=folder.facts.kernels, purpose=purpose)
    analysis = add_disturbances(dataset, analysis)
    analysis = add_efficiencies(dataset, add_anomalies(dataset, analysis, folder.facts.kernels))
    weighed = evolve(folder.plan, purpose=purpose or folder.plan.purpose)
    analysis = add_guidance_caveats(analysis, weighed)
    analysis = evolve(
        analysis,
        findings=weigh_findings(analysis.findings, weighed),
        failures=(
            *_find_failed_builds(builds),
            *analysis.failures,
            *_find_unreached(folder.plan, builds, records, stopped),
        ),
        warnings=(
            *warn_incomplete(folder, has_times=analysis.has_times),
            *warn_changed(folder),
            *warn_others(dataset),
            *warn_short_tails(dataset),
            *analysis.warnings,
            *warn_undecided(dataset, analysis),
            *warn_not_begun(dataset),
            *warn_order(dataset),
            *_warn_given_up(records),
            *_warn_reconnected(records),
            *_warn_uncached(builds),
            *_warn_same_build(dataset.stacks, builds),
        ),
    )
    return round_floats(analysis)


def begin_again(folder: RunFolder, facts: Mapping[str, object]) -> tuple[Notice, ...]:
    """Note that a run of this computer is resumed, of which ``facts`` are those of now; what is not as it was.

    Raises:
        StoreError: what is kept of the run is damaged, or cannot be written.
    """
    if not folder.dataset.records:
        return ()
    return note_resumption(folder, facts, datetime.now(UTC).isoformat(timespec="milliseconds"))


def reanalyse(path: Path, choose: Callable[[RunFolder], Purpose] | None = None) -> tuple[RunFolder, Analysis]:
    """A run folder, and its analysis made anew from its samples; ``choose``: another purpose, by what the run states.

    Raises:
        StoreError: it cannot be read.
        UsageError: it has no test that counts for the purpose.
    """
    folder = RunFolder.open(path)
    purpose = choose(folder) if choose else None
    if purpose is not None:
        check_purpose(folder.plan, purpose)
    stopped, unknown = read_end(folder)
    analysis = analyse_folder(folder, stopped, purpose)
    return folder, evolve(analysis, warnings=(*unknown, *analysis.warnings))


def keep_if_possible(folder: RunFolder, analysis: Analysis) -> None:
    """Write the findings of a run that was analysed anew; where they cannot be written they are those of ``folder``.

    Nor are they written over a file that nobody can read: it may be of a newer msgauge, and says why the run ended.
    """
    if any(one.code == UNKNOWN_END for one in analysis.warnings):
        folder.hold_derived("findings", analysis)
    else:
        folder.keep_derived("findings", analysis)


def write_page(folder: RunFolder, output: Path | None = None) -> Path:
    """Write the HTML page of a run, ``report.html`` in its folder when no other place is named.

    Raises:
        StoreError: the run was not analysed, or the page cannot be written.
        ToolError: nothing can be drawn here.
    """
    from msgauge.report import page, view

    derived_results.derive(folder)
    content = page.render(view.load(folder)).encode(errors="backslashreplace")
    if output is not None:
        publish_output(output, content)
        return output
    place = folder.path / "report.html"
    try:
        publish(place, content)
    except StoreError as error:
        remedy = f"make room there, or write it elsewhere: msgauge report {folder.path} --output FILE"
        raise StoreError(error.what, where=error.where, remedy=remedy) from error
    return place


def keep_page(folder: RunFolder) -> str:
    """Write the page of a run beside what is shown of it; why nothing can be drawn for it, or an empty string.

    Raises:
        StoreError: the page cannot be written.
    """
    try:
        write_page(folder)
    except ToolError as error:
        return str(error)
    return ""


def _find_failed_builds(builds: Sequence[Build]) -> list[Failure]:
    """Stacks without a worker, with the tail of the compiler's log."""
    return [
        Failure(built.stack, built.reason, log="\n".join(built.log.splitlines()[-20:]), kind=FailureKind.BUILD)
        for built in builds
        if built.reason
    ]


def _find_unreached(
    plan: Plan, builds: Sequence[Build], records: Sequence[LaunchRecord], stopped: str
) -> Iterator[Failure]:
    """Cells of the launches that a deadline left out of every round: they are told by name."""
    if stopped != StopReason.DEADLINE:
        return
    began = {(record.launch.stack, record.launch.ranks) for record in records}
    without = {built.stack for built in builds if built.reason}
    cells = {cell.id: cell for cell in plan.cells}
    limit = format_duration(plan.stopping.deadline_s)
    for launch in launches_of_round(plan, 0, 0):
        if (launch.stack, launch.ranks) in began or launch.stack in without:
            continue
        where = format_count(launch.ranks, "process")
        reason = f"not reached: the deadline of {limit} came before its first launch on {where}"
        for number in sorted(launch.cells):
            yield Failure(launch.stack, reason, cells[number].kernel, number, kind=FailureKind.NOT_REACHED)


def _warn_uncached(builds: Sequence[Build]) -> list[Notice]:
    """Workers that stand in the run folder because the cache could not be written."""
    kept = [built for built in builds if built.unwritable_cache]
    if not kept:
        return []
    stacks = ", ".join(built.stack for built in kept)
    return [
        Notice(
            "cache-not-writable",
            f"the workers of {stacks} could not be written to the cache {kept[0].unwritable_cache}: each run compiles "
            "them anew, and this run folder is larger for them",
            remedy="make the cache writable, or set MSGAUGE_CACHE to a folder that is",
            evidence=(("stacks", stacks),),
        )
    ]


def _warn_same_build(stacks: Sequence[Stack], builds: Sequence[Build]) -> list[Notice]:
    """An old version that is, to the byte, what is called the new one."""
    marked = {stack.spec for stack in stacks if stack.has_mark(VariantMark.OLD)}
    old = {built.identity: built.stack for built in builds if built.identity and built.stack in marked}
    return [
        Notice(
            "same-build",
            f"{old[built.identity]} and {built.stack} are the same build: what differs between them is noise",
            remedy="name the prefix of the build that you want to compare with: --against PREFIX",
            evidence=(("identity", built.identity),),
        )
        for built in builds
        if built.identity in old and built.stack not in marked
    ]


def _warn_reconnected(records: Sequence[LaunchRecord]) -> list[Notice]:
    """One warning for all connections to hosts that were made again."""
    made = Counter(
        name for record in records for name in dict(record.condition).get(RECONNECTED, "").split(", ") if name
    )
    if not made:
        return []
    hit = sum(record.lost for record in records)
    told = ", ".join(f"{name} {'once' if often == 1 else f'{often} times'}" for name, often in made.items())
    what = f"connections to hosts were made again: {told}"
    return [
        Notice(
            "reconnected",
            f"{what}; {format_count(hit, 'launch')} failed as a host was lost" if hit else what,
            remedy="see why they broke off (network, restarts); launches that failed so are done again by --resume",
            evidence=tuple((name, str(often)) for name, often in made.items()),
        )
    ]


def _warn_given_up(records: Sequence[LaunchRecord]) -> list[Notice]:
    """One warning for each stack that was given up."""
    failures = take_failures(records)
    own = "see the logs of its last launches in the run folder; raise launch_limit if it is only slow"
    of_hosts = "bring the hosts back (those of a lab: msgauge lab mend HOST), then go on with the run: --resume"
    return [
        Notice(
            "stack-given-up",
            f"{stack} was not started again with {format_count(ranks, 'process')} "
            f"after {FAILURES_IN_A_ROW} failed launches in a row",
            remedy=of_hosts if failures.waits_for_hosts(stack, ranks) else own,
            evidence=(("stack", stack), ("ranks", str(ranks))),
        )
        for stack, ranks in sorted(failures.given_up)
    ]
