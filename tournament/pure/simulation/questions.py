"""Planning questions that are answered by simulating events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from games.json_values.codec import JsonValue
from tournament.pure.simulation.answers import PlanAnswer, summarize_events
from tournament.pure.simulation.events import EventSimulator, SimulatedEvent, measure_pace
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent

# Number of events to simulate for each course.
EVENTS = 2_000


@dataclass(frozen=True)
class Question(JsonValue):
    """A question about one planned event, or about two for comparison.

    * `courses`: the plans of the events.
    * `minutes`: the time available for the whole event.
    * `pace`: the pace of the players.
    * `pause`: the minutes between two rounds.
    * `stand`: during the event, the number of seats and the progress of the match at each table in
      progress.
    * `begun`: during the event, the number of rounds begun in the first stage.
    """

    courses: tuple[PlannedEvent, ...]
    minutes: float
    pace: HumanPace = field(default_factory=HumanPace)
    pause: float = 10.0
    stand: tuple[tuple[int, MatchProgress], ...] = ()
    begun: int = 0

    @property
    def total(self) -> int:
        """The total number of events to simulate."""
        return EVENTS * len(self.courses)


class Planner:
    """A planner that answers a question. The answers are complete after `simulate`."""

    def __init__(self, question: Question, rng: Random) -> None:
        self.question, self.rng = question, rng
        self.answers: list[PlanAnswer] = []

    def simulate(self) -> Iterator[int]:
        """Simulate the events. After each event, yield the number simulated in total.

        Raises OptionError, SeatingError, BracketError or RuleError with a message for the user.
        """
        done = 0
        for course in self.question.courses:
            events: list[SimulatedEvent] = []
            for event in self._simulate_events(course):
                events.append(event)
                done += 1
                yield done
            self.answers.append(summarize_events(course.name, events, self.question.minutes))

    def _simulate_events(self, course: PlannedEvent) -> Iterator[SimulatedEvent]:
        question = self.question
        pace = measure_pace(question.pace, course, question.stand, self.rng)
        simulator = EventSimulator(
            course,
            pace,
            self.rng,
            pause=question.pause,
            in_progress=question.stand,
            rounds_begun=question.begun,
        )
        return (simulator.simulate_event() for _ in range(EVENTS))
