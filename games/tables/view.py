"""View of a match in one window. Clients receive match data only in this form.

The view is an allow-list: each part is built from information that the seat may have. It contains
the decisions of the rules and the sentences about them. The browser adds only the layout and some
texts, such as button labels. docs/protocol.md describes every key.
"""

from datetime import datetime
from typing import Any, cast

from django.urls import reverse
from django.utils import timezone

from games import seats, store
from games.clocks import presence
from games.clocks.presence import People
from games.guests import holder_of
from games.language import cached_by_language
from games.models import Hand, Match, Seat
from games.practice.coach import coach_steps
from games.process import process_cache
from games.protocol import table
from games.protocol.faces import Face, faces_at
from games.protocol.table import TableView
from games.rules.actions.knowledge import OwedPenalty, PlayerView, PublicView
from games.rules.text import _, gettext_noop
from games.rules.words import explain
from games.rules.words.words import color_choices
from games.seats import PlayerIndex, SeatNumber
from games.store import Snapshot
from games.tables import notes
from games.tables.clocks import absence_left_ms, arrival_left_ms, clock, uno_windows
from games.tables.deal import deal_facts
from games.tables.log import latest_sentence, log_lines, own_latest_sentence, own_lines
from games.tables.sheet import Score, score_of, sheet
from games.tables.spectator_delay import (
    LIVE_STREAM,
    Stream,
    describe_open_cards,
    shown_now,
    stream_of,
)

DISCARD_SHOWN = 5
NOTHING_ALLOWED: table.May = {
    "draw": False,
    "pass": False,
    "challenge": False,
    "call": False,
    "uno": False,
    "choose": False,
    "catch": [],
    "ocho": [],
    "windows": [],
    "colors": [],
}

PROMPTS = {
    Match.Phase.WAITING: gettext_noop("The match hasn’t started yet. An organizer will start it."),
    Match.Phase.PLAYING: "",
    Match.Phase.BETWEEN: gettext_noop("The next hand will be dealt in a moment."),
    Match.Phase.OVER: gettext_noop("The match is over."),
}
REDONE = gettext_noop("Hand {number} will be dealt again in a moment.")
HIDDEN_HAND = gettext_noop("Hand {number} is being played. You’ll see it once it’s over.")
PAUSED = gettext_noop("An organizer has paused this table. No one loses any time.")


def match_view(match: Match, user: Any) -> TableView:
    """Return the view with which a page is loaded. The page's socket then sends newer views."""
    people = presence.load_people([match.pk])[match.pk]
    me = holder_of(user) if match.practice else user.pk
    mine = next((number for number, person in people.items() if person.holder == me), None)
    stream = stream_of(match, mine)
    shown = shown_now(store.current(match.pk, match.version), stream, timezone.now())
    return table_view(shown.snapshot, mine, people, shown.now, controls=True, stream=stream)


def table_view(
    snapshot: Snapshot,
    seat: SeatNumber | None,
    people: People,
    now: datetime,
    *,
    controls: bool,
    stream: Stream = LIVE_STREAM,
) -> TableView:
    """Return the match as this seat may see it. `seat` is None for a viewer.

    For a viewer, the snapshot must come from the viewer's stream.
    """
    shared = shared_part(snapshot, people, now)
    own = own_part(snapshot, seat, now, controls=controls, stream=stream)
    return {**shared, **add_coaching(snapshot, shared, own)}


def add_coaching(
    snapshot: Snapshot, shared: table.Shared, personal_part: table.PersonalPart
) -> table.PersonalPart:
    """Return a seat's own part, with the coach's steps added if this is a practice table."""
    if not snapshot.match.practice or personal_part["you"] is None:
        return personal_part
    return {**personal_part, "coach": coach_steps(snapshot.rules, {**shared, **personal_part})}


