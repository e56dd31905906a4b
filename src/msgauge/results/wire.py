"""The wire protocol of docs/reference/wire-protocol.md, msgauge's side: plans as text out, frames as binary in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np
from attrs import evolve, field, frozen

from msgauge.errors import WireError
from msgauge.model import Cell, HostClock, Launch, Pairs, Plan, RankPlacement, Samples, Usage

LONGEST_HEADER = 1 << 16
_SAFE = "/:@,+*()[]{}!$&'~"
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_CONDITION = ("session", "cgroup", "open_files", "policy", "nice", "loop_ns")
_COUNTED = ("cell", "series", "unit", "divisor", "count")


@frozen
class Start:
    """What a launch needs to know of its own beginning; see the wire protocol."""

    boot_ns: int = 0
    """What the daemons of the session took to come up."""
    begun_ns: int = 0
    """On CLOCK_MONOTONIC of rank 0's host: when the launcher was started; 0: nobody tells."""
    pin: tuple[int, ...] = ()
    """The processor of each rank, where each is to have one of its own."""
    begun_error_ns: int = 0
    """By how much ``begun_ns`` may be wrong, where that host's clock is not this computer's."""


def write_plan(plan: Plan, launch: Launch, cores: int, start: Start | None = None) -> str:
    """The plan text of one launch, its cells in the order they are to be measured.

    Raises:
        WireError: the launch asks for a cell that the plan does not hold.
    """
    cells = {cell.id: cell for cell in plan.cells}
    missing = [number for number in launch.cells if number not in cells]
    if missing:
        raise WireError(
            f"launch {launch.number} asks for cells that the plan does not hold: {missing}",
            where="plan",
            remedy="make the plan again from its study",
        )
    stopping = plan.stopping
    lines = [
        "msgauge-plan 1",
        _launch_line(launch, cores, start or Start()),
        _fields("clock", name=plan.clock),
        _fields(
            "limits",
            cell_budget_ns=round(stopping.cell_budget_on(launch.ranks, cores) * 1e9),
            cell_precision=stopping.cell_precision,
            launch_limit_ns=round(stopping.launch_limit_s * 1e9),
            check="yes" if plan.check else "no",
        ),
        *(_cell_line(cells[number], launch.ranks) for number in launch.cells),
        "end",
    ]
    return "\n".join(lines) + "\n"


def _launch_line(launch: Launch, cores: int, start: Start) -> str:
    numbers = {"number": launch.number, "round": launch.round, "seed": launch.seed, "ranks": launch.ranks}
    optional = {
        "boot_ns": start.boot_ns,
        "begun_ns": start.begun_ns,
        "begun_error_ns": start.begun_error_ns,
        "pin": ",".join(map(str, start.pin)),
    }
    return _fields("launch", **numbers, cores=cores, **{name: value for name, value in optional.items() if value})


def _cell_line(cell: Cell, ranks: int) -> str:
    fixed = _fields(
        "cell", id=cell.id, kernel=cell.kernel, bytes=cell.size_bytes, mode=cell.mode, cache=cell.cache, ranks=ranks
    )
    return " ".join([fixed, *(f"opt.{_encode(name)}={_encode(value)}" for name, value in cell.options)])


def _fields(word: str, **values: object) -> str:
    return " ".join([word, *(f"{name}={_encode(str(value))}" for name, value in values.items())])


def _encode(value: str) -> str:
    return quote(value, safe=_SAFE, errors="surrogateescape")


def read_frames(path: Path, *, launch: int = 0) -> tuple[list[Samples], bool]:
    """All whole frames of a samples file, those about the launch (cell -1) too, and whether ``series=end`` was there.

    A file that was cut off is read up to its last whole frame; a missing file holds none.

    Raises:
        WireError: the file holds something other than frames, with the byte where.
    """
    frames = list(frames_of(read_content(path), where=str(path), launch=launch))
    return frames, has_end(frames)


def readable_frames(path: Path, *, launch: int = 0) -> list[Samples]:
    """The frames before the first garbage, for a launch that is known to have failed. Never raises WireError."""
    return intact_frames(read_content(path), where=str(path), launch=launch)


