"""Rounds of earlier versions of the site count through the event from then on."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.process import here
from games.stored.occasion import Occasion
from tests.tournament.helpers import organized, qualified, started
from tournament.advancing.services import draw_bracket
from tournament.models import Round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

BEFORE = ("tournament", "0011_possible_points_and_invitations")


def migrate(*targets: tuple[str, str]) -> None:
    here().close()
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets) or executor.loader.graph.leaf_nodes())


@pytest.fixture
def back() -> Iterator[None]:
    yield
    migrate()


@pytest.mark.usefixtures("back")
def test_old_rounds_get_their_number_in_the_event_and_the_names_before_a_final() -> None:
    event, organizer = organized(8)
    second = qualified(event, organizer, 8)
    played = started(draw_bracket(second, organizer), organizer, paper=False)
    Round.objects.create(stage=second, number=2, is_final=True)
    match = played.tables.all()[0].match
    assert match is not None
    match.occasion = Occasion(1, 1)
    match.save()
    migrate(BEFORE)
    migrate()
    names = [(each.ordinal, each.title) for each in Round.objects.order_by("ordinal")]
    assert names == [(1, "Round 1"), (2, "Semi-final"), (3, "Final")]
    match.refresh_from_db()
    assert str(match) == "Semi-final, table 1"
