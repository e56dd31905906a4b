"""Fitted parameters as input for simulators: a SimGrid platform with SMPI options, and LogGOPSim's arguments.

SMPI's half round trip of s bytes, as SimGrid 3.32 shows it when asked (see docs/explanation/models.md):

    os(s) + latency × lat-factor + (s + 16) / (bandwidth × bw-factor) + or(s)

* ``smpi/os`` and ``smpi/or`` are lists ``threshold:constant:per-byte`` in seconds; an entry holds for s > threshold.
* ``smpi/lat-factor`` and ``smpi/bw-factor`` are lists ``threshold:factor`` that hold for s + 16 > threshold: the header
  of 16 bytes that SMPI adds is counted.
* os and or are charged only for s < ``smpi/send-is-detached-thresh``; a larger, synchronous send costs nothing but the
  wire, so there the overheads go into the latency.
* there is no gap: g cannot be expressed, back-to-back small messages leave os apart.

All functions are pure: they give back text and write nothing.

Source: SimGrid 3.32, "Configuring SimGrid" (SMPI options); LogGOPSim, Hoefler, Schneider and Lumsdaine 2010.
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, isfinite, log10

from attrs import frozen

from msgauge.errors import UsageError
from msgauge.models.loggp import CostLaw, LogGP, Segment

HEADER_BYTES = 16
LEAST_PER_BYTE_NS = 1e-6
"""Segments whose time does not grow with the size still need a finite bandwidth."""
NEVER = 1 << 30
LARGEST_INTEGER = 2.0e9
"""LogGOPSim keeps its parameters, and their products with a size, in 32 bits."""


@frozen
class SimGrid:
    """A platform file, a hostfile, the ``smpirun`` options that go with them, and what could not be carried over."""

    platform: str
    hostfile: str
    options: tuple[str, ...]
    notes: tuple[str, ...] = ()


@frozen
class LogGOPSim:
    """Arguments, and how many ns one of its time units is."""

    arguments: tuple[str, ...]
    unit_ns: float
    notes: tuple[str, ...] = ()


def simgrid(model: LogGP, hosts: int, eager_limit_bytes: int | None = None, flops_per_s: float = 1e9) -> SimGrid:
    """The platform and options under which SMPI's half round trips are those of the model.

    Args:
        hosts: nodes of a full-duplex cluster; ranks on the same node talk at the same speed.
        eager_limit_bytes: the largest message that is sent eagerly; None: all are.
        flops_per_s: speed of each node; irrelevant with ``smpi/simulate-computation:no``.

    Raises:
        UsageError: no segments, fewer than one host, or a segment whose half round trip is not known.
    """
    if hosts < 1:
        raise UsageError(f"A platform of {hosts} hosts cannot run anything.", remedy="give one host or more")
    if not model.segments:
        raise UsageError("A LogGP model without segments has nothing to export.", remedy="fit it to trains first")
    eager = [eager_limit_bytes is None or segment.first_bytes <= eager_limit_bytes for segment in model.segments]
    paths = [_path(segment, small) for segment, small in zip(model.segments, eager, strict=True)]
    latency = max(1e-3, *(path.latency_ns for path in paths))
    rate = paths[0].per_byte_ns
    edges = [0, *(below.end_bytes for below, _ in pairwise(model.segments))]
    wire = [edge + HEADER_BYTES if edge else 0 for edge in edges]
    options = (
        "--cfg=smpi/lat-factor:" + _entries(wire, [f"{path.latency_ns / latency:.9g}" for path in paths]),
        "--cfg=smpi/bw-factor:" + _entries(wire, [f"{rate / path.per_byte_ns:.9g}" for path in paths]),
        "--cfg=smpi/os:" + _entries(edges, [path.send for path in paths]),
        "--cfg=smpi/ois:" + _entries(edges, [path.send for path in paths]),
        "--cfg=smpi/or:" + _entries(edges, [path.receive for path in paths]),
        *(
            f"--cfg=smpi/{name}:{NEVER if eager_limit_bytes is None else eager_limit_bytes + 1}"
            for name in ("send-is-detached-thresh", "async-small-thresh")
        ),
        *("--cfg=smpi/wtime:0", "--cfg=network/crosstraffic:0", "--cfg=surf/precision:1e-12"),
        *("--cfg=network/TCP-gamma:0", "--cfg=network/weight-S:0", f"--cfg=smpi/host-speed:{flops_per_s:.6g}f"),
    )
    hostfile = "".join(f"node-{number}\n" for number in range(hosts))
    notes = tuple(note for path in paths for note in path.notes)
    return SimGrid(_platform(hosts, latency, rate, flops_per_s), hostfile, options, notes)


def loggopsim(model: LogGP, size_bytes: int, eager_limit_bytes: int | None = None) -> LogGOPSim:
    """Arguments for messages of the segment that ``size_bytes`` lies in; LogGOPSim knows one segment and one o.

    Its parameters are integers, so the unit is the finest power of ten at which none of them overflows.

    Raises:
        UsageError: when o_s, o_r, g, G or L of that segment is not identifiable.
    """
    segment = model.segment_of(size_bytes)
    needed = {"L": segment.latency, "o_s": segment.o_s, "o_r": segment.o_r, "g": segment.g, "G": segment.big_g}
    for name, quantity in needed.items():
        if not quantity.known:
            raise UsageError(
                f"LogGOPSim needs {name}, which is {quantity.reason or 'not known'}.",
                remedy="choose another segment, or measure what is missing",
            )
    per_byte = (segment.send.per_byte.value + segment.receive.per_byte.value) / 2
    times = {
        "L": segment.latency.value - segment.latency_per_byte.value * max(segment.first_bytes - 1, 0),
        "o": (segment.o_s.value + segment.o_r.value) / 2,
        "g": segment.g.value,
        "G": segment.big_g.value,
        "O": per_byte if isfinite(per_byte) else 0.0,
    }
    largest = max(*times.values(), segment.last_bytes * max(times["G"], times["O"]), 1.0)
    unit = 10.0 ** -floor(log10(LARGEST_INTEGER / largest))
    whole = {name: max(round(time / unit), 0) for name, time in times.items()}
    limit = NEVER if eager_limit_bytes is None else eager_limit_bytes
    arguments = tuple(f"--LogGOPS_{name}={value}" for name, value in {**whole, "S": limit}.items())
    asymmetry = segment.o_s.value - segment.o_r.value
    notes = (f"One time unit is {unit:g} ns.", f"o is the mean of o_s and o_r, which differ by {asymmetry:.3g} ns.")
    return LogGOPSim(arguments, unit, notes)


# --- SimGrid ----------------------------------------------------------------------------------------------------


@frozen
class _Path:
    """What SMPI is told of one segment: the wire, and the entries for os and or."""

    latency_ns: float
    per_byte_ns: float
    send: str = "0:0"
    receive: str = "0:0"
    notes: tuple[str, ...] = ()


def _path(segment: Segment, eager: bool) -> _Path:
    """The wire is the half round trip less the overheads, less the 17 bytes that SMPI counts and LogGP does not."""
    half = segment.half_round_trip
    name = f"{segment.first_bytes} to {segment.last_bytes} B"
    if not half.at_one.known:
        raise UsageError(
            f"The half round trip of the segment {name} is not known.", remedy="measure trains of one message in it"
        )
    out = (segment.send, segment.receive) if eager and segment.latency.known else ()
    latency, per_byte = _wire(half, out)
    notes = []
    if out and (per_byte <= 0 or latency < 0):
        notes.append(f"{name}: overheads are part of the latency; taken off, they leave the wire less than nothing.")
        out = ()
    elif eager and not out:
        notes.append(f"{name}: overheads are part of the latency; L is {segment.latency.reason or 'not known'}.")
    latency, per_byte = _wire(half, out)
    if latency < 0:
        notes.append(f"{name}: half round trips are {-latency:.3g} ns too long, SMPI's header costs more than L.")
    per_byte = max(per_byte, LEAST_PER_BYTE_NS)
    entries = [_seconds(law) for law in out] or ["0:0", "0:0"]
    return _Path(max(latency, 0.0), per_byte, entries[0], entries[1], tuple(notes))


def _wire(half: CostLaw, out: tuple[CostLaw, ...]) -> tuple[float, float]:
    """Latency (ns) and time per byte of the wire, once the overheads in ``out`` are taken off the half round trip."""
    per_byte = _slope(half) - sum(_slope(law) for law in out)
    at_one = half.at_one.value - sum(law.at_one.value for law in out)
    return at_one - (HEADER_BYTES + 1) * max(per_byte, LEAST_PER_BYTE_NS), per_byte


def _slope(law: CostLaw) -> float:
    return law.per_byte.value if isfinite(law.per_byte.value) else 0.0


def _seconds(law: CostLaw) -> str:
    """``constant:per-byte`` for SMPI, which counts s where LogGP counts s - 1."""
    constant = law.at_one.value - _slope(law)
    return f"{max(constant, 0.0) * 1e-9:.9g}:{_slope(law) * 1e-9:.9g}"


def _entries(thresholds: list[int], values: list[str]) -> str:
    return ";".join(f"{threshold}:{value}" for threshold, value in zip(thresholds, values, strict=True))


def _platform(hosts: int, latency_ns: float, per_byte_ns: float, flops_per_s: float) -> str:
    """A cluster whose nodes have one link each, both ways at full speed; a path crosses two of them."""
    bandwidth, half, whole = 1e9 / per_byte_ns, latency_ns * 1e-9 / 2, latency_ns * 1e-9
    return f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="measured" prefix="node-" suffix="" radical="0-{hosts - 1}" speed="{flops_per_s:.6g}f"
           bw="{bandwidth:.9g}Bps" lat="{half:.9g}s" sharing_policy="SPLITDUPLEX"
           loopback_bw="{bandwidth:.9g}Bps" loopback_lat="{whole:.9g}s"/>
</platform>
"""
