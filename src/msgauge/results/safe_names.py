"""Names of folders for what may be called anything."""

from __future__ import annotations

import hashlib
import re


def safe_name(text: str) -> str:
    """A folder name that a spec or any hostile text maps to: no separators, no leading dot, no clash.

    Ordinary specs stay readable: ``openmpi@5.0.11[tcp]`` becomes ``openmpi@5.0.11_tcp_`` with a short hash.
    """
    safe = re.sub(r"[^A-Za-z0-9@._+=-]", "_", text)[:80].lstrip(".-") or "_"
    if safe == text:
        return safe
    return f"{safe}-{hashlib.sha256(text.encode(errors='surrogateescape')).hexdigest()[:6]}"
