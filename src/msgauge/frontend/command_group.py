"""How a group of commands is set up, so that all of them read their lines and fail in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from rich.console import Console

NARROWEST_HELP = 20
"""Columns. In fewer there is no room for the frame, the name and the words of an option: lines never come to an end."""
WIDEST_HELP = 1000
"""Columns. The frame fills its lines, and memory may have no room for them, whatever COLUMNS says."""


def make_group(name: str, **more: Any) -> App:
    """A group whose commands give back their exit code and raise their errors; ``more``: further words of cyclopts."""
    return App(
        name=name,
        default_parameter=Parameter(negative="", show_default=False),
        version_flags=(),
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        help_on_error=False,
        **more,
    )


def make_help_console() -> Console:
    """Where the help of a command is printed: as wide as the terminal, but no narrower than can be read."""
    from rich.console import Console

    own = Console()
    own.width = min(max(own.width, NARROWEST_HELP), WIDEST_HELP)
    return own
