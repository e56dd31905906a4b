"""Authorities and their certificates, made by the program openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


def authority(folder: Path, name: str) -> dict[str, str]:
    """A CA and a certificate of it; the options for both sides."""
    ca, ca_key, key, request = (str(folder / f"{name}.{part}") for part in ("ca", "cakey", "key", "csr"))
    elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *elliptic, "-keyout", ca_key, "-out", ca, "-subj", f"/CN={name} CA", "-days", "2")
    openssl("req", *elliptic, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
    return {"certificate_file": signed(folder, name, 1), "certificate_key_file": key, "ca_file": ca}


def signed(folder: Path, name: str, days: int) -> str:
    """A certificate that is valid for so many days from now; a negative number: it was, until then."""
    ca, ca_key, request, cert = (str(folder / f"{name}.{part}") for part in ("ca", "cakey", "csr", f"{days}.pem"))
    openssl(
        "x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-out", cert, f"-days={days}"
    )
    return cert


def openssl(*arguments: str) -> None:
    """One command of the program openssl."""
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
