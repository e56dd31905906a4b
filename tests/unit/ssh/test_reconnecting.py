"""Connections that break and are made again, and how long ssh waits for them, with a program in the place of ssh."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from msgauge.errors import UsageError
from msgauge.execution import absences
from msgauge.execution.host_access import SessionFiles
from msgauge.model import HostSet
from msgauge.ssh import ssh_connections, ssh_scripts
from msgauge.ssh.ssh_access import SshAccess
from msgauge.ssh.ssh_connections import Connections, Target, find_remedy, survey_here

AWAY = "ssh: connect to host n2 port 22: Connection timed out"


class FakeSsh:
    """An ssh that runs commands here, unless its host is away; it notes each call."""

    def __init__(self, folder: Path) -> None:
        self.away, self.hangs, self._calls = folder / "away", folder / "hangs", folder / "calls"
        self.config = folder / "config"
        self.config.touch()
        file = folder / "ssh"
        file.write_text(f"""#!/bin/sh
echo "$*" >>{self._calls}
case " $* " in
  *" -v "*) echo 'debug1: Reading configuration data {self.config}' >&2; exit 0;;
  *" -G "*) while [ "$1" != -- ]; do shift; done; grep "^$2 " {self.config}.told | cut -d' ' -f2-; exit 0;;
esac
[ ! -e {self.hangs} ] || exec sleep 300
[ ! -e {self.away} ] || {{ echo '{AWAY}' >&2; exit 255; }}
while [ "$1" != -- ]; do shift; done
exec sh -c "$3"
""")
        file.chmod(0o755)

    def calls(self, words: str) -> list[str]:
        """Those that had these words."""
        return [call for call in self._calls.read_text().splitlines() if words in call]


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSsh:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return FakeSsh(tmp_path)


@pytest.fixture
def connections(ssh: FakeSsh) -> Iterator[Connections]:
    """An open connection to n2."""
    with Connections([Target("n2", "n2")]) as made:
        assert made.open({}).facts
        yield made
    assert marked(made) == [] and not made.place.exists()


def until(holds: Callable[[], object]) -> None:
    limit = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.01)


def marked(made: Connections) -> list[int]:
    """Processes that a connection brought to its host."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{ssh_scripts.CONNECTION_MARK}={made.place.name}.".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def break_off(made: Connections) -> None:
    """Kill the client of the connection to n2."""
    os.kill(int((made.place / "p0").read_text()), signal.SIGKILL)
    until(made.find_lost)


def test_a_connection_that_broke_is_made_again_and_serves_orders(connections: Connections) -> None:
    before = set(marked(connections))
    break_off(connections)
    assert connections.ask("n2", "echo spare").code == 255
    survey = connections.reopen(["n2"])
    assert survey.facts["n2"]["name"] == os.uname().nodename and connections.find_lost() == {}
    assert connections.ask("n2", f"echo ${ssh_scripts.CONNECTION_MARK}").output.endswith(".1.\n")
    until(lambda: not before & set(marked(connections)))


def test_a_host_that_is_still_away_says_why(connections: Connections, ssh: FakeSsh) -> None:
    ssh.away.touch()
    break_off(connections)
    reason, remedy = connections.reopen(["n2"]).reasons["n2"]
    assert reason == AWAY and "whether this takes 10 s" in remedy
    assert connections.find_lost() == {"n2": f"the connection to n2 has ended ({AWAY})"}


def test_what_does_not_answer_is_let_go_in_time(
    connections: Connections, ssh: FakeSsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ssh_connections, "_LIMIT_BESIDE_S", -9.0)
    ssh.hangs.touch()
    break_off(connections)
    began_s = time.monotonic()
    assert connections.reopen(["n2"]).reasons["n2"][0] == "no answer within 1 s"
    assert time.monotonic() - began_s < 6
    assert connections.find_lost() == {"n2": "the connection to n2 has ended (no answer within 1 s)"}
    ended = int((connections.place / "p0").read_text())
    assert not Path(f"/proc/{ended}").exists()


def janitor(place: Path, connection: int) -> subprocess.Popen[bytes]:
    """A janitor that is ready; its connection stays open as long as its standard input."""
    call = ["/bin/sh", "-c", ssh_scripts.mark_call(str(place), connection, "/bin/sh -s")]
    started = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdin is not None and started.stdout is not None
    started.stdin.write(ssh_scripts.janitor(str(place), [], connection=connection).encode())
    started.stdin.flush()
    while started.stdout.readline() != f"{ssh_scripts.READY}\n".encode():
        assert started.poll() is None
    return started


def test_the_next_janitor_ends_one_that_was_cut_off_and_all_that_ran_there(tmp_path: Path) -> None:
    """Else it would end the run's processes a minute later, those of the new connection too."""
    place = tmp_path / "mg-ssh-cut"
    rank = subprocess.Popen(["sleep", "60"], env={"MSGAUGE_ACCESS": place.name, "PATH": os.environ["PATH"]})
    copy = tmp_path / "copied"
    with janitor(place, 0) as first:
        copy.touch()
        (place / "copies").write_text(f"{str(copy)[1:]}\n")
        with janitor(place, 1) as second:
            assert first.wait(20) == -9 and rank.wait(20) == -9
            assert (place / "ours").exists() and not (place / "copies").exists() and not copy.exists()
            assert second.poll() is None and second.stdin is not None
            second.stdin.close()
            assert second.wait(20) == 0 and not place.exists()


