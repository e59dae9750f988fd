"""The state of an event at a past moment, reconstructed from timestamps and the activity log.

Some values were overwritten without a trace. `PastEvent.unknown` names them.
"""

from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils.translation import gettext as _

from games.models import Match
from games.queries import match_as_of
from tournament.models import AuditEntry, Event, LogAction, Qualifier, Registration, Round, Ruling
from tournament.oversight.log import mentions_round
from tournament.pure import ranking as pure
from tournament.pure.ranking.freeze import Freeze
from tournament.results.queries import Viewpoint, load_results_from
from tournament.results.ranking import list_rulings_at
from tournament.results.stages import StageEntry, StageResults, list_metric_keys
from tournament.results.table_result import TableResult
from tournament.stages.places import PlayerPlace, places
from tournament.standings.queries import format_metric, list_known_metrics

Kind = Ruling.Kind
# The state of a round after each action.
ROUND_STATES: dict[str, Round.State] = {
    LogAction.SEAT: Round.State.DRAFT,
    LogAction.UNPUBLISH: Round.State.DRAFT,
    LogAction.PUBLISH: Round.State.PUBLISHED,
    LogAction.UNSTART: Round.State.PUBLISHED,
    LogAction.START: Round.State.RUNNING,
    LogAction.REOPEN_ROUND: Round.State.RUNNING,
    LogAction.CLOSE: Round.State.CLOSED,
    LogAction.CLOSE_EARLY: Round.State.CLOSED,
}
# The state of a registration after each action, or "" if the log entry has the state.
DECISIONS: dict[str, str] = {
    LogAction.APPROVE: Registration.State.APPROVED,
    LogAction.MOVED_UP: Registration.State.APPROVED,
    LogAction.REFUSE: Registration.State.REFUSED,
    LogAction.WITHDRAW: Registration.State.WITHDRAWN,
    LogAction.TAKE_OUT: "",
}
ENTERED = (LogAction.ENTER, LogAction.ENTER_LATE, LogAction.CORRECT)
LATEST_ACTIONS = 8


@dataclass(frozen=True)
class RoundAtMoment:
    """A round at a past moment.

    `finished` is the number of tables with a result that counted.
    """

    round: Round
    state: Round.State
    tables: int
    finished: int


@dataclass(frozen=True)
class PlaceAtMoment:
    """A row of the standings at a past moment.

    `figures` are in the order of the columns. `rank` is None for a disqualified player.
    """

    rank: int | None
    name: str
    figures: list[str]
    sentence: str


@dataclass(frozen=True)
class PastEvent:
    """Everything known about an event at a past moment.

    * `registrations`: the number of registrations in each state, by the title of the state.
    * `latest`: the most recent actions, newest first.
    * `unknown`: sentences about values that cannot be reconstructed.
    """

    moment: datetime
    state: str
    registrations: dict[str, int]
    rounds: list[RoundAtMoment]
    columns: list[str]
    rows: list[PlaceAtMoment]
    latest: list[AuditEntry]
    unknown: list[str]


def event_as_of(event: Event, moment: datetime) -> PastEvent:
    """Return the state of the event at that moment."""
    then = _PastDataCache(event, moment)
    # There are no standings before the first match.
    ranked = places(then.results, provisional=True)
    ranked = ranked if any(each.row.played for each in ranked) else []
    order = list_metric_keys(event)
    shown = list_known_metrics([each.row for each in ranked])
    return PastEvent(
        moment=moment,
        state=then.state,
        registrations=then.counts,
        rounds=then.rounds,
        columns=[_(pure.METRICS[order[n]].title) for n in shown],
        rows=[_make_place(each, order, shown) for each in ranked],
        latest=then.log[: -LATEST_ACTIONS - 1 : -1],
        unknown=then.unknown,
    )


def _make_place(placed: PlayerPlace, order: Sequence[str], columns: Sequence[int]) -> PlaceAtMoment:
    row = placed.row
    figures = [format_metric(order[n], row.values[n]) for n in columns]
    return PlaceAtMoment(placed.rank, row.name, figures, placed.why())


