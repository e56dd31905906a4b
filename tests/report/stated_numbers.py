"""Which numbers a page may say: those of the run's JSON, each of the cell and the stack that it stands beside.

A label of a drawing and a place of a table say one value, with its interval: exactly its numbers in their order
(``placed_numbers``). A sentence is one of the JSON, or one that is the same for every run (``± 95 % interval``), whole
and to the digit; counts that the page makes itself are counted again here. What is left of a text after that may hold
no number, but for the sizes of the block that it stands in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from measured_numbers import (
    SHOWN_WARNINGS,
    counts_of_more,
    facts_of_machine,
    sentences_of_factors,
    spans_of_problems,
    texts_of_stack,
)
from page_layers import Said
from placed_numbers import OF_CELLS, PlacedNumbers, after_head, half_round_trip, titles_of, without_marks
from run_numbers import RunNumbers, bare, is_sentence, tokens_of

from msgauge import report, units
from msgauge.models import guideline_terms, guidelines

_SHOWN_FIRST = 5
"""Findings before the fold; the summary counts the others."""


class StatedNumbers:
    """Holds what a page says against the JSON of its run."""

    def __init__(self, numbers: RunNumbers) -> None:
        self.numbers = numbers
        self.placed = PlacedNumbers(numbers)
        self._whole = sorted(numbers.sentences | prose() | set(_counts(numbers)), key=len, reverse=True)

    def wrong(self, said: Said) -> list[str]:
        """What a text says that no number or name of the JSON says there."""
        text = after_head(said)
        bad = [word for word in self._without_names(said.text).split() if re.search(r"\w@\d", word)]
        if said.layer in ("label", "table"):
            found = tokens_of(self._without_names(text))
            if found and not self._is_placed(said, found):
                found = tokens_of(self._left_of(text, said))
                return bad if bad else list(found)
            return bad
        left = tokens_of(self._left_of(text, said))
        sizes = self._sizes_of(said) if left else set()
        return bad + [token for token in left if token not in sizes]

    def _is_placed(self, said: Said, found: tuple[str, ...]) -> bool:
        right = self.placed.of_label(said) if said.layer == "label" else self.placed.of_place(said)
        return any(tokens_of(text) == found for text in right)

    def _sizes_of(self, said: Said) -> set[str]:
        if not said.under or said.under[0] not in OF_CELLS:
            return set()
        cells = self.placed.cells_of(said)
        return {bare(units.format_size(self.numbers.cells[cell]["size_bytes"])) for cell in cells}

    def _without_names(self, text: str) -> str:
        for spec in self.numbers.specs:
            text = text.replace(spec, " ")
        return text

    def _left_of(self, text: str, said: Said) -> str:
        """Without the sentences and names that the JSON and the page's fixed text have."""
        facts = {tuple(fact.split()) for fact in self._facts_of(said)}
        text = " ".join(" ".join(line.split()) for line in text.split("\n") if tuple(line.split()) not in facts)
        for sentence in (*self._whole, *self._counts_of(said)):
            if sentence in text:
                before = r"(?<![\w.])" if re.match(r"\w", sentence) else ""
                after = r"(?!\w|\.\d)" if re.search(r"\w$", sentence) else ""
                text = re.sub(f"{before}{re.escape(sentence)}{after}", " ", text)
        return self._without_names(text)

    def _facts_of(self, said: Said) -> Iterator[str]:
        """What the card of a stack, or of the machine, may say as a whole."""
        section = said.under[0] if said.under else ""
        if section == "stacks" and said.heading in self.numbers.specs:
            yield from texts_of_stack(self.numbers, said.heading)
        if section == "machine":
            yield from facts_of_machine(self.numbers)

    def _counts_of(self, said: Said) -> Iterator[str]:
        """What is counted in one section alone, and of a stack in its own card."""
        if said.under and said.under[0] == "all-numbers":
            yield str(len(self.numbers.documents["findings"]["estimates"]))
        if said.layer == "aria" and said.under and said.under[0] in OF_CELLS:
            cells = self.placed.cells_of(said)
            stacks = {stack for cell, stack in self.numbers.estimates if cell in cells}
            yield f"of {units.format_count(len(stacks), 'stack')}"
        if said.layer == "drawing" and said.text[-1:] == "×":
            yield from self.placed.of_map(said)
        if said.under and said.under[0] == "stacks" and said.heading in self.numbers.specs:
            mine = self.numbers.records_of(said.heading)
            yield from _costs_of(mine)
            bad = f"{len(mine)}, {sum(one['status'] != 'ok' for one in mine)} of them failed"
            yield from (f"launches {bad}", bad)
            yield from (f"launches {len(mine)}", *([str(len(mine))] if said.text.strip() == str(len(mine)) else []))
        if said.under and said.under[0] == "models":
            for one in self.numbers.documents["models"]["models"]:
                if one["stack"] == without_marks(said.heading):
                    yield from _sentences_of_model(one)


