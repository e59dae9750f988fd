"""Tests that data past its retention date is deleted automatically, once, and logged."""

import os
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.process.next_django import TaskResultStatus
from tests.factories import make_organizer, make_user
from tests.tournament.events.closing.test_locking import make_locked_event
from tests.tournament.helpers import get_refusal_code, make_organized_event, play_first_round
from tournament.models import Event, Invitation, Letter, LogAction, RetentionDay, Role, User
from tournament.oversight.audit import record
from tournament.privacy import retention
from tournament.privacy.lengths import due_at, retention_days
from tournament.privacy.services import set_retention

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
NOTHING_DELETED = dict.fromkeys(retention.KINDS, 0)


@pytest.fixture(autouse=True)
def var_folder(tmp_path: Path, settings: Settings) -> Path:
    """Use a separate var/ folder, and set the retention days of events and accounts."""
    settings.VAR_DIR = tmp_path
    settings.KEEP_EVENT_DAYS, settings.KEEP_ACCOUNT_DAYS = 100, 200
    return tmp_path


def time_before_now(**time: float) -> datetime:
    return timezone.now() - timedelta(**time)


def backdate_history(event: Event, days: int = 101) -> Event:
    """Set all times of the event to `days` days ago, and return the event."""
    then = time_before_now(days=days)
    Event.objects.filter(pk=event.pk).update(
        created_at=then, starts_at=then, locked_at=event.locked_at and then
    )
    event.registrations.update(registered_at=then)
    for stage in event.stages.all():
        stage.rounds.update(closed_at=then)
    return Event.objects.get(pk=event.pk)


def make_idle_user(name: str = "Idle", **seen: float) -> User:
    user = make_user(name)
    then = time_before_now(**(seen or {"days": 201}))
    User.objects.filter(pk=user.pk).update(last_login=then, date_joined=time_before_now(days=400))
    return User.objects.get(pk=user.pk)


def make_expected_counts(**counts: int) -> dict[str, int]:
    return {**NOTHING_DELETED, **counts}


def test_site_retention_applies_to_events_without_their_own_setting() -> None:
    event = backdate_history(make_locked_event(4)[0], days=99)
    assert retention.delete_expired_data() == NOTHING_DELETED
    event = backdate_history(event)
    assert retention.delete_expired_data()["events"] == 1
    event.refresh_from_db()
    assert event.purged_at
    assert not event.registrations.filter(anonymous=False).exists()


def test_event_may_shorten_but_not_extend_retention(settings: Settings) -> None:
    event, organizer = make_locked_event(4)
    assert (event.keep_days, retention_days(event)) == (None, 100)
    assert get_refusal_code(set_retention, event, organizer, 101) == "days"
    assert retention_days(set_retention(event, organizer, 30)) == 30
    settings.KEEP_EVENT_DAYS = 20
    assert retention_days(Event.objects.get(pk=event.pk)) == 20
    settings.KEEP_EVENT_DAYS = 0
    assert retention_days(set_retention(event, organizer, 3650)) == 3650
    assert retention_days(set_retention(event, organizer, None)) is None


def test_unfinished_event_counts_as_over_after_inactivity() -> None:
    event, organizer = make_organized_event(4)
    event = backdate_history(event)
    assert due_at(event) is not None
    record(event, organizer, LogAction.ABSENT, lambda: "Somebody was here.")
    assert due_at(event) > timezone.now()  # type: ignore[operator]
    assert retention.delete_expired_data()["events"] == 0


def test_event_with_a_running_round_is_never_due_for_deletion() -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    event = backdate_history(event)
    first = event.stages.all()[0]
    first.rounds.update(state="running")
    assert due_at(event) is None


def test_event_moved_to_another_machine_is_not_purged() -> None:
    event = backdate_history(make_locked_event(4)[0])
    Event.objects.filter(pk=event.pk).update(away_since=timezone.now())
    assert retention.delete_expired_data()["events"] == 0


def test_unused_account_is_deleted_with_its_mails_and_invitations() -> None:
    event, organizer = make_organized_event(0)
    user = make_idle_user()
    Letter.objects.create(
        address=user.email, name="Idle", sender="desk@college.example", subject="A code",
        written_at=timezone.now(), until=timezone.now(),
    )  # fmt: skip
    Invitation.objects.create(event=event, email=user.email, page="", invited_by=organizer)
    assert retention.delete_expired_data()["accounts"] == 1
    assert not User.objects.filter(pk=user.pk).exists()
    assert (Letter.objects.count(), Invitation.objects.get().email) == (0, "")


def test_recently_active_or_needed_account_is_kept() -> None:
    event, _organizer = make_organized_event(1)
    kept = [
        make_idle_user("Recent", days=199),
        event.registrations.get().user,
        make_organizer(event),
        make_idle_user("Referee"),
        make_idle_user("Superuser"),
    ]
    event.roles.create(user=kept[3], role=Role.REFEREE)
    User.objects.filter(pk__in=[user.pk for user in kept[1:]]).update(
        last_login=time_before_now(days=300)
    )
    User.objects.filter(pk=kept[4].pk).update(is_superuser=True, is_staff=True)
    assert retention.delete_expired_data()["accounts"] == 0
    assert User.objects.filter(pk__in=[user.pk for user in kept]).count() == len(kept)


