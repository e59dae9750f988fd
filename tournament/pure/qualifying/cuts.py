"""The cut: who advances, who just missed, and a sentence for every player.

"A second round will be held as per participation in the first round" (text 000): the
organizer's rule decides how many advance and what counts as taking part. Both can be tried
out before they are confirmed, since nothing here is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournament.pure.qualifying import sentences
from tournament.pure.qualifying.levels import TableOrder, table_order
from tournament.pure.qualifying.rules import QualifyingRule
from tournament.pure.ranking import MatchResult, lot
from tournament.pure.sentences import Sentence


@dataclass(frozen=True)
class Decision:
    """Outcome for one player.

    `through` is None while a hand must be played for the place. `code`: through, tied, lots,
    won_hand, replaces; playoff; behind, lost_lots, lost_hand, too_few, no_result, gone. `why` may
    be stored.
    """

    player: int
    name: str
    through: bool | None
    code: str
    why: Sentence

    @property
    def sentence(self) -> str:
        """Reason for the decision, in the reader's language."""
        return str(self.why)


@dataclass(frozen=True)
class Contender:
    """A player who may advance.

    `gone`: "", or the reason why the player cannot advance, a key of sentences.GONE.
    """

    player: int
    name: str
    gone: str = ""

    def cannot_go_on(self) -> Decision:
        """Return the decision for a player who can no longer advance."""
        return Decision(self.player, self.name, False, "gone", sentences.cannot_go_on(self.gone))


@dataclass(frozen=True)
class Candidate(Contender):
    """A line of the standings, best first. Players whom nothing separates share a `rank`."""

    rank: int = field(kw_only=True)
    played: int = field(kw_only=True)


@dataclass(frozen=True)
class CutTies:
    """Rule for ties at the cut: a key of TIES, and the key of the lots.

    `breakers`: keys of standings.METRICS that first separate players who share a place at a table.
    """

    kind: str
    lots_key: str = ""
    breakers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Playoff:
    """A hand for the last `places` by `players`, in their final order once it is played.

    `where` describes where the players are tied.
    """

    players: tuple[int, ...]
    places: int
    where: Sentence


@dataclass(frozen=True)
class Cut:
    """Outcome of the cut.

    `decisions`: one for each player, in order. `places`: the number of spots by the rule.
    `playoffs`: hands still to be played. `played`: hands that were decisive.
    """

    decisions: tuple[Decision, ...]
    playoffs: tuple[Playoff, ...]
    played: tuple[Playoff, ...]
    took_part: int
    places: int
    summary: Sentence

    @property
    def sentence(self) -> str:
        """Sentence about how many players advance, in the reader's language."""
        return str(self.summary)

    @property
    def through(self) -> tuple[int, ...]:
        """Ids of the advancing players, best first."""
        return tuple(d.player for d in self.decisions if d.through)

    @property
    def just_missed(self) -> tuple[int, ...]:
        """Ids of the players who just missed, best first, at most three."""
        missed = ("behind", "lost_lots", "lost_hand")
        return tuple(d.player for d in self.decisions if d.code in missed)[:3]


def qualify(
    candidates: Sequence[Candidate],
    rule: QualifyingRule,
    *,
    tables: Sequence[MatchResult] = (),
    hands: Sequence[Sequence[int]] = (),
) -> Cut:
    """Apply the rule and return the cut.

    `tables`: for "top_k", the results of the round that counts. `hands`: the orders of hands that
    have been played for a last place, latest first.
    """
    took_part = [c for c in candidates if c.played >= rule.minimum_matches]
    if rule.kind == "top_k":
        ranks = {c.player: c.rank for c in took_part}
        contests = _make_table_contests(took_part, int(rule.value), tables, rule.breakers, ranks)
    else:
        contests = [_make_single_contest(took_part, rule)]
    rest = [_decide_passed_over(c, rule) for c in candidates]
    return _cut(
        rest, contests, CutTies(rule.ties, rule.lots_key, rule.breakers), hands, len(took_part)
    )


