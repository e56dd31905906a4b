"""What launches and their cells take, learnt from the launches of a run: seconds of the real clock."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from msgauge.model import CellKey, Samples
from msgauge.results.dataset import WARMUP, LaunchSamples

_AROUND_SAMPLES = 1.6
"""A cell takes this much longer than its samples and its warm-up last: the payload check, control, trials."""


class LaunchCosts:
    """Grows launch by launch; medians over the launches seen, which are kept in order of size."""

    def __init__(self) -> None:
        self._starts: dict[tuple[str, int], list[float]] = {}
        self._cells: dict[CellKey, list[float]] = {}

    @classmethod
    def of(cls, launches: Iterable[LaunchSamples]) -> LaunchCosts:
        """Those of these launches."""
        costs = cls()
        for launch in launches:
            costs.take(launch)
        return costs

    def take(self, launch: LaunchSamples) -> None:
        """Take note of a launch; one that broke off says nothing of what a whole one takes."""
        record = launch.record
        if record.status.broke_off:
            return
        sampled_s = {cell: _sample_time_s(launch.frames, cell) for cell in record.launch.cells}
        total_s = sum(sampled_s.values())
        cells_s = min(_AROUND_SAMPLES * total_s, record.seconds)
        start_s = record.seconds - cells_s
        insort(self._starts.setdefault((record.launch.stack, record.launch.ranks), []), start_s)
        for cell, seconds in sampled_s.items():
            if total_s > 0:
                key = CellKey(record.launch.stack, cell)
                insort(self._cells.setdefault(key, []), cells_s * seconds / total_s)

    def start_s(self, stack: str, ranks: int, usual_s: float) -> float:
        """Seconds to start and end a launch; ``usual_s`` where none was seen."""
        return _median(self._starts.get((stack, ranks), [usual_s]))

    def cell_s(self, key: CellKey, usual_s: float) -> float:
        """Seconds of a cell in a launch; ``usual_s`` where none was seen."""
        return _median(self._cells.get(key, [usual_s]))


def _median(ordered: Sequence[float]) -> float:
    """Of values in order: it is asked for after every round, and must not sort them each time."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _sample_time_s(frames: Iterable[Samples], cell: int) -> float:
    """What the samples of a cell last together: the longest of its series (they cover the same time) and warm-up."""
    lasting = {
        frame.series: 1e-9 * float(frame.values.sum()) for frame in frames if frame.cell == cell and frame.unit == "ns"
    }
    return lasting.pop(WARMUP, 0.0) + max(lasting.values(), default=0.0)
