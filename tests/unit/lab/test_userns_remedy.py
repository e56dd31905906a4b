"""A lab that an ordinary user cannot have is refused with what would allow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.lab.rootless import find_remedy


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "sysctl kernel.apparmor_restrict_unprivileged_userns=0"),
        ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
        ("user/max_user_namespaces", "96365", "containers often forbid"),
    ],
)
def test_the_setting_that_forbids_user_namespaces_is_named(name: str, value: str, remedy: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(f"{value}\n")
    assert remedy in find_remedy(tmp_path)
