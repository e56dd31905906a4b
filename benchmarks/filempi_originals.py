"""The examples of MatlabMPI, OctaveMPI and pMatlab, unmodified, on filempi: what passes and what each prints.

    python benchmarks/filempi_originals.py [--matlabmpi FOLDER] [--pmatlab FOLDER] [--octavempi FOLDER] [--fetch FOLDER]
                                           [--ranks 2,4] [--only NAME,...] [--protocols auto,classic-binary]

The folders are copies that the owner has: of MatlabMPI the one with ``examples`` and ``src``, of pMatlab the one with
``Examples`` and ``src``, of OctaveMPI the one with ``Examples`` and ``src``. ``--fetch`` brings what was not given into
its folder, by git from public addresses, each at one commit that is named by its hash; what is there already is not
fetched again. The copies are programs of others: what is fetched is run. Nothing in them is changed: each example
runs in a copy of its folder, with filempi on the path in the place of the original's own ``src`` (pMatlab's own ``src``
stays: it is the library above). A program passes when the session and every rank end well and, where the original
prints SUCCESS, every rank does. With several protocols each example runs on each, its timings beside each other.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

TOOLBOX = Path(__file__).parents[1] / "matlab" / "filempi"
PMATLAB = {
    "pAddOne": "AddOne",
    "pBeamformer": "Beamformer",
    "pBlurimage": "Blurimage",
    "pFFT": "FFT",
    "pHPL": "HPL",
    "pIO": "IO",
    "pMandelbrot": "Mandelbrot",
    "pRandomAccess": "RandomAccess",
    "pSpeedtest": "Speedtest",
    "pStream": "Stream",
    "pZoomImage": "ZoomImage",
}
MATLABMPI = re.compile(r"(?:x|multi_)?basic(?:_app\d?(?:_profile)?)?|blurimage|broadcast|probe|speedtest")
SPEEDTEST = (  # what these two save, and do not print
    "s = load('speedtest.0.mat'); if isfield(s, 'total_time'), t = s.total_time; else, t = s.TotalTime; end; "
    "t = median(t(:, [1, 3, 12, 20])) * 1e6; printf('%s (us) = %g\\n', 'Message time, 16 B, at first', t(1), "
    "'Message time, 64 B', t(2), 'Message time, 32 KiB', t(3), 'Message time, 8 MiB', t(4));"
)
TIMING = re.compile(
    r"^ *(?!\[rank)([A-Za-z][A-Za-z+ ]*(?:[Tt]ime|BW|Bandwidth|[Gg]iga[Ff]lops)[^=:~\n]*)[=:~]\s*([\d.e+-]+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Origin:
    """Where the programs of others are had: a git address, one commit by its hash, a folder within ('.': all)."""

    address: str
    commit: str
    folder: str


ORIGINS = {
    "pmatlab": Origin(
        "https://github.com/dcsale/matlab-pse-vic.git",
        "b3d8d4eed1a167dc44367a312e567cc6f2046929",
        "source/external/pMatlab-v2.0.15",  # with MatlabMPI 1.2br2 in its folder MatlabMPI
    ),
    "octavempi": Origin("https://github.com/anibalvy/OctaveMPI.git", "a431a751a71c127edde4a15e62ebef13906d1df4", "."),
}


@dataclass(frozen=True)
class Example:
    """One original program: its name, the folder it is run in, and how it is started on N ranks."""

    suite: str
    name: str
    folder: Path
    start: str
    says_success: bool


@dataclass(frozen=True)
class Outcome:
    """How one run ended: seconds, whether it passed, all that was printed."""

    seconds: float
    passed: bool
    text: str


def main() -> None:
    """Run the examples and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matlabmpi", type=Path)
    parser.add_argument("--pmatlab", type=Path)
    parser.add_argument("--octavempi", type=Path)
    parser.add_argument("--fetch", type=Path, metavar="FOLDER", help="fetch into this folder what is not given")
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--only", default="", help="names of examples, separated by commas")
    parser.add_argument("--protocols", default="auto")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one run")
    parser.add_argument("--verbose", action="store_true", help="print all that the programs print")
    options = parser.parse_args()
    if options.fetch:
        fetch_missing(options)
    wanted = [name for name in options.only.split(",") if name]
    found = [one for one in examples(options) if not wanted or one.name in wanted]
    if not found:
        raise SystemExit("no example was found: give --fetch, or copies by --matlabmpi, --pmatlab, --octavempi")
    protocols = options.protocols.split(",")
    print("| suite | example | ranks | protocol | | s | prints |\n|---|---|---|---|---|---|---|")
    failed = 0
    for example in found:
        for ranks in map(int, options.ranks.split(",")):
            for protocol in protocols:
                outcome = run(example, ranks, protocol, options.limit)
                failed += not outcome.passed
                print(row(example, ranks, protocol, outcome), flush=True)
                if options.verbose or not outcome.passed:
                    print("\n".join(f"    {line}" for line in outcome.text.splitlines()[-40:]), flush=True)
    raise SystemExit(1 if failed else 0)


def fetch_missing(options: argparse.Namespace) -> None:
    """Fetch what was not given into the folder ``options.fetch``, and set its options to that."""
    for name, origin in ORIGINS.items():
        if getattr(options, name) is None:
            setattr(options, name, fetch(origin, options.fetch.resolve() / name))
    options.matlabmpi = options.matlabmpi or options.pmatlab / "MatlabMPI"


