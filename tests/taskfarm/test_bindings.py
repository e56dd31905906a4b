"""The bare interface from Python: several threads, closed handles, broadcasts, the commands."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import task_functions
from farms import ENVIRONMENT
from results import until

import taskfarm
from taskfarm import errors

INVALID = -1
Listen = Callable[..., Any]


def run(program: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=timeout)


def test_a_worker_beside_its_coordinator_in_one_process_may_answer_more_than_the_ring_holds(tmp_path: Path) -> None:
    """It waits for room without the lock that the coordinator's thread needs to make some."""
    program = f"""
import threading, time, taskfarm
coordinator = taskfarm.Coordinator("unix://{tmp_path}/s")
coordinator.submit(b"x")
coordinator.submit(b"y")
def work():
    worker = taskfarm.Worker(coordinator.url)
    worker.recv(); worker.reply(bytes(3_000_000))
    worker.recv(); worker.fail(bytes(3_000_000))
threading.Thread(target=work, daemon=True).start()
sizes = []
while len(sizes) < 2:
    sizes += [len(outcome[2]) for outcome in coordinator.next(1, 5)]
    time.sleep(0.05)
print(sizes, flush=True)
import os; os._exit(0)
"""
    assert run(program).stdout == "[3000000, 3000000]\n"


@pytest.mark.parametrize("call", ["next(1, -1)", "submit(b'y', 0, -1)", "submit_many([b'y'], 0, -1)"])
def test_closing_beside_a_waiting_call_ends_it(tmp_path: Path, call: str) -> None:
    program = f"""
import threading, time, taskfarm
for turn in range(3):
    coordinator = taskfarm.Coordinator("unix://{tmp_path}/s", {{"high_water_tasks": 2}})
    coordinator.submit(b"x")
    other = threading.Thread(target=lambda: coordinator.next(1, -1), daemon=True)
    if "submit" in {call!r}:
        coordinator.submit(b"x")
        other.start()
        time.sleep(0.05)
    def wait():
        try:
            print(coordinator.{call})
        except taskfarm.Error as error:
            print(error.code)
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    time.sleep(0.15)
    coordinator.close(0)
    rubbish = [bytearray(b"\\xff" * 8000) for _ in range(2000)]
    thread.join(10)
    print("alive" if thread.is_alive() else "ended")
"""
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == (["None", "ended"] if call.startswith("next") else ["3", "ended"]) * 3, done.stderr


