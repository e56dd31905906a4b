"""Lists of hosts: every dialect is read, nothing that a shell, ssh or a page would obey comes through."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import UsageError
from msgauge.host_lists import (
    MOST_HOSTS,
    HostList,
    ListedHost,
    load_host_file,
    parse_host_file,
    parse_host_words,
    quote,
)

STRICT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("n1,n2:4,user@n3", [("n1", 1, ""), ("n2", 4, ""), ("n3", 1, "user")]),
        ("n[1-3,7]", [("n1", 1, ""), ("n2", 1, ""), ("n3", 1, ""), ("n7", 1, "")]),
        ("r[1-2]n[09-10]:2", [("r1n09", 2, ""), ("r1n10", 2, ""), ("r2n09", 2, ""), ("r2n10", 2, "")]),
        ("a@n1:2,a@n1", [("n1", 3, "a")]),
        ("10.99.0.2, node-7.cluster.example", [("10.99.0.2", 1, ""), ("node-7.cluster.example", 1, "")]),
    ],
)
def test_words_of_the_command_line(words: str, expected: list[tuple[str, int, str]]) -> None:
    assert [(one.name, one.slots, one.user) for one in parse_host_words(words).hosts] == expected


DIALECTS = {
    "Open MPI": "# two hosts\nn1 slots=4 max-slots=8\nn2 slots=2 # the slower one\n",
    "hydra": "n1:4\nn2:2 binding=user:0,1\n",
    "LAM": "n1 cpu=4 user=x\nn2 cpu=2 schedule=yes user=x\n",
    "PVM": "* lo=x\nn1 ep=/opt/pvm/bin:$HOME/bin slots=4\nn2 lo=x so=ms cpu=2\n&n9 lo=y\n",
    "PBS": "n1\nn1\nn1\nn1\nn2\nn2\n",
    "OGE": "n1 4 all.q@n1 UNDEFINED\nn2 2 all.q@n2 UNDEFINED\n",
    "node sets": "n[1-2]:2\nn1 slots=2\n",
    "Windows ends": "n1:4\r\nn2:2\r\n",
    "a mark of UTF-8 before": "\ufeffn1:4\nn2:2\n",
    "Open MPI with blanks": "n1 slots = 4\nn2 slots= 2\n",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_host_files_of_every_dialect_say_the_same(dialect: str, tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text(DIALECTS[dialect], encoding="utf-8", newline="")
    user = "x" if dialect in ("LAM", "PVM") else ""
    assert load_host_file(tmp_path / "hosts").hosts == (ListedHost("n1", 4, user), ListedHost("n2", 2, user))


@pytest.mark.parametrize("address", ["fd00::2", "::1", "[fe80::1]", "[fe80::1%eth0]:4", "root@fd00:1:2::10.0.0.1"])
def test_an_address_of_ipv6_is_named_as_such(address: str) -> None:
    with pytest.raises(UsageError, match=r"is an address of IPv6[^$]*HostName ADDRESS"):
        parse_host_words(f"n1,{address}")


HOSTILE = [
    "n1;reboot",
    "$(reboot)",
    "`reboot`",
    "n1|sh",
    "n1&",
    "-oProxyCommand=reboot",
    "n1,-oProxyCommand=reboot",
    "user@-oProxyCommand=reboot",
    "-lroot@n1",
    "<script>alert(1)</script>",
    "n1\x1b[31m",
    "n1\x00",
    "n1\u202e",
    "n" * 254,
    "../../etc",
    "n1/x",
    "n1'",
    'n1"',
    "n1\\",
    "n1:0",
    "n1:x",
    "n1:99999",
    "n[1-99999999]",
    "n[1-3",
    "n[3-1]",
    "n[1-2][1-4000]",
    "n[1-4000]m[1-4000]",
    "a@b@n1",
    "",
    ",",
    "n1,,n2",
    "n1, ,n2",
    "n1,",
    "a@n1,b@n1",
    "::1",
]


@pytest.mark.parametrize("words", HOSTILE)
def test_names_that_try_something_are_refused_and_quoted_safely(words: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_host_words(words)
    assert refused.value.remedy and str(refused.value).replace("\n", "").isprintable()
    assert str(refused.value).isascii() and "<" not in str(refused.value)


@pytest.mark.parametrize("line", ["n1 $(reboot)", "n1 slots=", "n1 slots=-1", "n1 4 a;b", "n1 user=-oX", "n1 evil=1"])
def test_options_that_no_dialect_has_are_refused(line: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_host_file(f"n0\n{line}\n", "hosts")
    assert "line 2" in str(refused.value) and refused.value.remedy


def test_a_host_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("# nothing\n")
    (tmp_path / "large").write_bytes(b"n1\n" * 400_000)
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for name in ("empty", "large", "binary", "absent"):
        with pytest.raises(UsageError):
            load_host_file(tmp_path / name)


def hold(found: HostList) -> None:
    """What was accepted is harmless, bounded, and reads back as itself."""
    assert 1 <= len(found.hosts) <= MOST_HOSTS
    for host in found.hosts:
        assert STRICT.fullmatch(host.name) and len(host.name) <= 253
        assert not host.user or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", host.user, re.ASCII)
    assert parse_host_words(str(found)) == found


PLAIN = ["n1", "n2", "user", "@", ":", "4", ",", " ", "\t", "\n", "\r", "[", "]", "1-3", "-", "..", "0", "*", "&", "#"]
WORDS = ["slots=", "cpu=2", "lo=", "ep=/x", "$(x)", "-oProxyCommand=x", "<b>", "'", "\x1b", "all.q@n1"]
PIECES = st.sampled_from([*PLAIN, *WORDS])
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join))


@given(TEXTS)
def test_any_words_are_read_or_refused(text: str) -> None:
    try:
        found = parse_host_words(text)
    except UsageError as refused:
        assert refused.remedy and str(refused).isascii()
        return
    hold(found)


@given(TEXTS)
def test_any_host_file_is_read_or_refused(text: str) -> None:
    try:
        found = parse_host_file(text)
    except UsageError as refused:
        assert refused.remedy and str(refused).isascii()
        return
    hold(found)


@given(
    st.lists(
        st.builds(
            ListedHost,
            st.from_regex(r"[a-z][a-z0-9-]{0,10}[a-z0-9]", fullmatch=True),
            st.integers(1, 64),
            st.sampled_from(["", "x", "some_one"]),
        ),
        min_size=1,
        unique_by=lambda host: host.name,
    )
)
def test_a_list_reads_back_as_itself(hosts: list[ListedHost]) -> None:
    assert parse_host_words(str(HostList(tuple(hosts)))).hosts == tuple(hosts)


@given(st.text())
def test_a_quotation_does_nothing(text: str) -> None:
    assert quote(text).isascii() and quote(text).isprintable() and "<" not in quote(text) and len(quote(text)) < 700