def fetch(origin: Origin, place: Path) -> Path:
    """A copy of the origin's commit at ``place``, fetched if it is not there; gives back its folder within.

    Raises:
        SystemExit: git is missing, or the commit cannot be had: no network, or the address has it no more.
    """
    if not (place / ".git").exists() or git(place, "rev-parse", "--verify", "-q", "HEAD^{commit}") != origin.commit:
        place.mkdir(parents=True, exist_ok=True)
        git(place, "init", "-q")
        print(f"fetching {origin.address} at {origin.commit[:12]} into {place}", flush=True)
        git(place, "remote", "add", "origin", origin.address)
        git(place, "config", "remote.origin.promisor", "true")  # files are fetched when they are checked out
        git(place, "config", "remote.origin.partialclonefilter", "blob:none")
        if origin.folder != ".":
            git(place, "sparse-checkout", "set", origin.folder)
        said = git(place, "fetch", "-q", "--depth", "1", "--filter=blob:none", "origin", origin.commit)
        said += git(place, "-c", "advice.detachedHead=false", "checkout", "-q", "--detach", origin.commit)
        if git(place, "rev-parse", "-q", "--verify", "HEAD^{commit}") != origin.commit:
            raise SystemExit(
                f"{origin.address} at {origin.commit} could not be fetched: {said or 'no commit came'}\n"
                "It needs a network. Without one, give the folders of copies: --pmatlab, --matlabmpi, --octavempi."
            )
    return place / origin.folder


def git(place: Path, *arguments: str) -> str:
    """What git says, in one line; asks nobody for a password and ends after five minutes.

    Raises:
        SystemExit: there is no git.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(place), *arguments],
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
    except FileNotFoundError:
        raise SystemExit("--fetch needs git, which is not installed") from None
    except subprocess.TimeoutExpired:
        return "git did not end within five minutes"
    return " ".join(done.stdout.split())


def examples(options: argparse.Namespace) -> list[Example]:
    """All examples of the folders that were given, by suite and name."""
    found = []
    if options.matlabmpi:
        for path in sorted((options.matlabmpi / "examples").glob("*.m")):
            if MATLABMPI.fullmatch(path.stem):
                start = f"eval(MPI_Run('{path.stem}', RANKS, {{}}));"
                found.append(
                    Example("MatlabMPI", path.stem, path.parent, start, "SUCCESS" in path.read_text("latin-1"))
                )
    if options.octavempi:
        for path in sorted((options.octavempi / "Examples").glob("*.m")):
            start = f"eval(MPI_Run('{path.stem}', RANKS, {{}}));"
            found.append(Example("OctaveMPI", path.stem, path.parent, start, "SUCCESS" in path.read_text("latin-1")))
    if options.pmatlab:
        for name, folder in PMATLAB.items():
            if (options.pmatlab / "Examples" / folder / f"{name}.m").exists():
                library = options.pmatlab.resolve() / "src"
                start = f"addpath('{library}'); pMatlabGlobalsInit; eval(pRUN('{name}', RANKS, {{}}));"
                found.append(Example("pMatlab", name, options.pmatlab / "Examples" / folder, start, False))
    return found


def run(example: Example, ranks: int, protocol: str, limit_s: float) -> Outcome:
    """Run one example in a copy of its folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place) / example.folder.name
        shutil.copytree(example.folder, folder, ignore=shutil.ignore_patterns("MatMPI", "OctMPI"))
        if example.suite == "pMatlab":
            (folder / "dat").mkdir(
                exist_ok=True
            )  # empty in the original, and lost by copies that keep no empty folders
        settings = {"OMP_NUM_THREADS": "1", "FILEMPI_TRANSPORT": protocol, "FILEMPI_DEADLINE": str(limit_s)}
        statement = f"addpath('{TOOLBOX}'); {example.start.replace('RANKS', str(ranks))}"
        statement += SPEEDTEST if example.name.endswith("peedtest") else ""
        started = time.monotonic()
        process = subprocess.Popen(
            ["octave-cli", "-qfW", "--no-gui", "--eval", statement],
            cwd=folder,
            env={**os.environ, **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        try:
            text, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            text = process.communicate()[0] + f"\nnot ended after {limit_s:g} s"
        text = "\n".join(line for line in text.splitlines() if "ignoring const execution_exception" not in line)
        passed = process.returncode == 0 and not re.search(r"^(?:\[rank \d+\] )?error:|incorrect data", text, re.M)
        if example.says_success:
            passed = passed and text.count("SUCCESS") == ranks
        return Outcome(time.monotonic() - started, passed, text)


def row(example: Example, ranks: int, protocol: str, outcome: Outcome) -> str:
    """A line of the table: the timings that the program prints, or its last line."""
    timings = [f"{name.strip()} {value}" for name, value in TIMING.findall(outcome.text)][:6]
    lines = [line for line in outcome.text.splitlines() if line.strip() and not line.startswith("[rank")]
    prints = "; ".join(timings) or (lines[-1].strip() if lines else "")
    verdict = "passes" if outcome.passed else "FAILS"
    facts = f"| {example.suite} | {example.name} | {ranks} | {protocol} |"
    return f"{facts} {verdict} | {outcome.seconds:.1f} | {prints[:160]} |"


if __name__ == "__main__":
    main()
