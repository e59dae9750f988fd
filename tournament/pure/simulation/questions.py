"""Questions of the planner, converted to and from JSON, with answers in steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from games.json_values.codec import JsonValue
from tournament.pure.simulation.answers import PlanAnswer, answer
from tournament.pure.simulation.days import Day, Days, measure_pace
from tournament.pure.simulation.matches import SimulatedStart
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import Course

EVENTS = 2_000


@dataclass(frozen=True)
class Question(JsonValue):
    """A question of the planner, about one or two `courses`.

    `minutes` are available for the whole event, with `pause` minutes between two rounds.

    During play: `stand` is the (seats, match) of each table in play, with the number of rounds of
    the courses' first stage that have begun.
    """

    courses: tuple[Course, ...]
    minutes: float
    pace: HumanPace = field(default_factory=HumanPace)
    pause: float = 10.0
    stand: tuple[tuple[int, SimulatedStart], ...] = ()
    begun: int = 0

    @property
    def total(self) -> int:
        """Total number of simulated events."""
        return EVENTS * len(self.courses)


class Answering:
    """Answers a question; `steps` yields the number of events simulated so far."""

    def __init__(self, question: Question, rng: Random) -> None:
        self.question, self.rng = question, rng
        self.answers: list[PlanAnswer] = []

    def steps(self) -> Iterator[int]:
        """Simulate the events, and yield the number done after each.

        Raises OptionError, SeatingError, BracketError and RuleError, with a message for the user.
        """
        done = 0
        for course in self.question.courses:
            days: list[Day] = []
            for day in self._iterate_days(course):
                days.append(day)
                done += 1
                yield done
            self.answers.append(answer(course.name, days, self.question.minutes))

    def _iterate_days(self, course: Course) -> Iterator[Day]:
        asked = self.question
        pace = measure_pace(asked.pace, course, asked.stand, self.rng)
        days = Days(
            course, pace, self.rng, pause=asked.pause, stand=asked.stand, finished=asked.begun
        )
        return (days.one() for _ in range(EVENTS))
