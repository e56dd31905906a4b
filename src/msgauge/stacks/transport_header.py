"""What a transport header says of itself, read without compiling it."""

from __future__ import annotations

import re
from functools import lru_cache

from msgauge.paths import native_folder

_LINE = re.compile(r"string_view\s+capabilities\s*(?:=|\{)\s*((?:\"[^\"]*\"\s*)+)", re.DOTALL)


@lru_cache(maxsize=32)
def capabilities_of(transport: str) -> frozenset[str]:
    """The words in the ``capabilities`` line of ``native/transports/NAME.hpp``; empty when the header is not there."""
    try:
        text = (native_folder() / "transports" / f"{transport}.hpp").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    return read_capabilities(text)


def read_capabilities(text: str) -> frozenset[str]:
    """The words of the ``capabilities`` line in a header's text; adjacent string literals are joined."""
    match = _LINE.search(text)
    if match is None:
        return frozenset()
    return frozenset(" ".join(re.findall(r'"([^"]*)"', match.group(1))).split())
