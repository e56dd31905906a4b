"""Claims about where a new run folder is made: what cannot be one is told, and what is no run yet does not stay."""

from pathlib import Path

import pytest

from msgauge.errors import StoreError
from msgauge.model import Cell, Origin, Plan, Stack
from msgauge.results import run_folder, run_folders
from msgauge.results.run_folder import RunFolder

PLAN = Plan("quick", 7, ("a@1",), (Cell(0, "pingpong", 8, 2),), (2,))
STACK = Stack("a", "1", Origin("system", "/usr"))


def new(parent: Path) -> RunFolder:
    return RunFolder.create(parent, "title = 'x'\n", PLAN, {"host": "h"}, [STACK])


@pytest.mark.parametrize("kind", ["file", "below a file", "link to nothing", "link to itself", "too long"])
def test_what_can_be_no_folder_of_runs_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    names = iter(["a1b2", "c3d4"])  # whoever seeks a free name for ever comes to the end of these
    monkeypatch.setattr(run_folders.secrets, "token_hex", lambda _: next(names))
    (tmp_path / "file").touch()
    (tmp_path / "link to nothing").symlink_to(tmp_path / "nowhere")
    (tmp_path / "link to itself").symlink_to(tmp_path / "link to itself")
    places = {"below a file": "file/runs", "too long": "x" * 256}
    with pytest.raises(StoreError, match="cannot write") as caught:
        new(tmp_path / places.get(kind, kind))
    assert "--runs FOLDER" in caught.value.remedy


def test_a_link_to_a_folder_is_as_good_as_the_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with new(tmp_path / "link") as folder:
        assert (tmp_path / "real" / folder.name / "plan.json").is_file()


def test_an_interrupt_before_there_is_a_plan_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_folder, "publish", interrupt)
    with pytest.raises(KeyboardInterrupt):
        new(tmp_path)
    assert not list(tmp_path.iterdir())
