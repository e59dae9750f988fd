"""Logs of earlier versions of the site get their chain, published events their history."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from tests.guards import unguarded
from tests.tournament.helpers import organized
from tests.tournament.models.test_migrations_rounds import back, migrate
from tournament.models import Event, HistoryEntry
from tournament.oversight.desk_log import log_state
from tournament.seating.lots import lots

__all__ = ["back"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

BEFORE = ("tournament", "0028_stages_called_by_name")


@pytest.mark.usefixtures("back")
def test_a_log_is_chained_as_it_stands_and_an_event_without_history_has_one() -> None:
    kept, _organizer = organized(4)
    bare, _other = organized(0)
    prepared = Event.objects.create(title="Next", slug="next", ruleset="uno-400")
    before = list(kept.audit.order_by("pk").values_list("pk", "text", "actor", "at"))
    with transaction.atomic(), unguarded():
        HistoryEntry.objects.filter(event=bare).delete()
    migrate(BEFORE)
    migrate()
    assert list(kept.audit.order_by("number").values_list("pk", "text", "actor", "at")) == before
    found = log_state(kept)
    assert (found.rows, found.broken, found.others) == (len(before), None, [])
    assert [row.role for row in bare.history.all()] == ["site"]
    assert all(each.kept for each in lots(bare))
    assert not prepared.history.exists()
    call_command("check_history", stdout=StringIO())
