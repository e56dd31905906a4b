"""The run folder is the database: one writer, append-only, every file published whole by a rename.

    runs/2026-11-20T2314-HOST-a1b2/
      study.toml plan.json machine.json stacks.json facts.json      written before measuring
      builds/STACK/{command.txt,build.log}  builds.json
      launches/0007/{plan.txt,command.txt,environment.json,placement.json,stdout,stderr,samples.bin,record.json}
      launches.jsonl                                     which launches there were, see launch_notes.py
      resumptions.json                                   when it was resumed on a machine in another state
      samples.parquet findings.json report.html          derived; may be rebuilt at any time

A launch is whole when its ``record.json`` is there. One without (msgauge was killed in it), whose hosts went away, or
whose round is torn (``rounds/torn_rounds.py``) is kept as ``0007.partial`` and measured again on ``--resume``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

from attrs import evolve

from msgauge.errors import StoreError
from msgauge.model import (
    Analysis,
    Build,
    Cell,
    LaunchRecord,
    Pairs,
    Plan,
    PluginFacts,
    Samples,
    Stack,
    Stopping,
    serialization,
)
from msgauge.results import launch_notes, parquet
from msgauge.results.dataset import Dataset
from msgauge.results.document import read_document, write_document
from msgauge.results.launch_notes import LaunchNote
from msgauge.results.launch_samples import SAMPLES, check_tests, digest_samples, load_samples, parse_samples
from msgauge.results.plan_check import check_options, check_plan, check_stacks
from msgauge.results.publishing import make_folder, publish, store_errors
from msgauge.results.reading import read_errors
from msgauge.results.run_folders import PLAN, STUDY, is_run_folder, make_run_folder
from msgauge.results.safe_names import safe_name
from msgauge.results.writer_lock import WriterLock, find_writer

Value = TypeVar("Value")


class RunFolder:
    """One run on disk; made by ``create`` or ``open``, never directly.

    A context manager: leaving it gives the writer's lock back.
    """

    def __init__(self, path: Path, lock: WriterLock | None) -> None:
        self.path = path
        self._lock = lock
        self._dataset: Dataset | None = None
        self.put_aside: set[int] = set()
        """Numbers of the launches that were not whole, whose hosts went away, or that were gone, when it was opened for
        writing; and those that were put aside since."""
        self.gone: frozenset[int] = frozenset()
        """Those of them that had been whole and were gone."""
        self.torn_rounds: frozenset[int] = frozenset()
        """Rounds that are measured anew."""
        self.writer = "" if lock else find_writer(path)
        """Another msgauge that wrote the run when it was opened; '' where there was none."""
        self._held: dict[str, Any] = {}

    @classmethod
    def create(  # noqa: PLR0913 - each is a file of the folder
        cls,
        parent: Path,
        study_text: str,
        plan: Plan,
        machine: Mapping[str, object],
        stacks: Sequence[Stack],
        *,
        facts: PluginFacts | None = None,
    ) -> RunFolder:
        """A new run folder under ``parent`` with all that is known before measuring; the present process writes it.

        Builds come later by ``write_builds``, as they keep their logs in the folder. ``facts``: what plug-ins state
        of the kernels and stacks, so that who reads the folder needs no plug-in.

        Raises:
            StoreError: the folder cannot be written, or the disk is full.
        """
        path = make_run_folder(parent)
        try:
            folder = cls(path, WriterLock.take(path))
            publish(path / STUDY, study_text.encode(errors="backslashreplace"))
            for name, value in (
                ("machine", machine),
                ("stacks", list(stacks)),
                ("facts", facts or PluginFacts()),
                ("builds", []),
            ):
                folder._write(f"{name}.json", value)
            folder._write(PLAN, plan)
        except BaseException as error:
            shutil.rmtree(path, ignore_errors=True)  # without a plan it is no run, and nothing could resume it
            if not isinstance(error, StoreError):
                raise
            remedy = "make room there, or name another place with --runs FOLDER; nothing was measured yet"
            raise StoreError(error.what, where=error.where, remedy=remedy) from error
        return folder

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> RunFolder:
        """A run folder that is there. With ``write`` it is locked, unfinished launches are put aside, and which of the
        launches that it had are missing is known.

        Raises:
            StoreError: no run folder, a damaged one, one of a newer format, or (``write``) another msgauge writes it.
        """
        if not is_run_folder(path):
            why = "it has no plan.json" if path.exists() else "there is nothing of this name"
            raise StoreError(
                f"{path} is not a run folder: {why}",
                remedy="name a folder that 'msgauge run' or 'msgauge compare' made, usually below runs/",
            )
        folder = cls(path, None)
        _ = folder.plan
        if write:
            folder._lock, folder.writer = WriterLock.take(path), ""
            whole = {record.launch.number: record.launch for record in folder._put_partial_launches_aside()}
            folder.gone = frozenset(launch_notes.complete_notes(path, whole.values()).keys() - whole.keys())
            folder.put_aside |= folder.gone
        return folder

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the writer's lock back; reading stays possible."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def name(self) -> str:
        """The folder's own name, which names the run everywhere."""
        return self.path.name

    @cached_property
    def plan(self) -> Plan:
        """The plan as it was made, refusals included."""
        return check_plan(self._read(PLAN, Plan), str(self.path / PLAN))

    @cached_property
    def stacks(self) -> tuple[Stack, ...]:
        """The stacks as they stood when the run was made."""
        return check_stacks(self.plan, self._read_many("stacks.json", Stack), str(self.path / "stacks.json"))

    @cached_property
    def facts(self) -> PluginFacts:
        """What kernels and stack families stated when the run was planned."""
        return check_options(self.plan, self._read("facts.json", PluginFacts), str(self.path / PLAN))

    @property
    def builds(self) -> tuple[Build, ...]:
        """The workers, those that failed to compile too."""
        return self._read_many("builds.json", Build)

    @cached_property
    def machine(self) -> dict[str, object]:
        """The facts of ``machine.describe()`` at the start. Raises StoreError where they are no object."""
        facts = self._document("machine.json")
        if not isinstance(facts, dict):
            where = str(self.path / "machine.json")
            raise StoreError("the machine's facts are no object", where=where, remedy=serialization.REMEDY)
        return facts

    def write_builds(self, builds: Sequence[Build]) -> None:
        """Replace what is known of the workers."""
        self._write("builds.json", list(builds))

    def write_hosts(self, facts: Pairs) -> None:
        """Keep what was found out about the hosts of the run; a run on the present computer has nothing to keep."""
        if facts:
            self._write("hosts.json", dict(facts))

    @property
    def hosts(self) -> dict[str, str]:
        """What was found out about the hosts of the run, and what joins them; empty for the present computer alone."""
        if not (self.path / "hosts.json").is_file():
            return {}
        facts = self._document("hosts.json")
        return {str(name): str(value) for name, value in facts.items()} if isinstance(facts, dict) else {}

    @property
    def host_survey(self) -> dict[str, dict[str, str]]:
        """What each host of the run said of itself, by its name; empty where none was asked."""
        return self.read_derived("host-survey", dict[str, dict[str, str]]) or {}

    def extend(self, stopping: Stopping) -> None:
        """Let a run go on to other limits; cells, seed and orders stay as they were."""
        plan = evolve(self.plan, stopping=stopping)
        self._write(PLAN, plan)
        self.__dict__["plan"] = plan
        if self._dataset is not None:
            self._dataset.plan = plan  # by the limits of before it would be judged otherwise than by who reads it anew

    def build_folder(self, spec: str) -> Path:
        """Where the build of a stack keeps its command and log; made when missing."""
        return make_folder(self.path / "builds" / safe_name(spec))

    def launch_folder(self, number: int) -> Path:
        """The folder of a launch; made when missing."""
        return make_folder(self._launch(number))

    def record(self, record: LaunchRecord) -> None:
        """Publish how a launch went; with this it is whole."""
        folder = self.launch_folder(record.launch.number)
        samples = load_samples(folder / SAMPLES)
        if not record.lost:  # where its hosts went away, a rank may live on there and write into a shared folder
            record = evolve(record, samples_digest=digest_samples(samples))
        publish(folder / "record.json", write_document(record))
        if not record.lost:
            launch_notes.append_note(self.path, record.launch)
        if self._dataset is not None:
            self._dataset.add(record, parse_samples(samples, folder / SAMPLES, record))

    def records(self) -> list[LaunchRecord]:
        """The records of all whole launches, by number.

        Raises:
            StoreError: a record is damaged.
        """
        return [self._record(number) for number in self.whole_launches()]

    @property
    def dataset(self) -> Dataset:
        """The one data set of the run: read when it is first asked for, then grown by ``record`` launch by launch.

        Raises:
            StoreError: a record, or the samples of a launch that went well, are damaged.
        """
        return self._dataset if self._dataset is not None else self.update()

    def update(self) -> Dataset:
        """The data set with the launches that came to the disk since; those that it knows are not read again.

        Raises:
            StoreError: as ``dataset``.
        """
        found = Dataset(self.plan, self.stacks) if self._dataset is None else self._dataset
        for number in self.whole_launches():
            if number not in found:
                record = self._record(number)
                found.add(record, self._frames(record))
        self._dataset = found
        return found

    def find_missing(self) -> tuple[LaunchNote, ...]:
        """Launches that the run had and whose folders are gone, by number.

        Raises:
            StoreError: the notes of launches are damaged.
        """
        notes = launch_notes.read_notes(self.path)
        return tuple(notes[number] for number in sorted(notes.keys() - set(self.whole_launches())))

    def whole_launches(self) -> list[int]:
        """The numbers of those whose record is there."""
        with read_errors(self.path / "launches"):
            return sorted(int(path.name) for path in self._launches() if (path / "record.json").exists())

    def _record(self, number: int) -> LaunchRecord:
        name = f"launches/{number:04d}/record.json"
        record = self._read(name, LaunchRecord)
        launch, plan = record.launch, self.plan
        if launch.number != number or launch.stack not in plan.stacks or not self._cells.keys() >= {*launch.cells}:
            what = "a launch of another run: the plan has no such launch, stack or test"
            raise StoreError(what, where=str(self.path / name), remedy=serialization.REMEDY)
        return record

    @cached_property
    def _cells(self) -> dict[int, Cell]:
        return {cell.id: cell for cell in self.plan.cells}

    def _frames(self, record: LaunchRecord) -> list[Samples]:
        path = self._launch(record.launch.number) / SAMPLES
        return check_tests(parse_samples(load_samples(path), path, record), record, self._cells, path)

    def write_parquet(self, output: Path | None = None) -> Path:
        """All samples, one row a sample, as ``samples.parquet`` or where told; see ``parquet.py`` for its columns.

        Raises:
            StoreError: the disk is full or the place cannot be written.
        """
        path = output or self.path / "samples.parquet"
        parquet.write(path, self.name, self.dataset)
        return path

    def write_analysis(self, analysis: Analysis) -> Path:
        """Publish ``findings.json``."""
        return self.write_derived("findings", analysis)

    def analysis(self) -> Analysis:
        """What ``write_analysis`` published.

        Raises:
            StoreError: the run was not analysed yet, or the file is damaged.
        """
        if "findings" not in self._held and not (self.path / "findings.json").exists():
            remedy = f"run 'msgauge report {self.path}', which analyses it"
            raise StoreError("this run was not analysed yet", where=str(self.path), remedy=remedy)
        return self._held.get("findings") or self._read("findings.json", Analysis)

    def write_derived(self, name: str, value: object) -> Path:
        """Publish a result that can be made again from the samples, as ``NAME.json``."""
        self._held.pop(name, None)
        return self._write(f"{name}.json", value)

    def keep_derived(self, name: str, value: object) -> None:
        """The same where it can be written, by none but the writer of the run; else this object alone has it."""
        if not self.writer and (self._lock or not find_writer(self.path)):
            with suppress(StoreError):
                self.write_derived(name, value)
                return
        self.hold_derived(name, value)

    def hold_derived(self, name: str, value: object) -> None:
        """For who reads it from this object; the file stays as it is."""
        self._held[name] = value

    def read_derived(self, name: str, kind: type[Value]) -> Value | None:
        """What ``write_derived`` or ``keep_derived`` has under a name; None when there is nothing.

        Raises:
            StoreError: the file is damaged.
        """
        if name in self._held:
            return cast(Value, self._held[name])
        return self._read(f"{name}.json", kind) if (self.path / f"{name}.json").is_file() else None

    def _launch(self, number: int) -> Path:
        return self.path / "launches" / f"{number:04d}"

    def _launches(self) -> list[Path]:
        folder = self.path / "launches"
        paths = folder.iterdir() if folder.is_dir() else ()
        return [path for path in paths if path.name.isascii() and path.name.isdigit()]

    def _put_partial_launches_aside(self) -> list[LaunchRecord]:
        """Those of the launches that stay, as they are whole."""
        whole = []
        for path in self._launches():
            record = self._record(int(path.name)) if (path / "record.json").exists() else None
            if record is not None and not record.lost:
                whole.append(record)
                continue
            self._put_aside(path)
        return whole

    def put_rounds_aside(self, rounds: frozenset[int], numbers: Iterable[int]) -> None:
        """Let rounds be measured anew: whole launches of these ``numbers`` are kept as unfinished ones are.

        Raises:
            StoreError: a folder cannot be renamed.
        """
        self.torn_rounds = rounds
        for number in numbers:
            self._put_aside(self._launch(number))
        self._dataset = None

    def _put_aside(self, path: Path) -> None:
        self.put_aside.add(int(path.name))
        aside = (path.with_name(f"{path.name}.partial{count or ''}") for count in range(10_000))
        with store_errors(path):
            path.rename(next(name for name in aside if not name.exists()))

    def _write(self, name: str, value: object) -> Path:
        publish(self.path / name, write_document(value))
        return self.path / name

    def _read(self, name: str, kind: type[Value]) -> Value:
        return serialization.from_plain(self._document(name), kind, where=str(self.path / name))

    def _read_many(self, name: str, kind: type[Value]) -> tuple[Value, ...]:
        values = self._document(name)
        if not isinstance(values, list):
            raise StoreError("not a list", where=str(self.path / name), remedy=serialization.REMEDY)
        return tuple(serialization.from_plain(value, kind, where=str(self.path / name)) for value in values)

    def _document(self, name: str) -> Any:
        with read_errors(self.path / name):
            content = (self.path / name).read_bytes()
        return read_document(content, str(self.path / name))
