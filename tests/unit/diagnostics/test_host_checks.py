"""What hosts say of themselves, and what is found in it: differences by name, each with a remedy."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from msgauge.diagnostics.checks import exit_code
from msgauge.diagnostics.host_checks import examine_hosts
from msgauge.diagnostics.port_survey import PROBE, PortSurvey, parse_closed
from msgauge.execution.host_survey import HostFacts, parse_facts, write_script
from msgauge.ssh import ssh_scripts

USUAL = {"kernel": "6.1", "machine": "x86_64", "cores": "8", "mtu": "1500", "speed": "10000", "link": "up"}
HOSTS = tuple(HostFacts(f"n{number}", USUAL, {"/opt/mpiexec": "1 2"}, 1000, 2000) for number in range(1, 5))
STACKS = {"openmpi@5": ("/opt/mpiexec",)}


def changed(**said: str) -> tuple[HostFacts, ...]:
    return (*HOSTS[:3], evolve(HOSTS[3], said=USUAL | said))


def found(hosts: tuple[HostFacts, ...]) -> dict[str, tuple[str, str]]:
    return {one.code: (one.level, one.message) for one in examine_hosts(hosts, STACKS) if one.level != "fine"}


def test_hosts_that_are_alike_are_fine() -> None:
    assert found(HOSTS) == {}
    assert exit_code(examine_hosts(HOSTS, STACKS)) == 0


def test_what_differs_is_named_with_the_host_and_a_remedy() -> None:
    assert found(changed(mtu="9000")) == {"host-mtu": ("problem", "MTU differs: 1500 on 3 hosts, 9000 on n4")}
    assert found(changed(speed="1000"))["host-speed"][1].endswith("10000 on 3 hosts, 1000 on n4")
    assert found(changed(kernel="")) == {"host-kernel": ("caution", "kernel differs: 6.1 on 3 hosts, not told on n4")}
    assert found(changed(link="down")) == {"host-links": ("problem", "links: n4 is down")}
    assert found(changed(duplex="half")) == {"host-links": ("problem", "links: n4 has half duplex")}
    assert all(one.remedy for one in examine_hosts(changed(mtu="9000", cores="4"), STACKS) if one.level != "fine")


def test_stacks_that_are_missing_or_another_build_are_problems() -> None:
    hosts = (*HOSTS[:2], evolve(HOSTS[2], files={"/opt/mpiexec": ""}), evolve(HOSTS[3], files={"/opt/mpiexec": "9 9"}))
    assert found(hosts) == {
        "host-stack-openmpi@5": ("problem", "openmpi@5 is missing on n3 and is another build on n4")
    }


def test_a_host_that_does_not_answer_is_a_problem_and_the_others_are_judged_without_it() -> None:
    hosts = (*HOSTS[:3], HostFacts("n4", silence="Connection refused"))
    assert found(hosts) == {"hosts": ("problem", "1 of 4 hosts do not answer: n4: Connection refused")}
    assert found(tuple(HostFacts(one.name, silence="gone") for one in HOSTS)).keys() == {"hosts"}


def test_a_host_that_nobody_reaches_is_named_once_and_other_closed_ways_by_their_ends() -> None:
    names = [host.name for host in HOSTS]
    deaf = {(name, "n4"): "no answer" for name in names[:3]}
    (told,) = [one for one in examine_hosts(HOSTS, {}, PortSurvey(deaf)) if one.code == "host-ports"]
    assert (told.level, told.message) == ("problem", "ranks' ports: no host reaches n4") and told.remedy
    (told,) = [one for one in examine_hosts(HOSTS, {}, PortSurvey({("n1", "n2"): "ECONNREFUSED"})) if one.remedy]
    assert told.message == "ranks' ports: closed: n1 to n2 (ECONNREFUSED)"
    (told,) = [one for one in examine_hosts(HOSTS, {}, PortSurvey({}, {"n3": "python3: not found"})) if one.remedy]
    assert told.level == "unknown" and "n3: python3: not found" in told.message


def find_ports(ports: PortSurvey, hosts: tuple[HostFacts, ...] = HOSTS) -> tuple[str, str, str, dict[str, str]]:
    (told,) = [one for one in examine_hosts(hosts, {}, ports) if one.code == "host-ports"]
    return told.level, told.message, told.remedy, dict(told.evidence)


def test_where_nothing_could_listen_no_firewall_is_blamed() -> None:
    refused = {(name, "n3"): "ECONNREFUSED" for name in ("n1", "n2", "n4")}
    level, message, remedy, evidence = find_ports(PortSurvey(refused, {"n3": "python3: not found"}))
    assert (level, message) == ("unknown", "ranks' ports: not tried on n3: python3: not found")
    assert "install python3 on n3" in remedy and "firewall" not in remedy and evidence == {"n3": "python3: not found"}


def test_a_firewall_beside_a_host_that_could_not_try_is_told_with_it() -> None:
    closed = {(name, to): "no answer" for name in ("n1", "n2", "n4") for to in ("n3", "n4") if name != to}
    level, message, remedy, _ = find_ports(PortSurvey(closed, {"n3": "python3: not found"}))
    assert level == "problem"
    assert message == "ranks' ports: no host reaches n4; not tried on n3: python3: not found"
    assert "firewalls" in remedy and "python3 on n3" in remedy


def test_a_host_that_does_not_answer_is_told_once_and_not_as_a_closed_port() -> None:
    hosts, gone = (*HOSTS[:3], HostFacts("n4", silence="n4 is down")), {"n4": "n4 is down"}
    deaf = {(name, "n4"): "no answer" for name in ("n1", "n2", "n3")}
    assert find_ports(PortSurvey(deaf, gone), hosts)[0] == "fine"
    assert found(hosts).keys() == {"hosts"}
    assert find_ports(PortSurvey(deaf | {("n1", "n2"): "no answer"}, gone), hosts)[:2] == (
        "problem",
        "ranks' ports: closed: n1 to n2 (no answer)",
    )


def test_a_host_says_which_others_it_cannot_connect_to() -> None:
    """The program itself, alone: it reaches its own port, and no host without an address."""
    argv = [sys.executable, "-I", "-S", "-c", PROBE]
    for peer, expected in (("localhost", set()), ("nowhere.invalid", {"nowhere.invalid"})):
        with socket.create_server(("", 0)) as free:  # a port of our own choice may be that of any connection here
            port = str(free.getsockname()[1])
        done = subprocess.run([*argv, port, "2", peer], capture_output=True, text=True, check=True, timeout=60)
        assert set(parse_closed(done.stdout) or ()) == expected, done.stdout
    assert parse_closed("Traceback") is None


def test_a_wall_clock_is_only_called_wrong_beyond_what_the_question_took() -> None:
    late = (*HOSTS[:3], evolve(HOSTS[3], clock_ahead_ns=-3_000_000_000, clock_error_ns=2_990_000_000))
    assert found(late) == {}
    (told,) = found((*HOSTS[:3], evolve(late[3], clock_error_ns=1_000_000))).values()
    assert told[0] == "caution" and "n4 behind by 3.00 s ±1.00 ms" in told[1]


def test_the_script_runs_in_any_shell_and_tells_the_clock_and_files(tmp_path: Path) -> None:
    there, hostile = tmp_path / "there", tmp_path / "a b';touch c;'"
    there.write_text("x")
    hostile.write_text("y")
    script = write_script([str(there), str(hostile), str(tmp_path / "none")], "lo", [])
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    host = parse_facts("here", done.stdout, 0, 10)
    assert host.files[str(there)].endswith(" 1") and host.files[str(hostile)].endswith(" 1")
    assert host.files[str(tmp_path / "none")] == ""
    assert host.said["mtu"].isdigit() and host.said["interface"] == "lo" and int(host.said["cores"]) > 0
    assert host.clock_ahead_ns > 10**18 and host.clock_error_ns == 5
    assert not (tmp_path / "c").exists()


def test_processors_are_counted_whatever_openmp_is_told(tmp_path: Path) -> None:
    scripts = {"doctor": write_script([], "lo", []), "ssh": ssh_scripts.whole(str(tmp_path), ssh_scripts.survey([]))}
    for script in scripts.values():
        counts = set()
        for told in ({}, {"OMP_NUM_THREADS": "1000"}, {"OMP_THREAD_LIMIT": "1"}):
            environment = {"PATH": os.environ["PATH"], **told}
            done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True, env=environment)
            counts |= {line for line in done.stdout.splitlines() if line.startswith("cores=")}
        assert len(counts) == 1, counts


@pytest.mark.parametrize("greeting", ["file server down", "file ", "lacks ", "wall=\u00b2" + "\u00b2" * 12])
def test_a_greeting_that_begins_like_an_answer_is_none(greeting: str) -> None:
    facts = parse_facts("n1", f"{greeting}\ncores=4\nfile 7 12 /bin/worker of mine\n", 0, 1)
    assert facts.said["cores"] == "4"
    assert facts.files["/bin/worker of mine"] == "7 12"


@given(st.text(max_size=300))
def test_any_output_of_a_host_is_read(text: str) -> None:
    parse_facts("n1", text, 0, 1)
