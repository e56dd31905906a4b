"""What a history tells: changes of many cells at one run as one sentence, and the gate of ``history --fail-on``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import comb

from attrs import frozen

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import CellHistory, Change, History
from msgauge.analysis.verdicts.regression_gate import Gate, Judgement
from msgauge.errors import UsageError
from msgauge.stats.change_points import FEWEST_RUNS, LEVEL
from msgauge.stats.level_differences import SHORTEST
from msgauge.units import format_change, format_count, format_percent


@frozen(eq=False)
class CommonChange:
    """Changes that may have come with one run, ``first``: each series with its change, the largest first."""

    first: int
    members: tuple[tuple[CellHistory, Change], ...]


def group_changes(history: History) -> tuple[CommonChange, ...]:
    """All changes, those together that have a first run in their ranges; in order of runs.

    The run at which most changes are best placed takes along all whose range holds it; then the next.
    """
    left = [(one, change) for one in history.series for change in one.changes]
    found = []
    while left:
        votes = Counter(change.first for _, change in left)
        first = max(votes, key=lambda run: (votes[run], -run))
        mine = [pair for pair in left if pair[1].earliest <= first <= pair[1].latest]
        left = [pair for pair in left if pair not in mine]
        found.append(CommonChange(first, tuple(sorted(mine, key=_weight, reverse=True))))
    return tuple(sorted(found, key=lambda group: group.first))


def describe_changes(history: History) -> tuple[str, ...]:
    """A sentence for each group of changes, or one that says there is none."""
    if not history.tested:
        longest, runs = max(len(one.runs) for one in history.series), format_count(len(history.runs), "run")
        series = f"{runs} here" if longest == len(history.runs) else f"the longest series has {longest} of {runs}"
        return (
            f"No change can be told: {series}, and a change needs {FEWEST_RUNS} of the same stack in the same test.",
        )
    groups = group_changes(history)
    if not groups:
        series, runs = format_count(len(history.tested), "series"), format_count(len(history.runs), "run")
        return (f"No change of level is found in {series} over {runs}; {describe_unseen(history)}.",)
    cause = " and ".join(history.references) or "the machine"
    return tuple(_describe_group(history, group, cause) for group in groups)


def describe_references(history: History) -> tuple[str, ...]:
    """What times are, in a sentence; none where they are as they were measured."""
    if not history.references:
        return ()
    names = " and ".join(history.references)
    what = (
        f"what {names} took in the same rounds is taken out, and a change of all stacks at once may be one of {names}"
    )
    return (f"Times are those at the pace of the median run: {what}.",)


def count_unseen(history: History) -> int:
    """How many of the last runs cannot be told as a new level yet, in the longest series.

    Of n runs the last k are exchanged with others in C(n, k) ways, of which two are as far out.
    """
    runs = max((len(one.runs) for one in history.tested), default=0)
    return next((after - 1 for after in range(SHORTEST, runs) if LEVEL * comb(runs, after) >= 2), runs)


def describe_unseen(history: History) -> str:
    """``one that began in the last 5 runs cannot be seen yet``."""
    return f"one that began in the last {count_unseen(history)} runs cannot be seen yet"


def _describe_group(history: History, group: CommonChange, cause: str) -> str:
    """``cause``: what else may have changed where all stacks did."""
    run = history.runs[group.first]
    parts = []
    for stack in dict.fromkeys(one.key.stack for one, _ in group.members):
        mine = [(one, change) for one, change in group.members if one.key.stack == stack]
        parts.append(_describe_stack(history, stack, mine))
    place = f"number {group.first + 1} of {len(history.runs)}, {format_start(run.started)}"
    all_ = "Both" if len(parts) == 2 else f"All {len(parts)}"
    machine = f" {all_} stacks changed alike, so it may be {cause}." if _is_shared(history, group) else ""
    return f"From run {run.name} on ({place}): {'; '.join(parts)}.{machine}"


def _is_shared(history: History, group: CommonChange) -> bool:
    """Whether every stack of the history, two at least, changed there in half of its series or more, and one factor is
    within the limits of all these changes: nothing then tells a change of the stacks from one of the machine."""
    tested = Counter(one.key.stack for one in history.tested)
    changed = Counter(one.key.stack for one, _ in group.members)
    lows, highs = zip(*(change.together for _, change in group.members), strict=True)
    everywhere = all(2 * changed[stack] >= series for stack, series in tested.items())
    return len(tested) > 1 and everywhere and max(lows) <= min(highs)


def _describe_stack(history: History, stack: str, members: Sequence[tuple[CellHistory, Change]]) -> str:
    """The largest change is picked from all series, so it has limits that hold for all of them together."""
    one, change = members[0]
    of = sum(other.key.stack == stack for other in history.tested)
    word, other = ("slower", "faster") if change.factor > 1 else ("faster", "slower")
    alike = sum((its.factor > 1) == (change.factor > 1) for _, its in members)
    where = (
        f"{word} in {alike} of {of} series"
        if alike == len(members)
        else f"{word} in {alike} and {other} in {len(members) - alike} of {of} series"
    )
    low, high = map(format_change, change.together)
    size = f"{format_change(change.factor)} ({low} to {high})"
    sure = f"p {format_p(change.p_value)}, the change is at run {describe_range(change)}"
    build = {"same": "; its build is the same before and after", "changed": "; its build changed there"}.get(
        change.build, ""
    )
    return f"{stack} is {where}, most in {describe_cell(one.key)}: {size}, {sure}{build}"


def describe_range(change: Change) -> str:
    """``31`` or ``30 to 32``; numbers from 1."""
    if change.earliest == change.latest:
        return str(change.first + 1)
    return f"{change.earliest + 1} to {change.latest + 1}"


def format_start(text: str) -> str:
    """``2026-02-04 02:00`` of a time in ISO 8601; anything else as it is."""
    match = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", text)
    return f"{match[1]} {match[2]}" if match else text


def format_p(value: float) -> str:
    """``= 0.003``; shuffles cannot show less than 0.001."""
    return "≤ 0.001" if value <= 0.001 else f"= {value:.3g}"


def find_since(history: History, since: str) -> int:
    """Number of the first run that counts: a run's name, or the first that began at a time or later.

    A time is read as it is shown, ``2026-11-01 02:00``, and as starts are written, ``2026-11-01T02:00``: in UTC, unless
    it has an offset, ``2026-11-01T02:00+02:00``. A month or a year is its beginning.

    Raises:
        UsageError: there is none.
    """
    if not since:
        return 0
    for number, run in enumerate(history.runs):
        if since in (run.name, run.path) or since.rstrip("/") == run.path:
            return number
    if (start := _read_time(since)) is not None:
        for number, run in enumerate(history.runs):
            began = _read_time(run.started)
            if began is not None and began >= start:
                return number
    last = history.runs[-1]
    raise UsageError(
        f"no run of this history is or follows {since!r}",
        remedy=f"name a run or a time, in UTC unless it has an offset, up to {last.started}",
    )


def _read_time(text: str) -> datetime | None:
    """A time in ISO 8601, also with a space in place of the T; None of anything else."""
    whole = text.strip() + {4: "-01-01", 7: "-01"}.get(len(text.strip()), "")
    try:
        found = datetime.fromisoformat(re.sub(r" +(?=[+-])", "", re.sub(r"^(\d{4}-\d\d-\d\d) +(?=\d)", r"\1T", whole)))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def judge_history(
    gate: Gate, history: History, since: int = 0
) -> tuple[Judgement, tuple[tuple[CellHistory, Change], ...]]:
    """Regression when a change is surely larger than the gate's amount and still stands; and which ones.

    Surely: its limits that hold for all series together lie beyond the amount, and so do those of what later changes
    left of it. A change that was undone since does not count, nor one before run number ``since``, by the run that the
    sentence names for all that may have come with it. Undecided when no series is long enough.
    """
    if not history.tested:
        return "undecided", ()
    failing = tuple(
        (one, change)
        for group in group_changes(history)
        for one, change in group.members
        if group.first >= since and _fails(gate, one, change, len(history.tested))
    )
    return ("regression" if failing else "passed"), failing


def describe_history_gate(gate: Gate, history: History, since: int = 0) -> str:
    """What the gate found, with the first run after the change."""
    judgement, failing = judge_history(gate, history, since)
    amount = f"{gate.word} by more than {format_percent(gate.amount)}"
    if judgement == "undecided":
        return f"--fail-on: undecided: a change needs {FEWEST_RUNS} runs of the same test (exit code 3)"
    if not failing:
        count = len(history.tested)
        earlier = len({id(one) for one, _ in judge_history(gate, history)[1]}) if since else 0
        when = f" from run {history.runs[since].name} on" if since else ""
        accepted = f" (what changed before in {earlier} of them is accepted by --since)" if earlier else ""
        return (
            f"--fail-on: passed: none of {count} series became surely {amount} and stayed so{when}{accepted}; "
            f"{describe_unseen(history)} (exit code 0)"
        )
    first = min(group.first for group in group_changes(history) if set(group.members) & set(failing))
    stacks = ", ".join(dict.fromkeys(one.key.stack for one, _ in failing))
    series = len({id(one) for one, _ in failing})
    return (
        f"--fail-on: failed: {stacks} became surely {amount} in {series} of {len(history.tested)} series; "
        f"first run after the change: {history.runs[first].name}, "
        f"number {first + 1} of {len(history.runs)} (exit code 1)"
    )


def _fails(gate: Gate, one: CellHistory, change: Change, cases: int) -> bool:
    """Whether the change, and what stands of it after later ones, are surely beyond the amount."""
    levels = one.stretches()
    before = max((level for level in levels if level[0] < change.first), key=lambda level: level[0])
    now, (left_low, left_high) = levels[-1][2] / before[2], one.bound_standing(change, cases)
    low, high = change.together
    slower = min(low, left_low, now) > 1 + gate.amount
    faster = max(high, left_high, now) < 1 / (1 + gate.amount)
    return {"slower": slower, "faster": faster, "different": slower or faster}[gate.word]


def _weight(pair: tuple[CellHistory, Change]) -> float:
    factor = pair[1].factor
    return max(factor, 1 / factor)


def number_changes(one: CellHistory) -> Iterator[str]:
    """``+5.1 % from run 31``, one for each change."""
    for change in one.changes:
        yield f"{format_change(change.factor)} from run {change.first + 1}"
