"""The page "Site status": its sentences and curves."""

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games.models import Outage, Sample, SampledFigures
from games.process import Process
from games.process.figures import ProcessFigures
from games.services import start_match
from tests.factories import make_user
from tests.games.helpers import make_match
from tournament.common.moments import moment_text
from tournament.models import Letter
from tournament.serving.state.report import SiteState, load_site_state
from tournament.serving.state.samples import store_sample

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def get_site_state() -> SiteState:
    return load_site_state(timezone.now())


def list_remarks(title: str) -> list[tuple[str, bool]]:
    return [(each.text, each.wrong) for each in get_site_state().remarks if each.title == title]


def create_sample(process: str, counts: dict[str, float], **levels: float) -> None:
    now = timezone.now() - timedelta(seconds=30)
    Sample.objects.create(process=process, at=now, figures=SampledFigures(counts, levels))


def list_buckets(message: str, *steps: tuple[str, float]) -> dict[str, float]:
    name = "lastcard_answer_seconds_bucket"
    return {f'{name}{{le="{le}",message="{message}"}}': number for le, number in steps}


def test_report_on_an_idle_site_has_no_problems(process: Process) -> None:
    assert list_remarks("Actions") == [("No moves from browsers in the last hour.", False)]
    assert list_remarks("Tables") == [("0 tables are in play. Every clock is on time.", False)]
    assert list_remarks("Outages") == [("The site has never been down.", False)]
    assert list_remarks("Emails") == [("No emails are waiting.", False)]
    assert list_remarks("Processes") == [
        ("The first figures appear within a minute of startup.", False)
    ]
    assert get_site_state().refusals == {}


def test_actions_of_all_processes_are_added_up(process: Process) -> None:
    steps = [("0.02", 99.0), ("0.05", 100.0), ("0.1", 100.0)]
    later = [(each, 100.0) for each in ("0.2", "0.5", "1.0", "2.0", "5.0", "+Inf")]
    for name in ("one", "two"):
        counts = list_buckets("action", ("0.01", 50), *steps, *later)
        create_sample(name, counts, lastcard_sockets=3, process_resident_memory_bytes=50 * 2**20)
    [(text, wrong)] = list_remarks("Actions")
    assert (text, wrong) == (
        "Half of all actions are acknowledged within 10 ms, and 99 out of 100 within "
        "20 ms. 200 actions in the last hour.",
        False,
    )
    assert list_remarks("Browser windows") == [("6 windows are open.", False)]
    assert list_remarks("Processes") == [
        ("2 processes are running and use 100.0\xa0MB of memory.", False)
    ]


def test_slow_actions_need_attention(process: Process) -> None:
    create_sample(
        "one", list_buckets("action", ("1.0", 10), ("2.0", 10), ("5.0", 10), ("+Inf", 10))
    )
    [(_text, wrong)] = list_remarks("Actions")
    assert wrong
    assert get_site_state().wrong == 1


def test_overdue_clock_is_reported(process: Process) -> None:
    match = start_match(make_match(people=2))
    type(match).objects.update(due=timezone.now() - timedelta(seconds=10))
    text = "1 table is in play. 1 is stuck: its clock has not been checked."
    assert list_remarks("Tables") == [(text, True)]


def test_outage_within_the_last_hour_is_reported(process: Process) -> None:
    now = timezone.now()
    Outage.objects.create(after=now, began=now - timedelta(minutes=5), away=7.4)
    [(text, wrong)] = list_remarks("Outages")
    assert text.endswith("for 7.4 s; the tables got that time back.")
    assert wrong


def test_waiting_emails_are_reported_with_their_age(process: Process) -> None:
    now = timezone.now()
    moments: dict[str, Any] = {"written_at": now - timedelta(minutes=8), "until": now}
    Letter.objects.create(due=now, **moments)
    assert list_remarks("Emails") == [
        ("1 email is waiting. The first should have been sent 8 min ago.", True)
    ]


@pytest.mark.parametrize(("hours", "is_late"), [(3, False), (30, True)])
def test_latest_backup_is_reported_with_its_age(
    process: Process, settings: Settings, tmp_path: Path, hours: int, is_late: bool
) -> None:
    settings.BACKUP_FOLDER = str(tmp_path)
    for file, age in (("old", 100), ("new", hours)):
        path = tmp_path / f"{file}.backup"
        path.touch()
        os.utime(path, (time.time() - age * 3600,) * 2)
    with process.enter():
        made = moment_text(timezone.now() - timedelta(hours=hours))
        assert list_remarks("Backups") == [(f"Latest: {made}.", is_late)]


def test_backups_are_not_reported_without_a_backup_folder(
    process: Process, settings: Settings
) -> None:
    settings.BACKUP_FOLDER = "/nowhere"
    with process.enter():
        assert list_remarks("Backups") == []


def test_readyz_faults_of_all_processes_are_reported_once(process: Process) -> None:
    for name in ("one", "two"):
        create_sample(
            name, {}, **{'lastcard_faults{code="redis"}': 1, 'lastcard_faults{code="disk"}': 0}
        )
    text = "Redis is unavailable, so updates reach tables half a second late."
    assert list_remarks("Needs attention") == [(text, True)]


def test_refusals_are_counted_by_code(process: Process) -> None:
    for code in ("stale", "stale", "illegal"):
        process.part(ProcessFigures).count_refusal(code)
    store_sample()
    assert get_site_state().refusals == {"stale": 2, "illegal": 1}


def test_curves_have_a_point_for_each_minute(process: Process) -> None:
    create_sample("one", list_buckets("action", ("+Inf", 4)), lastcard_sockets=2)
    played, late, sockets = get_site_state().curves
    assert played.values[-1] == 4
    assert late.values[-1] == 5000
    assert sockets.values[-1] == 2
    assert [len(curve.values) for curve in get_site_state().curves] == [60, 60, 60]


def test_organizers_see_the_status_page(process: Process) -> None:
    client = Client()
    client.force_login(make_user(is_staff=True))
    create_sample("one", list_buckets("action", ("+Inf", 4)), lastcard_sockets=2)
    page = client.get(reverse("site-state")).content.decode()
    assert "are acknowledged within" in page
    assert page.count("<polyline") == 3
    assert f'href="{reverse("site-state")}"' in client.get(reverse("admin:index")).content.decode()
