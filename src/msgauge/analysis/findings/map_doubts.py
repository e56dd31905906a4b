"""What a map cannot say, in sentences: with few launches or hosts, of what is not certain, of what is not told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from msgauge import units
from msgauge.analysis.findings.transfer_times import find_told
from msgauge.stats.host_effects import HostEffects
from msgauge.stats.slow_columns import LEVEL

_NAMED = 6


def shorten_names(group: Sequence[str]) -> str:
    """Names of hosts, a long list cut off: ``n1 n2 n3 n4 n5 … n32 (32 hosts)``."""
    if len(group) <= _NAMED + 2:
        return " ".join(group)
    return f"{' '.join(group[: _NAMED - 1])} … {group[-1]} ({len(group)} hosts)"


def say_nothing_found(notes: Sequence[str]) -> str:
    """The sentence of a map without findings; ``notes``: what it cannot say."""
    certain = " for certain" if notes else ""
    return f"No host, pair or group of hosts stands out{certain}. Lost packets are not looked for."


def explain_few(launches: int, ranks: int, effects: Sequence[HostEffects]) -> Iterator[str]:
    """Why so few launches or hosts can say nothing, where that is so."""
    least = min((one.least_p for one in effects), default=1.0)
    few = launches < 3 or least > LEVEL
    if ranks == 2:
        more = " and more rounds" if few else ""
        yield (
            "two hosts are one pair, and there is no other to set it against: only one of its two directions can be "
            f"told to be slow; take more hosts{more}"
        )
    elif few:
        yield (
            f"{units.format_count(launches, 'launch')} on {units.format_count(ranks, 'host')} cannot tell a slow host "
            "from chance; take more rounds, or more hosts"
        )


def explain_doubts(found: HostEffects, many: str, names: Sequence[str]) -> Iterator[str]:
    """What was slow in every launch and is not certain; ``many``: how messages of this size are called."""
    for doubt in found.doubts:
        hosts = shorten_names([names[host] for host in doubt.hosts])
        about = f"about {units.format_ratio(doubt.ratio)} times as long"
        if doubt.kind == "host":
            said = f"{hosts}: {many} take {about} as those of the typical host"
        elif doubt.pairs == 1:
            said = f"{hosts}: {many} between them take {about} as those of other pairs"
        else:
            said = f"{doubt.pairs} pairs of {hosts}: {many} take {about} as those of other pairs"
        yield f"seen in every launch, but not certain: {said}; take more rounds, or more hosts"


def explain_untold(transfer: np.ndarray, many: str, names: Sequence[str]) -> Iterator[str]:
    """Whose bandwidth is not told; ``transfer``: shape (launches, hosts, hosts), nan where not known."""
    told = find_told(transfer)
    left_out = [name for host, name in enumerate(names) if host not in told]
    pairs = int(np.isnan(transfer[:, told][:, :, told]).any(axis=0).sum()) // 2
    whose = [shorten_names(left_out)] if left_out else []
    whose += [f"{pairs} more pairs" if left_out else units.format_count(pairs, "pair")] if pairs else []
    if whose:
        yield (
            f"bandwidth is not told of {' and of '.join(whose)}: {many} take little longer there than short ones; take "
            "larger ones (--size)"
        )