def shared_part(snapshot: Snapshot, people: People, now: datetime) -> table.Shared:
    """Return the part of a view that is the same for all readers."""
    score = score_of(snapshot)
    faces = faces_at(snapshot.people())
    seated = zip(snapshot.seats, faces, strict=True)
    return {
        "match": _build_match_facts(snapshot),
        "seats": [_build_seat(snapshot, seat, face, score, people, now) for seat, face in seated],
        **_build_piles(snapshot),
        "colors": color_choices(snapshot.rules),
        "clock": clock(snapshot, now),
        "log": log_lines(snapshot),
        "last": latest_sentence(snapshot),
        "sheet": sheet(snapshot, score, now),
    }


def own_part(
    snapshot: Snapshot,
    seat: SeatNumber | None,
    now: datetime,
    *,
    controls: bool,
    stream: Stream = LIVE_STREAM,
    terse: bool = False,
) -> table.PersonalPart:
    """Return the part of a view that is only for this seat. `seat` is None for a viewer.

    The coach's steps are not included. If `terse` is true, the reasons why cards cannot be played
    are included only during the seat's turn. At other times, the prompt explains it.
    """
    return {
        "you": seat,
        "controls": controls and seat is not None,
        "viewer": _build_viewer(snapshot, stream) if seat is None else None,
        **_build_own_part(snapshot, seat, now, terse),
        "own_lines": own_lines(snapshot, seat),
        "own_last": own_latest_sentence(snapshot, seat),
        "deal": deal_facts(snapshot, seat),
        "coach": [],
    }


def presences(snapshot: Snapshot, people: People, now: datetime) -> list[table.Presence]:
    """Return the presence of each seat's player, in the form used in views."""
    return [_build_presence(snapshot, seat, people, now) for seat in snapshot.seats]


def seconds_until_change(snapshot: Snapshot, now: datetime) -> float | None:
    """Return in how many seconds the view changes without a new version, or None.

    The view changes when a player who forgot to call UNO can be caught.
    """
    position = snapshot.position
    if position is None or not position.opened or snapshot.match.phase != Match.Phase.PLAYING:
        return None
    ends = (at + snapshot.rules.catch_pause - now.timestamp() for at in position.opened.values())
    return min((seconds for seconds in ends if seconds > 0), default=None)


def _build_viewer(snapshot: Snapshot, stream: Stream) -> table.Viewer:
    """Return the facts about a viewer's stream.

    `curtain` is true if the hand in play is hidden.
    """
    curtain = snapshot.match.phase == Match.Phase.PLAYING and snapshot.position is None
    mode = cast(table.Mode, stream.mode)
    return {"mode": mode, "seconds": stream.seconds, "curtain": curtain, "text": stream.text}


@cached_by_language(store.SNAPSHOTS)
def _build_match_facts(snapshot: Snapshot) -> table.MatchFacts:
    match, rules, hand = snapshot.match, snapshot.rules, snapshot.hand
    shown = hand or snapshot.prepared
    return {
        "id": match.public_id,
        "title": match.heading,
        "ruleset": match.ruleset,
        "rules_name": rules.name,
        "target": rules.target,
        "scoring": cast(table.Scoring, rules.scoring),
        "uno": rules.uno_penalty > 0,
        "phase": cast(table.Phase, match.phase),
        "paused": match.paused,
        "hand": shown.number if shown else None,
        "hand_limit": match.hand_limit,
        "practice": match.practice,
        "commitment": shown.commitment if shown else None,
        "commentary": describe_open_cards(match),
        "links": _build_links(match),
    }


def _build_links(match: Match) -> table.MatchLinks:
    return {
        "rules": match.links.get("rules") or _build_address("rules", match.ruleset),
        "result": _build_address("games:result", match.public_id),
        "fair": _build_address("games:fair", match.public_id),
        "event": match.links.get("event"),
    }


@process_cache(4 * store.CACHED)
def _build_address(page: str, key: str) -> str:
    return reverse(page, args=[key])


