"""Tests of the certificates that are trusted when connecting to a college's provider."""

import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tournament.people.accounts.college.adapter import CollegeAdapter


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a self-signed certificate and its key. Only the machine's settings can trust it."""
    file = tmp_path_factory.mktemp("authority") / "college.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=college"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


@pytest.fixture(scope="module")
def provider(certificate: Path) -> Iterator[str]:
    """Run a TLS server with the certificate, and yield its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), http.server.BaseHTTPRequestHandler
    ) as it:
        it.socket = context.wrap_socket(it.socket, server_side=True)
        threading.Thread(target=it.serve_forever, daemon=True).start()
        yield f"https://127.0.0.1:{it.server_port}/"
        it.shutdown()


def test_system_certificate_is_trusted(
    provider: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with CollegeAdapter().get_requests_session() as session:
        assert session.get(provider, timeout=5).status_code == 501


def test_other_certificates_are_rejected(provider: str) -> None:
    with (
        CollegeAdapter().get_requests_session() as session,
        pytest.raises(requests.exceptions.SSLError),
    ):
        session.get(provider, timeout=5)
