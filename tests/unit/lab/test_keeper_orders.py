"""What the keeper of a lab is asked and tells: no order is lost, and a host is back only when its own order was."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from msgauge.lab import host_keeper, service
from msgauge.lab.host_keeper import LabKeeper
from msgauge.lab.network import LabNetwork


class SlowNetwork(LabNetwork):
    """Of a lab whose first host is made anew while others wait for theirs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder


def test_orders_that_come_while_another_host_is_made_are_all_read() -> None:
    orders, ordered = os.pipe()
    names = [f"n{number}" for number in range(1, 101)]
    os.write(ordered, "".join(f"{name}\n" for name in names).encode())
    assert [service.read_order(orders) for _ in names] == names
    os.close(ordered)
    assert service.read_order(orders) == ""
    os.close(orders)


def test_a_host_is_not_back_because_another_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_REVIVAL_S", 0.1)
    orders, ordered = os.pipe()
    gone = subprocess.Popen(["true"])
    gone.wait()
    office = service.Office({"n1": gone.pid, "n2": gone.pid}, [], SlowNetwork(tmp_path), ordered)
    tell_later = "import sys; from msgauge.lab.service import *; read_order(0); "
    tell_later += "tell_first_processes(Path(sys.argv[1]), [1, 2], 'n1', sys.argv[2])"
    argv = [sys.executable, "-c", tell_later, str(tmp_path)]
    with subprocess.Popen([*argv, ""], stdin=orders), pytest.raises(TimeoutError):
        office._change("mend", "n2")
    monkeypatch.setattr(service, "_REVIVAL_S", 20.0)
    with subprocess.Popen([*argv, "no memory"], stdin=orders):
        assert office._change("mend", "n1") == {"error": "n1 does not come back: no memory"}
    with subprocess.Popen([*argv, ""], stdin=orders):
        assert office._change("mend", "n1") == {}
    os.close(orders)
    os.close(ordered)


def test_a_host_whose_network_fails_is_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lived on without a link, and the next mend took it for one that is cut off: it "came back"."""
    with subprocess.Popen(["sleep", "60"]) as made:
        keeper = LabKeeper({"folder": str(tmp_path), "hosts": ["n1"]})
        monkeypatch.setattr(keeper, "_make_host", lambda *_: (0, 0))
        monkeypatch.setattr(host_keeper, "_read_number", lambda *_: made.pid)

        def refuse(*_: object) -> None:
            raise RuntimeError("p1 is still there")

        monkeypatch.setattr(keeper.network, "rewire", refuse)
        with pytest.raises(RuntimeError, match="still there"):
            keeper._make_whole_host(0, "n1")
        assert made.wait(10) == -9
        keeper.listener.close()


@pytest.mark.parametrize(
    ("program", "number", "line"),
    [
        ("sort2", errno.ENOENT, "No such file or directory; name one in the caller's PATH, or its whole path"),
        ("/opt/sort2", errno.ENOENT, "No such file or directory"),
        ("/etc/hosts", errno.EACCES, "Permission denied"),
    ],
)
def test_a_program_that_does_not_start_is_named_as_it_was_asked_for(program: str, number: int, line: str) -> None:
    error = OSError(number, os.strerror(number), b"/bin/the last folder")
    assert service.tell_unstarted(program, "n1", error) == f"{program} cannot be started on n1: {line}\n"
