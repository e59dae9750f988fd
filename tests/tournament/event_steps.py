"""Events that tests play step by step, with a correction between two steps."""

from collections.abc import Callable, Sequence

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
)
from tournament.advancing.next_rounds import draw_round
from tournament.advancing.services import (
    announce_winner,
    preview_cut,
    qualify,
    reopen_event,
)
from tournament.corrections.cuts import keep_outdated_cut
from tournament.corrections.draws import keep_outdated_draw
from tournament.models import Event, Registration, Round, Stage
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round
from tournament.stages.cut import CutRule
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import (
    OutdatedDraw,
    find_outdated_draw,
    list_outdated_draws,
)

REASON = "Everyone has agreed to it."
WRONG_SHEET = "The sheet was upside down."
REVERSED_POINTS = [0, 100, 300, 400]
STATES = ("undrawn", "draft", "published", "running", "closed", "announced")
# Positions (from 0) of the rounds that are drawn from earlier results, by format.
DRAWN_ROUNDS = {"bracket": (1, 2), "rounds-then-final": (1, 2), "by-points": (1, 2)}
# Format and position of each round whose players advanced in a cut.
CUT_STAGES = {("rounds-then-final", 1)}
TOP_EIGHT = CutRule(Stage.Rule.NUMBER, 8, Stage.Ties.LOTS, 1)


class SteppedEvent:
    """An event with 16 players and three rounds with physical cards, played step by step."""

    def __init__(self, form: str) -> None:
        self.event, self.organizer = make_organized_event(16, round_minutes=None)
        first = self.event.stages.filter(number=1)
        if form == "bracket":
            first.update(format=Stage.Format.BRACKET, advance=2)
        if form == "by-points":
            self.event.stages.filter(number=2).delete()
            first.update(by_points=True, rounds_planned=3)
        self.form = form

    @property
    def rounds(self) -> list[Round]:
        rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        return list(rounds.order_by("stage__number", "number"))

    def draw_next_round(self) -> Round:
        return draw_round(self._find_stage(), self.organizer, "Once more.")

    def _find_stage(self) -> Stage:
        stage = first_stage(self.event)
        if self.form != "rounds-then-final" or not self.rounds:
            return stage
        if stage.state != Stage.State.CLOSED:
            through = preview_cut(stage_results(stage), TOP_EIGHT).through
            qualify(stage, self.organizer, TOP_EIGHT, through)
        return self.event.stages.get(number=2)

    def publish(self) -> Round:
        played = publish_round(self.rounds[-1], self.organizer, REASON)
        played.tables.update(paper=True)
        return played

    def start(self) -> Round:
        return start_round(self.rounds[-1], self.organizer)

    def close(self) -> Round:
        return finish_paper_round(self.rounds[-1], self.organizer)

    def announce(self) -> Event:
        announce_winner(self.event, self.organizer)
        return Event.objects.get(pk=self.event.pk)

    def announce_again(self) -> Event:
        if Event.objects.get(pk=self.event.pk).state == Event.State.FINISHED:
            reopen_event(self.event, self.organizer, REASON)
        return self.announce()

    def play(self, rounds: int) -> None:
        """Play until `rounds` rounds are closed."""
        while len(self.rounds) < rounds:
            for step in (self.draw_next_round, self.publish, self.start, self.close):
                step()

    def play_until_state(self, number: int, state: str) -> None:
        """Play until the round at this position has the given state."""
        self.play(number)
        steps = (self.draw_next_round, self.publish, self.start, self.close)
        for step in steps[: min(STATES.index(state), len(steps))]:
            step()
        if state == "announced":
            self.play(3)
            self.announce()

    def correct_previous_round(self, number: int, points: Sequence[int] = REVERSED_POINTS) -> None:
        """Correct the points of the first table of the previous round."""
        table = self.rounds[number - 1].tables.get(number=1)
        enter_result(table, self.organizer, list(points), WRONG_SHEET, override=True)

    def find_next_step(self, number: int, state: str) -> Callable[[], object]:
        """Return the step that follows this state of the round and relies on its draw."""
        if state == "closed":
            if number == 2:
                return self.announce
            if len(self.rounds) == number + 1:
                self.draw_next_round()
            return self.publish
        steps = {
            "draft": self.publish,
            "published": self.start,
            "running": self._close_round_without_entry,
        }
        return {**steps, "announced": self.announce_again}[state]

    def _close_round_without_entry(self) -> Round:
        return close_round(self.rounds[-1], self.organizer)

    def enter_points(self, number: int) -> None:
        """Enter the points of a running round without closing the round."""
        for table in self.rounds[number].tables.all():
            falling = [400 - 100 * seat for seat in range(table.seats.count())]
            enter_result(table, self.organizer, falling, "", override=True)

    def keep_outdated(self, number: int) -> None:
        """Keep the outdated draw of `rounds[number]`, or the outdated cut before that round."""
        if (self.form, number) in CUT_STAGES:
            cut = outdated_cut(self.event)
            assert cut is not None
            keep_outdated_cut(self.event, self.organizer, cut.facts, REASON)
            return
        found = find_outdated_draw(self.rounds[number])
        assert found is not None
        keep_outdated_draw(found.played, self.organizer, found.version, REASON)

    def list_outdated_steps(self) -> list[object]:
        cut = outdated_cut(self.event)
        return [*([cut] if cut else []), *list_outdated_draws(self.event)]


def list_players(round_: Round, table: int = 1) -> list[Registration]:
    """Return the players at a table, by seat."""
    seats = round_.tables.get(number=table).seats.order_by("number")
    return [seat.registration for seat in seats.select_related("registration") if seat.registration]


def play_bracket_until(state: str, round_number: int = 2) -> SteppedEvent:
    stepped = SteppedEvent("bracket")
    stepped.play_until_state(round_number, state)
    return stepped


def get_outdated_draw(stepped: SteppedEvent, round_number: int = 2) -> OutdatedDraw:
    found = find_outdated_draw(stepped.rounds[round_number])
    assert found is not None
    return found
