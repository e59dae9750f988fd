"""Tests of the commands that move an event between SQLite and PostgreSQL, in both directions."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from tests.factories import make_user
from tests.migrated import get_sqlite_file, start_postgres
from tests.tournament.exports.transfer.test_contents import read_event_contents
from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tournament.advancing.services import draw_bracket
from tournament.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.sql]
ROOT = Path(__file__).resolve().parents[4]
# Runs `read_event_contents` on the other machine, for comparison with its result here.
REMOTE_SCRIPT = """
import json, sys
import django
django.setup()
from tests.tournament.exports.transfer.test_contents import read_event_contents
from tournament.models import Event
open(sys.argv[1], "w").write(json.dumps(read_event_contents(Event.objects.get()), default=str))
"""


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Provide the environment of another machine that uses the other kind of database."""
    ours = {"LASTCARD_VAR": str(tmp_path / "var"), "SECRET_KEY": "of the other machine " * 3}
    (tmp_path / "var").mkdir()
    env = {key: value for key, value in os.environ.items() if key != "REDIS_URL"} | ours
    if connection.vendor == "postgresql":
        shutil.copyfile(get_sqlite_file(), tmp_path / "there.sqlite3")
        yield env | {"DATABASE_URL": f"sqlite:///{tmp_path}/there.sqlite3"}
        return
    with start_postgres() as server:
        yield env | {"DATABASE_URL": server.url}


def run_on_other_site(env: dict[str, str], *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def run_manage(env: dict[str, str], *arguments: object) -> None:
    run_on_other_site(env, "manage.py", *map(str, arguments))


def test_event_survives_a_round_trip_between_database_types(
    other_site: dict[str, str], tmp_path: Path
) -> None:
    event, organizer = make_organized_event(8, second_person="off")
    stage = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    out, back, read = (tmp_path / name for name in ("out.zip", "back.zip", "read.json"))
    take = {"move": True, "by": organizer.email, "reason": "To the hall."}
    call_command("export_event", event.slug, out, **take)
    before = json.loads(json.dumps(read_event_contents(event), default=str))

    run_manage(other_site, "migrate", "--verbosity=0")
    superuser = {"DJANGO_SUPERUSER_PASSWORD": "Trombone-hall-22", "DJANGO_SUPERUSER_USERNAME": "r"}
    root = "root@there.example"
    run_manage(other_site | superuser, "createsuperuser", "--noinput", "--email", root)
    run_manage(other_site, "import_event", out, "--by", root)
    run_manage(other_site, "check_history")
    script = tmp_path / "there.py"
    script.write_text(REMOTE_SCRIPT)
    settings = {"DJANGO_SETTINGS_MODULE": "tournament.settings", "PYTHONPATH": str(ROOT)}
    run_on_other_site(other_site | settings, str(script), str(read))
    elsewhere = json.loads(read.read_text())
    for part in ("standings", "bracket", "people"):
        assert elsewhere[part] == before[part]
    assert elsewhere["public"]["rows"][:-1] == before["public"]["rows"]
    assert elsewhere["log"][:-1] == before["log"]
    assert elsewhere["broken"] is None

    run_manage(
        other_site, "export_event", event.slug, back, "--move", "--by", root, "--reason", "Home."
    )
    call_command("import_event", back, by=make_user(is_staff=True, is_superuser=True).email)
    after = json.loads(json.dumps(read_event_contents(event), default=str))
    for part in ("standings", "bracket", "people", "records"):
        assert after[part] == before[part]
    assert after["broken"] is None
    assert Event.objects.get().away_since is None
