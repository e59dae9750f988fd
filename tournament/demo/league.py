"""A league that never stands still: somebody who opens the demo hours later finds tables in play.

Its seasons follow one another. A director does what an organizer would, by the services: closes a
round once its matches are over, seats and starts the next, plays the final, announces the winner,
and opens another season. Seasons before the last are forgotten, so that the demo does not grow.
"""

import logging

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Match, Seat
from games.services.basics import GOING
from tournament.demo.accounts import ORGANIZER
from tournament.demo.people import students
from tournament.models import Event, Qualifier, Round, Stage, User
from tournament.queries import results
from tournament.queries.cut import CutRule
from tournament.services import Refused, register
from tournament.services.advancing import announce_winner, draw_bracket, preview_cut, qualify
from tournament.services.events import create_event, publish_event
from tournament.services.rounds import close_round, start_round
from tournament.services.seatings import publish_round, seat_round

logger = logging.getLogger(__name__)

SLUG = "lunch-league"
# With two tables and three hands a season lasts an hour or so.
ROUNDS, FINALISTS, HANDS = 6, 4, 3
KEPT = 2
State = Round.State


def seasons() -> QuerySet[Event]:
    """The newest first."""
    return Event.objects.filter(slug__startswith=f"{SLUG}-").order_by("-pk")


def members() -> list[str]:
    """Addresses: the student whose password is printed, and seven who do not play the Open."""
    people = students()
    return [each.email for each in [people[0], *people[-7:]]]


@transaction.atomic
def new_season() -> Event:
    """Begin the next season, and forget those that nobody looks at any more."""
    organizer = User.objects.get(email=ORGANIZER)
    last = seasons().first()
    number = 1 + (int(last.slug.rpartition("-")[2]) if last else 0)
    event = Event(
        title=f"Lunch league, season {number}",
        slug=f"{SLUG}-{number}",
        ruleset="uno-500",
        description="Two tables and three hands a day, from the soup to the coffee.",
        place="Canteen, by the window",
        eligibility_required=False,
        starts_at=timezone.localtime().replace(second=0, microsecond=0),
        hand_limit=HANDS,
    )
    create_event(event, organizer)
    event.stages.filter(number=1).update(rounds_planned=ROUNDS)
    publish_event(event, organizer)
    for user in User.objects.filter(email__in=members()).order_by("pk"):
        register(event, user)
    for old in seasons()[KEPT:]:
        forget(old)
    return event


def forget(event: Event) -> None:
    """Remove a season with all that was played in it."""
    matches = Match.objects.filter(event_table__round__stage__event=event)
    keys = list(matches.values_list("pk", flat=True))
    Round.objects.filter(stage__event=event).delete()
    Match.objects.filter(pk__in=keys).delete()
    Qualifier.objects.filter(stage__event=event).delete()
    event.registrations.all().delete()
    event.delete()


class Director:
    """Leads the league from one look to the next; `visitor` is an address.

    A new round waits as long as the visitor sits at another event's live table, so that the
    visitor always has a seat at one.
    """

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self._said = ""

    def look(self) -> None:
        """Take the next step in each open season; begin another when the last is in its final."""
        for event in seasons()[:KEPT]:
            if event.state != Event.State.FINISHED:
                self._step(event)
        newest = seasons().first()
        if newest is None or newest.stages.filter(number=1, state=Stage.State.CLOSED).exists():
            new_season()

    def _step(self, event: Event) -> None:
        organizer = User.objects.get(email=ORGANIZER)
        try:
            self._lead(event, organizer)
        except Refused as refused:
            # An organizer has been at work there: the league waits until it can go on.
            if refused.message != self._said:
                logger.warning("%s waits: %s", event, refused.message)
            self._said = refused.message

    def _lead(self, event: Event, organizer: User) -> None:
        stage = _stage_of(event)
        last = stage.rounds.order_by("-number").first()
        if last is not None and last.state == State.RUNNING:
            _close(last, organizer)
        elif last is not None and last.state == State.PUBLISHED:
            start_round(last, organizer)
        elif stage.number == 2:
            _finish(event, stage, last, organizer)
        elif stage.rounds.filter(state=State.CLOSED).count() == ROUNDS:
            _to_the_final(event, stage, organizer)
        elif not self._sits_elsewhere(event):
            start_round(publish_round(seat_round(stage, organizer), organizer), organizer)

    def _sits_elsewhere(self, event: Event) -> bool:
        seats = Seat.objects.filter(user__email=self.visitor, match__practice=False)
        return seats.filter(match__phase__in=GOING).exclude(match__topic=event.topic).exists()


def _stage_of(event: Event) -> Stage:
    """The stage that is being played: the second once somebody has qualified."""
    return event.stages.filter(number=2, qualifiers__isnull=False).first() or event.stages.get(
        number=1
    )


def _close(played: Round, organizer: User) -> None:
    """Close the round once nothing moves any more; a table left without a result is no reason."""
    found = results.outcomes(played)
    if any(o.table.match and o.table.match.phase in GOING for o in found):
        return
    open_tables = [o for o in found if not o.final]
    close_round(played, organizer, "A table has no result." if open_tables else "")


def _to_the_final(event: Event, stage: Stage, organizer: User) -> None:
    rule = CutRule(Stage.Rule.NUMBER, FINALISTS, Stage.Ties.LOTS, min_matches=1)
    with transaction.atomic():
        qualify(stage, organizer, rule, preview_cut(stage, rule).through)
        final = draw_bracket(event.stages.get(number=2), organizer)
        start_round(publish_round(final, organizer), organizer)


def _finish(event: Event, stage: Stage, last: Round | None, organizer: User) -> None:
    if last is not None and last.state == State.CLOSED and last.is_final:
        announce_winner(event, organizer)
    else:
        drawn = draw_bracket(stage, organizer)
        start_round(publish_round(drawn, organizer), organizer)
