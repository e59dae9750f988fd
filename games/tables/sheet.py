"""Score of a match, and the score sheet shown between hands and at the end."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, cast

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import timing
from games.models import Hand, Match, Seat
from games.process import here
from games.process.components import Component
from games.process.lru import LruCache
from games.protocol.table import Ended, SheetLinks, SheetRow, SheetView
from games.rules import scoring
from games.rules.bots.bots import EMPTY
from games.rules.ruleset import rulesets
from games.rules.scoring import MatchScore
from games.seats import SeatNumber
from games.store import CACHED, Snapshot
from games.tables.replay import is_replay_open, may_review, shows_cards
from games.tables.stories import describe_hand, describe_match


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a match.

    * `hands`: for each hand finished in this match, the points by seat.
    * `totals`: the total points by seat, including hands carried over from before the match.
    * `left`: by seat, the points of the cards left in hand, summed over all hands.
    * `places`: by seat, starting at 1. Equal scores share a place.
    * `winners`: the winning seats. Empty until the match is over, and for an abandoned match.
    * `out`: the eliminated seats.
    """

    totals: list[int]
    left: list[int]
    hands: list[list[int]]
    places: list[int]
    over: bool
    winners: list[int]
    out: list[int]
    hands_played: int


class Scores(Component):
    """Cached scores by match, each with the snapshot from which it was computed."""

    def __init__(self) -> None:
        self.known: LruCache[int, tuple[Snapshot, Score]] = LruCache(CACHED)


def score_of(snapshot: Snapshot) -> Score:
    """Return the score of the match. It is computed only once per hand."""
    match, scores = snapshot.match, here().part(Scores).known
    cached = scores.get(match.pk)
    if cached is None or not _is_same_score(cached[0], snapshot):
        cached = snapshot, _compute_score(match, snapshot.rules, snapshot.seats, snapshot.hands)
        scores.set(match.pk, cached)
    return cached[1]


def previous_score(snapshot: Snapshot, hand: Hand) -> Score:
    """Return the score before this hand."""
    earlier = [other for other in snapshot.hands if other.number < hand.number]
    return _compute_score(snapshot.match, snapshot.rules, snapshot.seats, earlier)


def _is_same_score(before: Snapshot, now: Snapshot) -> bool:
    """Return whether both snapshots certainly have the same score."""
    same = before.hands is now.hands and before.seats is now.seats
    previous, match = before.match, now.match
    return same and (previous.phase, previous.ended) == (match.phase, match.ended)


def score(match: Match) -> Score:
    """Compute the match's score from its finished hands.

    The match's `hands` and `seats` should be prefetched.
    """
    rules = rulesets.make(match.ruleset, match.options)
    return _compute_score(match, rules, match.seats.all(), match.hands.all())


def _compute_score(
    match: Match, rules: rulesets.RuleSet, at_table: Collection[Seat], hands: Iterable[Hand]
) -> Score:
    seats = len(at_table)
    finished = [hand for hand in hands if hand.points is not None and not hand.void]
    points: list[list[int]] = [
        hand.points or [] for hand in sorted(finished, key=lambda hand: hand.number)
    ]
    total = MatchScore(rules, seats, [*match.before, *points])
    empty = {seat.number for seat in at_table if seat.bot == EMPTY}
    places = scoring.place_last(total.places(), empty)
    return Score(
        totals=total.totals,
        left=[sum(hand.left[seat] for hand in finished if hand.left) for seat in range(seats)],
        hands=points,
        places=places,
        over=match.phase == Match.Phase.OVER,
        winners=_find_winners(match, total, places, empty) if points or match.before else [],
        out=total.out,
        hands_played=len(points),
    )


def _find_winners(
    match: Match, total: MatchScore, places: Sequence[int], empty: Collection[int]
) -> list[int]:
    """Return the winning seats. If the target was not reached, the best score wins.

    Seats in `empty` never win.
    """
    if match.phase != Match.Phase.OVER or match.ended == Match.MatchEnding.ABANDONED:
        return []
    if total.over and not empty:
        return total.winners
    return [seat for seat, place in enumerate(places) if place == 1 and seat not in empty]


