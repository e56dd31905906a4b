"""From the run of a paper to what its page says: observations out of samples, then tables, figures and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from msgauge.analysis.burst_traces import Trace, make_traces
from msgauge.analysis.observations import Observation, make_observations
from msgauge.model import PluginFacts, StackFacts
from msgauge.model.rounding import round_floats
from msgauge.papers import burst_claims
from msgauge.papers.catalogue import NAMED, Paper, find_missing, list_shipped_papers, load_paper, restrict, systems_of
from msgauge.papers.claims import Claim, JudgedClaim, judge_claim, judge_fact
from msgauge.papers.figures import make_paper_figure
from msgauge.papers.qualitative_tables import fill_table
from msgauge.papers.result import PaperResult
from msgauge.papers.tables import Column, redraw
from msgauge.results.run_folder import RunFolder


def evaluate_paper(folder: RunFolder) -> PaperResult | None:
    """What a run says of the paper it ran; None when it ran no paper.

    Raises:
        StoreError: the samples are damaged.
    """
    if folder.plan.study not in list_shipped_papers():
        return None
    paper = load_paper(folder.plan.study)
    kernels = folder.facts.kernels
    observed, traces = make_observations(folder.dataset, kernels), make_traces(folder.dataset, kernels)
    return round_floats(judge_paper(paper, folder, observed, traces))


def judge_paper(
    paper: Paper, folder: RunFolder, observed: Sequence[Observation], traces: Sequence[Trace]
) -> PaperResult:
    """Tables, figures and verdicts of a paper from what was observed."""
    systems = systems_of(paper, folder.stacks)
    asked = restrict(paper, folder.plan.systems) if folder.plan.systems else paper
    paper = add_named_systems(paper, systems[NAMED])
    systems |= {spec: (spec,) for spec in systems[NAMED]}
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    facts = {stack.spec: list_facts(folder.facts.of_stack(stack.spec)) for stack in folder.stacks}
    native = _count_native_operations(folder.facts)

    def verdict(claim: Claim) -> JudgedClaim:
        if claim.kind == "fact":
            return judge_fact(claim, facts, systems)
        if claim.kind in {"start-up", "rate-change"}:
            return burst_claims.judge_trace(claim, traces, systems)
        return judge_claim(claim, observed, systems)

    return PaperResult(
        name=paper.name,
        title=paper.title,
        source=paper.source,
        about=paper.about,
        systems=tuple((role, specs) for role, specs in systems.items() if specs and role not in specs),
        simulated=tuple(role for role, specs in systems.items() if specs and simulated.issuperset(specs)),
        tables=tuple(redraw(table, observed, systems) for table in paper.tables),
        qualitative_tables=tuple(fill_table(one, observed, systems, native) for one in paper.words),
        figures=tuple(make_paper_figure(one, observed, traces, systems) for one in paper.plots),
        claims=tuple(verdict(claim) for claim in paper.claims),
        missing=(
            *find_missing(asked, folder.stacks, [cell.kernel for cell in folder.plan.cells]),
            *find_unmeasured(systems, observed),
        ),
        left_out=tuple(role for role, _ in paper.systems if role not in dict(asked.systems)),
        notes=paper.notes,
    )


def find_unmeasured(systems: Mapping[str, Sequence[str]], observed: Sequence[Observation]) -> tuple[str, ...]:
    """Stacks that are here and delivered nothing, by role: they failed, and the page says elsewhere how."""
    delivered = {one.stack for one in observed}
    lost = {spec: role for role, specs in reversed(list(systems.items())) for spec in specs if spec not in delivered}
    return tuple(f"{role} ({spec}): no samples, see the failures" for spec, role in lost.items())


def add_named_systems(paper: Paper, named: Sequence[str]) -> Paper:
    """The paper with a column in each table and a line in each figure of real systems for every stack of the user's."""
    if not named:
        return paper
    columns = tuple(Column(spec, spec) for spec in named)
    return evolve(
        paper,
        tables=tuple(evolve(table, columns=(*table.columns, *columns)) for table in paper.tables),
        plots=tuple(
            evolve(one, systems=(*one.systems, NAMED)) if paper.is_real(one.systems) else one for one in paper.plots
        ),
    )


def _count_native_operations(facts: PluginFacts) -> dict[str, tuple[int, int]]:
    """By stack: how many of all operations it has of its own."""
    return {
        one.stack: (sum(support == "native" for _, support in one.operations), len(one.operations))
        for one in facts.stacks
    }


def list_facts(facts: StackFacts) -> frozenset[str]:
    """What a stack needs beside its library, in the words of claims: ``daemon`` when one is brought up for it."""
    return frozenset({"daemon"}) if facts.daemon else frozenset()
