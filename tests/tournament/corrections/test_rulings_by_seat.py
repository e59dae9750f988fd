"""Tests that a ruling's preview, its effect and the public history agree for each seat.

The cases are all kinds of rulings. The seat is being played, its match is over, or its round
has not started, in rounds and in a bracket.
"""

from itertools import product
from typing import Any
from unittest import mock

import pytest

from games import services as games
from games.rules.bots.bots import EMPTY
from tests.factories import make_players
from tests.tournament.helpers import first_stage, make_organized_event
from tests.tournament.ruling import chair, event_of, person
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
WHY = "Two phones."
STATES = ("playing", "finished", "not started")
FORMATS = ("rounds", "bracket")
GONE = (Kind.LEAVE, Kind.DISQUALIFY)
# Fields that a kind of ruling needs besides the player.
MORE = {Kind.POINTS: {"points": 20}}
# The sentence of the public history, by kind.
HISTORY = {
    Kind.CAUTION: "{place}: {name} was cautioned.",
    Kind.WARNING: "{place}: {name} was warned.",
    Kind.POINTS: "{place}: 20 points were deducted from {name}.",
    Kind.DISQUALIFY: "{place}: {name} was disqualified.",
    Kind.FORFEIT: "{place}: {name} forfeited the match.",
    Kind.LEAVE: "{place}: {name} left the event.",
    Kind.SUBSTITUTE: "{place}: {other} took {name}’s seat.",
    Kind.BOT: "{place}: a bot took over {name}’s seat until their return.",
}
PLAYED_ON = (
    "At {table}, the site will draw and pass for {name} on every turn. Any later hands will be "
    "dealt only to the other players, if there are enough of them."
)
LOST = "For this match, {name} will get no points and last place."
UNSEEN = "From that moment on, {name} won’t see any cards."
OVER = "The match at {table} is over"
STAYS = f"{OVER}, and its result stays as it is."
LEFT = "{name} will be out of the event. The results of earlier matches will still count."
OUT = "{name} will be out of the event and last in the standings"
SEATED = "{name} still has a seat at {table}. Adjust the seats before the round starts."
NEXT = "If {name} was going to advance, the next player of the table will."
COUNTS = f"{OUT}. Matches already played will still count."
KNOCKED_OUT = (
    f"{OUT}, and will lose every knockout match. Other matches already played will still count."
)
# The sentences about a removed player, by kind, state and format.
TOLD = {
    (Kind.LEAVE, "playing", "rounds"): [LEFT, PLAYED_ON, LOST, UNSEEN],
    (Kind.LEAVE, "playing", "bracket"): [LEFT, PLAYED_ON, LOST, UNSEEN],
    (Kind.LEAVE, "finished", "rounds"): [LEFT, STAYS],
    (Kind.LEAVE, "finished", "bracket"): [LEFT, STAYS, NEXT],
    (Kind.LEAVE, "not started", "rounds"): [LEFT, SEATED],
    (Kind.LEAVE, "not started", "bracket"): [LEFT, SEATED],
    (Kind.DISQUALIFY, "playing", "rounds"): [COUNTS, PLAYED_ON, LOST, UNSEEN],
    (Kind.DISQUALIFY, "playing", "bracket"): [KNOCKED_OUT, PLAYED_ON, LOST, UNSEEN],
    (Kind.DISQUALIFY, "finished", "rounds"): [COUNTS, STAYS],
    (Kind.DISQUALIFY, "finished", "bracket"): [KNOCKED_OUT, f"{OVER}. {LOST}", NEXT],
    (Kind.DISQUALIFY, "not started", "rounds"): [COUNTS, SEATED],
    (Kind.DISQUALIFY, "not started", "bracket"): [COUNTS, SEATED],
}
REFUSED = {"finished": "over", "not started": "no-seat"}


