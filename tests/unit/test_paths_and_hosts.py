"""Claims about where msgauge keeps things, and about the computer it runs on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from msgauge import paths
from msgauge.errors import ConfigError
from msgauge.hosts import list_cores, this_host
from msgauge.paths import cache_folder, config_folder, expand_home, native_folder, platforms_folder


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        (cache_folder, ("MSGAUGE_CACHE", "XDG_CACHE_HOME", ".cache")),
        (config_folder, ("MSGAUGE_CONFIG", "XDG_CONFIG_HOME", ".config")),
    ],
)
def test_a_folder_of_the_user_comes_from_the_nearest_variable(
    folder: Callable[[], Path], names: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own, base, usual = names
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.delenv(own, raising=False)
    monkeypatch.delenv(base, raising=False)
    assert folder() == Path("/home/somebody") / usual / "msgauge"
    monkeypatch.setenv(base, "relative")
    assert folder() == Path("/home/somebody") / usual / "msgauge", "the standard has relative ones passed over"
    monkeypatch.setenv(base, "/elsewhere")
    assert folder() == Path("/elsewhere/msgauge")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(own, "mine")
    assert folder() == tmp_path / "mine"


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where a user without HOME and without an entry in the list of users gets one."""
    monkeypatch.delenv("MSGAUGE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def no_home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(paths, "_SHARED", tmp_path)
    return tmp_path / f"home-of-{os.getuid()}"


def test_a_user_without_a_home_has_a_folder_of_their_own(homeless: Path) -> None:
    assert cache_folder() == homeless / ".cache/msgauge" == cache_folder()
    assert homeless.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("planted", ["link", "file", "writable by all", "another's"])
def test_what_others_may_have_put_there_is_not_taken_for_a_home(
    homeless: Path, planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs are started as the configuration and the cache in it say."""
    if planted == "link":
        homeless.symlink_to(homeless.parent)
    elif planted == "file":
        homeless.touch()
    else:
        homeless.mkdir()
        homeless.chmod(0o777 if planted == "writable by all" else 0o755)
    if planted == "another's":
        owner = homeless.lstat().st_uid
        homeless.rename(homeless.with_name(f"home-of-{owner + 1}"))
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.raises(ConfigError, match="not this user's alone"):
        cache_folder()


def test_what_is_shipped_is_there() -> None:
    assert (native_folder() / "worker.cpp").is_file()
    assert list(platforms_folder().glob("*.xml"))


def test_this_computer_has_the_processors_that_this_process_may_use() -> None:
    here = this_host()
    assert here.local
    assert here.cores == len(os.sched_getaffinity(0))
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert this_host().cores == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_processors_that_share_a_core_are_listed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3, 5})
    monkeypatch.setattr(os, "sched_setaffinity", lambda *_: None)
    for number, siblings in ((0, "0,4"), (1, "1,5"), (2, "2-3"), (3, "2-3"), (5, "1,5")):
        (tmp_path / f"cpu{number}/topology").mkdir(parents=True)
        (tmp_path / f"cpu{number}/topology/thread_siblings_list").write_text(f"{siblings}\n")
    assert list_cores(tmp_path) == ((0,), (1, 5), (2, 3))
    assert list_cores(tmp_path / "nowhere") == ((0,), (1,), (2,), (3,), (5,))


def test_where_no_process_can_be_confined_no_core_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("not here")

    assert sum(map(len, list_cores())) == this_host().cores
    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    assert list_cores() == ()


def test_the_home_of_a_user_who_is_not_here_stays_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert expand_home("~/run") == Path("/home/me/run")
    assert expand_home("~nobody-of-this-name/run") == Path("~nobody-of-this-name/run")
