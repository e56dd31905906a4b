"""The page of a run that was really measured says what its JSON says, too: costs, factors, commands, machine."""

from __future__ import annotations

import contextlib
import io
import random
from pathlib import Path

import pytest
from run_numbers import TOKEN, tokens_of
from whole_page import Page, read_page

from msgauge.cli import main

STACKS = "tcp,shm,mpich,openmpi,openmpi[yield],smpi"
MEASURED = {"resource-usage", "factor-effects", "stacks", "machine"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("measured")
    how = ["--stacks", STACKS, "--kernels", "pingpong,bcast,pi", "--sizes", "8,16KiB", "--rounds", "3"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["compare", "quick", *how, "--runs", str(folder)]) == 0
        (run,) = (one for one in Path(folder).iterdir() if (one / "plan.json").is_file())
        assert main(["report", str(run)]) == 0
    return read_page(run)


def test_every_layer_of_a_measured_page_says_the_numbers_and_names_of_the_json(page: Page) -> None:
    said = {one.under[0] for one in page.said if one.under and tokens_of(one.text)}
    assert said >= MEASURED
    assert page.wrong() == []


def test_an_altered_number_beside_the_times_is_refused(page: Page) -> None:
    places = [
        (one, token)
        for one in page.said
        if one.under and one.under[0] in MEASURED and one.layer == "table"
        for token in TOKEN.finditer(one.text)
    ]
    chosen = random.Random(7).sample(places, min(300, len(places)))
    kept = [(one.under, token[0]) for one, token in chosen if not page.wrong_of(one, token)]
    assert len(kept) <= 0.05 * len(chosen), kept[:5]