def an_access(made: Connections, **other: str) -> SshAccess:
    """Of this computer and n2, which was another one by these facts."""
    here = socket.gethostname()
    hosts = HostSet(f"ssh:{here},n2", "ssh", (here, "n2"))
    facts = {here: survey_here(made.place, ())}
    return SshAccess(made, hosts, {**facts, "n2": {**facts[here], **other}})


def test_a_host_that_comes_back_gets_again_what_sessions_had_brought(
    connections: Connections, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access, brought = an_access(connections), list[str]()
    (tmp_path / "worker").write_text("a worker")
    files = SessionFiles((tmp_path / "worker",), None, ())
    access.equip(files)
    monkeypatch.setattr(connections, "copy", lambda name, paths, folders: brought.append(f"{name} {paths}"))
    monkeypatch.setattr(ssh_scripts, "examine_files", lambda *_: "echo lacks")
    assert access.bring_back(["n2"]) == () and access.returns == 0
    break_off(connections)
    assert access.bring_back([socket.gethostname(), "n2"]) == ("n2",) and access.returns == 1
    assert brought == [f"n2 {[tmp_path / 'worker']}"] and dict(access.find_lost()) == {}


def test_a_host_that_stays_away_is_tried_once_where_nobody_waits_and_then_not_at_once_again(
    connections: Connections, ssh: FakeSsh, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absences, "WAITED_FOR_S", 0.0)
    access = an_access(connections)
    ssh.away.touch()
    break_off(connections)
    before = len(ssh.calls("ControlMaster=yes"))
    assert [access.bring_back(["n2"]) for _ in range(5)] == [()] * 5
    assert len(ssh.calls("ControlMaster=yes")) == before + 1 and AWAY in access.find_lost()["n2"]


def test_another_computer_in_the_place_of_a_host_is_not_taken_for_it(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(absences, "WAITED_FOR_S", 0.0)
    access = an_access(connections, kernel="2.4.18")
    break_off(connections)
    assert access.bring_back(["n2"]) == () and "its kernel is" in access.find_lost()["n2"]


def connect_times(ssh: FakeSsh, *names: str) -> dict[str, int]:
    ssh.away.touch()
    with Connections([Target(name, f"user@{name}") for name in names]) as made:
        made.open({})
        for name in names:
            wanted = f"ConnectTimeout={made.targets[name].connect_s}"
            assert wanted in made.argv(name, "exec true") and len(ssh.calls(f"{wanted} -o ControlMaster=yes")) >= 1
        return {name: target.connect_s for name, target in made.targets.items()}


def test_ssh_waits_as_long_as_the_users_configuration_says(ssh: FakeSsh) -> None:
    names = [f"n{number}" for number in range(1, 41)]
    ssh.config.write_text("Host n2\n  connecttimeout = 60\n")
    lines = [f"user@{name} connecttimeout none" for name in names if name not in ("n2", "n40")]
    told = [*lines, "user@n2 connecttimeout 60", "user@n40 connecttimeout 3"]
    Path(f"{ssh.config}.told").write_text("\n".join(told))
    assert connect_times(ssh, *names) == {**dict.fromkeys(names, 10), "n2": 60, "n40": 3}


def test_a_configuration_that_does_not_set_it_is_read_once_however_many_hosts_there_are(ssh: FakeSsh) -> None:
    ssh.config.write_text("Host *\n#   ConnectTimeout 0\n")
    assert set(connect_times(ssh, "n1", "n2", "n3", "n4").values()) == {10}
    assert len(ssh.calls(" -G ") + ssh.calls("-G -- ")) == len(ssh.calls("-v -G")) * 2 == 2


@pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")
def test_ssh_itself_tells_what_its_configuration_says(tmp_path: Path) -> None:
    (tmp_path / "more").write_text("Host n2\n  ConnectTimeout 1m\nHost n3\n  ConnectTimeout none\n")
    (tmp_path / "config").write_text(f"Host n9\n  Include {tmp_path}/other\nInclude {tmp_path}/more\n")
    (tmp_path / "other").write_text("User nobody\n")
    (tmp_path / "config").write_text(f"Include {tmp_path}/more\n")
    body = ssh_scripts.find_connect_timeouts(["n1", "user@n2", "n3"], ["-F", str(tmp_path / "config")])
    script = ssh_scripts.whole(str(tmp_path / "mg-ssh-x"), body)
    done = subprocess.run(["/bin/sh", "-s"], input=script, capture_output=True, text=True, timeout=30, check=True)
    assert ssh_connections.read_connect_timeouts(done.stdout) == {1: 60}


def test_the_remedy_names_the_time_that_ssh_was_given() -> None:
    remedy = find_remedy(AWAY, Target("n2", "n2", connect_s=60), "ssh n2")
    assert "whether this takes 60 s: ssh n2 true" in remedy


def test_a_computer_without_ssh_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no ssh on this computer") as refused:
        Connections([Target("n1", "n1"), Target("n2", "n2")])
    assert refused.value.remedy == "install openssh-client"
