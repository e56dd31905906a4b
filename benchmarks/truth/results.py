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
    code: str = ""
    """Digest of the code that was tried; empty in pieces that are older than these digests."""

    def is_of(self, other: Piece) -> bool:
        """Whether both are the same simulation with the same seed, of the same version and code."""
        return (self.name, self.seed, self.version, self.code) == (other.name, other.seed, other.version, other.code)


def load(path: Path = FILE) -> tuple[Piece, ...]:
    """The pieces of a file in the order they were made; none where there is no file."""
    rows: Sequence[Mapping[str, Any]] = json.loads(path.read_text()) if path.is_file() else []
    return tuple(Piece(**{**row, "figure": Figure(**row["figure"])}) for row in rows)


def keep(pieces: Sequence[Piece], path: Path = FILE) -> None:
    """Write them all, one line a piece; a digest that is not known is left out."""
    rows = ({name: value for name, value in asdict(one).items() if value != ""} for one in pieces)
    path.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


def add(piece: Piece, replaced: Sequence[Piece], path: Path = FILE) -> None:
    """Add one to a file that others may have added to since, in place of those that it replaces."""
    keep([*(one for one in load(path) if not any(one.is_of(other) for other in replaced)), piece], path)


def choose(pieces: Sequence[Piece], code: str) -> Sequence[Piece]:
    """Of one simulation's pieces those that may be of this code; all of them, which the page marks, where none is."""
    drawn = any(one.code == code for one in pieces)
    return [one for one in pieces if one.code in {"", code}] if drawn else pieces


def pool(pieces: Sequence[Piece]) -> Figure:
    """The figure of one simulation from all its pieces, each with the weight of its trials; the last one's words."""
    last = pieces[-1].figure
    trials = sum(one.figure.trials for one in pieces)
    share = sum(one.figure.share * one.figure.trials for one in pieces) / trials
    before = sum(one.figure.before * one.figure.trials for one in pieces) / trials
    return Figure(last.claim, last.promised, last.case, share, before, trials)
