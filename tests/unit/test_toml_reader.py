"""Claims about reading tables that people wrote: typed values, and every mistake with its line and key."""

from __future__ import annotations

import tomllib

import pytest

from msgauge.toml_reader import Mistakes, TomlTable

TEXT = """title = "x"
flag = true
count = 5
wait = "50ms"
share = "2%"
names = ["a", "b"]
sizes = ["8..32 x2", 1000]

[stopping]
rounds = 3

[[measure]]
kernel = "a"
[[measure]]
kernel = 7
"""


def read(text: str = TEXT) -> tuple[TomlTable, Mistakes]:
    mistakes = Mistakes(text)
    return TomlTable("", tomllib.loads(text), mistakes), mistakes


def test_values_come_out_typed() -> None:
    table, mistakes = read()
    assert table.text("title", "") == "x"
    assert table.flag("flag", False) is True
    assert table.integer("count", 1, 0, 9) == 5
    assert table.duration_s("wait", 1.0, 0.0) == 0.05
    assert table.ratio("share", 0.5) == 0.02
    assert table.words("names", ()) == ("a", "b")
    assert table.words("title", ()) == ("x",)
    assert table.sizes("sizes") == (8, 16, 32, 1000)
    assert table.table("stopping").integer("rounds", 1, 1, 10) == 3
    assert table.text("nowhere", "usual") == "usual"
    assert mistakes.found == []


def test_a_mistake_is_told_by_line_table_and_key_and_the_usual_value_stands() -> None:
    table, mistakes = read()
    first, second = table.tables("measure")
    assert (first.text("kernel", "-"), second.text("kernel", "-")) == ("a", "-")
    assert table.integer("count", 1, 6, 9) == 1
    assert table.table("stopping").flag("rounds", True) is True
    assert mistakes.describe().splitlines()[1:] == [
        "    line 3: count: 5 is not between 6 and 9",
        "    line 10: stopping.rounds: write true or false, not 3",
        "    line 15: measure[2].kernel: write text in quotes, not 7",
    ]


def test_a_whole_number_is_no_flag_and_a_flag_no_number() -> None:
    table, mistakes = read("a = 1\nb = true\n")
    assert table.flag("a", False) is False
    assert table.integer("b", 4, 0, 9) == 4
    assert table.number("b", 4.0) == 4.0
    assert len(mistakes.found) == 3


def test_keys_that_nobody_asked_for_are_told_with_the_nearest_known_one() -> None:
    table, mistakes = read('kernal = "a"\nsizes = 8\n')
    table.text("kernel", "")
    table.refuse_the_rest()
    lines = mistakes.describe().splitlines()
    assert "did you mean 'kernel'?" in lines[1]
    assert "line 2: sizes: unknown key 'sizes'" in lines[2]


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("a = [1, 2]", "words"),
        ('a = ""', "duration_s"),
        ('a = "5 parsecs"', "duration_s"),
        ("a = 1.5", "ratio"),
        ("a = [true]", "sizes"),
        ("a = ['8..']", "sizes"),
        ("a = 1", "tables"),
        ("a = 1", "table"),
        ("a = [1, 'x']", "lines"),
        ("a = [1, 'x']", "numbers"),
        ("a = [0, 99]", "integers"),
    ],
)
def test_what_cannot_be_read_is_one_mistake_at_its_key(text: str, reader: str) -> None:
    table, mistakes = read(text)
    more = {
        "words": ((),),
        "duration_s": (1.0, 0.0),
        "ratio": (0.5,),
        "integers": ((), 1, 9),
    }
    getattr(table, reader)("a", *more.get(reader, ()))
    assert [line for line, _ in mistakes.found] == [1]
    assert mistakes.describe().startswith("line 1: a: ")
