"""Tests that a ruling's preview, its effect and the public history agree for each seat.

The cases are all kinds of rulings, in rounds and in a bracket. The seat is being played, its match
is over, or its round has not started.
"""

from itertools import product
from typing import Any
from unittest import mock

import pytest

from games import services as games
from games.rules.bots.bots import EMPTY
from tests.factories import make_players
from tests.tournament.helpers import first_stage, make_organized_event
from tests.tournament.ruling import get_event, get_player, get_seat
from tests.tournament.staging import match_of, organizer_of, play
from tournament.advancing.services import draw_bracket
from tournament.common.refusals import RefusedError
from tournament.corrections.rulings import preview_new_ruling
from tournament.models import Event, Registration, Round, Ruling, TableSeat
from tournament.oversight.history_texts import history
from tournament.results.queries import result_of
from tournament.rounds.services import start_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db

Kind = Ruling.Kind
REASON = "Two phones."
STATES = ("playing", "finished", "not started")
FORMATS = ("rounds", "bracket")
LEAVING_KINDS = (Kind.LEAVE, Kind.DISQUALIFY)
# Fields that a kind of ruling needs besides the player.
EXTRA_FIELDS = {Kind.POINTS: {"points": 20}}
# The sentence of the public history, by kind.
HISTORY_TEXTS = {
    Kind.CAUTION: "{place}: {name} was cautioned.",
    Kind.WARNING: "{place}: {name} was warned.",
    Kind.POINTS: "{place}: 20 points were deducted from {name}.",
    Kind.DISQUALIFY: "{place}: {name} was disqualified.",
    Kind.FORFEIT: "{place}: {name} forfeited the match.",
    Kind.LEAVE: "{place}: {name} left the event.",
    Kind.SUBSTITUTE: "{place}: {other} took {name}’s seat.",
    Kind.BOT: "{place}: a bot took over {name}’s seat until their return.",
}
SITE_PLAYS_ON = (
    "At {table}, the site will draw and pass for {name} on every turn. Any later hands will be "
    "dealt only to the other players, if there are enough of them."
)
MATCH_IS_LOST = "For this match, {name} will get no points and last place."
CARDS_ARE_HIDDEN = "From that moment on, {name} won’t see any cards."
MATCH_IS_OVER = "The match at {table} is over"
RESULT_STAYS = f"{MATCH_IS_OVER}, and its result stays as it is."
LEAVES_EVENT = "{name} will be out of the event. The results of earlier matches will still count."
IS_LAST = "{name} will be out of the event and last in the standings"
STILL_SEATED = "{name} still has a seat at {table}. Adjust the seats before the round starts."
NEXT_ADVANCES = "If {name} was going to advance, the next player of the table will."
MATCHES_COUNT = f"{IS_LAST}. Matches already played will still count."
LOSES_KNOCKOUT = (
    f"{IS_LAST}, and will lose every knockout match. Other matches already played will still count."
)
# The sentences about a removed player, by kind, state and format.
EXPECTED_EFFECTS = {
    (Kind.LEAVE, "playing", "rounds"): [
        LEAVES_EVENT,
        SITE_PLAYS_ON,
        MATCH_IS_LOST,
        CARDS_ARE_HIDDEN,
    ],
    (Kind.LEAVE, "playing", "bracket"): [
        LEAVES_EVENT,
        SITE_PLAYS_ON,
        MATCH_IS_LOST,
        CARDS_ARE_HIDDEN,
    ],
    (Kind.LEAVE, "finished", "rounds"): [LEAVES_EVENT, RESULT_STAYS],
    (Kind.LEAVE, "finished", "bracket"): [LEAVES_EVENT, RESULT_STAYS, NEXT_ADVANCES],
    (Kind.LEAVE, "not started", "rounds"): [LEAVES_EVENT, STILL_SEATED],
    (Kind.LEAVE, "not started", "bracket"): [LEAVES_EVENT, STILL_SEATED],
    (Kind.DISQUALIFY, "playing", "rounds"): [
        MATCHES_COUNT,
        SITE_PLAYS_ON,
        MATCH_IS_LOST,
        CARDS_ARE_HIDDEN,
    ],
    (Kind.DISQUALIFY, "playing", "bracket"): [
        LOSES_KNOCKOUT,
        SITE_PLAYS_ON,
        MATCH_IS_LOST,
        CARDS_ARE_HIDDEN,
    ],
    (Kind.DISQUALIFY, "finished", "rounds"): [MATCHES_COUNT, RESULT_STAYS],
    (Kind.DISQUALIFY, "finished", "bracket"): [
        LOSES_KNOCKOUT,
        f"{MATCH_IS_OVER}. {MATCH_IS_LOST}",
        NEXT_ADVANCES,
    ],
    (Kind.DISQUALIFY, "not started", "rounds"): [MATCHES_COUNT, STILL_SEATED],
    (Kind.DISQUALIFY, "not started", "bracket"): [MATCHES_COUNT, STILL_SEATED],
}
REFUSAL_CODES = {"finished": "over", "not started": "no-seat"}


