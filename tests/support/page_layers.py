"""What a page says, layer by layer: each text with its layer and the words that it is under."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from attrs import field, frozen

VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}
BLOCKS = {"p", "li", "dd", "dt", "div", "ul", "dl", "pre", "summary", "h3", "details"}
SILENT = {"style", "script", "noscript"}
AXIS = "role-axis-label"
MARKED = "×~"
"""How letters in the places of a map end."""
PLACES = {"Packet", "Size", "size", "kernel", "stack", "Sizes", "Kernel", "Program"}
RANKS = {"Processes", "ranks"}
"""Headings of columns that say what the other numbers of a row are of."""


@frozen
class Said:
    """A text of the page. ``layer``: text, drawing (letters of a figure), label (of a mark), tooltip, aria, data.

    ``under``: ids of the elements around it and, in a table, the texts of its row and column headings, those of columns
    that say where a row belongs included (``2 processes``). ``heading``: the last one before it. ``number``: how many
    labels before it in the same drawing begin with the same line; of letters in the places of a map, how many there are
    before; of a column whose rows have no heading, how many rows.
    """

    layer: str
    text: str
    under: tuple[str, ...] = ()
    heading: str = ""
    number: int = 0


def layers_of(page: str) -> tuple[list[Said], dict[str, Any]]:
    """All that a page says, and the data that its script makes a table and downloads of."""
    reader = _Reader(page)
    return reader.said, json.loads(reader.data or "{}")


@frozen
class _Open:
    tag: str
    name: str = ""
    classes: str = ""
    texts: list[str] = field(factory=list)


class _Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[Said] = []
        self.data = ""
        self._open: list[_Open] = []
        self._heads: list[str] = []
        self._row: list[str] = []
        self._column = 0
        self._heading = ""
        self._band = ""
        self._labels: Counter[tuple[object, ...]] = Counter()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        in_drawing = any(one.tag == "svg" for one in self._open) or tag == "svg"
        if text := found.get("aria-label"):
            self._say("label" if in_drawing else "aria", text)
        if text := found.get("title"):
            self._say("tooltip", text)
        if tag == "thead":
            self._heads = []
        if tag == "tr":
            self._row, self._column = [], 0
        if tag == "br" and self._open:
            self._open[-1].texts.append("\n")
        if tag not in VOID:
            self._open.append(_Open(tag, found.get("id", ""), found.get("class", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        closed = self._open.pop()
        assert closed.tag == tag, (closed.tag, tag)
        if tag in ("td", "th"):
            self._cell(tag, "".join(closed.texts).strip())
        elif self._open:
            self._open[-1].texts.extend([*closed.texts, *(["\n"] if tag in BLOCKS else [])])
        if closed.texts and tag in ("p", "li", "h1", "h2", "h3", "dd", "dt", "summary", "figcaption", "pre", "text"):
            self._finish(tag, "".join(closed.texts))

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1].tag in SILENT:
            if self._open[-1].name == "data":
                self.data += data
            return
        if self._open:
            self._open[-1].texts.append(data)

    def _finish(self, tag: str, text: str) -> None:
        if tag == "text":
            if not any(AXIS in one.classes for one in self._open):
                self._say("drawing", text)
        elif text.strip():
            if tag in ("h2", "h3"):
                self._heading = text.strip()
            self._say("text", text)

    def _cell(self, tag: str, text: str) -> None:
        in_head = any(one.tag == "thead" for one in self._open)
        if in_head:
            self._heads.append(text)
        else:
            head = self._heads[self._column] if self._column < len(self._heads) else ""
            self._say("table", text, (*self._row, head))
            if tag == "th" and self._column == 0:
                text = self._band = text or self._band
            if head in RANKS:
                self._row.append(f"{text.split()[0]} processes")
            elif tag == "th" or self._column == 0 or head in PLACES:
                self._row.append(text)
        self._column += 1

    def _say(self, layer: str, text: str, under: tuple[str, ...] = ()) -> None:
        around = (one.name for one in self._open if one.name)
        where = (*around, *under)
        alike = (
            layer,
            text[-1:] in MARKED if layer == "drawing" else layer != "table" and text.partition("\n")[0],
            where,
        )
        self.said.append(Said(layer, text, where, self._heading, self._labels[alike]))
        self._labels[alike] += 1
