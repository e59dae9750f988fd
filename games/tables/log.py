"""The log of a hand in words, and its actions as events for animation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from games import seats
from games.clocks import races
from games.json_values.seat_history import Sitters
from games.language import active_language, cached_by_language
from games.models import Hand, LoggedAction, Seat
from games.process import here
from games.process.components import Component
from games.process.lru import LruCache
from games.protocol.events import Event
from games.protocol.table import Auto, LogLine
from games.rules.hand import events
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, gettext_noop, pgettext
from games.rules.words import explain
from games.rules.words.words import isolate
from games.seats import PlayerIndex, SeatNumber
from games.store import CACHED, SNAPSHOTS, Snapshot
from games.tables import notes

# Maximum number of lines that a view contains.
LINES = 30
# Line numbers reserved for each action and each hand. For example, the lines of action 3 in hand 2
# are numbered 200300, 200301 …
PER_ACTION, PER_HAND = 100, 100_000
# Events of earlier actions are not sent for animation.
RECENT_ACTIONS = 20

# Reasons why the table acted for a player.
AUTO = {"timeout": gettext_noop("{name} ran out of time."), "away": gettext_noop("{name} is away.")}
AUTO_YOU = {"timeout": gettext_noop("You ran out of time."), "away": gettext_noop("You were away.")}
# Keys of an event that refer to a player.
PLAYER_KEYS = ("seat", "of", "by", "with", "winner")
# Offset for the line numbers of notes, which follow the lines of the preceding action.
NOTES = 50


@dataclass(slots=True)
class _LogCache:
    """Cached log lines of a match, in one language.

    * `seats`: the seats, with the people who held them when the lines were written.
    * `lines_by_version`: lines by the match's version after their action. Lines about the opening
      of a hand are keyed by the hand's negated number.
    * `own`: a version, and the lines up to it that address a player as "you", by line number.
    """

    seats: tuple[Seat, ...]
    lines_by_version: dict[int, list[LogLine]] = field(default_factory=dict)
    own: tuple[int, dict[str, str]] = (-1, {})

    def is_valid_for(self, seats: tuple[Seat, ...]) -> bool:
        """Return whether the same people still hold the seats, under the same names."""
        if seats is not self.seats and _list_sitters(seats) == _list_sitters(self.seats):
            self.seats = seats
        return seats is self.seats

    def drop_old_lines(self) -> None:
        """Drop old lines, but keep enough for viewers who see the same actions with a delay."""
        if len(self.lines_by_version) > 4 * LINES:
            for old in [*self.lines_by_version][: -2 * LINES]:
                self.lines_by_version.pop(old, None)


def _list_sitters(seats: tuple[Seat, ...]) -> list[tuple[str, Sitters]]:
    return [(seat.name, seat.sitters) for seat in seats]


class LogCaches(Component):
    """Cached log lines by match, language and player. Each action is described only once."""

    def __init__(self) -> None:
        self.known: LruCache[tuple[int, str | None, PlayerIndex | None], _LogCache] = LruCache(
            8 * CACHED
        )


@cached_by_language(SNAPSHOTS)
def log_lines(snapshot: Snapshot) -> list[LogLine]:
    """Return the last lines of the hand's log, oldest first.

    The line numbers `n` increase, and a line always keeps its number.
    """
    hand = snapshot.hand
    if hand is None:
        return []
    shown_lines = _list_action_lines(snapshot, hand)
    if len(shown_lines) < LINES:
        shown_lines = [*_list_opening_lines(snapshot, hand), *shown_lines]
    return sorted([*shown_lines, *_list_note_lines(snapshot, hand)], key=lambda line: line["n"])[
        -LINES:
    ]


def own_lines(snapshot: Snapshot, seat: SeatNumber | None) -> dict[str, str]:
    """Return the log lines that address this seat's player as "you", by line number."""
    hand = snapshot.hand
    player = None if hand is None else seats.player_at(hand.players, seat)
    if hand is None or player is None:
        return {}
    cache, actions = _get_log_cache(snapshot, player), snapshot.actions[-LINES:]
    if not actions:
        return {}
    until, texts = cache.own
    if until != actions[-1].version:
        is_next = len(actions) > 1 and until == actions[-2].version
        texts = dict(texts) if is_next else {}
        for action in actions[-1:] if is_next else actions:
            if _involves_player(action, player):
                new = _describe_action_lines(snapshot, hand, action, player)
                texts |= {str(line["n"]): line["text"] for line in new}
        if texts:
            _drop_older_lines(texts, log_lines(snapshot)[0]["n"])
        cache.own = actions[-1].version, texts
    return texts


