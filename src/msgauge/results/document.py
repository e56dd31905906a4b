"""A value in a file of the run folder: JSON with the number of its format."""

from __future__ import annotations

import json
from typing import Any

from msgauge.errors import StoreError
from msgauge.model import serialization

FORMAT = 1
"""Counts up when an older msgauge could no longer read what is written."""


def write_document(value: object) -> bytes:
    """The content of the file for a value."""
    return serialization.dumps({"format": FORMAT, "value": serialization.to_plain(value)}).encode(
        errors="backslashreplace"
    )


def read_document(content: bytes, where: str) -> Any:
    """The plain value in the content of a file.

    Raises:
        StoreError: not JSON, no format number, or the format of a newer msgauge.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"not JSON: {error}", where=where, remedy=serialization.REMEDY) from error
    if not isinstance(document, dict) or not isinstance(document.get("format"), int) or "value" not in document:
        raise StoreError("no format number stands in it", where=where, remedy=serialization.REMEDY)
    if document["format"] > FORMAT:
        raise StoreError(
            f"written by a newer msgauge (format {document['format']}; this one reads up to {FORMAT})",
            where=where,
            remedy="update msgauge, then try again",
        )
    return document["value"]
