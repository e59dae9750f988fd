"""Spreadsheets of an event for organizers.

They include roll numbers only if the organizer may export personal data (`with_roll_numbers`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.hall.queries import bracket
from tournament.hall.table_views import RoundView
from tournament.models import AuditEntry, Event, Registration, Round, Sitting, TableSeat
from tournament.people.presence import find_playing_keys, make_attendee
from tournament.pure.files import Cell, Column, Sheet
from tournament.pure.ranking import METRICS, Value
from tournament.results.queries import table_results
from tournament.results.stages import list_metric_keys, stage_results
from tournament.results.table_result import TableResult
from tournament.stages.places import places
from tournament.standings.queries import LOTS

SOURCES = {
    "match": gettext_lazy("match"),
    "paper": gettext_lazy("physical cards"),
    "correction": gettext_lazy("correction"),
}
# Number of rows loaded at a time from large tables.
CHUNK_ROWS = 500
Cells = Iterator[Sequence[Cell]]


class Export(NamedTuple):
    """A kind of spreadsheet.

    * `title`: the heading of the file.
    * `help`: a description of the contents.
    * `make`: a function of (event, with_roll_numbers) that returns the sheet.
    """

    title: str | Promise
    help: str | Promise
    make: Callable[[Event, bool], Sheet]


def format_moment(time: datetime | None) -> str | None:
    """Format a time in UTC to the second, so that every program can read it."""
    return time.astimezone(UTC).isoformat(timespec="seconds") if time else None


def _format_flag(value: object) -> str:
    return _("yes") if value else ""


def _make_roll_column(with_roll_numbers: bool) -> list[Column]:
    return [Column("roll_number", _("Roll number"))] * with_roll_numbers


def _make_sheet(event: Event, name: str, columns: Sequence[Column], rows: Cells) -> Sheet:
    title = _("{event}: {what}").format(event=event.title, what=EXPORTS[name].title)
    return Sheet(name, title, columns, rows)


def _build_registrations(event: Event, _with_roll_numbers: bool) -> Sheet:
    columns = [
        Column("number", _("No.")),
        *_list_personal_columns(Registration.personal.visible_identifiers),
        Column("email", _("Email address"), wide=True),
        Column("state", _("State")),
        Column("reason", _("Reason"), wide=True),
        Column("registered_at", _("Registered (UTC)")),
        *_list_personal_columns(Registration.personal.about.split()),
    ]
    return _make_sheet(event, "registrations", columns, _iterate_registrations(event))


def _list_personal_columns(names: Iterable[str]) -> list[Column]:
    """Return the columns for a registration's personal data (games/models/personal.py)."""
    titles = {each.name: str(each.verbose_name) for each in Registration._meta.concrete_fields}
    return [Column(name, capfirst(titles[name])) for name in names]


def _iterate_registrations(event: Event) -> Cells:
    rows = event.registrations.select_related("user").order_by("queue_number")
    playing = find_playing_keys(event)
    personal = Registration.personal
    for registration in rows.iterator(chunk_size=CHUNK_ROWS):
        identity = [
            registration.queue_number,
            *_list_personal_cells(registration, personal.visible_identifiers),
            registration.user.mailbox,
        ]
        state = [
            make_attendee(registration, playing).text,
            registration.reason,
            format_moment(registration.registered_at),
        ]
        yield [*identity, *state, *_list_personal_cells(registration, personal.about.split())]


def _list_personal_cells(row: Registration, names: Iterable[str]) -> list[Cell]:
    return [getattr(row, name) for name in names]


def _make_seat_columns(with_roll_numbers: bool) -> list[Column]:
    return [
        Column("stage", _("Stage")),
        Column("round", _("Round")),
        Column("table", _("Table")),
        Column("seat", _("Seat")),
        Column("name", _("Name")),
        *_make_roll_column(with_roll_numbers),
    ]


def _make_seat_cells(
    round_: Round, number: int, seat: TableSeat | Sitting, with_roll_numbers: bool
) -> list[Cell]:
    where: list[Cell] = [str(round_.stage), str(round_), number, seat.number + 1]
    return [*where, str(seat), *_make_roll_cell(seat.registration, with_roll_numbers)]


def _make_roll_cell(registration: Registration | None, with_roll_numbers: bool) -> list[Cell]:
    return [registration.roll_number if registration else ""] * with_roll_numbers


def _build_seating(event: Event, with_roll_numbers: bool) -> Sheet:
    return _make_sheet(
        event,
        "seating",
        _make_seat_columns(with_roll_numbers),
        _iterate_seats(event, with_roll_numbers),
    )


def _iterate_seats(event: Event, with_roll_numbers: bool) -> Cells:
    seats = TableSeat.objects.filter(table__round__stage__event=event)
    seats = seats.exclude(table__round__state=Round.State.DRAFT)
    stage, round_number = "table__round__stage__number", "table__round__number"
    rows = seats.order_by(stage, round_number, "table__number", "number")
    seats_with_tables = rows.select_related("table__round__stage", "registration")
    for seat in seats_with_tables.iterator(chunk_size=CHUNK_ROWS):
        yield _make_seat_cells(seat.table.round, seat.table.number, seat, with_roll_numbers)


def _build_results(event: Event, with_roll_numbers: bool) -> Sheet:
    columns = [
        *_make_seat_columns(with_roll_numbers),
        Column("points", _("Points")),
        Column("place", _("Place at table")),
        Column("won", _("Won")),
        Column("left", _("Points left in hand")),
        Column("source", _("Source")),
    ]
    return _make_sheet(event, "results", columns, _iterate_results(event, with_roll_numbers))


