"""Standings: an ordered tuple of metrics for every player, made from finished matches.

Nothing is stored: hand in the results, get the rows. The headline figure comes first, then the
organizer's tie-breakers in order; where none separates two players they share the rank, and every
row says which criterion put it below the row above.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from games.rules.text import _, gettext_noop


@dataclass(frozen=True)
class MatchResult:
    """What one finished match counts for: all tuples run along the seats.

    `players`: player ids in seat order. `points`: total of each seat. `winners`: ids (several may
    share a win). `left`: points left in the cards of each seat over all hands, or () where nobody
    noted them (a paper table). `places`: 1 for the best, equal numbers for a shared place, or ()
    to take them from the points. `low_wins`: fewest points are best ("lowest", "elimination").
    `table`: its number in the hall, which need not be the place among the results.
    """

    players: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    low_wins: bool = False
    table: int = 0

    def __post_init__(self) -> None:
        for name in ("points", "left", "places"):
            values = getattr(self, name)
            if len(values) != len(self.players) and (values or name == "points"):
                raise ValueError(
                    f"{name} has {len(values)} figures for {len(self.players)} players."
                )

    def place(self, player: int) -> int:
        """1 for the best at the table; equal results share the better place."""
        seat = self.players.index(player)
        if self.places:
            return self.places[seat]
        mine = self._strength(seat)
        return 1 + sum(self._strength(other) > mine for other in range(len(self.players)))

    def _strength(self, seat: int) -> tuple[bool, int]:
        # A winner is never placed behind a loser, whatever a paper sheet's totals say.
        points = -self.points[seat] if self.low_wins else self.points[seat]
        return (self.players[seat] in self.winners, points)

    def order(self) -> list[list[int]]:
        """The ids from best to worst, those that share a place together."""
        ranked = sorted(self.players, key=self.place)
        return [list(ids) for _place, ids in groupby(ranked, key=self.place)]

    def share(self, player: int) -> Fraction:
        """The player's part of all points of the table; the fair part where nobody has any."""
        total = sum(self.points)
        if total == 0:
            return Fraction(1, len(self.players))
        return Fraction(self.points[self.players.index(player)], total)

    def placement(self, player: int) -> Fraction:
        """1 for the first, 0 for the last, evenly between; a shared place gets the mean."""
        if len(self.players) < 2:
            return Fraction(1)
        place = self.place(player)
        sharing = sum(self.place(other) == place for other in self.players)
        mean = place + Fraction(sharing - 1, 2)
        return (len(self.players) - mean) / (len(self.players) - 1)


Value = int | Fraction | None


@dataclass(frozen=True)
class Metric:
    """One criterion. `low`: the smaller value is better; `among_tied`: only means something there.

    Texts that whoever shows them puts into words: `title` heads the column, `phrase` names it in a
    row's note, `sentence` stands on the organizer's form and the public page.
    `value(results, player, tied)` may return None: not known, or not to be compared in this group.
    """

    key: str
    title: str
    sentence: str
    value: Callable[[Results, int, tuple[int, ...]], Value]
    low: bool = False
    among_tied: bool = False
    phrase: str = field(kw_only=True)


class Results:
    """The finished matches of an event, asked for one player at a time."""

    def __init__(self, matches: Iterable[MatchResult], lots_key: str) -> None:
        self.matches = list(matches)
        self.lots_key = lots_key
        self.compared: dict[tuple[int, str], Value] = {}
        self._placements: dict[int, Fraction] = {}

    @cached_property
    def _by_player(self) -> dict[int, list[MatchResult]]:
        found: dict[int, list[MatchResult]] = {}
        for match in self.matches:
            for player in match.players:
                found.setdefault(player, []).append(match)
        return found

    def of(self, player: int) -> list[MatchResult]:
        """The matches that this player finished."""
        return self._by_player.get(player, [])

    def placement(self, player: int) -> Fraction:
        """The player's placements added up, kept: everybody met asks for them too."""
        if player not in self._placements:
            placements = (match.placement(player) for match in self.of(player))
            self._placements[player] = sum(placements, Fraction(0))
        return self._placements[player]


