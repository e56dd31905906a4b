"""The files of one launch in the run folder, by name."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen


@frozen
class LaunchFiles:
    """Where the files of one launch stand."""

    folder: Path

    @property
    def plan(self) -> Path:
        return self.folder / "plan.txt"

    @property
    def samples(self) -> Path:
        return self.folder / "samples.bin"

    @property
    def stdout(self) -> Path:
        return self.folder / "stdout"

    @property
    def stderr(self) -> Path:
        return self.folder / "stderr"

    def log_tail(self, lines: int = 12) -> str:
        """The last lines of what was said, errors last."""
        return "\n".join(tail for path in (self.stdout, self.stderr) if (tail := _tail(path, lines)))


def _tail(path: Path, lines: int) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 8192))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
