"""What a launch measured: one frame of integers with what the worker said of it."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from attrs import frozen

from msgauge.model.stack import Pairs


class SampleStatus(StrEnum):
    """What became of a cell in one launch, in the words of the wire protocol."""

    OK = "ok"
    REFUSED = "refused"
    WRONG_BYTES = "wrong-bytes"
    ERROR = "error"
    """Also any word that the protocol does not know."""


_STATUSES = {status.value: status for status in SampleStatus}


@frozen(eq=False)
class Samples:
    """One frame: ``values`` is int64 of shape (count,), each the time of ``divisor`` events in ``unit``.

    ``attributes`` carries what the worker said of the cell: ``emulated=yes``, ``stationary=no``, ``dropped=12``,
    ``late=3``, ``status=wrong-bytes`` ... (see docs/reference/wire-protocol.md).
    """

    launch: int
    cell: int
    series: str
    values: np.ndarray
    divisor: int = 1
    unit: str = "ns"
    attributes: Pairs = ()

    def attribute(self, name: str, default: str = "") -> str:
        """What the worker said of this cell under ``name``."""
        return next((value for key, value in self.attributes if key == name), default)

    @property
    def status(self) -> SampleStatus:
        """What became of the cell; a worker that says nothing means that all went well."""
        return _STATUSES.get(self.attribute("status", SampleStatus.OK), SampleStatus.ERROR)

    @property
    def is_measured(self) -> bool:
        """Whether there are samples and nothing was wrong with them."""
        return self.values.size > 0 and self.status is SampleStatus.OK

    @property
    def emulated(self) -> bool:
        """Whether a reference algorithm over send and receive stood in for the stack's own operation."""
        return self.attribute("emulated") == "yes"

    @property
    def stationary(self) -> bool:
        """Whether its times had stopped drifting within the time of the cell."""
        return self.attribute("stationary") != "no"

    @property
    def per_event(self) -> np.ndarray:
        """Float64 of shape (count,): time per event."""
        return self.values / float(self.divisor)

    @property
    def curves(self) -> np.ndarray:
        """Int64 of shape (count, points): samples that are curves, as the worker said; one point each otherwise."""
        said = self.attribute("points", "1")
        points = int(said) if said.isdecimal() and 0 < int(said) <= self.values.size else 1
        return self.values[: self.values.size // points * points].reshape(-1, points)

    @property
    def compared(self) -> np.ndarray:
        """Int64 of shape (count,): the values that are compared; of a curve its last point."""
        return self.curves[:, -1]

    @property
    def median_ns(self) -> float:
        """Median per event. However many samples there are, a launch counts once.

        Curves count by their last point: a median over all points of a curve would say nothing.
        """
        values = self.compared
        half = values.size // 2
        if values.size % 2:
            middle = float(np.partition(values, half)[half])
        else:
            low, high = np.partition(values, (half - 1, half))[half - 1 : half + 1]
            middle = (float(low) + float(high)) / 2
        return middle / self.divisor
