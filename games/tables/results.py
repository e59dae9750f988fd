"""Data for the pages around the live table: results, replays, and rematches."""

from collections.abc import Sequence
from typing import Any, TypedDict, cast

from django.db.models import F, Q
from django.utils.translation import gettext as _

from games.guests import holder_of
from games.json_values.seat_history import Sitter
from games.models import Hand, Match, Seat
from games.protocol.desk import CountedResult
from games.protocol.faces import Face, faces_at
from games.protocol.replay import ReplayPage, ReplaySeat, StepLuck
from games.protocol.table import Scoring
from games.rules.bots.bots import EMPTY
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words import words
from games.seats import SeatNumber
from games.store import Snapshot
from games.tables.replay import is_replay_open, may_review, replay, shows_cards
from games.tables.sheet import Score, describe_reason, ended_text, previous_score, score_of
from games.tables.stories import describe_match, find_last_card


class SeatRow(TypedDict):
    """A seat with its result.

    * `partner`: the name of the player's partner.
    * `face`: the same as at the table.
    * `out`: true if the seat was eliminated.
    * `sat`: who has held the seat and since when, if there was more than one holder.
    """

    number: int
    name: str
    partner: str
    face: Face
    bot: str
    total: int
    place: int
    won: bool
    out: bool
    sat: str


def running_match(player: Any) -> Match | None:
    """Return the match that this player has to play now, or None.

    Its attribute `player_here` is empty unless the player has a window open at the table.
    """
    if (holder := holder_of(player)) is None:
        return None
    seat = Q(seats__guest=holder) if isinstance(holder, str) else Q(seats__user=holder)
    going = Match.objects.filter(seat, phase__in=(Match.Phase.PLAYING, Match.Phase.BETWEEN))
    # A match of an event takes precedence over practice.
    with_presence = going.annotate(player_here=F("seats__here"))
    return with_presence.order_by("practice", "-started_at").first()


# Practice tables whose bots think for less than this time, in seconds, were started as fast.
MIN_NORMAL_SECONDS = 1.0


def rematch(match: Match) -> dict[str, str | int]:
    """Return the form data with which a practice match can be played again, or {}."""
    if not match.practice:
        return {}
    bots = [seat.bot for seat in match.seats.all()]
    strength = next((bot for bot in bots if bot), "")
    fast = "on" if match.bot_seconds < MIN_NORMAL_SECONDS else ""
    return {"ruleset": match.ruleset, "seats": len(bots), "strength": strength, "fast": fast}


class HandRow(TypedDict):
    """A hand that was dealt.

    * `points`: by seat, or None if the hand is being played or void.
    * `open`: true if the hand's replay is available.
    """

    number: int
    points: list[int] | None
    winner: int | None
    winner_name: str
    note: str
    open: bool


def describe_sitters(seat: Seat) -> str:
    """Describe who has held the seat and since when, or return "" for a single holder."""
    return " ".join(_describe_arrival(sitter) for sitter in seat.sitters.ever)


def _describe_arrival(sitter: Sitter) -> str:
    """Describe when a person or bot took the seat."""
    text = _("From hand {hand}: {name}.")
    if sitter.after:
        text = _("From hand {hand}, after move {after}: {name}.")
    name = _("no one") if sitter.bot == EMPTY else sitter.name
    return text.format(hand=sitter.hand, after=sitter.after, name=words.isolate(name))


class ResultPicture(TypedDict):
    """Data for the script that draws a picture of a finished match.

    * `names`, `points`, `faces`: those of the winners.
    * `at`: when the match ended.
    * `card`: the name of the last card's picture.
    * `colors`: the colours of the deck.
    """

    names: list[str]
    points: int
    story: str
    heading: str
    at: str
    card: str
    faces: list[Face]
    colors: list[str]


class ResultPage(TypedDict):
    """Template context of the result page.

    * `played`: the points of all hands, by seat.
    * `corrected`: true if different points count in the event.
    * `won_with`: the points of each winner, or None.
    * `luck`: true if a luck review can be requested.
    * `story`, `picture`: only present if the match has winners.
    """

    match: Match
    rules: RuleSet
    result: Score
    seats: list[SeatRow]
    winners: list[Seat]
    won_with: int | None
    hands: list[HandRow]
    records: bool
    ended_text: str
    before: list[int]
    luck: bool
    played: list[int]
    corrected: bool
    story: str
    picture: ResultPicture | None


def result_page(snapshot: Snapshot) -> ResultPage:
    """Return the context of the result page, which can be opened at any time."""
    match, score = snapshot.match, score_of(snapshot)
    rows: list[SeatRow] = [
        {
            "number": seat.number,
            "name": seat.name,
            "partner": partner_name(snapshot, seat),
            "face": face,
            "bot": seat.bot,
            "total": score.totals[seat.number],
            "place": score.places[seat.number],
            "won": seat.number in score.winners,
            "out": seat.number in score.out,
            "sat": describe_sitters(seat),
        }
        for seat, face in zip(snapshot.seats, faces_at(snapshot.people()), strict=True)
    ]
    dealt = [hand for hand in snapshot.hands if hand.dealt_at]
    story = describe_match(snapshot, score.hands, score.winners)
    return {
        "match": match,
        "rules": snapshot.rules,
        "result": score,
        "seats": rows,
        "winners": [seat for seat in snapshot.seats if seat.number in score.winners],
        "won_with": score.totals[score.winners[0]] if score.winners else None,
        "hands": [_build_hand_row(snapshot, hand) for hand in dealt],
        "records": shows_cards(match),
        "ended_text": ended_text(match),
        "before": match.start,
        "luck": may_review(snapshot),
        "played": list(score.totals),
        "corrected": False,
        "story": story,
        "picture": _build_picture(snapshot, score, rows, story) if score.winners else None,
    }


