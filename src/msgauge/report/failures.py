"""What failed or was refused, told once for each reason, with the cells it holds for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from msgauge.model import Cell
from msgauge.report import phrasing
from msgauge.report.view import RunView
from msgauge.units import format_size


@frozen
class NotRun:
    """A reason why stacks have no numbers for some cells; without cells it holds for all of them."""

    stacks: tuple[str, ...]
    reason: str
    cells: tuple[Cell, ...] = ()
    log: str = ""

    @property
    def stack(self) -> str:
        """Their names as people list them."""
        return phrasing.join_words(self.stacks)

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the kernels, each once."""
        return tuple(dict.fromkeys(cell.kernel for cell in self.cells))

    @property
    def spans(self) -> tuple[str, ...]:
        """The cells as people say them, by kernel and options."""
        return describe_cells(self.cells)


def failures(view: RunView) -> tuple[NotRun, ...]:
    """Stacks and cells that were to be measured and did not deliver; of equal reasons the log is that of the first."""
    return _group(view, ((one.stack, one.reason, one.cell, one.log) for one in view.analysis.failures))


def refusals(view: RunView) -> tuple[NotRun, ...]:
    """Cells that stacks cannot run; stacks that cannot run the same ones for the same reason are told together."""
    every = (*view.plan.refusals, *view.analysis.refusals)
    alike: dict[tuple[str, tuple[Cell, ...]], list[str]] = {}
    for one in _group(view, ((one.stack, one.reason, one.cell, "") for one in every)):
        alike.setdefault((one.reason, one.cells), []).extend(one.stacks)
    return tuple(NotRun(tuple(stacks), reason, cells) for (reason, cells), stacks in alike.items())


def describe_cells(cells: Iterable[Cell]) -> tuple[str, ...]:
    """One text for each kernel with its options: ``pingpong send=ready, 8 B to 1 MiB, 2 and 4 ranks``."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(" ".join((cell.kernel, *_choices(cell))), []).append(cell)
    return tuple(f"{name}{_sizes(group)}, {_ranks(group)}" for name, group in groups.items())


def _group(view: RunView, rows: Iterable[tuple[str, str, int, str]]) -> tuple[NotRun, ...]:
    known = {cell.id: cell for cell in view.plan.cells}
    found: dict[tuple[str, str], dict[int, Cell]] = {}
    logs: dict[tuple[str, str], str] = {}
    for stack, reason, number, log in rows:
        cells = found.setdefault((stack, reason), {})
        logs.setdefault((stack, reason), log)
        if number in known:
            cells[number] = known[number]
    return tuple(
        NotRun((stack,), reason, tuple(cells[number] for number in sorted(cells)), logs[stack, reason])
        for (stack, reason), cells in found.items()
    )


def _choices(cell: Cell) -> list[str]:
    """Options, and mode and cache where they are not the usual ones."""
    chosen = [f"{name}={choice}" for name, choice in cell.options]
    unusual = {"mode": (cell.mode, "batch"), "cache": (cell.cache, "hot")}
    return chosen + [f"{name}={value}" for name, (value, usual) in unusual.items() if value != usual]


def _sizes(cells: Sequence[Cell]) -> str:
    sizes = sorted({cell.size_bytes for cell in cells})
    if sizes == [0]:
        return ""
    if len(sizes) <= 2:
        return f", {' and '.join(format_size(size) for size in sizes)}"
    return f", {len(sizes)} sizes from {format_size(sizes[0])} to {format_size(sizes[-1])}"


def _ranks(cells: Sequence[Cell]) -> str:
    counts = [str(count) for count in sorted({cell.ranks for cell in cells})]
    return f"{phrasing.join_words(counts)} rank{'' if counts == ['1'] else 's'}"
