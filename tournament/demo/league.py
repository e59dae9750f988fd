"""Leagues that run all the time, so that visitors to the demo always find tables in play.

A league has one table, so its players never wait for others. When a season ends, the next one
begins. A director does the organizer's work through the services: it closes a round when its match
ends, starts the next round, runs the final, announces the winner and opens a new season. Old
seasons are deleted, so that the demo does not grow.
"""

import logging
from dataclasses import dataclass
from itertools import count

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Match, Seat
from games.rules.ruleset.rulesets import RULE_SETS
from games.services import GOING
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.common.refusals import RefusedError
from tournament.demo import accounts
from tournament.demo.people import list_students
from tournament.events.services import create_event, publish_event
from tournament.mail.notices import suppress_emails
from tournament.models import AuditEntry, Event, LogAction, Qualifier, Round, Stage, User
from tournament.oversight.audit import record
from tournament.oversight.public_history import record_deletion
from tournament.registration.services import register
from tournament.results import queries as results
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

logger = logging.getLogger(__name__)

# Large enough that visitors who register do not need a second table.
TABLE_SIZE = 8
# With three hands per match, a season takes about an hour.
ROUNDS, FINALISTS, HANDS = 6, 3, 3
KEPT_SEASONS = 2
State = Round.State


@dataclass(frozen=True)
class League:
    """A series of events that rotates through the rule sets.

    `members` are positions in the list of the demo's students.
    """

    slug: str
    title: str
    rulesets: tuple[str, ...]
    description: str
    place: str
    members: tuple[int, ...]

    def seasons(self) -> QuerySet[Event]:
        """Return the seasons of this league, newest first.

        They are identified by the activity log, because anyone may create an event with a similar
        slug.
        """
        season_entry = {"audit__action": LogAction.DEMO_SEASON, "audit__data__league": self.slug}
        return Event.objects.filter(**season_entry).order_by("-pk")

    def users(self) -> QuerySet[User]:
        people = list_students()
        addresses = [people[number].email for number in self.members]
        return User.objects.filter(username__in=addresses).order_by("pk")

    @transaction.atomic
    def new_season(self, organizer: User) -> Event:
        """Create the next season and delete seasons that are too old."""
        number = self._find_free_season_number()
        event = create_event(self._make_event(number), organizer)
        text = f"Began season {number} of the demo's league."
        record(
            event, organizer, LogAction.DEMO_SEASON, lambda: text, league=self.slug, number=number
        )
        event.stages.filter(number=1).update(rounds_planned=ROUNDS)
        publish_event(event, organizer)
        with suppress_emails():
            for user in self.users():
                register(event, user)
        for old_season in self.seasons()[KEPT_SEASONS:]:
            delete_season(old_season)
        return event

    def _find_free_season_number(self) -> int:
        """Return the first unused season number after the league's last one."""
        last = AuditEntry.objects.filter(
            action=LogAction.DEMO_SEASON, data__league=self.slug
        ).first()
        first_number = 1 + (last.data["number"] if last else 0)
        taken = set(Event.objects.values_list("slug", flat=True))
        return next(n for n in count(first_number) if f"{self.slug}-{n}" not in taken)

    def _make_event(self, number: int) -> Event:
        rules = RULE_SETS[self.rulesets[(number - 1) % len(self.rulesets)]]
        return Event(
            title=f"{self.title}, season {number}",
            slug=f"{self.slug}-{number}",
            ruleset=rules.key,
            description=self.description,
            place=self.place,
            **accounts.CONTACT,
            table_size=min(TABLE_SIZE, rules.max_seats),
            eligibility_required=False,
            starts_at=timezone.localtime().replace(second=0, microsecond=0),
            hand_limit=HANDS,
        )


# The student whose password is printed, and eight students who do not play in the Open.
LUNCH = League(
    slug="lunch-league",
    title="Lunch league",
    rulesets=("uno-500",),
    description="One table, three hands, one lunch break.",
    place="Canteen, by the window",
    members=(0, 36, 37, 38, 39),
)
HOSTEL = League(
    slug="hostel-league",
    title="Hostel league",
    rulesets=("ocho-cards", "crazy-eights"),
    description="After dinner, before lights out, with ordinary playing cards: one season of Ocho, "
    "the next of Crazy Eights.",
    place="Hostel 4, common room",
    members=(32, 33, 34, 35),
)
LEAGUES = (LUNCH, HOSTEL)


