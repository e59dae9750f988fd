"""The log as an organizer reads it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import give_role
from tests.tournament.helpers import organized
from tournament.models import AuditEntry, Event, User
from tournament.moments import second_text
from tournament.services.audit import record

pytestmark = pytest.mark.django_db

LOG = reverse("admin:tournament_auditentry_changelist")


def shown(client: Client, event: Event) -> str:
    return str(client.get(LOG, {"event__id__exact": event.pk}).text)


def test_moments_are_told_to_the_second(client: Client, event: Event, organizer: User) -> None:
    entry = record(event, organizer, "start", lambda: "Started.")
    assert second_text(entry.at) in shown(client, event)


def test_only_actions_of_this_event_can_be_chosen(
    client: Client, event: Event, organizer: User
) -> None:
    mine, theirs = organized(0)[0], organized(0)[0]
    give_role(mine, organizer)
    for each, action in ((event, "start"), (mine, "winner"), (theirs, "reopen")):
        record(each, organizer, action, lambda: "Told.")
    of_one = shown(client, event)
    assert ("action=start" in of_one, "action=winner" in of_one) == (True, False)
    of_all = client.get(LOG).text
    assert ("action=start" in of_all, "action=winner" in of_all) == (True, True)
    assert "action=reopen" not in of_all


def test_rows_of_other_events_are_not_counted_beside_a_search(
    client: Client, event: Event, organizer: User
) -> None:
    other = organized(0)[0]
    give_role(other, organizer)
    for each in (event, other):
        record(each, organizer, "start", lambda: "Told.")
    found = client.get(LOG, {"event__id__exact": str(event.pk), "q": "Told"}).text
    assert AuditEntry.objects.filter(text="Told.").count() == 2
    mine = AuditEntry.objects.filter(event=event).count()
    assert f"{mine} total" in found
