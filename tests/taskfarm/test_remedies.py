"""An error says what was refused, where, and what to do."""

from __future__ import annotations

import math
import shlex
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

import taskfarm

CERTIFICATES = {"certificate_file": "/none/c", "certificate_key_file": "/none/k", "ca_file": "/none/a"}


@pytest.mark.parametrize(
    ("url", "options", "said"),
    [
        ("unix:///none/s", {}, "unix:///none/s: No such file or directory; give a path in a folder that is there"),
        ("tcp://127.0.0.1:{taken}", {}, "tcp://127.0.0.1:{taken}: Address already in use; end who listens there"),
        ("tcp://192.0.2.1:0", {"key_file": "{key}"}, "Cannot assign requested address; choose another address"),
        ("tcp://127.0.0.1:0", CERTIFICATES, "No such file or directory; give certificate"),
        ("tcp://[fe80::1%lo]:0", {}, "tcp://[fe80::1%lo]: not a loopback address"),
        ("unix://@taskfarm-remedies", {"max_workers": 0}, "max_workers must be at least 1"),
    ],
)
def test_a_coordinator_that_cannot_listen(url: str, options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        known = {"taken": other.getsockname()[1], "key": tmp_path / "key"}
        taskfarm.make_key(str(known["key"]))
        wanted = {name: value.format(**known) if isinstance(value, str) else value for name, value in options.items()}
        with pytest.raises(taskfarm.Error) as refused:
            taskfarm.Coordinator(url.format(**known), wanted)
    assert said.format(**known) in str(refused.value)


def test_a_worker_that_finds_no_coordinator() -> None:
    with pytest.raises(taskfarm.Error, match=r"no coordinator at unix://@taskfarm-none: .*; is it running"):
        taskfarm.Worker("unix://@taskfarm-none", {"connect_timeout_ms": 1})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"workers": 1, "function": len}, "function=<built-in function len>: give its name, as text"),
        ({"workers": "2", "pickle": True}, "workers='2': give a whole number"),
        ({"workers": 1.5, "pickle": True}, "workers=1.5: give a whole number"),
        ({"workers": None}, "workers=None: give a whole number"),
    ],
)
def test_an_argument_of_farm_that_is_of_another_kind(given: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError) as refused:
        taskfarm.Farm(**given)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("make", [taskfarm.Coordinator, taskfarm.Worker, taskfarm.Monitor])
def test_what_is_no_text_where_text_belongs(make: Any) -> None:
    with pytest.raises(TypeError, match="options are named by text, and not by 1"):
        make("unix://@taskfarm-remedies", {1: 2})
    with pytest.raises(TypeError, match="url=b'unix:': give text such as"):
        make(b"unix:", {})


def test_a_key_that_cannot_be_written(tmp_path: Path) -> None:
    taskfarm.make_key(str(tmp_path / "key"))
    for path, remedy in (("key", "give another name"), ("none/key", "in a folder that is there")):
        with pytest.raises(taskfarm.Error, match=remedy):
            taskfarm.make_key(str(tmp_path / path))
    with pytest.raises(taskfarm.Error, match="the name of the key's file is empty; give one"):
        taskfarm.make_key("")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("max_frame_bytes", 2 << 30, "max_frame_bytes is not within 1 KiB to 2 GiB less a byte"),
        ("spin_us", -5, "spin_us is neither -1 nor a time"),
        ("ordered", 2, "ordered is neither 0 nor 1"),
        ("straggler_factor", math.inf, "straggler_factor is neither 0 nor a number from 1 on"),
        ("straggler_factor", 0.5, "straggler_factor is neither 0 nor a number from 1 on"),
    ],
)
def test_options_beyond_what_they_may_be(option: str, value: float, said: str) -> None:
    with pytest.raises(taskfarm.Error, match=said):
        taskfarm.Coordinator("unix://@taskfarm-options", {option: value})


def test_a_function_that_names_no_module_is_refused_before_a_worker_is_started() -> None:
    with pytest.raises(taskfarm.Error, match="function='answer': give MODULE:NAME"):
        taskfarm.Farm(workers=1, function="answer")


def test_reasons_of_a_dead_letter_name_workers_in_short(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_attempts=1)
    farm.submit(b"poison")

    def die() -> None:
        worker = taskfarm.Worker(farm.url, {"name": "n" * 900})
        assert worker.recv(5000)
        worker.leave()

    thread = threading.Thread(target=die)
    thread.start()
    ((_, _, reasons, *_),) = farm.next(1, 5000)
    thread.join()
    assert b"(" + b"n" * 63 + b", pid " in reasons


def test_a_broadcast_that_is_too_big_with_its_key_only(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_frame_bytes=1024)
    farm.broadcast("key", bytes(1019))
    with pytest.raises(taskfarm.Error, match=r"with its key and two more, is beyond max_frame_bytes \(1024\)"):
        farm.broadcast("key", bytes(1020))


@pytest.mark.parametrize("option", ["key_file", "certificate_file", "certificate_key_file", "ca_file", "journal"])
def test_an_empty_name_of_a_file_is_not_one_left_out(option: str) -> None:
    # Say of a variable that is not set: a farm without its key, or its journal, is not the one that was asked for.
    with pytest.raises(taskfarm.Error, match=f"option {option} is an empty name; leave it out for none"):
        taskfarm.Coordinator("tcp://127.0.0.1:0", {option: ""})
    if option != "journal":
        with pytest.raises(taskfarm.Error, match=f"option {option} is an empty name; leave it out for none"):
            taskfarm.Worker("tcp://127.0.0.1:1", {option: "", "connect_timeout_ms": 1})


@pytest.mark.parametrize("name", ["journal", "the farm's journal"])
def test_the_command_for_a_damaged_journal_is_of_one_file_whatever_its_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    farm = taskfarm.Coordinator("unix://@taskfarm-damaged", {"journal": path})
    farm.submit_many([b"one", b"two", b"three"])
    farm.close(0)
    path.write_bytes(path.read_bytes().replace(b"two", b"TWO"))
    with pytest.raises(taskfarm.Error, match="damaged at byte") as refused:
        taskfarm.Coordinator("unix://@taskfarm-damaged", {"journal": path})
    command = shlex.split("truncate" + str(refused.value).partition(": truncate")[2])
    assert command[:2] == ["truncate", "-s"] and command[3:] == [str(path)]


def test_who_comes_without_a_key_is_told_that_one_may_be_wanted(listen: Any, tmp_path: Path) -> None:
    key = tmp_path / "key"
    taskfarm.make_key(str(key))
    farm = listen("tcp://127.0.0.1:0", key_file=str(key))
    with pytest.raises(taskfarm.Error, match=r"One with TLS wants a key, and none is given\.$"):
        taskfarm.Worker(farm.url, {"connect_timeout_ms": 500})
    with pytest.raises(taskfarm.Error) as refused:
        taskfarm.Worker("unix://@taskfarm-none", {"connect_timeout_ms": 1})
    assert "key" not in str(refused.value)


@pytest.mark.parametrize("url", ["tcp://[::1", "tcp://[::1:80", "tcp://::1]:80", "tcp://[[::1]]:80"])
def test_brackets_that_do_not_match(url: str) -> None:
    with pytest.raises(taskfarm.Error, match="an IPv6 address stands in one pair of brackets"):
        taskfarm.Worker(url, {"connect_timeout_ms": 1})
