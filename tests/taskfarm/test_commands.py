"""Commands that are given what makes no sense, or meet what does not go, say so in a line."""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from second_implementation import GOODBYE, STATISTICS, WELCOME, WELCOME_BODY, frame

import taskfarm
from taskfarm import cli, launch, quantities

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
WORKERS = ["taskfarm", "workers", "tcp://127.0.0.1:1", "--function", "m:f"]
WORKER = ["taskfarm.worker", "tcp://127.0.0.1:1", "--function", "m:f"]


def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    environment = {**ENVIRONMENT, **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*WORKERS, "-n", "0"], "1 or more"),
        ([*WORKERS, "-n", "-3"], "1 or more"),
        ([*WORKERS, "-n", "two"], "1 or more"),
        ([*WORKER, "--processes", "0"], "1 or more"),
        ([*WORKER, "--processes=-2"], "1 or more"),
        ([*WORKER, "--connect-timeout=-1"], "seconds, from 0 to 49 days"),
        ([*WORKER, "--connect-timeout", "nan"], "seconds, from 0 to 49 days"),
        ([*WORKER, "--reconnect-timeout", "inf"], "seconds, from 0 to 49 days"),
        ([*WORKER, "--lost-exit", "4294968"], "seconds, from 0 to 49 days"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused_by_its_option(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", [WORKER[:2], WORKERS[:3], [*WORKERS[:3], "--launch=slurm"]])
@pytest.mark.parametrize(
    ("work", "words"),
    [
        ([], "give either --function MODULE:NAME or --pickle"),
        (["--pickle", "--function", "m:f"], "give either --function MODULE:NAME or --pickle"),
        (["--function", "answer"], "--function answer: give MODULE:NAME, such as mymodule:answer"),
        (["--function", ":f"], "--function :f: give MODULE:NAME, such as mymodule:answer"),
    ],
)
def test_workers_who_have_nothing_to_do_wait_for_no_coordinator(
    command: list[str], work: list[str], words: str, tmp_path: Path
) -> None:
    """Nor does a launcher start them, here or on a hundred hosts (an srun that is not there would be told)."""
    begun = time.monotonic()
    done = run(*command, *work, PATH=str(tmp_path))
    assert time.monotonic() - begun < 20  # 30 s before
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f": {words}\n") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            "no_such_module:f",
            "No module named 'no_such_module'; start the worker in its folder, or name that in PYTHONPATH",
        ),
        (
            "json.no_such_part:f",
            "No module named 'json.no_such_part'; start the worker in its folder, or name that in PYTHONPATH",
        ),
        ("math:no_such_function", "module math has no no_such_function"),
    ],
)
def test_a_worker_whose_function_is_not_there_looks_for_no_coordinator(function: str, words: str) -> None:
    begun = time.monotonic()
    done = run("taskfarm.worker", "tcp://127.0.0.1:1", "--function", function)
    assert time.monotonic() - begun < 20  # 30 s before
    assert (done.returncode, done.stderr) == (1, f"taskfarm worker: --function {function}: {words}\n")


def test_a_module_that_lacks_another_one_tells_where(tmp_path: Path) -> None:
    (tmp_path / "lacking.py").write_text("import no_such_module\n")
    path = f"{ENVIRONMENT['PYTHONPATH']}:{tmp_path}"
    done = run("taskfarm.worker", "tcp://127.0.0.1:1", "--function", "lacking:f", PYTHONPATH=path)
    assert f'File "{tmp_path}/lacking.py", line 1' in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--launch", "ssh"], "--launch ssh starts workers on other hosts, and none is given: --hosts a,b"),
        (
            ["--launch", "ssh", "--hosts", " ,"],
            "--launch ssh starts workers on other hosts, and none is given: --hosts a,b",
        ),
        (["--hosts", "one"], "--hosts is for --launch ssh, and not for local"),
    ],
)
def test_hosts_that_are_missing_or_not_asked_for_are_told_apart(arguments: list[str], words: str) -> None:
    done = run(*WORKERS, *arguments)
    assert (done.returncode, done.stderr) == (1, f"taskfarm: {words}\n")


