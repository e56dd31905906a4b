"""The language that names stacks, and what is chosen by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.discovery import registry
from msgauge.errors import MsgaugeError, StackError, UsageError
from msgauge.model import Origin, Stack
from msgauge.model.stack_expression import StackExpression, parse_expressions, split_list, version_key


def a_stack(family: str, version: str, kind: str, *, usable: bool = True) -> Stack:
    return Stack(family, version, Origin(kind), usable=usable, reason="" if usable else "broken; mend it")  # type: ignore[arg-type]


HERE = registry.disambiguate(
    [
        a_stack("openmpi", "5.0.11", "managed"),
        a_stack("openmpi", "4.1.4", "system"),
        a_stack("mpich", "4.0.2", "system"),
        a_stack("mpich", "4.0.2", "managed"),
        a_stack("intelmpi", "2021.18.1", "managed", usable=False),
        Stack("fake", "1", Origin("builtin"), simulated=True),
        Stack("smpi", "3.32", Origin("system"), simulated=True),
    ]
)


def specs(*expressions: str) -> list[str]:
    return [stack.spec for stack in registry.select(HERE, expressions)]


def test_a_family_alone_is_its_preferred_stack() -> None:
    assert specs("openmpi") == ["openmpi@5.0.11"]


def test_a_question_mark_takes_what_is_here_and_names_what_is_not() -> None:
    assert specs("openmpi?", "intelmpi?", "lam@7?", "mpich@4.0.2?") == ["openmpi@5.0.11", "mpich@4.0.2/managed"]
    told = registry.absent(HERE, ["openmpi?", "intelmpi?", "lam@7?", "mpich@4.0.2?"])
    assert [name for name, _, _ in told] == ["intelmpi", "lam"]
    assert all(reason and remedy for _, reason, remedy in told)


def test_a_question_mark_hides_no_misspelt_name_and_no_empty_choice() -> None:
    with pytest.raises(StackError, match="there is no family of stacks 'openmip'"):
        specs("openmip?")
    with pytest.raises(StackError, match="not one of these stacks is here"):
        specs("intelmpi?", "lam?")


def test_a_shortened_version_names_the_stack() -> None:
    assert specs("openmpi@4") == ["openmpi@4.1.4"]
    with pytest.raises(StackError, match="not on this machine"):
        specs("openmpi@4.1.40")


def test_two_origins_of_one_version_are_told_apart() -> None:
    assert specs("mpich@all") == ["mpich@4.0.2/managed", "mpich@4.0.2/system"]
    assert specs("mpich@4.0.2/system") == ["mpich@4.0.2/system"]


def test_variants_are_chosen_by_words_with_commas_in_brackets() -> None:
    assert specs("openmpi[yield,tcp],mpich") == ["openmpi@5.0.11[tcp,yield]", "mpich@4.0.2/managed"]


def test_all_leaves_out_what_is_broken_or_for_tests_but_no_simulated_platform() -> None:
    real = ["openmpi@5.0.11", "openmpi@4.1.4", "mpich@4.0.2/system", "mpich@4.0.2/managed"]
    assert specs("all") == [*real, "smpi@3.32"]
    assert specs("fake") == ["fake@1"]


def test_all_is_an_error_where_nothing_can_be_measured() -> None:
    with pytest.raises(StackError, match="no usable stack on this machine"):
        registry.select([Stack("smpi", "3.32", Origin("system"), simulated=True)], ["all"])


def test_nothing_named_is_one_of_each_family() -> None:
    assert specs() == ["openmpi@5.0.11", "mpich@4.0.2/managed"]


def test_the_same_stack_can_be_named_twice_for_a_check_of_a_against_a() -> None:
    assert specs("openmpi,openmpi[again]") == ["openmpi@5.0.11", "openmpi@5.0.11[again]"]


def test_what_is_not_usable_says_why() -> None:
    with pytest.raises(StackError, match="broken; mend it"):
        specs("intelmpi")


def test_a_misspelt_family_gets_a_hint() -> None:
    with pytest.raises(StackError) as caught:
        specs("opnmpi")
    assert "openmpi" in caught.value.remedy


def test_words_on_one_axis_exclude_each_other() -> None:
    with pytest.raises(StackError, match="exclude each other"):
        specs("openmpi[tcp,shm]")


def test_an_unknown_word_lists_the_known_ones() -> None:
    with pytest.raises(StackError) as caught:
        specs("mpich[yield]")
    assert "tcp" in caught.value.remedy


def test_every_mistake_is_reported_at_once() -> None:
    with pytest.raises(UsageError, match=r"'Open MPI'.*'x@@1'"):
        parse_expressions(["Open MPI", "mpich", "x@@1"])


def test_fake_parameters_take_units() -> None:
    (fake,) = registry.select(HERE, ["fake[L=2us,eager=8KiB,noise=0.05]"])
    assert dict(fake.environment)["MSGAUGE_FAKE"] == "L=2000,eager=8192,noise=0.05"
    with pytest.raises(StackError, match="M=3"):
        registry.select(HERE, ["fake[M=3]"])


NAMES = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
WORDS = st.lists(
    st.from_regex(r"[a-z]{1,5}(=[0-9]{1,3}(us)?)?", fullmatch=True),
    max_size=3,
    unique_by=lambda word: word.partition("=")[0],
)


@given(NAMES, st.from_regex(r"([0-9]{1,3}(\.[0-9]{1,3}){0,3})?", fullmatch=True), WORDS)
def test_what_is_written_is_read_back(family: str, version: str, words: list[str]) -> None:
    text = family + (f"@{version}" if version else "") + (f"[{','.join(words)}]" if words else "")
    assert parse_expressions([text]) == (StackExpression(family, version, "", tuple(words)),)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_remedy(text: str) -> None:
    try:
        registry.select(HERE, [text])
    except MsgaugeError as error:
        assert error.remedy


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_a_list_is_split_where_it_was_joined(names: list[str]) -> None:
    assert split_list(",".join(f"{name}[a,b=1]" for name in names)) == [f"{name}[a,b=1]" for name in names]


def test_versions_sort_as_people_read_them() -> None:
    assert sorted(["4.1.10", "4.1.9", "5.0rc1", "5.0.1"], key=version_key) == ["4.1.9", "4.1.10", "5.0rc1", "5.0.1"]
    ordered = ["5.0.0dev1", "5.0.0a1", "5.0.0b1", "5.0.0rc1", "5.0.0rc10", "5.0.0", "5.0.0p1", "5.0.0.1", "5.0.1"]
    assert sorted({*ordered}, key=version_key) == ordered


def test_a_release_is_preferred_to_its_candidates_and_a_patch_to_both() -> None:
    versions = ["5.0.0rc1", "5.0.0a1", "5.0.0"]
    found = registry.select([a_stack("openmpi", version, "system") for version in versions], ["openmpi"])
    assert found[0].version == "5.0.0"
    found = registry.select([a_stack("openmpi", version, "system") for version in versions[:2]], ["openmpi"])
    assert found[0].version == "5.0.0rc1"
    found = registry.select([a_stack("openmpi", version, "system") for version in ("5.0", "5.0.1")], ["openmpi"])
    assert found[0].version == "5.0.1"
