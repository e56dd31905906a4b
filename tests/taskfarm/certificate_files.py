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


def signed(folder: Path, name: str, days: int, extension: str = "") -> str:
    """A certificate that is valid for so many days from now; a negative number: it was, until then."""
    part = extension.rpartition("=")[2].replace(":", "-") or str(days)
    ca, ca_key, request, cert = (str(folder / f"{name}.{part}") for part in ("ca", "cakey", "csr", f"{part}.pem"))
    extensions = folder / f"{name}.extensions"
    extensions.write_text(extension + "\n")
    authority = ["-CA", ca, "-CAkey", ca_key, "-CAcreateserial"]
    openssl("x509", "-req", "-in", request, *authority, "-out", cert, f"-days={days}", "-extfile", str(extensions))
    return cert


def not_yet_valid(folder: Path, name: str) -> str:
    """A certificate of a later century."""
    config, cert = folder / f"{name}.conf", str(folder / f"{name}.later.pem")
    (folder / "index").write_text("")
    config.write_text(
        "[ca]\ndefault_ca = one\n[one]\npolicy = any\ndefault_md = sha256\nrand_serial = yes\n"
        f"database = {folder}/index\nnew_certs_dir = {folder}\n[any]\ncommonName = supplied\n"
    )
    dates = ["-startdate", "21000101000000Z", "-enddate", "21010101000000Z"]
    files = ["-cert", str(folder / f"{name}.ca"), "-keyfile", str(folder / f"{name}.cakey"), "-out", cert]
    openssl("ca", "-batch", "-notext", "-config", str(config), "-in", str(folder / f"{name}.csr"), *files, *dates)
    return cert


def by_an_intermediate(folder: Path, name: str) -> dict[str, str]:
    """As `authority`, but the certificate is of another one, which is of the CA; its file holds both."""
    options = authority(folder, name)
    authority_of_it = signed(folder, name, 1, "basicConstraints=CA:TRUE")  # with the key of the former certificate
    request, key, cert = (str(folder / f"{name}.leaf.{part}") for part in ("csr", "key", "pem"))
    elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", *elliptic, "-keyout", key, "-out", request, "-subj", f"/CN={name} leaf")
    signer = ["-CA", authority_of_it, "-CAkey", options["certificate_key_file"], "-CAcreateserial"]
    openssl("x509", "-req", "-in", request, *signer, "-out", cert, "-days=1")
    chain = folder / f"{name}.chain.pem"
    chain.write_text(Path(cert).read_text() + Path(authority_of_it).read_text())
    return {"certificate_file": str(chain), "certificate_key_file": key, "ca_file": options["ca_file"]}


def openssl(*arguments: str) -> None:
    """One command of the program openssl."""
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