def test_the_command_tells_its_version() -> None:
    assert run("taskfarm", "--version").stdout == f"taskfarm {taskfarm.__version__}\n"


def test_hosts_may_be_set_apart_by_spaces_too() -> None:
    ssh = run(*WORKERS, "--launch", "ssh", "--hosts", "one, two ,,", "--show").stdout.splitlines()
    assert [line.split()[3] for line in ssh] == ["one", "two"]


def test_how_long_workers_look_for_a_lost_coordinator_is_handed_on() -> None:
    (line,) = run(*WORKERS, "-n", "1", "--reconnect-timeout", "60", "--lost-exit", "0", "--show").stdout.splitlines()
    assert "--reconnect-timeout 60 --lost-exit 0" in line
    assert "--reconnect-timeout" not in run(*WORKERS, "-n", "1", "--show").stdout


def test_less_than_a_millisecond_is_not_never() -> None:
    assert [quantities.milliseconds(text) for text in ("0", "0.0001", "0.0015", "30")] == [0, 1, 1, 30_000]


def test_a_launcher_that_is_not_there_is_told_in_a_line(tmp_path: Path) -> None:
    done = run(*WORKERS, "--launch", "slurm", PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "taskfarm: srun cannot be started: No such file or directory\n"


def test_those_that_were_started_end_when_the_next_cannot_be() -> None:
    here = [sys.executable, "-c", "import time; time.sleep(60)"]
    begun = time.monotonic()
    with pytest.raises(taskfarm.Error, match="nothing-like-it cannot be started"):
        launch.launch([here, ["nothing-like-it"]])
    assert time.monotonic() - begun < 30


def test_hosts_that_do_not_answer_are_waited_for_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a stand-in for ssh that does not look at its standard input; five hosts took five times the patience."""
    silent = tmp_path / "ssh"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(launch, "PATIENCE_S", 1.0)
    begun = time.monotonic()
    with pytest.raises(taskfarm.Error, match="nothing-like-it cannot be started"):
        launch.launch([*[["ssh", f"host{i}"] for i in range(5)], ["nothing-like-it"]])
    assert 1 <= time.monotonic() - begun < 4


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_top_says_that_its_output_is_closed(tmp_path: Path, more: list[str]) -> None:
    command = [sys.executable, "-m", "taskfarm", "top", f"unix://{tmp_path}/s", *more]
    shell = ["sh", "-c", '"$@" >&-', "sh", *command]
    done = subprocess.run(shell, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    words = "taskfarm: standard output is closed; give top a place for its tables\n"
    assert (done.returncode, done.stderr) == (1, words)


def test_top_ends_in_good_order_when_nobody_reads_it_any_more(tmp_path: Path) -> None:
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s")
    ended = threading.Event()
    loop = threading.Thread(target=lambda: [farm.next(1, 20) for _ in iter(ended.is_set, True)])
    loop.start()
    command = [sys.executable, "-m", "taskfarm", "top", farm.url]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as top:
        assert top.stdout is not None and top.stderr is not None
        top.stdout.readline()
        top.stdout.close()
        assert top.stderr.read() == b""
        assert top.wait(20) == 0
    ended.set()
    loop.join()
    farm.close(0)


WELCOME_FRAME = frame(
    WELCOME, WELCOME_BODY.pack(1, 0, 0, bytes(16), 1000, 10_000, 10_000, 1, 1 << 20, 0, 0, bytes(16), 0, 0)
)
GOODBYE_FRAME = frame(GOODBYE)
STATISTICS_FRAME = frame(STATISTICS, b'{"seen": 1}')


@pytest.mark.parametrize(
    ("once", "told", "printed", "complaint"),
    [
        (False, STATISTICS_FRAME, '{"seen": 1}\n', "the coordinator is gone without a word"),
        (False, STATISTICS_FRAME + GOODBYE_FRAME, '{"seen": 1}\n', ""),
        (True, STATISTICS_FRAME, '{"seen": 1}\n', ""),
        (True, b"", "", "the coordinator is gone without a word"),
        (True, GOODBYE_FRAME, "", "the coordinator has ended"),
    ],
)
def test_top_tells_a_coordinator_that_ends_from_one_that_is_killed(
    tmp_path: Path, once: bool, told: bytes, printed: str, complaint: str
) -> None:
    path = str(tmp_path / "s")
    command = [sys.executable, "-m", "taskfarm", "top", "--json", f"unix://{path}", *(["--once"] if once else [])]
    with socket.socket(socket.AF_UNIX) as coordinator:
        coordinator.bind(path)
        coordinator.listen()
        top = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        connection, _ = coordinator.accept()
        with connection:
            connection.recv(4096)  # hello
            connection.sendall(WELCOME_FRAME + told)
        output, errors = top.communicate(timeout=60)
    assert (output, top.returncode, bool(errors)) == (printed, bool(complaint), bool(complaint))
    assert complaint in errors


def test_a_monitor_hears_of_the_end_of_a_farm_without_workers(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    opened: list[taskfarm.Monitor] = []
    thread = threading.Thread(target=lambda: opened.append(taskfarm.Monitor(farm.url)))
    thread.start()
    while thread.is_alive():
        farm.next(1, 20)
    farm.close(0)
    with pytest.raises(taskfarm.Error) as ended:
        while True:
            opened[0].next(20_000)
    assert ended.value.code == taskfarm.errors.CLOSED


def test_the_highest_status_of_workers_is_told_of_one_that_a_signal_ended_too() -> None:
    python = [sys.executable, "-c"]
    killed = [*python, "import os; os.kill(os.getpid(), 9)"]
    assert launch.launch([[*python, "pass"], killed, [*python, "raise SystemExit(3)"]]) == 128 + 9


# A coordinator whose program writes numbers with a comma, as one that calls setlocale(LC_ALL, "") may.
WITH_COMMAS = """
import json, locale, sys, threading
import taskfarm

locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
farm = taskfarm.Coordinator(sys.argv[1])
threading.Thread(target=lambda: taskfarm.Worker(farm.url).run(bytes, repr), daemon=True).start()
farm.submit(b"x")
seen = []
looking = threading.Thread(target=lambda: seen.append(taskfarm.Monitor(farm.url).next(20_000)))
while farm.stats()["done"] < 1:
    farm.next(1, 20)
looking.start()
while looking.is_alive():
    farm.next(1, 20)
print(type(json.loads(seen[0])["table"][0]["service_us"]).__name__)
farm.close(1000)
"""


def test_top_whose_output_has_no_room_says_so(tmp_path: Path) -> None:
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s")
    ended = threading.Event()
    loop = threading.Thread(target=lambda: [farm.next(1, 20) for _ in iter(ended.is_set, True)])
    loop.start()
    command = [sys.executable, "-m", "taskfarm", "top", "--once", farm.url]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, env=ENVIRONMENT, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    ended.set()
    loop.join()
    farm.close(0)
    assert done.returncode == 1
    assert done.stderr == b"taskfarm: No space left on device; is there room where the output goes?\n"


def test_numbers_for_top_have_a_point_whatever_the_programs_language(tmp_path: Path) -> None:
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", f"{tmp_path}/de_DE.UTF-8"]
    if shutil.which("localedef") is None or subprocess.run(made, capture_output=True, check=False).returncode != 0:
        pytest.skip("this computer does not know such a language")
    command = [sys.executable, "-c", WITH_COMMAS, f"unix://{tmp_path}/s"]
    environment = {**ENVIRONMENT, "LOCPATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "float\n", done.stderr


@pytest.mark.parametrize("folder", ["{tmp_path}/gone", "here", ""])
def test_a_farm_of_its_own_finds_a_folder_where_the_users_own_is_not_there(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder.format(tmp_path=tmp_path))
    with taskfarm.Farm() as farm:
        assert Path(farm.url.removeprefix("unix://")).parent == Path(tempfile.gettempdir())
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with taskfarm.Farm() as farm:
        assert Path(farm.url.removeprefix("unix://")).parent == tmp_path


def test_a_farm_of_its_own_works_in_a_folder_whose_name_is_no_utf_8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / os.fsdecode(b"\xff\xe4")
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        assert Path(farm.url.removeprefix("unix://")).parent == folder
        assert farm.submit(abs, -3).result(60) == 3
        done = subprocess.run(
            [sys.executable, "-m", "taskfarm", "top", "--once", farm.url],
            env=ENVIRONMENT,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0 and b"number" in done.stdout, done.stderr


def test_a_farm_of_its_own_does_without_a_folder_whose_path_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 110)
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        assert farm.url.startswith("unix://@taskfarm-")
        assert farm.submit(abs, -3).result(60) == 3
    with pytest.raises(taskfarm.Error, match="longer than 107 bytes; use a shorter path"):
        taskfarm.Farm(f"unix://{folder}/s")


def test_no_time_to_wait_for_workers_is_no_wait_without_end(tmp_path: Path) -> None:
    with taskfarm.Farm(f"unix://{tmp_path}/s") as farm, pytest.raises(TimeoutError):
        farm.wait_for_workers(1, float("nan"))


def test_a_key_of_multiprocessing_that_is_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    process: Any = multiprocessing.current_process()
    monkeypatch.setattr(process, "_config", {**process._config})
    process.authkey = b"k" * 100_000
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        error = farm.submit(abs, -3).exception(60)
    assert isinstance(error, taskfarm.BrokenFarm) and "authkey has 100000 bytes; give it 65536 at most" in str(error)


def statistics_of(workers: int, away: int = 0) -> dict[str, Any]:
    row = dict.fromkeys(cli.COLUMNS, 12345) | {"name": "a-host.of.a.cluster", "transport": "unix"}
    rows = [{**row, "number": number, "connected": number > away} for number in range(1, workers + 1)]
    return {"url": "unix:///tmp/s", **dict.fromkeys(cli.TOTALS, 1_000_000), "table": rows}


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (30, 20), (200, 50), (80, 5)])
@pytest.mark.parametrize("workers", [0, 1, 17, 18, 200])
def test_the_table_of_top_fits_its_screen(size: tuple[int, int], workers: int) -> None:
    lines = cli.table(statistics_of(workers), os.terminal_size(size)).splitlines()
    assert max(len(line) for line in lines) <= size[0]
    if size[1] >= 20:
        assert len(lines) < size[1]
    shown = [line.split()[0] for line in lines if line.lstrip()[:1].isdecimal()]
    told = re.fullmatch(r"and (\d+) more", lines[-1])
    assert shown == [str(number) for number in range(1, len(shown) + 1)]
    assert len(shown) + (int(told[1]) if told else 0) == workers


def test_workers_that_are_away_come_last_and_are_counted_where_they_have_no_room() -> None:
    lines = cli.table(statistics_of(40, away=30), os.terminal_size((120, 24))).splitlines()
    assert [line.split()[0] for line in lines if line.lstrip()[:1].isdecimal()][:11] == [*map(str, range(31, 41)), "1"]
    assert lines[-1].endswith(" of them away")
    assert "more" not in cli.table(statistics_of(40, away=30))


def test_options_for_a_launcher_are_refused_where_there_is_none() -> None:
    told = run("taskfarm", "workers", "unix://@x", "--function", "os:fsencode", "--launcher-option=-v")
    assert (told.returncode, told.stdout) == (1, "")
    assert "--launcher-option is for --launch ssh and slurm" in told.stderr