def intact_frames(content: bytes, *, where: str, launch: int = 0) -> list[Samples]:
    """The same of what stands in the file."""
    frames = []
    try:
        for frame in frames_of(content, where=where, launch=launch):
            frames.append(frame)
    except WireError:
        pass
    return frames


def read_content(path: Path) -> bytes:
    """What stands in a samples file; nothing where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def has_end(frames: list[Samples]) -> bool:
    """Whether the last of them is the end of a launch that went well."""
    return any(frame.cell == -1 and frame.series == "end" for frame in frames[-1:])


def frames_of(content: bytes, *, where: str, launch: int = 0) -> Iterator[Samples]:
    """Frames one after another; stops without a word at a cut-off one.

    Raises:
        WireError: at a header that is none.
    """
    place = 0
    while place < len(content):
        ending = content.find(b"\n", place, place + LONGEST_HEADER)
        header = content[place : ending if ending >= 0 else place + LONGEST_HEADER]
        _refuse_garbage(header, cut=ending < 0, where=f"{where}, byte {place}")
        if ending < 0:
            return
        fields = _split(header.decode("ascii"), where=f"{where}, byte {place}")
        count = _whole(fields, "count", where=f"{where}, byte {place}")
        if count < 0:
            raise WireError(f"a frame counts {count} samples", where=f"{where}, byte {place}", remedy=_REMEDY)
        after = ending + 1 + 8 * count
        if after > len(content):
            return
        values = np.frombuffer(content, dtype="<i8", count=count, offset=ending + 1).astype(np.int64)
        yield _frame(fields, values, where=f"{where}, byte {place}", launch=launch)
        place = after


_REMEDY = "run the launch again; if it comes back, the worker is not built from this msgauge's sources"


def _refuse_garbage(header: bytes, *, cut: bool, where: str) -> None:
    if not all(32 <= byte < 127 for byte in header) or (cut and len(header) >= LONGEST_HEADER):
        raise WireError(f"not the header of a frame: {header[:40]!r}", where=where, remedy=_REMEDY)


def _split(line: str, *, where: str) -> dict[str, str]:
    fields = {}
    for word in line.split(" "):
        name, equals, value = word.partition("=")
        if not word:
            continue
        if not equals or not name:
            raise WireError(f"a field without '=': {word[:40]!r}", where=where, remedy=_REMEDY)
        fields[name] = unquote(value, errors="replace")
    return fields


def _whole(fields: Mapping[str, str], name: str, *, where: str, default: str | None = None) -> int:
    text = fields.get(name, default)
    if text is None:
        raise WireError(f"a frame without {name}=", where=where, remedy=_REMEDY)
    if not _WHOLE.fullmatch(text):
        raise WireError(f"{name}={text[:40]!r} is not a whole number", where=where, remedy=_REMEDY)
    return int(text)


def _frame(fields: Mapping[str, str], values: np.ndarray, *, where: str, launch: int) -> Samples:
    divisor = _whole(fields, "divisor", where=where, default="1")
    if divisor < 1:
        raise WireError(f"divisor={divisor} is below 1", where=where, remedy=_REMEDY)
    values.flags.writeable = False
    return Samples(
        launch=launch,
        cell=_whole(fields, "cell", where=where),
        series=fields.get("series", "time"),
        values=values,
        divisor=divisor,
        unit=fields.get("unit", "ns"),
        attributes=tuple((name, value) for name, value in fields.items() if name not in _COUNTED),
    )


def write_frame(samples: Samples) -> bytes:
    """The bytes of one frame, as a worker writes it; the inverse of ``frames_of``."""
    fixed: Pairs = (
        ("cell", str(samples.cell)),
        ("series", samples.series),
        ("unit", samples.unit),
        ("divisor", str(samples.divisor)),
        ("count", str(len(samples.values))),
    )
    words = (f"{_encode(name)}={_encode(value)}" for name, value in (*fixed, *samples.attributes))
    return (" ".join(words) + "\n").encode("ascii") + samples.values.astype("<i8").tobytes()


@frozen
class LaunchFacts:
    """What a launch's own frames (cell -1) say of it."""

    hello: Pairs = ()
    clock: Pairs = ()
    placement: tuple[RankPlacement, ...] = ()
    usage: Usage = field(factory=Usage)
    routes: tuple[Pairs, ...] = ()
    clocks: tuple[HostClock, ...] = ()
    ended: bool = False

    @property
    def size(self) -> int:
        """How many ranks the library said there are; 0 when it said nothing."""
        return round(_number(dict(self.hello), "size"))


