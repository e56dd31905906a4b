"""The options that ``compare``, ``run`` and ``plan`` share, and the study made from them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from attrs import evolve, frozen
from cyclopts import Parameter

from msgauge import units
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.discovery.factor_expansion import spread
from msgauge.errors import StudyError, UsageError
from msgauge.frontend.purposes import add_measures, read_purpose
from msgauge.frontend.typed_lists import read_list
from msgauge.frontend.whole_numbers import MaybeWhole, Whole, shorten
from msgauge.host_lists import load_host_file
from msgauge.hosts import this_host
from msgauge.model import Kernel, Stopping, VariantMark
from msgauge.model.factors import parse_axis
from msgauge.model.kernel_names import find_kernel
from msgauge.model.plan import MOST_RANKS, MOST_ROUNDS, more_rounds
from msgauge.model.stack_expression import split_list
from msgauge.stacks.base.families import families
from msgauge.study import Measure, Study, load_study, study_of_kernels

_ENDLESS_S = 7 * 86400.0
_NUMBER = re.compile("[0-9]{1,9}")


@Parameter(name="*")
@frozen
class StudyOptions:
    """What a command line says about the study."""

    stacks: Annotated[str, Parameter(help="Stacks, e.g. openmpi,mpich@4.0.2/system,lam or all.")] = ""
    kernels: Annotated[str, Parameter(help="Only these kernels, e.g. pingpong,bcast.")] = ""
    sizes: Annotated[str, Parameter(help="Message sizes, e.g. 8,1KiB or '8B..4MiB x2'.")] = ""
    ranks: Annotated[str, Parameter(help="Numbers of processes, e.g. 2,4.")] = ""
    rounds: Annotated[MaybeWhole, Parameter(help="Exact number of rounds (launches of each stack).")] = None
    budget: Annotated[str, Parameter(help="Limit of the measuring time, e.g. 60s.")] = ""
    seed: Annotated[Whole, Parameter(help="Seed of all random orders; random by default.")] = 0
    hosts: Annotated[str, Parameter(help="Other computers, e.g. n1,n2:4 (by ssh) or lab:4@gigabit.")] = ""
    hostfile: Annotated[str, Parameter(help="A file that lists them, as of Open MPI, MPICH, LAM, PVM, PBS or OGE.")] = (
        ""
    )
    ssh_config: Annotated[str, Parameter(help="What 'ssh -F' is told; your own configuration by default.")] = ""
    map: Annotated[str, Parameter(help="Ranks are dealt to hosts by node (one each in turn) or core (fill).")] = ""
    base: Annotated[str, Parameter(help="The stack that the others are compared with.")] = ""
    by: Annotated[str, Parameter(help="Add stacks that differ only in language, map, transport, version or wait.")] = ""
    clock: Annotated[str, Parameter(help="Clock: monotonic or tsc.")] = ""
    again: Annotated[bool, Parameter(help="Measure each stack twice (A/A comparison).")] = False
    purpose: Annotated[
        str, Parameter(name="--for", help="Weigh for latency, bandwidth, rate, fan-out, or by a file of weights.")
    ] = ""
    quiet_start: Annotated[bool, Parameter(help="Leave out launches that began on a disturbed machine.")] = False


def make_study(name: str, asked: StudyOptions, kernels: Mapping[str, Kernel]) -> Study:
    """The named study with what the command line changes.

    Raises:
        StudyError: the study has mistakes.
        UsageError: an option that makes no sense.
    """
    study = _load(name, kernels)
    _refuse_empty_lists(asked)
    parse_axis(asked.by)
    sizes = units.parse_sizes(asked.sizes) if asked.sizes else ()
    stacks = tuple(split_list(asked.stacks)) or study.stacks
    purpose = read_purpose(asked.purpose, kernels) if asked.purpose else study.purpose
    return evolve(
        study,
        stacks=_spread(stacks, asked.by, asked.map or study.map) if asked.by else stacks,
        measures=add_measures(_measures(study, asked, sizes, kernels), purpose, kernels),
        purpose=purpose,
        ranks=parse_ranks(asked.ranks) or study.ranks,
        stopping=make_limits(study.stopping, asked),
        seed=_within("--seed", asked.seed, 2**31 - 1) or study.seed,
        base=asked.base or study.base,
        clock=_clock(asked.clock) or study.clock,
        hosts=_hosts(asked) or study.hosts,
        ssh_config=str(Path(asked.ssh_config).absolute()) if asked.ssh_config else study.ssh_config,
        map=asked.map or study.map,
        again=asked.again or study.again,
        quiet_start=asked.quiet_start or study.quiet_start,
    )


def _load(name: str, kernels: Mapping[str, Kernel]) -> Study:
    """The study of that name; who names a stack in its place is told where stacks are named."""
    try:
        return load_study(name, kernels)
    except StudyError as error:
        if Path(name).exists() or re.split(r"[,@/\[]", name.lower(), maxsplit=1)[0] not in families():
            raise
        raise StudyError(
            f"{name!r} is a stack, not a study", remedy=f"name stacks behind --stacks: --stacks {shlex.quote(name)}"
        ) from error


def _refuse_empty_lists(asked: StudyOptions) -> None:
    """A comma alone names nothing, and would have everything measured; one at an end names less than was meant."""
    for name in ("stacks", "kernels", "sizes", "ranks"):
        read_list(f"--{name}", getattr(asked, name))


def make_limits(usual: Stopping, asked: StudyOptions, done: int = 0) -> Stopping:
    """``--rounds`` means exactly so many; ``--budget`` ends sooner, and so does MSGAUGE_BUDGET_S for tests.

    Either is meant instead of the study's own deadline. ``done``: the rounds of a run that goes on.

    Raises:
        UsageError: a number of rounds or a budget that makes no sense, or that adds nothing to the run.
    """
    if done >= usual.maximum_rounds and asked.budget and not asked.rounds:
        raise UsageError(
            f"all {done} rounds of this run are done: more time adds none",
            remedy=f"ask for more rounds in place of --budget: --rounds {more_rounds(done)}",
        )
    rounds = _within("--rounds", asked.rounds, MOST_ROUNDS, least=1)
    budget_s = units.parse_duration_s(asked.budget) if asked.budget else _ENDLESS_S if rounds else usual.budget_s
    if budget_s <= 0:
        raise UsageError("--budget must be positive", remedy="write for example --budget 60s")
    least, most = (rounds, rounds) if rounds else (usual.minimum_rounds, usual.maximum_rounds)
    deadline_s = 0.0 if asked.rounds or asked.budget else usual.deadline_s
    return evolve(
        usual, budget_s=min(budget_s, read_most_s()), minimum_rounds=least, maximum_rounds=most, deadline_s=deadline_s
    )


def read_most_s() -> float:
    """The seconds that ``MSGAUGE_BUDGET_S`` allows any run."""
    return units.parse_duration_s(os.environ.get("MSGAUGE_BUDGET_S") or f"{_ENDLESS_S:.0f}")


def _spread(named: tuple[str, ...], axis: str, usual_map: str) -> tuple[str, ...]:
    """The stacks that are named, and those that differ from them on the axis alone."""
    here = registry.discover(this_host(), load_config())
    chosen = registry.select(here, named)
    other = VariantMark.NODE if usual_map == "core" else VariantMark.CORE
    twins = [stack.with_mark(other) for stack in chosen if axis == "map" and not stack.stays and not stack.map]
    return tuple(stack.spec for stack in spread([*here, *twins], chosen, axis))


def _measures(
    study: Study, asked: StudyOptions, sizes: tuple[int, ...], kernels: Mapping[str, Kernel]
) -> tuple[Measure, ...]:
    """The study's measures of the kernels asked for, those it lacks added; sizes and ranks asked for hold for all."""
    names = list(dict.fromkeys(find_kernel(word, kernels).name for word in split_list(asked.kernels)))
    existing = [measure for measure in study.measures if not names or measure.kernel in names]
    missing = [name for name in names if name not in {measure.kernel for measure in existing}]
    chosen = [*existing, *study_of_kernels(missing, sizes, kernels)]
    resized = [one for one in (_resize(m, sizes, chosen) if kernels[m.kernel].sized else m for m in chosen) if one]
    return tuple(evolve(measure, ranks=()) if asked.ranks else measure for measure in resized)