def make_round(state: str, stage_format: str, **fields: Any) -> Round:
    """Return a round of two tables whose first table is in the given state."""
    event, organizer = make_organized_event(8, hand_limit=1, **fields)
    event.stages.filter(number=1).update(format=stage_format)
    draw = draw_bracket if stage_format == "bracket" else seat_round
    played = publish_round(draw(first_stage(event), organizer), organizer)
    if state != "not started":
        with mock.patch.object(games, "SHARE_SECONDS", 0):
            played = start_round(played, organizer)
    if state == "finished":
        play(chair(played).table)
    make_players(event, 1)
    return played


def leader(round_: Round) -> Registration:
    """Return the best player at the first table, whom a ruling affects the most.

    Before there are points, return the player in the table's first seat.
    """
    at = result_of(chair(round_).table)
    number = at.list_places().index(1) if at.points else 0
    return person(round_, number)


def make_request(round_: Round, kind: Kind) -> RulingRequest:
    more: dict[str, Any] = dict(MORE.get(kind, {}))
    if kind == Kind.SUBSTITUTE:
        more["substitute"] = event_of(round_).registrations.get(seats=None)
    return RulingRequest(kind, leader(round_), **more)


def read_standing(seat: TableSeat) -> tuple[int, int] | None:
    """Return the points and the place of the seat at its table, or None if there are none yet."""
    at = result_of(seat.table)
    return (at.points[seat.number], at.list_places()[seat.number]) if at.points else None


def ask(event: Event, call: Any, request: RulingRequest) -> str:
    """Call the service and return the code of its refusal, or "" on success."""
    try:
        call(event, organizer_of(event), request, WHY)
    except RefusedError as refused:
        return refused.code
    return ""


@pytest.mark.parametrize(("state", "stage_format", "kind"), list(product(STATES, FORMATS, Kind)))
def test_ruling_preview_describes_its_effect(state: str, stage_format: str, kind: Kind) -> None:
    played = make_round(state, stage_format)
    wanted = make_request(played, kind)
    seat = wanted.registration.seats.get()
    at_table = kind in (Kind.FORFEIT, Kind.SUBSTITUTE, Kind.BOT)
    code = REFUSED.get(state, "") if at_table else ""
    assert ask(event_of(played), preview_new_ruling, wanted) == code
    if code:
        assert ask(event_of(played), rule, wanted) == code
        return
    told = preview_new_ruling(
        event_of(played), organizer_of(event_of(played)), wanted, WHY
    ).sentences
    before = read_standing(seat)
    assert ask(event_of(played), rule, wanted) == ""
    names = {"name": wanted.registration.name, "table": seat.table}
    if kind in GONE:
        expected = TOLD[kind, state, stage_format]
        assert told == [each.format(**names) for each in expected]
    check_effect(told, seat, before)
    check_history(played, wanted, state)


def check_effect(expected: list[str], seat: TableSeat, before: tuple[int, int] | None) -> None:
    """Check that every promise of the preview is kept, and that nothing else happens."""
    text = " ".join(expected)
    fresh = TableSeat.objects.select_related("table__match").get(pk=seat.pk)
    at_once = "draw and pass" in text
    assert fresh.forfeited == at_once
    if fresh.table.match:
        bot = match_of(fresh.table).seats.get(number=seat.number).bot
        assert (bot == EMPTY) == at_once
    after = read_standing(fresh)
    if "get no points and last place" in text and after:
        assert after == (0, 4)
    elif "its result stays" in text:
        assert after == before
    held = fresh.registration_id == seat.registration_id and seat.table.round.state == "published"
    assert ("still has a seat" in text) == ("out of the event" in text and held)


def check_history(round_: Round, request: RulingRequest, state: str) -> None:
    place = round_.stage if state == "not started" else chair(round_).table
    other = request.substitute.name if request.substitute else ""
    text = HISTORY[Kind(request.kind)]
    names = {"place": place, "name": request.registration.name, "other": other}
    assert history(event_of(round_)).rows[0].text == text.format(**names)