def best_of_tables(
    players: Sequence[Contender],
    tables: Sequence[MatchResult],
    best: int,
    ties: CutTies,
    hands: Sequence[Sequence[int]] = (),
) -> Cut:
    """Let the `best` players of each table advance.

    `hands`: as in `qualify`.
    """
    contests = _make_table_contests(players, best, tables, ties.breakers)
    rest = [_decide_without_spot(player) for player in players]
    return _cut(rest, contests, ties, hands, len(players))


def _cut(
    rest: Sequence[Decision],
    contests: Sequence[_Contest],
    ties: CutTies,
    hands: Sequence[Sequence[int]],
    took_part: int,
) -> Cut:
    """Decide the contests and return the cut.

    `rest` has the default decision for every player, in order; it applies to players in no
    contest.
    """
    decided: dict[int, Decision] = {}
    playoffs, played = [], []
    for contest in contests:
        made = list(_decide(contest, ties, hands))
        for decision in made:
            before = decided.get(decision.player)
            if before is None or not before.through:
                decided[decision.player] = decision
        playoffs += _open_playoff(contest, decided)
        played += _list_played_playoffs(contest, made)
    decisions = tuple(decided.get(each.player, each) for each in rest)
    places = sum(contest.places for contest in contests)
    through, waiting = (sum(d.through is sure for d in decisions) for sure in (True, None))
    summary = sentences.summary(took_part, through, waiting, len(decisions), places)
    return Cut(decisions, tuple(playoffs), tuple(played), took_part, places, summary)


@dataclass(frozen=True)
class _Contest:
    """Groups of equal players who can advance, best first, for a number of places.

    `wanted`: the number of places by the rule. `places`: the number that can be filled.
    `nominal`: id -> place, counting players who have left. `order`: what separated players who
    shared a place at the table.
    """

    groups: list[list[Contender]]
    wanted: int
    places: int
    where: Sentence
    nominal: dict[int, int]
    order: TableOrder

    def place(self, player: Contender) -> int:
        """Return the player's place at the table, counting bots."""
        return self.order.places.get(player.player, self.nominal[player.player])


def _make_single_contest(took_part: list[Candidate], rule: QualifyingRule) -> _Contest:
    groups: list[list[Contender]] = [
        list(group) for _rank, group in groupby(took_part, key=lambda c: c.rank)
    ]
    return _make_contest(
        groups, rule.places(len(took_part)), sentences.name_standings(), TableOrder()
    )


def _make_table_contests(
    players: Sequence[Contender],
    best: int,
    tables: Sequence[MatchResult],
    breakers: Sequence[str],
    ranks: Mapping[int, int] | None = None,
) -> list[_Contest]:
    by_id = {player.player: player for player in players}
    names = {player.player: player.name for player in players}
    contests = []
    for result in tables:
        order = table_order(result, names, breakers, ranks)
        groups = [[by_id[player] for player in ids] for ids in order.groups]
        contests.append(_make_contest(groups, best, sentences.name_table(result.table), order))
    return contests


def _make_contest(
    groups: list[list[Contender]], places: int, place: Sentence, order: TableOrder
) -> _Contest:
    nominal: dict[int, int] = {}
    ahead = 0
    for group in groups:
        nominal.update({c.player: ahead + 1 for c in group})
        ahead += len(group)
    able = [[c for c in group if not c.gone] for group in groups]
    filled = [group for group in able if group]
    return _Contest(filled, places, min(places, sum(map(len, filled))), place, nominal, order)


def _decide(contest: _Contest, ties: CutTies, hands: Sequence[Sequence[int]]) -> Iterator[Decision]:
    ahead = 0
    for group in contest.groups:
        free = contest.places - ahead
        if free <= 0:
            yield from (_decide_missed(c, contest) for c in group)
        elif len(group) <= free:
            yield from (_decide_advanced(c, contest) for c in group)
        else:
            yield from _break_tie(group, free, contest, ties, hands)
        ahead += len(group)


