"""How a group of commands is set up, so that all of them read their lines and fail in the same way."""

from __future__ import annotations

from typing import Any

from cyclopts import App, Parameter


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
