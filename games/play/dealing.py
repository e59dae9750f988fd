"""Steps of a deal: close the list of commitments, wait for the shares, and deal the cards.

Each step is committed separately, so any process can continue from the stored state, even after a
crash. docs/fair-deal.md explains the steps. games/deals/shares.py handles the messages from seats.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from functools import cached_property

from django.utils import timezone

from games import seats
from games.clocks import presence
from games.clocks.process_delay import Lateness
from games.json_values.deals import DEALT, VOID, Attempt, Deals, is_left_out
from games.json_values.shapes import StoredOpening
from games.json_values.state import LiveState
from games.models import Hand, Match
from games.play import deadlines
from games.play.site_key import site_key
from games.process import here
from games.rules import scoring
from games.rules.chance import Chance, RecordingChance, SystemChance
from games.rules.fair import deal as fair
from games.rules.fair.attempts import MOST_FAILURES
from games.rules.fair.deal import DealIngredients, DealKey, FairChance, ShareList
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot

# How long to wait for shares after a list is closed, and for commitments in a new attempt.
OPEN_FOR = timedelta(seconds=5)
RETRY_FOR = timedelta(seconds=3)
# Shorter delays, in seconds, are not compensated.
MIN_OWED = 0.25


def prepare_hand(
    match: Match, number: int, players: list[SeatNumber], dealer: SeatNumber | None
) -> Hand:
    """Return an unsaved hand without cards, with the server's commitment in its first attempt."""
    attempt = _create_attempt(DealKey(match.public_id, number, 1), dealer)
    return Hand(
        match=match,
        number=number,
        players=players,
        dealer=dealer,
        deals=Deals((attempt,)),
        commitment=attempt.commitment,
    )


def _create_attempt(draw: DealKey, dealer: SeatNumber | None) -> Attempt:
    secret = fair.new_secret()
    commitment = fair.secret_commitment(draw, secret)
    return Attempt(draw.attempt, secret, commitment, dealer, site=site_key())


def begin_first_deal(change: MatchChange) -> None:
    """Deal the first hand, after waiting for people's shares if necessary."""
    match, hand = change.old.match, _get_prepared_hand(change)
    change.notable = True
    if not hand.deals or not match.share_seconds or is_step_complete(change.old, hand.deals):
        take_next_step(change)
    else:
        _schedule_next_step(change, timedelta(seconds=match.share_seconds))


def take_next_step(change: MatchChange, deals: Deals | None = None) -> None:
    """Take the due step of the prepared hand: close the list, deal, or begin a new attempt.

    Pass `deals` if they contain additions that have not been stored yet.
    """
    hand = _get_prepared_hand(change)
    deals = hand.deals if deals is None else deals
    if not deals:
        _start_play(change, hand.dealing, hand.deck, SystemChance(), hand.opening)
    elif deals.current.agreed is None:
        _close_list(change, deals)
    elif deals.current.missing:
        _void_attempt(change, deals)
    else:
        _deal(change, deals)


def extend_step_if_late(change: MatchChange) -> bool:
    """Extend the current step if the process was slow, and return whether it was extended.

    A slow process delays players' messages too. Without the extension, they could arrive too late.
    """
    match, hand = change.old.match, _get_prepared_hand(change)
    if not hand.deals or match.due is None or _has_all_messages(change.old, hand.deals):
        return False
    current = hand.deals.current
    step = (match.pk, hand.number, current.number, current.agreed is not None)
    window = max(OPEN_FOR.total_seconds(), match.share_seconds)
    window += (change.now - match.due).total_seconds()
    owed = here().part(Lateness).missed_seconds(step, window)
    if owed < MIN_OWED:
        return False
    _schedule_next_step(change, timedelta(seconds=owed))
    return True


def _has_all_messages(snapshot: Snapshot, deals: Deals) -> bool:
    """Return whether all messages expected in the current step have arrived."""
    agreed = deals.current.agreed is not None
    return not deals.current.missing if agreed else are_all_committed(snapshot, deals)


