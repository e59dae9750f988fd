"""Hand records: loading, checking and writing.

docs/hand-record.md describes the format and its versions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from games.rules.actions.actions import Action
from games.rules.chance import RecordedChance
from games.rules.fair.attempts import FairDeal
from games.rules.hand.position import Position
from games.rules.record.check import check
from games.rules.record.matches import check_matches, describe_signers
from games.rules.record.reading import FAIR_FORMAT, FORMAT, SIGNED_FORMAT
from games.rules.ruleset.options import Value
from games.rules.ruleset.rulesets import RuleSet

# A player who took over a seat during the hand. `from` is the first log entry after the change.
Sitter = TypedDict("Sitter", {"seat": int, "name": str, "from": int})


class HandRecord(TypedDict):
    """Record of a hand that was dealt from a deck, as returned by ``write``."""

    format: str
    name: str
    ruleset: str
    options: dict[str, Value]
    seats: int
    dealer: int
    deck: list[str]
    reshuffles: list[list[str]]
    log: list[dict[str, object]]
    names: NotRequired[list[str]]
    sitters: NotRequired[list[Sitter]]
    commitment: NotRequired[str]
    nonce: NotRequired[str]
    fair: NotRequired[dict[str, object]]


def load(content: bytes) -> list[Any]:
    """Return the records in a file's content, which is either one record or a list.

    Raises ValueError if the content is not JSON.
    """
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not JSON: {error}") from None
    return data if isinstance(data, list) else [data]


def name_of(data: object) -> str:
    """Return the record's name, or an empty string if it has none."""
    name = data.get("name") if isinstance(data, Mapping) else None
    return name.strip() if isinstance(name, str) else ""


def write(
    *,
    name: str,
    rs: RuleSet,
    seats: int,
    dealer: int,
    deck: Sequence[str],
    actions: Iterable[Mapping[str, object]],
    chance: Iterable[list[str] | int] = (),
    names: Sequence[str] = (),
    sitters: Sequence[Sitter] = (),
    nonce: str = "",
    commitment: str = "",
    fair: FairDeal | None = None,
    as_stored: bool = False,
) -> HandRecord:
    """Return the complete record of a hand that was dealt from a deck.

    * ``actions``: actions as JSON, with "seat" and, optionally, "at" (seconds since the deal).
    * ``chance``: the results that a RecordingChance recorded for the deal and all actions.
    * ``sitters``: players who took over a seat during the hand.
    * ``nonce``, ``commitment``: the nonce and the commitment of a deck that was shuffled in
      advance, for version 1.
    * ``fair``: the fair deal. The record then has version 2, or 3 if devices signed.
    * ``as_stored``: true to write the actions without replaying them.

    Unless ``as_stored`` is set, the hand is replayed, and its result is appended to the log as an
    expectation. Raises ChanceError, IllegalActionError or OptionError if the hand cannot have been
    played in this way.
    """
    results, log = list(chance), [dict(action) for action in actions]
    if not as_stored:
        hand = Position.deal(rs, seats, dealer, deck, RecordedChance(results, rs.pack))
        log = [_write_entry(hand, action, with_held=fair is not None) for action in log]
        log.append({"expect": _write_result(hand)})
    record: HandRecord = {
        "format": _choose_format(fair),
        "name": name,
        "ruleset": rs.key,
        "options": rs.changed_options(),
        "seats": seats,
        "dealer": dealer,
        "deck": list(deck),
        "reshuffles": [result for result in results if isinstance(result, list)],
        "log": log,
    }
    if names:
        record["names"] = list(names)
    if sitters:
        record["sitters"] = list(sitters)
    if fair:
        record["fair"] = _write_fair_deal(fair, rs)
    elif commitment:
        record["commitment"], record["nonce"] = commitment, nonce
    return record


def _choose_format(fair: FairDeal | None) -> str:
    if fair is None:
        return FORMAT
    return SIGNED_FORMAT if fair.has_signatures else FAIR_FORMAT


def _write_fair_deal(deal: FairDeal, rs: RuleSet) -> dict[str, object]:
    points = deal.points(rs)
    return deal.to_json() | ({} if points is None else {"points": points})


def _write_entry(hand: Position, entry: dict[str, Any], *, with_held: bool) -> dict[str, object]:
    action = {key: value for key, value in entry.items() if key not in ("seat", "at")}
    held = [hand.cards(seat) for seat in range(hand.seats)]
    for event in hand.apply(entry["seat"], Action.from_json(action)):
        if event["event"] == "revealed":
            entry["reveals"] = event["private"][str(entry["seat"])]["cards"]
            if with_held:
                entry["held"] = {seat: held[int(seat)] for seat in entry["reveals"]}
    return entry


def _write_result(hand: Position) -> dict[str, object]:
    result: dict[str, object] = {"over": hand.over, "winner": hand.winner, "points": hand.points}
    if hand.turn is not None:
        result["turn"] = hand.turn
    return result | {"counts": hand.counts}
