"""Stacks across hosts by a real sshd: over the wire, without a shared folder or root, and nothing left there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest
from benchmarks.host_processes import command_line
from test_hosts import living, on, until_gone

import msgauge
from msgauge.lab.emulation import Lab
from msgauge.paths import cache_folder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
ONE = ["--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1", "--json"]


@pytest.fixture
def place(ssh_lab: Lab) -> Iterator[str]:
    """A folder on the first host alone, as hosts have a /tmp of their own; removed afterwards."""
    folder = "/tmp/login-node"
    on(ssh_lab, "n1", f"mkdir -m 777 {folder}")
    yield folder
    on(ssh_lab, "n1", f"rm -rf {folder}")


def call(lab: Lab, place: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Msgauge on the first host, as on a login node."""
    script = 'cd "$0" && exec "$@"'
    argv = lab.argv_on("n1", ["sh", "-c", script, place, MSGAUGE, *words, "--ssh-config", str(lab.ssh_config)])
    done = subprocess.run(argv, capture_output=True, text=True, timeout=400, check=False, stdin=subprocess.DEVNULL)
    print(f"exit code {done.returncode}: {done.stderr}")  # shown where the test fails
    return done


def records(lab: Lab, output: str) -> dict[str, dict[str, object]]:
    """The records of a run whose folder stands on the first host alone."""
    folder = json.loads(output)["run"]
    told = on(lab, "n1", f"cd {folder}/launches && for one in */record.json; do tr -d '\\n' <$one; echo; done")
    return {value["launch"]["stack"]: value for line in told.splitlines() if (value := json.loads(line)["value"])}


def left(lab: Lab, host: str) -> list[str]:
    """Files and processes of a run on a host."""
    script = (
        "ls -d /tmp/mg-ssh-* /tmp/login-node/runs 2>/dev/null; grep -ls MSGAUGE_ACCESS=mg-ssh /proc/[0-9]*/environ; :"
    )
    return on(lab, host, script).split()


def stop_ranks(lab: Lab, host: str) -> list[str]:
    """The ranks that run on a host now, which are stopped where they are. The pattern does not match this command."""
    found = "grep -ls -e '[-]-samples' /proc/[0-9]*/cmdline | cut -d / -f 3"
    return on(lab, host, f"for rank in $({found}); do kill -STOP $rank && echo $rank; done; :").split()


def find_msgauge(words: str) -> int:
    """The process that was called with these words: older than all that it forks, which have them for a moment."""
    found = [one for one in living(words) if "--here" not in command_line(Path(f"/proc/{one}"))]
    return min(found, key=start_of)


