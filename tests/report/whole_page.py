"""The page of a run beside what the run's JSON states."""

from __future__ import annotations

import contextlib
import io
import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from page_layers import Said, layers_of
from run_numbers import RunNumbers, altered
from stated_numbers import StatedNumbers

from msgauge.cli import main


@frozen
class Page:
    """A page, what the run's JSON states, and the estimates and comparisons of the JSON."""

    path: Path
    html: str
    stated: StatedNumbers
    exported: dict[str, Any]

    @cached_property
    def said(self) -> list[Said]:
        return layers_of(self.html)[0]

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the script of the page makes its table and downloads of."""
        return layers_of(self.html)[1]

    def wrong(self) -> list[tuple[str, str, list[str]]]:
        found = ((one, self.stated.wrong(one)) for one in self.said)
        return [(one.layer, one.text, bad) for one, bad in found if bad]

    def wrong_of(self, said: Said, token: re.Match[str]) -> list[str]:
        """What is wrong when one number of a text is another one."""
        return self.stated.wrong(evolve(said, text=altered(said.text, token)))


def printed(*words: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert main(list(words)) == 0
    return text.getvalue()


def read_page(run: Path) -> Page:
    """The page that stands in the folder of a run."""
    exported = json.loads(printed("export", str(run), "--format", "json"))
    advice = json.loads(printed("advise", str(run), "--json"))
    stated = StatedNumbers(RunNumbers.read(run, {"export": exported, "advice": advice}))
    return Page(run, (run / "report.html").read_text(), stated, exported)
