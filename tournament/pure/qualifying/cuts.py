"""The cut: which players advance, and a sentence about the reason for each player.

The rules of Ocho say: "A second round will be held as per participation in the first round" (text
000 in docs/rules-decisions.md). The organizer's rule decides how many players advance and who
counts as having taken part. Nothing is stored here, so organizers can try several rules before they
confirm one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournament.pure.qualifying import sentences
from tournament.pure.qualifying.levels import TableOrder, table_order
from tournament.pure.qualifying.rules import QualifyingRule
from tournament.pure.ranking import MatchResult, draw_lot
from tournament.pure.sentences import Sentence


@dataclass(frozen=True)
class Decision:
    """The outcome of the cut for one player.

    * `through`: whether the player advances, or None until a tie-break hand has been played.
    * `code`: "through", "tied", "lots", "won_hand" or "replaces" for a player who advances,
      "playoff" for a tie-break hand to be played, and "behind", "lost_lots", "lost_hand",
      "too_few", "no_result" or "gone" for a player who does not advance.
    * `why`: the reason, in a form that can be stored.
    """

    player: int
    name: str
    through: bool | None
    code: str
    why: Sentence

    @property
    def sentence(self) -> str:
        """The reason for the decision, in the reader's language."""
        return str(self.why)


@dataclass(frozen=True)
class Contender:
    """A player who competes for a place in the next round.

    `gone` is the reason why the player cannot advance (a key of `sentences.GONE`), or "".
    """

    player: int
    name: str
    gone: str = ""

    def decide_gone(self) -> Decision:
        """Return the decision for a player who cannot advance for the reason in `gone`."""
        why = sentences.describe_gone(self.gone)
        return Decision(self.player, self.name, False, "gone", why)


@dataclass(frozen=True)
class Candidate(Contender):
    """A player from the standings.

    * `rank`: the rank in the standings. Tied players share it.
    * `played`: the number of finished matches.
    * `byes`: the number of byes, which count as finished matches.
    """

    rank: int = field(kw_only=True)
    played: int = field(kw_only=True)
    byes: int = field(kw_only=True, default=0)

    def has_taken_part(self, minimum_matches: int) -> bool:
        """Return whether the player has enough finished matches to count as taking part."""
        return self.played + self.byes >= minimum_matches


@dataclass(frozen=True)
class CutTies:
    """The rule for ties at the cut.

    * `kind`: a key of TIES.
    * `lots_key`: the key for drawing lots.
    * `breakers`: keys of METRICS that first try to separate players who are tied at a table.
    """

    kind: str
    lots_key: str = ""
    breakers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Playoff:
    """A tie-break hand for the last places.

    * `players`: the tied players, in their final order once the hand has been played.
    * `places`: the number of places to be decided.
    * `where`: where the players are tied, as a phrase.
    """

    players: tuple[int, ...]
    places: int
    where: Sentence


@dataclass(frozen=True)
class Cut:
    """The outcome of the cut.

    * `decisions`: one for each player, in order.
    * `playoffs`: tie-break hands still to be played.
    * `played`: tie-break hands that have decided a place.
    * `took_part`: the number of players who took part.
    * `places`: the number of players who can advance under the rule.
    * `summary`: a sentence about how many players advance.
    """

    decisions: tuple[Decision, ...]
    playoffs: tuple[Playoff, ...]
    played: tuple[Playoff, ...]
    took_part: int
    places: int
    summary: Sentence

    @property
    def sentence(self) -> str:
        """The summary in the reader's language."""
        return str(self.summary)

    @property
    def through(self) -> tuple[int, ...]:
        """Ids of the advancing players, best first."""
        return tuple(decision.player for decision in self.decisions if decision.through)

    @property
    def just_missed(self) -> tuple[int, ...]:
        """Ids of up to three players who just missed, best first."""
        missed = ("behind", "lost_lots", "lost_hand")
        return tuple(decision.player for decision in self.decisions if decision.code in missed)[:3]


