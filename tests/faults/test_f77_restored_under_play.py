"""F77: a lost database is restored from a backup that was made during play."""

import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from games.models import LoggedAction
from tests.commands import make_environment
from tests.faults.test_f51_killed_in_mid_match import (
    PersistentPlayer,
    begin_long_match,
    get_version,
    has_reached,
)
from tests.live import SiteProcess, get_test_database_url
from tests.migrated import get_sqlite_file
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

Rows = set[tuple[int, int, str]]


def run_manage(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def other_database(tmp_path: Path) -> Iterator[str]:
    """Provide the URL of an empty database."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{tmp_path / 'other.sqlite3'}"
        return
    name = f"{connection.settings_dict['NAME']}_restored"
    with psycopg.connect(get_test_database_url(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
    yield f"{get_test_database_url().rpartition('/')[0]}/{name}"
    with psycopg.connect(get_test_database_url(), autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def load_logged_actions(url: str) -> Rows:
    """Return the match, version and client id of each action in the database at `url`."""
    asked = (
        "SELECT hand.match_id, action.version, action.client_id FROM games_loggedaction action"
        " JOIN games_hand hand ON hand.id = action.hand_id"
    )
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
            return set(database.execute(asked))
    with psycopg.connect(url) as server:
        return set(server.execute(asked.encode()).fetchall())


def test_backup_during_play_contains_every_acknowledged_action(
    site_process: SiteProcess, tmp_path: Path, other_database: str
) -> None:
    matches = [begin_long_match(people=2) for _ in range(2)]
    players = [
        PersistentPlayer(site_process, match, seat)
        for match in matches
        for seat in match.seats.order_by("number")
    ]
    threads = [threading.Thread(target=player.play_until_gone) for player in players]
    for thread in threads:
        thread.start()
    for match in matches:
        wait_for(partial(has_reached, match, 12), "some play")
    acked = {(player.match.pk, v, key) for player in players for key, v in player.acked.items()}
    before = [get_version(match) for match in matches]
    file = tmp_path / "night.backup"
    made = run_manage(
        make_environment(tmp_path / "here", get_test_database_url()), "backup", str(file)
    )
    assert made.returncode == 0, made.stderr
    for match, then in zip(matches, before, strict=True):
        wait_for(partial(has_reached, match, then + 4), "play that goes on beside the backup")
    site_process.crash()
    for thread in threads:
        thread.join(timeout=20)

    env = make_environment(tmp_path / "there", other_database)
    done = run_manage(env, "restore", str(file))
    assert done.returncode == 0, done.stderr
    rows = load_logged_actions(other_database)
    assert len(acked) >= 8
    assert acked <= rows
    everything = LoggedAction.objects.values_list("hand__match", "version", "client_id")
    assert rows <= set(everything), "what it has was played"
    for match in matches:
        last = max(number for pk, number, _key in rows if pk == match.pk)
        ours = {row for row in everything if row[0] == match.pk and row[1] <= last}
        assert {row for row in rows if row[0] == match.pk} == ours, "and has no gap"
    again = run_manage(env, "restore", str(file))
    assert again.returncode == 1
    assert "The database is not empty: --replace puts the backup in its place." in again.stderr
    replaced = run_manage(env, "restore", "--replace", str(file))
    assert replaced.returncode == 0, replaced.stderr
    assert load_logged_actions(other_database) == rows
    [saved] = (tmp_path / "there").glob("before-night-*.backup")
    assert zipfile.is_zipfile(saved)


def test_damaged_backup_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir()
    (folder / "lastcard.sqlite3").write_bytes(get_sqlite_file().read_bytes())
    file = tmp_path / "night.backup"
    env = make_environment(folder)
    assert run_manage(env, "backup", str(file)).returncode == 0
    assert file.stat().st_mode & 0o777 == 0o600
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(each ^ 255 for each in data[middle : middle + 64])
    file.write_bytes(data)
    (folder / "lastcard.sqlite3").unlink()
    done = run_manage(env, "restore", str(file))
    assert done.returncode == 1
    assert "is no backup, or a damaged one" in done.stderr
    assert not (folder / "lastcard.sqlite3").exists()
