"""What a transport header says of itself, read without compiling it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from msgauge.paths import native_folder

_LINE = re.compile(r"string_view\s+capabilities\s*(?:=|\{)\s*((?:\"[^\"]*\"\s*)+)", re.DOTALL)
_SINCE = re.compile(r"#define MSGAUGE_SINCE_(\w+) ((?:\\\n|\s|\"[^\"]+\")+)")


@lru_cache(maxsize=32)
def capabilities_of(transport: str, *, without: str = "", headers: Path | None = None) -> frozenset[str]:
    """The words in the ``capabilities`` line of ``native/transports/NAME.hpp``; empty when the header is not there.

    ``headers``: another folder in which ``transports/NAME.hpp`` is looked for.
    ``without``: leaves out what the header says came with this edition of its interface, e.g. ``MPI3``.
    """
    try:
        text = ((headers or native_folder()) / "transports" / f"{transport}.hpp").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    return read_capabilities(text, without=without)


def read_capabilities(text: str, *, without: str = "") -> frozenset[str]:
    """The words of the ``capabilities`` line in a header's text, and of its lines ``#define MSGAUGE_SINCE_EDITION``.

    Adjacent string literals are joined.
    """
    match = _LINE.search(text)
    if match is None:
        return frozenset()
    later = [words for edition, words in _SINCE.findall(text) if edition != without]
    return frozenset(" ".join(re.findall(r'"([^"]*)"', " ".join((match.group(1), *later)))).split())
