"""Events played step by step. After each step, all outputs must agree on the places.

A day combines a format with ties, a correction, a freeze, a ruling and a bye. The first days cover
each pair of these values, and the others are random.
"""

import random
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, product
from typing import NamedTuple

from games.models import Hand
from tests import seeded
from tests.tournament.event_steps import REASON, WRONG_SHEET
from tests.tournament.played_out import (
    choose_covering_cases,
    draw_points,
    find_first_player,
    has_next_stage,
    is_playable_case,
    is_stage_played,
    make_cut,
    make_event_for_case,
    make_ruling_if_approved,
)
from tests.tournament.staging import play
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round, next_round
from tournament.advancing.services import announce_winner
from tournament.corrections.cuts import keep_outdated_cut
from tournament.corrections.draws import keep_outdated_draw
from tournament.events.closing.locking import lock_results
from tournament.models import Event, Round, Ruling, Stage, Table
from tournament.pure.formats import READY
from tournament.results.services import enter_result
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.stages.winners import is_decided
from tournament.standings.freezing import freeze, reveal, thaw

# Each ruling, and whether the player's table is still playing.
RULINGS = {
    "forfeit": (Ruling.Kind.FORFEIT, True),
    "disqualified": (Ruling.Kind.DISQUALIFY, True),
    "disqualified after": (Ruling.Kind.DISQUALIFY, False),
    "left after": (Ruling.Kind.LEAVE, False),
}
# Rules and number of players, without and with a bye. A table of partners has exactly four seats,
# so the ninth player has a bye.
PLAYERS = {"": ("uno-400", 8), "bye": ("partners", 9)}
# Everyone partners everyone else, so each additional player adds a round. Four players must remain.
PLAYERS_BY_ROTATION = {False: 4, True: 5}
# Formats with one stage, of two rounds in these tests.
TWO_ROUNDS = ("rounds", "lowest")
# Number of players who advance to the last stage: four play one final table, and six play two
# tables before the final.
ADVANCING_COUNTS = (4, 6)


class Day(NamedTuple):
    """The values of one day.

    * `ties`: how ties arise, or "" if all points differ.
    * `correction`: the state of the next round when a round is corrected, or "".
    * `frozen`: when the freeze begins and how it ends, or "".
    * `ruling`: a key of RULINGS, or "".
    * `bye`: "bye" if a player has a bye, or "".
    """

    format: str
    ties: str
    correction: str
    frozen: str
    ruling: str
    bye: str


def list_values() -> Iterator[Day]:
    ties = ("", "one hand", "entered")
    corrections = ("", "before", "draft", "after")
    frozen = ("", "first round", "last round", "step by step")
    for values in product(READY, ties, corrections, frozen, ("", *RULINGS), PLAYERS):
        day = Day(*values)
        if is_playable_case((day.format, PLAYERS[day.bye][0], "")):
            yield day


def choose_days(count: int) -> list[Day]:
    """Return days that cover each pair of values, and random days up to a total of `count`."""
    known = list(list_values())
    pairs = list(choose_covering_cases(known))
    drawn = random.Random(seeded.SEED).sample(known, len(known))
    return list(islice(dict.fromkeys([*pairs, *drawn]), max(count, len(pairs))))


