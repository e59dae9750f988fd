"""The log in words, and the same as events for animation."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games import seats
from games.models import Action, Hand
from games.rules import explain
from games.store import SNAPSHOTS, Snapshot

LINES = 30
# Room in the numbering: action 3 of hand 2 has the lines 200300, 200301 …
PER_ACTION, PER_HAND = 100, 100_000
# Older events than these are told by the log alone.
RECENT_ACTIONS = 20

TIMEOUT = "Time is up for {}."

Line = dict[str, Any]


@lru_cache(SNAPSHOTS)
def lines(snapshot: Snapshot) -> list[Line]:
    """The last lines of the hand's log, oldest first; `n` grows and stays the line's own."""
    hand = snapshot.hand
    if hand is None:
        return []
    names = snapshot.names(hand)
    found: list[Line] = []
    for action in reversed(snapshot.actions[-LINES:]):
        found[:0] = action_lines(action, hand, names)
        if len(found) >= LINES:
            return found[-LINES:]
    texts = opening_texts(hand, {seat.number: seat.name for seat in snapshot.seats})
    opening = [
        {"n": n, "seat": None, "text": text, "auto": ""}
        for n, text in enumerate(texts, hand.number * PER_HAND)
    ]
    return [*opening, *found][-LINES:]


def action_lines(action: Action, hand: Hand, names: list[str]) -> list[Line]:
    """What one action did, a line per event."""
    texts = [explain.sentence(event, names) for event in action.events]
    if action.auto == "timeout":
        texts[0] = f"{TIMEOUT.format(names[action.seat])} {texts[0]}"
    seat = hand.players[action.seat]
    start = hand.number * PER_HAND + action.number * PER_ACTION
    told = [pair for pair in zip(texts, action.events, strict=True) if pair[0]]
    return [
        {"n": start + i, "seat": seat, "text": text, "auto": action.auto, **_pictures(event)}
        for i, (text, event) in enumerate(told)
    ]


def _pictures(event: Mapping[str, Any]) -> Line:
    """The card played and the colour named, which a line shows beside its words."""
    return {name: event[name] for name in ("card", "color") if event.get(name)}


def opening_texts(hand: Hand, names: Mapping[int, str]) -> list[str]:
    """Who deals and why, and what the card turned up did; `names` by seat of the match."""
    texts = []
    for drawn in hand.opening.get("dealer_drawn", []):
        each = [f"{names[int(s)]} {explain.card_name(card)}" for s, card in drawn.items()]
        texts.append(f"Drawn for the deal: {', '.join(each)}.")
    texts.append(f"{names[hand.dealer]} deals hand {hand.number}.")
    playing = [names[number] for number in hand.players]
    return texts + [explain.sentence(one, playing) for one in hand.opening.get("events", [])]


def events_since(snapshot: Snapshot, seat: int | None, version: int) -> list[dict[str, Any]]:
    """What happened after `version` of the hand being played, as this seat may know it.

    Nothing before a client's first view (version below 0).
    """
    hand = snapshot.hand
    if hand is None or version < 0:
        return []
    events: list[dict[str, Any]] = []
    if snapshot.match.state.get("dealt", 0) > version:
        events.append({"event": "dealt", "seat": hand.players.index(hand.dealer)})
        events += hand.opening.get("events", [])
    for action in snapshot.actions[-RECENT_ACTIONS:]:
        if action.version > version:
            events += action.events
    total = len(snapshot.seats)
    return [seats.event_for(event, hand.players, total, seat) for event in events]
