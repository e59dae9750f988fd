"""Tests of JSON columns whose values are typed objects in Python."""

import json
from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations.writer import MigrationWriter

from games.json_values.deals import Deals
from games.json_values.event_context import Occasion
from games.json_values.field import Encoder, SharedKeysField, ValueField
from games.json_values.race import Races, Timing
from games.json_values.seat_history import Sitter, Sitters
from games.json_values.state import LiveState
from games.models import Hand, LoggedAction, Match, Seat
from games.seats import SeatNumber

pytestmark = pytest.mark.sql

SEAT_HOLDERS = Sitters((Sitter("Asha", "", 1, 0), Sitter("Ben", "", 2, 5)))


def get_field(model: type[models.Model], name: str) -> ValueField:
    found = model._meta.get_field(name)
    assert isinstance(found, ValueField)
    return found


VALUE_COLUMNS = [
    (Match, "occasion", Occasion),
    (Match, "state", LiveState),
    (Match, "race", Races),
    (Seat, "sitters", Sitters),
    (Hand, "deals", Deals),
    (LoggedAction, "timing", Timing),
]


@pytest.mark.parametrize(("model", "name", "kind"), VALUE_COLUMNS)
def test_default_of_a_column_is_its_empty_value(
    model: type[models.Model], name: str, kind: type
) -> None:
    column = get_field(model, name)
    assert (column.kind, column.get_default(), column.blank) == (kind, kind(), True)
    assert column.from_db_value(json.dumps(kind().to_json()), None, connection) == kind()


@pytest.mark.parametrize(("model", "name", "kind"), VALUE_COLUMNS)
def test_migration_treats_the_field_as_plain_json(
    model: type[models.Model], name: str, kind: type
) -> None:
    column = get_field(model, name)
    assert column.deconstruct() == (name, "django.db.models.JSONField", [], {"default": dict})
    text, _ = MigrationWriter.serialize(column)
    assert text == "models.JSONField(default=dict)"


def test_cloned_field_is_the_same_column() -> None:
    column = get_field(Seat, "sitters")
    copy = column.clone()
    assert (type(copy), copy.kind, copy.verbose_name) == (ValueField, Sitters, "previous players")
    assert copy.encoder is Encoder


def test_field_keeps_its_verbose_name() -> None:
    assert ValueField(Sitters, "who sat there").verbose_name == "who sat there"


@pytest.mark.parametrize(
    ("stored", "value"),
    [
        (None, None),
        ("{}", Sitters()),
        (json.dumps(SEAT_HOLDERS.to_json()), SEAT_HOLDERS),
    ],
)
def test_stored_json_is_read_as_its_value(stored: Any, value: object) -> None:
    assert get_field(Seat, "sitters").from_db_value(stored, None, connection) == value


def test_value_is_written_as_its_json() -> None:
    state = LiveState(hand=2, turn_seat=SeatNumber(1), banks={SeatNumber(1): 1_500})
    assert json.loads(json.dumps(state, cls=Encoder)) == state.to_json()
    with pytest.raises(AttributeError):
        json.dumps(object(), cls=Encoder)


@pytest.mark.django_db
def test_value_survives_a_database_round_trip() -> None:
    match = Match.objects.create(ruleset="ocho", occasion=Occasion(4, 2))
    Seat.objects.create(match=match, number=SeatNumber(0), name="Ben", sitters=SEAT_HOLDERS)
    Seat.objects.create(match=match, number=SeatNumber(1), name="Chen")
    found = Match.objects.get(pk=match.pk)
    assert (found.occasion, found.state, found.race) == (Occasion(4, 2), LiveState(), Races())
    assert [each.sitters for each in found.seats.all()] == [SEAT_HOLDERS, Sitters()]
    joined = Match.objects.filter(pk=match.pk).order_by("seats__number")
    assert [*joined.values_list("seats__sitters", flat=True)] == [SEAT_HOLDERS, Sitters()]
    assert {*map(repr, joined.values_list("hands__deals", flat=True))} == {"None"}


JSON_COLUMNS = [(LoggedAction, "action"), (LoggedAction, "events"), (LoggedAction, "chance")]


@pytest.mark.parametrize(("model", "name"), [*JSON_COLUMNS, (Hand, "opening")])
def test_json_rows_share_their_key_strings(model: type[models.Model], name: str) -> None:
    column = model._meta.get_field(name)
    assert isinstance(column, SharedKeysField)
    text = json.dumps([{"event": "played", "card": "R5", "number": 1.5}, None])
    one, other = (column.from_db_value(text, None, connection) for _ in range(2))
    assert one == other == json.loads(text)
    assert all(key is same for key, same in zip(one[0], other[0], strict=True))
    assert column.from_db_value(None, None, connection) is None


def test_migrations_see_a_shared_keys_field_as_plain_json() -> None:
    column = SharedKeysField("events", default=list)
    assert column.deconstruct()[1:] == (
        "django.db.models.JSONField",
        [],
        {"default": list, "verbose_name": "events"},
    )