def _build_seat(
    snapshot: Snapshot, seat: Seat, face: Face, score: Score, people: People, now: datetime
) -> table.SeatAtTable:
    hand, number = snapshot.hand or snapshot.prepared, seat.number
    return {
        **_build_presence(snapshot, seat, people, now),
        "name": seat.said,
        "face": face,
        "score": score.totals[number],
        "count": _count_cards(snapshot, number),
        "bot": seat.bot,
        "said_uno": _has_said_uno(snapshot, number),
        "team": number % 2 if snapshot.rules.partners else None,
        "out": number in score.out,
        "playing": _is_playing(snapshot, number),
        "dealer": hand is not None and hand.dealer == number,
    }


def _is_playing(snapshot: Snapshot, seat: SeatNumber) -> bool:
    hand = snapshot.hand or snapshot.prepared
    return hand is not None and seat in hand.players


def _build_presence(
    snapshot: Snapshot, seat: Seat, people: People, now: datetime
) -> table.Presence:
    person, playing = people.get(seat.number), _is_playing(snapshot, seat.number)
    presence: table.Presence = {
        "seat": seat.number,
        "present": bool(seat.bot) or (person is not None and person.is_present(now)),
        "gone_seconds": person.silent_seconds(now) if person else None,
        "away_left_ms": absence_left_ms(snapshot.match, seat, person, now) if playing else None,
    }
    if person and (coming := arrival_left_ms(snapshot.match, person, now)):
        presence["coming_ms"] = coming
    return presence


def _find_player(snapshot: Snapshot, seat: SeatNumber | None) -> PlayerIndex | None:
    """Return the player of the hand at this seat.

    Returns None for a viewer, and for a seat that was not dealt in.
    """
    hand = snapshot.hand
    if hand is None or snapshot.position is None:
        return None
    return seats.player_at(hand.players, seat)


def _count_cards(snapshot: Snapshot, seat: SeatNumber) -> int | None:
    player, position = _find_player(snapshot, seat), snapshot.position
    if position is None and snapshot.match.phase == Match.Phase.PLAYING:
        return None  # viewers see this once the hand is over
    return position.counts[player] if position is not None and player is not None else 0


def _has_said_uno(snapshot: Snapshot, seat: SeatNumber) -> bool:
    player, position = _find_player(snapshot, seat), snapshot.position
    return position is not None and player is not None and bool(position.said >> player & 1)


def _build_piles(snapshot: Snapshot) -> table.Piles:
    """Return the public state of the hand: turn, piles and penalty."""
    position, hand = snapshot.position, snapshot.hand
    if position is None or hand is None:
        return {
            "turn": None,
            "direction": 1,
            "color": None,
            "top": None,
            "discard": [],
            "draw_pile": 0,
            "discard_pile": 0,
            "penalty": None,
        }
    # If the match ended during a hand, no seat has a turn or owes cards.
    playing = snapshot.match.phase == Match.Phase.PLAYING
    turn = position.turn if playing else None
    actor = PlayerIndex(position.actor)
    owed: OwedPenalty = {"cards": position.owed, "seat": seats.seat_of(hand.players, actor)}
    return {
        "turn": None if turn is None else seats.seat_of(hand.players, PlayerIndex(turn)),
        "direction": position.direction,
        "color": position.color,
        "top": position.top,
        "discard": position.notations(position.discard[-DISCARD_SHOWN:]),
        "draw_pile": len(position.draw),
        "discard_pile": len(position.discard),
        "penalty": owed if position.owed and playing else None,
    }


