"""Replays and records of finished hands.

`Match.replays` determines when everyone may see the cards of a hand. Players can always see their
own cards.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast

from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.models import Hand, LoggedAction, Match, Seat
from games.protocol.replay import Could, ReplayStep, StepFacts
from games.protocol.table import Auto
from games.rules import record
from games.rules.fair.attempts import FairDeal
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.words import words
from games.rules.words.words import isolate
from games.seats import PlayerIndex, SeatNumber, action_for, seat_of
from games.store import Snapshot
from games.tables.log import action_lines, dealt_texts
from games.tables.playback import REPLAY_ERRORS, positions


def is_replay_open(match: Match, hand: Hand) -> bool:
    """Return whether the replay of the hand is available.

    Pass the match and the hand in the state that the requesting user may see.
    """
    if match.replays == Match.Replays.HAND:
        return hand.ended_at is not None
    return match.phase == Match.Phase.OVER and hand.dealt_at is not None


def shows_cards(match: Match) -> bool:
    """Return whether the match's replays show the cards of all players, and there are records."""
    return match.replays != Match.Replays.NEVER


def may_review(snapshot: Snapshot) -> bool:
    """Return whether a review of the match may be shown.

    The match must be over, with its places and cards visible. Pass the snapshot that the requesting
    user may see.
    """
    match = snapshot.match
    if match.viewers_until is not None:
        return False
    return match.phase == Match.Phase.OVER and shows_cards(match) and bool(snapshot.finished)


def replay(hand: Hand, seat: SeatNumber | None = None) -> list[ReplayStep]:
    """Return all steps of a hand whose replay is open, with the cards that this seat may see.

    `seat` is None for a viewer. Each step also has the number of cards of every player.
    """
    shown = set(hand.players) if shows_cards(hand.match) else {seat}
    match_seats = hand.match.seats.all()
    steps: list[ReplayStep] = []
    for action, position in positions(hand):
        played = len(steps) - 1 if action else 0
        names = {one.number: isolate(one.player_name(hand.number, played)) for one in match_seats}
        if action is None:
            texts = dealt_texts(hand, names, position.rs)
        else:
            playing = [names[number] for number in hand.players]
            texts = [line["text"] for line in action_lines(action, hand, playing, position.rs)]
        step: ReplayStep = {
            "step": len(steps),
            **_build_step_facts(hand, action, position),
            "cards": {
                str(number): position.cards(player)
                for player, number in enumerate(hand.players)
                if number in shown
            },
            "could": _list_possible_plays(hand, position, shown, names),
            "texts": texts,
        }
        steps.append(step)
    return steps


@dataclass(frozen=True)
class DealerDraw:
    """The cards that a player drew when the first dealer was chosen.

    * `cards`: one for each draw. None where only other players drew again after a tie.
    * `deals`: true if the player became the dealer.
    """

    name: str
    cards: list[str | None]
    deals: bool


def list_dealer_draws(hand: Hand) -> list[DealerDraw]:
    """Return the cards drawn to choose the first dealer, by seat, or [] if none were drawn."""
    rounds = hand.opening.get("dealer_drawn", [])
    seats = hand.match.seats.all() if rounds else []
    return [
        DealerDraw(seat.player_name(hand.number, 0), cards, seat.number == hand.dealing)
        for seat in seats
        if any(cards := [drawn.get(str(seat.number)) for drawn in rounds])
    ]


def _build_step_facts(hand: Hand, action: LoggedAction | None, position: Position) -> StepFacts:
    """Return the public facts of one step, with players converted to seats of the match."""
    turn = position.turn
    return {
        "seat": seat_of(hand.players, action.player) if action else None,
        "auto": cast(Auto, action.auto if action else ""),
        "at": (action.at if action else hand.dealt_at).isoformat(),  # type: ignore[union-attr]
        "action": action_for(action.action, hand.players) if action else None,
        "counts": dict(zip(map(str, hand.players), position.counts, strict=True)),
        "turn": None if turn is None else seat_of(hand.players, PlayerIndex(turn)),
        "direction": position.direction,
        "color": position.color,
        "top": position.top,
        "discard": position.notations(position.discard[-3:]),
        "discard_pile": len(position.discard),
        "draw_pile": len(position.draw),
        "penalty": {
            "cards": position.owed,
            "seat": seat_of(hand.players, PlayerIndex(position.actor)),
        }
        if position.owed
        else None,
        "said_uno": [
            seat for player, seat in enumerate(hand.players) if position.said >> player & 1
        ],
        "over": position.over,
    }


def _list_possible_plays(
    hand: Hand, position: Position, visible: Collection[int | None], names: Mapping[SeatNumber, str]
) -> Could:
    """Return the cards that could be played at this step, and a sentence about them.

    Both are empty if it is the turn of a player whose cards are hidden.
    """
    turn = position.turn
    seat = None if turn is None else seat_of(hand.players, PlayerIndex(turn))
    if turn is None or seat is None or seat not in visible:
        return {"cards": [], "text": ""}
    playable = position.playable(turn)
    if not playable:
        text = _("{name} couldn’t play any card at this point.")
        return {"cards": [], "text": text.format(name=names[seat])}
    cards = words.join_names(words.card_names(position.rs, playable), "or")
    text = _("{name} could have played {cards} at this point.")
    return {"cards": playable, "text": text.format(name=names[seat], cards=cards)}


def record_file(hand: Hand) -> tuple[str, str]:
    """Return the file name and the text of a hand's record."""
    text = json.dumps(hand_record(hand), indent=1, ensure_ascii=False)
    return f"{slugify(f'{hand.match}-hand-{hand.number}')}.json", text


def hand_record(hand: Hand) -> record.HandRecord:
    """Return the record of a hand with all inputs to its deal.

    The caller must have checked `shows_cards`. If the database was edited, the deck, the log and
    the rules may not fit together. The record then contains the stored values, so that checking it
    reveals the mismatch.
    """
    match = hand.match
    actions = list(hand.actions.order_by("number"))
    seats = {seat.number: seat for seat in match.seats.all()}
    chance = [*hand.opening["chance"], *(drawn for action in actions for drawn in action.chance)]
    assert hand.dealt_at is not None
    write_record = partial(
        record.write,
        name=str(hand),
        rs=rulesets.make(match.ruleset, match.options),
        seats=len(hand.players),
        dealer=hand.players.index(hand.dealing),
        deck=hand.deck,
        actions=[
            {
                **action.action,
                "seat": action.player,
                "at": round((action.at - hand.dealt_at).total_seconds(), 3),
            }
            for action in actions
        ],
        chance=chance,
        names=[seats[number].player_name(hand.number, 0) for number in hand.players],
        sitters=_list_sitters(hand, seats),
        nonce=hand.nonce,
        commitment=hand.commitment,
        fair=_get_fair_deal(hand),
    )
    try:
        return write_record()
    except REPLAY_ERRORS:
        return write_record(as_stored=True)


def _list_sitters(hand: Hand, seats: Mapping[SeatNumber, Seat]) -> list[record.Sitter]:
    """Return the people and bots who took over a seat while the hand was played."""
    return [
        {"seat": player, "name": sitter.name, "from": sitter.after}
        for player, number in enumerate(hand.players)
        for sitter in seats[number].sitters.list_arrivals(hand.number)
    ]


def _get_fair_deal(hand: Hand) -> FairDeal | None:
    """Return the ingredients of the deal, or None for an old hand that was shuffled in advance."""
    dealt = hand.deals.dealt
    if dealt is None:
        return None
    return FairDeal(dealt.opened, tuple(attempt.opened for attempt in hand.deals.void))
