"""Tests of SQLite connections that were opened while the file was read-only."""

from pathlib import Path
from typing import cast

import pytest
from django.db.utils import ConnectionHandler

from tournament.site.sqlite.base import ReopeningSqliteWrapper

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection(tmp_path: Path) -> ReopeningSqliteWrapper:
    """Provide a connection to a separate database."""
    file = tmp_path / "own.sqlite3"
    file.touch()
    own = {"ENGINE": "tournament.site.sqlite", "NAME": str(file), "CONN_MAX_AGE": None}
    return cast(ReopeningSqliteWrapper, ConnectionHandler({"default": own})["default"])


def test_read_only_database_is_reopened_once_the_file_is_writable(
    connection: ReopeningSqliteWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(connection, "_is_writable", lambda: False)
        connection.connect()
        first = connection.connection
        connection.close_if_unusable_or_obsolete()
        assert connection.connection is first
    connection.close_if_unusable_or_obsolete()
    assert connection.connection is None


def test_writable_connection_stays_open_if_the_file_changes(
    connection: ReopeningSqliteWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.connect()
    first = connection.connection
    for writable in (False, True):
        monkeypatch.setattr(connection, "_is_writable", lambda found=writable: found)
        connection.close_if_unusable_or_obsolete()
        assert connection.connection is first
    connection.close()
