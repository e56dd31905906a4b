"""What a worker does when its coordinator behaves badly, and that it ends without a word when it behaves well."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import task_functions
from farms import BUILD, ENVIRONMENT
from results import DONE, take, until
from second_implementation import (
    FAILURE,
    GOODBYE,
    HEADER,
    HEARTBEAT,
    READY,
    REFUSE,
    RESULT,
    TASK,
    WELCOME,
    WELCOME_BODY,
    SecondWorker,
    frame,
    hello,
)

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]

WELCOMED = frame(WELCOME, WELCOME_BODY.pack(1, 0, 0, bytes(16), 1000, 5000, 2000, 1, 1 << 20, 1, 0, bytes(16), 0, 0))


def accept(listener: socket.socket) -> socket.socket:
    """The next worker, welcomed: its hello and its ready are read."""
    peer, _ = listener.accept()
    peer.settimeout(10)
    read_frame(peer)
    peer.sendall(WELCOMED)
    assert read_frame(peer)[0][1] == READY
    return peer


def read_frame(peer: socket.socket) -> tuple[tuple[int, ...], bytes]:
    """The next frame but heartbeats, which come at any time: its header's fields, its payload."""
    header = HEADER.unpack(peer.recv(HEADER.size, socket.MSG_WAITALL))
    payload = peer.recv(header[0], socket.MSG_WAITALL) if header[0] else b""
    return read_frame(peer) if header[1] == HEARTBEAT else (header, payload)


