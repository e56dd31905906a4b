"""The whole story: discover -> plan -> build -> launch -> store -> analyse -> report.

Each arrow is a function from frozen values to frozen values, and its result is on disk, so any stage runs again alone.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve, frozen

from msgauge import evaluation
from msgauge.build import CompilerRoom, begin_builds, count_idle, find_spare_cores
from msgauge.campaign import measure, put_torn_rounds_aside
from msgauge.config import load_config
from msgauge.discovery import machine, registry
from msgauge.discovery.old_version import find_versions, refuse_others
from msgauge.discovery.plugin_facts import describe_plugins
from msgauge.discovery.same_machine import refuse_other_machine
from msgauge.errors import UsageError
from msgauge.execution.coming_builds import ComingBuilds
from msgauge.execution.host_survey import survey_hosts
from msgauge.hosts import list_cores, this_host
from msgauge.kernels import load_kernels
from msgauge.launchers.known_launchers import examine_hosts, launcher_of, read_hosts
from msgauge.launchers.launcher import reason_against_job, unfit_reason
from msgauge.model import (
    OTHER_USER,
    Analysis,
    ConditionsChanged,
    Event,
    HostSet,
    Plan,
    PluginFacts,
    Stack,
    Stopping,
    StopReason,
    VariantMark,
)
from msgauge.papers.claim_cells import find_claim_cells
from msgauge.plan import WorkerCapabilities, launches_of_round, make_plan
from msgauge.results.run_folder import RunFolder
from msgauge.stacks.base.families import families
from msgauge.stats.look_schedule import extend_looks
from msgauge.study import Measure, Study, print_study

Watcher = Callable[[Event], None]


@frozen
class Prepared:
    """What is known before anything runs: the study with its seed, its stacks, the plan, what plug-ins state."""

    study: Study
    stacks: tuple[Stack, ...]
    plan: Plan
    facts: PluginFacts


@frozen
class Result:
    """A run that ended: its folder, and what may be claimed from it."""

    folder: RunFolder
    analysis: Analysis

    @property
    def path(self) -> Path:
        """Where the folder is."""
        return self.folder.path

    @property
    def hosts_lost(self) -> bool:
        """Whether launches failed as their hosts were gone."""
        return any(record.lost for record in self.folder.dataset.records)


def run(study: Study, runs: Path, watch: Watcher) -> Result:
    """Measure a study and keep it in a new folder below ``runs``.

    Raises:
        StackError: a stack that the study names is not here or not usable.
        UsageError: the study makes no sense on these stacks.
        StoreError: the run folder cannot be written.
    """
    return run_prepared(prepare(study), runs, watch)


def run_prepared(ready: Prepared, runs: Path, watch: Watcher, *, against: bool = False) -> Result:
    """The same from what ``prepare`` gave: who must say something before the run starts prepares it alone."""
    text, here = print_study(evolve(ready.study, base="") if against else ready.study), machine.describe()
    with RunFolder.create(runs, text, ready.plan, here, ready.stacks, facts=ready.facts) as folder:
        return _carry_out(folder, watch, ready.plan.stopping)


def resume(path: Path, watch: Watcher, limits: Callable[[Stopping, int], Stopping] | None = None) -> Result:
    """Go on with a run that was interrupted, as if nothing had happened: same plan, same seed, same orders.

    ``limits`` makes other limits of the run's own and the rounds that it has, so that one which had ended goes on.

    Raises:
        StoreError: no run folder, a damaged one, or another msgauge is writing it.
        UsageError: it was measured on another computer, or with another build of a stack, or has more rounds than
            ``limits`` allow.
    """
    with RunFolder.open(path, write=True) as folder:
        usual = folder.plan.stopping
        after = usual if limits is None else _extend(folder, limits(usual, folder.dataset.rounds))
        if folder.plan.hosts.on_this_computer:
            here = machine.describe()
            refuse_other_machine(folder.machine, here, str(path))
            for notice in evaluation.begin_again(folder, here):
                watch(ConditionsChanged(notice))
        return _carry_out(folder, watch, after)


def _extend(folder: RunFolder, limits: Stopping) -> Stopping:
    """Those of a run that goes on to other limits; one that had come to its end and is to end there has its own."""
    usual, done = folder.plan.stopping, folder.dataset.rounds
    if limits.maximum_rounds < done:
        shown = f"msgauge show {shlex.quote(str(folder.path))}"
        raise UsageError(
            f"{folder.path} has {done} rounds already: none is taken away by --rounds {limits.maximum_rounds}",
            remedy=f"give --rounds {done + 1} or more, or see what was measured: {shown}",
        )
    return usual if limits.maximum_rounds == usual.maximum_rounds == done else extend_looks(usual, limits, done)


def prepare(study: Study, against: str = "", named: Sequence[str] = ()) -> Prepared:
    """Discover -> plan. Raises StackError and UsageError, as ``run`` does.

    ``against``: a run folder, a prefix or a stack; the study's stack is interleaved with its old version from there.
    ``named``: the stacks that the user named beside it.
    """
    hosts, host = examine_hosts(find_hosts(study)), this_host()
    config = load_config()
    here = registry.discover(host, config, () if against else _list_named(study))
    chosen = registry.select(here, study.stacks)
    stacks, doubt = tuple(_with_twins(chosen)) if study.again else chosen, ""
    if against:
        found = find_versions(against, chosen, here, host, config)
        refuse_others(found.new, named, here, against)
        stacks, doubt, study = (found.old, found.new), found.doubt, _of_versions(study, found.new, here)
    seeded = evolve(
        study,
        seed=study.seed or secrets.randbelow(2**31 - 1) + 1,
        base=stacks[0].spec if against else _base(study.base, here, stacks),
        measures=study.measures if against else tuple(_of_stacks(measure, here) for measure in study.measures),
    )
    kernels = load_kernels()
    memory_bytes = machine.find_free_memory() if hosts.on_this_computer else 0
    host = evolve(host, cores=hosts.cores or host.cores, memory_bytes=memory_bytes)
    hosts = deal_ranks(stacks, hosts)
    plan = make_plan(seeded, stacks, kernels, host, {stack.spec: offer_of(stack, hosts) for stack in stacks})
    plan = evolve(plan, absent=registry.absent(here, study.stacks), hosts=hosts, doubt_of_old=doubt)
    plan = evolve(plan, claims=find_claim_cells(plan, stacks, kernels))
    return Prepared(seeded, stacks, plan, describe_plugins(plan, stacks, kernels))


def _list_named(study: Study) -> Sequence[str]:
    """All expressions of a study; none where it takes what there is."""
    measured = (expression for measure in study.measures for expression in measure.stacks)
    return [*study.stacks, *measured, *filter(None, [study.base])] if study.stacks else ()


def find_hosts(study: Study) -> HostSet:
    """The hosts that a study names; nothing is asked of them yet. Raises UsageError."""
    hosts = read_hosts(study.hosts, study.map)
    return evolve(hosts, config=study.ssh_config) if study.ssh_config else hosts


def _carry_out(folder: RunFolder, watch: Watcher, limits: Stopping) -> Result:
    """Build -> launch -> analyse; Ctrl-C leads to the analysis of what is there. ``limits``: those it goes on to."""
    try:
        with (
            _begin_builds(folder, watch) as builds,
            launcher_of(folder.plan.hosts).open(folder.plan.hosts, _users(folder.stacks)) as access,
        ):
            folder.write_hosts(access.facts)
            if access.reach.agent and not folder.host_survey:
                folder.write_derived("host-survey", {one.name: dict(one.said) for one in survey_hosts(access, ())})
            if folder.dataset.records:
                put_torn_rounds_aside(folder, builds, this_host().cores, watch)
            if limits != folder.plan.stopping:
                folder.extend(limits)
            why = measure(folder, builds, this_host(), watch, access)
    except KeyboardInterrupt:
        why = StopReason.INTERRUPTED
    return Result(folder, evaluation.conclude(folder, why))


def _users(stacks: Sequence[Stack]) -> list[str]:
    return sorted({stack.user for stack in stacks if stack.user})


@contextmanager
def _begin_builds(folder: RunFolder, watch: Watcher) -> Iterator[ComingBuilds]:
    """One worker for each stack, or the reason why it has none. Leaving it, also by Ctrl-C, ends all compilers.

    All of them are made before anything is measured, but where cores are to spare for compilers: there the first round
    begins at once, and workers are made in the order in which it needs them.
    """
    plan, stacks, spare = folder.plan, folder.stacks, _find_spare_cores(folder)
    if spare:
        needed = [launch.stack for launch in launches_of_round(plan, 0, 0)]
        stacks = tuple(sorted(stacks, key=lambda stack: [*needed, stack.spec].index(stack.spec)))
    at_once = count_idle(len(spare) or this_host().cores)
    room = CompilerRoom(at_once, tuple(number for core in spare for number in core))
    kernels = frozenset(cell.kernel for cell in plan.cells)
    with begin_builds(stacks, folder.build_folder, kernels, room) as (coming, compilers):
        builds = ComingBuilds(folder, watch, coming, compilers)
        try:
            if not spare:
                builds.wait_for_all()
            yield builds
        finally:
            builds.look()


def _find_spare_cores(folder: RunFolder) -> tuple[tuple[int, ...], ...]:
    """Those for compilers beside the first round; later ones hold what is open for the stacks that have a worker."""
    if folder.dataset.records:
        return ()
    return find_spare_cores(folder.plan, list_cores(), folder.machine.get("cpu_quota"))


def deal_ranks(stacks: Sequence[Stack], hosts: HostSet) -> HostSet:
    """The hosts with the stacks whose ranks are dealt out to them in a way of their own.

    Raises:
        UsageError: there are such stacks, and no hosts.
    """
    maps = tuple((stack.spec, stack.map) for stack in stacks if stack.map)
    if maps and not hosts.names:
        what = f"{maps[0][0]} says how ranks are dealt to hosts, and this run has none"
        raise UsageError(what, remedy="name them: --hosts n1:4,n2:4, or --hosts lab:2x2@gigabit for emulated ones")
    return evolve(hosts, maps=maps)


def offer_of(stack: Stack, hosts: HostSet | None = None) -> WorkerCapabilities:
    """What the worker of a stack can do, as its family says, and whether it reaches these hosts."""
    family = families()[stack.family]
    confined = ""
    if hosts and hosts.names and not stack.stays:
        needs = family.needs_of(stack)
        if needs is not None and stack.user:
            needs |= {OTHER_USER}
        confined = unfit_reason(needs, launcher_of(hosts), family.pmis(stack), hosts.pmis)
        confined = confined or reason_against_job(hosts, stack.user, family.daemon)
        if hosts.of(stack.spec).map == "node" and len(hosts.names) > 1:
            confined = confined or family.confinement(stack)
    return WorkerCapabilities(family.kernels(stack), family.capabilities(stack), confined)


def _with_twins(stacks: Sequence[Stack]) -> list[Stack]:
    """Every stack, and the same once more as ``SPEC[again]``: what differs between the two is noise."""
    return [twin for stack in stacks for twin in (stack, stack.with_mark(VariantMark.AGAIN))]


def _of_stacks(measure: Measure, here: Sequence[Stack]) -> Measure:
    """The measure with the specs that its expressions mean; one that names none stays for all stacks."""
    if not measure.stacks:
        return measure
    return evolve(measure, stacks=tuple(stack.spec for stack in registry.select(here, measure.stacks)))


def _of_versions(study: Study, new: Stack, here: Sequence[Stack]) -> Study:
    """The study of a stack and its old version: both run what is meant for it."""
    meant = [one for one in study.measures if not one.stacks or new.spec in _of_stacks(one, here).stacks]
    return evolve(study, stacks=(new.spec,), measures=tuple(evolve(one, stacks=()) for one in meant), again=False)


def _base(named: str, here: Sequence[Stack], stacks: Sequence[Stack]) -> str:
    """The spec that an expression such as ``openmpi`` or ``fake[L=2us]`` means among the stacks that are measured."""
    specs = [stack.spec for stack in stacks]
    if not named or named in specs:
        return named
    (meant, *_) = registry.select(here, (named,))
    begun = [spec for spec in specs if spec.startswith(f"{meant.family}@")]
    return begun[0] if meant.spec not in specs and len(begun) == 1 else meant.spec