def _resize(measure: Measure, sizes: tuple[int, ...], chosen: Sequence[Measure]) -> Measure | None:
    """A measure with the sizes asked for.

    Single operations that a study times beside batches, for their tails, keep those of their own sizes that are among
    them; None where none is.
    """
    if not sizes:
        return measure
    batched = any(one.kernel == measure.kernel and one.mode == "batch" for one in chosen)
    if measure.mode == "batch" or not batched:
        return evolve(measure, sizes=sizes)
    kept = tuple(size for size in measure.sizes if size in sizes)
    return evolve(measure, sizes=kept) if kept else None


def _hosts(asked: StudyOptions) -> str:
    """What ``--hosts`` says, or the hosts of ``--hostfile`` in the same words, so that a run does not need the file."""
    if asked.hostfile and asked.hosts:
        raise UsageError("--hosts and --hostfile both name hosts", remedy="leave one of them out")
    return f"ssh:{load_host_file(Path(asked.hostfile))}" if asked.hostfile else asked.hosts


def parse_ranks(text: str) -> tuple[int, ...]:
    """``2,4`` as numbers, each once; none for no words.

    Raises:
        UsageError: something that is no number of processes, or a comma with nothing beside it.
    """
    numbers = read_list("--ranks", text)
    if not all(_NUMBER.fullmatch(number) and 0 < int(number) <= MOST_RANKS for number in numbers):
        raise UsageError(f"cannot read --ranks {shorten(text)!r}", remedy="write numbers of processes: --ranks 2,4")
    return tuple(sorted({int(number) for number in numbers}))


def _within(name: str, number: int | None, most: int, least: int = 0) -> int:
    """The number, 0 when none was named."""
    if number is not None and not least <= number <= most:
        raise UsageError(f"{name} {number} is not between 1 and {most}", remedy=f"write for example {name} 10")
    return number or 0


def _clock(word: str) -> str:
    if word not in ("", "monotonic", "tsc"):
        raise UsageError(f"unknown clock {word!r}", remedy="write --clock monotonic or --clock tsc")
    return word