def _drop_older_lines(lines: dict[str, str], first: int) -> None:
    """Drop lines with numbers below `first`. The lines must be in order."""
    for n in [*lines]:
        if int(n) >= first:
            break
        del lines[n]


def _list_action_lines(snapshot: Snapshot, hand: Hand) -> list[LogLine]:
    """Return the lines that describe the last actions."""
    lines_by_version, action_lines = (
        _get_log_cache(snapshot, None).lines_by_version,
        list[LogLine](),
    )
    for action in snapshot.actions[-LINES:]:
        lines = lines_by_version.get(action.version)
        if lines is None:
            lines = lines_by_version[action.version] = _describe_action_lines(
                snapshot, hand, action, None
            )
        action_lines += lines
    return action_lines


def _get_log_cache(snapshot: Snapshot, you: PlayerIndex | None) -> _LogCache:
    """Return the cached lines for this reader in the active language, or a new, empty cache."""
    caches, key = here().part(LogCaches).known, (snapshot.match.pk, active_language(), you)
    cache = caches.get(key)
    if cache is None or not cache.is_valid_for(snapshot.seats):
        cache = _LogCache(snapshot.seats)
        caches.set(key, cache)
    cache.drop_old_lines()
    return cache


def _describe_action_lines(
    snapshot: Snapshot, hand: Hand, action: LoggedAction, you: PlayerIndex | None
) -> list[LogLine]:
    """Return the lines that describe an action."""
    names = snapshot.names(hand, action.number - 1)
    return action_lines(action, hand, names, snapshot.rules, you)


def _involves_player(action: LoggedAction, player: PlayerIndex) -> bool:
    for event in action.events:
        for key in PLAYER_KEYS:
            if event.get(key) == player:
                return True
    return False


def _list_opening_lines(snapshot: Snapshot, hand: Hand) -> list[LogLine]:
    lines_by_version = _get_log_cache(snapshot, None).lines_by_version
    lines = lines_by_version.get(-hand.number) if hand.opening else None
    if lines is None:
        names = {seat.number: isolate(seat.player_name(hand.number, 0)) for seat in snapshot.seats}
        texts = opening_texts(hand, names, snapshot.rules)
        lines = [_build_line(n, text) for n, text in enumerate(texts, hand.number * PER_HAND)]
        if hand.opening:  # the opening may still be hidden from viewers
            lines_by_version[-hand.number] = lines
    return lines


def _list_note_lines(snapshot: Snapshot, hand: Hand) -> list[LogLine]:
    """Return the lines of notes that were added while the hand was played."""
    start = hand.number * PER_HAND + NOTES
    return [
        _build_line(start + note.after * PER_ACTION + note.place, notes.note_text(note, snapshot))
        for note in snapshot.match.state.notes
        if note.after <= len(snapshot.actions)
    ]


def _build_line(n: int, text: str) -> LogLine:
    return {"n": n, "seat": None, "text": text, "auto": "", "more": False}


@cached_by_language(SNAPSHOTS)
def latest_sentence(snapshot: Snapshot) -> str:
    """Describe the latest action with all its effects, or the latest note if that is newer."""
    hand = snapshot.hand
    if hand is None or snapshot.position is None:
        return ""
    for note in snapshot.match.state.notes[-1:]:
        if note.after == len(snapshot.actions):
            return notes.note_text(note, snapshot)
    if not snapshot.actions:
        return explain.action_text(hand.opening["events"], snapshot.names(hand, 0), snapshot.rules)
    return _describe_last_action(snapshot, hand, None)


def own_latest_sentence(snapshot: Snapshot, seat: SeatNumber | None) -> str | None:
    """Return `latest_sentence` as worded for this seat, or None if the wording is the same."""
    hand, actions = snapshot.hand, snapshot.actions
    player = None if hand is None else seats.player_at(hand.players, seat)
    if hand is None or player is None or not (actions and _involves_player(actions[-1], player)):
        return None
    noted = any(note.after == len(actions) for note in snapshot.match.state.notes[-1:])
    return (
        None
        if noted or snapshot.position is None
        else _describe_last_action(snapshot, hand, player)
    )


def _describe_last_action(snapshot: Snapshot, hand: Hand, you: PlayerIndex | None) -> str:
    """Describe the last action with all its effects, as worded for `you`."""
    action = snapshot.actions[-1]
    names = snapshot.names(hand, action.number - 1)
    text = explain.action_text(action.events, names, snapshot.rules, you)
    return _describe_timeout(action, names, you) + _describe_race(action, names, text)