class PlayedDay:
    """A day that is played step by step.

    `iterate_steps` yields the name of each completed step.
    """

    def __init__(self, day: Day) -> None:
        self.day = day
        incident = "site" if day.ties == "one hand" else "paper"
        rules, players = PLAYERS[day.bye]
        if day.format == "partners":
            players = PLAYERS_BY_ROTATION[bool(day.bye) or day.ruling not in ("", "forfeit")]
        self.event, self.organizer = make_event_for_case((day.format, rules, incident), players)
        if day.format in TWO_ROUNDS:
            self.event.stages.update(rounds_planned=2)
        self._through = (
            ADVANCING_COUNTS[0] if day.format == "three-stages" else random.choice(ADVANCING_COUNTS)
        )
        self._corrected = self._ruled = False

    @property
    def allows_early_departure(self) -> bool:
        """Whether a player of this day may leave before the last round of a stage."""
        return self.day.ruling == "left after" and self.day.format in ("partners", *TWO_ROUNDS)

    @cached_property
    def _is_on_site(self) -> bool:
        return self.day.ties == "one hand"

    def iterate_steps(self) -> Iterator[str]:
        yield "published event"
        while not is_decided(self.event, None):
            stage = self._find_current_stage()
            if next_round(stage) is None or (is_stage_played(stage) and has_next_stage(stage)):
                self._confirm_outdated_steps()
                make_cut(stage, self.organizer, self._through)
                yield "cut"
                continue
            yield from self._play_round(stage)
        self._confirm_outdated_steps()
        yield from self._end_event()

    def _find_current_stage(self) -> Stage:
        left = self.event.stages.exclude(state=Stage.State.CLOSED)
        return sure(left.order_by("number").first())

    def _play_round(self, stage: Stage) -> Iterator[str]:
        before = self._find_last_closed_round()
        if before and self.day.correction == "before":
            yield from self._correct_result(before)
        self._confirm_outdated_steps()
        drawn = draw_round(stage, self.organizer)
        yield "drawn"
        if before and self.day.correction == "draft":
            yield from self._correct_result(before)
            self._confirm_outdated_steps()
        drawn.tables.update(paper=not self._is_on_site)
        published = publish_round(drawn, self.organizer, REASON)
        yield "published"
        played = start_round(published, self.organizer)
        yield "started"
        yield from self._freeze_leaderboard(played)
        yield from self._play_tables(played)
        if before and self.day.correction == "after":
            yield from self._correct_result(before)
        self._confirm_outdated_steps()
        close_round(Round.objects.get(pk=played.pk), self.organizer)
        yield "closed"

    def _find_last_closed_round(self) -> Round | None:
        closed = Round.objects.filter(stage__event=self.event, state=Round.State.CLOSED)
        return closed.order_by("stage__number", "number").last()

    def _freeze_leaderboard(self, round_: Round) -> Iterator[str]:
        event, wanted = self.load_event(), self.day.frozen
        is_last = round_.is_final or not has_next_stage(round_.stage)
        if event.freeze or not wanted or not (wanted == "first round" or is_last):
            return
        freeze(event, self.organizer)
        yield "frozen"

    def _play_tables(self, round_: Round) -> Iterator[str]:
        kind, while_playing = RULINGS.get(self.day.ruling, ("", False))
        for number, table in enumerate(round_.tables.order_by("number")):
            if kind and while_playing and number == 0 and self._is_on_site:
                yield from self._make_ruling(round_, kind)
            self._play_table(table)
            yield "played"
        if kind and not (while_playing and self._is_on_site):
            yield from self._make_ruling(round_, kind)

    def _make_ruling(self, round_: Round, kind: str) -> Iterator[str]:
        if self._ruled or (kind == Ruling.Kind.FORFEIT and not self._is_on_site):
            return
        self._ruled = True
        make_ruling_if_approved(find_first_player(round_), self.organizer, kind)
        yield "ruled"

    def _play_table(self, table: Table) -> None:
        if not self._is_on_site:
            self._enter_points(table, "tie" if self.day.ties == "entered" else "")
            return
        play(table)
        if self.day.format in ("lowest", "challenge"):
            return
        for hand in Hand.objects.filter(match=table.match, points__isnull=False):
            left = [random.choice((5, 20, 52)) for _points in hand.points or []]
            Hand.objects.filter(pk=hand.pk).update(left=left)

    def _enter_points(self, table: Table, way: str) -> None:
        points = draw_points(table.seats.count(), way)
        enter_result(table, self.organizer, points, WRONG_SHEET, override=True)

    def _correct_result(self, round_: Round) -> Iterator[str]:
        if self._corrected:
            return
        self._corrected = True
        table = sure(round_.tables.order_by("number").first())
        count = table.seats.count()
        points = [15, 15, *range(55, 55 + 5 * count, 5)][:count] if self.day.ties else None
        points = points or [60 + 5 * seat for seat in range(count)]
        enter_result(table, self.organizer, points, WRONG_SHEET, override=True)
        yield "corrected"

    def _confirm_outdated_steps(self) -> None:
        """Confirm cuts and draws that no longer match the corrected results."""
        event = self.load_event()
        if cut := outdated_cut(event):
            keep_outdated_cut(event, self.organizer, cut.facts, REASON)
        for found in list_outdated_draws(event):
            keep_outdated_draw(found.played, self.organizer, found.version, REASON)

    def _end_event(self) -> Iterator[str]:
        announce_winner(self.load_event(), self.organizer)
        yield "announced"
        event = self.load_event()
        if event.freeze and self.day.frozen == "step by step":
            while self._reveal_places(random.randint(1, 4)):
                yield "revealed"
            yield "all revealed"
        elif event.freeze:
            thaw(event, self.organizer)
            yield "thawed"
        if self.day.correction == "after":
            self._corrected = False
            yield from self._correct_result(sure(self._find_last_closed_round()))
            self._confirm_outdated_steps()
        lock_results(self.load_event(), self.organizer, sure=True)
        yield "locked"

    def _reveal_places(self, places: int) -> bool:
        """Reveal up to `places` places, and return whether the leaderboard is still frozen."""
        for _place in range(places):
            if not self.load_event().freeze:
                return False
            reveal(self.event, self.organizer)
        return bool(self.load_event().freeze)

    def load_event(self) -> Event:
        """Return the current event from the database."""
        return Event.objects.get(pk=self.event.pk)
