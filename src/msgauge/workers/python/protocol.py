"""The wire protocol (docs/reference/wire-protocol.md): text plan in, binary frames out."""

from __future__ import annotations

import array
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from urllib.parse import quote, unquote

_HARMLESS = "-._~:/+,@()[]"


class PlanError(ValueError):
    """The plan cannot be carried out; the message names the line."""


@dataclass(frozen=True)
class Cell:
    """One line of the plan: what is to be measured."""

    id: int
    kernel: str
    bytes: int
    ranks: int
    mode: str
    cache: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What one launch is to do."""

    ranks: int
    cores: int
    budget_ns: int
    precision: float
    limit_ns: int
    check: bool
    pin: tuple[int, ...]
    """The core of each rank, for those that the launcher left free to roam; empty: none is given."""
    cells: tuple[Cell, ...]


def read_plan(path: str) -> Plan:
    """The plan in a file.

    Raises:
        PlanError: it cannot be read, is cut off, or has a line that makes no sense.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except OSError as problem:
        raise PlanError(f"cannot read the plan: {problem}") from None
    if lines[0] != "msgauge-plan 1":
        raise PlanError("line 1: a plan begins with 'msgauge-plan 1'")
    records: dict[str, dict[str, str]] = {}
    cells: list[Cell] = []
    for number, line in enumerate(lines[1:], start=2):
        kind, *words = line.split(" ")
        if kind == "end":
            return _plan(records, cells)
        try:
            fields = dict(_field(word) for word in words)
            if kind == "cell":
                cells.append(_cell(fields))
            elif kind and not kind.startswith("#"):
                records[kind] = fields
        except (ValueError, KeyError) as problem:
            raise PlanError(f"line {number}: {problem!r}") from None
    raise PlanError(f"line {len(lines)}: the plan is cut off, 'end' is missing")


def _field(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise ValueError(f"{word!r} is not of the form name=value")
    return name, unquote(value)


def _cell(fields: Mapping[str, str]) -> Cell:
    options = {name[4:]: value for name, value in fields.items() if name.startswith("opt.")}
    return Cell(
        id=int(fields["id"]),
        kernel=fields["kernel"],
        bytes=int(fields["bytes"]),
        ranks=int(fields["ranks"]),
        mode=fields["mode"],
        cache=fields["cache"],
        options=options,
    )


def _plan(records: Mapping[str, Mapping[str, str]], cells: Sequence[Cell]) -> Plan:
    try:
        launch, limits = records["launch"], records["limits"]
        return Plan(
            ranks=int(launch["ranks"]),
            cores=int(launch["cores"]),
            budget_ns=int(limits["cell_budget_ns"]),
            precision=float(limits["cell_precision"]),
            limit_ns=int(limits["launch_limit_ns"]),
            check=limits["check"] == "yes",
            pin=tuple(int(core) for core in launch.get("pin", "").split(",") if core),
            cells=tuple(cells),
        )
    except (KeyError, ValueError) as problem:
        raise PlanError(f"the launch or the limits are not whole: {problem!r}") from None


def header(cell: int, kernel: str, series: str, **facts: object) -> str:
    """One header line without its count; values are percent-encoded."""
    words = {"cell": cell, "kernel": kernel, "series": series, **facts}
    return " ".join(f"{name}={quote(str(value), safe=_HARMLESS)}" for name, value in words.items())


class Writer:
    """The samples file; rank 0 alone has one. Each frame is flushed, so a launch that dies keeps what came before."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("ab")  # noqa: SIM115  (closed by __exit__)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._file.close()

    def frame(self, head: str, values: Sequence[int] = ()) -> None:
        """A header line and the values behind it, little-endian."""
        numbers = array.array("q", values)
        if sys.byteorder == "big":
            numbers.byteswap()
        self._file.write(f"{head} count={len(numbers)}\n".encode() + numbers.tobytes())
        self._file.flush()
