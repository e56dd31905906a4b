"""From the run of a paper to what its page says: observations out of samples, then tables, figures and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import evolve

from msgauge.analysis.estimates.burst_traces import Trace, make_traces
from msgauge.analysis.estimates.observations import Observation, make_observations
from msgauge.model import HostSet, PluginFacts, StackFacts
from msgauge.model.rounding import round_floats
from msgauge.papers import burst_claims
from msgauge.papers.case_levels import choose_error
from msgauge.papers.catalogue import (
    NAMED,
    Paper,
    PlacedSystems,
    Roles,
    find_missing,
    list_shipped_papers,
    load_paper,
    restrict,
    systems_of,
)
from msgauge.papers.claim_cells import list_planned
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim, judge_fact
from msgauge.papers.figures import make_paper_figure
from msgauge.papers.qualitative_tables import fill_table
from msgauge.papers.result import PaperResult
from msgauge.papers.tables import Column, redraw
from msgauge.results.run_folder import RunFolder
from msgauge.results.stop_reason import read_stop_reason


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
    hosts = folder.plan.hosts
    placed = systems_of(paper, folder.stacks, on_hosts=bool(hosts.names))
    asked = restrict(paper, folder.plan.systems) if folder.plan.systems else paper
    paper, placed = add_named_systems(paper, placed)
    systems = placed.every
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    native = _count_native_operations(folder.facts)
    across, places = _name_place(hosts), _find_places(folder, placed, observed)
    error = choose_error(folder.plan.stopping, read_stop_reason(folder))
    return PaperResult(
        name=paper.name,
        title=paper.title,
        source=paper.source,
        about=paper.about,
        systems=tuple((role, specs) for role, specs in systems.items() if specs and role not in specs),
        simulated=tuple(role for role, specs in systems.items() if specs and simulated.issuperset(specs)),
        network=hosts.network or (hosts.asked if hosts.names else ""),
        across=across,
        tables=tuple(redraw(table, observed, placed.here, placed.across) for table in paper.tables),
        qualitative_tables=tuple(fill_table(one, observed, placed.here, native) for one in paper.words),
        figures=tuple(make_paper_figure(one, observed, traces, systems, places) for one in paper.plots),
        claims=judge_claims([evolve(one, error=error) for one in paper.claims], folder, placed, observed, traces),
        missing=(
            *find_missing(asked, systems, [cell.kernel for cell in folder.plan.cells]),
            *find_unmeasured(systems, observed, _list_untried(folder)),
            *_find_other_network(paper, hosts),
        ),
        left_out=tuple(role for role, _ in paper.systems if role not in dict(asked.systems)),
        notes=paper.notes,
    )


def judge_claims(
    claims: Sequence[Claim],
    folder: RunFolder,
    placed: PlacedSystems,
    observed: Sequence[Observation],
    traces: Sequence[Trace],
) -> tuple[JudgedClaim, ...]:
    """The verdicts on claims of any kind from what was observed, where they are to be judged."""
    places = _find_places(folder, placed, observed)
    facts = {stack.spec: list_facts(folder.facts.of_stack(stack.spec)) for stack in folder.stacks}
    planned = list_planned(folder.plan)

    def judge(claim: Claim, stacks: Mapping[str, Sequence[str]]) -> JudgedClaim:
        if claim.kind == "fact":
            return judge_fact(claim, facts, stacks)
        if claim.kind in {"start-up", "rate-change"}:
            return burst_claims.judge_trace(claim, traces, stacks)
        return judge_claim(claim, observed, stacks, planned)

    return tuple(judge_where_it_is(claim, placed, places, judge) for claim in claims)


def _find_places(folder: RunFolder, placed: PlacedSystems, observed: Sequence[Observation]) -> dict[str, str]:
    """What the place of each stack is called that delivered something on hosts."""
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    delivered = {one.stack for one in observed} - simulated
    across = _name_place(folder.plan.hosts)
    return {spec: across for specs in placed.across.values() for spec in specs if spec in delivered}


def _name_place(hosts: HostSet) -> str:
    return ("emulated" if hosts.emulated else "across hosts") if hosts.names else ""


def judge_where_it_is(
    claim: Claim,
    placed: PlacedSystems,
    places: Mapping[str, str],
    judge: Callable[[Claim, Mapping[str, Sequence[str]]], JudgedClaim],
) -> JudgedClaim:
    """The verdict across hosts where all systems of the claim were measured there, with that of this computer beside.

    ``places``: what the place of each stack is called that delivered something on hosts. What the claim speaks of may
    have none there (a system of shared memory, a stack that cannot leave its computer); then this computer decides.
    Too little there never makes this computer decide a claim about a network.
    """
    roles = [pick.system for pick in (claim.left, claim.right) if pick.system]
    there = [[spec for spec in placed.across.get(role, ()) if spec in places] for role in roles or placed.across]
    word = next((places[spec] for specs in there for spec in specs), "")
    if claim.kind == "fact" or not word or (roles and not all(there)):
        return judge(claim, placed.here if claim.kind != "fact" else placed.every)
    here = judge(claim, placed.here)
    return evolve(judge(claim, placed.across), place=word, verdict_here=here.verdict, reason_here=here.reason)


def _find_other_network(paper: Paper, hosts: HostSet) -> tuple[str, ...]:
    """That the hosts are joined by another network than that of the document."""
    if not hosts.names or f" {paper.network} " in f" {hosts.network} ":
        return ()
    return (f"the network of the document ({paper.network}: --hosts {paper.emulation})",)


def _list_untried(folder: RunFolder) -> frozenset[str]:
    """Stacks whose worker stands ready, and that were never launched."""
    ready = {build.stack for build in folder.builds if not build.reason}
    return frozenset(ready - {record.launch.stack for record in folder.records()})


def find_unmeasured(
    systems: Mapping[str, Sequence[str]], observed: Sequence[Observation], untried: Collection[str] = ()
) -> tuple[str, ...]:
    """Stacks that are here and delivered nothing, by role: they failed, and the page says elsewhere how.

    ``untried``: those that were never launched; they had no turn.
    """
    delivered = {one.stack for one in observed}
    lost = {spec: role for role, specs in reversed(list(systems.items())) for spec in specs if spec not in delivered}
    why = {True: "no samples, the run ended before its turn", False: "no samples, see the failures"}
    return tuple(f"{role} ({spec}): {why[spec in untried]}" for spec, role in lost.items())


def add_named_systems(paper: Paper, placed: PlacedSystems) -> tuple[Paper, PlacedSystems]:
    """The paper with a column in each table and a line in each figure of real systems for every stack of the user's.

    Such a column has the name of the stack, under which the systems hold it too.
    """
    here, across = placed.here[NAMED], placed.across.get(NAMED, ())
    if not here and not across:
        return paper, placed
    away: Roles = {spec: (spec,) for spec in across}
    near: Roles = {placed.unmarked.get(spec, spec): (spec,) for spec in here}
    names = tuple(dict.fromkeys((*away, *near)))
    paper = evolve(
        paper,
        tables=tuple(
            evolve(one, columns=(*one.columns, *(Column(name, name) for name in names))) for one in paper.tables
        ),
        plots=tuple(
            evolve(one, systems=(*one.systems, NAMED)) if paper.is_real(one.systems) else one for one in paper.plots
        ),
    )
    nothing: Roles = dict.fromkeys(names, ())
    return paper, evolve(placed, here={**placed.here, **nothing, **near}, across={**placed.across, **away})


def _count_native_operations(facts: PluginFacts) -> dict[str, tuple[int, int]]:
    """By stack: how many of all operations it has of its own."""
    return {
        one.stack: (sum(support == "native" for _, support in one.operations), len(one.operations))
        for one in facts.stacks
    }


def list_facts(facts: StackFacts) -> frozenset[str]:
    """What a stack needs beside its library, in the words of claims: ``daemon`` when one is brought up for it."""
    return frozenset({"daemon"}) if facts.daemon else frozenset()
