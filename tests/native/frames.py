"""Plans written and frames read by hand, so that these tests depend on the wire protocol alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import numpy as np
from attrs import field, frozen


@frozen(eq=False)
class Frame:
    """One frame: the header's fields, decoded, and its values, int64 of shape (count,)."""

    header: dict[str, str]
    values: np.ndarray = field(repr=False)

    @property
    def per_event(self) -> float:
        """Median time per event in ns."""
        return float(np.median(self.values)) / int(self.header["divisor"])


def plan_text(cells: list[str], *, ranks: int = 2, cores: int = 2, seed: int = 1, **other: str) -> str:
    """A plan of these cells, each given as the fields after ``id``; other: budget_ms, round, check, limit_ms."""
    budget = int(other.get("budget_ms", "10")) * 1_000_000
    limit = int(other.get("limit_ms", "60000")) * 1_000_000
    lines = [
        "msgauge-plan 1",
        f"launch number=1 round={other.get('round', '1')} seed={seed} ranks={ranks} cores={cores}",
        f"clock name={other.get('clock', 'monotonic')}",
        f"limits cell_budget_ns={budget} cell_precision=0.01 launch_limit_ns={limit} check={other.get('check', 'yes')}",
    ]
    lines += [f"cell id={number} {cell}" for number, cell in enumerate(cells)]
    return "\n".join([*lines, "end", ""])


def cell(kernel: str, size: int, *, ranks: int = 2, mode: str = "batch", cache: str = "hot", options: str = "") -> str:
    """The fields of a cell line after its id."""
    return f"kernel={kernel} bytes={size} mode={mode} cache={cache} ranks={ranks} {options}".strip()


def read_frames(path: Path) -> list[Frame]:
    """Every frame of a samples file, which must be whole."""
    data = path.read_bytes()
    frames = []
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        header = {key: unquote(value) for key, _, value in (w.partition("=") for w in data[at:end].decode().split(" "))}
        at = end + 1 + 8 * int(header["count"])
        assert at <= len(data), "the last frame is cut off"
        frames.append(Frame(header, np.frombuffer(data[end + 1 : at], dtype="<i8")))
    return frames
