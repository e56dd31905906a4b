"""Fill the templates of the page; everything that is not markup already is escaped."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup

from msgauge import __version__, units
from msgauge.report import phrasing

LIMIT_BYTES = 1_500_000
"""How large a page may be: small enough to mail."""


def fill(name: str, **values: object) -> Markup:
    """The template ``name`` of ``templates/`` with these values, as markup."""
    return Markup(_environment().get_template(name).render(**values))


def fill_page(name: str, **values: object) -> Markup:
    """A template that is a whole page with its style and its script in it; no other script runs there."""
    script = asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return fill(
        name,
        style=Markup(asset("page.css")),
        script=Markup(script),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'",
        version=__version__,
        **values,
    )


def asset(name: str) -> str:
    """The text of a style or script of ``templates/``."""
    return (resources.files("msgauge.report") / "templates" / name).read_text(encoding="utf-8")


def data(value: object) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _breakable(name: str) -> Markup:
    """A stack's name that may break where its parts begin."""
    parts = re.split(r"(?=[@+/\[])", phrasing.plain(name))
    return Markup("<wbr>").join(parts)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("msgauge.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "plain": phrasing.plain,
        "stack": _breakable,
        "size": units.format_size,
        "time": units.format_time,
        "duration": units.format_duration,
        "amount": units.format_amount,
        "counted": units.format_count,
    }
    return environment