class _PastDataCache:
    """Data about a past moment. Each property is loaded when it is first used."""

    def __init__(self, event: Event, moment: datetime) -> None:
        self.event, self.moment = event, moment

    @cached_property
    def log(self) -> list[AuditEntry]:
        """The actions up to that moment, oldest first."""
        rows = self.event.audit.filter(at__lte=self.moment).select_related("actor")
        return list(rows.order_by("pk"))

    @property
    def state(self) -> str:
        done = [entry.action for entry in self.log]
        announced = [action for action in done if action in (LogAction.WINNER, LogAction.REOPEN)]
        if announced[-1:] == ["winner"]:
            return str(Event.State.FINISHED.label)
        if any(each.state in (Round.State.RUNNING, Round.State.CLOSED) for each in self.rounds):
            return str(Event.State.RUNNING.label)
        return str((Event.State.OPEN if "publish-event" in done else Event.State.DRAFT).label)

    @cached_property
    def decisions(self) -> dict[int, str]:
        """The last decision on each registration up to that moment, by registration key."""
        decided: dict[int, str] = {}
        for entry in self.log:
            key = entry.data.get("registration")
            if key is not None and entry.action in DECISIONS:
                decided[key] = str(DECISIONS[entry.action] or entry.data["to"])
        return decided

    @cached_property
    def decided_later(self) -> set[int]:
        """The keys of the registrations that were decided after that moment."""
        rows = self.event.audit.filter(at__gt=self.moment, action__in=DECISIONS)
        return {data["registration"] for data in rows.values_list("data", flat=True)}

    @cached_property
    def registered(self) -> dict[Registration, str]:
        """The registrations at that moment, each with its state, or "" if it was decided later."""
        rows = self.event.registrations.filter(registered_at__lte=self.moment)
        return {row: self._find_state(row) for row in rows.order_by("queue_number")}

    def _find_state(self, row: Registration) -> str:
        if row.pk in self.disqualified:
            return str(Registration.State.DISQUALIFIED)
        if row.pk in self.decisions:
            return self.decisions[row.pk]
        return "" if row.pk in self.decided_later else row.state_at(self.moment)

    @property
    def counts(self) -> dict[str, int]:
        states = list(self.registered.values())
        counts_by_state = {_("registered"): len(states)}
        counts_by_state |= {
            str(s.label): states.count(s) for s in Registration.State if s in states
        }
        if undecided := states.count(""):
            counts_by_state[_("decided later")] = undecided
        return counts_by_state

    @cached_property
    def tables(self) -> list[TableResult]:
        """The tables of public rounds, with their results at that moment."""
        public = [played for played in map(self._get_public_round, self.all_rounds) if played]
        if not public:
            return []
        counted = Freeze(self.moment, frozenset(self.counted_results))
        then = Viewpoint(counted, lambda match, _played: _get_match_at_moment(match, self.moment))
        return load_results_from(public, None, then)

    def _get_public_round(self, round_: Round) -> Round | None:
        """Return an unsaved copy of the round in its state at that moment.

        Return None if the round was not public.
        """
        then = copy(round_)
        then.state = self.round_states.get(round_.pk, Round.State.DRAFT)
        return then if then.state != Round.State.DRAFT else None

    @property
    def counted_results(self) -> set[int]:
        """The keys of the entered results that counted at that moment."""
        counting: set[int] = set()
        for entry in self.log:
            if entry.action in ENTERED:
                counting.add(entry.data["result"])
            elif entry.action == LogAction.UNDO:
                counting.discard(entry.data["result"])
        return counting

    @cached_property
    def round_states(self) -> dict[int, Round.State]:
        """The state of each round that existed at that moment, by round key."""
        states_by_round: dict[int, Round.State] = {}
        life = [entry for entry in self.log if entry.action in ROUND_STATES]
        for played in self.all_rounds:
            states = [ROUND_STATES[e.action] for e in life if mentions_round(e.data, played)]
            if states:
                states_by_round[played.pk] = states[-1]
        return states_by_round

    @cached_property
    def all_rounds(self) -> list[Round]:
        rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        return list(rounds.order_by("stage__number", "number"))

    @cached_property
    def rounds(self) -> list[RoundAtMoment]:
        return [
            self._make_round(played, self.round_states[played.pk])
            for played in self.all_rounds
            if played.pk in self.round_states
        ]

    def _make_round(self, round_: Round, state: Round.State) -> RoundAtMoment:
        tables = [each for each in self.tables if each.table.round_id == round_.pk]
        return RoundAtMoment(round_, state, len(tables), sum(each.final for each in tables))

    @property
    def results(self) -> StageResults:
        """The results that the pages showed at that moment, with the state of each player."""
        people = {
            row.pk: _copy_with_state(row, self._find_state_or_estimate(row))
            for row in self.registered
        }
        rulings, stages = (
            self._list_rulings(Kind.POINTS),
            list(self.event.stages.order_by("number")),
        )
        entered = self._list_entered()
        return StageResults(self.event, None, self.tables, people, rulings, None, stages, entered)

    def _find_state_or_estimate(self, row: Registration) -> str:
        return self.registered[row] or row.state_at(self.moment)

    def _list_entered(self) -> list[StageEntry]:
        """Return the players who had entered each stage.

        If the first stage is a bracket, all its players entered it when it began.
        """
        through: dict[int, list[int]] = {}
        for entry in self.log:
            if entry.action == LogAction.QUALIFY:
                through[entry.data["stage"] + 1] = entry.data["through"]
            elif entry.action == LogAction.UNDO_QUALIFY:
                through = {
                    number: who for number, who in through.items() if number <= entry.data["stage"]
                }
        first = self.event.stages.get(number=1)
        if first.pk in {each.table.round.stage_id for each in self.tables}:
            entered = first.qualifiers.order_by("seed", "pk")
            through[1] = list(entered.values_list("registration_id", flat=True))
        approved = Registration.State.APPROVED
        playing = {
            row.pk for row in self.registered if self._find_state_or_estimate(row) == approved
        }
        return [
            StageEntry(number, pk, pk in playing)
            for number in sorted(through)
            for pk in [*through[number], *self._list_replacements(number, through[number], playing)]
        ]

    def _list_replacements(
        self, number: int, advanced: Collection[int], playing: Collection[int]
    ) -> list[int]:
        """Return one replacement for each player who had advanced but later left."""
        left = sum(pk not in playing for pk in advanced)
        if number == 1 or not left:
            return []
        entered = Qualifier.objects.filter(stage__event=self.event, stage__number=number)
        others = entered.exclude(registration__in=advanced).order_by("seed")
        return list(others.values_list("registration_id", flat=True)[:left])

    @cached_property
    def disqualified(self) -> set[int]:
        """The keys of the players who were disqualified at that moment."""
        return {ruling.registration_id for ruling in self._list_rulings(Kind.DISQUALIFY)}

    def _list_rulings(self, kind: Ruling.Kind) -> list[Ruling]:
        return list_rulings_at(self.event, kind, self.moment)

    @property
    def unknown(self) -> list[str]:
        sentences = [
            _(
                "Settings, rules and names are shown as they are today. The activity log shows "
                "what has changed since."
            ),
            _("Rounds that were drawn and later discarded are not listed."),
        ]
        if (
            self.event.public
            and not self.event.audit.filter(action=LogAction.PUBLISH_EVENT).exists()
        ):
            sentences.append(_("The log does not record when the event was published."))
        if "" in self.registered.values():
            sentences.append(
                _(
                    "For registrations decided later, it is not known whether they were waiting at "
                    "that time."
                )
            )
        return sentences


def _get_match_at_moment(match: Match | None, moment: datetime) -> Match | None:
    """Return the match in its state at that moment, or None if it had not begun."""
    if match is None or (match.started_at and match.started_at > moment):
        return None
    return match_as_of(match, moment)


def _copy_with_state(row: Registration, state: str) -> Registration:
    """Return an unsaved copy of the registration with the given state."""
    then = copy(row)
    then.state = state
    return then
