"""``msgauge paper``: the experiments of a document run again, its claims judged on today's data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import evolve

from msgauge import answers, conclusion, papers, pipeline
from msgauge.advise.paper_result import PaperResult
from msgauge.analysis import derived
from msgauge.commands.asked import Asked, asked_limits
from msgauge.commands.compare import exit_code
from msgauge.config import load_config
from msgauge.errors import UsageError
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.papers import Paper
from msgauge.pipeline import Result
from msgauge.report.live import Live
from msgauge.stacks import registry
from msgauge.stacks.choice import split_list
from msgauge.store import RunFolder


def paper(
    name: str = "",
    /,
    *,
    list: bool = False,
    stacks: str = "",
    systems: str = "",
    rounds: int = 0,
    budget: str = "",
    seed: int = 0,
    runs: Path = Path("runs"),
    resume: Path | None = None,
    json: bool = False,
) -> int:
    """Run a document's experiments again and judge its claims.

    Parameters
    ----------
    name
        One of those that --list shows.
    list
        Show the documents there are.
    stacks
        Further stacks to measure beside those of the document.
    systems
        Measure only these systems of the document, by their roles in it (pvm,mpich).
    rounds
        Exactly so many rounds.
    budget
        Time to measure at most; never more than 15 minutes.
    seed
        Seed of all random orders.
    runs
        The folder that run folders are made in.
    resume
        Go on with this run folder of a paper.
    json
        Print the result as JSON.
    """
    if list or not (name or resume):
        return _show_list(json=json)
    asked = Asked(rounds=rounds, budget=budget, seed=seed)
    if resume is not None:
        result = _resumed(resume, asked)
    else:
        result = _measured(_wanted(name, split_list(systems)), asked, split_list(stacks), runs)
    found = derived.paper(RunFolder.open(result.path))
    if found is None:
        raise UsageError(f"{result.path} is not the run of a paper", remedy="see 'msgauge paper --list'")
    conclusion.write_page(result.path)
    _show(found, result.path, json=json)
    return exit_code(result.analysis, None)


def _wanted(name: str, roles: Sequence[str]) -> Paper:
    whole = papers.load_paper(name)
    return papers.only(whole, roles) if roles else whole


def _measured(wanted: Paper, asked: Asked, named: Sequence[str], runs: Path) -> Result:
    """Run what of a paper can be run here; what is missing is told first."""
    kernels = load_kernels()
    here = registry.discover(this_host(), load_config())
    ready = papers.ready(wanted, here, kernels, named)
    for one in ready.missing:
        print(f"missing: {one}", file=sys.stderr)
    limits = asked_limits(ready.study.stopping, asked)
    usual = ready.study.stopping
    limits = evolve(limits, budget_s=min(limits.budget_s, papers.LONGEST_S), deadline_s=usual.deadline_s)
    study = evolve(ready.study, stopping=limits, seed=asked.seed)
    with Live(kernels=tuple(kernels.values())) as watch:
        return pipeline.run(study, runs, watch)


def _resumed(path: Path, asked: Asked) -> Result:
    with Live(kernels=tuple(load_kernels().values())) as watch:
        return pipeline.resume(path, watch, lambda usual: asked_limits(usual, asked) if asked != Asked() else usual)


def _show_list(*, json: bool) -> int:
    """Name, what it compares, and where it was published."""
    known = [papers.load_paper(name) for name in papers.shipped_papers()]
    if json:
        rows = [{"name": one.name, "title": one.title, "source": one.source, "about": one.about} for one in known]
        print(answers.text(rows))
        return 0
    for one in known:
        print(f"{one.name}\n    {one.title}\n    {one.source}\n    {one.about}")
    print("\nRun one with: msgauge paper NAME")
    return 0


def _show(found: PaperResult, path: Path, *, json: bool) -> None:
    if json:
        print(answers.text(derived.of_paper(found, path)))
        return
    from msgauge.report import paper_terminal

    paper_terminal.show(found, path)
