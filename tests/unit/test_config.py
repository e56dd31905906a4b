"""Claims about the user's configuration: what it says is taken, and every mistake is told at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.config import SEARCHABLE, Config, Prefix, load_config, parse_config
from msgauge.errors import ConfigError

WHOLE = """
run_as = "guest"
search = ["system", "managed", "system"]

[[prefix]]
path = "/opt/one"
name = "mvapich"
version = "3.0"
launch = ["{launcher}", "-np", "{ranks}", "{program}"]
launch_on_hosts = ["{launcher}", "-np", "{ranks}", "-f", "{hosts}", "--rsh={agent}", "{program}"]
environment = { LD_LIBRARY_PATH = "/opt/one/lib", A = "" }

[[prefix]]
path = "/opt/two"
"""


def test_everything_that_is_written_is_taken() -> None:
    config = parse_config(WHOLE)
    assert (config.run_as, config.search) == ("guest", ("system", "managed"))
    first, second = config.prefixes
    assert first.launch == ("{launcher}", "-np", "{ranks}", "{program}")
    assert first.launch_on_hosts[-3:] == ("{hosts}", "--rsh={agent}", "{program}")
    assert first.environment == (("A", ""), ("LD_LIBRARY_PATH", "/opt/one/lib"))
    assert second == Prefix(Path("/opt/two"))


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSGAUGE_CONFIG", str(tmp_path))
    assert load_config() == Config()
    (tmp_path / "config.toml").write_text('run_as = "guest"\n')
    assert load_config().run_as == "guest"


def test_a_byte_order_mark_and_the_line_ends_of_another_system_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b'\xef\xbb\xbfrun_as = "guest"\r\n')
    assert load_config(tmp_path / "config.toml").run_as == "guest"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "config.toml")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path)


def test_a_file_nested_beyond_all_measure_is_refused() -> None:
    with pytest.raises(ConfigError, match="not TOML"):
        parse_config("search = " + "[" * 100_000)


def test_the_home_of_a_user_who_is_not_here_is_a_mistake_in_the_file() -> None:
    with pytest.raises(ConfigError, match="prefix 1: path: '~nobody-of-this-name/mpi' is not an absolute path"):
        parse_config('[[prefix]]\npath = "~nobody-of-this-name/mpi"\n')


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('launch = ["{launcher}", "{ranks}", "{hosts}", "{program}"]', "launch: {hosts} is unknown; known are"),
        ('launch_on_hosts = ["{launcher}", "{ranks}", "{program}"]', "needs {agent} and {hosts}"),
        ('launch_on_hosts = ["{launcher}", "{ranks}", "{hosts}", "{program}"]', "needs {agent}"),
        ('launch_on_hosts = ["{hosts}", "{agent}", "{program}"]', "needs {ranks}, and {program}"),
        ('launch_on_hosts = "mpiexec"', "launch_on_hosts: 'mpiexec' is not a list of words"),
    ],
)
def test_how_ranks_start_here_and_on_hosts_is_asked_for_what_it_needs(words: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told.replace("{", r"\{")):
        parse_config(f'[[prefix]]\npath = "/opt/one"\n{words}\n')


def test_all_mistakes_are_told_at_once() -> None:
    text = """
run_as = "no such user!"
search = ["nowhere"]
colour = 1
[[prefix]]
path = "relative"
name = "UPPER"
family = 3
launch = ["{launcher}", "{host}", "{program}"]
environment = { "A B" = "x" }
"""
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    lines = caught.value.what.splitlines()
    told = [line.split(":")[0] + (":" + line.split(":")[1] if line.startswith("prefix") else "") for line in lines]
    assert told == [
        "colour",
        "run_as",
        "search",
        "prefix 1: path",
        "prefix 1: family",
        "prefix 1: name",
        "prefix 1: launch",
        "prefix 1: launch",
        "prefix 1: environment",
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def write_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(write_toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write_toml(str(key))} = {write_toml(item)}" for key, item in value.items()) + "}"
    return '"' + "".join(f"\\U{ord(one):08X}" for one in str(value)) + '"'


KEYS = st.sampled_from(["run_as", "search", "prefix", "path"])


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_whatever_is_written_is_a_configuration_or_a_list_of_mistakes(table: dict[str, object]) -> None:
    text = "\n".join(f"{key} = {write_toml(value)}" for key, value in table.items())
    try:
        config = parse_config(text)
    except ConfigError as error:
        assert error.what
        assert error.remedy
    else:
        assert set(config.search) <= set(SEARCHABLE)
        assert all(prefix.path.is_absolute() for prefix in config.prefixes)


@given(st.text(max_size=200))
def test_any_text_is_a_configuration_or_an_error_with_a_remedy(text: str) -> None:
    try:
        parse_config(text)
    except ConfigError as error:
        assert error.remedy
