"""The order in which a history shows its series: that of a reader, not that in which runs brought them."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.between_runs.history import CellHistory


def order_series(series: Sequence[CellHistory]) -> list[CellHistory]:
    """Kernels as they first come, the sizes of each ascending, whichever run measured a size first."""
    kinds: dict[tuple[object, ...], int] = {}
    for one in series:
        kinds.setdefault(_kind(one), len(kinds))
    return sorted(series, key=lambda one: (kinds[_kind(one)], one.key.size_bytes))


def _kind(one: CellHistory) -> tuple[object, ...]:
    key = one.key
    return key.kernel, key.options, key.ranks, key.mode, key.cache
