"""Another format, as long as nobody has seen the event."""

import pytest
from django.test import Client

from tests.factories import make_organizer
from tests.tournament.desk import do, page
from tests.tournament.helpers import code_of, organized
from tournament.models import Event, User
from tournament.services.events import create_event, publish_event
from tournament.services.formatting import set_format

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> User:
    return make_organizer()


@pytest.fixture
def event(organizer: User) -> Event:
    return create_event(Event(title="Cup", slug="cup"), organizer)


def test_a_draft_takes_the_stages_of_another_format(client: Client, event: Event) -> None:
    assert "Take another format" in client.get(page("format", event)).content.decode()
    told = do(client, page("format", event), "set", format="three-stages")
    assert "The event has another format now; its rules stay as they are." in told
    stages = list(event.stages.order_by("number").values_list("title", "format"))
    assert stages == [
        ("Rounds", "rounds"),
        ("Second rounds", "rounds"),
        ("Finals", "bracket"),
    ]
    assert event.audit.order_by("-pk")[0].text.startswith("Set the format: 2 rounds that everybody")


def test_a_published_event_keeps_its_stages(client: Client, event: Event, organizer: User) -> None:
    publish_event(event, organizer)
    assert "its stages stay as they are." in client.get(page("format", event)).content.decode()
    told = do(client, page("format", event), "set", format="rounds")
    assert "The event is published: its stages stay as they are." in told
    assert event.stages.count() == 2


def test_a_format_that_there_is_not_is_refused(organizer: User) -> None:
    event, owner = organized(0)
    assert code_of(set_format, event, owner, "chess") == "format"
