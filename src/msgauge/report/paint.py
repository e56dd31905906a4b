"""Turn specifications into drawings by vl-convert: no browser, no network, only fonts that are there."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Literal

from msgauge.report.figure import Figure
from msgauge.report.look import Look

Format = Literal["svg", "pdf", "png"]
_VERSION = "5.20"
_NOWHERE = ["https://nowhere.invalid/"]
"""The only place a specification may load data from: none."""

_LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d{2,}(?=[^<\"]*[\"])")
_SLIMMING = tuple(
    (re.compile(pattern), "")
    for pattern in (
        r'<path class="(?:background|foreground)"[^>]*/>',
        r' role="graphics-symbol" aria-roledescription="(?:point|rect mark)"',
        r' role="graphics-object" aria-roledescription="[a-z ]*"',
        r' (?:pointer-events="none"|opacity="1"|stroke-width="1"|aria-hidden="true")',
        r' font-family="[^"]*"',
        r' role="graphics-symbol" aria-roledescription="axis" aria-label="[^"]*"',
    )
)


def svg(figure: Figure, look: Look) -> str:
    """The figure as one SVG element."""
    return _svg(json.dumps(figure.make(look)))


@lru_cache(maxsize=512)
def _svg(spec: str) -> str:
    """A specification drawn; kept, as a page too large is made once more with fewer of the same."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(spec, vl_version=_VERSION, allowed_base_urls=_NOWHERE))


def slim(drawing_text: str) -> str:
    """The same SVG in about half the bytes, for the page: rounded, without empty and default parts."""
    for pattern, short in _SLIMMING:
        drawing_text = pattern.sub(short, drawing_text)
    return _LONG_NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), drawing_text)


def drawing(figure: Figure, look: Look, form: Format) -> bytes:
    """The figure as the bytes of a file; PNG at 200 dots per inch."""
    import vl_convert

    spec = figure.make(look)
    if form == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec, vl_version=_VERSION, allowed_base_urls=_NOWHERE))
    if form == "png":
        return bytes(vl_convert.vegalite_to_png(spec, vl_version=_VERSION, allowed_base_urls=_NOWHERE, ppi=200))
    return svg(figure, look).encode()
