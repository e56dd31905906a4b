"""Turn specifications into drawings by vl-convert: no browser, no network, only fonts that are there."""

from __future__ import annotations

import json
import os
import re
import resource
import threading
from functools import cache, lru_cache
from typing import Literal

from msgauge.errors import ToolError
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.theme import PT_PER_PX, Theme
from msgauge.units import format_amount

Format = Literal["svg", "pdf", "png"]
_VERSION = "5.20"
_NOWHERE = ["https://nowhere.invalid/"]
"""The only place a specification may load data from: none."""
_ADDRESS_SPACE = 72 << 30
"""What the renderer reserves for its heap, 64 GiB, and some more; with less it ends the whole process."""
_FURTHER_THREADS = 2
"""What the renderer starts beside one thread for each processor that it may use."""

_TAG = re.compile(r'<[a-zA-Z][\w:-]*(?:\s+[\w:-]+="[^"]*")*\s*/?>')
_HIDDEN = re.compile(r'<path(?=[^<>]* class="(?:background|foreground)")(?:\s+[\w:-]+="[^"]*")*\s*/>')
_GEOMETRY = re.compile(r' (?:d|transform|points|viewBox|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|width|height)="[^"]*"')
_LONG_NUMBER = re.compile(r"(?<![\d.])-?\d+\.\d{2,}(?![\de])")
_SLIMMING = re.compile(
    r' role="graphics-object" aria-roledescription="[a-z ]*"'
    r'| (?:pointer-events="none"|opacity="1"|stroke-width="1"|aria-hidden="true")'
    r'| font-family="[^"]*"'
    r'| role="graphics-symbol" aria-roledescription="axis" aria-label="[^"]*"'
)


def render_svg(figure: Figure, theme: Theme) -> str:
    """The figure as one SVG element."""
    return _svg(json.dumps(figure.make(theme)))


@lru_cache(maxsize=512)
def _svg(spec: str) -> str:
    """A specification drawn; kept, as a page too large is made once more with fewer of the same."""
    _require_address_space()
    _require_threads()
    import vl_convert

    return str(vl_convert.vegalite_to_svg(spec, vl_version=_VERSION, allowed_base_urls=_NOWHERE))


def _require_address_space() -> None:
    """Nothing can be drawn under a limit of the address space that the renderer does not survive.

    Raises:
        ToolError: there is such a limit.
    """
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if resource.RLIM_INFINITY != limit < _ADDRESS_SPACE:
        raise ToolError(
            f"no figure can be drawn: drawing reserves 64 GiB of address space, and {format_amount(limit)} are allowed",
            remedy="lift it (ulimit -v unlimited) and write the page then: msgauge report RUN",
        )


@cache
def _require_threads() -> None:
    """Nor can anything be drawn where the renderer may not start its threads: it ends the whole process then.

    Raises:
        ToolError: so many cannot be started.
    """
    needed = len(os.sched_getaffinity(0)) + _FURTHER_THREADS
    over, threads = threading.Event(), list[threading.Thread]()
    try:
        for _ in range(needed):
            thread = threading.Thread(target=over.wait)
            thread.start()
            threads.append(thread)
    except RuntimeError as error:
        raise ToolError(
            f"no figure can be drawn: drawing starts {needed} threads, and no more than {len(threads)} are allowed",
            remedy="raise the limit of processes (ulimit -u, or that of the job) and write the page then: "
            "msgauge report RUN",
        ) from error
    finally:
        over.set()
        for thread in threads:
            thread.join()


def minify(drawing_text: str) -> str:
    """The same SVG in about half the bytes, for the page: coordinates rounded, without empty and default parts.

    What a person reads (texts, tooltips, accessible labels) is left to the letter: only geometry is rounded.
    """
    return _TAG.sub(_slim_tag, _HIDDEN.sub("", drawing_text))


_MARK = re.compile(r' role="graphics-symbol" aria-roledescription="[^"]*"')
"""A mark with a label must have a role that takes one, and one without a label none, by the rules of ARIA."""


def _slim_tag(tag: re.Match[str]) -> str:
    text = _SLIMMING.sub("", tag[0])
    text = _MARK.sub(' role="img"' if " aria-label=" in text else "", text)
    return _GEOMETRY.sub(lambda part: _LONG_NUMBER.sub(_round, part[0]), text)


def _round(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def render(figure: Figure, theme: Theme, form: Format) -> bytes:
    """The figure as the bytes of a file, 96 px to the inch; PNG at 200 dots per inch."""
    import vl_convert

    drawing = render_svg(figure, theme)
    if form == "pdf":
        return bytes(vl_convert.svg_to_pdf(_in_points(drawing)))
    if form == "png":
        return bytes(vl_convert.svg_to_png(_in_points(drawing), ppi=200))
    return drawing.encode()


_SIDE = re.compile(r'(?<= )(width|height)="([\d.]+)"')


def _in_points(drawing: str) -> str:
    """The same drawing three quarters as large: the renderer takes a pixel for a point of paper."""
    root, end, rest = drawing.partition(">")
    return _SIDE.sub(lambda side: f'{side[1]}="{float(side[2]) * PT_PER_PX:g}"', root) + end + rest
