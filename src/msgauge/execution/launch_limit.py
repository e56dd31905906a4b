"""How long a launch may take before it is ended."""

from __future__ import annotations

GRACE_S = 5.0
_OF_RANK_S = 0.15
_OF_RANK_AWAY_S = 0.6
"""Starting processes takes time of its own: up to a tenth of a second a rank was seen, half of one on other hosts."""


def find_limit_s(asked_s: float, ranks: int, away: bool) -> float:
    """The limit that a study asks for, and the time that starting takes; ``away``: on other hosts."""
    return asked_s + GRACE_S + (_OF_RANK_AWAY_S if away else _OF_RANK_S) * ranks
