"""What simulations gave, kept in a file: drawn in pieces, each with a seed of its own, and pooled for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, frozen
from benchmarks.truth.simulation import Figure

FILE = Path(__file__).with_name("results.json")


@frozen
class Piece:
    """One simulation run once: its name, the seed, and what came out."""

    name: str
    seed: int
    version: str
    figure: Figure


def load(path: Path = FILE) -> tuple[Piece, ...]:
    """The pieces of a file in the order they were made; none where there is no file."""
    rows: Sequence[Mapping[str, Any]] = json.loads(path.read_text()) if path.is_file() else []
    return tuple(Piece(row["name"], row["seed"], row["version"], Figure(**row["figure"])) for row in rows)


def keep(pieces: Sequence[Piece], path: Path = FILE) -> None:
    """Write them all, one line a piece."""
    lines = (json.dumps(asdict(one), ensure_ascii=False) for one in pieces)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def pool(pieces: Sequence[Piece]) -> Figure:
    """The figure of one simulation from all its pieces, each with the weight of its trials; the last one's words."""
    last = pieces[-1].figure
    trials = sum(one.figure.trials for one in pieces)
    share = sum(one.figure.share * one.figure.trials for one in pieces) / trials
    before = sum(one.figure.before * one.figure.trials for one in pieces) / trials
    return Figure(last.claim, last.promised, last.case, share, before, trials)
