"""A document run again: tables and figures redrawn, claims judged, questions answered, and what is missing."""

from __future__ import annotations

from attrs import frozen

from msgauge.advise.claims import Judged
from msgauge.advise.drawings import Drawing
from msgauge.advise.published import Redrawn
from msgauge.advise.wording import Worded


@frozen
class PaperResult:
    """All that the page of a paper shows; made by ``paper_run.outcome`` from a run folder."""

    name: str
    title: str
    source: str
    about: str
    systems: tuple[tuple[str, tuple[str, ...]], ...]
    simulated: tuple[str, ...] = ()
    """Roles that simulated stacks stand for."""
    tables: tuple[Redrawn, ...] = ()
    words: tuple[Worded, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    judged: tuple[Judged, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if not one.question)

    @property
    def questions(self) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.question)

    def count(self, verdict: str) -> int:
        """How many claims have this verdict."""
        return sum(one.verdict == verdict for one in self.claims)