def _counts(numbers: RunNumbers) -> Iterator[str]:
    """Short texts that the page makes of counts of the JSON."""
    export, plan = numbers.documents["export"], numbers.documents["plan"]
    stacks, mine = len(plan["stacks"]), numbers.records_of()
    seconds = sum(one["seconds"] for one in mine)
    yield from (f"{stacks} message-passing stacks compared", f"of {stacks} stacks", f"in {stacks} stacks")
    rounds = units.format_count(export["rounds"], "round")
    yield f"{rounds}, {len(mine)} launches, measured for {units.format_duration(seconds)}"
    yield numbers.documents["findings"]["run"]
    yield from (f"There were {export['rounds']} rounds", f"(seed {plan['seed']})")
    level = units.format_level(export["interval_level"])
    yield from (f"{level} interval", f"{level} confidence interval")
    yield from (f"{len(export['decisive']) - _SHOWN_FIRST} more", *_commands(mine))
    if export["summary"]:
        yield f"mean of {units.format_count(export['summary']['tests'], 'test')}"
        yield f"without {units.format_count(export['summary']['tests_left_out'], 'test')} of which the base"
    ranks = sorted(plan["rank_counts"])
    yield from (f"spins ({units.format_count(one, 'rank')})" for one in ranks)
    measured = len({one["stack"] for one in numbers.documents["findings"]["estimates"] if not one["failed"]})
    yield f"{measured} of {stacks} message-passing stacks compared"
    yield from (*sentences_of_factors(numbers), *counts_of_more(numbers), *spans_of_problems(numbers))
    yield from _counts_of_problems(numbers)
    yield from _titles(numbers)
    yield from _counts_of_advice(numbers.documents["advice"])
    machine = numbers.documents["machine"]
    processors = machine["allowed_processors"]
    yield from (f"{processors[0]} to {processors[-1]}", ", ".join(f"{one:.10g}" for one in machine["load"]))
    yield units.format_amount(machine["memory_bytes"])
    if "paper" in numbers.documents:
        yield from _counts_of_paper(numbers.documents["paper"])


