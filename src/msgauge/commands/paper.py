"""``msgauge paper``: the experiments of a published paper repeated, its claims tested on new data."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge import evaluation, pipeline
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.errors import UsageError
from msgauge.frontend.exit_status import exit_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.study_options import StudyOptions, make_limits, parse_ranks
from msgauge.frontend.typed_lists import read_list
from msgauge.frontend.whole_numbers import MaybeWhole, Whole
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.launchers.known_launchers import read_hosts
from msgauge.papers import catalogue, derived_results
from msgauge.papers.catalogue import Paper
from msgauge.papers.result import PaperResult
from msgauge.pipeline import Result
from msgauge.report import json_output
from msgauge.report.terminal.console import print_warning
from msgauge.report.terminal.progress import ProgressView
from msgauge.results.run_folder import RunFolder


def paper(
    name: str = "",
    /,
    *,
    list: bool = False,
    stacks: str = "",
    systems: str = "",
    ranks: str = "",
    rounds: MaybeWhole = None,
    budget: str = "",
    seed: Whole = 0,
    hosts: str = "",
    ssh_config: str = "",
    runs: Path = RUNS,
    resume: Path | None = None,
    json: bool = False,
) -> int:
    """Repeat the experiments of a published paper and test its claims.

    Parameters
    ----------
    name
        One of the names that --list shows.
    list
        List the papers.
    stacks
        Additional stacks to measure with those of the paper.
    systems
        Measure only these systems of the paper, by their roles in it (pvm,mpich).
    ranks
        Measure only on these numbers of processes (10,50).
    rounds
        Exact number of rounds.
    budget
        Limit of the measuring time; at most 15 minutes.
    seed
        Seed of all random orders.
    hosts
        Measure across a network too: the hosts, e.g. lab:2@100baset (emulated) or n1,n2 (by ssh).
    ssh_config
        What 'ssh -F' is told; your own configuration by default.
    runs
        Folder in which run folders are created.
    resume
        Resume this run folder of a paper, or print it again; only --rounds and --budget can be changed.
    json
        Print the result as JSON.
    """
    if list or not (name or resume):
        return _print_list(json=json)
    asked = StudyOptions(rounds=rounds, budget=budget, seed=seed, hosts=hosts, ssh_config=ssh_config)
    if resume is not None:
        _refuse_options(asked, {"--stacks": stacks, "--systems": systems, "--ranks": ranks})
        result = _resume(resume, name, asked)
    else:
        further = read_list("--stacks", stacks)
        wanted = _load_wanted(name, read_list("--systems", systems), parse_ranks(ranks))
        result = _measure(wanted, asked, further, runs)
    if missing := evaluation.keep_page(result.folder):
        print_warning(missing)
    found = result.folder.read_derived("paper", PaperResult)
    assert found is not None  # the page is made of it
    _print_result(found, result, json=json)
    return exit_code(result.analysis, hosts_lost=result.hosts_lost)


def _load_wanted(name: str, roles: Sequence[str], ranks: Sequence[int]) -> Paper:
    wanted = catalogue.load_paper(name)
    wanted = catalogue.only(wanted, roles) if roles else wanted
    return catalogue.limit_ranks(wanted, ranks) if ranks else wanted


def _measure(wanted: Paper, asked: StudyOptions, named: Sequence[str], runs: Path) -> Result:
    """Run the part of a paper that can be run here; what is missing is printed first."""
    if asked.hosts and not wanted.network:
        known = ", ".join(name for name in catalogue.list_shipped_papers() if catalogue.load_paper(name).network)
        raise UsageError(
            f"no network stands for that of {wanted.name}", remedy=f"leave --hosts out; papers on a network: {known}"
        )
    if asked.hosts and len(read_hosts(asked.hosts).names) == 1:
        what = f"one host has no network: {wanted.name} across hosts needs two or more"
        raise UsageError(what, remedy="write for example --hosts lab:2@gigabit, or leave --hosts out")
    kernels = load_kernels()
    systems = [expression for _, expressions in wanted.systems for expression in expressions]
    here = registry.discover(this_host(), load_config(), [*systems, *named])
    ready = catalogue.make_runnable(
        wanted, lambda names: registry.select(here, names), kernels, named, on_hosts=bool(asked.hosts)
    )
    for one in ready.missing:
        print(f"missing: {one}", file=sys.stderr)
    limits = make_limits(ready.study.stopping, asked)
    usual = ready.study.stopping
    limits = evolve(limits, budget_s=min(limits.budget_s, catalogue.LONGEST_S), deadline_s=usual.deadline_s)
    study = evolve(
        ready.study, stopping=limits, seed=asked.seed, hosts=asked.hosts or "local", ssh_config=asked.ssh_config
    )
    with ProgressView(kernels=tuple(kernels.values())) as watch:
        return pipeline.run(study, runs, watch)


def _refuse_options(asked: StudyOptions, selections: Mapping[str, str]) -> None:
    """A run that goes on has its systems, ranks, hosts and seed; ``selections``: what chose them, by option.

    Raises:
        UsageError: one of them is given.
    """
    chosen = {**selections, "--seed": asked.seed, "--hosts": asked.hosts, "--ssh-config": asked.ssh_config}
    if given := [option for option, value in chosen.items() if value]:
        raise UsageError(
            f"--resume takes its paper from the run folder, as it was measured there: not {', '.join(given)}",
            remedy="leave out all other options except --rounds and --budget",
        )


def _resume(path: Path, name: str, asked: StudyOptions) -> Result:
    study = RunFolder.open(path).plan.study
    if study not in catalogue.list_shipped_papers():
        raise UsageError(f"{path} is not the run of a paper", remedy="see 'msgauge paper --list'")
    if name and name != study:
        raise UsageError(f"{path} is a run of {study}, not of {name}", remedy=f"leave out the name, or write {study}")
    limits = None if asked == StudyOptions() else lambda usual, done: make_limits(usual, asked, done)
    with ProgressView(kernels=tuple(load_kernels().values())) as watch:
        return pipeline.resume(path, watch, limits)


def _print_list(*, json: bool) -> int:
    """Name, what it compares, and where it was published."""
    known = [catalogue.load_paper(name) for name in catalogue.list_shipped_papers()]
    if json:
        rows = [{"name": one.name, "title": one.title, "source": one.source, "about": one.about} for one in known]
        print(json_output.text({"papers": rows}))
        return 0
    for one in known:
        network = f"\n    across its network too: --hosts {one.emulation}" if one.network else ""
        print(f"{one.name}\n    {one.title}\n    {one.source}\n    {one.about}{network}")
    print("\nTo run one: msgauge paper NAME")
    return 0


def _print_result(found: PaperResult, result: Result, *, json: bool) -> None:
    if json:
        print(json_output.text(derived_results.of_paper(found, result.path)))
        return
    from msgauge.report import view
    from msgauge.report.terminal import paper_terminal, run_terminal

    paper_terminal.print_paper(found, result.path)
    run_terminal.print_warnings(view.load(result.folder, result.analysis))