def _describe_timeout(
    action: LoggedAction, names: list[str], you: PlayerIndex | None = None
) -> str:
    """Return a prefix that explains why the table acted for the player, or "" if it did not."""
    why = (AUTO_YOU if action.player == you else AUTO).get(action.auto)
    return f"{_(why).format(name=names[action.player])} " if why else ""


def _describe_race(action: LoggedAction, names: list[str], text: str) -> str:
    """Append to `text` by how much the action beat the next claim, if there was a race."""
    claims = action.timing.claims
    if len(claims) < 2:
        return text
    return f"{text} {races.describe_lost_claim(claims[0], claims[1], names)}"


def action_lines(
    action: LoggedAction,
    hand: Hand,
    names: list[str],
    rules: RuleSet,
    you: PlayerIndex | None = None,
) -> list[LogLine]:
    """Return the lines that describe one action, one for each event. `you` is the reader."""
    texts = [explain.sentence(event, names, rules, you) for event in action.events]
    texts[0] = _describe_timeout(action, names, you) + _describe_race(action, names, texts[0])
    seat = seats.seat_of(hand.players, action.player)
    start = hand.number * PER_HAND + action.number * PER_ACTION
    described = [pair for pair in zip(texts, action.events, strict=True) if pair[0]]
    auto = cast(Auto, action.auto)
    described_lines = []
    for i, (text, event) in enumerate(described):
        line: LogLine = {"n": start + i, "text": text, "more": i > 0, "seat": seat, "auto": auto}
        described_lines.append(_add_picture(line, event))
    return [*described_lines, *_describe_measurements(action, names, start + len(described))]


def _describe_measurements(action: LoggedAction, names: list[str], n: int) -> list[LogLine]:
    """Return a line with the times that decided a race, or [] if there was no race.

    Its text is the same for all readers.
    """
    claims = action.timing.claims
    if len(claims) < 2:
        return []
    text = races.describe_arrivals(claims[0], claims[1], names)
    return [{**_build_line(n, text), "more": True}]


def _add_picture(line: LogLine, event: events.Event) -> LogLine:
    """Add the card and the colour that are shown next to the text of the line."""
    if event["event"] == "played" or event["event"] == "identical":
        line["card"] = event["card"]
    if event["event"] == "chose" or (event["event"] == "played" and "color" in event):
        line["color"] = event["color"]
    return line


def opening_texts(hand: Hand, names: Mapping[SeatNumber, str], rules: RuleSet) -> list[str]:
    """Return sentences about how the dealer was chosen, the deal, and the starting card's effect.

    `names` is keyed by seat of the match.
    """
    return [*_describe_dealer_draw(hand, names, rules), *dealt_texts(hand, names, rules)]


def dealt_texts(hand: Hand, names: Mapping[SeatNumber, str], rules: RuleSet) -> list[str]:
    """Return the sentences of `opening_texts`, without those about how the dealer was chosen."""
    deals = _("{name} deals hand {number}.")
    texts = [deals.format(name=names[hand.dealing], number=hand.number)]
    playing = [names[number] for number in hand.players]
    return texts + [
        explain.sentence(event, playing, rules) for event in hand.opening.get("events", [])
    ]


def _describe_dealer_draw(hand: Hand, names: Mapping[SeatNumber, str], rules: RuleSet) -> list[str]:
    texts = []
    for drawn in hand.opening.get("dealer_drawn", []):
        draws = [
            _("{name} {card}").format(
                name=names[SeatNumber(int(seat))], card=explain.card_name(rules, card)
            )
            for seat, card in drawn.items()
        ]
        cards = pgettext("between items of a list", ", ").join(draws)
        texts.append(_("Cards drawn to choose the dealer: {cards}.").format(cards=cards))
    return texts


def list_events(snapshot: Snapshot, seat: SeatNumber | None, version: int) -> list[Event]:
    """Return the events of the hand in play after `version`, as far as this seat may see them.

    Returns [] for a client's first view, for which `version` is negative.
    """
    hand = snapshot.hand
    if hand is None or version < 0:
        return []
    shown_events: list[Event] = []
    new: list[events.Event] = []
    if snapshot.match.state.dealt > version:
        shown_events.append({"event": "dealt", "seat": hand.dealing})
        new += hand.opening.get("events", [])
    for action in snapshot.actions[-RECENT_ACTIONS:]:
        if action.version > version:
            new += action.events
    total = len(snapshot.seats)
    return shown_events + [seats.event_for(event, hand.players, total, seat) for event in new]
