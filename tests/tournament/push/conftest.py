"""Fixture of a local push service that the site trusts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.push_service import PushService


@pytest.fixture
def push_service(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PushService]:
    service = PushService(tmp_path)
    settings.PUSH_SERVICES = [service.host]
    monkeypatch.setenv("SSL_CERT_FILE", str(service.certificate))
    yield service
    service.stop()
