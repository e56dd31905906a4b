"""Settings of a library as words of a variant: ``openmpi[btl_sm_eager_limit=8KiB]``."""

from __future__ import annotations

from collections.abc import Iterable

from msgauge.errors import StackError, UsageError
from msgauge.model import Setting
from msgauge.units import parse_size


def match_setting(spec: str, word: str, settings: Iterable[Setting]) -> tuple[str, str] | None:
    """Name and value of the setting that a word gives, as the library wants it; None when it names no setting.

    Raises:
        StackError: a value that the setting does not take.
    """
    name, equals, text = word.partition("=")
    setting = next((one for one in settings if one.name == name), None)
    if setting is None or not equals:
        return None
    try:
        return name, _value(setting, text)
    except UsageError as error:
        raise StackError(
            f"{name}={text}: {error.what}", where=spec, remedy=f"{setting.what}; {_range(setting)}"
        ) from error


def _value(setting: Setting, text: str) -> str:
    """Raises UsageError for what is not of its kind or out of its range."""
    if setting.kind == "choice":
        if text not in setting.choices:
            raise UsageError(f"{text!r} is not among its choices")
        return text
    if setting.kind == "boolean":
        if text not in {"0", "1"}:
            raise UsageError(f"{text!r} is neither 0 nor 1")
        return text
    number = int(parse_size(text)) if setting.kind == "bytes" else _integer(text)
    if (setting.low is not None and number < setting.low) or (setting.high is not None and number > setting.high):
        raise UsageError(f"{number} is out of its range")
    return str(number)


def _integer(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise UsageError(f"{text!r} is not a whole number")
    return int(text)


def _range(setting: Setting) -> str:
    if setting.choices:
        return f"it takes {', '.join(setting.choices)}"
    if setting.kind == "boolean":
        return "it takes 0 or 1"
    return f"it takes {setting.low} to {setting.high}"
