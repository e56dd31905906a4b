"""By what an emulated host tells that it is one, to whatever reaches it by ssh or from inside a job."""

from __future__ import annotations

import json
from contextlib import suppress

LABEL = "/run/msgauge-lab.json"
"""A file that every emulated host has, and no other: what joins the hosts of its lab. Who comes by ssh has no other way
to know."""


def read_label(text: str) -> str:
    """What joins the hosts, out of the text of such a file; never empty, for a host that has the file is emulated."""
    with suppress(ValueError, AttributeError):
        return str(json.loads(text).get("network") or "emulated network")
    return "emulated network"
