"""Who goes through to the second round, who just missed it, and a sentence for everybody.

"A second round will be held as per participation in the first round" (text 000): how many go
through is the organizer's rule, what taking part means too, and both can be tried out before they
are confirmed, since nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tournament.standings import MatchResult, lot

KINDS = {
    "number": "A number of players, the best of the standings.",
    "share": "A share of those who took part, rounded up to whole players.",
    "top_k": "The best of each table.",
    "thresholds": "A number that grows with the number of those who took part.",
}
TIES = {
    "together": "All who share the last place go through together.",
    "hand": "Those who share the last place play one more hand for it.",
    "lots": "Lots decide, drawn from a recorded key: anyone can run the draw again.",
}
# seating.md's table: no second round up to 16, then 8, 16, and a quarter.
THRESHOLDS: tuple[tuple[int | None, int | Fraction], ...] = (
    (16, 0),
    (32, 8),
    (64, 16),
    (None, Fraction(1, 4)),
)


class RuleError(ValueError):
    """The rule makes no sense as it stands; the message says what would."""


@dataclass(frozen=True)
class Rule:
    """How many go through.

    `kind`: key of KINDS. `value`: players for "number" and "top_k" (of each table), a Fraction
    between 0 and 1 for "share", unused for "thresholds". `thresholds`: (up to so many took part,
    so many go through: players, or a Fraction of them), the last with None for "more".
    `minimum_matches`: who has finished so many took part. `ties`: key of TIES.
    """

    kind: str
    value: int | Fraction = 0
    thresholds: tuple[tuple[int | None, int | Fraction], ...] = THRESHOLDS
    minimum_matches: int = 1
    ties: str = "together"
    lots_key: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RuleError(f"“{self.kind}” is no way to qualify: use one of {', '.join(KINDS)}.")
        if self.ties not in TIES:
            raise RuleError(f"“{self.ties}” is no rule for ties: use one of {', '.join(TIES)}.")
        if self.ties == "lots" and not self.lots_key:
            raise RuleError("Lots need a key, so that the draw can be run again.")
        if self.kind in ("number", "top_k") and (self.value < 1 or self.value != int(self.value)):
            raise RuleError(f"{self.value} is no number of players: write a whole number from 1.")
        if self.kind == "share" and not 0 < self.value <= 1:
            raise RuleError(
                "A share lies between 0 and 1, that is 0 and 100 %: a quarter is 1/4 or 25 %."
            )
        if self.kind == "thresholds":
            _check_thresholds(self.thresholds)

    def places(self, took_part: int) -> int:
        """How many go through when so many took part; not for "top_k". Parts round up."""
        amount: int | Fraction = self.value
        if self.kind == "thresholds":
            amount = next(to for upto, to in self.thresholds if upto is None or took_part <= upto)
        if self.kind == "share" or isinstance(amount, Fraction):
            amount = -(-amount * took_part // 1)
        return min(int(amount), took_part)


def _check_thresholds(thresholds: Sequence[tuple[int | None, int | Fraction]]) -> None:
    limits = [upto for upto, _ in thresholds]
    whole = [upto for upto in limits[:-1] if upto is not None]
    if not limits or limits[-1] is not None or len(whole) != len(limits) - 1:
        raise RuleError("The last threshold, and only the last, is for any greater number.")
    if whole != sorted(set(whole)):
        raise RuleError("The thresholds rise from line to line.")


@dataclass(frozen=True)
class Candidate:
    """A line of the standings, best first. `rank` is shared where nothing separates.

    `gone`: "" or why this player cannot go on ("withdrew", "was disqualified").
    """

    player: int
    name: str
    rank: int
    played: int
    gone: str = ""


@dataclass(frozen=True)
class Decision:
    """What happens to one player. `through` is None while a hand must be played for the place.

    `code`: through, tied, lots, won_hand, replaces; playoff; behind, lost_lots, lost_hand,
    too_few, no_result, gone.
    """

    player: int
    name: str
    through: bool | None
    code: str
    sentence: str


@dataclass(frozen=True)
class Playoff:
    """A hand for the last `places` by `players`, once played in its order; `where`: of what."""

    players: tuple[int, ...]
    places: int
    where: str


@dataclass(frozen=True)
class Outcome:
    """`decisions`: one for every candidate, in their order. `places`: what the rule gives.

    `playoffs` are hands still to be played, `played` those that have decided.
    """

    decisions: tuple[Decision, ...]
    playoffs: tuple[Playoff, ...]
    played: tuple[Playoff, ...]
    took_part: int
    places: int
    sentence: str

    @property
    def through(self) -> tuple[int, ...]:
        """Ids of those who go through, best first."""
        return tuple(d.player for d in self.decisions if d.through)

    @property
    def just_missed(self) -> tuple[int, ...]:
        """Ids of the next in line, best first, at most three."""
        missed = ("behind", "lost_lots", "lost_hand")
        return tuple(d.player for d in self.decisions if d.code in missed)[:3]


def qualify(
    candidates: Sequence[Candidate],
    rule: Rule,
    *,
    tables: Sequence[MatchResult] = (),
    hands: Sequence[Sequence[int]] = (),
) -> Outcome:
    """Apply the rule. `tables`: for "top_k", the results of the round that counts.

    `hands`: the orders of hands that have been played for a last place, the latest first.
    """
    took_part = [c for c in candidates if c.played >= rule.minimum_matches]
    cuts = _table_cuts(took_part, rule, tables) if rule.kind == "top_k" else [_cut(took_part, rule)]
    decided: dict[int, Decision] = {}
    playoffs, played = [], []
    for cut in cuts:
        made = list(_decide(cut, rule, hands))
        for decision in made:
            before = decided.get(decision.player)
            if before is None or not before.through:
                decided[decision.player] = decision
        playoffs += _open_playoff(cut, decided)
        played += _played_playoff(cut, made)
    rest = {c.player: _passed_over(c, rule) for c in candidates}
    decisions = tuple({**rest, **decided}[c.player] for c in candidates)
    places = sum(cut.places for cut in cuts)
    sentence = _summary(decisions, len(took_part), places)
    return Outcome(decisions, tuple(playoffs), tuple(played), len(took_part), places, sentence)


@dataclass(frozen=True)
class _Cut:
    """Groups of equals who can go on, best first, for so many places.

    `wanted`: what the rule gives; `places`: what can be filled. `nominal`: id -> place, in which
    those who are gone count too.
    """

    groups: list[list[Candidate]]
    wanted: int
    places: int
    where: str
    nominal: dict[int, int]


def _cut(took_part: list[Candidate], rule: Rule) -> _Cut:
    groups = [list(group) for _, group in groupby(took_part, key=lambda c: c.rank)]
    return _make_cut(groups, rule.places(len(took_part)), "the standings")


def _table_cuts(
    took_part: list[Candidate], rule: Rule, tables: Sequence[MatchResult]
) -> list[_Cut]:
    by_id = {c.player: c for c in took_part}
    cuts = []
    for result in tables:
        groups = [[by_id[p] for p in ids if p in by_id] for ids in result.order()]
        cuts.append(_make_cut(groups, int(rule.value), f"table {result.table}"))
    return cuts


def _make_cut(groups: list[list[Candidate]], places: int, where: str) -> _Cut:
    nominal: dict[int, int] = {}
    ahead = 0
    for group in groups:
        nominal.update({c.player: ahead + 1 for c in group})
        ahead += len(group)
    able = [[c for c in group if not c.gone] for group in groups]
    filled = [group for group in able if group]
    return _Cut(filled, places, min(places, sum(map(len, filled))), where, nominal)


def _decide(cut: _Cut, rule: Rule, hands: Sequence[Sequence[int]]) -> Iterator[Decision]:
    ahead = 0
    for group in cut.groups:
        free = cut.places - ahead
        if free <= 0:
            yield from (_behind(c, cut) for c in group)
        elif len(group) <= free:
            yield from (_through(c, cut) for c in group)
        else:
            yield from _break_tie(group, free, cut, rule, hands)
        ahead += len(group)


def _through(candidate: Candidate, cut: _Cut) -> Decision:
    place = cut.nominal[candidate.player]
    # The nominal place counts players who are gone; past the cut only their leaving lets one in.
    if place > cut.wanted:
        sentence = f"Place {place} of {cut.where}; goes through in place of a player who is gone."
        return Decision(candidate.player, candidate.name, True, "replaces", sentence)
    sentence = f"Place {place} of {cut.where}; {_first(cut.wanted)} through."
    return Decision(candidate.player, candidate.name, True, "through", sentence)


def _behind(candidate: Candidate, cut: _Cut) -> Decision:
    place = cut.nominal[candidate.player]
    goes = f"only {_first(cut.wanted)}" if cut.wanted else "nobody goes"
    sentence = f"Place {place} of {cut.where}; {goes} through."
    return Decision(candidate.player, candidate.name, False, "behind", sentence)


def _break_tie(
    group: list[Candidate], free: int, cut: _Cut, rule: Rule, hands: Sequence[Sequence[int]]
) -> Iterator[Decision]:
    level = f"Level with {len(group) - 1} more for the last {_places(free)} of {cut.where}; "
    if rule.ties == "together":
        for c in group:
            sentence = level + "all who share the last place go through together."
            yield Decision(c.player, c.name, True, "tied", sentence)
        return
    played = rule.ties == "hand"
    ids = [c.player for c in group]
    order = _hand_of(ids, hands) if played else sorted(ids, key=lambda p: lot(rule.lots_key, p))
    if not order:
        for c in group:
            yield Decision(c.player, c.name, None, "playoff", level + "a hand is played for it.")
        return
    ranked = sorted(group, key=lambda c: order.index(c.player))
    by = "the hand for it" if played else "the lots"
    for number, c in enumerate(ranked):
        won = number < free
        code = ("won_hand" if won else "lost_hand") if played else "lots" if won else "lost_lots"
        verdict = f"{'won' if won else 'lost'} it by {by}."
        yield Decision(c.player, c.name, won, code, level + verdict)


def _hand_of(players: Sequence[int], hands: Sequence[Sequence[int]]) -> Sequence[int]:
    """The order of the latest hand that all of them have played; () where there is none."""
    return next((order for order in hands if set(players) <= set(order)), ())


def _first(count: int) -> str:
    return "the first goes" if count == 1 else f"the first {count} go"


def _places(count: int) -> str:
    return "place" if count == 1 else f"{count} places"


def _open_playoff(cut: _Cut, decided: dict[int, Decision]) -> list[Playoff]:
    ids = [c.player for group in cut.groups for c in group]
    waiting = tuple(p for p in ids if decided[p].code == "playoff")
    free = cut.places - sum(decided[p].through is True for p in ids)
    return [Playoff(waiting, free, cut.where)] if waiting else []


def _played_playoff(cut: _Cut, made: Sequence[Decision]) -> list[Playoff]:
    decided = [d for d in made if d.code in ("won_hand", "lost_hand")]
    won = sum(d.code == "won_hand" for d in decided)
    return [Playoff(tuple(d.player for d in decided), won, cut.where)] if decided else []


def _passed_over(candidate: Candidate, rule: Rule) -> Decision:
    if candidate.gone:
        code, sentence = "gone", f"Cannot go on: {candidate.gone}."
    elif candidate.played < rule.minimum_matches:
        code = "too_few"
        sentence = (
            f"Finished {_matches(candidate.played)}; "
            f"taking part means at least {_matches(rule.minimum_matches)}."
        )
    else:
        code, sentence = "no_result", "Has no result at a table of the round that counts."
    return Decision(candidate.player, candidate.name, False, code, sentence)


def _matches(count: int) -> str:
    return {0: "no match", 1: "1 match"}.get(count, f"{count} matches")


def _summary(decisions: Sequence[Decision], took_part: int, places: int) -> str:
    through = sum(d.through is True for d in decisions)
    waiting = sum(d.through is None for d in decisions)
    if places == 0:
        return f"{took_part} took part: by this rule nobody goes through."
    text = f"{took_part} took part; {through} of {len(decisions)} go{'es' * (through == 1)} through"
    if waiting:
        text += f", and {waiting} play a hand for what is left of the {_places(places)}"
    elif through > places:
        text += f", more than the {_places(places)} because the last place is shared"
    return text + "."
