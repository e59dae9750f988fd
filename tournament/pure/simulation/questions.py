"""Questions for the planner, as JSON and back, and their step-by-step answers."""

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
    """`courses`: one or two; `minutes` there are for all of it, `pause` between two rounds.

    Once play is on: `stand`, the (seats, match) of each table that is being played, and how many
    rounds of the first stage of the courses have begun.
    """

    courses: tuple[Course, ...]
    minutes: float
    pace: HumanPace = field(default_factory=HumanPace)
    pause: float = 10.0
    stand: tuple[tuple[int, SimulatedStart], ...] = ()
    begun: int = 0

    @property
    def total(self) -> int:
        """Number of events simulated in all."""
        return EVENTS * len(self.courses)


class Answering:
    """Answers a question; `steps` says after each simulated event how many there have been."""

    def __init__(self, question: Question, rng: Random) -> None:
        self.question, self.rng = question, rng
        self.answers: list[PlanAnswer] = []

    def steps(self) -> Iterator[int]:
        """Simulate the events and yield after each the number done.

        Raises OptionError, SeatingError, BracketError and RuleError, in words.
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
        days = Days(course, pace, self.rng, pause=asked.pause, stand=asked.stand, done=asked.begun)
        return (days.one() for _ in range(EVENTS))
