"""``msgauge lab``: emulated hosts on this computer, for measuring across a network that everybody has."""

from __future__ import annotations

import os
import pwd
from typing import Annotated, Any

from attrs import evolve
from cyclopts import Parameter

from msgauge import units
from msgauge.config import load_config
from msgauge.errors import UsageError
from msgauge.frontend.command_group import make_group
from msgauge.frontend.whole_numbers import Whole
from msgauge.lab.bare_link import SMALLEST, BareLink, probe_link
from msgauge.lab.emulation import Lab, LabPlan, RunningLab, check_name, end_lab, find_lab, list_labs
from msgauge.lab.faults import Faults, read_faults, read_uplink
from msgauge.lab.link import Link, find_preset, parse_latency, parse_rate
from msgauge.lab.outages import change_host, find_lost, refuse_dead
from msgauge.lab.rootless import refuse_slurm_without_root
from msgauge.lab.slurm_daemons import has_slurm, start_slurm
from msgauge.report import json_output

lab = make_group(
    "lab",
    help="Make emulated hosts on this computer, list them, run programs on them, take them down.",
)
NameOption = Annotated[str, Parameter(help="The lab; the one that stands, by default.")]
JsonFlag = Annotated[bool, Parameter(help="Print as JSON.")]


@lab.command
def up(
    network: Annotated[str, Parameter(help="bare, 100baset, gigabit, 10gbe, 25gbe or wan; bare by default.")] = "",
    /,
    *,
    hosts: Annotated[Whole, Parameter(help="How many hosts.")] = 4,
    rate: Annotated[str, Parameter(help="Rate of every link, e.g. 1Gbit.")] = "",
    latency: Annotated[str, Parameter(help="What the network adds one way, e.g. 20us.")] = "",
    name: Annotated[str, Parameter(help="A name for the lab.")] = "lab",
    clock_offset: Annotated[str, Parameter(help="Each host's clock is ahead of the one before by this, e.g. 2s.")] = "",
    ssh: Annotated[bool, Parameter(help="Start an sshd on every host, with keys of this lab's own.")] = False,
    user: Annotated[str, Parameter(help="Another user who may use the hosts, e.g. your own under sudo.")] = "",
    slurm: Annotated[bool, Parameter(help="Start Slurm on the hosts, so that srun and sbatch work there.")] = False,
    slow: Annotated[str, Parameter(help="Links of another rate, e.g. n3:50Mbit,n7:10Mbit.")] = "",
    late: Annotated[str, Parameter(help="Hosts whose frames take longer, one way, e.g. n5:200us.")] = "",
    lossy: Annotated[str, Parameter(help="Hosts whose links lose frames, e.g. n4:1%.")] = "",
    switches: Annotated[Whole, Parameter(help="1, or 2 with half of the hosts on each.")] = 1,
    uplink_rate: Annotated[str, Parameter(help="Rate of what joins two switches; that of the links.")] = "",
    uplink_latency: Annotated[str, Parameter(help="What the way between two switches adds; as the network.")] = "",
    json: JsonFlag = False,
) -> int:
    """Make hosts n1, n2 ... that stand until 'msgauge lab down'; some of it needs root."""
    if slurm:
        refuse_slurm_without_root()
    link = find_preset(network) if network else Link()
    if rate:
        link = evolve(link, rate_bits=parse_rate(rate), name="")
    if latency:
        link = evolve(link, latency_ns=parse_latency(latency), name="")
    step_ns = round(units.parse_duration_s(clock_offset) * 1e9) if clock_offset else 0
    offsets = tuple(step_ns * number for number in range(hosts)) if step_ns else ()
    uplink = read_uplink(switches, uplink_rate, uplink_latency, link, hosts)
    faults = evolve(read_faults(slow, late, lossy, hosts), uplink=uplink)
    running = RunningLab(LabPlan(hosts, link, check_name(name), offsets, ssh, faults), _users(user))
    try:
        if slurm:
            start_slurm(running.lab)
        bare = probe_link(running.lab, sizes=SMALLEST)  # no more is told here
    except BaseException:
        running.close()
        raise
    standing = running.stay()
    print(json_output.text(_plain(standing, bare)) if json else _describe(standing, bare))
    return 0


@lab.default
@lab.command(name="list")
def show(*, json: JsonFlag = False) -> int:
    """List the labs that stand, with hosts that are dead or cut off."""
    labs = list_labs()
    if json:
        print(json_output.text({"labs": [_plain(one, None) for one in labs]}))
    else:
        print("\n".join(_line(one) for one in labs) or "no lab stands; make one with 'msgauge lab up'")
    return 0


@lab.command
def down(names: Annotated[tuple[str, ...], Parameter(help="Labs as listed; all by default.")] = (), /) -> int:
    """Take labs down, with all that runs on their hosts."""
    chosen = [find_lab(name) for name in names] if names else list_labs()
    for one in chosen:
        end_lab(one)
        print(f"lab {one.name} is down")
    return 0


