"""Bytes come one by one, or in pieces of random sizes, to both sides and under TLS as well."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dripping_proxy import DrippingProxy
from farms import Transport
from results import DONE, take, until

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.mark.parametrize("largest", [1, 40], ids=["byte-at-a-time", "random"])
@pytest.mark.parametrize("transport", ["tcp", "tls"], indirect=True)
def test_every_byte_may_come_by_itself_in_both_directions(
    transport: Transport, listen: Any, start_worker: Start, largest: int
) -> None:
    farm = listen(transport.url, **transport.options)
    with DrippingProxy(int(farm.url.rsplit(":", 1)[1]), largest) as proxy:
        worker = start_worker(f"tcp://127.0.0.1:{proxy.port}?shm=off", *transport.options.values())
        until(farm, lambda s: s["workers_idle"] == 1)
        farm.broadcast("p", b"what all tasks need")
        texts = [os.urandom(size).hex() for size in (1, 2, 150, 12, 11, 13, 0, 60)] * 2
        ids = {farm.submit(f"echo {text}".encode()): text for text in texts}
        context = farm.submit(b"context p")
        results = {result[0]: result for result in take(farm, len(texts) + 1)}
        assert {result[1] for result in results.values()} == {DONE}
        assert results.pop(context)[2] == b"what all tasks need"
        assert {task: result[2].decode() for task, result in results.items()} == ids
        stats = farm.stats()
        farm.close(5000)
        assert worker.wait(10) == 0  # it was told to go home, byte by byte
    assert stats["protocol_errors"] == stats["refused"] == stats["workers_lost"] == stats["reconnects"] == 0
    for way, sent in proxy.sent.items():
        assert sent > 1200
        assert proxy.segments[way] > 0.9 * sent / largest, f"{way}: pieces became larger on the wire"


def test_a_connection_that_ends_within_a_frame_costs_one_reconnection(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    """The proxy dies in the middle of an answer; the task runs again by way of the next one."""
    farm = listen("tcp://127.0.0.1:0?shm=off")
    port = int(farm.url.rsplit(":", 1)[1])
    with DrippingProxy(port, 1) as proxy:
        start_worker(f"tcp://127.0.0.1:{proxy.port}?shm=off")
        until(farm, lambda s: s["workers_idle"] == 1)
        task = farm.submit(b"echo " + b"x" * 3000)
        before = proxy.sent["to-coordinator"]
        until(farm, lambda _: proxy.sent["to-coordinator"] > before + 500)
    until(farm, lambda s: s["workers_lost"] == 1)
    start_worker(farm.url)
    assert take(farm, 1)[0][:4] == (task, DONE, b"x" * 3000, 2)
    assert farm.stats()["protocol_errors"] == 0
