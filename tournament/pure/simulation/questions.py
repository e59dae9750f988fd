"""Questions to the planner, converted to and from JSON, and answered in steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from games.json_values.codec import JsonValue
from tournament.pure.simulation.answers import PlanAnswer, summarize_days
from tournament.pure.simulation.days import Day, Days, measure_pace
from tournament.pure.simulation.matches import SimulatedStart
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import Course

EVENTS = 2_000


@dataclass(frozen=True)
class Question(JsonValue):
    """A question to the planner about one or two `courses`.

    * `minutes`: the time available for the whole event.
    * `pause`: the minutes between two rounds.
    * `stand`: during play, (seats, match) for each table in progress.
    * `begun`: during play, the number of rounds that have begun in the first stage.
    """

    courses: tuple[Course, ...]
    minutes: float
    pace: HumanPace = field(default_factory=HumanPace)
    pause: float = 10.0
    stand: tuple[tuple[int, SimulatedStart], ...] = ()
    begun: int = 0

    @property
    def total(self) -> int:
        """The number of events to simulate in total."""
        return EVENTS * len(self.courses)


class Answering:
    """The computation of answers to a question."""

    def __init__(self, question: Question, rng: Random) -> None:
        self.question, self.rng = question, rng
        self.answers: list[PlanAnswer] = []

    def steps(self) -> Iterator[int]:
        """Simulate the events. Yield the number of simulated events after each.

        Raises OptionError, SeatingError, BracketError or RuleError with a message for the user.
        """
        done = 0
        for course in self.question.courses:
            days: list[Day] = []
            for day in self._iterate_days(course):
                days.append(day)
                done += 1
                yield done
            self.answers.append(summarize_days(course.name, days, self.question.minutes))

    def _iterate_days(self, course: Course) -> Iterator[Day]:
        question = self.question
        pace = measure_pace(question.pace, course, question.stand, self.rng)
        days = Days(
            course,
            pace,
            self.rng,
            pause=question.pause,
            in_progress=question.stand,
            rounds_begun=question.begun,
        )
        return (days.simulate() for _ in range(EVENTS))