def start_of(pid: int) -> float:
    """Ticks of the clock from boot to its start; without end for one that has ended."""
    try:
        return float(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return inf


@pytest.mark.timeout(400)
def test_stacks_cross_the_wire_though_no_host_sees_the_run_folder(ssh_lab: Lab, place: str) -> None:
    done = call(ssh_lab, place, "compare", "--hosts", "n1,n2,n3", "--stacks", "tcp,openmpi@4/system,pvm,lam", *ONE)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["hosts"]["emulated"] and said["hosts"]["facts"]["interface"] == "eth0"
    assert "emulated-hosts" in {one["code"] for one in said["warnings"]}
    (reason,) = {one["reason"] for one in said["refusals"]}
    assert "another user" in reason, "LAM refuses root"
    found = records(ssh_lab, done.stdout)
    assert {spec.partition("@")[0] for spec in found} == {"tcp", "openmpi", "pvm"}
    for spec, record in found.items():
        assert record["status"] == "ok", f"{spec}: {record['reason']} {record['log']}"
        assert [one["host"] for one in record["placement"]] == ["n1", "n2"], spec  # type: ignore[attr-defined]
        assert " bytes received by eth0 for 524288 " in dict(record["condition"])["wire"], spec  # type: ignore[call-overload]
    assert left(ssh_lab, "n2") == left(ssh_lab, "n3") == []
    assert [one for one in left(ssh_lab, "n1") if "mg-ssh" in one] == []


@pytest.fixture
def packages(ssh_lab: Lab) -> Iterator[str]:
    """What ``import msgauge`` needs, on the first host where everybody may read it, and nobody write."""
    wanted = [
        one for one in [str(Path(msgauge.__file__).parents[1]), *sys.path] if "src" in one or "site-packages" in one
    ]
    shown = {one: f"/tmp/packages-{number}" for number, one in enumerate(dict.fromkeys(wanted))}
    for one, at in shown.items():
        source = shlex.quote(one)
        on(ssh_lab, "n1", f"mkdir {at} && mount --bind {source} {at} && mount -o remount,ro,bind {at}")
    yield os.pathsep.join(shown.values())
    for at in shown.values():
        on(ssh_lab, "n1", f"umount {at} && rmdir {at}")


@pytest.mark.timeout(400)
def test_an_ordinary_user_measures_on_hosts_that_he_does_not_stand_on(ssh_lab: Lab, place: str, packages: str) -> None:
    python = shutil.which("python3", path=os.defpath) or ""
    probe = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    own = "{}.{}".format(*sys.version_info)
    if not python or subprocess.run(probe, capture_output=True, text=True, check=False).stdout.strip() != own:
        python = sys.executable
    cache = f"{place}/cache/{cache_folder().name}"
    known = f"cp -r proofs {cache}; cp -r workers/tcp-* {cache}/workers"  # what is there saves time
    fill = f"mkdir -p {cache}/workers; cd {cache_folder()} && {{ {known}; }} 2>/dev/null; chown -R nobody {place}/cache"
    on(ssh_lab, "n1", fill)
    words = [
        python,
        "-c",
        "from msgauge.cli import main; main()",
        "compare",
        "--hosts",
        "n2,nobody@n3",
        "--stacks",
        "tcp",
        *ONE,
    ]
    variables = [f"PYTHONPATH={packages}", f"XDG_CACHE_HOME={place}/cache", f"HOME={place}", "PATH=/usr/bin:/bin"]
    script = 'cd "$0" && exec runuser -u nobody -- "$@"'
    config = f"MSGAUGE_SSH_CONFIG={ssh_lab.ssh_config}"
    argv = ssh_lab.argv_on("n1", ["sh", "-c", script, place, "env", *variables, config, *words])
    done = subprocess.run(argv, capture_output=True, text=True, timeout=400, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    (record,) = records(ssh_lab, done.stdout).values()
    assert [one["host"] for one in record["placement"]] == ["n2", "n3"]  # type: ignore[attr-defined]
    assert record["status"] == "ok" and dict(record["condition"])["copied_worker"] == "n2, n3"  # type: ignore[call-overload]
    assert left(ssh_lab, "n2") == left(ssh_lab, "n3") == []
    assert on(ssh_lab, "n2", "ls -d /tmp/login-node 2>/dev/null; :") == "", "folders that were made for copies go too"


def test_each_host_that_cannot_be_reached_is_named_with_its_reason(ssh_lab: Lab, place: str) -> None:
    done = call(ssh_lab, place, "compare", "--hosts", "n1,n2,nowhere,daemon@n3", "--stacks", "tcp", *ONE)
    assert done.returncode == 2 and done.stdout == ""
    assert "2 of 4 hosts cannot be reached" in done.stderr
    assert "nowhere: " in done.stderr and "HostName" in done.stderr
    assert "n3: " in done.stderr and "Permission denied" in done.stderr and "ssh-copy-id daemon@n3" in done.stderr
    assert left(ssh_lab, "n1") == left(ssh_lab, "n2") == []


def test_two_names_of_one_host_are_refused(ssh_lab: Lab, place: str) -> None:
    done = call(ssh_lab, place, "compare", "--hosts", "n1,10.99.0.1", "--stacks", "tcp", *ONE)
    assert done.returncode == 2 and "the same computer" in done.stderr


@pytest.mark.timeout(300)
def test_a_connection_that_breaks_is_made_again_and_the_run_goes_on(ssh_lab: Lab, place: str) -> None:
    """Killed in the middle of a launch; the host does not see the run folder, so all is brought there again.

    The launch does not end in the second that passes before it is asked what is lost: its rank there is stopped.
    """
    words = ["compare", "--hosts", "n1,n2", "--stacks", "tcp", *ONE[:-3], "--rounds", "3", "--json"]
    words[words.index("--kernels") + 1] = "pingpong,ring,exchange,bcast,reduce"
    words[words.index("--sizes") + 1] = "1..64KiB"  # two seconds of launch, so that the first one is met
    script = 'cd "$0" && exec "$@"'
    argv = ssh_lab.argv_on("n1", ["sh", "-c", script, place, MSGAUGE, *words, "--ssh-config", str(ssh_lab.ssh_config)])
    piped = subprocess.PIPE
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=piped, stderr=piped, text=True) as running:
        limit = time.monotonic() + 200
        while not stop_ranks(ssh_lab, "n2") and time.monotonic() < limit:
            assert running.poll() is None
            time.sleep(0.05)
        (connections,) = [one for one in left(ssh_lab, "n1") if one.startswith("/tmp/mg-ssh-")]
        on(ssh_lab, "n1", f"kill -9 $(cat {connections}/p0)")
        output, errors = running.communicate(timeout=200)
    assert running.returncode == 4 and "connected again to n2" in errors, errors
    said = json.loads(output)
    (told,) = [one for one in said["warnings"] if one["code"] == "reconnected"]
    assert told["evidence"] == {"n2": "1"} and "1 launch failed as a host was lost" in told["message"]
    assert left(ssh_lab, "n2") == [] and until_gone(connections) == []


@pytest.mark.timeout(300)
def test_nothing_stays_on_any_host_when_msgauge_is_killed(ssh_lab: Lab, place: str) -> None:
    words = ["compare", "--hosts", "n1,n2", "--stacks", "tcp", "--kernels", "pingpong", "--sizes", "8", "--ranks", "2"]
    words += ["--rounds", "400"]  # no other test's, which may run beside this one on the same names of hosts
    script = 'cd "$0" && exec "$@"'
    argv = ssh_lab.argv_on("n1", ["sh", "-c", script, place, MSGAUGE, *words])
    environment = {**os.environ, "MSGAUGE_SSH_CONFIG": str(ssh_lab.ssh_config)}
    with subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        limit = time.monotonic() + 200
        while not left(ssh_lab, "n2")[1:] and time.monotonic() < limit:
            assert running.poll() is None
            time.sleep(0.05)
        (connections,) = [one for one in left(ssh_lab, "n1") if one.startswith("/tmp/mg-ssh-")]
        assert living(connections)
        os.kill(find_msgauge("\0" + "\0".join(words) + "\0"), signal.SIGKILL)
    limit = time.monotonic() + 30
    while (found := [left(ssh_lab, host) for host in ("n2", "n3")]) != [[], []] and time.monotonic() < limit:
        time.sleep(0.05)
    assert found == [[], []]
    assert [one for one in left(ssh_lab, "n1") if "login-node" not in one] == []
    assert until_gone(connections) == []
