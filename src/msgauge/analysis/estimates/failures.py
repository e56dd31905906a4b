"""What did not deliver: cells that failed or were refused, and launches that broke off."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.model import CellKey, Failure, FailureKind, LaunchRecord, Refusal, Samples, SampleStatus
from msgauge.results.dataset import Dataset, LaunchSamples
from msgauge.units import format_count

_MOST_REASONS = 3
_MOST_ROUNDS = 3


def find_failures(dataset: Dataset) -> tuple[Failure, ...]:
    """One for each stack and cell at most: cells that the worker reported, then the launches that broke off there.

    A cell with wrong bytes is told as such, whatever else happened in it.
    """
    cells, launches = _find_failed_cells(dataset), _find_broken_launches(dataset)
    wrong = {key for key, failure in cells.items() if failure.kind is FailureKind.WRONG_BYTES}
    found = {**cells, **{key: failure for key, failure in launches.items() if key not in wrong}}
    kernels = {cell.id: cell.kernel for cell in dataset.plan.cells}
    return tuple(
        Failure(one.stack, one.reason, one.kernel or kernels.get(one.cell, ""), one.cell, one.log, one.kind)
        for one in found.values()
    )


def find_refusals(dataset: Dataset) -> tuple[Refusal, ...]:
    """Those of the plan, then those that workers gave at run time."""
    given = (
        Refusal(record.launch.stack, frame.cell, frame.attribute("reason", "the worker refused it without saying why"))
        for record, frame in dataset.unmeasured
        if frame.status is SampleStatus.REFUSED
    )
    return tuple(dict.fromkeys([*dataset.plan.refusals, *given]))


def _find_failed_cells(dataset: Dataset) -> dict[CellKey, Failure]:
    """Cells whose worker said that it got wrong bytes or an error; wrong bytes weigh more than any error."""
    found: dict[CellKey, list[tuple[int, Samples]]] = {}
    for record, frame in dataset.unmeasured:
        if frame.status is not SampleStatus.REFUSED:
            found.setdefault(CellKey(record.launch.stack, frame.cell), []).append((record.launch.round, frame))
    return {key: _describe_cell(key, sorted(frames, key=lambda one: one[0])) for key, frames in found.items()}


def _describe_cell(key: CellKey, frames: list[tuple[int, Samples]]) -> Failure:
    """By the first round in which it failed as it is told, and by how many more did."""
    wrong = [one for one in frames if one[1].status is SampleStatus.WRONG_BYTES]
    told = wrong or frames
    first, frame = told[0]
    what = "wrong bytes arrived" if wrong else f"the worker reported {frame.attribute('status')}"
    later = f" and {format_count(len(told) - 1, 'later one')}" if len(told) > 1 else ""
    detail = frame.attribute("reason")
    reason = f"{what} in round {first + 1}{later}" + (f": {detail}" if detail else "")
    kind = FailureKind.WRONG_BYTES if wrong else FailureKind.CELL
    return Failure(key.stack, reason, frame.attribute("kernel"), key.cell, f"launches/{frame.launch:04d}", kind)


def _find_broken_launches(dataset: Dataset) -> dict[CellKey, Failure]:
    """One for each stack and each cell that launches of it broke off in, or before any (cell -1)."""
    found: dict[CellKey, list[LaunchRecord]] = {}
    for one in sorted(dataset.broken, key=lambda one: one.record.launch.number):
        found.setdefault(CellKey(one.record.launch.stack, _find_broken_cell(one)), []).append(one.record)
    return {
        key: Failure(
            key.stack, _describe_launches(broken), cell=key.cell, log=f"launches/{broken[0].launch.number:04d}"
        )
        for key, broken in found.items()
    }


def _describe_launches(broken: Sequence[LaunchRecord]) -> str:
    """``rounds 3 and 5, 2 processes: took longer than 60 s; round 9, 2 processes: ended with exit code 1``."""
    reasons: dict[tuple[int, str], list[int]] = {}
    for one in broken:
        reasons.setdefault((one.launch.ranks, one.reason or one.status), []).append(one.launch.round + 1)
    told = [
        f"{_name_rounds(rounds)}, {format_count(ranks, 'process')}: {why}"
        for (ranks, why), rounds in list(reasons.items())[:_MOST_REASONS]
    ]
    left = sum(len(rounds) for rounds in list(reasons.values())[_MOST_REASONS:])
    return "; ".join(told) + (f"; and {format_count(left, 'more launch')} for other reasons" if left else "")


def _name_rounds(rounds: Sequence[int]) -> str:
    """``round 3``, ``rounds 3, 5 and 9``, ``rounds 3, 5, 7 and 12 more``."""
    if len(rounds) == 1:
        return f"round {rounds[0]}"
    shown, rest = rounds[:_MOST_ROUNDS], len(rounds) - _MOST_ROUNDS
    last = f"{rest} more" if rest > 0 else str(shown[-1])
    return f"rounds {', '.join(map(str, shown if rest > 0 else shown[:-1]))} and {last}"


def _find_broken_cell(one: LaunchSamples) -> int:
    """The first cell that did not arrive; -1 where none did."""
    done = {frame.cell for frame in one.frames}
    missing = [cell for cell in one.record.launch.cells if cell not in done]
    return missing[0] if missing and done else -1