def parse_facts(frames: Iterable[Samples]) -> LaunchFacts:
    """Hello, clock, placement and usage from the frames about the launch; what is missing or odd stays at zero."""
    facts = LaunchFacts()
    ranks: dict[int, RankPlacement] = {}
    for frame in frames:
        if frame.cell != -1:
            continue
        fields = dict(frame.attributes)
        if frame.series == "hello":
            facts = evolve(facts, hello=frame.attributes)
        elif frame.series == "clock":
            facts = evolve(facts, clock=frame.attributes)
        elif frame.series in ("rank", "usage"):
            rank = round(_number(fields, "rank"))
            known = ranks.get(rank, RankPlacement(rank=rank, host="", pid=0, cpus=""))
            ranks[rank] = (
                _parse_placement(known, fields) if frame.series == "rank" else evolve(known, usage=_usage(fields))
            )
        elif frame.series == "data_path":
            facts = evolve(facts, routes=(*facts.routes, frame.attributes))
        elif frame.series == "clock_sync":
            facts = evolve(facts, clocks=(*facts.clocks, _parse_clock(fields)))
        elif frame.series == "end":
            facts = evolve(facts, ended=True)
    placement = tuple(ranks[rank] for rank in sorted(ranks))
    return evolve(facts, placement=placement, usage=sum_usage(place.usage for place in placement))


def _parse_placement(known: RankPlacement, fields: Mapping[str, str]) -> RankPlacement:
    cpu = round(_number(fields, "cpu")) if "cpu" in fields else -1
    pid = round(_number(fields, "pid"))
    condition = tuple((name, fields[name]) for name in _CONDITION if name in fields)
    return evolve(
        known, host=fields.get("host", ""), pid=pid, cpus=fields.get("cpus", ""), cpu=cpu, condition=condition
    )


def _parse_clock(fields: Mapping[str, str]) -> HostClock:
    whole = {name: int(text) if _WHOLE.fullmatch(text) else 0 for name, text in fields.items()}
    return HostClock(
        rank=whole.get("rank", 0),
        at_ns=whole.get("at_ns", 0),
        offset_ns=whole.get("offset_ns", 0),
        offset_error_ns=whole.get("offset_error_ns", 0),
        drift_ppm=_number(fields, "drift_ppm"),
        drift_error_ppm=_number(fields, "drift_error_ppm"),
        round_trip_ns=whole.get("round_trip_ns", 0),
        uneven=whole.get("uneven", 0),
    )


def _usage(fields: Mapping[str, str]) -> Usage:
    return Usage(
        user_s=_number(fields, "user_ns") / 1e9,
        system_s=_number(fields, "system_ns") / 1e9,
        voluntary_switches=round(_number(fields, "voluntary")),
        involuntary_switches=round(_number(fields, "involuntary")),
        peak_memory_bytes=round(_number(fields, "peak_bytes")),
    )


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Sums over processes; the peak is of the largest."""
    total = Usage()
    for one in usages:
        total = Usage(
            user_s=total.user_s + one.user_s,
            system_s=total.system_s + one.system_s,
            voluntary_switches=total.voluntary_switches + one.voluntary_switches,
            involuntary_switches=total.involuntary_switches + one.involuntary_switches,
            peak_memory_bytes=max(total.peak_memory_bytes, one.peak_memory_bytes),
        )
    return total


def _number(fields: Mapping[str, str], name: str) -> float:
    """A finite number, or 0: facts are shown, never computed with, so an odd one must not end a run."""
    try:
        value = float(fields.get(name, "0"))
    except ValueError:
        return 0.0
    return value if abs(value) < 1e30 else 0.0
