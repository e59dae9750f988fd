"""All rows of an event, grouped into the parts of its file."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from django.db.models import BinaryField, Field, Model, QuerySet
from django.utils import timezone

from games.json_values.field import ValueField
from games.models import (
    Hand,
    LoggedAction,
    Match,
    Reaction,
    Review,
    RoundTrip,
    Seat,
    ViewerCount,
)
from tournament import models as own
from tournament.exports.records import tables_by_match
from tournament.models import Event, Registration, Table, User
from tournament.oversight.chains import LOG
from tournament.pure.bundle import Fields, write_bundle
from tournament.pure.chain import START

CHUNK = 500
PEOPLE = "people"


@dataclass(frozen=True)
class BundlePart:
    """A part of the file, with the rows of one model.

    * `select`: a function that returns the rows, given the event and the ids of its matches.
    * `blank`: the values that replace fields that are not exported.
    """

    model: type[Model]
    select: Callable[[Event, list[int]], QuerySet[Any]]
    blank: Mapping[str, object]

    @property
    def name(self) -> str:
        return self.model._meta.label_lower


def _make_part(model: type[Model], path: str, **blank: object) -> BundlePart:
    def select_rows(event: Event, _matches: list[int]) -> QuerySet[Any]:
        return model._default_manager.filter(**{path: event.pk}).order_by("pk")

    return BundlePart(model, select_rows, blank)


def _make_match_part(model: type[Model], path: str, **blank: object) -> BundlePart:
    def select_rows(_event: Event, matches: list[int]) -> QuerySet[Any]:
        return model._default_manager.filter(**{f"{path}__in": matches}).order_by("pk")

    return BundlePart(model, select_rows, blank)


def _select_dealt_hands(_event: Event, matches: list[int]) -> QuerySet[Any]:
    """Select the hands that have been dealt.

    A hand that has not been dealt contains only secrets, so it is left out.
    """
    return Hand.objects.filter(match__in=matches, dealt_at__isnull=False).order_by("pk")


_TABLE_TO_EVENT = "round__stage__event"
# Each part comes after the parts to which its rows refer.
PARTS: tuple[BundlePart, ...] = (
    _make_part(Event, "pk", away_since=None, brought=[], rehearsal_of_id=None),
    _make_part(own.Stage, "event"),
    _make_part(own.EligibleStudent, "event"),
    _make_part(own.EligibilityImport, "event"),
    _make_part(Registration, "event"),
    _make_part(Registration.apart_from.through, "from_registration__event"),
    _make_part(own.Certificate, "registration__event"),
    _make_part(own.Qualifier, "stage__event"),
    _make_match_part(Match, "pk"),
    _make_match_part(Seat, "match", controller="", seen_at=None, here="", guest=""),
    BundlePart(Hand, _select_dealt_hands, {}),
    _make_match_part(LoggedAction, "hand__match"),
    _make_part(own.Round, "stage__event", mailed_page=""),
    _make_part(Table, _TABLE_TO_EVENT),
    _make_part(own.TableSeat, f"table__{_TABLE_TO_EVENT}"),
    _make_part(own.Result, f"table__{_TABLE_TO_EVENT}"),
    _make_part(own.Report, f"table__{_TABLE_TO_EVENT}"),
    _make_part(own.Answer, f"report__table__{_TABLE_TO_EVENT}"),
    _make_part(own.RefereeCall, f"table__{_TABLE_TO_EVENT}"),
    _make_part(own.DeskMessage, "event"),
    _make_part(own.Interruption, _TABLE_TO_EVENT),
    _make_part(own.Ruling, "event"),
    _make_part(own.Draw, "stage__event"),
    _make_part(own.EventRole, "event"),
    _make_part(own.Proposal, "event"),
    _make_part(own.Invitation, "event"),
    _make_part(own.AuditEntry, "event"),
    _make_part(own.HistoryEntry, "event"),
)
# Models whose rows are not in the file, each with the reason.
LEFT_OUT: Mapping[type[Model], str] = {
    own.DeskSignIn: "a sign-in code is valid only on the machine that showed it",
    own.Forecast: "a forecast can be computed again from the event",
    own.Letter: "an email is sent by the machine that created it",
    own.PushMessage: "a device subscribes to the messages of one machine",
    Review: "a review can be computed again from the hands",
    Reaction: "a reaction is shown only for a moment",
    RoundTrip: "round trips are measured between players and one machine",
    ViewerCount: "viewers are counted by the processes of one machine",
}


def matches_of(event: Event) -> list[int]:
    """Return the ids of the matches at the event's tables."""
    return list(tables_by_match(event))


def write_event(event: Event, out: IO[bytes], *, moved: bool) -> None:
    """Write the event's file.

    `moved` means that the event will continue on the machine that imports the file, not here.
    """
    matches, people = matches_of(event), set[int]()
    last = event.history.order_by("number").last()
    head = {
        "identity": event.identity,
        "journey": event.journey,
        "moved": moved,
        "event": event.pk,
        "title": event.title,
        "slug": event.slug,
        "head": last.digest if last else START,
        "log": LOG.find_head(event)[1],
        "made_at": timezone.now().isoformat(),
    }
    write_bundle(out, head, _iterate_parts(event, matches, people))


def _iterate_parts(
    event: Event, matches: list[int], people: set[int]
) -> Iterator[tuple[str, Iterable[Fields]]]:
    for part in PARTS:
        yield part.name, _iterate_rows(part, part.select(event, matches), people)
    # The other parts determine which people are included.
    yield PEOPLE, _iterate_people(people)


def _iterate_rows(part: BundlePart, rows: QuerySet[Any], people: set[int]) -> Iterator[Fields]:
    for row in rows.iterator(chunk_size=CHUNK):
        people.update(getattr(row, name) for name in user_fields(part.model) if getattr(row, name))
        yield {**{f.attname: to_json_value(f, row) for f in list_columns(part.model)}, **part.blank}


def _iterate_people(keys: set[int]) -> Iterator[Fields]:
    """Yield these accounts, without passwords, second factors or rights on this machine."""
    for user in User.objects.filter(pk__in=keys).order_by("pk"):
        yield {"pk": user.pk, "email": user.email, "name": user.display_name}


def list_columns(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.concrete_fields)


def user_fields(model: type[Model]) -> list[str]:
    """Return the columns that have an account's id."""
    return [field.attname for field in list_columns(model) if field.related_model is User]


def to_json_value(field: Field[Any, Any], row: Model) -> object:
    """Return a column's value in JSON form."""
    value = getattr(row, field.attname)
    if isinstance(field, ValueField):
        return value.to_json()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(field, BinaryField):
        return base64.b64encode(bytes(value)).decode()
    return value
