"""Other programs on the machine of a run, told by what the sentinel saw before each launch."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from msgauge.model import Notice
from msgauge.results.dataset import Dataset
from msgauge.units import format_count

_FEWEST_LOOKS = 10
_BUSY_SHARE = 0.1
"""Of the processors; as much of them as ``msgauge doctor`` calls a problem."""


def warn_others(dataset: Dataset) -> Iterator[Notice]:
    """That other programs wanted processors of this computer, where its ranks run on them.

    By the threads that ran or could just before launches, when no rank does: what a launch itself does is not in it.
    """
    if not dataset.plan.hosts.on_this_computer:
        return
    records = (record for record in dataset.records if record.launch.stack not in dataset.simulated)
    looks = [look for record in records if "running" in (look := dict(record.sentinel_before))]
    others = [int(float(look["running"])) - 1 for look in looks]  # the sentinel itself ran
    processors = int(max((float(look.get("processors", 1)) for look in looks), default=1))
    if len(looks) < _FEWEST_LOOKS or fmean(others) < _BUSY_SHARE * processors:
        return
    mean, busy = f"{fmean(others):.1f}", f"{sum(one > 0 for one in others)} of {format_count(len(looks), 'launch')}"
    yield Notice(
        "other-programs",
        f"other programs ran on this machine of {format_count(processors, 'processor')}: before a launch began, {mean} "
        f"threads of theirs were ready to run on average, and one or more before {busy}",
        "end them ('top' lists them), or measure later; 'msgauge doctor' says when the machine is quiet",
        (("threads of others", mean), ("launches", busy), ("processors", str(processors))),
    )
