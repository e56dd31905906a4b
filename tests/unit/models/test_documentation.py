"""The worked examples of the explanation are true."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from msgauge.models.guidelines import GUIDELINES

EXPLANATION = Path(__file__).parents[3] / "docs" / "explanation"


def test_the_worked_example_of_loggp_prints_what_it_says():
    text = (EXPLANATION / "models.md").read_text()
    code, said = re.search(r"```python\n(.*?)```\n\nprints\n\n    (.*?)\n", text, re.DOTALL).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "models.md", "exec"), {})
    assert printed.getvalue().strip() == said


def test_the_numbers_in_the_text_of_the_example_follow_from_the_formula():
    assert (4400 + 7 * 700, 4400 + 7 * 20_300, 2 * (2200 + 1024 * 0.8)) == (9300, 146_500, 6038.4)
    text = (EXPLANATION / "models.md").read_text()
    assert all(number in text for number in ("9300", "146,500", "6038.4"))


def test_every_guideline_is_explained():
    rows = [line for line in (EXPLANATION / "guidelines.md").read_text().splitlines() if line.startswith("| ")]
    assert len(rows) - 1 == len(GUIDELINES)
