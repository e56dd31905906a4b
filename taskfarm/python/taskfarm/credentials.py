"""Credentials as options of a command, and as those of a connection."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

CERTIFICATES = ("certificate_file", "certificate_key_file", "ca_file")
CREDENTIALS = ("key_file", *CERTIFICATES)
"""As farms, workers and commands name them."""


def add_credentials(parser: argparse.ArgumentParser) -> None:
    """--key-file, whose default is TASKFARM_KEY_FILE, or three options for certificates."""
    parser.add_argument(
        "--key-file", help="default: the environment's TASKFARM_KEY_FILE, where no certificate is given"
    )
    for name in CERTIFICATES:
        parser.add_argument(f"--{name.replace('_', '-')}")


def credentials_of(options: argparse.Namespace, environment: bool = True) -> dict[str, str | None]:
    """The credentials of a connection to `options.url`.

    A unix socket needs none: what the environment says for TCP must not make it fail. A key of the environment does not
    stand against certificates that were given by hand.

    Args:
        environment: whether its key counts.
    """
    certificates = {name: getattr(options, name) for name in CERTIFICATES}
    key = options.key_file
    if key is None and environment and not any(certificates.values()):
        key = os.environ.get("TASKFARM_KEY_FILE") or None  # an empty one is none
    return {"key_file": None if options.url.startswith("unix://") else key, **certificates}