def _build_picture(
    snapshot: Snapshot, score: Score, rows: Sequence[SeatRow], story: str
) -> ResultPicture:
    match, winners = snapshot.match, [row for row in rows if row["won"]]
    return {
        "names": [row["name"] for row in winners],
        "points": score.totals[score.winners[0]],
        "story": story,
        "heading": match.heading,
        "at": match.ended_at.isoformat() if match.ended_at else "",
        "card": find_last_card(snapshot),
        "faces": [row["face"] for row in winners],
        "colors": [color["color"] for color in words.color_choices(snapshot.rules)],
    }


def show_event_result(page: ResultPage, counted: CountedResult) -> None:
    """Replace the points and places in the page with those that count in the match's event."""
    for row in page["seats"]:
        row["place"], row["total"] = counted.places[row["number"]], counted.points[row["number"]]
        row["won"] = row["place"] == 1
    seats = list(page["match"].seats.all())
    page["winners"] = [seat for seat in seats if counted.places[seat.number] == 1]
    page["won_with"] = counted.points[counted.places.index(1)]
    page["corrected"] = counted.corrected
    winners = [row for row in page["seats"] if row["won"]]
    if counted.corrected or [row["number"] for row in winners] != page["result"].winners:
        page["story"] = ""  # the story describes the uncorrected points
    if (picture := page["picture"]) is not None:
        picture["names"] = [row["name"] for row in winners]
        picture["faces"] = [row["face"] for row in winners]
        picture["points"], picture["story"] = page["won_with"] or 0, page["story"]


def partner_name(snapshot: Snapshot, seat: Seat) -> str:
    """Return the name of the player's partner, or "" if the rules have no partners."""
    across = (seat.number + 2) % len(snapshot.seats)
    return snapshot.seats[across].name if snapshot.rules.partners else ""


def _build_hand_row(snapshot: Snapshot, hand: Hand) -> HandRow:
    return {
        "number": hand.number,
        "points": hand.points,
        "winner": hand.winner,
        "winner_name": snapshot.seats[hand.winner].said if hand.winner is not None else "",
        "note": _build_remark(snapshot.match, hand),
        "open": is_replay_open(snapshot.match, hand),
    }


def _build_remark(match: Match, hand: Hand) -> str:
    """Return a remark about the hand, such as the reason why it is void, or ""."""
    if hand.ended_at is None:
        return _("In progress")
    if hand.void:
        return _("Void: {reason}").format(reason=describe_reason(match, hand.void_reason))
    blocked = hand.points is not None and hand.winner is None
    return _("Blocked: no one scores") if blocked else ""


def replay_page(
    snapshot: Snapshot,
    hand: Hand,
    seat: SeatNumber | None,
    luck: Sequence[StepLuck] = (),
) -> ReplayPage:
    """Return all data that the replay's script shows to this seat. `seat` is None for a viewer.

    Pass the snapshot that the seat may see. In it, the replay of the hand must be available. `luck`
    contains the results of a luck review for each step.
    """
    match = snapshot.match
    numbers = [shown.number for shown in snapshot.hands if is_replay_open(match, shown)]
    return {
        "hand": hand.number,
        "hands": len(numbers),
        "before": max((number for number in numbers if number < hand.number), default=None),
        "after": min((number for number in numbers if number > hand.number), default=None),
        "you": seat,
        "scoring": cast(Scoring, snapshot.rules.scoring),
        "seats": _build_replay_seats(snapshot, hand),
        "dealer": hand.dealing,
        "points": hand.points,
        "winner": hand.winner,
        "void": hand.void,
        "commitment": hand.commitment,
        "colors": words.color_choices(snapshot.rules),
        "deck": words.deck_facts(snapshot.rules),
        "records": shows_cards(match),
        "steps": replay(hand, seat),
        "luck": list(luck),
    }


def _build_replay_seats(snapshot: Snapshot, hand: Hand) -> list[ReplaySeat]:
    """Return the seats as they were when the hand was dealt."""
    score = previous_score(snapshot, hand)
    faces = faces_at(snapshot.people(hand))
    return [
        {
            "seat": seat.number,
            "name": words.isolate(seat.player_name(hand.number, 0)),
            "face": face,
            "score": score.totals[seat.number],
            "team": seat.number % 2 if snapshot.rules.partners else None,
            "out": seat.number in score.out,
            "playing": seat.number in hand.players,
            "dealer": seat.number == hand.dealing,
        }
        for seat, face in zip(snapshot.seats, faces, strict=True)
    ]