def _build_own_part(
    snapshot: Snapshot, seat: SeatNumber | None, now: datetime, terse: bool
) -> table.Own:
    """Return the seat's cards, the cards revealed to it, its possible actions and its prompt."""
    player, position, hand = _find_player(snapshot, seat), snapshot.position, snapshot.hand
    if player is None or position is None or hand is None:
        return _build_viewer_part(snapshot)
    in_play = snapshot.match.phase == Match.Phase.PLAYING and not snapshot.match.paused
    with_reasons = not terse or (in_play and position.turn == player)
    view = position.view(player, now.timestamp(), with_reasons=with_reasons)
    drawn, offered = view["drawn"], view["actions"] if in_play else []
    return {
        "cards": _list_held_cards(
            hand, view, in_play, "" if in_play or terse else _build_prompt(snapshot, None)
        ),
        "seen": seats.renumber(view["seen"], hand.players),
        "drawn": _build_handles(hand, view["cards"])[_find_last_index(view["cards"], drawn)]
        if drawn
        else None,
        "may": _build_may(snapshot, view, hand, now, in_play),
        "actions": [seats.action_for(action, hand.players) for action in offered],
        "draw_label": _build_draw_label(snapshot, player),
        "prompt": _build_prompt(snapshot, view),
    }


def _build_viewer_part(snapshot: Snapshot) -> table.Own:
    position = snapshot.position
    return {
        "cards": [],
        "seen": {},
        "drawn": None,
        "may": NOTHING_ALLOWED,
        "actions": [],
        "draw_label": _("Draw"),
        "prompt": _build_prompt(snapshot, position.view(None) if position else None),
    }


def _build_handles(hand: Hand, cards: list[str]) -> list[str]:
    """Return an id for each of the player's cards.

    A card keeps its id while other cards are added or removed.
    """
    counts: dict[str, int] = {}
    handles = []
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
        handles.append(f"h{hand.number}-{card}-{counts[card]}")
    return handles


def _find_last_index(cards: list[str], card: str) -> int:
    return len(cards) - 1 - cards[::-1].index(card)


def _list_held_cards(
    hand: Hand, view: PlayerView, in_play: bool, default_reason: str
) -> list[table.HeldCard]:
    playable = view["playable"] if in_play else []
    return [
        {
            "id": handle,
            "card": card,
            "playable": card in playable,
            "why": "" if card in playable else view["why"].get(card, default_reason),
        }
        for handle, card in zip(_build_handles(hand, view["cards"]), view["cards"], strict=True)
    ]


def _build_may(
    snapshot: Snapshot, view: PlayerView, hand: Hand, now: datetime, in_play: bool
) -> table.May:
    may, rules = view["may"], snapshot.rules
    if not in_play:
        return {**NOTHING_ALLOWED, "colors": may["colors"]}
    ocho = [card for card in view["playable"] if rules.card(card).ocho]
    uno = any(action.get("uno") for action in view["actions"])
    return {
        **may,
        "uno": uno,
        "ocho": ocho,
        "catch": [seats.seat_of(hand.players, PlayerIndex(player)) for player in may["catch"]],
        "windows": uno_windows(snapshot, PlayerIndex(view["seat"]), may, now),
    }


def _build_draw_label(snapshot: Snapshot, player: int) -> str:
    position = snapshot.position
    if position is not None and position.owed and position.turn == player:
        return _("Draw {cards}").format(cards=position.owed)
    return _("Draw") if snapshot.rules.draw == "one" else _("Draw until one fits")


def _build_prompt(snapshot: Snapshot, view: PublicView | None) -> str:
    match, hand = snapshot.match, snapshot.hand
    if match.paused:
        return notes.describe_stop(match) or _(PAUSED)
    if match.phase == Match.Phase.PLAYING and hand is not None and snapshot.position is None:
        return _(HIDDEN_HAND).format(number=hand.number)
    if match.phase == Match.Phase.BETWEEN and hand is not None and hand.void:
        return _(REDONE).format(number=hand.number)
    if match.phase != Match.Phase.PLAYING or hand is None or view is None:
        prompt = PROMPTS[Match.Phase(match.phase)]
        return _(prompt) if prompt else ""
    return explain.prompt(view, snapshot.rules, snapshot.names(hand))
