"""Creating the demo's events, with the services that organizers and students use."""

import csv
import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import services as games
from games.models import Match
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.demo.accounts import CONTACT, list_accounts, make_organizer, make_students
from tournament.demo.league import LEAGUES
from tournament.demo.people import list_students
from tournament.events.services import change_event, create_event, publish_event
from tournament.mail.notices import suppress_emails
from tournament.models import Event, Round, Stage, User
from tournament.pure.formats import READY, USUAL, StagePlan
from tournament.pure.lists import ListedStudent
from tournament.registration.eligibility.uploads import apply_import, upload_list
from tournament.registration.services import approve, refuse, register, withdraw
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

OPEN_SLUG, CUP_SLUG, NEXT_SLUG = "ocho-open", "winter-cup", "partners-evening"
DUEL_SLUG = "department-duel"
CAPACITY, PLAYERS = 34, 32
FINISHED_TABLES = 4
# With two players per table, one of whom advances, there are 16 tables in the first round, and the
# fifth round is the final.
DUELLISTS, DUEL_ROUNDS = 32, 5


def is_demo_created() -> bool:
    """Return whether the demo was created, even if its events have been deleted since."""
    return list_accounts().exists()


@suppress_emails()
@transaction.atomic
def build_demo(passwords: Mapping[str, str]) -> None:
    """Create the whole demo in one transaction.

    `passwords` maps email addresses to the passwords of the accounts that get one.
    """
    people = list_students()
    organizer = make_organizer(passwords)
    users = make_students(people, passwords)
    _make_finished_event(organizer, people[4:12], users)
    _make_knockout_event(organizer, people[:DUELLISTS], users)
    _make_coming_event(organizer, people[8:14], users)
    _make_running_event(organizer, people, users)
    for league in LEAGUES:
        season = league.new_season(organizer)
        _play_round(_make_seated_round(_get_stage(season, 1), organizer), organizer)


def _make_running_event(
    organizer: User, people: Sequence[ListedStudent], users: Mapping[str, User]
) -> Event:
    """Create an event halfway through its first round."""
    event = _make_event(
        organizer,
        title="Ocho Open",
        slug=OPEN_SLUG,
        ruleset="ocho",
        description="The college’s open championship. Everyone plays the first round, and the best "
        "players advance to the knockout. Bring a charged phone.",
        place="Reading hall, ground floor",
        capacity=CAPACITY,
        requires_approval=True,
        eligibility_required=True,
    )
    _import_list(event, organizer, people)
    _make_registrations(event, organizer, people, users)
    event.registration_closes = timezone.now()
    change_event(event, organizer, ["registration_closes"])
    first = _make_seated_round(_get_stage(event, 1), organizer)
    start_round(first, organizer)
    _play_half_of_tables(first, users[people[0].email])
    return event


def _import_list(event: Event, organizer: User, people: Sequence[ListedStudent]) -> None:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["Roll number", "Name", "Email", "Department", "Programme", "Year"])
    for each in people:
        writer.writerow(
            [each.roll_number, each.name, each.email, each.department, each.programme, each.year]
        )
    upload = upload_list(event, organizer, "students.csv", file.getvalue().encode())
    apply_import(upload, organizer)


def _make_registrations(
    event: Event, organizer: User, people: Sequence[ListedStudent], users: Mapping[str, User]
) -> None:
    """Register 38 of the 40 students, so that each registration state occurs."""
    rows = [
        register(event, users[each.email], roll_number=each.roll_number) for each in people[:-2]
    ]
    for row in rows[:PLAYERS]:
        approve(row, organizer)
    refuse(rows[PLAYERS], organizer, "Plays for another college this year.")
    withdraw(rows[PLAYERS + 1], rows[PLAYERS + 1].user, "Has an exam that day.")


def _play_half_of_tables(first: Round, player: User) -> None:
    """Play half of the tables to the end, and start the others, including the player's table."""
    tables = list(first.tables.order_by("number").select_related("match"))
    tables.sort(key=lambda t: t.seats.filter(registration__user=player).exists())
    for position, table in enumerate(tables):
        assert table.match is not None
        if position < FINISHED_TABLES:
            games.play_out(table.match)
        else:
            play_first_hand(table.match)