def qualify(
    candidates: Sequence[Candidate],
    rule: QualifyingRule,
    *,
    tables: Sequence[MatchResult] = (),
    hands: Sequence[Sequence[int]] = (),
) -> Cut:
    """Apply the rule and return the cut.

    * `tables`: the results of the deciding round, which the rule "top_k" needs.
    * `hands`: the final order of each tie-break hand, latest first.
    """
    took_part = [each for each in candidates if each.has_taken_part(rule.minimum_matches)]
    if rule.kind == "top_k":
        ranks = {candidate.player: candidate.rank for candidate in took_part}
        contests = _make_table_contests(took_part, int(rule.value), tables, rule.breakers, ranks)
    else:
        contests = [_make_standings_contest(took_part, rule)]
    defaults = [_make_default_decision(candidate, rule) for candidate in candidates]
    return _decide_contests(
        defaults, contests, CutTies(rule.ties, rule.lots_key, rule.breakers), hands, len(took_part)
    )


def best_of_tables(
    players: Sequence[Contender],
    tables: Sequence[MatchResult],
    best: int,
    ties: CutTies,
    hands: Sequence[Sequence[int]] = (),
) -> Cut:
    """Return the cut in which the best players of each table advance.

    * `best`: the number of players who advance from each table.
    * `hands`: as in `qualify`.
    """
    contests = _make_table_contests(players, best, tables, ties.breakers)
    defaults = [_decide_without_contest(player) for player in players]
    return _decide_contests(defaults, contests, ties, hands, len(players))


def _decide_contests(
    defaults: Sequence[Decision],
    contests: Sequence[_Contest],
    ties: CutTies,
    hands: Sequence[Sequence[int]],
    took_part: int,
) -> Cut:
    """Decide all contests and return the cut.

    `defaults` lists a decision for each player, in order. It applies to players who are not in a
    contest.
    """
    decided: dict[int, Decision] = {}
    playoffs, played = [], []
    for contest in contests:
        decisions_here = list(_decide_contest(contest, ties, hands))
        for decision in decisions_here:
            earlier = decided.get(decision.player)
            if earlier is None or not earlier.through:
                decided[decision.player] = decision
        playoffs += _list_open_playoffs(contest, decided)
        played += _list_played_playoffs(contest, decisions_here)
    decisions = tuple(decided.get(each.player, each) for each in defaults)
    places = sum(contest.places for contest in contests)
    through, waiting = (
        sum(decision.through is outcome for decision in decisions) for outcome in (True, None)
    )
    summary = sentences.summarize_cut(took_part, through, waiting, len(decisions), places)
    return Cut(decisions, tuple(playoffs), tuple(played), took_part, places, summary)


@dataclass(frozen=True)
class _Contest:
    """A contest among players for a number of places, at a table or in the standings.

    * `groups`: groups of tied players who can advance, best first.
    * `wanted`: the number of places under the rule.
    * `places`: the number of places that can be filled.
    * `where`: where the contest takes place, as a phrase.
    * `nominal`: each player's place among all players, including those who have left.
    * `order`: the order of the table, with the tie-breaks that decided it.
    """

    groups: list[list[Contender]]
    wanted: int
    places: int
    where: Sentence
    nominal: dict[int, int]
    order: TableOrder

    def place(self, player: Contender) -> int:
        """Return the player's place, counting the bots at a table."""
        return self.order.places.get(player.player, self.nominal[player.player])