def sheet(snapshot: Snapshot, score: Score, now: datetime) -> SheetView | None:
    """Return the score sheet, or None while a hand is played.

    The sheet's `hand` is the last finished hand, or None if there is none.
    """
    match = snapshot.match
    if match.phase not in (Match.Phase.BETWEEN, Match.Phase.OVER):
        return None
    hand = snapshot.finished[-1] if snapshot.finished else None
    current = snapshot.hand
    if match.phase == Match.Phase.BETWEEN and (hand is None or hand is not current):
        return None  # the last hand is being dealt again, or no hand has been played yet
    winner = hand.winner if hand and not _hides_places(match, score) else None
    winners = _list_known_winners(snapshot, score)
    return {
        "hand": hand.number if hand else None,
        "winner": winner,
        "winner_name": snapshot.seats[winner].said if winner is not None else None,
        "blocked": hand is not None and hand.winner is None,
        "story": _build_story(snapshot, score, winners),
        "rows": _list_rows(snapshot, hand, score),
        "next_ms": _compute_next_ms(snapshot, now),
        **_build_next_hand(snapshot),
        "over": score.over,
        "ended": cast(Ended, match.ended),
        "ended_text": ended_text(match),
        "winners": winners,
        "picture": bool(winners) and match.viewers_until is None,
        "start": match.start,
        "hands": score.hands,
        "numbers": [hand.number for hand in snapshot.finished],
        "links": _build_links(snapshot, hand),
        "commitment": hand.commitment if hand else None,
        "next_commitment": _find_next_commitment(snapshot),
    }


def _build_story(snapshot: Snapshot, score: Score, winners: list[int]) -> str:
    """Return the story of the last hand, or of the match if it is over.

    The story is empty while the places of a finished match are hidden.
    """
    if _hides_places(snapshot.match, score):
        return ""
    if score.over:
        return describe_match(snapshot, score.hands, winners)
    return describe_hand(snapshot)


class _NextHand(TypedDict):
    next_hand: int | None
    waits_for: list[int]
    ready: list[int]


def _build_next_hand(snapshot: Snapshot) -> _NextHand:
    """Return the number of the next hand, and which of its seats the table waits for."""
    hand = snapshot.prepared
    if hand is None or snapshot.match.phase != Match.Phase.BETWEEN:
        return {"next_hand": None, "waits_for": [], "ready": []}
    people = [seat for seat in hand.players if snapshot.seats[seat].holder is not None]
    return {
        "next_hand": hand.number,
        "waits_for": [int(seat) for seat in people],
        "ready": [int(seat) for seat in snapshot.match.state.ready],
    }


def _find_next_commitment(snapshot: Snapshot) -> str | None:
    if snapshot.prepared is None or snapshot.match.phase != Match.Phase.BETWEEN:
        return None
    return snapshot.prepared.commitment


def _list_rows(snapshot: Snapshot, hand: Hand | None, score: Score) -> list[SheetRow]:
    """Return the rows of the sheet, or [] for an abandoned match whose points do not count."""
    if snapshot.match.ended == Match.MatchEnding.ABANDONED and not snapshot.match.goes_on:
        return []
    points = hand.points if hand and hand.points else [0] * len(snapshot.seats)
    before, places = _find_previous_places(snapshot, score), _list_known_places(snapshot, score)
    return [
        {
            "seat": seat.number,
            "name": seat.said,
            "points": points[seat.number],
            "total": score.totals[seat.number],
            "place": places[seat.number] if places else None,
            "before": before[seat.number] if before and places else None,
            "cards_left": _list_cards_left(snapshot, hand, seat.number),
        }
        for seat in snapshot.seats
    ]


def _hides_places(match: Match, score: Score) -> bool:
    """Return whether the match is over but players see only its points, not its places."""
    return score.over and match.viewers_until is not None


def _has_tie_for_event(snapshot: Snapshot, score: Score) -> bool:
    """Return whether the event's tie-breaks have to separate players with equal points."""
    if not score.over or snapshot.rules.partners or not snapshot.match.links.get("event"):
        return False
    return len(set(score.places)) < len(score.places)


