"""Data for the page “Was it luck?”, the review of a finished match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.urls import reverse
from django.utils.translation import gettext as _

from games.json_values.reviewed import MAX_SHOWN, MatchReview, ReviewedHand, ReviewedMove
from games.models import LoggedAction, Match, Review
from games.protocol.faces import faces_at
from games.reviews.curves import Curves, draw_curves
from games.reviews.figures import PERCENT, Share, build_share, match_shares
from games.reviews.mistakes import cost_of, describe_better_move, margin_of_error
from games.reviews.sentence import summarize_luck
from games.rules.words import words
from games.seats import SeatNumber, seat_of
from games.store import Snapshot
from games.tables.log import action_lines
from games.tables.replay import may_review


@dataclass(frozen=True)
class DescribedMistake:
    """Description of a suboptimal move.

    * `text`: the move that was made.
    * `better`: the better move.
    * `cost`: the difference in percentage points.
    * `error`: the margin of error of `cost`.
    * `replay`: the address of the replay at the step that shows the move.
    """

    number: int
    hand: int
    text: str
    better: str
    cost: int
    error: int
    replay: str


@dataclass(frozen=True)
class HandPage:
    """Review of one hand: the chart, the players' figures, the costliest moves, and a summary."""

    number: int
    curves: Curves
    shares: list[Share]
    moves: list[DescribedMistake]
    text: str


class ReviewPage(TypedDict):
    """Template context of the review page.

    * `asked`: the requested review, or None.
    * `hands`: empty until the review is complete.
    * `sentence`: a summary of the review.
    * `own`: true if the reader had a seat. `moves` then lists only the reader's own moves.
    * `most`: the length of the longest bar in the chart.
    """

    match: Match
    asked: Review | None
    sentence: str
    shares: list[Share]
    most: float
    own: bool
    moves: list[DescribedMistake]
    hands: list[HandPage]


def review_page(snapshot: Snapshot, seat: SeatNumber | None) -> ReviewPage:
    """Return the context of the page for this seat. `seat` is None for a viewer.

    The caller must have checked that the seat may see the match.
    """
    pending = Review.objects.filter(match=snapshot.match).first()
    results = results_of(pending)
    shares = match_shares(snapshot, results.hands)
    formatter = _ReviewFormatter(snapshot, results.hands)
    return {
        "match": snapshot.match,
        "asked": pending,
        "sentence": summarize_luck(shares),
        "shares": shares,
        "most": max((max(abs(each.luck), abs(each.play)) for each in shares), default=0.0),
        "own": seat is not None,
        "moves": formatter.list_match_mistakes(seat),
        "hands": [formatter.build_hand_page(hand) for hand in results.hands],
    }


def review_sentence(snapshot: Snapshot) -> str:
    """Describe the role of luck in the match in one sentence.

    Returns "" if the review is not complete, or if readers may not see it yet.
    """
    if not may_review(snapshot):
        return ""
    pending = Review.objects.filter(match=snapshot.match).first()
    return summarize_luck(match_shares(snapshot, results_of(pending).hands))


def results_of(review: Review | None) -> MatchReview:
    """Return the review's results, without any hands until the review is complete."""
    if review is None or review.answer is None:
        return MatchReview([])
    return MatchReview.from_json(review.answer)


class _ReviewFormatter:
    """Formatter for the reviewed hands of one match."""

    def __init__(self, snapshot: Snapshot, hands: Sequence[ReviewedHand]) -> None:
        self.snapshot = snapshot
        self.rules = snapshot.rules
        self.hands = {hand.number: hand for hand in snapshot.hands}
        self.reviewed = hands
        self.actions = self._load_reviewed_actions()

    def list_match_mistakes(self, seat: SeatNumber | None) -> list[DescribedMistake]:
        """Return the costliest moves of this seat, or of all players if `seat` is None."""
        moves = [
            (hand, move)
            for hand in self.reviewed
            for move in hand.moves
            if seat is None or seat_of(hand.players, move.player) == seat
        ]
        worst = sorted(moves, key=lambda pair: -pair[1].cost)[:MAX_SHOWN]
        return [self._build_mistake(number, *pair) for number, pair in enumerate(worst, 1)]

    def build_hand_page(self, reviewed: ReviewedHand) -> HandPage:
        all_people = self.snapshot.people()
        tones = [face["tone"] for face in faces_at(all_people)]
        people = [all_people[seat] for seat in reviewed.players]
        shares = [
            build_share(person, [account], PERCENT, None)
            for person, account in zip(people, reviewed.accounts, strict=True)
        ]
        moves = [self._build_mistake(n, reviewed, move) for n, move in enumerate(reviewed.worst, 1)]
        drawn = draw_curves(reviewed, people, [tones[seat] for seat in reviewed.players])
        return HandPage(reviewed.number, drawn, shares, moves, self._build_summary(reviewed))

    def _build_summary(self, reviewed: ReviewedHand) -> str:
        names = [self.snapshot.seats[seat].said for seat in reviewed.players]
        first = [account.curve[0] for account in reviewed.accounts]
        best = max(range(len(first)), key=first.__getitem__)
        winners = [
            name for name, account in zip(names, reviewed.accounts, strict=True) if account.won
        ]
        likeliest = _("After the deal, {name} had the best chance of winning ({share}%).").format(
            name=names[best], share=round(PERCENT * first[best])
        )
        if not winners:
            return f"{likeliest} {_('Nobody won the hand.')}"
        won = _("{name} won the hand.").format(name=words.join_names(winners))
        return f"{likeliest} {won}"

    def _build_mistake(
        self, number: int, reviewed: ReviewedHand, move: ReviewedMove
    ) -> DescribedMistake:
        hand = self.hands[reviewed.number]
        names = self.snapshot.names(hand, move.step)
        action = self.actions[hand.pk, move.step + 1]
        address = reverse("games:replay", args=[self.snapshot.match.public_id, hand.number])
        return DescribedMistake(
            number=number,
            hand=hand.number,
            text=action_lines(action, hand, names, self.rules)[0]["text"],
            better=describe_better_move(move, names, self.rules),
            cost=cost_of(move),
            error=margin_of_error(move),
            replay=f"{address}?step={move.step + 1}",
        )

    def _load_reviewed_actions(self) -> dict[tuple[int, int], LoggedAction]:
        """Load the actions with suboptimal moves, by hand and number."""
        numbers = [move.step + 1 for hand in self.reviewed for move in hand.moves]
        rows = LoggedAction.objects.filter(hand__match=self.snapshot.match, number__in=numbers)
        return {(row.hand_id, row.number): row for row in rows}
