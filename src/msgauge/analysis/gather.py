"""From frames to one group per stack and cell: which launches count, and one median for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
from attrs import frozen

from msgauge.model import Failure, LaunchRecord, Plan, Refusal, Samples
from msgauge.units import counted

Pair = tuple[int, int]
"""(round, block): launches of different stacks that share it stood side by side in time."""
Block = tuple[int, int, int]
"""(round, ranks, block)."""
WARMUP = "warmup"
"""The series of the samples that a worker dropped as warm-up: kept to be looked at, part of no estimate."""


@frozen(eq=False)
class Group:
    """What one stack delivered in one cell: the primary frame of each launch that counts, in order of launches."""

    stack: str
    cell: int
    pairs: tuple[Pair, ...]
    medians_ns: np.ndarray
    """Float64 of shape (launches,): one median per launch, the unit of inference; ns per event."""
    frames: tuple[Samples, ...]
    series: tuple[tuple[str, float], ...] = ()
    """Median over launches of the launch medians of every other series, ns per event."""


@frozen
class Gathered:
    """All groups by (stack, cell), and what did not deliver."""

    groups: Mapping[tuple[str, int], Group]
    failures: tuple[Failure, ...]
    refusals: tuple[Refusal, ...]
    left_out: frozenset[Block]
    """Disturbed blocks that were repeated."""


def gather(plan: Plan, records: Sequence[LaunchRecord], samples: Iterable[Samples]) -> Gathered:
    """Group samples by stack and cell, leaving out disturbed rounds that were repeated and cells that failed.

    Every launch's whole frames count, also those of a launch that failed later: what was measured was measured.
    """
    left_out = repeated_blocks(records)
    known = {record.launch.number: record for record in records}
    delivered = [frame for frame in samples if frame.cell >= 0 and frame.launch in known]
    failures = {**_failed_cells(delivered, known), **_failed_launches(records, delivered)}
    refusals = tuple(dict.fromkeys([*plan.refusals, *_refusals(delivered, known)]))
    wrong = {(failure.stack, failure.cell) for failure in failures.values() if failure.reason.startswith("wrong bytes")}
    good = [frame for frame in delivered if _is_measured(frame) and _block(known[frame.launch]) not in left_out]
    by_key: dict[tuple[str, int], list[Samples]] = {}
    for frame in good:
        by_key.setdefault((known[frame.launch].launch.stack, frame.cell), []).append(frame)
    groups = {key: _group(key, frames, known) for key, frames in by_key.items() if key not in wrong}
    return Gathered(groups, tuple(failures.values()), refusals, left_out)


def repeated_blocks(records: Sequence[LaunchRecord]) -> frozenset[Block]:
    """Disturbed blocks that a later block of the same round and ranks repeats with the same stacks.

    The whole block is left out, quiet launches too, so that nothing is selected by its outcome.
    """
    stacks: dict[Block, set[str]] = {}
    for record in records:
        stacks.setdefault(_block(record), set()).add(record.launch.stack)
    disturbed = {_block(record) for record in records if record.disturbed}
    return frozenset(
        (round_, ranks, block)
        for round_, ranks, block in disturbed
        if any(
            later[:2] == (round_, ranks) and later[2] > block and here >= stacks[round_, ranks, block]
            for later, here in stacks.items()
        )
    )


def _block(record: LaunchRecord) -> Block:
    return record.launch.round, record.launch.ranks, record.launch.block


def attribute(frame: Samples, name: str, default: str = "") -> str:
    """What the worker said of this cell under ``name``."""
    return next((value for key, value in frame.attributes if key == name), default)


def _is_measured(frame: Samples) -> bool:
    return frame.values.size > 0 and attribute(frame, "status", "ok") == "ok"


def _kernel(frame: Samples) -> str:
    return attribute(frame, "kernel")


Key = tuple[str, int]


def _failed_cells(frames: Sequence[Samples], known: Mapping[int, LaunchRecord]) -> dict[Key, Failure]:
    """Cells whose worker said that it got wrong bytes or an error; wrong bytes weigh more than any error."""
    failed: dict[Key, Failure] = {}
    for frame in frames:
        status = attribute(frame, "status", "ok")
        if status in {"ok", "refused"}:
            continue
        record = known[frame.launch]
        key = (record.launch.stack, frame.cell)
        what = "wrong bytes arrived" if status == "wrong-bytes" else f"the worker reported {status}"
        detail = attribute(frame, "reason")
        reason = f"{what} in round {record.launch.round + 1}" + (f": {detail}" if detail else "")
        if key not in failed or status == "wrong-bytes":
            failed[key] = Failure(key[0], reason, _kernel(frame), frame.cell, f"launches/{frame.launch:04d}")
    return failed


def _failed_launches(records: Sequence[LaunchRecord], frames: Sequence[Samples]) -> dict[Key, Failure]:
    """The first launch of each stack that broke off: at the cell it broke off in, or before any (cell -1)."""
    arrived: dict[int, set[int]] = {}
    for frame in frames:
        arrived.setdefault(frame.launch, set()).add(frame.cell)
    failed: dict[Key, Failure] = {}
    for record in records:
        if record.status not in {"failed", "timeout"}:
            continue
        launch, done = record.launch, arrived.get(record.launch.number, set())
        missing = [cell for cell in launch.cells if cell not in done]
        cell = missing[0] if missing and done else -1
        reason = f"round {launch.round + 1}, {counted(launch.ranks, 'process')}: {record.reason or record.status}"
        failed.setdefault(
            (launch.stack, cell), Failure(launch.stack, reason, cell=cell, log=f"launches/{launch.number:04d}")
        )
    return failed


def _refusals(frames: Sequence[Samples], known: Mapping[int, LaunchRecord]) -> Iterator[Refusal]:
    for frame in frames:
        if attribute(frame, "status") == "refused":
            reason = attribute(frame, "reason", "the worker refused it without saying why")
            yield Refusal(known[frame.launch].launch.stack, frame.cell, reason)


def _group(key: Key, frames: Sequence[Samples], known: Mapping[int, LaunchRecord]) -> Group:
    primary = primary_series([frame.series for frame in frames])
    main = {}
    for frame in sorted((frame for frame in frames if frame.series == primary), key=lambda frame: frame.launch):
        launch = known[frame.launch].launch
        main[launch.round, launch.block] = frame
    others = sorted(
        (frame for frame in frames if frame.series not in (primary, WARMUP)), key=lambda frame: frame.series
    )
    return Group(
        *key,
        pairs=tuple(main),
        medians_ns=np.array([launch_median(frame) for frame in main.values()]),
        frames=tuple(main.values()),
        series=tuple(
            (name, float(np.median([launch_median(frame) for frame in same])))
            for name, same in groupby(others, key=lambda frame: frame.series)
        ),
    )


def primary_series(names: Sequence[str]) -> str:
    """The series that is compared: completion of a collective, else time, else whichever came first."""
    return next((name for name in ("completion", "time") if name in names), names[0])


def launch_median(frame: Samples) -> float:
    """Median of one launch's samples, per event. However many batches there are, a launch counts once.

    Samples that are curves (``points``) count by their last point: a median over a curve would say nothing.
    """
    values = frame.curves[:, -1]
    half = values.size // 2
    if values.size % 2:
        middle = float(np.partition(values, half)[half])
    else:
        low, high = np.partition(values, (half - 1, half))[half - 1 : half + 1]
        middle = (float(low) + float(high)) / 2
    return middle / frame.divisor