class _DecidedError(Exception):
    """Raised to roll back a first hand that has ended the match."""


def play_first_hand(match: Match) -> None:
    """Play the first hand of the match, unless it would end the match."""
    with suppress(_DecidedError), transaction.atomic():
        if games.play_out(match, hands=1).phase == Match.Phase.OVER:
            raise _DecidedError


def _make_finished_event(
    organizer: User, people: Sequence[ListedStudent], users: Mapping[str, User]
) -> Event:
    """Create a finished event with eight players, two tables and a final."""
    event = _make_event(
        organizer,
        title="Winter Cup",
        slug=CUP_SLUG,
        ruleset="uno-500",
        description="A small cup among friends, played with the classic rules.",
        place="Hostel 4, common room",
        hand_limit=3,
        starts_at=_get_start_of_hour() - timedelta(days=40),
    )
    for each in people:
        register(event, users[each.email], roll_number=each.roll_number, name=each.name)
    stage = _get_stage(event, 1)
    _play_round(_make_seated_round(stage, organizer), organizer)
    rule = CutRule(Stage.Rule.TOP_K, 2, Stage.Ties.LOTS, min_matches=1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    final = draw_bracket(_get_stage(event, 2), organizer)
    _play_round(publish_round(final, organizer), organizer)
    announce_winner(event, organizer)
    return event


def _make_knockout_event(
    organizer: User, people: Sequence[ListedStudent], users: Mapping[str, User]
) -> Event:
    """Create a finished knockout event that began with sixteen tables of two players."""
    event = _make_event(
        organizer,
        [replace(stage, advance=1) for stage in READY["knock-out"].stages],
        title="Department Duel",
        slug=DUEL_SLUG,
        ruleset="uno-400",
        description="Two players at each table, one hand, one winner: 32 start, one is left.",
        place="Sports hall, upper gallery",
        table_size=2,
        hand_limit=1,
        starts_at=_get_start_of_hour() - timedelta(days=1),
    )
    for each in people:
        register(event, users[each.email], roll_number=each.roll_number)
    for _round in range(DUEL_ROUNDS):
        drawn = draw_bracket(_get_stage(event, 1), organizer)
        _play_round(publish_round(drawn, organizer), organizer)
    announce_winner(event, organizer)
    return event


def _make_coming_event(
    organizer: User, people: Sequence[ListedStudent], users: Mapping[str, User]
) -> Event:
    """Create an event that is open for registration to everyone with an account."""
    event = _make_event(
        organizer,
        title="Open Evening",
        slug=NEXT_SLUG,
        ruleset="uno-400",
        description="Drop in, find a table and play. No list, no fee.",
        place="Canteen terrace",
        starts_at=_get_start_of_hour() + timedelta(days=9),
        registration_closes=_get_start_of_hour() + timedelta(days=8),
    )
    for each in people:
        register(event, users[each.email], name=each.name)
    return event


def _make_event(
    organizer: User, stages: Sequence[StagePlan] = USUAL.stages, **fields: Any
) -> Event:
    defaults = {"starts_at": _get_start_of_hour(), "table_size": 4, "eligibility_required": False}
    event = create_event(Event(**(defaults | CONTACT | fields)), organizer, stages)
    event.stages.filter(number=1).update(rounds_planned=1)
    return publish_event(event, organizer)


def _get_start_of_hour() -> datetime:
    """Return the start of the current hour."""
    return timezone.localtime().replace(minute=0, second=0, microsecond=0)


def _get_stage(event: Event, number: int) -> Stage:
    return event.stages.get(number=number)


def _make_seated_round(stage: Stage, organizer: User) -> Round:
    return publish_round(seat_round(stage, organizer), organizer)


def _play_round(round_: Round, organizer: User) -> Round:
    start_round(round_, organizer)
    for table in round_.tables.select_related("match"):
        assert table.match is not None
        games.play_out(table.match)
    return close_round(round_, organizer)