def test_a_worker_waits_longer_each_time_where_connections_end_as_soon_as_they_stand(start_worker: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        start_worker(f"tcp://127.0.0.1:{listener.getsockname()[1]}?shm=off")
        moments = []
        for _ in range(12):
            accept(listener).close()
            moments.append(time.monotonic())
        pauses = [late - early for early, late in pairwise(moments)]
        assert pauses[-1] > 0.25  # 0, 1, 2, 4, ... 256, 500 ms, by chance up to half less
        assert max(pauses) < 5  # of 500 ms at most, on a busy machine
        peer, returns = accept(listener), []
        for _ in range(3):  # once work has gone on behind an answer, the next pause is none again
            for task in (7, 8):
                peer.sendall(frame(TASK, b"echo here", attempt=1, task=task))
                header, answer = read_frame(peer)
                assert (header[1], header[4], answer) == (RESULT, task, b"here")
            peer.close()
            broken = time.monotonic()
            peer = accept(listener)
            returns.append(time.monotonic() - broken)
        peer.close()
        assert min(returns) < 0.2  # 0.25 to 0.5 s otherwise, and a busy machine may add to it


def test_a_worker_that_is_sent_home_says_nothing(listen: Any, tmp_path: Path) -> None:
    (tmp_path / "echoing.py").write_text("def echo(data: bytes) -> bytes:\n    return data\n")
    farm = listen("tcp://127.0.0.1:0?shm=off")
    environment = dict(os.environ, PYTHONPATH=f"{BUILD / 'package'}:{tmp_path}")
    command = [sys.executable, "-m", "taskfarm.worker", farm.url, "--function", "echoing:echo"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as worker:
        until(farm, lambda s: s["workers"] == 1)
        farm.submit(b"once")
        assert take(farm, 1)[0][1:3] == (DONE, b"once")
        farm.close(5000)
        assert worker.communicate(timeout=10) == (b"", None)
        assert worker.returncode == 0


def test_an_answer_that_is_no_bytes_in_one_piece_is_a_failure_and_not_the_end_of_the_worker() -> None:
    with taskfarm.Farm(workers=1, function="task_functions:every_second") as farm:
        error = farm.submit(None, b"abcd").exception(60)
        assert isinstance(error, taskfarm.TaskFailed) and "no bytes" in str(error), error
        assert isinstance(farm.submit(None, b"efgh").exception(60), taskfarm.TaskFailed)
        assert farm.stats()["workers_lost"] == 0


def test_what_a_function_raised_may_be_too_big_to_be_told_and_the_worker_goes_on() -> None:
    with taskfarm.Farm(workers=1, function="task_functions:fail_at_length", max_frame_bytes=4096) as farm:
        error = farm.submit(None, b"10000").exception(60)
        assert isinstance(error, taskfarm.TaskFailed) and "max_frame_bytes" in str(error), error
        assert "ValueError: xxx" in str(farm.submit(None, b"3").exception(60))
        assert farm.stats()["workers_lost"] == 0
    with taskfarm.Farm(workers=1, pickle=True, max_frame_bytes=4096) as farm:
        error = farm.submit(task_functions.fail_at_length, b"10000").exception(60)
        assert isinstance(error, taskfarm.TaskFailed) and "max_frame_bytes" in str(error), error


WORDLESS = "Wordless, whose text cannot be made, since that raised SystemExit"


def test_a_worker_lives_whatever_an_exception_does_while_it_is_told_of() -> None:
    """Of calls, and of one function of bytes; a DeadLetter after three workers, before."""
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        fields = farm.submit(task_functions.raise_odd, b"fields").exception(60)
        assert type(fields) is task_functions.Fields and fields.args == ({"code": 5},)
        assert "Fields: {'code': 5}\nIts traceback cannot be made, since that raised KeyError" in str(fields.__cause__)
        assert isinstance(farm.submit(task_functions.raise_odd, b"syntax").exception(60), SyntaxError)
        wordless = farm.submit(task_functions.raise_odd, b"wordless").exception(60)
        assert isinstance(wordless, taskfarm.TaskFailed) and WORDLESS in str(wordless), wordless
        assert farm.submit(task_functions.square, 3).result(60) == 9
        assert farm.stats()["workers_joined"] == 1
    with taskfarm.Farm(workers=1, function="task_functions:raise_odd") as farm:
        for what, words in ((b"fields", "Fields: {'code': 5}"), (b"syntax", "SyntaxError: "), (b"wordless", WORDLESS)):
            error = farm.submit(None, what).exception(60)
            assert isinstance(error, taskfarm.TaskFailed) and words in str(error), error
        assert farm.submit(None, b"well").result(60) == b"well"
        assert farm.stats()["workers_joined"] == 1


def test_ctrl_c_while_an_exception_is_told_of_ends_a_worker_that_was_started_by_hand(tmp_path: Path) -> None:
    with taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True) as farm:
        command = [sys.executable, "-m", "taskfarm.worker", "--pickle", farm.url]
        with subprocess.Popen(command, env=ENVIRONMENT) as worker:
            future = farm.submit(task_functions.raise_odd, b"interrupted")
            assert worker.wait(30) == 130
        assert future.cancel()


def test_a_worker_takes_whatever_its_coordinator_may_send() -> None:
    """Nobody tells it of the farm's max_frame_bytes, and 256 MiB are only what that is where nobody says more."""
    with taskfarm.Farm(workers=1, pickle=True, max_frame_bytes=300 << 20) as farm:
        assert farm.submit(len, bytes(257 << 20)).result(300) == 257 << 20
        assert farm.stats()["workers_lost"] == 0


def test_who_is_still_joining_when_the_farm_ends_is_sent_home_too(listen: Any, tmp_path: Path) -> None:
    """Else it would look for its coordinator until its patience ends."""
    farm = listen(f"unix://{tmp_path}/s?shm=off")
    worker = SecondWorker(f"{tmp_path}/s")
    joining = threading.Thread(target=worker.greet)
    joining.start()
    until(farm, lambda s: s["workers"] == 1)
    joining.join()
    closing = threading.Thread(target=farm.close, args=(0,))
    closing.start()
    while Path(f"{tmp_path}/s").exists():  # by then those who had joined have been sent home
        time.sleep(0.001)
    worker.socket.sendall(frame(READY))
    assert worker.read()[0][1] == GOODBYE
    closing.join()


def lost_worker(path: Path, reconnect_timeout_ms: int) -> Any:
    """A worker whose connection has ended, and which has found out that nobody welcomes it again."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        connections: list[socket.socket] = []
        welcoming = threading.Thread(target=lambda: connections.append(accept(listener)))
        welcoming.start()
        worker = taskfarm.Worker(f"unix://{path}", {"reconnect_timeout_ms": reconnect_timeout_ms})
        welcoming.join()
        connections[0].close()
        begun = time.monotonic()
        assert [worker.recv(50) for _ in range(4)] == [None] * 4
        assert 0.15 < time.monotonic() - begun < 1.8
        listener.setblocking(False)
        listener.accept()[0].close()
        with pytest.raises(BlockingIOError):  # it is one attempt, and not one for each call
            listener.accept()
    return worker


def test_recv_keeps_its_time_while_the_coordinator_is_gone(tmp_path: Path) -> None:
    """It goes on looking in the next call, until reconnect_timeout_ms is over."""
    lost = time.monotonic()
    worker = lost_worker(tmp_path / "s", 3000)
    gone = time.monotonic()
    assert [worker.recv(50) for _ in range(4)] == [None] * 4
    assert time.monotonic() - gone < 2
    with pytest.raises(taskfarm.Error, match="ended, or is lost"):
        while time.monotonic() - lost < 20:
            worker.recv(50)
    assert 2.9 < time.monotonic() - lost < 6
    worker.leave()


def test_who_asks_for_tasks_now_and_then_tries_once_more_when_the_time_is_over(listen: Any, tmp_path: Path) -> None:
    worker = lost_worker(tmp_path / "s", 2000)
    time.sleep(2.5)
    farm = listen(f"unix://{tmp_path}/s")
    farm.submit(b"late")
    loop = threading.Thread(target=until, args=(farm, lambda s: s["in_flight"] == 1))
    loop.start()
    task = worker.recv(2000)
    loop.join()
    assert task is not None and task[2] == b"late"
    worker.leave()


def test_recv_keeps_its_time_where_the_coordinators_host_does_not_answer() -> None:
    """A listener whose queue is full: the kernel lets further connections wait."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        address = listener.getsockname()
        connections: list[socket.socket] = []
        welcoming = threading.Thread(target=lambda: connections.append(accept(listener)))
        welcoming.start()
        worker = taskfarm.Worker(f"tcp://127.0.0.1:{address[1]}?shm=off", {"reconnect_timeout_ms": 20_000})
        welcoming.join()
        for _ in range(4):
            connections.append(socket.socket())
            connections[-1].setblocking(False)
            connections[-1].connect_ex(address)
        connections[0].close()
        took = []
        for _ in range(4):
            begun = time.monotonic()
            assert worker.recv(20) is None
            took.append(time.monotonic() - begun)
        for connection in connections:
            connection.close()
    assert min(took[1:]) < 0.5  # a second each, before
    worker.leave()


@pytest.mark.parametrize(("verb", "kind"), [("reply", RESULT), ("fail", FAILURE)])
def test_who_answers_a_coordinator_that_is_gone_does_not_wait_for_it(verb: str, kind: int, tmp_path: Path) -> None:
    """The answer is kept, and goes to the coordinator before anything else when it is back."""
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        connections: list[socket.socket] = []
        welcoming = threading.Thread(target=lambda: connections.append(accept(listener)))
        welcoming.start()
        worker = taskfarm.Worker(f"unix://{path}", {"reconnect_timeout_ms": 20_000})
        welcoming.join()
        for task in (5, 6):  # the second one is of a connection that is no more
            connections[0].sendall(frame(TASK, b"question", attempt=3, task=task))
        assert worker.recv(5000) == (5, 3, b"question")
        connections[0].close()
    path.unlink()
    begun = time.monotonic()
    assert getattr(worker, verb)(b"answer" * 10_000)
    assert time.monotonic() - begun < 2  # 20 s, before
    assert worker.recv(50) is None
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(10)
        heard: list[tuple[tuple[int, ...], bytes]] = []

        def take_over() -> None:
            with accept(listener) as peer:
                heard.append(read_frame(peer))
                peer.sendall(frame(TASK, b"next", attempt=1, task=9))
                heard.append(read_frame(peer))

        taking = threading.Thread(target=take_over)
        taking.start()
        assert worker.recv(10_000) == (9, 1, b"next")
        worker.reply(b"last")
        taking.join()
    (header, answer), (later, last) = heard
    assert (header[1], header[3], header[4], answer) == (kind, 3, 5, b"answer" * 10_000)
    assert (later[1], later[4], last) == (RESULT, 9, b"last")
    worker.leave()


def killed_coordinator(path: Path, journal: str = "") -> taskfarm.Worker:
    """A worker by shared memory with the one task of a coordinator that is killed then; it had broadcast `old`."""
    program = (
        f"import sys; sys.path.insert(0, {str(BUILD / 'package')!r}); import taskfarm;"
        f"farm = taskfarm.Coordinator('unix://{path}', {{'journal': {journal!r} or None}});"
        "farm.broadcast('first', b'old'); farm.broadcast('second', b'old'); farm.submit(b'question' * 1000);"
        "print('there', flush=True); farm.next(1, -1)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as coordinator:
        assert coordinator.stdout and coordinator.stdout.readline() == b"there\n"
        worker = taskfarm.Worker(f"unix://{path}", {"reconnect_timeout_ms": 20_000})
        task = worker.recv(5000)
        assert task and worker.transport == "shm" and worker.context("first") == (1, b"old")
        coordinator.kill()
    begun = time.monotonic()
    assert worker.reply(task[2])
    assert time.monotonic() - begun < 2
    return worker


def test_an_answer_to_a_killed_coordinator_goes_to_its_successor_with_the_journal(listen: Any, tmp_path: Path) -> None:
    worker = killed_coordinator(tmp_path / "s", str(tmp_path / "journal"))
    again = listen(f"unix://{tmp_path}/s", journal=str(tmp_path / "journal"))

    def work() -> None:  # where the answer comes before the task has been given out again, it is asked for once more
        task = worker.recv(1000)
        if task:
            worker.reply(task[2])

    working = threading.Thread(target=work)
    working.start()
    assert take(again, 1)[0][1:3] == (DONE, b"question" * 1000)
    working.join()
    assert worker.context("second") == (2, b"old")
    assert worker.farms == 1
    worker.leave()


def test_an_answer_to_a_killed_coordinator_is_none_for_another_farm_whose_tasks_have_the_same_numbers(
    listen: Any, tmp_path: Path
) -> None:
    """Nor is what the former one has broadcast of any use there."""
    worker = killed_coordinator(tmp_path / "s")
    again = listen(f"unix://{tmp_path}/s")
    again.broadcast("first", b"new")
    again.submit(b"next")
    looping = threading.Thread(target=until, args=(again, lambda s: s["in_flight"] == 1))
    looping.start()
    assert worker.farms == 1
    task = worker.recv(10_000)
    looping.join()
    assert task and task[2] == b"next" and worker.farms == 2
    version, data = worker.context("first")
    assert (version > 2, data) == (True, b"new")
    assert worker.context("second") is None
    worker.reply(b"done")
    assert take(again, 1)[0][1:3] == (DONE, b"done")
    assert again.stats()["foreign_results"] == 0
    worker.leave()


def test_a_worker_that_meets_another_program_runs_that_ones_functions(tmp_path: Path) -> None:
    """Started anew within the workers' patience; its functions have the names of the former ones."""
    script = tmp_path / "program.py"
    text = (
        "import os, sys, taskfarm\n"
        "def prepare(name: str) -> None:\n    os.environ['PREPARED'] = name\n"
        "def tell() -> str:\n    return 'NAME ' + os.environ['PREPARED']\n"
        "if __name__ == '__main__':\n"
        f"    farm = taskfarm.Farm('unix://{tmp_path}/s', pickle=True, initializer=prepare, initargs=('NAME',))\n"
        "    print(farm.submit(tell).result(30), flush=True)\n"
        "    sys.stdin.read()\n"
    )
    environment = dict(os.environ, PYTHONPATH=str(BUILD / "package"), PYTHONDONTWRITEBYTECODE="1")
    command = [sys.executable, "-m", "taskfarm.worker", f"unix://{tmp_path}/s", "--pickle"]
    with subprocess.Popen(command, env=environment) as worker:
        for name in ("one", "two", "two"):
            script.write_text(text.replace("NAME", name))
            running = [sys.executable, str(script)]
            with subprocess.Popen(
                running, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as program:
                assert program.stdout and program.stdout.readline() == f"{name} {name}\n"
                program.kill()
        worker.terminate()


def test_who_says_hello_when_the_work_is_over_is_told_so(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off")
    joining, late = SecondWorker(f"{tmp_path}/s"), SecondWorker(f"{tmp_path}/s")
    greeting = threading.Thread(target=joining.greet)
    greeting.start()
    until(farm, lambda s: s["workers"] == 1 and s["half_open"] == 1)
    greeting.join()
    closing = threading.Thread(target=farm.close, args=(0,))
    closing.start()
    while Path(f"{tmp_path}/s").exists():
        time.sleep(0.001)
    late.socket.sendall(hello(late.identity))
    header, text = late.read()
    assert (header[1], header[5], text) == (REFUSE, 1, b"the coordinator ends")
    joining.socket.sendall(frame(READY))
    closing.join()


@pytest.mark.parametrize(
    ("over", "status", "words"), [(1, 0, b""), (0, 1, b"taskfarm worker: refused: because ?[2J?\n")]
)
def test_a_worker_that_comes_when_the_work_is_over_ends_without_a_word(over: int, status: int, words: bytes) -> None:
    """A farm of many workers and a short task may end before all of them have come: that is no news for the user."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        url = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        command = [sys.executable, "-m", "taskfarm.worker", url, "--function", "task_functions:square"]
        environment = dict(os.environ, PYTHONPATH=f"{BUILD / 'package'}:{Path(__file__).parent}")
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as worker:
            peer, _ = listener.accept()
            with peer:
                read_frame(peer)
                peer.sendall(frame(REFUSE, b"because \x1b[2J\xff", value=over))  # no command for the terminal
                assert worker.communicate(timeout=20) == (words, None)
            assert worker.returncode == status


@pytest.mark.parametrize("way", [[], ["--processes", "2"], ["--while-input-open"]])
def test_a_worker_whose_coordinator_is_lost_says_so_and_fails(way: list[str]) -> None:
    """As one whose coordinator has ended in good order does not: a batch system is to see the difference."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20)
        url = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        command = [sys.executable, "-m", "taskfarm.worker", url, "--function", "task_functions:square"]
        command += ["--reconnect-timeout", "0.3", *way]
        environment = dict(os.environ, PYTHONPATH=f"{BUILD / 'package'}:{Path(__file__).parent}")
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as worker:
            peers = [accept(listener) for _ in range(2 if "--processes" in way else 1)]
            listener.close()
            for peer in peers:
                peer.close()
            assert worker.wait(20) == 1
            assert worker.stdout is not None
            words = worker.stdout.read().splitlines()
    assert len(words) == len(peers)
    for line in words:
        assert line.startswith(b"taskfarm worker: the coordinator was lost") and b"--reconnect-timeout" in line


def test_run_raises_where_the_coordinator_is_lost_and_returns_where_it_has_ended(listen: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=lambda: accept(listener).close(), daemon=True).start()
        worker = taskfarm.Worker(f"tcp://127.0.0.1:{listener.getsockname()[1]}", {"reconnect_timeout_ms": 100})
        with pytest.raises(taskfarm.Error, match="was lost") as caught:
            worker.run(bytes, repr)
        assert caught.value.code == taskfarm.errors.CLOSED
        worker.leave()
    farm, ended = listen(f"unix://{tmp_path}/s"), []
    thread = threading.Thread(target=lambda: ended.append(taskfarm.Worker(farm.url).run(bytes, repr)))
    thread.start()
    until(farm, lambda s: s["workers"] == 1)
    farm.close(1000)
    thread.join()
    assert ended == [None]
