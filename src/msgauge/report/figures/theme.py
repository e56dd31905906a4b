"""How figures look: one set of marks for every stack, in inks for the screen (CSS variables) and for paper (colours).

The colours keep apart for the common kinds of colour blindness, and never stand alone: each stack also has its own
point shape and dash pattern.
"""

from __future__ import annotations

import math

from attrs import evolve, frozen

_CIRCLE = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0Z"
SHAPES = (
    _CIRCLE,
    "M-.88,-.88H.88V.88H-.88Z",
    "M0,-1.1L1.05,.85H-1.05Z",
    "M0,-1.25L1.25,0L0,1.25L-1.25,0Z",
    "M-1.15,-.4H-.4V-1.15H.4V-.4H1.15V.4H.4V1.15H-.4V.4H-1.15Z",
    "M0,1.1L1.05,-.85H-1.05Z",
    "M-1.1,-.2L0,-1.15L1.1,-.2L.68,1.1H-.68Z",
    "M-1.1,0L.85,-1.05V1.05Z",
    "M1.1,0L-.85,-1.05V1.05Z",
    "M-1.1,-.6L-.6,-1.1L0,-.5L.6,-1.1L1.1,-.6L.5,0L1.1,.6L.6,1.1L0,.5L-.6,1.1L-1.1,.6L-.5,0Z",
    "M0,-1.4L.36,-.36L1.4,0L.36,.36L0,1.4L-.36,.36L-1.4,0L-.36,-.36Z",
    "M-1.35,-.5H1.35V.5H-1.35Z",
    "M-.5,-1.35H.5V1.35H-.5Z",
    "M-1.05,-1.05H1.05L-1.05,1.05H1.05Z",
    "M-1.05,-1.05V1.05L1.05,-1.05V1.05Z",
    "M-1.15,.55A1.15,1.15,0,1,1,1.15,.55Z",
)
"""Outlines around the origin within about one unit, for figures and for the page's own legend."""
DASHES: tuple[tuple[int, ...], ...] = (
    (1, 0),
    (6, 3),
    (2, 2),
    (8, 3, 2, 3),
    (4, 2),
    (10, 4),
    (2, 4),
    (6, 2, 2, 2, 2, 2),
    (12, 3),
    (1, 2),
    (9, 2, 1, 2),
    (5, 5),
    (3, 1),
    (4, 4, 1, 4),
    (14, 4, 4, 4),
    (3, 3, 9, 3),
)
PAPER_COLOURS = (
    *("#0a66a8", "#c4500c", "#00805f", "#8a4fa6", "#946200", "#b8336f", "#2b8a99", "#5b6470"),
    *("#1f2f7a", "#e0455f", "#4d7c0f", "#6b3f1d", "#b36ae2", "#0b4f45", "#cf8500", "#15181d"),
)
"""Sixteen, so that no two stacks of a usual run share one; beyond, shape and dash tell them apart."""
_SCREEN_COLOURS = tuple(f"var(--s{index})" for index in range(1, len(PAPER_COLOURS) + 1))


@frozen
class Theme:
    """Inks, width and fonts of a figure. ``legend``: drawn inside the figure (paper); the page has one of its own."""

    width: int
    height: int
    colours: tuple[str, ...]
    ink: str
    faint: str
    rule: str
    paper: str
    font: str
    legend: bool
    band: float = 0.16
    text_px: float = 0.0
    """Size of all letters; 0: as the width has it."""
    direct: bool = False
    """Lines carry their names at their ends instead of a legend, and axes their units in the title."""

    @property
    def narrow(self) -> bool:
        return self.width < 450


PT_PER_PX = 0.75
"""96 px to the inch."""
LEAST_TEXT_PT = 7.0
"""No letter of a figure for paper is smaller."""
FONT = "Liberation Sans, Arial, sans-serif"


def column(width_px: float, font: str = "") -> Theme:
    """For a figure as wide as a column of a paper, names at the ends of lines; ``width_px`` is that of the whole."""
    text_px = 11.0 if width_px >= 450 else 10.0
    height = round(width_px * (0.6 if width_px >= 450 else 0.66))
    return evolve(
        paper(round(width_px), height),
        font=", ".join(part for part in (font, FONT) if part),
        text_px=text_px,
        direct=True,
    )


def paper(width: int = 560, height: int = 330) -> Theme:
    """For SVG, PDF and PNG files: dark ink on white, a legend inside."""
    return Theme(
        width=width,
        height=height,
        colours=PAPER_COLOURS,
        ink="#1b1f24",
        faint="#59626d",
        rule="#dfe3e8",
        paper="#ffffff",
        font=FONT,
        legend=True,
    )


def screen(*, narrow: bool = False) -> Theme:
    """For the page: every ink a CSS variable, so that light and dark share one drawing."""
    return Theme(
        width=294 if narrow else 800,
        height=230 if narrow else 340,
        colours=_SCREEN_COLOURS,
        ink="var(--ink)",
        faint="var(--faint)",
        rule="var(--rule)",
        paper="var(--card)",
        font=FONT,
        legend=False,
    )


def colour(theme: Theme, index: int) -> str:
    """The ink of the stack at ``index``."""
    return theme.colours[index % len(theme.colours)]


def dash(index: int) -> list[int]:
    """Its dash pattern; beyond eight stacks the pattern moves on."""
    return list(DASHES[(index + index // len(DASHES)) % len(DASHES)])


def shape(index: int) -> str:
    """Its point's outline; as many as colours, then shifted."""
    return SHAPES[(index + 2 * (index // len(SHAPES))) % len(SHAPES)]


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round values from ``low`` to ``high`` for a logarithmic axis, at most about ``most``.

    At even steps where the two are so near that hardly a round value lies between them.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        inside = [value for value in found if low * 0.999 <= value <= high * 1.001]
        if len(inside) <= most:
            return inside if len(inside) > 1 else _even_ticks(low, high)
    return inside[:: math.ceil(len(inside) / most)]


def _even_ticks(low: float, high: float) -> list[float]:
    """Two to six round values at even steps from ``low`` to ``high``."""
    power = 10.0 ** math.floor(math.log10(high - low)) if high > low else 0.0
    for step in (power, power / 2, power / 5):
        first, last = (math.ceil(low / step), math.floor(high / step)) if step else (0, -1)
        if last > first:
            return [float(f"{number * step:.9g}") for number in range(first, last + 1)][:: 1 + (last - first) // 6]
    return [low]


def size_ticks(sizes: list[int], most: int) -> list[int]:
    """Measured sizes to label on the axis: all of them, or evenly many of the positive ones; 0 where it is."""
    positive = [size for size in sizes if size > 0]
    zero = [0] if len(positive) < len(sizes) else []
    step = max(1, math.ceil(len(positive) / max(1, most - len(zero))))
    shown = positive[step * (len(zero) > 0 and step > 1) :: step]
    return zero + shown