def _iterate_results(event: Event, with_roll_numbers: bool) -> Cells:
    for result in table_results(event, play=False):
        for seat in result.seats if result.final else []:
            yield [
                *_make_seat_cells(result.table.round, result.table.number, seat, with_roll_numbers),
                *_make_result_cells(result, seat.number),
            ]


def _make_result_cells(result: TableResult, number: int) -> list[Cell]:
    """Return the cells for the result of a seat.

    Points left in hand are unknown for results that were entered by hand.
    """
    place = result.list_places()[number]
    points_left = result.left[number] if result.left else None
    won, source = _format_flag(number in result.table_winners), str(SOURCES[result.source])
    return [result.points[number], place, won, points_left, source]


def _build_standings(event: Event, with_roll_numbers: bool) -> Sheet:
    order = [key for key in list_metric_keys(event) if key != "points"]
    columns = [
        Column("rank", _("Place")),
        Column("name", _("Name")),
        *_make_roll_column(with_roll_numbers),
        Column("points", _("Points")),
        Column("matches", _("Matches")),
        Column("disqualified", _("Disqualified")),
        *[Column(key, _(METRICS[key].title)) for key in order],
        Column("separated_by", _("Tie decided by"), wide=True),
    ]
    return _make_sheet(
        event, "standings", columns, _iterate_standings(event, order, with_roll_numbers)
    )


def _iterate_standings(event: Event, order: Sequence[str], with_roll_numbers: bool) -> Cells:
    results = stage_results(event)
    for player_place in places(results):
        row = player_place.row
        roll = _make_roll_cell(results.registrations[player_place.player], with_roll_numbers)
        figures = [_format_figure(key, row.value(key)) for key in order]
        yield [
            player_place.rank,
            row.name,
            *roll,
            row.points,
            row.played,
            player_place.out,
            *figures,
            player_place.why(),
        ]


def _format_figure(key: str, value: Value) -> float | int | None:
    """Format a metric as a number.

    Lots are divided by the highest possible value, as on the leaderboard.
    """
    if value is None:
        return None
    number = float(value) / LOTS if key == "lots" else float(value)
    return int(number) if number.is_integer() else round(number, 4)


def _build_bracket(event: Event, with_roll_numbers: bool) -> Sheet:
    columns = [
        *_make_seat_columns(with_roll_numbers),
        Column("seed", _("Seed")),
        Column("points", _("Points")),
        Column("place", _("Place at table")),
        Column("goes_on", _("Advances")),
        Column("why", _("Reason"), wide=True),
    ]
    return _make_sheet(event, "bracket", columns, _iterate_bracket(event, with_roll_numbers))


def _iterate_bracket(event: Event, with_roll_numbers: bool) -> Cells:
    if (view := bracket(event)) is not None:
        seeds = {each.registration.pk: each.seed for each in view.qualifiers}
        for round_view in view.rounds:
            yield from _iterate_bracket_round(round_view, seeds, with_roll_numbers)


def _iterate_bracket_round(
    round_view: RoundView, seeds: Mapping[int, int], with_roll_numbers: bool
) -> Cells:
    for table in round_view.tables:
        for seat in table.seats:
            registration, stage = seat.registration, str(round_view.round.stage)
            where: list[Cell] = [stage, str(round_view.round), table.number, seat.number + 1]
            player = [seat.name, *_make_roll_cell(registration, with_roll_numbers)]
            result = [seeds.get(registration.pk) if registration else None, seat.points, seat.place]
            yield [*where, *player, *result, _format_flag(seat.through), seat.why]


def _build_log(event: Event, _with_roll_numbers: bool) -> Sheet:
    columns = [
        Column("at", _("Time (UTC)")),
        Column("who", _("Who")),
        Column("action", _("Action")),
        Column("what", _("What"), wide=True),
        Column("reason", _("Reason"), wide=True),
        Column("changes", _("Before and after"), wide=True),
    ]
    return _make_sheet(event, "log", columns, _iterate_log(event))


def _iterate_log(event: Event) -> Cells:
    rows = event.audit.select_related("actor").order_by("pk")
    for entry in rows.iterator(chunk_size=CHUNK_ROWS):
        actor = str(entry.actor) if entry.actor else _("the site")
        details = [entry.action, entry.text, entry.reason, _describe_changes(entry)]
        yield [format_moment(entry.at), actor, *details]


def _describe_changes(entry: AuditEntry) -> str:
    changes = entry.data.get("changes", [])
    text = _("{field}: {before} → {after}")
    return "; ".join(text.format(**change) for change in changes)


EXPORTS: Mapping[str, Export] = {
    "registrations": Export(
        gettext_lazy("Registrations"),
        gettext_lazy(
            "Everyone who registered, in order of registration, with roll number and email address."
        ),
        _build_registrations,
    ),
    "seating": Export(
        gettext_lazy("Seating"),
        gettext_lazy("The seating of each published round."),
        _build_seating,
    ),
    "results": Export(
        gettext_lazy("Results"),
        gettext_lazy("Points and place of every seat, for every table with a result."),
        _build_results,
    ),
    "standings": Export(
        gettext_lazy("Standings"),
        gettext_lazy(
            "Everyone’s place in the event, all tie-break values, and what decided the place. "
            "Disqualified players are marked and have no place."
        ),
        _build_standings,
    ),
    "bracket": Export(
        gettext_lazy("Bracket"),
        gettext_lazy("The tables of the bracket: seeds, points, who advances and why."),
        _build_bracket,
    ),
    "log": Export(
        gettext_lazy("Activity log"),
        gettext_lazy(
            "The organizers’ decisions: who did what, when and why, with the values before "
            "and after."
        ),
        _build_log,
    ),
}
