"""What ``--for`` means: a named purpose, or a file with weights of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgauge.errors import StudyError, UsageError, hint_nearest
from msgauge.model import CellWeight, Kernel, Pattern, Purpose
from msgauge.model.kernel_names import find_kernel
from msgauge.study import DEFAULT_SIZES, Measure, parse_weights, study_of_kernels

SMALL_BYTES = 1024
"""Latency and message rate are of messages up to this size."""
LARGE_BYTES = 64 * 1024
"""Bandwidth is of messages from this size on."""
_Select = Callable[[Mapping[str, Kernel]], Iterable[CellWeight]]


def _latency(kernels: Mapping[str, Kernel]) -> Iterable[CellWeight]:
    return [CellWeight(name, 0, SMALL_BYTES) for name in _names("latency", kernels)]


def _bandwidth(kernels: Mapping[str, Kernel]) -> Iterable[CellWeight]:
    return [CellWeight(one.name, LARGE_BYTES) for one in kernels.values() if one.headline == "bandwidth"]


def _message_rate(kernels: Mapping[str, Kernel]) -> Iterable[CellWeight]:
    return [CellWeight(one.name, 0, SMALL_BYTES) for one in kernels.values() if one.headline == "messages"]


def _fan_out(kernels: Mapping[str, Kernel]) -> Iterable[CellWeight]:
    """One sends to all, all answer one: broadcasts, and rounds of a coordinator."""
    names = [one.name for one in kernels.values() if one.pattern is Pattern.FAN_OUT]
    return [CellWeight(name) for name in (*_names("broadcast", kernels), *names)]


def _names(word: str, kernels: Mapping[str, Kernel]) -> list[str]:
    """The kernel that is meant, where it is among these: a run has those that it measured."""
    try:
        return [find_kernel(word, kernels).name]
    except UsageError:
        return []


PURPOSES: dict[str, _Select] = {
    "latency": _latency,
    "bandwidth": _bandwidth,
    "rate": _message_rate,
    "fan-out": _fan_out,
}


_OTHER_NAMES = {
    **dict.fromkeys(("lat", "rtt", "small messages"), "latency"),
    **dict.fromkeys(("bw", "throughput", "large messages"), "bandwidth"),
    **dict.fromkeys(("mbw_mr", "msgrate", "messages"), "rate"),
    **dict.fromkeys(("broadcast", "master-worker", "coordinator"), "fan-out"),
}
"""What people type who mean a purpose."""


def read_purpose(word: str, kernels: Mapping[str, Kernel]) -> Purpose:
    """The purpose of that name, or of the file at that path; the one without weights for ''.

    Raises:
        UsageError: no such purpose and no such file.
        StudyError: a file with mistakes.
    """
    if not word:
        return Purpose()
    if word in PURPOSES:
        return Purpose(word, tuple(PURPOSES[word](kernels)))
    try:
        text = Path(word).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        near = hint_nearest(word, PURPOSES, _OTHER_NAMES)
        meant = f"did you mean {near}? Else " if near else ""
        remedy = f"{meant}name one of {', '.join(PURPOSES)}, or a file of [[weight]] tables"
        raise UsageError(f"there is no purpose {word!r}", remedy=remedy) from error
    weights = parse_weights(text, kernels, where=word)
    if not weights:
        raise StudyError("no weights", where=word, remedy='write [[weight]] with kernel = "NAME" and weight = 1')
    return Purpose(Path(word).stem, weights)


def add_measures(measures: tuple[Measure, ...], purpose: Purpose, kernels: Mapping[str, Kernel]) -> tuple[Measure, ...]:
    """The measures, and those of the kernels that count for the purpose and that none of them measures."""
    there = {measure.kernel for measure in measures}
    added: list[Measure] = []
    for name in dict.fromkeys(one.kernel for one in purpose.weights if one.kernel not in there):
        mine = [one for one in purpose.weights if one.kernel == name]
        sizes = [size for size in DEFAULT_SIZES if any(one.least_bytes <= size <= one.most_bytes for one in mine)]
        added += study_of_kernels([name], sizes or [mine[0].least_bytes], kernels)
    return (*measures, *added)
