"""Emulated hosts are hosts of their own, and nothing of them is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lab_bench import start

from msgauge.errors import UsageError
from msgauge.lab.bare_link import SMALLEST, probe_link
from msgauge.lab.emulation import Lab, LabPlan, RunningLab, end_lab, list_labs
from msgauge.lab.link import PRESETS, Link

MSGAUGE = str(Path(sys.executable).parent / "msgauge")


def on(lab: Lab, host: str, script: str) -> str:
    done = subprocess.run(
        lab.argv_on(host, ["sh", "-c", script]), capture_output=True, text=True, timeout=30, check=True
    )
    return done.stdout


def comes_to_live(marker: str, limit_s: float = 10.0) -> bool:
    """Whether such a process is there in time: a shell does not wait until what it starts behind it is."""
    until = time.monotonic() + limit_s
    while not (found := living(marker)) and time.monotonic() < until:
        time.sleep(0.02)
    return bool(found)


def living(marker: str) -> list[int]:
    """Processes with a word in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def until_gone(marker: str, limit_s: float = 10.0) -> list[int]:
    limit = time.monotonic() + limit_s
    while (left := living(marker)) and time.monotonic() < limit:
        time.sleep(0.02)
    return left


def test_a_host_has_a_name_an_address_and_processes_of_its_own(lab: Lab) -> None:
    said = on(
        lab,
        "n2",
        "hostname; cat /etc/hostname; cat /proc/1/comm >/dev/null && ls -d /proc/[0-9]* | wc -l; ip -4 -o addr",
    )
    name, written, processes, *addresses = said.split("\n")
    assert (name, written) == ("n2", "n2")
    assert int(processes) < 8, "a host sees its own processes alone"
    assert any("10.99.0.2/16" in line for line in addresses)


def test_memory_and_files_of_one_host_are_not_those_of_another(lab: Lab) -> None:
    own = f"own-{uuid.uuid4().hex}"  # a name that nothing else on this machine has
    files = [Path(room) / own for room in ("/tmp", "/dev/shm", "/run")]
    names = " ".join(map(str, files))
    on(lab, "n1", f"echo here | tee {names}")
    assert on(lab, "n1", f"cat {names}").split() == ["here"] * 3
    assert on(lab, "n2", f"ls {names} 2>/dev/null || echo none").split() == ["none"]
    assert not any(file.exists() for file in files)


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm", "/run"])
def test_a_folder_that_is_shared_is_the_same_everywhere(lab: Lab, place: str) -> None:
    """Also where it lies in memory, as the folders of runs do that should not wait for a disk."""
    with TemporaryDirectory(dir=place) as name:
        folder = Path(name) / "deep" / "below"
        folder.mkdir(parents=True)
        (folder / "word").write_text("seen")
        lab.share([folder])
        assert on(lab, "n3", f"cat {folder}/word; echo back > {folder}/answer") == "seen"
        assert (folder / "answer").read_text() == "back\n"
        assert on(lab, "n3", f"stat -c %a {name}") == "700\n", "other users pass no further than they do outside"


def test_a_folder_that_takes_the_name_of_another_is_seen_in_its_place(lab: Lab, tmp_path: Path) -> None:
    """``--resume`` renames the folder of a launch that was not whole, and makes it anew."""
    for word in ("first", "second"):
        (tmp_path / "launch").mkdir()
        (tmp_path / "launch" / "word").write_text(word)
        lab.share([tmp_path / "launch"])
        assert on(lab, "n2", f"cat {tmp_path}/launch/word") == word
        (tmp_path / "launch").rename(tmp_path / f"{word}.partial")


def test_the_agent_is_called_as_rsh_is(lab: Lab) -> None:
    """Options before the host and behind it; a shell of the host reads the words; none of the caller's environment."""
    argv = [
        str(lab.agent),
        "-x",
        "-o",
        "BatchMode=yes",
        "root@n2",
        "-n",
        "hostname;",
        "echo",
        "$MARK.$HOME;",
        "exit",
        "7",
    ]
    done = subprocess.run(
        argv, capture_output=True, text=True, env={**os.environ, "MARK": "leaked"}, timeout=30, check=False
    )
    assert (done.stdout, done.returncode) == ("n2\n./root\n", 7)