def _decide_advanced(player: Contender, contest: _Contest) -> Decision:
    place, at = contest.nominal[player.player], contest.place(player)
    # The nominal place counts players who are gone; past the cut only their leaving lets one in.
    if place > contest.wanted:
        sentence = sentences.replaces(at, contest.where)
        return Decision(player.player, player.name, True, "replaces", sentence)
    sentence = sentences.describe_advancing(at, contest.where, contest.wanted)
    if at > contest.wanted:
        sentence = sentences.join_reason(sentence, sentences.passes_bots())
    why = _add_reason(sentence, contest.order.ahead.get(player.player))
    return Decision(player.player, player.name, True, "through", why)


def _add_reason(sentence: Sentence, reason: Sentence | None) -> Sentence:
    return sentences.join_reason(sentence, reason) if reason else sentence


def _decide_missed(player: Contender, contest: _Contest) -> Decision:
    place = contest.place(player)
    sentence = sentences.describe_missing(place, contest.where, contest.wanted)
    why = _add_reason(sentence, contest.order.behind.get(player.player))
    return Decision(player.player, player.name, False, "behind", why)


def _break_tie(
    group: list[Contender],
    free: int,
    contest: _Contest,
    ties: CutTies,
    hands: Sequence[Sequence[int]],
) -> Iterator[Decision]:

    def decide_tied(player: Contender, through: bool | None, code: str) -> Decision:
        sentence = sentences.level(code, len(group) - 1, free, contest.where)
        return Decision(player.player, player.name, through, code, sentence)

    if ties.kind == "together":
        yield from (decide_tied(c, True, "tied") for c in group)
        return
    played = ties.kind == "hand"
    ids = [c.player for c in group]
    order = (
        _find_hand_order(ids, hands) if played else sorted(ids, key=lambda p: lot(ties.lots_key, p))
    )
    if not order:
        yield from (decide_tied(c, None, "playoff") for c in group)
        return
    ranked = sorted(group, key=lambda c: order.index(c.player))
    for number, c in enumerate(ranked):
        won = number < free
        code = ("won_hand" if won else "lost_hand") if played else "lots" if won else "lost_lots"
        yield decide_tied(c, won, code)


def _find_hand_order(players: Sequence[int], hands: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the order of the latest hand that all these players have played, or ()."""
    return next((order for order in hands if set(players) <= set(order)), ())


def _open_playoff(contest: _Contest, decided: dict[int, Decision]) -> list[Playoff]:
    ids = [c.player for group in contest.groups for c in group]
    waiting = tuple(p for p in ids if decided[p].code == "playoff")
    free = contest.places - sum(decided[p].through is True for p in ids)
    return [Playoff(waiting, free, contest.where)] if waiting else []


def _list_played_playoffs(contest: _Contest, decisions: Sequence[Decision]) -> list[Playoff]:
    decided = [d for d in decisions if d.code in ("won_hand", "lost_hand")]
    won = sum(d.code == "won_hand" for d in decided)
    return [Playoff(tuple(d.player for d in decided), won, contest.where)] if decided else []


def _decide_passed_over(candidate: Candidate, rule: QualifyingRule) -> Decision:
    if candidate.gone or candidate.played >= rule.minimum_matches:
        return _decide_without_spot(candidate)
    sentence = sentences.too_few(candidate.played, rule.minimum_matches)
    return Decision(candidate.player, candidate.name, False, "too_few", sentence)


def _decide_without_spot(player: Contender) -> Decision:
    """Return the decision for a player who has no spot in any contest."""
    if player.gone:
        return player.cannot_go_on()
    return Decision(player.player, player.name, False, "no_result", sentences.no_result())