def _list_known_winners(snapshot: Snapshot, score: Score) -> list[int]:
    """Return the winners, or [] if they are hidden or still tied in the event."""
    if _hides_places(snapshot.match, score):
        return []
    tied = len(score.winners) > 1 and _has_tie_for_event(snapshot, score)
    return [] if tied else score.winners


def _list_known_places(snapshot: Snapshot, score: Score) -> list[int | None]:
    """Return the places by seat, or [] if the event hides them.

    A shared place is None if the event's tie-breaks have to separate the players.
    """
    if snapshot.match.viewers_until is not None:
        return []
    tie = _has_tie_for_event(snapshot, score)
    return [None if tie and score.places.count(place) > 1 else place for place in score.places]


def _find_previous_places(snapshot: Snapshot, score: Score) -> list[int]:
    """Return the places before the last finished hand, or [] if there were no earlier hands."""
    hands = [*snapshot.match.before, *score.hands[:-1]]
    if not hands:
        return []
    earlier = MatchScore(snapshot.rules, len(snapshot.seats), hands)
    empty = {seat.number for seat in snapshot.seats if seat.bot == EMPTY}
    return scoring.place_last(earlier.places(), empty)


def _list_cards_left(snapshot: Snapshot, hand: Hand | None, seat: SeatNumber) -> list[str]:
    position = snapshot.position
    if hand is None or position is None or hand is not snapshot.hand or seat not in hand.players:
        return []
    return position.cards(hand.players.index(seat))


def _compute_next_ms(snapshot: Snapshot, now: datetime) -> int | None:
    match, hand = snapshot.match, snapshot.prepared
    if match.phase != Match.Phase.BETWEEN or match.due is None:
        return None
    left = match.due - (match.paused_at or now)
    if hand is not None and hand.deals:
        # `due` is the time at which the list closes. After that, the table waits only for shares.
        left = timing.NO_TIME if hand.deals.closed else left + timing.closing_lead(match)
    return max(0, int(left.total_seconds() * 1000))


def ended_text(match: Match) -> str:
    """Return a sentence about why the match is over, or "" if it is not over."""
    if match.ended == Match.MatchEnding.HAND_LIMIT:
        hands = match.hand_limit or 0
        text = ngettext(
            "The only hand has been played.", "All {count} hands have been played.", hands
        )
        return text.format(count=hands)
    if match.ended == Match.MatchEnding.ABANDONED:
        reason = describe_reason(match, match.ended_reason)
        if match.goes_on:
            text = _("This match continues elsewhere with these points. Reason: {reason}")
            return text.format(reason=reason)
        return _("The match was abandoned: {reason}").format(reason=reason)
    if match.ended == Match.MatchEnding.TARGET:
        target = rulesets.make(match.ruleset, match.options).target
        return _("The target of {target} points was reached.").format(target=target)
    sentences = {
        "": "",
        Match.MatchEnding.TIME: _("Time ran out. The points from the finished hands count."),
    }
    return sentences[match.ended]


def describe_reason(match: Match, reason: str) -> str:
    """Describe the reason for abandoning a match or voiding a hand.

    `reason` is a value of Match.Reason or an organizer's text. In practice, where there is no
    organizer, any other reason means that the player started a new match.
    """
    if reason in Match.Reason.values:
        return str(Match.Reason(reason).label)
    return _("A new practice match was started.") if match.practice else reason


def _build_links(snapshot: Snapshot, hand: Hand | None) -> SheetLinks:
    """Return the links to the available replays, record and review."""
    match = snapshot.match
    if hand is None or not is_replay_open(match, hand):
        return {"replay": None, "record": None, "replays": [], "review": None}
    record = reverse("games:record", args=[match.public_id, hand.number])
    review = reverse("games:review", args=[match.public_id]) if may_review(snapshot) else None
    return {
        "replay": reverse("games:replay", args=[match.public_id, hand.number]),
        "record": record if shows_cards(match) else None,
        "replays": [
            reverse("games:replay", args=[match.public_id, finished.number])
            for finished in snapshot.finished
        ],
        "review": review,
    }
