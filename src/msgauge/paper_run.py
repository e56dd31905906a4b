"""From the run of a paper to what its page says: observations out of samples, then tables, figures and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from msgauge.advise import traces
from msgauge.advise.claims import Claim, Judged, judge, judge_fact
from msgauge.advise.observed import Observed
from msgauge.advise.paper_result import PaperResult
from msgauge.advise.published import plot, redraw
from msgauge.cautions import is_oversubscribed
from msgauge.gather import attribute, launch_median, repeated_blocks
from msgauge.model import Command, LaunchRecord, Samples, Stack
from msgauge.papers import Paper, load_paper, missing_of, shipped_papers, systems_of
from msgauge.stacks.family import LaunchOptions
from msgauge.stacks.registry import families
from msgauge.store import RunFolder

BLOCKS = 1000
"""Rounds are counted in thousands, so that a repeated block is a round of its own."""


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
    facts = {stack.spec: facts_of(stack) for stack in folder.stacks}

    def verdict(claim: Claim) -> Judged:
        if claim.kind == "fact":
            return judge_fact(claim, facts, systems)
        if claim.kind in {"ratio", "spread"}:
            return judge(claim, observed, systems)
        return traces.judge_trace(claim, trails, systems)

    return PaperResult(
        name=paper.name,
        title=paper.title,
        source=paper.source,
        about=paper.about,
        systems=tuple((role, specs) for role, specs in systems.items() if specs),
        tables=tuple(redraw(table, observed, systems) for table in paper.tables),
        drawings=tuple(plot(one, observed, systems) for one in paper.plots),
        judged=tuple(verdict(claim) for claim in paper.claims),
        missing=missing_of(paper, folder.stacks, [cell.kernel for cell in folder.plan.cells]),
        notes=paper.notes,
    )


def observations(records: Sequence[LaunchRecord], frames: Iterable[Samples], folder: RunFolder) -> tuple[Observed, ...]:
    """One for each stack, cell and series; disturbed blocks that were repeated are left out, as everywhere."""
    cells = {cell.id: cell for cell in folder.plan.cells}
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    counted = _counted(records)
    parts: dict[tuple[str, int, str], list[tuple[int, Samples, bool]]] = {}
    for frame in frames:
        record = counted.get(frame.launch)
        if record is not None and frame.values.size and attribute(frame, "status", "ok") == "ok":
            round_ = record.launch.round * BLOCKS + record.launch.block
            key = record.launch.stack, frame.cell, frame.series
            parts.setdefault(key, []).append((round_, frame, is_oversubscribed(record)))
    found = []
    for (stack, number, series), rows in parts.items():
        cell = cells[number]
        found.append(
            Observed(
                stack=stack,
                kernel=cell.kernel,
                size_bytes=cell.size_bytes,
                ranks=cell.ranks,
                options=cell.options,
                series=series,
                rounds=tuple(round_ for round_, _, _ in rows),
                medians_ns=tuple(max(launch_median(frame), 1e-3) for _, frame, _ in rows),
                minimum_ns=min(float(np.min(frame.values)) / frame.divisor for _, frame, _ in rows),
                simulated=stack in simulated,
                oversubscribed=any(crowded for _, _, crowded in rows),
            )
        )
    return tuple(found)


def traces_of(
    records: Sequence[LaunchRecord], frames: Iterable[Samples], folder: RunFolder
) -> tuple[traces.Trace, ...]:
    """The steps of every burst: one trace for each stack and cell, one row a launch."""
    cells = {cell.id: cell for cell in folder.plan.cells}
    counted = _counted(records)
    parts: dict[tuple[str, int], list[Samples]] = {}
    for frame in frames:
        record = counted.get(frame.launch)
        if record is not None and cells[frame.cell].kernel == traces.KERNEL and frame.values.size:
            parts.setdefault((record.launch.stack, frame.cell), []).append(frame)
    found = [traces.trace(stack, cells[number], rows) for (stack, number), rows in parts.items()]
    return tuple(one for one in found if one is not None)


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


def _counted(records: Sequence[LaunchRecord]) -> dict[int, LaunchRecord]:
    left_out = repeated_blocks(records)
    return {
        record.launch.number: record
        for record in records
        if (record.launch.round, record.launch.ranks, record.launch.block) not in left_out
    }
