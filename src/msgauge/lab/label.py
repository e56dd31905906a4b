"""By what an emulated host tells that it is one, to whatever reaches it by ssh or from inside a job."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

LABEL = "/run/msgauge-lab.json"
"""A file that every emulated host has, and no other: what joins the hosts of its lab. Who comes by ssh has no other way
to know."""


def read_label(text: str) -> str:
    """What joins the hosts, out of the text of such a file; never empty, for a host that has the file is emulated."""
    with suppress(ValueError, AttributeError):
        return str(json.loads(text).get("network") or "emulated network")
    return "emulated network"


def find_own_network() -> str:
    """What joins the hosts where this runs on one of a lab; '' on a real host."""
    try:
        return read_label(Path(LABEL).read_text(encoding="utf-8"))
    except OSError:
        return ""
