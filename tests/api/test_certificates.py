"""Tests that unusable certificates are refused with a clear message, and that reloading continues."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from gamehost import tls
from gamehost.tls import BadCertificate, Certificates, Files, load
from support.certificates import Pair, authority


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return authority(tmp_path, "good")


@pytest.fixture(scope="module")
def unsupported(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Returns a certificate whose key is on a curve that OpenSSL supports and `cryptography` does not."""
    folder = tmp_path_factory.mktemp("unsupported")
    pair = Pair(folder / "odd.crt", folder / "odd.key")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp112r1", "-nodes")
    command = ["openssl", "req", "-x509", *curve, "-subj", "/CN=odd"]
    command += ["-keyout", str(pair.key), "-out", str(pair.certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return pair


def test_a_key_of_an_unknown_kind_is_refused(pair: Pair, unsupported: Pair) -> None:
    with pytest.raises(BadCertificate, match=r"tls_key: .* not supported"):
        load(Files(pair.certificate, unsupported.key, None))


def test_a_certificate_of_an_unknown_kind_is_refused(pair: Pair, unsupported: Pair) -> None:
    with pytest.raises(BadCertificate, match=r"tls_cert: .* not supported"):
        load(Files(unsupported.certificate, pair.key, None))


def test_files_of_an_unknown_kind_leave_the_last_good_ones_in_use(pair: Pair, unsupported: Pair) -> None:
    certificates = Certificates(Files(pair.certificate, pair.key, None))
    shutil.copy(unsupported.key, pair.key)

    with capture_logs() as lines:
        found = [certificates._load_if_changed() for _ in range(2)]

    assert [None, None] == found
    assert ["warning"] == [line["log_level"] for line in lines]


def test_an_unexpected_error_is_a_warning_and_the_next_look_goes_on(tmp_path: Path, pair: Pair) -> None:
    certificates = Certificates(Files(pair.certificate, pair.key, None))
    other = authority(tmp_path, "other")
    shutil.copy(other.certificate, pair.certificate)
    shutil.copy(other.key, pair.key)

    with capture_logs() as lines, patch.object(tls, "http_context", side_effect=RuntimeError("odd")):
        broken = certificates._load_if_changed()
    mended = certificates._load_if_changed()

    assert broken is None
    assert "RuntimeError: odd" == lines[0]["problem"]
    assert mended is not None
