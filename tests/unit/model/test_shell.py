"""A command that is shown means in a shell what it means to msgauge."""

from __future__ import annotations

import subprocess
from pathlib import Path

from attrs import evolve

from msgauge.model import Command
from msgauge.model.shell import shell_line


def test_a_shown_command_survives_hostile_words() -> None:
    command = Command(("echo", "a b", "$(rm -rf x)", "it's"), environment=(("V", "; x"),), folder="/tmp/a b")
    assert shell_line(command) == """cd '/tmp/a b' && env V='; x' echo 'a b' '$(rm -rf x)' 'it'"'"'s'"""


def test_a_command_of_another_user_is_the_same_words_to_his_shell(tmp_path: Path) -> None:
    (tmp_path / "su").write_text('#!/bin/sh\n[ "$1 $2 $3" = "nobody -s /bin/sh" ] && exec /bin/sh -c "$5"\n')
    (tmp_path / "su").chmod(0o755)
    own = Command(("printenv", "V"), (("V", "it's 'one' $HOME"),), folder=str(tmp_path))
    line = shell_line(evolve(own, user="nobody"))
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "it's 'one' $HOME\n"
