"""A journal that cannot be written, is damaged, grows, or is none."""

from __future__ import annotations

import json
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD, ENVIRONMENT
from results import DONE, take, until

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]


@contextmanager
def files_end_at(size_bytes: int) -> Iterator[None]:
    """No file of this process may grow beyond; writing fails with EFBIG, as on a full disk with ENOSPC."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_task_that_the_journal_cannot_take_is_not_accepted(tmp_path: Path, listen: Any, start_worker: Start) -> None:
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    assert farm.submit(b"echo first") == 1
    whole = journal.read_bytes()
    with files_end_at(4096):
        for tasks in ([b"echo " + b"z" * 5000], [b"echo small"] * 100):
            with pytest.raises(taskfarm.Error, match="none of the tasks is accepted"):
                farm.submit_many(tasks)
        stats = farm.stats()
        assert (stats["submitted"], stats["queued"], stats["journal_errors"]) == (1, 1, 2)
        assert journal.read_bytes() == whole  # nothing half written either
    assert farm.submit(b"echo second", deadline_ms=60000) == 2
    start_worker(farm.url)
    assert sorted(r[:3] for r in take(farm, 2)) == [(1, DONE, b"first"), (2, DONE, b"second")]
    farm.close(0)
    again = taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(journal)})
    assert (again.stats()["submitted"], again.stats()["recovered"]) == (2, 0)
    again.close(0)


def test_results_are_held_back_until_the_journal_has_them(tmp_path: Path, listen: Any, start_worker: Start) -> None:
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    farm.submit(b"echo " + b"x" * 3000)
    start_worker(farm.url)
    with files_end_at(4096):
        until_error(farm)
        stats = farm.stats()
        assert (stats["delivered"], stats["ready"]) == (0, 1)
        assert stats["journal_errors"] > 0
        with pytest.raises(taskfarm.Error, match="held back"):
            farm.next(1, 0)
    assert take(farm, 1)[0][:3] == (1, DONE, b"x" * 3000)


FULL_DISK = """
import os, sys
import taskfarm

for name in sys.argv[1:]:
    try:
        taskfarm.Coordinator("unix://@taskfarm-full-disk", {"journal": name})
    except taskfarm.Error as error:
        print(error.code, error)
    print(os.path.exists(name), os.path.exists(name + ".rewriting"))