def test_a_signals_handler_may_close_what_its_thread_waits_for(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s")
    coordinator.submit(b"x")
    before = signal.signal(signal.SIGALRM, lambda *_: coordinator.close(0))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        assert coordinator.next(1, -1) is None
    finally:
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(taskfarm.Error, match="closed"):
        coordinator.next(1, 0)


LOOKING = """
import signal, sys, taskfarm
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    getattr(taskfarm, sys.argv[1])(sys.argv[2])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("kind", ["Worker", "Monitor"])
@pytest.mark.parametrize("there", [False, True])
def test_ctrl_c_ends_the_look_for_a_coordinator_that_is_not_there_or_silent(
    tmp_path: Path, kind: str, there: bool
) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{tmp_path}/s")
        if there:
            silent.listen()
        command = [sys.executable, "-c", LOOKING, kind, f"unix://{tmp_path}/s"]
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=15)
    assert done.stdout == "interrupted\n", done.stderr


def test_a_child_that_fork_made_ends_and_leaves_its_parents_farm_alone() -> None:
    program = """
import os, sys, taskfarm
if __name__ == "__main__":
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        assert farm.submit(abs, -1).result(60) == 1  # now the farm's thread is in the library
        stream = farm.imap(abs, range(3))
        child = os.fork()
        if child == 0:
            try:
                farm.submit(abs, -1)
            except RuntimeError as error:
                print(error, flush=True)
            sys.exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(farm.submit(abs, -2).result(60), *stream, farm.stats()["workers_joined"])
"""
    done = run(program)
    assert not done.stderr
    text = done.stdout.splitlines()
    assert "parent process" in text[0]
    assert text[1:] == ["7", "2 0 1 2 1"]


def test_results_are_for_one_thread_at_a_time(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s")
    coordinator.submit(b"x")
    other = threading.Thread(target=coordinator.next, args=(1, 1000))
    other.start()
    time.sleep(0.3)
    with pytest.raises(taskfarm.Error, match="one thread"):
        coordinator.next(1, 0)
    other.join()
    assert coordinator.next(1, 0) == []


def test_a_full_coordinator_says_so_at_once_where_waiting_does_not_help(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s", high_water_tasks=1)
    task = coordinator.submit(b"x")
    coordinator.cancel(task)  # its result is there: only `next` makes room
    begun = time.monotonic()
    assert coordinator.submit(b"y", timeout_ms=5000) == 0
    assert coordinator.submit_many([b"y"], timeout_ms=5000)[1] == 0
    assert time.monotonic() - begun < 2


def test_a_full_coordinator_waits_as_long_as_it_was_told(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s", high_water_tasks=1)
    coordinator.submit(b"x")
    begun = time.monotonic()
    assert coordinator.submit(b"y", timeout_ms=500) == 0
    assert 0.45 < time.monotonic() - begun < 5


def test_a_deadline_counts_from_the_call_that_waits_for_room(listen: Listen, tmp_path: Path) -> None:
    """It is over when there is room: each part of the wait would have begun it anew."""
    coordinator = listen(f"unix://{tmp_path}/s", high_water_bytes=1000)
    first = coordinator.submit(bytes(900))
    options = {"deadline_ms": 2000, "timeout_ms": 20000}
    other = threading.Thread(target=coordinator.submit, args=(bytes(200),), kwargs=options)
    other.start()
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        assert coordinator.next(1, 50) == []
    coordinator.cancel(first)  # its bytes are given back at once: no room that a call to `next` alone would make
    other.join()
    assert coordinator.stats()["submitted"] == 2
    accepted = time.monotonic()
    while coordinator.stats()["expired"] == 0:
        coordinator.next(1, 5)
    assert time.monotonic() - accepted < 1


def test_a_worker_that_leaves_within_its_handler_ends(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s")
    coordinator.submit(b"x")
    raised: list[int] = []

    def work() -> None:
        worker = taskfarm.Worker(coordinator.url)
        try:
            worker.run(lambda data: worker.leave() or data, lambda error: b"")
        except taskfarm.Error as error:
            raised.append(error.code)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        coordinator.next(1, 20)
    assert raised == [taskfarm.errors.CLOSED]


# Broadcasts


def test_a_pickled_call_reads_what_was_broadcast() -> None:
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        assert farm.submit(task_functions.read_broadcast, "table").result(60) is None
        farm.broadcast("table", b"one")
        assert farm.submit(task_functions.read_broadcast, "table").result(60) == b"one"
        farm.broadcast("table", b"two")
        assert farm.submit(task_functions.read_broadcast, "table").result(60) == b"two"
        assert farm.submit(task_functions.is_the_same_object, "table").result(60)


def test_a_function_of_the_worker_command_reads_what_was_broadcast() -> None:
    with taskfarm.Farm(workers=1, function="task_functions:answer_broadcast") as farm:
        farm.broadcast("table", b"one")
        assert farm.submit(None, b"table").result(60) == b"one"
        assert farm.submit(None, b"another").result(60) == b"nothing"


def test_context_outside_of_a_worker_says_where_it_belongs() -> None:
    with pytest.raises(RuntimeError, match="within a task"):
        taskfarm.context("table")


@pytest.mark.parametrize("value", [-1, 1 << 40, "many", None])
def test_an_option_of_another_kind_is_told_by_its_name(value: object) -> None:
    for make, option in ((taskfarm.Coordinator, "max_attempts"), (taskfarm.Worker, "connect_timeout_ms")):
        with pytest.raises(taskfarm.Error, match=f"option {option}: .* is of another kind, or out of range") as caught:
            make("unix://@taskfarm-test-option", {option: value})
        assert caught.value.code == INVALID


# taskfarm top


def top(*arguments: str, key: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, **({} if key is None else {"TASKFARM_KEY_FILE": str(key)})}
    command = [sys.executable, "-m", "taskfarm", "top", "--once", "--json", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_top_leaves_the_environments_key_out_where_no_key_belongs(tmp_path: Path) -> None:
    key = tmp_path / "key"
    taskfarm.make_key(str(key))
    with taskfarm.Farm(f"unix://{tmp_path}/s", workers=1, pickle=True) as farm:
        farm.submit(abs, 1).result(60)
        done = top(farm.url, key=key)
        assert json.loads(done.stdout)["done"] == 1, done.stderr


def test_top_shows_a_farm_whose_path_has_quotes_in_it(tmp_path: Path) -> None:
    with taskfarm.Farm(f'unix://{tmp_path}/a"b\\\u00fc', workers=1, pickle=True) as farm:
        farm.submit(task_functions.nap, 1)
        assert json.loads(top(farm.url).stdout)["url"] == farm.url


def test_the_commands_that_start_workers_may_be_pasted_into_a_shell() -> None:
    command = [sys.executable, "-m", "taskfarm", "workers", "unix:///a folder/s?shm=off", "--pickle", "--show"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=60)
    assert "unix:///a folder/s?shm=off" in shlex.split(done.stdout)


def test_top_goes_by_key_and_by_certificates(tmp_path: Path) -> None:
    key = tmp_path / "key"
    taskfarm.make_key(str(key))
    with taskfarm.Farm("tcp://127.0.0.1:0", workers=1, pickle=True, key_file=str(key)) as farm:
        farm.submit(abs, 1).result(60)
        assert json.loads(top(farm.url, key=key).stdout)["workers"] == 1
        assert json.loads(top(farm.url, "--key-file", str(key)).stdout)["workers"] == 1
        assert top(farm.url).returncode == 1
    files = certificate(tmp_path)
    with taskfarm.Farm("tcp://127.0.0.1:0", workers=1, pickle=True, **files) as farm:
        farm.submit(abs, 1).result(60)
        options = [text for name, path in files.items() for text in (f"--{name.replace('_', '-')}", path)]
        assert json.loads(top(farm.url, *options).stdout)["workers"] == 1
        assert json.loads(top(farm.url, *options, key=key).stdout)["workers"] == 1, "what is given by hand goes first"


def certificate(folder: Path) -> dict[str, str]:
    """One that is its own CA."""
    pem, key = folder / "self.pem", folder / "self.key"
    subject = ["-subj", "/CN=taskfarm", "-days", "2"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", *subject]
    subprocess.run([*command, "-keyout", str(key), "-out", str(pem)], check=True, capture_output=True)
    key.chmod(0o600)
    return {"certificate_file": str(pem), "certificate_key_file": str(key), "ca_file": str(pem)}


@pytest.mark.parametrize("deadline", [-1, 2**32, 60 * 86_400_000, 2**70])
def test_a_deadline_that_cannot_be_held_is_refused_and_not_cut(tmp_path: Path, listen: Listen, deadline: int) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    for submit in (lambda: farm.submit(b"x", deadline), lambda: farm.submit_many([b"x"], deadline)):
        with pytest.raises(taskfarm.Error, match=f"deadline_ms={deadline} is not within 0 ") as caught:
            submit()
        assert caught.value.code == INVALID
    assert farm.stats()["submitted"] == 0
    farm.submit(b"x", 2**32 - 1)
    assert farm.next(1, 20) == []
    executor = taskfarm.Farm(f"unix://{tmp_path}/e")
    with pytest.raises(taskfarm.Error, match="is not within 0 "):
        next(executor.imap(None, [b"x"], deadline_ms=deadline))
    executor.shutdown()


def test_a_zero_byte_in_a_key_or_a_name_is_refused_and_does_not_end_it(listen: Listen, tmp_path: Path) -> None:
    coordinator = listen(f"unix://{tmp_path}/s")
    for attempt in (
        lambda: coordinator.broadcast("key\0more", b"data"),
        lambda: listen(f"unix://{tmp_path}/t\0more"),
        lambda: listen(f"unix://{tmp_path}/t", journal="journal\0more"),
        lambda: taskfarm.Worker(f"{coordinator.url}\0", {"connect_timeout_ms": 100}),
        lambda: taskfarm.Worker(coordinator.url, {"name": "name\0more", "connect_timeout_ms": 100}),
        lambda: taskfarm.make_key(f"{tmp_path}/key\0more"),
    ):
        with pytest.raises(taskfarm.Error, match="zero byte"):
            attempt()
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


@pytest.mark.parametrize("kind", [str, Path, lambda path: str(path).encode()], ids=["text", "path", "bytes"])
def test_files_among_the_options_may_be_paths(tmp_path: Path, kind: Callable[[Path], Any]) -> None:
    taskfarm.make_key(str(tmp_path / "key"))
    options = {"key_file": kind(tmp_path / "key")}
    farm = taskfarm.Coordinator("tcp://127.0.0.1:0", {**options, "journal": kind(tmp_path / "journal")})
    loop = threading.Thread(target=until, args=(farm, lambda s: s["workers_idle"] == 1))
    loop.start()
    worker = taskfarm.Worker(farm.url, options)
    loop.join()
    assert (tmp_path / "journal").exists()
    worker.leave()
    farm.close(0)
    with pytest.raises(taskfarm.Error, match="farm option journal: 5 is of another kind"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": 5})


def test_who_wants_all_results_may_say_any_number(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    farm.cancel(farm.submit(b"x"))
    assert [result[0] for result in farm.next(2**62, 0)] == [1]


def test_files_whose_names_are_no_utf_8_serve_and_are_named_in_errors(tmp_path: Path) -> None:
    journal = tmp_path / "j\udcff.tfj"
    taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": journal}).close(0)
    assert journal.exists()
    with pytest.raises(taskfarm.Error, match="is there, and that you may write to"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": bytes(tmp_path / "none\udcff" / "j")})


def test_a_worker_that_could_take_no_task_is_refused() -> None:
    with pytest.raises(taskfarm.Error, match="max_frame_bytes is less than 1 KiB") as caught:
        taskfarm.Worker("tcp://127.0.0.1:1", {"max_frame_bytes": 1023})
    assert caught.value.code == errors.INVALID


AT_THE_END = """
import sys, threading, time
import taskfarm
coordinator = taskfarm.Coordinator(sys.argv[1], {})
def daemon(call):
    def again():
        while True:
            call()
    threading.Thread(target=again, daemon=True).start()
daemon(lambda: coordinator.next(10, 20))
if sys.argv[2] != "next":
    worker = taskfarm.Worker(sys.argv[1], {})
    coordinator.submit_many([b""] * 10000)
if sys.argv[2] == "recv":
    daemon(lambda: worker.recv(20) and worker.reply(b""))
elif sys.argv[2] == "run":
    daemon(lambda: worker.run(lambda task: [time.sleep(0.01), b""][1], str))
time.sleep(0.2)
print("the end")
"""


@pytest.mark.parametrize("call", ["next", "recv", "run"])
def test_a_program_ends_well_while_its_daemon_threads_are_in_calls(call: str, tmp_path: Path) -> None:
    # Python ends such a thread by pthread_exit as soon as it is back, which C++ turned into an abort of the process.
    program = tmp_path / "program.py"
    program.write_text(AT_THE_END)
    done = subprocess.run(
        [sys.executable, program, f"unix://{tmp_path}/farm.sock", call],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")


def test_every_call_of_the_bare_interface_says_what_it_gives() -> None:
    for kind in (taskfarm.Coordinator, taskfarm.Worker, taskfarm.Monitor):
        assert kind.__doc__
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                text = (member.__doc__ or "").partition("\n\n")[2] if callable(member) else member.__doc__
                assert text, f"{kind.__name__}.{name} has no docstring beside its signature"
