"""Was it luck? What the review's page shows of a match that is over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import LoggedAction, Match, Review
from games.reviews.curves import Curves, curves
from games.rules.actions.moves import Move, is_choice, is_play
from games.rules.bots.weighing import SURE
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words import words
from games.seats import SeatNumber, seat_of
from games.store import Snapshot
from games.stored.reviewed import SHOWN, Reviewed, ReviewedHand, ReviewedMove, ReviewedPlayer
from games.tables.log import action_lines
from games.tables.results import partner

# Chances are told in points of a hundred.
HUNDRED = 100


@dataclass(frozen=True)
class ToldMistake:
    """A move that was not the best: what was done, what was better and by how many points of a
    hundred, give or take `error`; and the page of the replay where it was made."""

    number: int
    hand: int
    text: str
    better: str
    cost: int
    error: int
    replay: str


@dataclass(frozen=True)
class Share:
    """What a player, or a seat, has come to: hands won, and what they are made of.

    In hands of a match, in points of a hundred of one hand; `start`, `luck` (`deal` and `later`)
    and `play` add up to `won`. `error` is that of `play`, and of luck as a whole. `partner`: with
    whom the player plays, "" where that is nobody or not asked.
    """

    name: str
    user: int | None
    won: float
    start: float
    luck: float
    deal: float
    later: float
    play: float
    error: float
    partner: str = ""


@dataclass(frozen=True)
class HandPage:
    """One hand: its drawing, the players' figures, and the decisions that changed most."""

    number: int
    curves: Curves
    shares: list[Share]
    moves: list[ToldMistake]
    text: str


class ReviewPage(TypedDict):
    """What the template of the review needs; without an answer `hands` is empty.

    `own`: the decisions are those of who asks. `most` is the longest bar's length.
    """

    match: Match
    asked: Review | None
    shares: list[Share]
    most: float
    own: bool
    moves: list[ToldMistake]
    hands: list[HandPage]


def review_page(snapshot: Snapshot, seat: SeatNumber | None) -> ReviewPage:
    """Everything that the page shows to this seat (None: a viewer), of a match that it may."""
    asked = Review.objects.filter(match=snapshot.match).first()
    found = Reviewed([])
    if asked is not None and asked.answer is not None:
        found = Reviewed.from_json(asked.answer)
    shares = _shares(snapshot, found.hands)
    reader = _Reader(snapshot, found.hands)
    return {
        "match": snapshot.match,
        "asked": asked,
        "shares": shares,
        "most": max((max(abs(each.luck), abs(each.play)) for each in shares), default=0.0),
        "own": seat is not None,
        "moves": reader.of_match(seat),
        "hands": [reader.of_hand(hand) for hand in found.hands],
    }


# --- figures


def _shares(snapshot: Snapshot, hands: Sequence[ReviewedHand]) -> list[Share]:
    """What each seat that was dealt cards has come to, in hands; partners beside each other."""
    found = []
    pairs = 2 if snapshot.rules.partners else 1
    for seat in sorted(snapshot.seats, key=lambda seat: seat.number % pairs):
        accounts = [
            hand.accounts[hand.players.index(seat.number)]
            for hand in hands
            if seat.number in hand.players
        ]
        if accounts:
            share = _share(seat.name, seat.user_id, accounts, 1, 2)
            found.append(replace(share, partner=partner(snapshot, seat)))
    return found


def _share(
    name: str,
    user: int | None,
    accounts: Sequence[ReviewedPlayer],
    unit: int,
    digits: int | None,
) -> Share:
    """The sum of accounts, in a unit, rounded so that it still adds up."""
    won, start, deal, play = (
        round(unit * sum(part), digits)
        for part in zip(*((a.won, a.start, a.deal, a.play) for a in accounts), strict=True)
    )
    luck = round(won - start - play, digits)
    error = round(unit * SURE * sum(each.variance for each in accounts) ** 0.5, digits)
    return Share(name, user, won, start, luck, deal, round(luck - deal, digits), play, error)


# --- words


