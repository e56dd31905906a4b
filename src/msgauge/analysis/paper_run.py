"""From the run of a paper to what its page says: observations out of samples, then tables, figures and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from attrs import evolve

from msgauge import coverage
from msgauge.advise import traces
from msgauge.advise.claims import Claim, Judged, judge, judge_fact
from msgauge.advise.drawings import plot
from msgauge.advise.observed import Observed
from msgauge.advise.paper_result import PaperResult
from msgauge.advise.published import Column, redraw
from msgauge.advise.wording import worded
from msgauge.analysis.observing import counted_records, observations
from msgauge.model import Command, LaunchRecord, Samples, Stack
from msgauge.papers import NAMED, Paper, load_paper, missing_of, shipped_papers, systems_of
from msgauge.stacks.family import LaunchOptions
from msgauge.stacks.registry import families
from msgauge.store import RunFolder


def outcome(folder: RunFolder) -> PaperResult | None:
    """What a run says of the paper it ran; None when it ran no paper.

    Raises:
        StoreError: the samples are damaged.
    """
    if folder.plan.study not in shipped_papers():
        return None
    paper = load_paper(folder.plan.study)
    records, frames = folder.records(), list(folder.samples())
    return judged_paper(paper, folder, observations(records, frames, folder), traces_of(records, frames, folder))


def judged_paper(
    paper: Paper, folder: RunFolder, observed: Sequence[Observed], trails: Sequence[traces.Trace]
) -> PaperResult:
    """Tables, figures and verdicts of a paper from what was observed."""
    systems = systems_of(paper, folder.stacks)
    paper = with_named(paper, systems[NAMED])
    systems |= {spec: (spec,) for spec in systems[NAMED]}
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    facts = {stack.spec: facts_of(stack) for stack in folder.stacks}

    def verdict(claim: Claim) -> Judged:
        if claim.kind == "fact":
            return judge_fact(claim, facts, systems)
        if claim.kind in {"start-up", "rate-change"}:
            return traces.judge_trace(claim, trails, systems)
        return judge(claim, observed, systems)

    return PaperResult(
        name=paper.name,
        title=paper.title,
        source=paper.source,
        about=paper.about,
        systems=tuple((role, specs) for role, specs in systems.items() if specs and role not in specs),
        simulated=tuple(role for role, specs in systems.items() if specs and simulated.issuperset(specs)),
        tables=tuple(redraw(table, observed, systems) for table in paper.tables),
        words=tuple(worded(one, observed, systems, _covered(folder.stacks)) for one in paper.words),
        drawings=tuple(plot(one, observed, trails, systems) for one in paper.plots),
        judged=tuple(verdict(claim) for claim in paper.claims),
        missing=(
            *missing_of(paper, folder.stacks, [cell.kernel for cell in folder.plan.cells]),
            *silent(systems, observed),
        ),
        notes=paper.notes,
    )


def silent(systems: Mapping[str, Sequence[str]], observed: Sequence[Observed]) -> tuple[str, ...]:
    """Stacks that are here and delivered nothing, by role: they failed, and the page says elsewhere how."""
    delivered = {one.stack for one in observed}
    lost = {spec: role for role, specs in reversed(list(systems.items())) for spec in specs if spec not in delivered}
    return tuple(f"{role} ({spec}): it delivered nothing, see what failed" for spec, role in lost.items())


def with_named(paper: Paper, named: Sequence[str]) -> Paper:
    """The paper with a column in each table and a line in each figure of real systems for every stack of the user's."""
    if not named:
        return paper
    columns = tuple(Column(spec, spec) for spec in named)
    expressions = dict(paper.systems)

    def is_real(role: str) -> bool:
        return any(not text.startswith("smpi") for text in expressions[role])

    return evolve(
        paper,
        tables=tuple(evolve(table, columns=(*table.columns, *columns)) for table in paper.tables),
        plots=tuple(
            evolve(one, systems=(*one.systems, NAMED)) if any(map(is_real, one.systems)) else one for one in paper.plots
        ),
    )


def traces_of(
    records: Sequence[LaunchRecord], frames: Iterable[Samples], folder: RunFolder
) -> tuple[traces.Trace, ...]:
    """The steps of every burst: one trace for each stack, cell and series, one row a launch."""
    cells = {cell.id: cell for cell in folder.plan.cells}
    counted = counted_records(records)
    parts: dict[tuple[str, int], list[Samples]] = {}
    for frame in frames:
        record = counted.get(frame.launch)
        if record is not None and cells[frame.cell].kernel == traces.KERNEL and frame.values.size:
            parts.setdefault((record.launch.stack, frame.cell), []).append(frame)
    found = [traces.traces_of_cell(stack, cells[number], rows) for (stack, number), rows in parts.items()]
    return tuple(one for several in found for one in several)


def _covered(stacks: Sequence[Stack]) -> dict[str, tuple[int, int]]:
    """By stack: how many of all operations it has of its own."""
    every = coverage.words()
    own = {stack.spec: families()[stack.family] for stack in stacks}
    return {
        stack.spec: (sum(coverage.how(own[stack.spec], stack, word) == coverage.NATIVE for word in every), len(every))
        for stack in stacks
    }


def facts_of(stack: Stack) -> frozenset[str]:
    """What a stack needs beside its library: ``daemon`` when its session brings one up."""
    options = LaunchOptions(2, 2, Path())
    session = families()[stack.family].session(stack, options, _Nobody())
    return frozenset() if isinstance(session, nullcontext) else frozenset({"daemon"})


class _Nobody:
    """A runner for a session that is never entered."""

    def run(self, command: Command, limit_s: float) -> tuple[int, str]:
        """Never called."""
        raise NotImplementedError(f"{command} within {limit_s} s")
