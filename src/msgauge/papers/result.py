"""The result of a repeated paper: tables, figures, claims with verdicts, questions with answers, what is missing."""

from __future__ import annotations

from attrs import frozen

from msgauge.papers.claims import JudgedClaim
from msgauge.papers.figures import PaperFigure
from msgauge.papers.qualitative_tables import FilledTable
from msgauge.papers.tables import RedrawnTable
from msgauge.units import format_count


@frozen
class PaperResult:
    """All that the page of a paper shows; made by ``papers.paper_evaluation`` from a run folder."""

    name: str
    title: str
    source: str
    about: str
    systems: tuple[tuple[str, tuple[str, ...]], ...]
    simulated: tuple[str, ...] = ()
    """Roles that simulated stacks stand for."""
    network: str = ""
    """What joined the hosts of the run; empty where it had none."""
    across: str = ""
    """What numbers across those hosts are called: ``emulated``, or ``across hosts`` of real ones."""
    tables: tuple[RedrawnTable, ...] = ()
    qualitative_tables: tuple[FilledTable, ...] = ()
    figures: tuple[PaperFigure, ...] = ()
    claims: tuple[JudgedClaim, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Roles that the user did not ask for."""
    notes: tuple[str, ...] = ()

    @property
    def statements(self) -> tuple[JudgedClaim, ...]:
        """Claims with a verdict."""
        return tuple(one for one in self.claims if not one.question and self._is_asked(one))

    @property
    def questions(self) -> tuple[JudgedClaim, ...]:
        """What the paper left open."""
        return tuple(one for one in self.claims if one.question and self._is_asked(one))

    @property
    def not_asked(self) -> tuple[JudgedClaim, ...]:
        """Claims and questions about which nothing can be said without systems that the user left out."""
        return tuple(one for one in self.claims if not self._is_asked(one))

    def _is_asked(self, one: JudgedClaim) -> bool:
        return not one.lacking or not set(one.lacking) <= set(self.left_out)

    def describe_not_asked(self) -> str:
        """``5 claims and 2 questions need systems that were left out: openmpi, intelmpi.``; '' where none does."""
        if not self.not_asked:
            return ""
        asked = sum(one.question for one in self.not_asked)
        counts = ((len(self.not_asked) - asked, "claim"), (asked, "question"))
        said = " and ".join(format_count(number, noun) for number, noun in counts if number)
        roles = dict.fromkeys(role for one in self.not_asked for role in one.lacking)
        need = "needs" if len(self.not_asked) == 1 else "need"
        return f"{said} {need} systems that were left out: {', '.join(roles)}."

    def count(self, verdict: str) -> int:
        """How many claims have this verdict."""
        return sum(one.verdict == verdict for one in self.statements)
