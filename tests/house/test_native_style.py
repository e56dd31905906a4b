"""Functions in C++ and Octave are as short as those in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FUNCTION_LIMIT = 50
CPP = sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".hpp", ".cpp"))
_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_NOT_A_FUNCTION = re.compile(r"^\s*(?:namespace|class|struct|union|enum|extern|concept)\b")
_PREFIX = re.compile(r"^\s*(?:(?:public|private|protected):|template\s*<[^{}]*?>(?=\s*\w)|requires\s[^{}()]*)\s*")


@pytest.mark.parametrize("path", CPP, ids=lambda path: path.name)
def test_functions_in_cpp_are_short(path: Path) -> None:
    too_long = {name: lines for name, lines in cpp_functions(path.read_text()) if lines > FUNCTION_LIMIT}
    assert not too_long


def test_the_counter_finds_functions_of_every_form() -> None:
    text = """
template <class T, int N = 3>
inline auto first(T a, int b = 2) -> decltype(a) {  // { not a brace
  if (a) { return "}"; }
  const auto inner = [&] { return 1; };
}
struct Thing : Base {
  Thing(int x)
      : a_(x), b_{x} {
    run();
  }
  bool operator==(const Thing& other) const { return true; }
 private:
  int values_[2] = {1, 2};
  std::vector<int> more_{f(1), 2};
};
#define MACRO(x) \\
  void x() { }
"""
    assert list(cpp_functions(text)) == [("first", 4), ("Thing", 4), ("operator==", 1)]
    long = "void f() {\n" + "  g();\n" * 60 + "}\n"
    assert list(cpp_functions(long)) == [("f", 62)]


def cpp_functions(text: str) -> Iterator[tuple[str, int]]:
    """(name, lines from the signature's first to the closing brace) of every function; lambdas count to theirs."""
    blank = _DIRECTIVE.sub(_keep_lines, _NOISE.sub(_keep_lines, text))
    start = at = 0
    while (found := re.compile(r"[;{}]").search(blank, at)) is not None:
        at = found.end()
        head = blank[start : found.start()]
        if found[0] == "{" and _is_initializer(head):
            at = _closing(blank, found.start()) + 1
            continue
        if found[0] == "{" and (name := _name(head)):
            end = _closing(blank, found.start())
            first = start + len(head) - len(_strip_prefixes(head))
            yield name, blank.count("\n", first, end) + 1
            at = end + 1
        start = at


def _keep_lines(match: re.Match[str]) -> str:
    return " " + "\n" * match[0].count("\n")


def _closing(text: str, opening: int) -> int:
    depth = 0
    for brace in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(text) - 1


def _is_initializer(head: str) -> bool:
    """A brace that initialises: a member in a constructor's list, or a variable."""
    bare = _outside_parentheses(_strip_prefixes(head))
    in_list = re.search(r"\)\s*(?:noexcept\s*)?:\s(?!:)[^{]*[\w>]\s*$", _strip_prefixes(head)) is not None
    assigned = "operator" not in bare and re.search(r"(?<![=!<>])=(?!=)", bare) is not None
    return in_list or assigned


def _name(head: str) -> str:
    """The name of the function whose body begins after ``head``; '' when none does."""
    signature = _strip_prefixes(head)
    if _NOT_A_FUNCTION.match(signature) or "(" not in signature:
        return ""
    found = re.search(r"(operator\s*[^\s\w(]+|operator\(\)|~?\w+)\s*\(", signature)
    return found[1].replace(" ", "") if found else ""


def _strip_prefixes(head: str) -> str:
    while (found := _PREFIX.match(head)) is not None:
        head = head[found.end() :]
    return head.lstrip()


def _outside_parentheses(text: str) -> str:
    previous = ""
    while previous != text:
        previous, text = text, re.sub(r"\([^()]*\)", " ", text)
    return text
