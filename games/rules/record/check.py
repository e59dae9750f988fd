"""Check of a hand record: the engine replays the hand, and the results have to match the record."""

from __future__ import annotations

from collections.abc import Iterable

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.chance import ChanceError
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import UnfairError, deck_of
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.record.chance import CheckedChance, chance_of
from games.rules.record.expectations import RecordMismatchError, check_expect, compare, json_text
from games.rules.record.log import RecordEntry
from games.rules.record.reading import Record, read
from games.rules.record.shuffle import commitment
from games.rules.scoring import MatchScore
from games.rules.untrusted_json import InvalidJsonError


def check(data: object) -> str | None:
    """Return the first error in a record, or None if there is none.

    This function never raises an exception.
    """
    try:
        record = read(data)
        if record.deck is not None or record.position is not None:
            _check_hand(record)
        if record.match is not None:
            _check_match(record)
    except (InvalidJsonError, RecordMismatchError) as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    return None


def _check_hand(record: Record) -> None:
    if record.commitment and record.deck is not None:
        expected = commitment(record.deck, record.nonce)
        compare("commitment", record.commitment.lower(), expected)
    if record.fair is not None:
        _check_fair_deal(record, record.fair)
    chance = chance_of(record)
    try:
        hand = _start_hand(record, chance)
    except ChanceError as error:
        raise RecordMismatchError(str(error)) from None
    for n, entry in enumerate(record.entries):
        try:
            _check_step(hand, entry, chance)
        except (RecordMismatchError, ChanceError) as error:
            raise RecordMismatchError(f"entry {n}: {error}") from None
    chance.check_used_up()


def _check_fair_deal(record: Record, fair: FairDeal) -> None:
    if fault := fair.find_fault():
        raise RecordMismatchError(f"fair: {fault}")
    try:
        deck, dealer = deck_of(fair.dealt, record.rs), fair.dealer(record.rs)
    except UnfairError as error:
        raise RecordMismatchError(f"fair: {error}") from None
    compare("fair: points", record.points, fair.points(record.rs))
    compare("dealer", record.dealer, dealer)
    if record.deck != deck:
        raise RecordMismatchError("deck: it is not what secret and shares make")


def _start_hand(record: Record, chance: CheckedChance) -> Position:
    if record.deck is not None:
        return Position.deal(record.rs, record.seats, record.dealer, record.deck, chance)
    assert record.position is not None
    return Position.set_up(record.rs, **record.position, dealer=record.dealer, chance=chance)


def _check_step(hand: Position, entry: RecordEntry, chance: CheckedChance) -> None:
    if entry.action is None:
        check_expect(hand, entry.expect or {})
    elif entry.refused is False:
        _check_accepted(hand, entry, entry.action, chance)
    else:
        _check_refused(hand, entry, entry.action)


def _check_accepted(
    hand: Position, entry: RecordEntry, action: Action, chance: CheckedChance
) -> None:
    chance.start_action(hand, entry)
    try:
        events = hand.apply(entry.seat, action)
    except IllegalActionError as refusal:
        raise RecordMismatchError(f"refused as {refusal.code}: {refusal.sentence}") from None
    chance.finish_action(entry, _find_revealed_cards(entry.seat, events))


def _find_revealed_cards(seat: int, events: Iterable[Event]) -> dict[str, str]:
    for event in events:
        if event["event"] == "revealed":
            return event["private"][str(seat)]["cards"]
    return {}


def _check_refused(hand: Position, entry: RecordEntry, action: Action) -> None:
    before = hand.to_json()
    try:
        hand.apply(entry.seat, action)
    except IllegalActionError as refusal:
        if hand.to_json() != before:
            raise RecordMismatchError("refused: the refusal has changed the hand") from None
        if isinstance(entry.refused, str):
            compare("refused", entry.refused, refusal.code)
        return
    raise RecordMismatchError(
        f"refused: expected {json_text(entry.refused)}, got an accepted action"
    )


# --- matches


def _check_match(record: Record) -> None:
    assert record.match is not None
    score = MatchScore(record.rs, record.seats)
    for n, points in enumerate(record.match["hands"]):
        try:
            score.add(points)
        except ValueError as error:
            raise RecordMismatchError(f"match: hand {n}: {error}") from None
    got = {
        "totals": score.totals,
        "over": score.over,
        "winners": score.winners,
        "out": score.out,
    }
    for key, expected in record.match["expect"].items():
        compare(f"match: {key}", expected, got[key])