def _points(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    return sum(match.points[match.players.index(player)] for match in results.of(player))


def _average(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    matches = results.of(player)
    return Fraction(int(_points(results, player, tied) or 0), len(matches)) if matches else None


def _wins(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    return sum(player in match.winners for match in results.of(player))


def _placement(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    return results.placement(player)


def _share(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    """Mean over the matches; where few points are good, the part that the others took."""
    matches = results.of(player)
    if not matches:
        return None
    parts = [1 - m.share(player) if m.low_wins else m.share(player) for m in matches]
    return sum(parts, Fraction(0)) / len(parts)


def _left(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    matches = results.of(player)
    if not matches or not all(match.left for match in matches):
        return None
    return sum(match.left[match.players.index(player)] for match in matches)


def _opponents(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    """Mean over the opponents met, each by the mean placement, which knows no table size."""
    met = [o for match in results.of(player) for o in match.players if o != player]
    values = [results.placement(o) / len(results.of(o)) for o in met]
    return sum(values, Fraction(0)) / len(values) if values else None


def _head_to_head(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    """Matches in which the player came before another of the tied group, less those behind."""
    balance = 0
    for other in tied:
        common = [m for m in results.of(player) if other in m.players and other != player]
        if other != player and not common:
            return None
        for match in common:
            mine, theirs = match.place(player), match.place(other)
            balance += (mine < theirs) - (mine > theirs)
    return balance


def lot(key: str, player: int) -> int:
    """The number that this player draws under the key: anyone can run it again with sha256."""
    return int(hashlib.sha256(f"{key}:{player}".encode()).hexdigest()[:12], 16)


def _lots(results: Results, player: int, tied: tuple[int, ...]) -> Value:
    return lot(results.lots_key, player) if results.lots_key else None


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            "points",
            gettext_noop("Points"),
            gettext_noop("All points of the event, added up."),
            _points,
            phrase=gettext_noop("points"),
        ),
        Metric(
            "average",
            gettext_noop("Points a match"),
            gettext_noop("Points that the player was caught with, per match: the fewest are best."),
            _average,
            low=True,
            phrase=gettext_noop("points a match"),
        ),
        Metric(
            "wins",
            gettext_noop("Wins"),
            gettext_noop("Who has won more matches."),
            _wins,
            phrase=gettext_noop("wins"),
        ),
        Metric(
            "placement",
            gettext_noop("Placement"),
            gettext_noop(
                "Who came in better at the tables: the first of a table gets 1, the last 0, "
                "the others evenly between, whatever the table's size."
            ),
            _placement,
            phrase=gettext_noop("placement"),
        ),
        Metric(
            "share",
            gettext_noop("Share"),
            gettext_noop("Who took the larger part of the points of the own tables."),
            _share,
            phrase=gettext_noop("share of the tables' points"),
        ),
        Metric(
            "left",
            gettext_noop("Left"),
            gettext_noop("Who was left with fewer points in the cards."),
            _left,
            low=True,
            phrase=gettext_noop("points left in the cards"),
        ),
        Metric(
            "opponents",
            gettext_noop("Opponents"),
            gettext_noop("Who met the opponents with the better placement."),
            _opponents,
            phrase=gettext_noop("strength of opponents"),
        ),
        Metric(
            "head_to_head",
            gettext_noop("Head to head"),
            gettext_noop(
                "Who came in better at the tables where they met; counts if all who are level met."
            ),
            _head_to_head,
            among_tied=True,
            phrase=gettext_noop("head to head"),
        ),
        Metric(
            "lots",
            gettext_noop("Lots"),
            gettext_noop("Lots drawn from a recorded key: anyone can run the draw again."),
            _lots,
            low=True,
            among_tied=True,
            phrase=gettext_noop("lots"),
        ),
    )
}

TIE_BREAKERS = ("wins", "placement", "share", "left", "opponents", "head_to_head", "lots")


def order_for(scoring: str, tie_breakers: Sequence[str] = TIE_BREAKERS) -> tuple[str, ...]:
    """The metrics of an event in order: the headline that fits the scoring, then the tie-breakers.

    `scoring` is the rule set's option. With few points being good, the mean of a match counts,
    or else whoever missed a round would lead. Raises KeyError for an unknown tie-breaker.
    """
    headline = "points" if scoring == "winner-takes" else "average"
    return (headline, *(METRICS[key].key for key in tie_breakers if key != headline))


@dataclass(frozen=True)
class Row:
    """One line of the standings.

    `rank` is shared where nothing separates. `values` runs along the metrics asked for (None: not
    known or not needed). `separated_by` is the key of the metric that put this row below the one
    above, None for the first row and for a shared rank; `sentence` says it in words.
    """

    rank: int
    player: int
    name: str
    values: tuple[Value, ...]
    played: int
    points: int
    separated_by: str | None
    sentence: str

    def value(self, order: Sequence[str], key: str) -> Value:
        """This row's value for one of the metrics in `order`."""
        return self.values[order.index(key)]


def standings(
    players: Mapping[int, str],
    matches: Iterable[MatchResult],
    order: Sequence[str] = ("points", *TIE_BREAKERS),
    *,
    lots_key: str = "",
) -> list[Row]:
    """Rank `players` (id -> name) by their finished `matches`; players without one come last.

    `order`: keys of METRICS, headline first. Lots separate only when there is a `lots_key`.
    """
    results = Results(matches, lots_key)
    everyone = tuple(sorted(players, key=lambda p: (players[p].casefold(), p)))
    played = tuple(p for p in everyone if results.of(p))
    idle = tuple(p for p in everyone if not results.of(p))
    groups = [(ids, why) for ids, why in _split(results, played, tuple(order), None) if ids]
    if idle:
        groups.append((idle, "played" if played else None))
    return _rows(players, results, groups, order)


def _split(
    results: Results, tied: tuple[int, ...], order: tuple[str, ...], why: str | None
) -> list[tuple[tuple[int, ...], str | None]]:
    """Groups of equals, best first, each with the metric that put it below the group before."""
    if len(tied) < 2 or not order:
        return [(tied, why)]
    metric = METRICS[order[0]]
    values = {player: metric.value(results, player, tied) for player in tied}
    known = {player: value for player, value in values.items() if value is not None}
    results.compared.update({(player, metric.key): value for player, value in values.items()})
    if len(known) < len(tied):
        return _split(results, tied, order[1:], why)
    ranked = sorted(tied, key=lambda p: known[p], reverse=not metric.low)
    groups = []
    for number, (_value, ids) in enumerate(groupby(ranked, key=lambda p: known[p])):
        groups += _split(results, tuple(ids), order[1:], metric.key if number else why)
    return groups


def _rows(
    players: Mapping[int, str],
    results: Results,
    groups: list[tuple[tuple[int, ...], str | None]],
    order: Sequence[str],
) -> list[Row]:
    rows: list[Row] = []
    for ids, why in groups:
        rank = len(rows) + 1
        for number, player in enumerate(ids):
            row = Row(
                rank=rank,
                player=player,
                name=players[player],
                values=tuple(_shown(results, player, METRICS[key]) for key in order),
                played=len(results.of(player)),
                points=int(_points(results, player, ()) or 0),
                separated_by=None if number else why,
                sentence="",
            )
            above = rows[-1] if rows else None
            rows.append(replace(row, sentence=_sentence(row, above, order)))
    return rows


def _shown(results: Results, player: int, metric: Metric) -> Value:
    if metric.among_tied or (player, metric.key) in results.compared:
        return results.compared.get((player, metric.key))
    return metric.value(results, player, ())


def _sentence(row: Row, above: Row | None, order: Sequence[str]) -> str:
    if not row.played:
        return _("Has not finished a match.")
    if above is None:
        return ""
    if row.separated_by is None:
        return _("Level with {name} in every criterion.").format(name=above.name)
    metric = METRICS[row.separated_by]
    mine, theirs = row.value(order, metric.key), above.value(order, metric.key)
    if metric.key == "lots":
        return _("Behind {name} by lots.").format(name=above.name)
    return _("Behind {name} by {criterion}: {mine} to {theirs}.").format(
        name=above.name, criterion=_(metric.phrase), mine=show(mine), theirs=show(theirs)
    )


def show(value: Value) -> str:
    """A metric's value for people: whole numbers plain, others with two decimals."""
    if value is None:
        return "–"
    return str(int(value)) if value == int(value) else f"{float(value):.2f}"
