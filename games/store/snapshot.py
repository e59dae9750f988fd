"""A match at one version."""

from dataclasses import dataclass, field

from games.models import Hand, LoggedAction, Match, Seat
from games.protocol.faces import Person
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words.words import isolate


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A match at one version with all that views and rules need. Shared by threads: never changed.

    `hands` has all hands by number, void ones too, and perhaps one at the end that is prepared but
    not dealt. `position` is the hand being played, or the finished one until the next is dealt.
    `hand` is the one that it belongs to, the last one dealt, and `actions` its log. It is here
    alone, not in the match's `state` too.
    """

    match: Match
    rules: RuleSet
    seats: tuple[Seat, ...]
    hands: tuple[Hand, ...]
    position: Position | None
    actions: tuple[LoggedAction, ...]
    made_here: bool = False
    hand: Hand | None = field(init=False)
    # The seats' names in sentences, and whether any seat had an earlier player.
    said: list[str] = field(init=False)
    followed: bool = field(init=False)

    def __post_init__(self) -> None:
        dealt = (hand for hand in reversed(self.hands) if hand.dealt_at)
        # Asked for sixty times with each action.
        object.__setattr__(self, "hand", next(dealt, None))
        object.__setattr__(self, "said", [seat.said for seat in self.seats])
        object.__setattr__(self, "followed", any(seat.sitters for seat in self.seats))

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def in_play(self) -> tuple[Hand, Position]:
        """The hand and its position, where the caller knows that there is one."""
        hand, position = self.hand, self.position
        assert hand is not None
        assert position is not None
        return hand, position

    @property
    def prepared(self) -> Hand | None:
        """The next hand: committed to, but not dealt."""
        return next((hand for hand in self.hands if hand.dealt_at is None), None)

    @property
    def finished(self) -> list[Hand]:
        """Hands that count, in order."""
        return [hand for hand in self.hands if hand.points is not None and not hand.void]

    def people(self, hand: Hand | None = None) -> list[Person]:
        """Return the people whose faces are at the seats.

        Their names are the current ones, or those at the time when the hand was dealt.
        """
        names = [seat.player_name(hand.number, 0) if hand else seat.name for seat in self.seats]
        accounts = [(seat.user_id, seat.look) for seat in self.seats]
        return [Person(name, *one) for name, one in zip(names, accounts, strict=True)]

    def names(self, hand: Hand, after: int | None = None) -> list[str]:
        """Return the players' names in the order of the hand.

        The names are the current ones, or those when `after` actions were done.
        """
        if after is None or not self.followed:
            return [self.said[seat] for seat in hand.players]
        players = [self.seats[seat] for seat in hand.players]
        return [isolate(seat.player_name(hand.number, after)) for seat in players]
