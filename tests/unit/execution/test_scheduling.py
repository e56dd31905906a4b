"""Claims about what ranks saw of how they were scheduled, on invented launches."""

from __future__ import annotations

import pytest

from msgauge.execution.scheduling import condition_of, describe_binding
from msgauge.model import (
    RankPlacement,
)


def placed(*cpus: str, session: str = "7", **told: str) -> tuple[RankPlacement, ...]:
    condition = {"session": session, "cgroup": "/", "open_files": "1024", "policy": "0", "nice": "0"} | told
    return tuple(RankPlacement(n, "h", n, cpu, condition=tuple(condition.items())) for n, cpu in enumerate(cpus))


@pytest.mark.parametrize(
    ("masks", "word"),
    [
        (("0", "1"), "one core each"),
        (("0", "0"), "several ranks on one core"),
        (("0-1", "0-1"), "none"),
        (("0", "0-1"), "some ranks bound, others not"),
        (("0-1", "2-3"), "a part of the processors each"),
        (("", "0"), "unknown"),
    ],
)
def test_binding_is_what_the_ranks_saw(masks: tuple[str, ...], word: str) -> None:
    assert describe_binding(placed(*masks)) == word


def test_ranks_in_several_sessions_of_the_root_cgroup_are_told_from_those_in_one_group() -> None:
    apart = (*placed("0", session="1"), *placed("1", session="2"))
    assert dict(condition_of(apart, (), "on"))["groups"] == "one for each session"
    assert dict(condition_of(apart, (), "off"))["groups"] == "one for all ranks"
    together = (*placed("0", session="1", cgroup="/a"), *placed("1", session="2", cgroup="/a"))
    assert dict(condition_of(together, (), "on"))["groups"] == "one for all ranks"
