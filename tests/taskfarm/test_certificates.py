"""TLS with certificates of both sides: whose are good, whose are not, and handshakes that do not come to an end."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from certificate_files import authority, by_an_intermediate, not_yet_valid, openssl, signed
from refusals import refused, still_works
from results import until

import taskfarm
from taskfarm import errors

Start = Callable[..., subprocess.Popen[bytes]]
TLS = "tcp://127.0.0.1:0?shm=off"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return authority(tmp_path_factory.mktemp("good"), "good")


@pytest.fixture(scope="module")
def expired(good: dict[str, str]) -> dict[str, str]:
    return {**good, "certificate_file": signed(Path(good["ca_file"]).parent, "good", -1)}


def words(options: dict[str, str]) -> list[str]:
    """Options as arguments of acting_worker.py."""
    return [f"{name}={value}" for name, value in options.items()]


def test_a_certificate_of_another_authority_is_refused(
    listen: Any, start_worker: Start, good: dict[str, str], tmp_path: Path
) -> None:
    farm = listen(TLS, **good)
    assert refused(farm, farm.url, authority(tmp_path, "other")).code == errors.SECURITY
    still_works(farm, start_worker, *words(good))


def test_a_workers_expired_certificate_is_refused(
    listen: Any, start_worker: Start, good: dict[str, str], expired: dict[str, str]
) -> None:
    farm = listen(TLS, **good)
    for _ in range(2):
        assert "certificate expired" in str(refused(farm, farm.url, expired))
    still_works(farm, start_worker, *words(good))


def test_workers_refuse_a_coordinator_whose_certificate_has_expired(
    listen: Any, start_worker: Start, good: dict[str, str], expired: dict[str, str]
) -> None:
    late = listen(TLS, **expired)
    url = str(late.url)
    error = refused(late, url, good)
    assert error.code == errors.SECURITY and "certificate" in str(error)
    late.close(0)
    farm = listen(url, **good)  # started again in the same place with a valid one
    still_works(farm, start_worker, *words(good))


def test_no_certificate_and_a_key_instead_are_refused(
    listen: Any, start_worker: Start, good: dict[str, str], tmp_path: Path
) -> None:
    farm = listen(TLS, **good)
    key = str(tmp_path / "key")
    taskfarm.make_key(key)
    refused(farm, farm.url, {"key_file": key})
    refused(farm, farm.url, {})
    still_works(farm, start_worker, *words(good))


def test_a_certificate_of_a_later_time_is_refused(listen: Any, good: dict[str, str]) -> None:
    farm = listen(TLS, **good)
    later = {**good, "certificate_file": not_yet_valid(Path(good["ca_file"]).parent, "good")}
    refused(farm, farm.url, later)
    url = str(farm.url)
    farm.close(0)
    error = refused(listen(url, **later), url, good)
    assert error.code == errors.SECURITY and "certificate is not yet valid" in str(error)


def test_a_chain_of_certificates_is_followed_to_the_authority(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    chain = by_an_intermediate(tmp_path, "whole")
    farm = listen(TLS, **chain)
    still_works(farm, start_worker, *words(chain))
    alone = tmp_path / "alone.pem"
    alone.write_text(Path(chain["certificate_file"]).read_text().partition("-----END CERTIFICATE-----")[0])
    with alone.open("a") as file:
        file.write("-----END CERTIFICATE-----\n")
    assert refused(farm, farm.url, {**chain, "certificate_file": str(alone)}).code == errors.SECURITY


def test_a_certificate_is_used_for_what_it_is_for(listen: Any, start_worker: Start, good: dict[str, str]) -> None:
    folder = Path(good["ca_file"]).parent
    server, client_of_it = (
        {**good, "certificate_file": signed(folder, "good", 1, f"extendedKeyUsage={use}Auth")}
        for use in ("server", "client")
    )
    farm = listen(TLS, **server)
    assert refused(farm, farm.url, server).code == errors.SECURITY
    still_works(farm, start_worker, *words(client_of_it))
    other = listen(TLS, **client_of_it)
    assert "unsuitable certificate purpose" in str(refused(other, other.url, client_of_it))


def refusal(options: dict[str, str]) -> str:
    """The error that both sides raise at once."""
    texts = []
    for start in (taskfarm.Coordinator, taskfarm.Worker):
        with pytest.raises(taskfarm.Error) as caught:
            start("tcp://127.0.0.1:0" if start is taskfarm.Coordinator else "tcp://127.0.0.1:9", options)
        assert caught.value.code == errors.SECURITY
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    return texts[0]


def test_the_key_of_a_certificate_is_its_users_alone(
    listen: Any, start_worker: Start, good: dict[str, str], tmp_path: Path
) -> None:
    key, link = tmp_path / "key", tmp_path / "link"
    key.write_bytes(Path(good["certificate_key_file"]).read_bytes())
    link.symlink_to(key)
    linked = {**good, "certificate_key_file": str(link)}
    for mode in (0o644, 0o604, 0o660):
        key.chmod(mode)
        assert "chmod 600" in refusal(linked)
    if os.geteuid() == 0:
        key.chmod(0o600)
        os.chown(key, 65534, -1)
        assert "another user" in refusal(linked)
        os.chown(key, 0, -1)
        key.chmod(0o640)  # as the computer's own are, for a group of its own
        listen(TLS, **linked).close(0)
    key.chmod(0o600)
    still_works(listen(TLS, **linked), start_worker, *words(linked))
    assert "No such file" in refusal({**good, "certificate_key_file": str(tmp_path / "none")})
    assert "no regular file" in refusal({**good, "certificate_key_file": str(tmp_path)})


def test_keys_with_a_passphrase_and_keys_of_other_certificates_are_refused_at_once(
    good: dict[str, str], tmp_path: Path
) -> None:
    """OpenSSL itself would ask for the passphrase on the terminal, and wait."""
    locked = str(tmp_path / "locked")
    openssl("pkey", "-in", good["certificate_key_file"], "-out", locked, "-aes256", "-passout", "pass:word")
    Path(locked).chmod(0o600)
    assert "passphrase" in refusal({**good, "certificate_key_file": locked})
    other = authority(tmp_path, "other")
    assert "mismatch" in refusal({**good, "certificate_key_file": other["certificate_key_file"]})
    of_rsa = str(tmp_path / "rsa")
    openssl("genpkey", "-algorithm", "RSA", "-out", of_rsa)
    Path(of_rsa).chmod(0o600)
    assert f"{of_rsa}: key values mismatch" in refusal({**good, "certificate_key_file": of_rsa})
    Path(locked).write_text("no key\n")
    assert "PEM" in refusal({**good, "certificate_key_file": locked})
    assert "PEM" in refusal({**good, "ca_file": locked})
    assert "PEM" in refusal({**good, "certificate_file": locked})


def client(options: dict[str, str]) -> tuple[ssl.SSLObject, ssl.MemoryBIO, ssl.MemoryBIO]:
    """The worker's side of a handshake, by Python's own ssl, with what came and what is to be sent."""
    context = ssl.create_default_context(cafile=options["ca_file"])
    context.check_hostname = False
    context.load_cert_chain(options["certificate_file"], options["certificate_key_file"])
    came, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
    return context.wrap_bio(came, to_send), came, to_send


def stalled_at(where: str, peer: socket.socket, options: dict[str, str]) -> None:
    """Goes on with a handshake as far as `where`, and leaves it there."""
    session, came, to_send = client(options)
    if where == "nothing sent":
        return
    while True:
        try:
            session.do_handshake()
        except ssl.SSLWantReadError:
            data = to_send.read()
            if where == "half a client hello":
                peer.sendall(data[: len(data) // 2])
                return
            peer.sendall(data)
            if where == "client hello":
                return
            came.write(peer.recv(65536))
            continue
        last = to_send.read()
        peer.sendall(last[:-30] if where == "half of the last flight" else last)
        return


@pytest.fixture
def peers() -> Iterator[list[socket.socket]]:
    made: list[socket.socket] = []
    yield made
    for peer in made:
        peer.close()


STALLS = ("nothing sent", "half a client hello", "client hello", "half of the last flight", "shaken, but no hello")


def test_handshakes_that_stall_are_cut_off_wherever_they_stall_and_the_work_goes_on(
    listen: Any, start_worker: Start, good: dict[str, str], peers: list[socket.socket]
) -> None:
    farm = listen(TLS, **good, hello_timeout_ms=3000)
    address = ("127.0.0.1", int(farm.url.rsplit(":", 1)[1]))
    for where in STALLS:
        peers.append(socket.create_connection(address, timeout=10))
        thread = threading.Thread(target=stalled_at, args=(where, peers[-1], good))
        thread.start()
        until(farm, lambda _, thread=thread: not thread.is_alive())
    assert farm.stats()["half_open"] == len(STALLS)
    still_works(farm, start_worker, *words(good))  # beside them
    stats = until(farm, lambda s: s["refused_slow"] == len(STALLS))
    assert stats["refused"] == len(STALLS) and stats["half_open"] == 0
    for peer in peers:
        while peer.recv(65536):  # what it was sent before; then the end
            pass
    assert (farm.stats()["workers"], farm.stats()["workers_lost"]) == (1, 0)


def test_a_worker_does_not_wait_for_a_coordinator_that_stalls_in_its_handshake(
    good: dict[str, str], peers: list[socket.socket]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        peers += [listener]
        start = time.monotonic()
        with pytest.raises(taskfarm.Error, match="does not answer"):
            taskfarm.Worker(f"tcp://127.0.0.1:{listener.getsockname()[1]}", {"connect_timeout_ms": 500, **good})
        assert 0.4 < time.monotonic() - start < 5
