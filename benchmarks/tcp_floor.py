"""How near the tcp stack comes to a minimal socket program that waits alike: 8-byte half round trips, interleaved.

    python benchmarks/tcp_floor.py [--pairs 15] [--bytes 8]

Prints the ratio with its interval; ends with 1 when it lies above the limit (1.15).
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import msgauge
from interleaved import interleave, minimal, run, sentence, worker
from msgauge.build import list_kernels, worker_sources
from msgauge.paths import native_folder

LIMIT = 1.15


def main() -> int:
    """Compile both, measure, print; 0 when the ratio is within the limit."""
    parser = argparse.ArgumentParser(description="the tcp stack against a minimal socket program")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--bytes", type=int, default=8)
    options = parser.parse_args()
    launcher = Path(msgauge.__file__).parent / "execution" / "local_launcher.py"
    with tempfile.TemporaryDirectory() as name:
        ours, theirs = compile_both(Path(name))
        start_ours = [sys.executable, "-I", str(launcher), "-n", "2", "--cores", "2", "--", str(ours)]
        ratio, base_ns, other_ns = interleave(
            lambda: minimal([str(theirs), str(options.bytes), "50", "400"], {}),
            lambda: worker(start_ours, {}, options.bytes),
            options.pairs,
        )
    print(sentence(f"tcp, {options.bytes} B", ratio, base_ns, other_ns, options.pairs))
    return 0 if ratio.ratio <= LIMIT else 1


def compile_both(folder: Path) -> tuple[Path, Path]:
    """The tcp worker and the minimal program."""
    compilers = shutil.which("g++"), shutil.which("gcc")
    if None in compilers:
        raise SystemExit("gcc and g++ are needed; on Debian: apt-get install g++")
    native = native_folder()
    ours, theirs = folder / "worker", folder / "minimal"
    include = [f"-I{native}", f"-I{list_kernels(folder / 'include', ['pingpong'])}"]
    sources = map(str, worker_sources())
    run(["g++", "-std=c++20", "-O2", "-DMSGAUGE_TRANSPORT=tcp", *include, *sources, "-o", str(ours)], {})
    run(["gcc", "-O2", str(Path(__file__).with_name("minimal_sockets.c")), "-o", str(theirs)], {})
    return ours, theirs


if __name__ == "__main__":
    sys.exit(main())
