"""Tests that views and events in real play match the schema.

tests/games/windows.py also checks every message that a test receives over a socket.
"""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from fastjsonschema import JsonSchemaValueException

from games import queries, seats, services, store
from games.models import Match
from games.protocol import Event
from games.protocol.table import MatchFacts
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet
from games.seats import SeatNumber
from tests.games.helpers import act, begin, make_match, seat_number
from tests.protocol import make_validator, map_members_by_tag, validate, validate_events
from tests.rules.strategies import RandomGame, choose_random_rules

HANDS, BLANKS = 120, 8  # enough for every event, with several occurrences of the rare ones
ACTION_COUNT = 30  # checked individually before bots play the rest of a match


def test_rules_emit_exactly_the_events_of_the_protocol() -> None:
    # The table emits `dealt` itself, and no rule requires a player to say "Ocho!".
    known = {"dealt", "said_ocho"}
    for seed, (rules, players) in enumerate(iter_rules()):
        for event in list_hand_events(rules, players, seed):
            validate("Event", event)
            known.add(event["event"])
    assert known == set(map_members_by_tag("Event"))


def iter_rules() -> Iterator[tuple[RuleSet, int]]:
    """Yield rules, each with a number of players: first random ones, then some with blank cards."""
    for seed in range(HANDS):
        yield choose_random_rules(random.Random(seed))
    for rule in ("swap", "pass-hands"):
        rules = rulesets.make("uno-500", {"blanks": 4, "blank_rule": rule, "hand_size": 5})
        yield from [(rules, 3)] * BLANKS


def list_hand_events(rules: RuleSet, players: int, seed: int) -> list[Event]:
    """Return a hand's events as sent to one seat. Seat numbers are player indexes plus two."""
    game = RandomGame(rules, players, 0, seed)
    events = [*game.opening]
    while not game.hand.over and len(game.actions) < 120:
        events += game.play_random_action()
    sitting = [SeatNumber(player + 2) for player in range(players)]
    mine = sitting[seed % players]
    return [seats.event_for(event, sitting, players + 2, mine) for event in events]


@pytest.mark.django_db
def test_deal_and_ocho_call_events_match_the_schema() -> None:
    match = begin(["8H 5H", "6H 7H"], "10H", ruleset="ocho-cards")
    act(match, 0, {"play": "8H", "ocho": True})
    message = queries.list_events(store.load(match.pk), SeatNumber(0), 0)
    validate_events(message)
    assert {"dealt", "said_ocho"} <= {event["event"] for event in message}


@pytest.mark.django_db
@pytest.mark.parametrize("ruleset", rulesets.RULE_SETS)
def test_whole_match_matches_the_schema(ruleset: str) -> None:
    options = {"hand_size": 3, "target": 40}
    match = make_match(ruleset, people=3, options=options, hand_limit=3, replays="hand")
    check_windows(match)
    services.start_match(match)
    rng = random.Random(ruleset)
    for _ in range(ACTION_COUNT):
        if check_windows(match)["phase"] != "playing":
            break
        act_at_random(match, rng)
    services.play_out(Match.objects.get(pk=match.pk), hands=1)
    assert check_windows(match)["phase"] in ("between", "over")
    services.play_out(Match.objects.get(pk=match.pk))
    assert check_windows(match)["phase"] == "over"
    hand = match.hands.select_related("match").get(number=1)
    for seat in (0, None):
        assert validate(
            "ReplayPage", queries.replay_page(store.load(match.pk), hand, seat_number(seat))
        )["steps"]


def check_windows(match: Match) -> MatchFacts:
    """Check the view of every kind of window, and return the match's facts from one of them."""
    snapshot, now = store.load(match.pk), timezone.now()
    for seat in (0, 1, None):
        view = queries.table_view(snapshot, seat_number(seat), {}, now, controls=True)
        validate("TableView", view)
        validate_events(
            queries.list_events(snapshot, seat_number(seat), max(0, snapshot.version - 1))
        )
    shown = queries.shown_now(snapshot, queries.commentary_stream(snapshot.match, now), now)
    validate("CommentaryView", queries.commentary_view(shown, {}))
    return view["match"]


def act_at_random(match: Match, rng: random.Random) -> None:
    """Carry out a random action that the table offers, usually playing a card."""
    snapshot, now = store.load(match.pk), timezone.now()
    offered = [
        (seat, action)
        for seat in range(3)
        for action in queries.table_view(snapshot, seat_number(seat), {}, now, controls=True)[
            "actions"
        ]
    ]
    plays = [pair for pair in offered if "play" in pair[1]]
    seat, action = rng.choice(plays if plays and rng.random() < 0.8 else offered)
    act(match, seat, validate("Action", action))


@pytest.mark.django_db
@pytest.mark.parametrize("viewers", ["live", "delayed", "hand"])
def test_viewer_views_match_the_schema(viewers: str) -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7", viewers=viewers, viewer_delay_seconds=30)
    live = store.load(match.pk)
    found = queries.shown_now(live, queries.stream_of(match, None), timezone.now())
    view = queries.table_view(
        found.snapshot, None, {}, found.now, controls=False, stream=found.stream
    )
    assert validate("TableView", view)["viewer"]["mode"] == viewers


@pytest.mark.django_db
def test_abandoned_match_and_practice_table_match_the_schema() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7", practice=True, turn_seconds=20)
    now = timezone.now()
    shown = queries.table_view(store.load(match.pk), SeatNumber(0), {}, now, controls=True)
    assert validate("TableView", shown)["coach"]
    assert shown["clock"]
    services.abandon_match(Match.objects.get(pk=match.pk), "Fire alarm")
    shown = queries.table_view(store.load(match.pk), SeatNumber(0), {}, now, controls=True)
    assert validate("TableView", shown)["sheet"]["ended"] == "abandoned"


VIEW_PARTS: list[list[str | int]] = [
    [],
    ["match"],
    ["match", "links"],
    ["seats", 0],
    ["cards", 0],
    ["may"],
    ["log", 0],
]


@pytest.mark.django_db
def test_undeclared_or_missing_keys_are_detected() -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7")
    view: Any = queries.table_view(
        store.load(match.pk), SeatNumber(0), {}, timezone.now(), controls=True
    )
    for steps in VIEW_PARTS:
        more, less = copy.deepcopy(view), copy.deepcopy(view)
        get_part(more, steps)["forgotten"] = 1
        get_part(less, steps).popitem()
        for wrong in (more, less):
            with pytest.raises(JsonSchemaValueException):
                make_validator("TableView")(wrong)


def get_part(view: Any, steps: list[str | int]) -> Any:
    for step in steps:
        view = view[step]
    return view
