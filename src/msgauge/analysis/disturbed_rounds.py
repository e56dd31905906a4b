"""Rounds in which the machine changed its speed: they count, and the report says what would change without them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import evolve

from msgauge.analysis.run import choose_levels
from msgauge.analysis.verdicts.verdict_family import Asked, judge_family
from msgauge.model import Analysis, Notice, Word
from msgauge.results.dataset import Dataset
from msgauge.results.disturbances import find_disturbances
from msgauge.units import format_count, format_percent

UNDECIDED: Word = "undecided"
"""What is said of two stacks that have no round together any more."""


def add_disturbances(dataset: Dataset, analysis: Analysis) -> Analysis:
    """The analysis with a notice of the disturbed rounds; all pairs are judged without them to say what changes.

    Nothing is left out by it: a round that is left out for what was seen during it may be picked by its outcome.
    """
    left_out = [
        Notice(
            "quiet-start",
            f"{format_count(len(dataset.left_out), 'block')} of launches began on a machine whose speed was unusual; "
            "left out, as the study asks (quiet_start).",
            "rerun on an idle machine",
            (("rounds", _join_rounds({block.round for block in dataset.left_out})),),
        )
    ]
    kept = left_out if dataset.left_out else []
    return evolve(analysis, warnings=(*analysis.warnings, *kept, *_find_disturbed(dataset, analysis)))


def _find_disturbed(dataset: Dataset, analysis: Analysis) -> list[Notice]:
    found = find_disturbances(record for record in dataset.records if record.launch.in_block not in dataset.left_out)
    rounds = {record.launch.round for record in dataset.records if record.launch.number in found.launches}
    if not rounds:
        return []
    told = _judge(dataset, analysis)
    changed, with_others = (_count_changed(dataset, analysis, told, one) for one in (rounds, _as_many(dataset, rounds)))
    rate = format_percent(found.threshold.false_alarm_rate)
    where = f"in {len(rounds)} of {format_count(dataset.rounds, 'round')}"
    return [
        Notice(
            "disturbed",
            f"machine speed changed during {len(found.launches)} of {format_count(len(dataset.records), 'launch')}, "
            f"{where}; all count. {_describe(changed, with_others, len(told))}.",
            "end other programs, run 'msgauge doctor', or measure more rounds",
            (
                ("rounds", _join_rounds(rounds)),
                ("launches", ", ".join(map(str, sorted(found.launches)))),
                ("verdicts that change without them", str(changed)),
                *([] if with_others is None else [("verdicts that change without as many others", str(with_others))]),
                ("false alarms", f"{rate} of launches, by {found.threshold.pairs} pairs with nothing run between"),
            ),
        )
    ]


def _judge(dataset: Dataset, analysis: Analysis) -> Mapping[Asked, Word]:
    """Every word of the family: medians and tails of every two stacks in every cell, whatever the base."""
    return judge_family(dataset, choose_levels(dataset, analysis.stopped), with_tails=True).words


def _as_many(dataset: Dataset, rounds: Collection[int]) -> set[int]:
    """As many of the other rounds, evenly among them; empty where there are fewer."""
    others = sorted({record.launch.round for record in dataset.records} - set(rounds))
    return (
        {others[at * len(others) // len(rounds)] for at in range(len(rounds))} if len(others) >= len(rounds) else set()
    )


def _count_changed(
    dataset: Dataset, analysis: Analysis, told: Mapping[Asked, Word], rounds: Collection[int]
) -> int | None:
    """How many verdicts are others without these rounds; None of no rounds."""
    if not rounds:
        return None
    without = _judge(dataset.select(lambda record: record.launch.round not in rounds), analysis)
    return sum(without.get(about, UNDECIDED) != word for about, word in told.items())


def _describe(changed: int | None, with_others: int | None, verdicts: int) -> str:
    """Fewer rounds decide less, whichever they are: what so many others do is told beside it."""
    if not changed:
        return f"Without these rounds no verdict of {verdicts} would change"
    beside = "" if with_others is None else f", without as many others {with_others or 'none'}"
    return f"Without these rounds {changed} of {format_count(verdicts, 'verdict')} would change{beside}"


def _join_rounds(rounds: set[int]) -> str:
    return ", ".join(str(number + 1) for number in sorted(rounds))
