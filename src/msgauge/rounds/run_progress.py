"""What the launches of a run say about those to come; each launch is looked at once, however long the run is."""

from __future__ import annotations

from collections import Counter

from msgauge.model import CellKey, LaunchRecord
from msgauge.results.dataset import LaunchSamples
from msgauge.results.given_up import FailuresInARow
from msgauge.results.launch_costs import LaunchCosts
from msgauge.results.launch_times import RunTime


class RunProgress:
    """Grows launch by launch, in order of their numbers."""

    def __init__(self) -> None:
        self.latest_round = -1
        self.time = RunTime()
        self.costs = LaunchCosts()
        self.failures = FailuresInARow()
        self._last_round: dict[int, int] = {}
        self.rounds_of_cells: Counter[int] = Counter()
        """In how many rounds each cell was launched, by any stack."""
        self.rounds_of: dict[CellKey, set[int]] = {}
        """The rounds in which a stack was launched with a cell."""

    @property
    def given_up(self) -> frozenset[tuple[str, int]]:
        """(stack, ranks) that is not started any more."""
        return self.failures.given_up

    def take(self, launch: LaunchSamples) -> None:
        """Take note of a launch with what it measured."""
        self.take_record(launch.record)
        self.costs.take(launch)

    def take_record(self, record: LaunchRecord) -> None:
        """Take note of a launch without its samples: it says nothing of what cells take."""
        launch = record.launch
        self.latest_round = max(self.latest_round, launch.round)
        self.time.take(record)
        self.failures.take(record)
        for cell in launch.cells:
            self.rounds_of.setdefault(CellKey(launch.stack, cell), set()).add(launch.round)
            if self._last_round.get(cell) != launch.round:
                self._last_round[cell] = launch.round
                self.rounds_of_cells[cell] += 1
