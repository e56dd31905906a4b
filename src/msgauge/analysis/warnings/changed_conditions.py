"""That a run which was resumed was not measured under the same conditions all the time, in words that people use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgauge import units
from msgauge.model import Notice
from msgauge.model.machine_facts import CONDITIONS, Resumption, list_conditions, name_fact
from msgauge.results.run_folder import RunFolder

CODE = "conditions-changed"
CHANGES = "resumptions"
"""The name under which a run folder keeps when, and to which conditions, it was resumed."""
_LONGEST = 80
"""Letters of values that a sentence still holds; longer ones are in the evidence alone."""


def warn_changed(folder: RunFolder, now: Sequence[Resumption] = ()) -> tuple[Notice, ...]:
    """A notice where launches of a run were made under different conditions; its evidence: what differs.

    ``now``: the resumption that begins, of which nothing is measured yet.

    Raises:
        StoreError: what is kept of the run is damaged.
    """
    changes = read_changes(folder)
    if not changes and not now:
        return ()
    started = [record.started for record in folder.dataset.records if record.started]
    parts = (Resumption("", list_conditions(folder.machine)), *changes)
    ends = [*(one.began for one in changes), "~"]  # after all times
    measured = [one for one, end in zip(parts, ends, strict=True) if any(one.began <= start < end for start in started)]
    return _warn(folder.name, (*measured, *now))


def note_resumption(folder: RunFolder, facts: Mapping[str, object], began: str) -> tuple[Notice, ...]:
    """Keep the conditions of a run that is resumed where they are other ones than until now; the notice of them.

    ``facts``: those of ``machine.describe()``; ``began``: now, as ISO 8601 in UTC. Raises StoreError.
    """
    changes, now = read_changes(folder), Resumption(began, list_conditions(facts))
    last = changes[-1].conditions if changes else list_conditions(folder.machine)
    if now.conditions != last:
        folder.write_derived(CHANGES, (*changes, now))
    return warn_changed(folder, [now])


def read_changes(folder: RunFolder) -> tuple[Resumption, ...]:
    """When a run was resumed under other conditions than before. Raises StoreError."""
    return folder.read_derived(CHANGES, tuple[Resumption, ...]) or ()


def _warn(run: str, parts: Sequence[Resumption]) -> tuple[Notice, ...]:
    """The notice of a run whose launches were made in these parts; none where all were under the same conditions."""
    differing = []
    for name in CONDITIONS:
        known = (dict(part.conditions) for part in parts)
        values = dict.fromkeys(one[name] for one in known if name in one)
        if len(values) > 1:
            differing.append((name, " / ".join(values)))
    if not differing:
        return ()
    told = "; ".join(describe_condition(name, values) for name, values in differing)
    return (
        Notice(
            CODE,
            f"{run} was resumed under other conditions than before: {told}",
            "rounds compare stacks under one set of conditions each; for times, and to compare this run with others, "
            "measure anew",
            tuple(differing),
        ),
    )


def describe_condition(key: str, values: str) -> str:
    """``memory (15.5 GiB / 31.0 GiB)``."""
    texts = [_format(key, value) for value in values.split(" / ")]
    shown = " / ".join(texts)
    return f"{name_fact(key)} ({shown})" if len(shown) <= _LONGEST else name_fact(key)


def _format(key: str, value: str) -> str:
    if key.endswith("bytes") and value.isdecimal():
        return units.format_amount(int(value))
    words = {"None": "not known", "True": "on", "False": "off", "": "none"}
    return words.get(value, value.strip("[]").replace("'", "") or "none")