def _commands(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield from {" ".join(one["command"]["argv"]) for one in records}


def _titles(numbers: RunNumbers) -> Iterator[str]:
    """Headings of blocks, and over how many processes a program was run."""
    ranks: dict[str, set[int]] = {}
    measured = {cell for cell, _ in numbers.estimates}
    for number, cell in numbers.cells.items():
        titles = titles_of(numbers, cell)
        ranks.setdefault(titles[-1], set()).update([cell["ranks"]] if number in measured else [])
        yield from titles
        yield f"{cell['kernel']}, {units.format_count(cell['ranks'], 'rank')}"
    for title, found in ((title, found) for title, found in ranks.items() if found):
        last = units.format_count(max(found), "process")
        for what in ("parallel efficiency", "shares of the time", "time against processes"):
            yield f"{title}: {what}, on {last if len(found) == 1 else f'{min(found)} to {last}'}"


def _counts_of_problems(numbers: RunNumbers) -> Iterator[str]:
    export = numbers.documents["export"]
    yield units.format_count(len({one["code"] for one in export["warnings"]}), "warning")
    left_out = len(export["findings"]) - min(_SHOWN_FIRST, len(export["decisive"]))
    yield f"{units.format_count(left_out, 'more finding')}, and all numbers, are on the page itself."
    yield f"And {len({(one['code'], one['remedy']) for one in export['warnings']}) - SHOWN_WARNINGS} more."
    for warning in export["warnings"]:
        yield ", ".join(f"{key} {value}" for key, value in warning["evidence"].items())
        yield from (f"{key} {value}" for key, value in warning["evidence"].items())
    failed: dict[tuple[str, str], set[int]] = {}
    for one in export["failures"]:
        failed.setdefault((one["stack"], one["reason"]), set()).add(one["cell"])
    yield units.format_count(len(failed), "failure")
    yield from (f"{stack}, {units.format_count(len(cells), 'cell')} failed" for (stack, _), cells in failed.items())
    refused: dict[tuple[str, str], set[int]] = {}
    for one in export["refusals"]:
        refused.setdefault((one["stack"], one["reason"]), set()).add(one["cell"])
    alike: dict[tuple[str, frozenset[int]], list[str]] = {}
    for (stack, reason), cells in refused.items():
        alike.setdefault((reason, frozenset(cells)), []).append(stack)
    yield units.format_count(len(alike), "refusal")
    for (_, cells), stacks in alike.items():
        named = " and ".join(filter(None, (", ".join(stacks[:-1]), stacks[-1])))
        yield f"{named}, {units.format_count(len(cells), 'cell')} not run"


def _counts_of_advice(advice: dict[str, Any]) -> Iterator[str]:
    untested = {(one["guideline"], one["ranks"], one["missing"]) for one in advice["untested_guidelines"]}
    yield f"Not tested for lack of measurements: {len(untested) + len(advice['untested_anomalies'])}"
    yield from (f"{one} on {ranks} ranks" for one, ranks, _ in untested if ranks)


def _counts_of_paper(paper: dict[str, Any]) -> Iterator[str]:
    left_out = set(paper["left_out"])
    lacks = [one for one in paper["claims"] if one["lacking"] and set(one["lacking"]) <= left_out]
    asked = [one for one in paper["claims"] if one not in lacks and not one["question"]]
    said = {"holds": ("holds", "hold"), "does not hold": ("does not hold", "do not hold"), "undecided": ("undecided",)}
    counts = {word: sum(one["verdict"] == word for one in asked) for word in said}
    yield ", ".join(f"{counts[word]} {forms[0 if counts[word] == 1 else -1]}" for word, forms in said.items())
    kinds = ((sum(not one["question"] for one in lacks), "claim"), (sum(one["question"] for one in lacks), "question"))
    yield f"{' and '.join(units.format_count(number, noun) for number, noun in kinds if number)} need"
    lines = (line for drawing in paper["figures"] for line in drawing["lines"])
    yield from (f"{line['name']} at {len(line['points'])} points" for line in lines)
    for claim in paper["claims"]:
        yield f"All {len(claim['evidence'])} cases"
        for one in claim["evidence"]:
            if one["unit"] == "ratio":
                value, limits = units.format_estimate(*(one[key] for key in ("value", "low", "high")))
                yield f"{value} × ({limits}), {one['rounds']} rounds"


def _costs_of(mine: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not mine:
        return
    busy = sum(one["usage"]["user_s"] + one["usage"]["system_s"] for one in mine)
    yield f"{units.format_duration(busy)} in {units.format_duration(sum(one['seconds'] for one in mine))}"
    yield units.format_amount(max(one["usage"]["peak_memory_bytes"] for one in mine))


def _sentences_of_model(model: dict[str, Any]) -> Iterator[str]:
    """Breakpoints, and how many segments close."""
    for point in (model["segmentation"] or {}).get("breakpoints", ()):
        place, low, high = (units.format_amount(point["size_bytes"][key]) for key in ("value", "low", "high"))
        said = f"{point['kind']} at {place} ({low} to {high})"
        yield f"{said}, {units.format_percent(abs(point['jump']['value']))}"
        yield said
    for strict in (False, True):
        judged = [one for one in model["closures"] if one["strict"] == strict]
        closes = sum(one["median_error"] <= 0.05 for one in judged)
        yield from (f"Closure: {closes} of {len(judged)}", f"{closes} of {units.format_count(len(judged), 'segment')}")
    errors = [abs(half_round_trip(model, one["size_bytes"]) / one["median_ns"] - 1) for one in model["points"]]
    yield f"at most {units.format_percent(max(errors, default=0.0))}"
    for segment in (model["model"] or {}).get("segments", ()):
        end = segment["last_bytes"] if segment["until_bytes"] is None else segment["until_bytes"]
        yield f"{units.format_size(segment['first_bytes'])} to {units.format_size(end)}"


@cache
def prose() -> frozenset[str]:
    """What the page says of itself, whatever the run, in pieces: texts of templates, of the report, of guidelines."""
    pieces = (" ".join(one.split()) for one in _pieces())
    return frozenset(filter(is_sentence, pieces))


def _pieces() -> Iterator[str]:
    folder = Path(report.__path__[0])
    for path in folder.rglob("*.html"):
        yield from re.split(r"<[^>]*>|\{[{%].*?[%}]\}", path.read_text().replace("&nbsp;", " "))
        yield from re.findall(r'(?:title|aria-label)="([^"{]*)"', path.read_text())
    for path in (*folder.rglob("*.py"), Path(guidelines.__file__), Path(guideline_terms.__file__)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