@pytest.mark.parametrize(
    "words", [["n9", "true"], ["somebody@n1", "true"], ["-l", "somebody", "n1", "true"], ["n1"], []]
)
def test_an_agent_that_is_asked_wrongly_says_so(lab: Lab, words: list[str]) -> None:
    done = subprocess.run([str(lab.agent), *words], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 255 and done.stderr.startswith("agent: ")


def test_a_user_runs_on_a_host_as_himself_and_others_are_turned_away(lab: Lab) -> None:
    call = [str(lab.agent), "n1", "id", "-un"]
    allowed = subprocess.run(call, user="nobody", capture_output=True, text=True, timeout=30, check=False)
    assert allowed.stdout == "nobody\n"
    refused = subprocess.run(call, user="daemon", capture_output=True, text=True, timeout=30, check=False)
    assert refused.returncode == 255 and "another user's" in refused.stderr


def test_a_program_ends_with_the_one_that_asked_for_it(lab: Lab) -> None:
    asking = subprocess.Popen([str(lab.agent), "n1", "exec", "sleep", "7654.25"])
    while not living("sleep\0007654.25"):
        time.sleep(0.02)
    asking.kill()
    asking.wait()
    assert until_gone("sleep\0007654.25") == []


def test_a_signal_is_told_as_a_shell_tells_it(lab: Lab) -> None:
    assert subprocess.run([str(lab.agent), "n1", "kill -9 $$"], timeout=30, check=False).returncode == 137


def test_a_link_has_its_rate_and_its_latency() -> None:
    """Bounds that hold on a loaded machine too: never faster than the link; slower only by what the machine adds."""
    with start(2, Link(100_000_000, 2_000_000)) as lab:
        bare = probe_link(lab, sizes=SMALLEST)
    assert bare is not None
    assert 2_000_000 < bare.half_round_trip_ns < 6_000_000
    assert bare.bytes_per_s < 12_500_000


def test_clocks_of_hosts_are_ahead_by_what_was_asked() -> None:
    with start(2, PRESETS["bare"], (0, 7_001_500_000)) as lab:
        read = [*lab.argv_on("n1", ["cat", "/proc/uptime"])], [*lab.argv_on("n2", ["cat", "/proc/uptime"])]
        first, second = (
            float(subprocess.run(argv, capture_output=True, check=True).stdout.split()[0]) for argv in read
        )
    assert 6.99 < second - first < 12.0


def test_nothing_is_left_of_a_lab(tmp_path: Path) -> None:
    with start(3, PRESETS["gigabit"]) as lab:
        subprocess.run(
            [str(lab.agent), "n2", "setsid sleep 7655.5 </dev/null >/dev/null 2>&1 &"], timeout=30, check=True
        )
        assert comes_to_live("sleep\0007655.5")
    assert living("sleep\0007655.5") == [] and living(str(lab.folder)) == []
    assert not lab.folder.exists()
    assert "10.99." not in subprocess.run(["ip", "-o", "addr"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("victim", ["msgauge", "keeper"])
def test_nothing_is_left_when_somebody_is_killed(victim: str) -> None:
    start(1, PRESETS["bare"]).close()
    program = (
        "import sys, time; from msgauge.lab.emulation import *\n"
        "with RunningLab(LabPlan(3)) as lab: print(lab.pid, lab.folder, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as msgauge:
        assert msgauge.stdout is not None
        pid, folder = msgauge.stdout.readline().split()
        subprocess.run(
            [f"{folder}/rsh", "n2", "setsid sleep 7656.5 </dev/null >/dev/null 2>&1 &"], timeout=30, check=True
        )
        os.kill(int(pid) if victim == "keeper" else msgauge.pid, signal.SIGKILL)
        if victim == "keeper":
            assert until_gone("sleep\0007656.5") == []
            msgauge.kill()
    assert until_gone("sleep\0007656.5") == [] and until_gone(folder) == []
    list_labs()  # removes what a killed keeper could not
    assert not Path(folder).exists()


def test_a_lab_stands_until_it_is_taken_down() -> None:
    start(1, PRESETS["bare"]).close()
    name = f"test-{os.getpid()}"
    command = [MSGAUGE, "lab", "up", "bare", "--hosts", "2", "--name", name, "--json"]
    made = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    try:
        assert made["emulated"] and made["hosts"] == ["n1", "n2"] and made["bare_link"]["half_round_trip_ns"] > 0
        with pytest.raises(UsageError, match="already"):
            RunningLab(LabPlan(2, name=name))
        said = subprocess.run(
            [MSGAUGE, "lab", "run", "n2", "--name", name, "--", "hostname"], capture_output=True, check=True
        )
        assert said.stdout == b"n2\n"
    finally:
        down = subprocess.run([MSGAUGE, "lab", "down", name], capture_output=True, text=True, check=False, timeout=60)
    assert down.stdout == f"lab {name} is down\n"
    assert name not in {lab.name for lab in list_labs()} and living(f"mg-lab-{os.getuid()}-{name}") == []


def test_labs_are_listed_while_others_end() -> None:
    """A folder that is gone between its listing and its reading is nobody's lab."""
    stop = threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            folder = Path(tempfile.mkdtemp(prefix=f"mg-lab-{os.getuid()}-passing-", dir="/tmp"))
            folder.rmdir()

    with ThreadPoolExecutor() as pool:
        passing = [pool.submit(come_and_go) for _ in range(3)]
        try:
            for _ in range(1500):
                assert not any("passing" in lab.name for lab in list_labs())
        finally:
            stop.set()
        for one in passing:
            one.result()


def test_sixty_hosts_come_up_and_go() -> None:
    with start(60, PRESETS["bare"]) as lab:
        assert on(lab, "n60", "hostname; ip -4 -o neigh | wc -l").split() == ["n60", "59"]
    assert living(str(lab.folder)) == []


def test_a_lab_that_was_ended_by_somebody_else_is_noticed() -> None:
    running = start(1, PRESETS["bare"])
    end_lab(running.lab)
    done = (
        subprocess.run([str(running.lab.agent), "n1", "true"], capture_output=True, timeout=10, check=False)
        if running.lab.agent.exists()
        else None
    )
    assert done is None
    running.close()
