"""Certificate authorities for tests, made with openssl."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


@dataclass(frozen=True)
class Pair:
    """A certificate and its key; that of an authority is self-signed."""

    certificate: Path
    key: Path

    @property
    def files(self) -> tuple[str, str]:
        """Returns both paths in the form that `httpx` and `ssl` expect."""
        return str(self.certificate), str(self.key)

    def issue(self, name: str, days: int = 1) -> Pair:
        """Issues a certificate for loopback addresses, in the folder of this authority."""
        issued = _pair(self.certificate.parent, name)
        signed = ("-CA", *(str(self.certificate), "-CAkey", str(self.key)), "-days", str(days))
        _request(issued, name, "-addext", NAMES, "-addext", "basicConstraints=CA:FALSE", *signed)
        return issued


def authority(folder: Path, name: str) -> Pair:
    made = _pair(folder, name)
    _request(made, name, "-addext", "keyUsage=critical,keyCertSign", "-days", "1")
    return made


def for_clients(folder: Path) -> Path:
    """Fills a folder with an authority, its certificates for a server and a caller, and another authority."""
    known = authority(folder, "ca")
    known.issue("server")
    known.issue("caller")
    authority(folder, "other")
    return folder


def _pair(folder: Path, name: str) -> Pair:
    return Pair(folder / f"{name}.crt", folder / f"{name}.key")


def _request(pair: Pair, name: str, *options: str) -> None:
    command = ["openssl", "req", "-x509", *NEW_KEY, "-subj", f"/CN={name}", *options]
    command += ["-keyout", str(pair.key), "-out", str(pair.certificate)]
    subprocess.run(command, check=True, capture_output=True)
