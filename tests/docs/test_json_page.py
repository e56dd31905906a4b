"""Claims about the reference of the JSON: every key that a schema has is explained there, by its own name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"
SCHEMAS = sorted(
    (one for one in files("msgauge").joinpath("schemas").iterdir() if one.name != "findings.json"),
    key=lambda one: one.name,
)


def keys_of(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for value in node.values():
            yield from keys_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys_of(value)


@pytest.mark.parametrize("schema", SCHEMAS, ids=[one.name for one in SCHEMAS])
def test_every_key_is_explained(schema: Any) -> None:
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", PAGE.read_text(encoding="utf-8")))))
    keys = set(keys_of(json.loads(schema.read_text(encoding="utf-8"))))
    assert keys
    assert sorted(keys - named) == []


def test_no_command_is_explained_twice() -> None:
    told = re.findall(r"The fields of `(\w+)`", PAGE.read_text(encoding="utf-8"))
    assert sorted(told) == sorted(set(told))