def test_account_without_sign_ins_expires_by_its_creation_date() -> None:
    user = make_idle_user()
    User.objects.filter(pk=user.pk).update(last_login=None, date_joined=time_before_now(days=199))
    assert retention.delete_expired_data()["accounts"] == 0
    User.objects.filter(pk=user.pk).update(date_joined=time_before_now(days=201))
    assert retention.delete_expired_data()["accounts"] == 1


def test_account_named_in_a_log_is_kept_and_others_are_deleted() -> None:
    event, _organizer = make_organized_event(0)
    once = make_idle_user("Once")
    record(event, once, LogAction.ABSENT, lambda: "Something was done.")
    make_idle_user()
    assert retention.delete_expired_data()["accounts"] == 1
    assert User.objects.filter(pk=once.pk).exists()


def test_no_events_or_accounts_expire_without_a_retention_period(settings: Settings) -> None:
    settings.KEEP_EVENT_DAYS = settings.KEEP_ACCOUNT_DAYS = 0
    backdate_history(make_locked_event(4)[0], days=3000)
    make_idle_user(days=3000)
    assert retention.delete_expired_data() == NOTHING_DELETED


def make_rows_of_each_kind(var: Path) -> None:
    """Create two rows of each kind: one past its retention date, and one that is not."""
    event, organizer = make_organized_event(0)
    for days in (1, 91):
        row = LogEntry.objects.create(
            user=organizer, action_flag=CHANGE, object_id="1", object_repr="x",
            content_type=ContentType.objects.get_for_model(Event),
        )  # fmt: skip
        LogEntry.objects.filter(pk=row.pk).update(action_time=time_before_now(days=days))
        Letter.objects.create(
            event=event, sender="desk@college.example", subject="x",
            written_at=time_before_now(days=days), until=time_before_now(days=days),
        )  # fmt: skip
        Session.objects.create(session_key=f"key{days}", expire_date=time_before_now(days=days - 2))
        for name in (f"site.log.{days}", f"before-{days}.backup", f"other-{days}"):
            Path(var, name).write_text("x")
            os.utime(var / name, (time_before_now(days=days).timestamp(),) * 2)
    for hours in (5, 7):
        DBTaskResult.objects.create(
            args_kwargs={"args": [], "kwargs": {}}, run_after=timezone.now(),
            status=TaskResultStatus.SUCCESSFUL, finished_at=time_before_now(hours=hours),
        )  # fmt: skip


def test_each_kind_of_data_expires_after_its_own_period(var_folder: Path) -> None:
    make_rows_of_each_kind(var_folder)
    gone = make_expected_counts(sessions=1, mails=1, log=1, tasks=1, files=2)
    assert retention.count_expired_data(timezone.now()) == gone
    assert retention.delete_expired_data() == gone
    assert retention.delete_expired_data() == NOTHING_DELETED
    assert sorted(file.name for file in var_folder.iterdir()) == [
        "before-1.backup", "other-1", "other-91", "site.log.1"
    ]  # fmt: skip


def test_dry_run_counts_and_deletes_nothing(var_folder: Path) -> None:
    make_rows_of_each_kind(var_folder)
    before = sorted(file.name for file in var_folder.iterdir())
    call_command("retention", "--dry-run", stdout=(found := StringIO()))
    assert found.getvalue().splitlines() == [
        "would be deleted:",
        *(
            f"  {name}: {count}"
            for name, count in retention.count_expired_data(timezone.now()).items()
        ),
    ]
    assert sorted(file.name for file in var_folder.iterdir()) == before
    assert not RetentionDay.objects.exists()


def test_command_and_worker_delete_the_same_data(var_folder: Path) -> None:
    make_rows_of_each_kind(var_folder)
    call_command("retention", stdout=(message := StringIO()))
    assert "  files: 2" in message.getvalue()
    assert retention.count_expired_data(timezone.now()) == NOTHING_DELETED


def test_deletions_are_summarized_by_day(var_folder: Path) -> None:
    make_rows_of_each_kind(var_folder)
    retention.delete_expired_data()
    make_idle_user()
    retention.delete_expired_data()
    retention.delete_expired_data()
    [row] = RetentionDay.objects.all()
    assert row.done == {
        "accounts": 1, "sessions": 1, "mails": 1, "log": 1, "tasks": 1, "files": 2
    }  # fmt: skip
    assert retention.list_deletions(timezone.localdate()) == (row.at, row.done)
    assert retention.list_deletions(timezone.localdate() + timedelta(days=1)) == (None, {})


def test_site_status_page_shows_deletions(settings: Settings, var_folder: Path) -> None:
    client, (_event, organizer) = Client(), make_organized_event(0)
    client.force_login(organizer)
    page = "/admin/site/"
    assert "The site has not checked for expired data yet." in client.get(page).text
    make_idle_user()
    retention.delete_expired_data()
    text = client.get(page).text
    assert "Deleted in the last 30 days: 1 account." in text
    assert "No end is set" not in text
    settings.KEEP_EVENT_DAYS = 0
    assert "No retention period is set for KEEP_EVENT_DAYS." in client.get(page).text
