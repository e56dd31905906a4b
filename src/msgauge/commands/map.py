"""``msgauge map``: latency and bandwidth of every pair of hosts, and which hosts and links are slow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from attrs import evolve
from cyclopts import Parameter

from msgauge import evaluation, units
from msgauge.analysis.findings.cluster_map import ClusterMap, ClusterMaps
from msgauge.errors import UsageError
from msgauge.frontend.exit_status import exit_code, failure_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.measurement import measure_prepared_study
from msgauge.frontend.study_options import StudyOptions, make_limits, make_study
from msgauge.frontend.whole_numbers import MaybeWhole, Whole
from msgauge.kernels import load_kernels
from msgauge.launchers.known_launchers import read_hosts
from msgauge.model import Analysis, HostSet, Pairs
from msgauge.pipeline import Prepared
from msgauge.report import json_output
from msgauge.report.terminal.console import print_warning
from msgauge.results.publishing import publish_output
from msgauge.results.run_folder import RunFolder
from msgauge.study import Measure, Study

_MANY = 24
"""With more emulated hosts, one pair after the other, launches are fewer and their passes shorter: 64 hosts have 2016
pairs."""
_SMALLER = 64 << 10
"""The large message where one pair follows the other: it fits the queue of a switch, and few processors carry it."""
_FEWER = 3
_FEWER_REPEATS = {"11": "5", "3": "1"}
_AT_ONCE = 8 << 10
"""The message of many hosts that all send to all: 64 of them send 4032 at once."""
_SHORT = 8
_SLOW, _UNKNOWN = 1, 3
_SCHEDULES = ("sequence", "rounds")


def map(
    run: Path | None = None,
    /,
    *,
    hosts: str = "",
    hostfile: str = "",
    ssh_config: str = "",
    stack: str = "",
    rounds: MaybeWhole = None,
    size: str = "",
    schedule: str = "",
    seed: Whole = 0,
    runs: Annotated[Path, Parameter(name=["--runs", "--output"])] = RUNS,
    html: Path | None = None,
    json: bool = False,
) -> int:
    """Map a cluster: latency and bandwidth of every pair of hosts; which hosts, links and switches are slow.

    Parameters
    ----------
    run
        The folder of an earlier map, to be shown again; measured now by default.
    hosts
        The hosts, e.g. n1,n2 (by ssh) or lab:16@gigabit (emulated); inside a job those of the job by default.
    hostfile
        A file that lists them.
    ssh_config
        What 'ssh -F' is told; your own configuration by default.
    stack
        The stack whose messages are measured, tcp by default; several with commas.
    rounds
        Number of launches; 5 by default, 3 for very many hosts.
    size
        Size of the large message; 256KiB, or 64KiB one pair after the other.
    schedule
        rounds (each host in one pair at a time; the default) or sequence (one pair after the other; the default where
        emulated hosts share processors).
    seed
        Seed of all random orders.
    runs
        Folder in which run folders are created.
    html
        Write the page here too; it is report.html in the run folder.
    json
        Print the map as JSON.
    """
    if run is None:
        reached = StudyOptions(hosts=hosts, hostfile=hostfile, ssh_config=ssh_config)
        study = _fit(schedule, size, evolve(reached, stacks=stack, rounds=rounds, seed=seed))
        result = measure_prepared_study(study, runs, _refuse_what_draws_no_map)
        folder, analysis = result.folder, result.analysis
        code = exit_code(analysis, hosts_lost=result.hosts_lost)
    else:
        if any((hosts, hostfile, ssh_config, stack, rounds is not None, size, schedule, seed)):
            raise UsageError("a map that is shown again takes no options of measuring", remedy="leave out RUN")
        folder, analysis = evaluation.reanalyse(run)
        evaluation.keep_if_possible(folder, analysis)
        code = failure_code(analysis)
    page = None if html is None else evaluation.write_page(folder)
    if page is None and (missing := evaluation.keep_page(folder)):
        print_warning(missing)
    found = folder.read_derived("map", ClusterMaps)
    if found is None:
        raise UsageError(f"{folder.path} holds no map", remedy="measure one: msgauge map --hosts lab:4@gigabit")
    if page is not None and html is not None:
        publish_output(html, page.read_bytes())
    _print_maps(found, analysis, folder, json=json)
    return code or _judge(found)


def _fit(schedule: str, size: str, asked: StudyOptions) -> Study:
    """The study for these hosts.

    Raises:
        UsageError: no hosts, or an option that makes no sense.
    """
    if schedule not in ("", *_SCHEDULES):
        raise UsageError(f"unknown --schedule {schedule!r}", remedy=f"write --schedule {' or '.join(_SCHEDULES)}")
    study = make_study("map", asked, load_kernels())
    known = read_hosts(study.hosts)
    if len(known.names) < 2:
        what = "a map needs two hosts or more" if study.hosts else "a map needs hosts"
        raise UsageError(what, remedy="write for example msgauge map --hosts lab:8@gigabit")
    way = schedule or ("sequence" if known.emulated else "rounds")
    many = way == "sequence" and len(known.names) > _MANY
    if many and asked.rounds is None:
        study = evolve(study, stopping=make_limits(study.stopping, evolve(asked, rounds=_FEWER)))
    large = _parse_large(size) if size else _SMALLER if way == "sequence" else 0
    measures = tuple(_fit_measure(one, way, large, many=many and not size) for one in study.measures)
    return evolve(study, ranks=(len(known.names),), measures=measures)


def _parse_large(size: str) -> int:
    large = units.parse_size(size)
    if large <= _SHORT:
        what = f"--size {size} is no larger than the short message of {units.format_size(_SHORT)}"
        raise UsageError(what, remedy="write for example --size 64KiB")
    return large


def _refuse_what_draws_no_map(ready: Prepared) -> None:
    """Raises UsageError: the messages of a stack cross no network, and its map would be none of the hosts; or it cannot
    send some of them, and its map would lack what they tell.
    """
    stays = [stack.spec for stack in ready.stacks if stack.stays]
    if stays:
        what = f"{', '.join(stays)}: messages do not leave this computer, so they map no hosts"
        raise UsageError(what, remedy="name a stack that reaches them, e.g. --stack tcp")
    lacking = dict.fromkeys(f"{one.stack}: {one.reason}" for one in ready.plan.refusals)
    if lacking:
        what = f"the map would not be whole: {'; '.join(lacking)}"
        raise UsageError(what, remedy="take a smaller --size, or another --stack")


def _fit_measure(one: Measure, way: str, large: int, *, many: bool) -> Measure:
    """The measure by this schedule, its large messages of another size where one is given."""
    options = dict(one.options)
    in_pairs = bool(set(options["schedule"]) & set(_SCHEDULES))
    if in_pairs:
        options["schedule"] = (way,)
    if many:
        options["repeats"] = tuple(_FEWER_REPEATS.get(count, count) for count in options["repeats"])
    wanted = _AT_ONCE if many and not in_pairs else large
    is_large = min(one.sizes) > _SHORT
    return evolve(one, options=tuple(options.items()), sizes=(wanted,) if wanted and is_large else one.sizes)


def _judge(found: ClusterMaps) -> int:
    """The exit code of a health check: 0 nothing stands out as slow, 1 something does, 3 too little to say."""
    healths = {one.health for one in found.maps}
    return _SLOW if "slow" in healths else _UNKNOWN if "unknown" in healths else 0


def _print_maps(found: ClusterMaps, analysis: Analysis, folder: RunFolder, *, json: bool) -> None:
    failed = tuple(dict.fromkeys((one.stack, one.reason) for one in analysis.failures))
    refused = tuple(dict.fromkeys((one.stack, one.reason) for one in analysis.refusals))
    if json:
        print(json_output.text(_as_json(found, failed, refused, folder)))
        return
    from msgauge.report.terminal.map_terminal import print_maps

    print_maps(found.maps, failed, refused, folder.path)


def _as_json(found: ClusterMaps, failed: Pairs, refused: Pairs, folder: RunFolder) -> dict[str, Any]:
    """Schema ``map``."""
    hosts: HostSet = folder.plan.hosts
    return {
        "run": str(folder.path.absolute()),
        "hosts": {
            "asked": hosts.asked,
            "names": list(hosts.names),
            "emulated": hosts.emulated,
            "network": hosts.network,
        },
        "maps": [_map(one) for one in found.maps],
        "failures": [{"stack": stack, "reason": reason} for stack, reason in failed],
        "refusals": [{"stack": stack, "reason": reason} for stack, reason in refused],
    }


def _map(one: ClusterMap) -> dict[str, Any]:
    return {
        "stack": one.stack,
        "hosts": list(one.hosts),
        "health": one.health,
        "schedule": one.schedule,
        "launches": one.launches,
        "findings": [
            {
                "kind": found.kind,
                "quantity": found.quantity,
                "hosts": list(found.hosts),
                "sentence": found.sentence,
                "ratio": found.ratio,
                "ratio_low": found.low,
                "ratio_high": found.high,
                "p": found.p,
            }
            for found in one.findings
        ],
        "groups": [list(group) for group in one.groups],
        "notes": list(one.notes),
        "tables": [
            {
                "quantity": table.quantity,
                "unit": "ns" if table.quantity == "latency" else "bytes/s",
                "size_bytes": table.size_bytes,
                "typical": table.typical,
                "values": [list(row) for row in table.values],
                "host_ratios": [ratio or None for ratio in table.host_ratios],
            }
            for table in one.tables
        ],
        "together_bytes_per_s": one.together_bytes_per_s or None,
        "bisection_bytes_per_s": one.bisection_bytes_per_s or None,
    }