def make_round_in_state(state: str, stage_format: str, **fields: Any) -> Round:
    """Return a round of two tables whose first table is in the given state."""
    event, organizer = make_organized_event(8, hand_limit=1, **fields)
    event.stages.filter(number=1).update(format=stage_format)
    draw = draw_bracket if stage_format == "bracket" else seat_round
    played = publish_round(draw(first_stage(event), organizer), organizer)
    if state != "not started":
        with mock.patch.object(games, "SHARE_SECONDS", 0):
            played = start_round(played, organizer)
    if state == "finished":
        play(get_seat(played).table)
    make_players(event, 1)
    return played


def get_leader(round_: Round) -> Registration:
    """Return the leader of the first table, whom a ruling affects the most.

    Before there are points, return the player in the table's first seat.
    """
    at = result_of(get_seat(round_).table)
    number = at.list_places().index(1) if at.points else 0
    return get_player(round_, number)


def make_ruling_request(round_: Round, kind: Kind) -> RulingRequest:
    more: dict[str, Any] = dict(EXTRA_FIELDS.get(kind, {}))
    if kind == Kind.SUBSTITUTE:
        more["substitute"] = get_event(round_).registrations.get(seats=None)
    return RulingRequest(kind, get_leader(round_), **more)


def read_points_and_place(seat: TableSeat) -> tuple[int, int] | None:
    """Return the points and the place of the seat at its table, or None if there are none yet."""
    at = result_of(seat.table)
    return (at.points[seat.number], at.list_places()[seat.number]) if at.points else None


def call_service(event: Event, call: Any, request: RulingRequest) -> str:
    """Call the service and return the code of its refusal, or "" on success."""
    try:
        call(event, organizer_of(event), request, REASON)
    except RefusedError as refused:
        return refused.code
    return ""


@pytest.mark.parametrize(("state", "stage_format", "kind"), list(product(STATES, FORMATS, Kind)))
def test_ruling_preview_describes_its_effect(state: str, stage_format: str, kind: Kind) -> None:
    played = make_round_in_state(state, stage_format)
    wanted = make_ruling_request(played, kind)
    seat = wanted.registration.seats.get()
    at_table = kind in (Kind.FORFEIT, Kind.SUBSTITUTE, Kind.BOT)
    code = REFUSAL_CODES.get(state, "") if at_table else ""
    assert call_service(get_event(played), preview_new_ruling, wanted) == code
    if code:
        assert call_service(get_event(played), rule, wanted) == code
        return
    found = preview_new_ruling(
        get_event(played), organizer_of(get_event(played)), wanted, REASON
    ).sentences
    before = read_points_and_place(seat)
    assert call_service(get_event(played), rule, wanted) == ""
    names = {"name": wanted.registration.name, "table": seat.table}
    if kind in LEAVING_KINDS:
        expected = EXPECTED_EFFECTS[kind, state, stage_format]
        assert found == [each.format(**names) for each in expected]
    check_effect(found, seat, before)
    check_history(played, wanted, state)


def check_effect(expected: list[str], seat: TableSeat, before: tuple[int, int] | None) -> None:
    """Check that exactly the previewed effects have happened."""
    text = " ".join(expected)
    fresh = TableSeat.objects.select_related("table__match").get(pk=seat.pk)
    at_once = "draw and pass" in text
    assert fresh.forfeited == at_once
    if fresh.table.match:
        bot = match_of(fresh.table).seats.get(number=seat.number).bot
        assert (bot == EMPTY) == at_once
    after = read_points_and_place(fresh)
    if "get no points and last place" in text and after:
        assert after == (0, 4)
    elif "its result stays" in text:
        assert after == before
    held = fresh.registration_id == seat.registration_id and seat.table.round.state == "published"
    assert ("still has a seat" in text) == ("out of the event" in text and held)


def check_history(round_: Round, request: RulingRequest, state: str) -> None:
    place = round_.stage if state == "not started" else get_seat(round_).table
    other = request.substitute.name if request.substitute else ""
    text = HISTORY_TEXTS[Kind(request.kind)]
    names = {"place": place, "name": request.registration.name, "other": other}
    assert history(get_event(round_)).rows[0].text == text.format(**names)