def _make_standings_contest(took_part: list[Candidate], rule: QualifyingRule) -> _Contest:
    groups: list[list[Contender]] = [
        list(group) for _rank, group in groupby(took_part, key=lambda candidate: candidate.rank)
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
        nominal.update({contender.player: ahead + 1 for contender in group})
        ahead += len(group)
    remaining = [[contender for contender in group if not contender.gone] for group in groups]
    filled = [group for group in remaining if group]
    return _Contest(filled, places, min(places, sum(map(len, filled))), place, nominal, order)


def _decide_contest(
    contest: _Contest, ties: CutTies, hands: Sequence[Sequence[int]]
) -> Iterator[Decision]:
    ahead = 0
    for group in contest.groups:
        open_places = contest.places - ahead
        if open_places <= 0:
            yield from (_decide_missed(contender, contest) for contender in group)
        elif len(group) <= open_places:
            yield from (_decide_advanced(contender, contest) for contender in group)
        else:
            yield from _break_tie(group, open_places, contest, ties, hands)
        ahead += len(group)


def _decide_advanced(player: Contender, contest: _Contest) -> Decision:
    place, table_place = contest.nominal[player.player], contest.place(player)
    # The nominal place counts players who have left. If it is behind the cut, the player advances
    # only because others left.
    if place > contest.wanted:
        sentence = sentences.describe_replacement(table_place, contest.where)
        return Decision(player.player, player.name, True, "replaces", sentence)
    sentence = sentences.describe_advancing(table_place, contest.where, contest.wanted)
    if table_place > contest.wanted:
        sentence = sentences.join_reason(sentence, sentences.explain_that_bots_cannot_advance())
    why = _add_reason(sentence, contest.order.ahead.get(player.player))
    return Decision(player.player, player.name, True, "through", why)


def _add_reason(sentence: Sentence, reason: Sentence | None) -> Sentence:
    return sentences.join_reason(sentence, reason) if reason else sentence


def _decide_missed(player: Contender, contest: _Contest) -> Decision:
    place = contest.place(player)
    sentence = sentences.describe_missed_cut(place, contest.where, contest.wanted)
    why = _add_reason(sentence, contest.order.behind.get(player.player))
    return Decision(player.player, player.name, False, "behind", why)


def _break_tie(
    group: list[Contender],
    open_places: int,
    contest: _Contest,
    ties: CutTies,
    hands: Sequence[Sequence[int]],
) -> Iterator[Decision]:

    def decide_tied(player: Contender, through: bool | None, code: str) -> Decision:
        sentence = sentences.describe_tie(code, len(group) - 1, open_places, contest.where)
        return Decision(player.player, player.name, through, code, sentence)

    if ties.kind == "together":
        yield from (decide_tied(contender, True, "tied") for contender in group)
        return
    by_hand = ties.kind == "hand"
    ids = [contender.player for contender in group]
    order = (
        _find_order_of_latest_hand(ids, hands)
        if by_hand
        else sorted(ids, key=lambda player: draw_lot(ties.lots_key, player))
    )
    if not order:
        yield from (decide_tied(contender, None, "playoff") for contender in group)
        return
    ranked = sorted(group, key=lambda contender: order.index(contender.player))
    for number, contender in enumerate(ranked):
        won = number < open_places
        code = ("won_hand" if won else "lost_hand") if by_hand else "lots" if won else "lost_lots"
        yield decide_tied(contender, won, code)


def _find_order_of_latest_hand(
    players: Sequence[int], hands: Sequence[Sequence[int]]
) -> Sequence[int]:
    """Return the order of the latest hand in which all these players took part, or ()."""
    return next((order for order in hands if set(players) <= set(order)), ())


def _list_open_playoffs(contest: _Contest, decided: dict[int, Decision]) -> list[Playoff]:
    ids = [contender.player for group in contest.groups for contender in group]
    tied = tuple(player for player in ids if decided[player].code == "playoff")
    open_places = contest.places - sum(decided[player].through is True for player in ids)
    return [Playoff(tied, open_places, contest.where)] if tied else []


def _list_played_playoffs(contest: _Contest, decisions: Sequence[Decision]) -> list[Playoff]:
    decided = [decision for decision in decisions if decision.code in ("won_hand", "lost_hand")]
    won = sum(decision.code == "won_hand" for decision in decided)
    return (
        [Playoff(tuple(decision.player for decision in decided), won, contest.where)]
        if decided
        else []
    )


def _make_default_decision(candidate: Candidate, rule: QualifyingRule) -> Decision:
    if candidate.gone or candidate.has_taken_part(rule.minimum_matches):
        return _decide_without_contest(candidate)
    sentence = sentences.describe_too_few_matches(candidate.played, rule.minimum_matches)
    return Decision(candidate.player, candidate.name, False, "too_few", sentence)


def _decide_without_contest(player: Contender) -> Decision:
    """Return the decision for a player who is not in a contest."""
    if player.gone:
        return player.decide_gone()
    return Decision(player.player, player.name, False, "no_result", sentences.describe_no_result())