class _Reader:
    """Tells the hands of one match."""

    def __init__(self, snapshot: Snapshot, hands: Sequence[ReviewedHand]) -> None:
        self.snapshot = snapshot
        self.rules = snapshot.rules
        self.hands = {hand.number: hand for hand in snapshot.hands}
        self.reviewed = hands
        self.actions = self._told_actions()

    def of_match(self, seat: SeatNumber | None) -> list[ToldMistake]:
        """The moves that cost most: this seat's, or everybody's for a viewer."""
        moves = [
            (hand, move)
            for hand in self.reviewed
            for move in hand.moves
            if seat is None or seat_of(hand.players, move.player) == seat
        ]
        worst = sorted(moves, key=lambda found: -found[1].cost)[:SHOWN]
        return [self._told(number, *found) for number, found in enumerate(worst, 1)]

    def of_hand(self, reviewed: ReviewedHand) -> HandPage:
        seats = [self.snapshot.seats[seat] for seat in reviewed.players]
        people = [(seat.name, seat.user_id) for seat in seats]
        shares = [
            _share(name, user, [account], HUNDRED, None)
            for (name, user), account in zip(people, reviewed.accounts, strict=True)
        ]
        moves = [self._told(n, reviewed, move) for n, move in enumerate(reviewed.worst, 1)]
        drawn = curves(reviewed, people)
        return HandPage(reviewed.number, drawn, shares, moves, self._summed_up(reviewed))

    def _summed_up(self, reviewed: ReviewedHand) -> str:
        names = [self.snapshot.seats[seat].said for seat in reviewed.players]
        first = [account.curve[0] for account in reviewed.accounts]
        best = max(range(len(first)), key=first.__getitem__)
        winners = [
            name for name, account in zip(names, reviewed.accounts, strict=True) if account.won
        ]
        told = _("After the deal {name} had the best chance, {share} %.").format(
            name=names[best], share=round(HUNDRED * first[best])
        )
        if not winners:
            return f"{told} {_('Nobody won the hand.')}"
        won = _("{name} won the hand.").format(name=words.listed(winners))
        return f"{told} {won}"

    def _told(self, number: int, reviewed: ReviewedHand, move: ReviewedMove) -> ToldMistake:
        hand = self.hands[reviewed.number]
        names = self.snapshot.names(hand, move.step)
        action = self.actions[hand.pk, move.step + 1]
        address = reverse("games:replay", args=[self.snapshot.match.public_id, hand.number])
        return ToldMistake(
            number=number,
            hand=hand.number,
            text=action_lines(action, hand, names, self.rules)[0]["text"],
            better=_better(move, names, self.rules),
            cost=round(HUNDRED * move.cost),
            error=max(1, round(HUNDRED * SURE * move.error)),
            replay=f"{address}?step={move.step}",
        )

    def _told_actions(self) -> dict[tuple[int, int], LoggedAction]:
        """The actions that any of this is about, by hand and number."""
        wanted = [move.step + 1 for hand in self.reviewed for move in hand.moves]
        rows = LoggedAction.objects.filter(hand__match=self.snapshot.match, number__in=wanted)
        return {(row.hand_id, row.number): row for row in rows}


def _better(move: ReviewedMove, names: Sequence[str], rules: RuleSet) -> str:
    """What would have been better, to stand after "Better:"."""
    if move.better is None:
        return _("to say nothing")
    if is_play(move.better) and is_play(move.chosen):
        unsaid = {key: value for key, value in move.better.items() if key != "uno"}
        if unsaid == {**move.chosen}:
            return _("to say UNO")
    return _move(move.better, names, rules)


def _move(move: Move, names: Sequence[str], rules: RuleSet) -> str:
    if is_play(move):
        more = [words.color_name(rules, move["color"])] if "color" in move else []
        more += [names[move["with"]]] if "with" in move else []
        card = words.card_name(rules, move["play"])
        return f"{card} ({', '.join(more)})" if more else card
    if is_choice(move):
        return words.color_name(rules, move["choose"])
    if "draw" in move:
        return pgettext("what would have been better", "to draw")
    return pgettext("what would have been better", "to pass")
