"""Statistics of hands: the number of moves, and cards that make other players draw."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count

from games.models import Hand, LoggedAction, Match
from games.rules.ruleset.rulesets import RuleSet
from games.seats import PlayerIndex, SeatNumber, seat_of


@dataclass
class HandTally:
    """Statistics of a finished hand that counts.

    * `moves`: the number of moves by all players.
    * `draws`: by seat, how many of the cards that `tally_hands` counts were played.
    """

    match: int
    number: int
    moves: int = 0
    draws: Counter[SeatNumber] = field(default_factory=Counter)


def tally_hands(matches: Sequence[Match], rules: RuleSet, *, draws: int) -> list[HandTally]:
    """Return statistics of all hands of finished matches, using three queries.

    Counts the cards that make the next player draw exactly `draws` cards.
    """
    hands = Hand.objects.filter(match__in=matches, ended_at__isnull=False, void=False)
    rows = list(hands.order_by("match", "number").only("match_id", "number", "players"))
    tally_by_hand = {hand.pk: HandTally(hand.match_id, hand.number) for hand in rows}
    players = {hand.pk: hand.players for hand in rows}
    actions = LoggedAction.objects.filter(hand__in=tally_by_hand).order_by()
    for hand, count in actions.values_list("hand").annotate(Count("pk")):
        tally_by_hand[hand].moves = count
    kinds = [rules.pack.cards[kind] for kind in rules.card_counts()]
    cards = [card.notation for card in kinds if card.role.draws == draws]
    played = actions.filter(action__play__in=cards).values_list("hand", "player")
    for hand, player, count in played.annotate(Count("pk")):
        tally_by_hand[hand].draws[seat_of(players[hand], PlayerIndex(player))] += count
    return list(tally_by_hand.values())
