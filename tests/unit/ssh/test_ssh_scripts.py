"""The ssh launcher's agent and orders, with a program in the place of ssh that says what it was told."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from msgauge.errors import UsageError
from msgauge.host_lists import ListedHost
from msgauge.launchers.known_launchers import read_hosts
from msgauge.launchers.ssh import is_here, refuse_unreachable
from msgauge.ssh import ssh_scripts
from msgauge.ssh.ssh_connections import Connections, Survey, Target, find_remedy


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """The agent of a run on first and n2, with an ssh that runs the command here and notes its arguments."""
    stub = tmp_path / "bin" / "ssh"
    stub.parent.mkdir()
    stub.write_text(
        f'#!/bin/sh\nfor word do printf "%s\\n" "$word"; done >{tmp_path}/told\n'
        'while [ "$1" != -- ]; do shift; done\nprintf "on %s: " "$2"\nexec sh -c "$3"\n'
    )
    stub.chmod(0o755)
    place = tmp_path / "mg-ssh-x"
    place.mkdir()
    file = place / "rsh"
    file.write_text(ssh_scripts.agent(str(place), "first", {"n2|node2": ("user@n2", 40)}, ssh_scripts.OPTIONS))
    file.chmod(0o755)
    return file


def call(agent: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{agent.parents[1] / 'bin'}:{os.environ['PATH']}"
    environment = {"PATH": path, "MSGAUGE_SESSION": "mg-session"}
    return subprocess.run(
        [str(agent), *words], env=environment, capture_output=True, text=True, timeout=30, check=False
    )


def test_words_go_to_a_shell_of_the_host_with_the_marks_of_the_run(agent: Path) -> None:
    done = call(agent, "-x", "n2", "-n", "echo", '"it\'s"', "$MSGAUGE_SESSION", "$MSGAUGE_ACCESS;", "exit 7")
    assert (done.stdout, done.returncode) == ("on user@n2: it's mg-session mg-ssh-x\n", 7)
    assert call(agent, "first", "echo here $MSGAUGE_SESSION").stdout == "here mg-session\n"
    assert call(agent, "somebody@node2", "true").stdout == "on user@n2: "


@pytest.mark.parametrize(
    "words",
    [["n9", "true"], ["-oProxyCommand=touch x"], ["-o", "ProxyCommand=touch x", "n9", "true"], ["*", "true"], []],
)
def test_no_other_host_is_had(agent: Path, words: list[str]) -> None:
    assert call(agent, *words).returncode == 255
    assert not (agent.parents[1] / "told").exists()


def test_no_option_of_a_caller_reaches_ssh(agent: Path) -> None:
    call(agent, "-oProxyCommand=touch x", "-F", "other", "-l", "root", "n2", "-o", "LocalCommand=x", "true")
    told = (agent.parents[1] / "told").read_text().splitlines()
    assert told[: len(ssh_scripts.OPTIONS)] == list(ssh_scripts.OPTIONS)
    assert (
        told[len(told) - 5 : -1] == ["-o", "ConnectTimeout=40", "--", "user@n2"]
        and "x" not in told
        and "other" not in told
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=30))
def test_any_text_arrives_as_it_was(agent: Path, text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    assert call(agent, "n2", f"printf %s {quoted}").stdout == f"on user@n2: {text}"


def test_what_bears_a_mark_is_ended_and_nothing_else(tmp_path: Path) -> None:
    marked = {"MSGAUGE_SESSION": f"mg-{os.getpid()}", "PATH": os.environ["PATH"]}
    doomed, spared = (subprocess.Popen(["sleep", "60"], env=marked) for _ in range(2))
    other = subprocess.Popen(["sleep", "60"], env={"MSGAUGE_SESSION": "mg-other", "PATH": os.environ["PATH"]})
    try:
        script = ssh_scripts.whole(str(tmp_path), ssh_scripts.finish(f"mg-{os.getpid()}", [spared.pid], ""))
        subprocess.run(["/bin/sh", "-s"], input=script.encode(), timeout=60, check=True)
        assert doomed.wait(10) == -9 and spared.poll() is None and other.poll() is None
    finally:
        for process in (doomed, spared, other):
            process.kill()
            process.wait()


def test_a_host_that_hears_nothing_any_more_ends_what_the_run_has_there(tmp_path: Path) -> None:
    """Its connection stays as it is, as that of a host whose cable was pulled."""
    place = tmp_path / "mg-ssh-silent"
    marked = subprocess.Popen(["sleep", "60"], env={"MSGAUGE_ACCESS": place.name, "PATH": os.environ["PATH"]})
    with subprocess.Popen(["/bin/sh", "-s"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as janitor:
        assert janitor.stdin is not None and janitor.stdout is not None
        janitor.stdin.write(ssh_scripts.janitor(str(place), [], patience_s=1).encode())
        janitor.stdin.flush()
        while janitor.stdout.readline() != f"{ssh_scripts.READY}\n".encode():
            assert janitor.poll() is None
        for _ in range(4):
            time.sleep(0.4)
            janitor.stdin.write(b"\n")
            janitor.stdin.flush()
        assert marked.poll() is None, "while lines come, all stays"
        assert marked.wait(30) == -9
        janitor.wait(30)
    assert not place.exists()


def test_a_reason_of_ssh_has_its_remedy() -> None:
    target, call = Target("n2", "user@n2"), "ssh -F my user@n2"
    assert "ssh-copy-id user@n2" in find_remedy("Permission denied (publickey).", target, call)
    assert "key: ssh -F my user@n2" in find_remedy("Host key verification failed.", target, call)
    assert find_remedy("anything", target, call) == "try by hand: ssh -F my user@n2 true"


def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> tuple[str, str]:
    """Reason and remedy where ssh does no more than this."""
    (tmp_path / "ssh").write_text(f"#!/bin/sh\n{script}\nexit 1\n")
    (tmp_path / "ssh").chmod(0o755)
    (tmp_path / "my").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with Connections([Target("n2", "user@n2")], str(tmp_path / "my")) as connections:
        return connections.open({}).reasons["n2"]


def test_a_changed_key_is_told_from_an_unknown_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\\nHost key verification failed.\\n"
    reason, remedy = refused(tmp_path, monkeypatch, f"printf '{said}' >&2")
    assert reason == "Host key verification failed." and "ssh-keygen -R n2" in remedy


def test_a_shell_that_refuses_on_its_output_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason, remedy = refused(tmp_path, monkeypatch, "echo This account is currently not available.")
    assert reason == "This account is currently not available."
    assert remedy == f"try by hand: ssh -F {tmp_path / 'my'} user@n2 true"


def test_thousands_that_cannot_be_had_are_a_short_message() -> None:
    names = [f"n{number}" for number in range(1, 1001)]
    survey = Survey(reasons=dict.fromkeys(names, ("no route", "look")))
    with pytest.raises(UsageError, match="1000 of 1000 hosts cannot be reached") as raised:
        refuse_unreachable(survey, names)
    lines = str(raised.value).splitlines()
    assert len(lines) == 23 and lines[20] == "  n20: no route; look"
    assert lines[21].startswith("  and 980 more: n21,n22,") and lines[21].endswith(",n1000")


def run_here(script: str, **environment: str) -> str:
    said = subprocess.PIPE
    with subprocess.Popen(
        ["/bin/sh", "-s"], env=environment, stdin=said, stdout=said, stderr=subprocess.STDOUT
    ) as shell:
        return shell.communicate(script.encode(), timeout=30)[0].decode()


def test_a_host_without_a_needed_program_says_which(tmp_path: Path) -> None:
    """Without cksum every worker there was 'another file of this name'."""
    for tool in ("grep", "sed", "awk", "tar"):
        (tmp_path / tool).symlink_to(f"/bin/{tool}")
    said = run_here(ssh_scripts.janitor(str(tmp_path / "mg-ssh-x"), []), PATH=str(tmp_path))
    assert "wrong=it has no program cksum" in said
    assert find_remedy(said, Target("n2", "n2"), "ssh n2") == "install it there"


def test_a_folder_that_cannot_be_made_for_a_copy_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    body = ssh_scripts.take_copies([str(tmp_path / "file" / "below" / "deep")])
    said = run_here(ssh_scripts.whole(str(tmp_path), body), PATH=os.environ["PATH"])
    assert said.splitlines()[-1].startswith("mkdir: ") and f"{tmp_path}/file" in said.splitlines()[-1]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts")
def test_a_full_tmp_is_told_and_nothing_left_there(tmp_path: Path) -> None:
    script = ssh_scripts.janitor(str(tmp_path / "mg-ssh-x"), [])
    (tmp_path / "script").write_text(script)
    full = f"mount -t tmpfs -o size=4k none {tmp_path}; head -c 4096 /dev/zero >{tmp_path}/zeros"
    order = f"exec 3<{tmp_path}/script; {full}; sh -s <&3; ls {tmp_path}"
    done = subprocess.run(["unshare", "-m", "sh", "-c", order], capture_output=True, text=True, timeout=30, check=False)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("no mounts here")
    assert "wrong=nothing can be written below /tmp" in done.stdout
    assert done.stdout.splitlines()[-1] == "zeros"


def test_what_a_login_shell_says_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its greeting looks like an answer, or does not end its line."""
    greets = 'while [ "$1" != -- ]; do shift; done; printf "name=other\\nseen\\nno end of line"; exec sh -c "$3"'
    (tmp_path / "ssh").write_text(f"#!/bin/sh\n{greets}\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "samples").write_bytes(b"\x00\xff\n")
    with Connections([Target("n2", "n2")]) as connections:
        assert connections.open({}).facts["n2"]["name"] == os.uname().nodename
        assert connections.ask("n2", "echo spare").output == "spare\n"
        assert connections.fetch("n2", tmp_path / "samples") == b"\x00\xff\n"


def test_a_list_of_hosts_is_for_ssh_and_keeps_ranks_of_each() -> None:
    hosts = read_hosts("n1:2,user@n2", "core")
    assert (hosts.launcher, hosts.asked, hosts.takes) == ("ssh", "ssh:n1:2,user@n2", (2, 1))
    assert hosts.layout(4) == ("n1", "n1", "n2", "n1")
    assert read_hosts(hosts.asked, "core") == hosts
    assert read_hosts("ssh:n[1-2]").layout(2) == ("n1", "n2")


def test_this_computer_is_known_by_its_name() -> None:
    assert is_here(ListedHost("localhost")) and not is_here(ListedHost("localhost", user="somebody-else"))
    assert not is_here(ListedHost("n-elsewhere"))
