"""The most remarkable fact about a hand or a match, in one sentence.

A story consists of a kind and values. It is found once, and put into words in the language of each
reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from games.rules.hand.events import Event
from games.rules.text import _, ngettext
from games.rules.words.words import join_names


class Story(NamedTuple):
    """A remarkable fact about a hand or a match.

    * ``players``: the players whom the story is about, from 0.
    * ``number``: a number that the sentence contains, such as cards or moves.
    * ``other``: another player named in the sentence, or None.
    * ``weight``: the importance of the story compared with others about the same hand.
    """

    kind: str
    players: tuple[int, ...]
    number: int = 0
    other: int | None = None
    weight: float = 0


# Minimum numbers of cards for a story: drawn by the winner in the whole hand, and drawn at once.
MANY_DRAWN, MANY_AT_ONCE = 6, 6
# Moves per player: the maximum in a short hand, and the minimum in a long one.
SHORT, LONG = 4, 25
# A match is close if fewer points than this separate the first two places.
CLOSE = 20


def find_hand_story(log: Sequence[Sequence[Event]], players: int) -> Story | None:
    """Return the story of a finished hand, or None if the hand has no winner.

    ``log`` contains the events of each action.
    """
    hand = _Tally(log)
    if hand.winner is None:
        return None
    return max(_list_hand_stories(hand, players), key=lambda story: story.weight)


class _Tally:
    """Events of a hand, counted by player."""

    def __init__(self, log: Sequence[Sequence[Event]]) -> None:
        self.moves = len(log)
        self.winner: int | None = None
        self.drawn, self.caught, self.called = Counter[int](), Counter[int](), Counter[int]()
        self.most_at_once = (0, 0)
        self.bluffs: list[tuple[int, int]] = []
        self.doubts: list[tuple[int, int]] = []
        self.swap: tuple[int, int] | None = None
        for event in (event for events in log for event in events):
            self._count_event(event)

    def _count_event(self, event: Event) -> None:
        match event["event"]:
            case "drew":
                self.drawn[event["seat"]] += event["cards"]
                self.most_at_once = max(self.most_at_once, (event["cards"], event["seat"]))
            case "caught":
                self.caught[event["seat"]] += 1
            case "called":
                self.called[event["seat"]] += 1
            case "played":
                self.called[event["seat"]] += event["uno"]
            case "challenged":
                pairs = self.bluffs if event["guilty"] else self.doubts
                pairs.append((event["seat"], event["of"]))
            case "swapped":
                self.swap = event["seat"], event["with"]
            case "over":
                self.winner = event["winner"]


def _list_hand_stories(hand: _Tally, players: int) -> Iterator[Story]:
    winner = hand.winner
    assert winner is not None
    drawn = hand.drawn[winner]
    if drawn >= MANY_DRAWN:
        yield Story("drew-and-won", (winner,), drawn, weight=5 + drawn / 2)
    for player, times in hand.caught.items():
        won = player == winner
        kind = "caught-and-won" if won else "caught"
        yield Story(kind, (player,), times, weight=4 * times + 2 * won)
    cards, unlucky = hand.most_at_once
    if cards >= MANY_AT_ONCE and unlucky != winner:
        yield Story("drew-at-once", (unlucky,), cards, weight=cards)
    for by, of in hand.bluffs:
        yield Story("bluff", (by,), other=of, weight=5)
    for by, of in hand.doubts:
        yield Story("no-bluff", (by,), other=of, weight=4.5)
    for player, times in hand.called.items():
        if times > 1 and player != winner:
            yield Story("uno-and-lost", (player,), times, weight=2.5 * times)
    if hand.swap and winner == hand.swap[0]:
        yield Story("swapped-and-won", (winner,), other=hand.swap[1], weight=3.5)
    if hand.moves <= SHORT * players:
        yield Story("short", (winner,), hand.moves, weight=3)
    if hand.moves >= LONG * players:
        yield Story("long", (winner,), hand.moves, weight=4)
    if not drawn:
        yield Story("never-drew", (winner,), weight=2.5)
    yield Story("plain", (winner,), hand.moves)


def find_match_story(
    hands: Sequence[Sequence[int]], winners: Sequence[int], *, lowest: bool = False
) -> Story | None:
    """Return the story of a finished match, or None if it had no winner or only one hand.

    * ``hands``: the points of each hand by seat.
    * ``winners``: the winning seats. Partners are named together.
    * ``lowest``: true if the fewest points win.
    """
    if len(hands) < 2 or not winners:
        return None
    best = min if lowest else max
    standings = [
        [sum(column) for column in zip(*hands[:n], strict=True)] for n in range(1, len(hands) + 1)
    ]
    led = [{seat for seat, total in enumerate(each) if total == best(each)} for each in standings]
    won, names = set(winners), tuple(winners)
    if any(len({each[seat] for seat in won}) > 1 for each in standings):
        return Story("level", names, len(hands))
    if won.isdisjoint(led[-2]):
        return Story("last-hand", names, other=min(led[-2]))
    if all(won & leaders for leaders in led):
        return Story("led-throughout", names)
    others = [total for seat, total in enumerate(standings[-1]) if seat not in won]
    margin = abs(standings[-1][winners[0]] - best(others)) if others else CLOSE
    if 0 < margin < CLOSE:
        return Story("close", names, margin)
    return Story("from-behind", names, len(hands))


def story_text(story: Story | None, names: Sequence[str]) -> str:
    """Return the story as a sentence with the players' names, or "" if there is no story."""
    if story is None:
        return ""
    return _TEXTS[story.kind](story.number).format(
        name=join_names([names[player] for player in story.players]),
        other="" if story.other is None else names[story.other],
        count=story.number,
    )


def _describe_caught(count: int) -> str:
    if count == 2:
        return _("{name} was caught twice.")
    return ngettext("{name} was caught.", "{name} was caught {count} times.", count)


def _describe_caught_and_won(count: int) -> str:
    if count == 2:
        return _("{name} was caught twice and still won.")
    return ngettext(
        "{name} was caught and still won.", "{name} was caught {count} times and still won.", count
    )


_TEXTS: dict[str, Callable[[int], str]] = {
    "drew-and-won": lambda _n: _("{name} drew {count} cards and still won."),
    "caught": _describe_caught,
    "caught-and-won": _describe_caught_and_won,
    "drew-at-once": lambda _n: _("{name} had to draw {count} cards at once."),
    "bluff": lambda _n: _("{name} caught {other} bluffing."),
    "no-bluff": lambda _n: _("{name} challenged {other}, but it wasn’t a bluff."),
    "uno-and-lost": lambda _n: _("{name} said UNO {count} times and didn’t win."),
    "swapped-and-won": lambda _n: _("{name} took {other}’s cards and won with them."),
    "short": lambda _n: _("Over in {count} moves: {name} was quick."),
    "long": lambda _n: _("{name} won after {count} moves."),
    "never-drew": lambda _n: _("{name} won without drawing a card."),
    "plain": lambda _n: _("{name} went out after {count} moves."),
    "last-hand": lambda _n: _("{name} overtook {other} in the last hand."),
    "level": lambda _n: _("{name} finished level after {count} hands."),
    "led-throughout": lambda _n: _("{name} led from the first hand to the last."),
    "close": lambda n: ngettext("{name} won by {count} point.", "{name} won by {count} points.", n),
    "from-behind": lambda _n: _("{name} came from behind to win after {count} hands."),
}