"""


def test_a_coordinator_that_finds_no_room_for_its_journal_says_so_and_leaves_no_file(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    fill = f"mount -t tmpfs -o size=64k none {tmp_path} && touch {empty} && head -c 1M /dev/zero >{tmp_path}/fill; "
    files = f"{tmp_path}/fresh {empty}"
    python = f'exec {sys.executable} -c "$PROGRAM" {files}'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", fill + python],
        env={**ENVIRONMENT, "PROGRAM": FULL_DISK},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    refused = "-7 the journal cannot be written: {}: No space left on device; make room there, or give a file elsewhere"
    fresh = f"{tmp_path}/fresh"
    assert done.stdout.splitlines() == [
        refused.format(fresh),
        "False False",
        refused.format(empty),
        "True False",
    ], done.stderr


def on_small_disk(case: str, folder: Path) -> Any:
    """What small_disk.py says of it."""
    script = str(Path(__file__).with_name("small_disk.py"))
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", sys.executable, script, case, str(folder)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_full_disk_stops_no_farm_of_which_little_is_alive(tmp_path: Path) -> None:
    """The file alone would fill it, and have nowhere to be written anew."""
    said = on_small_disk("little-alive", tmp_path)
    assert said == {"left": 0, "delivered": 2200, "recovered": 0, "files": 2}


def test_a_full_disk_refuses_tasks_beyond_a_third_of_it_and_loses_none(tmp_path: Path) -> None:
    said = on_small_disk("much-alive", tmp_path)
    assert said["lost"] == 0
    assert min(said["accepted"]) > 70, "of 1000 bytes each: all but 16 KiB of a third"
    refusal = (
        f"the journal cannot be written: {tmp_path}/journal: No space left on device; none of the tasks is accepted"
    )
    assert said["refusals"] == [[taskfarm.errors.JOURNAL, refusal]] * 3


def test_what_fits_in_a_third_of_a_disk_but_24_kib_is_never_refused(tmp_path: Path) -> None:
    said = on_small_disk("all-that-fits", tmp_path)
    assert said["lost"] == 0
    assert said["unused"] < 96, "to the last record"


def test_a_kill_while_the_file_is_written_anew_loses_nothing_that_is_alive(tmp_path: Path) -> None:
    assert on_small_disk("killed", tmp_path) == {"missing": [0] * 12, "written anew": True}


def test_the_room_of_the_next_rewrite_is_given_back_at_the_end(tmp_path: Path, listen: Any) -> None:
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    farm.submit(bytes(100_000))
    reserved = tmp_path / "journal.rewriting"
    assert reserved.stat().st_blocks * 512 > 200_000
    reserved.unlink()
    reserved.write_bytes(b"of somebody else")
    farm.submit(bytes(200_000))
    assert reserved.stat().st_blocks * 512 > 600_000
    farm.close(0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal"]


def test_a_limit_of_file_sizes_is_named(tmp_path: Path) -> None:
    with files_end_at(0), pytest.raises(taskfarm.Error, match=r"File too large; .* \(ulimit -f\)") as refused:
        taskfarm.Coordinator("unix://@taskfarm-small-files", {"journal": tmp_path / "fresh"})
    assert refused.value.code == taskfarm.errors.JOURNAL
    assert not list(tmp_path.iterdir())


def test_what_is_of_no_use_any_more_makes_room_in_a_journal_that_may_not_grow(
    tmp_path: Path, listen: Any, start_worker: Start
) -> None:
    """Far below the size at which the file is rewritten anyway."""
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    start_worker(farm.url)
    with files_end_at(64 << 10):
        for _ in range(40):
            assert farm.submit(b"echo " + b"x" * 8000)
            assert len(take(farm, 1)[0][2]) == 8000
        for version in range(40):
            farm.broadcast("key", bytes(8000) + str(version).encode())
        assert farm.submit(b"context key")
        assert take(farm, 1)[0][2].endswith(b"39")
        assert (farm.stats()["delivered"], farm.stats()["journal_errors"]) == (41, 0)
        with pytest.raises(taskfarm.Error, match="none of the tasks is accepted"):
            farm.submit_many([bytes(30000)] * 3)
    farm.close(0)
    journal.chmod(0o640)
    again = taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(journal)})
    assert again.stats()["recovered"] == 0
    assert journal.stat().st_mode & 0o7777 == 0o640, "who may read it stays as it was"
    again.close(0)


def test_a_journal_with_more_in_it_than_the_farm_would_take_is_refused(tmp_path: Path) -> None:
    """Each worker would drop its connection at it, and take down what else it has."""
    for kind in ("task", "broadcast"):
        options: dict[str, Any] = {"journal": str(tmp_path / kind)}
        farm = taskfarm.Coordinator("unix://@taskfarm-large-task", options)
        farm.submit(bytes(5000)) if kind == "task" else farm.broadcast("key", bytes(5000))
        farm.close(0)
        with pytest.raises(taskfarm.Error, match=r"of 500[05] bytes, beyond max_frame_bytes \(4096\)"):
            taskfarm.Coordinator("unix://@taskfarm-large-task", {**options, "max_frame_bytes": 4096})
        again = taskfarm.Coordinator("unix://@taskfarm-large-task", options)
        assert again.stats()["queued"] == (kind == "task")
        again.close(0)


def record(kind: int, number: int = 0, value: int = 0, payload: bytes = b"") -> bytes:
    """Of a journal."""
    body = struct.pack("<BB6xQQ", kind, 0, number, value) + payload
    return struct.pack("<II", len(body), zlib.crc32(body)) + body


@pytest.mark.parametrize("behind", [b"", record(2, 2, payload=b"echo two")])
def test_a_record_of_a_later_version_is_refused_and_kept(tmp_path: Path, behind: bytes) -> None:
    journal = tmp_path / "journal"
    journal.write_bytes(whole := b"TFARMJ1\n" + record(2, 1, payload=b"echo one") + record(9, 1) + behind)
    with pytest.raises(taskfarm.Error, match="the record at byte 48 is of a later version"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(journal)})
    assert journal.read_bytes() == whole


def test_a_journal_where_another_one_is_written_anew_stays_whose_it_is(tmp_path: Path, listen: Any) -> None:
    name = tmp_path / "journal"
    other = listen(f"unix://{tmp_path}/other", journal=f"{name}.rewriting")
    other.submit(b"echo other")
    with pytest.raises(taskfarm.Error, match="another coordinator has it as its journal"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(name)})
    assert b"echo other" in Path(f"{name}.rewriting").read_bytes()


def test_the_journal_has_what_is_left_of_a_deadline_however_long_nobody_called(tmp_path: Path, listen: Any) -> None:
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    time.sleep(0.3)
    farm.submit(b"late", deadline_ms=1000)
    (left_ms,) = struct.unpack("<Q", journal.read_bytes()[-12:-4])  # in front of the payload
    assert 900 <= left_ms <= 1001


def until_error(farm: Any) -> None:
    """Runs the farm until its journal fails."""
    with pytest.raises(taskfarm.Error, match="the journal cannot be written"):
        while not farm.next(1, 50):
            pass


def test_a_broadcast_that_the_journal_cannot_take_is_not_sent(tmp_path: Path, listen: Any) -> None:
    farm = listen(f"unix://{tmp_path}/s", journal=str(tmp_path / "journal"))
    with files_end_at(4096), pytest.raises(taskfarm.Error, match="the journal cannot be written"):
        farm.broadcast("key", b"z" * 5000)
    farm.broadcast("other", b"kept")
    farm.close(0)
    assert b"z" * 100 not in (tmp_path / "journal").read_bytes()


@pytest.mark.parametrize("content", [b"a,b,c\n" * 1000, b"#", bytes(500), b"\x28\0\0\0" + bytes(4000)])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "precious.csv"
    path.write_bytes(content)
    with pytest.raises(taskfarm.Error, match="no journal"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(path)})
    assert path.read_bytes() == content
    assert sorted(p.name for p in tmp_path.iterdir()) == ["precious.csv"]


def test_a_damaged_record_in_the_middle_is_not_the_end(tmp_path: Path, listen: Any) -> None:
    path = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(path))
    farm.submit_many([b"number %d" % i for i in range(100)])
    farm.close(0)
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[whole.index(b"number 50")] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(taskfarm.Error, match="damaged at byte"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(path)})
    assert path.read_bytes() == damaged
    path.write_bytes(whole[:-5])  # what a crash leaves half written is the end
    again = taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(path)})
    assert again.stats()["recovered"] == 99
    again.close(0)


def test_a_table_of_numbers_that_a_crash_left_half_written_is_the_end_at_once(tmp_path: Path) -> None:
    """In each of its rows a record of a mebibyte seems to begin."""
    path = tmp_path / "journal"
    options = {"journal": str(path)}
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s", options)
    farm.submit_many([b"before", struct.pack("<qqq", 1 << 20, 5, 0) * 170_000])
    farm.close(0)
    os.truncate(path, path.stat().st_size - 60)  # the record of the next task's number, and the last row
    begun = time.monotonic()
    again = taskfarm.Coordinator(f"unix://{tmp_path}/s", options)
    assert time.monotonic() - begun < 10
    assert again.stats()["recovered"] == 1
    again.close(0)


def test_a_journal_does_not_grow_without_bound(tmp_path: Path, listen: Any, start_worker: Start) -> None:
    path = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(path))
    farm.broadcast("key", b"kept")
    start_worker(farm.url)
    kept = farm.submit(b"await " + bytes(str(tmp_path / "go"), "ascii"))
    until(farm, lambda s: s["in_flight"] == 1)
    start_worker(farm.url)
    largest = 0
    for _ in range(30):
        _, accepted = farm.submit_many([b"echo " + b"x" * 100_000] * 50)
        assert (accepted, {r[1] for r in take(farm, 50)}) == (50, {DONE})
        largest = max(largest, path.stat().st_size)
    written = 30 * 50 * 2 * 100_000
    assert largest < written / 2
    (tmp_path / "go").touch()
    assert take(farm, 1)[0][0] == kept
    farm.next(1, 0)
    number = farm.submit(b"echo last")
    take(farm, 1)
    del farm
    second = taskfarm.Coordinator(f"unix://{tmp_path}/t", {"journal": copy(path)})
    assert (second.stats()["submitted"], second.stats()["recovered"]) == (number, 1)
    start_worker(second.url)
    second.submit(b"context key")
    assert {r[2] for r in take(second, 2)} == {b"last", b"kept"}
    second.close(0)


def copy(path: Path) -> str:
    """Of a journal that its coordinator still has locked."""
    other = path.with_name("copy")
    other.write_bytes(path.read_bytes())
    return str(other)


def test_coordinators_that_start_together_never_share_a_journal(tmp_path: Path) -> None:
    path = str(tmp_path / "journal")
    for attempt in range(30):
        made: list[Any] = []

        def start(number: int, made: list[Any] = made, attempt: int = attempt) -> None:
            try:
                made.append(taskfarm.Coordinator(f"unix://{tmp_path}/{attempt}-{number}", {"journal": path}))
            except taskfarm.Error as error:
                assert "another coordinator" in str(error)

        threads = [threading.Thread(target=start, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) <= 1
        for farm in made:
            farm.close(0)


@pytest.mark.parametrize("number", [2**64 - 1, 10**15, 2**40])
def test_a_task_that_no_farm_has_given_is_an_error_of_the_file(number: int, tmp_path: Path, listen: Any) -> None:
    """With a checksum that is right: a table up to there would take terabytes."""
    journal = tmp_path / "journal"
    farm = listen(f"unix://{tmp_path}/s", journal=str(journal))
    farm.submit(b"first")
    farm.close(0)
    body = struct.pack("<BB6xQQ", 2, 0, number, 0) + b"task"
    journal.write_bytes(journal.read_bytes() + struct.pack("<II", len(body), zlib.crc32(body)) + body)
    before = journal.read_bytes()
    with pytest.raises(taskfarm.Error, match=f"names task {number}, which no farm has given"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"journal": str(journal)})
    assert journal.read_bytes() == before


@pytest.mark.parametrize("oldest", [None, 5])
def test_a_coordinator_that_has_done_billions_of_tasks_starts_at_once(oldest: int | None, tmp_path: Path) -> None:
    """Ids are counted and not walked through."""
    journal, number = tmp_path / "journal", 2**37
    records = [struct.pack("<BB6xQQ", 2, 0, oldest, 0) + b"task"] if oldest else []
    records.append(struct.pack("<BB6xQQ", 1, 0, number, 0))
    journal.write_bytes(
        b"TFARMJ1\n" + b"".join(struct.pack("<II", len(body), zlib.crc32(body)) + body for body in records)
    )
    program = """