def is_step_complete(snapshot: Snapshot, deals: Deals) -> bool:
    """Return whether the current step can end early.

    All expected messages must have arrived. In the pause between hands, all players must be ready
    as well.
    """
    current = deals.current
    if current.agreed is not None:
        return not current.missing
    in_pause = current.number == 1 and snapshot.hand is not None
    return are_all_committed(snapshot, deals) and (
        not in_pause or are_all_ready(snapshot, snapshot.match.state.ready)
    )


def are_all_committed(snapshot: Snapshot, deals: Deals) -> bool:
    """Return whether all players whose shares are expected have committed to them."""
    return _find_awaited_seats(snapshot, deals) <= deals.current.commitments.keys()


def are_all_ready(snapshot: Snapshot, ready: Collection[SeatNumber]) -> bool:
    """Return whether all present players of the prepared hand are ready for it."""
    hand, match = snapshot.prepared, snapshot.match
    if hand is None or not ready:
        return False
    now, people = timezone.now(), presence.load_people([match.pk])[match.pk]
    here = {seat for seat, person in people.items() if person.is_present(now)}
    return here & set(hand.players) <= set(ready)


def _find_awaited_seats(snapshot: Snapshot, deals: Deals) -> set[SeatNumber]:
    """Return the seats of people whose share in the prepared hand may still arrive."""
    hand = snapshot.prepared
    assert hand is not None
    people = (seat for seat in hand.players if snapshot.seats[seat].holder is not None)
    return {seat for seat in people if find_exclusion_reason(snapshot, deals, seat) is None}


def find_exclusion_reason(snapshot: Snapshot, deals: Deals, seat: SeatNumber) -> str | None:
    """Return why this seat must not be on the prepared hand's list, or None if it may."""
    if deals.count_failures(seat) >= MOST_FAILURES:
        return fair.NO_FAILED
    before = [hand.deals for hand in snapshot.hands if hand.dealt_at]
    return fair.NO_BEFORE if is_left_out(before, seat) else None


def _get_prepared_hand(change: MatchChange) -> Hand:
    hand = change.old.prepared
    assert hand is not None
    return hand


def _close_list(change: MatchChange, deals: Deals) -> None:
    """Close the list to further commitments. If it has none, the server deals alone."""
    hand = _get_prepared_hand(change)
    deals = deals.replace_attempt(
        replace(deals.current, agreed=_build_share_list(change.old, hand, deals))
    )
    if not deals.current.missing:
        _deal(change, deals)
        return
    change.update_hand(hand, deals=deals, commitment=deals.current.commitment)
    _schedule_next_step(change, OPEN_FOR)


def _build_share_list(snapshot: Snapshot, hand: Hand, deals: Deals) -> ShareList:
    rules, current = snapshot.rules, deals.current
    return ShareList(
        draw=DealKey(snapshot.match.public_id, hand.number, current.number),
        dealer=current.dealer,
        deck=tuple(rules.pack.notations(rules.cards())),
        server=current.commitment,
        entries=tuple((seat, _build_list_entry(snapshot, deals, seat)) for seat in hand.players),
    )


def _build_list_entry(snapshot: Snapshot, deals: Deals, seat: SeatNumber) -> str:
    if snapshot.seats[seat].bot:
        return fair.NO_BOT
    without = find_exclusion_reason(snapshot, deals, seat)
    return without or deals.current.commitments.get(seat, fair.NO_NONE)


def _void_attempt(change: MatchChange, deals: Deals) -> None:
    """Void the attempt because a listed share was not opened, and begin a new one.

    The opened shares and the secret become public, so the new attempt needs new ones.
    """
    hand = _get_prepared_hand(change)
    draw = DealKey(change.old.match.public_id, hand.number, deals.current.number + 1)
    deals = deals.end_attempt(VOID).add_attempt(_create_attempt(draw, hand.dealer))
    if is_step_complete(change.old, deals):
        _close_list(change, deals)
        return
    change.update_hand(hand, deals=deals, commitment=deals.current.commitment)
    _schedule_next_step(change, RETRY_FOR)


