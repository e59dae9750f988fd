"""Titles that stages were made with, in whichever language, become the names that they say."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.process import here
from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.models import Stage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

BEFORE = ("tournament", "0027_sentences")
TITLES = [
    ("First round", "rounds", "first"),
    ("প্রথম রাউন্ড", "rounds", "first"),
    ("पहला राउंड", "rounds", "first"),
    ("Second round", "bracket", "second"),
    ("দ্বিতীয় রাউন্ড", "bracket", "second"),
    ("दूसरा राउंड", "bracket", "second"),
    ("Rounds", "rounds", "rounds"),
    ("রাউন্ড", "rounds", "rounds"),
    ("दूसरे राउंड", "rounds", "later"),
    ("Finals", "bracket", "finals"),
    ("নকআউট", "bracket", "knockout"),
    # As it was typed.
    ("Second round", "rounds", ""),
    ("Morning", "rounds", ""),
    ("finals", "bracket", ""),
]


def migrate(*targets: tuple[str, str]) -> None:
    here().close()
    executor = MigrationExecutor(connection)
    executor.migrate(list(targets) or executor.loader.graph.leaf_nodes())


@pytest.fixture
def back() -> Iterator[None]:
    yield
    migrate()


@pytest.mark.usefixtures("back")
def test_words_become_names_and_what_was_typed_stays() -> None:
    event = make_event()
    for number, (title, format, _name) in enumerate(TITLES, 1):
        make_stage(event, number, title=title, format=format)
    migrate(BEFORE)
    migrate()
    stages = event.stages.order_by("number")
    assert [(stage.title, stage.name) for stage in stages] == [
        ("" if name else title, name) for title, _format, name in TITLES
    ]


@pytest.mark.usefixtures("back")
def test_the_way_back_writes_what_a_name_said() -> None:
    stage = make_stage(make_event(), 1, title="", name=Stage.Name.FINALS)
    migrate(BEFORE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT title FROM tournament_stage WHERE id = %s", [stage.pk])
        assert cursor.fetchone() == ("Finals",)