import sys, taskfarm
farm = taskfarm.Coordinator(sys.argv[1], {"journal": sys.argv[2]})
print(farm.submit(b"next"), farm.stats()["recovered"])
"""
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
    command = [sys.executable, "-c", program, f"unix://{tmp_path}/s", str(journal)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)
    assert done.stdout.split() == [str(number), str(len(records) - 1)], done.stderr


def test_a_journal_stays_where_it_is_when_the_program_goes_elsewhere(
    tmp_path: Path, listen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (home / "link").symlink_to("journal")
    monkeypatch.chdir(home)
    farm = listen(f"unix://{tmp_path}/s", journal="link")
    monkeypatch.chdir(elsewhere)
    kept = farm.submit(b"kept")
    for _ in range(80):
        assert farm.cancel(farm.submit(bytes(1_000_000))) == 0
        take(farm, 1)
    farm.next(1, 0)
    assert (home / "journal").stat().st_size < 70_000_000  # it was written anew in between
    assert not list(elsewhere.iterdir())
    assert (home / "link").is_symlink()
    farm.close(0)
    again = listen(f"unix://{tmp_path}/s", journal=str(home / "journal"))
    assert (again.stats()["submitted"], again.stats()["recovered"]) == (81, 1)
    assert again.cancel(kept) == 0