def _schedule_next_step(change: MatchChange, time: timedelta) -> None:
    change.match["phase"] = Match.Phase.BETWEEN
    deadlines.clear_turn(change, change.now + time)


def _deal(change: MatchChange, deals: Deals) -> None:
    hand, rules, opened = _get_prepared_hand(change), change.old.rules, deals.current.opened
    dealer, opening = _find_dealer(hand, rules, opened)
    deck = fair.deck_of(opened, rules)
    change.update_hand(
        hand,
        deals=deals.end_attempt(DEALT),
        commitment=deals.current.commitment,
        dealer=dealer,
        deck=deck,
    )
    _start_play(change, dealer, deck, FairChance(opened, rules.cards()), opening)


def _find_dealer(
    hand: Hand, rules: RuleSet, opened: DealIngredients
) -> tuple[SeatNumber, StoredOpening]:
    """Return the dealer, and the cards drawn to choose the dealer, if any.

    The first dealer of a match is drawn according to the rules, with chance from the same deal.
    """
    if hand.dealer is not None:
        return hand.dealer, {}
    chance = FairChance(opened, rules.cards(), prefix="dealer ")
    dealer, drawn = scoring.first_dealer(rules, len(hand.players), chance)
    rounds = [{str(seat): card for seat, card in cards.items()} for cards in drawn]
    return hand.players[dealer], {"dealer_drawn": rounds}


def _start_play(
    change: MatchChange, dealer: SeatNumber, deck: list[str], chance: Chance, opening: StoredOpening
) -> None:
    """Deal the cards and start the first player's clock."""
    hand, rules = _get_prepared_hand(change), change.old.rules
    recorded = RecordingChance(chance, rules.pack)
    events: list[Event] = []
    player = seats.player_at(hand.players, dealer)
    assert player is not None
    change.position = Position.deal(rules, len(hand.players), player, deck, recorded, events)
    result: StoredOpening = {**opening, "chance": recorded.results, "events": events}
    change.update_hand(hand, dealt_at=change.now, opening=result)
    change.match["phase"] = Match.Phase.PLAYING
    dealt, lost = change.old.version + 1, change.state.lost
    change.state = LiveState(hand=hand.number, dealt=dealt, lost=lost)
    change.notable = True
    deadlines.start_turn(change, hand)


def chance_of(snapshot: Snapshot, hand: Hand) -> Chance:
    """Return the source of chance for the hand in play, which continues the deal's."""
    attempt = hand.deals.dealt
    return SystemChance() if attempt is None else _HandChance(snapshot, hand, attempt)


class _HandChance:
    """Source of chance that continues after the last result in the log.

    It is computed only when needed, because most actions use no chance. Raises UnfairError if the
    stored data no longer match the commitments.
    """

    def __init__(self, snapshot: Snapshot, hand: Hand, attempt: Attempt) -> None:
        self._snapshot, self._hand, self._attempt = snapshot, hand, attempt

    def shuffle(self, kinds: list[int], /) -> None:
        self._fair.shuffle(kinds)

    def choice(self, n: int, /) -> int:
        return self._fair.choice(n)

    @cached_property
    def _fair(self) -> FairChance:
        used = [*self._hand.opening["chance"]]
        used += [result for action in self._snapshot.actions for result in action.chance]
        choices = sum(isinstance(result, int) for result in used)
        opened = self._attempt.opened
        if fault := fair.find_fault(opened):
            raise fair.UnfairError(fault)
        return FairChance(
            opened,
            self._snapshot.rules.cards(),
            shuffles=len(used) - choices,
            choices=choices,
        )