@lab.command
def run(host: str, /, *command: Annotated[str, Parameter(allow_leading_hyphen=True)], name: str = "") -> int:
    """Run a command on a host of a lab, in the folder and with the environment of the caller.

    Parameters
    ----------
    host
        n1, n2 ...
    command
        The program and its arguments, after --.
    name
        The lab; the one that stands, by default.
    """
    one = _choose(name)
    if host not in one.hosts:
        raise UsageError(f"there is no host {host!r}", remedy=f"hosts of this lab: {one.hosts[0]} to {one.hosts[-1]}")
    if not command:
        raise UsageError("no command is named", remedy=f"write for example: msgauge lab run {host} -- hostname")
    refuse_dead(one, [host])
    argv = one.argv_on(host, command)
    return os.spawnv(os.P_WAIT, argv[0], argv)


@lab.command
def kill(host: str, /, *, name: NameOption = "") -> int:
    """End a host at once with all that runs on it, as a loss of power does; 'lab mend' makes it anew."""
    return _change("kill", host, name)


@lab.command
def cut(host: str, /, *, name: NameOption = "") -> int:
    """Pull the cable of a host: it has no link, and what runs on it goes on; 'lab mend' puts it back."""
    return _change("cut", host, name)


@lab.command
def mend(host: str, /, *, name: NameOption = "") -> int:
    """Bring a host back that was cut off or killed, with its sshd where it had one; without Slurm."""
    return _change("mend", host, name)


def _change(what: str, host: str, name: str) -> int:
    print(change_host(_choose(name), what, host))
    return 0


def _choose(name: str) -> Lab:
    """The lab of that name, or the one that stands."""
    standing = list_labs()
    if not name and len(standing) > 1:
        raise UsageError(
            "several labs stand", remedy=f"name one: --name {' or --name '.join(one.name for one in standing)}"
        )
    return standing[0] if standing and not name else find_lab(name or "lab")


def _users(named: str) -> list[str]:
    """Who may use the hosts besides root: the user of LAM's ranks, who called sudo, and who is named."""
    for user in (named, caller := os.environ.get("SUDO_USER", "")):
        if user and not _is_user(user):
            raise UsageError(f"there is no user {user!r}", remedy="name one of this computer's: --user NAME")
    return sorted({user for user in (load_config().run_as, caller, named) if user and _is_user(user)})


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _describe(one: Lab, bare: BareLink | None) -> str:
    lines = [
        _line(one),
        f"  hosts       {', '.join(one.hosts)}",
        f"  rsh agent   {one.agent}",
        f"  a command   msgauge lab run {one.hosts[0]} -- hostname",
    ]
    if one.ssh_config is not None:
        first, last = one.hosts[0], one.hosts[-1]
        lines.append(
            f"  ssh         msgauge lab run {first} --name {one.name} -- ssh -F {one.ssh_config} {last} hostname"
        )
        lines.append(
            f"  measure     msgauge lab run {first} --name {one.name} -- msgauge compare --hosts {first},{last}"
        )
        lines.append(f"              --ssh-config {one.ssh_config}")
    if has_slurm(one):
        lines.append(f"  a job       msgauge lab run {one.hosts[0]} -- srun -N{len(one.hosts)} hostname")
    if bare is not None:
        rate, half = units.format_rate(bare.bytes_per_s), units.format_time(bare.half_round_trip_ns)
        lines.append(f"  bare link   emulated; 8 B half round trip {half}, {rate}, by a minimal TCP program")
    return "\n".join(lines)


def _line(one: Lab) -> str:
    means = {"bridge": "bridge of the kernel", "netem": "netem of the kernel", "switch": "switch in user space"}
    wrong = f"; {one.faults.describe(len(one.hosts))}" if one.faults else ""
    lost = "".join(f"; {reason}" for reason in find_lost(one).values())
    hosts = units.format_count(len(one.hosts), "emulated host")
    return f"{one.name}: {hosts}; {one.link} ({means[one.wire]}){wrong}{lost}"


def _plain(one: Lab, bare: BareLink | None) -> dict[str, Any]:
    return {
        "name": one.name,
        "hosts": list(one.hosts),
        "emulated": True,
        "rate_bits_per_s": one.link.rate_bits,
        "latency_ns": one.link.latency_ns,
        "wire": one.wire,
        "slurm": has_slurm(one),
        "faults": _plain_faults(one.faults),
        "lost": [{"host": host, "reason": reason} for host, reason in find_lost(one).items()],
        "agent": str(one.agent),
        "ssh_config": str(one.ssh_config) if one.ssh_config else None,
        "bare_link": {"half_round_trip_ns": bare.half_round_trip_ns, "bytes_per_s": bare.bytes_per_s} if bare else None,
    }


def _plain_faults(faults: Faults) -> dict[str, Any]:
    uplink = faults.uplink
    hosts = [
        {"host": f"n{one.host}", "rate_bits_per_s": one.rate_bits, "late_ns": one.late_ns, "lost_ppm": one.lost_ppm}
        for one in faults.hosts
    ]
    joined = {"rate_bits_per_s": uplink.rate_bits, "latency_ns": uplink.latency_ns} if uplink else None
    return {"hosts": hosts, "switches": 2 if uplink else 1, "uplink": joined}
