"""Who may listen, who may join, and what runs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from refusals import refused, still_works
from results import DONE, take, until

import taskfarm
from taskfarm import errors

Start = Callable[..., subprocess.Popen[bytes]]
TLS = "tcp://127.0.0.1:0?shm=off"


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = str(tmp_path / "key")
    taskfarm.make_key(path)
    return path


@pytest.mark.parametrize("url", ["tcp://0.0.0.0:0", "tcp://[::]:0", "tcp://*:0"])
def test_no_other_address_than_loopback_without_credentials(url: str) -> None:
    with pytest.raises(taskfarm.Error, match="no credentials") as caught:
        taskfarm.Coordinator(url)
    assert caught.value.code == errors.SECURITY


def test_a_worker_does_not_go_elsewhere_without_credentials() -> None:
    with pytest.raises(taskfarm.Error, match="no credentials"):
        taskfarm.Worker("tcp://192.0.2.1:9", {"connect_timeout_ms": 100})


def test_other_addresses_are_served_with_a_key(listen: Any, start_worker: Start, key: str) -> None:
    farm = listen("tcp://0.0.0.0:0", key_file=key)
    start_worker(farm.url.replace("0.0.0.0", "127.0.0.1"), key)
    farm.submit(b"echo x")
    assert take(farm, 1)[0][1] == DONE


@pytest.mark.parametrize("option", ["certificate_file", "certificate_key_file", "ca_file"])
def test_a_part_of_the_credentials_is_not_taken_for_none(option: str, tmp_path: Path) -> None:
    with pytest.raises(taskfarm.Error, match="all three"):
        taskfarm.Coordinator("tcp://127.0.0.1:0", {option: str(tmp_path / "none")})


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_key_that_others_may_read_is_refused(key: str, mode: int) -> None:
    Path(key).chmod(mode)
    with pytest.raises(taskfarm.Error, match="chmod 600"):
        taskfarm.Coordinator(TLS, {"key_file": key})


@pytest.mark.parametrize("text", ["", "abc", "0" * 63, "x" * 64, "0" * 65, "0" * 64 + " " * 500 + "0"])
def test_a_malformed_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(taskfarm.Error, match="64 hexadecimal digits"):
        taskfarm.Coordinator(TLS, {"key_file": str(path)})


@pytest.mark.parametrize("end", ["", "\r\n", " \n\n"])
def test_a_key_may_have_been_through_an_editor(
    listen: Any, start_worker: Start, key: str, tmp_path: Path, end: str
) -> None:
    path, link = tmp_path / "edited", tmp_path / "link"
    path.write_text(Path(key).read_text().strip().upper() + end, newline="")
    path.chmod(0o600)
    link.symlink_to(path)
    still_works(listen(TLS, key_file=str(link)), start_worker, key)


def test_what_is_no_file_is_no_key(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)  # whose other end nobody opens
    for path in (tmp_path, tmp_path / "pipe"):
        path.chmod(0o700)
        with pytest.raises(taskfarm.Error, match="no regular file, so no key"):
            taskfarm.Coordinator(TLS, {"key_file": str(path)})


def test_a_key_file_is_made_for_its_user_only_and_never_overwritten(key: str) -> None:
    assert Path(key).stat().st_mode & 0o777 == 0o600
    with pytest.raises(taskfarm.Error, match="exists"):
        taskfarm.make_key(key)


def test_a_wrong_key_is_refused(listen: Any, start_worker: Start, key: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    taskfarm.make_key(other)
    farm = listen(TLS, key_file=key)
    for _ in range(2):
        assert "key" in str(refused(farm, farm.url, {"key_file": other}))
    still_works(farm, start_worker, key)


def test_no_key_is_refused(listen: Any, start_worker: Start, key: str) -> None:
    farm = listen(TLS, key_file=key)
    for _ in range(2):
        refused(farm, farm.url, {})
    still_works(farm, start_worker, key)


def test_plaintext_to_a_tls_port_is_refused(listen: Any, start_worker: Start, key: str) -> None:
    farm = listen(TLS, key_file=key)
    port = int(farm.url.rsplit(":", 1)[1])
    for data in (b"hello", os.urandom(200), b"\x16\x03\x01\x00\x05aaaaa"):
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(data)
            peer.shutdown(socket.SHUT_WR)
            before = farm.stats()["refused"]
            until(farm, lambda s, before=before: s["refused"] == before + 1)
    assert farm.stats()["workers"] == 0
    still_works(farm, start_worker, key)


def test_a_key_sent_to_a_plain_port_is_refused(listen: Any, start_worker: Start, key: str) -> None:
    farm = listen("tcp://127.0.0.1:0")
    refused(farm, farm.url, {"key_file": key}, "refused_hello")
    still_works(farm, start_worker)


def test_older_tls_is_refused(listen: Any, start_worker: Start, key: str) -> None:
    farm = listen(TLS, key_file=key)
    address = farm.url.removeprefix("tcp://")
    command = ["openssl", "s_client", "-connect", address, "-tls1_2"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as client:
        until(farm, lambda s: s["refused_credentials"] == 1)
        assert client.wait(10) != 0
    still_works(farm, start_worker, key)


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")
def test_a_unix_socket_is_for_its_user_only(listen: Any) -> None:
    farm = listen("unix://@taskfarm-test-uid")  # abstract: no file mode protects it
    program = (
        "import os, socket; os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.connect('\\0taskfarm-test-uid')"
    )
    with subprocess.Popen([sys.executable, "-c", program + "; s.recv(1)"]):
        until(farm, lambda s: s["refused_credentials"] == 1)


def test_the_socket_file_is_for_its_user_only(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o600
    with pytest.raises(taskfarm.Error, match="another coordinator"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s")
    farm.close(0)
    assert not (tmp_path / "s").exists()


def test_pickled_calls_need_an_authenticated_link() -> None:
    with pytest.raises(taskfarm.Error, match="unpickling runs code") as caught:
        taskfarm.Farm("tcp://127.0.0.1:0", pickle=True)
    assert caught.value.code == errors.SECURITY


def test_a_worker_unpickles_only_on_an_authenticated_link(listen: Any) -> None:
    farm = listen("tcp://127.0.0.1:0")
    command = [sys.executable, "-m", "taskfarm.worker", farm.url, "--pickle"]
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as worker:
        until(farm, lambda s: worker.poll() is not None)
        assert worker.returncode == 1
        assert worker.stderr is not None
        assert "unix sockets and TLS only" in worker.stderr.read()


def test_a_worker_without_pickle_runs_no_pickle(listen: Any, tmp_path: Path) -> None:
    import pickle

    class Bomb:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {tmp_path}/exploded",)

    farm = listen(f"unix://{tmp_path}/s")
    (tmp_path / "reverse.py").write_text("def reverse(data):\n    return data[::-1]\n")
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{tmp_path}"}
    command = [sys.executable, "-m", "taskfarm.worker", farm.url, "--function", "reverse:reverse"]
    with subprocess.Popen(command, env=environment) as worker:
        data = pickle.dumps(Bomb())
        farm.submit(data)
        assert take(farm, 1)[0][2] == data[::-1]
        assert not (tmp_path / "exploded").exists()
        farm.close(1000)
        assert worker.wait(10) == 0