def delete_season(event: Event) -> None:
    """Delete a season and everything that was played in it."""
    matches = Match.objects.filter(event_table__round__stage__event=event)
    keys = list(matches.values_list("pk", flat=True))
    record_deletion(event)
    Round.objects.filter(stage__event=event).delete()
    Match.objects.filter(pk__in=keys).delete()
    Qualifier.objects.filter(stage__event=event).delete()
    event.registrations.all().delete()
    event.delete()


class Director:
    """Advances all leagues, in place of an organizer.

    `visitor` is the user name of the account for visitors. A league with that account does not
    start a round while the visitor is playing in another event. A visitor therefore never has
    seats at two tables.
    """

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self._reported_refusals: dict[Event, str] = {}

    def advance_leagues(self) -> None:
        """Advance each league by one step, unless the demo's organizer was removed."""
        if organizer := accounts.find_organizer():
            for league in LEAGUES:
                self._advance_league(league, organizer)

    def _advance_league(self, league: League, organizer: User) -> None:
        """Advance the league's open seasons.

        When the newest one has reached its final, a new season begins.
        """
        for event in league.seasons()[:KEPT_SEASONS]:
            if event.state != Event.State.FINISHED:
                self._take_step(event, organizer)
        newest = league.seasons().first()
        if newest is None or newest.stages.filter(number=1, state=Stage.State.CLOSED).exists():
            league.new_season(organizer)

    def _take_step(self, event: Event, organizer: User) -> None:
        try:
            self._advance_event(event, organizer)
        except RefusedError as refused:
            # An organizer may have intervened. The league waits until it can continue.
            if refused.sentence != self._reported_refusals.get(event):
                logger.warning("%s waits: %s", event, refused.sentence)
            self._reported_refusals[event] = refused.sentence

    def _advance_event(self, event: Event, organizer: User) -> None:
        stage = _find_current_stage(event)
        last = stage.rounds.order_by("-number").first()
        if last is not None and last.state == State.RUNNING:
            _close_if_played(last, organizer)
        elif last is not None and last.state == State.PUBLISHED:
            start_round(last, organizer)
        elif stage.number == 2:
            _finish_bracket(event, stage, last, organizer)
        elif stage.rounds.filter(state=State.CLOSED).count() == ROUNDS:
            _start_final(event, stage, organizer)
        elif not self._is_visitor_seated_elsewhere(event):
            start_round(publish_round(seat_round(stage, organizer), organizer), organizer)

    def _is_visitor_seated_elsewhere(self, event: Event) -> bool:
        if not event.registrations.filter(user__username=self.visitor).exists():
            return False
        seats = Seat.objects.filter(user__username=self.visitor, match__practice=False)
        return seats.filter(match__phase__in=GOING).exclude(match__topic=event.topic).exists()


def _find_current_stage(event: Event) -> Stage:
    """Return the second stage once a player has advanced to it, otherwise the first stage."""
    return event.stages.filter(number=2, qualifiers__isnull=False).first() or event.stages.get(
        number=1
    )


def _close_if_played(round_: Round, organizer: User) -> None:
    """Close the round unless a match is in progress, even if a table has no result."""
    table_results = results.table_results(round_)
    if any(result.table.match and result.table.match.phase in GOING for result in table_results):
        return
    open_tables = [result for result in table_results if not result.final]
    close_round(round_, organizer, "A table has no result." if open_tables else "")


def _start_final(event: Event, stage: Stage, organizer: User) -> None:
    rule = CutRule(Stage.Rule.NUMBER, FINALISTS, Stage.Ties.LOTS, min_matches=1)
    with transaction.atomic():
        qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
        final = draw_bracket(event.stages.get(number=2), organizer)
        start_round(publish_round(final, organizer), organizer)


def _finish_bracket(event: Event, stage: Stage, last: Round | None, organizer: User) -> None:
    if last is not None and last.state == State.CLOSED and last.is_final:
        announce_winner(event, organizer)
    else:
        drawn = draw_bracket(stage, organizer)
        start_round(publish_round(drawn, organizer), organizer)
