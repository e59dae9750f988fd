"""Search for missing players, with previews of leaving out or withdrawing them."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Registration, Round, Stage
from tournament.people.presence import Attendee, is_missing, list_attendees
from tournament.pure import arrangement
from tournament.pure.arrangement.repairs import repair_seating
from tournament.pure.words import join_words
from tournament.seating.queries import (
    build_problem,
    find_turn,
    list_entrants,
    list_seated,
    retained_players,
    rules_for,
)


@dataclass(frozen=True)
class Absentees:
    """The missing players, and the effect of playing without them.

    * `players`: the missing players.
    * `round`: a round that has been drawn but not started, or None.
    * `seated`: the number of missing players with a seat in that round.
    * `leaving`: sentences about the effect of leaving the players out.
    * `withdrawing`: a sentence about the effect of withdrawing them.
    """

    players: list[Attendee]
    round: Round | None
    seated: int
    leaving: list[str]
    withdrawing: str


def find_absentees(event: Event) -> Absentees:
    rows = [row for row in list_attendees(event) if is_missing(row)] if event.check_in else []
    keys = {row.registration.pk for row in rows}
    played = _find_unstarted_round(event)
    seated = keys & retained_players(played) if played else set()
    withdrawing = _describe_freed_spots(event, rows)
    if played is None or not seated:
        return Absentees(rows, None, 0, _describe_tables(event, keys), withdrawing)
    leaving = list(plan_repair(played, seated).sentences)
    return Absentees(rows, played, len(seated), leaving, withdrawing)


def _find_unstarted_round(event: Event) -> Round | None:
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    waiting = rounds.filter(state__in=(Round.State.DRAFT, Round.State.PUBLISHED))
    return waiting.exclude(stage__format=Stage.Format.BRACKET).first()


@dataclass(frozen=True)
class UnseatedCount:
    """The number of present players without a seat in a round that has not started."""

    round: Round
    count: int


def find_unseated(event: Event) -> UnseatedCount | None:
    """Count the players who arrived after the draw. Return None if there are none.

    The round's page suggests seats for them.
    """
    played = _find_unstarted_round(event)
    if played is None:
        return None
    considered = {*retained_players(played), *played.seating.byes, *played.seating.out}
    late = [
        registration
        for registration in list_entrants(played.stage, played.number)
        if registration.pk not in considered
    ]
    return UnseatedCount(played, len(late)) if late else None


def plan_repair(round_: Round, out: Collection[int]) -> arrangement.Repair:
    """Plan how to change the round's seats so that it can be played without these players."""
    left_out = {*round_.seating.out, *out}
    wanted = build_problem(round_.stage, round_.number, left_out, retained_players(round_))
    return repair_seating(wanted, list_seated(round_), byes=round_.seating.byes)


def _describe_tables(event: Event, out: Collection[int]) -> list[str]:
    """Describe the tables that a draw without the players in `out` would produce."""
    stage = event.stages.exclude(state=Stage.State.CLOSED).order_by("number").first()
    if stage is None:
        return []
    if stage.format == Stage.Format.BRACKET:
        text = _(
            "Seats in a bracket are earned. If a player has left, withdraw that player so "
            "that the next one can step in."
        )
        return [text]
    number = stage.rounds.count() + 1
    people = [
        registration for registration in list_entrants(stage, number) if registration.pk not in out
    ]
    text = ngettext(
        "With {count} player checked in, there would be {tables}.",
        "With {count} players checked in, there would be {tables}.",
        len(people),
    )
    try:
        sizes, byes = arrangement.table_sizes(
            len(people), rules_for(stage, people, find_turn(stage, number))
        )
    except arrangement.SeatingError as error:
        return [str(error)]
    sentences = [text.format(count=len(people), tables=join_words(_describe_sizes(sizes)))]
    if byes:
        text = ngettext("{count} player would sit out.", "{count} players would sit out.", byes)
        sentences.append(text.format(count=byes))
    return sentences


def _describe_sizes(sizes: Collection[int]) -> list[str]:
    counted = sorted(Counter(sizes).items(), reverse=True)
    return [_describe_size(count, size) for size, count in counted]


def _describe_size(count: int, size: int) -> str:
    text = ngettext("{count} table of {size}", "{count} tables of {size}", count)
    return text.format(count=count, size=size)


def _describe_freed_spots(event: Event, rows: Collection[Attendee]) -> str:
    """Describe what would happen to these players' spots if they were withdrawn."""
    waiting = event.registrations.filter(state=Registration.State.WAITLIST).count()
    if not waiting:
        return _("The waitlist is empty, so no one would move up.")
    if event.state == Event.State.RUNNING:
        text = ngettext(
            "{count} player is waiting for a spot; approve anyone who can still come.",
            "{count} players are waiting for a spot; approve anyone who can still come.",
            waiting,
        )
        return text.format(count=waiting)
    moving = min(waiting, len(rows))
    text = ngettext(
        "{count} player would move up from the waitlist.",
        "{count} players would move up from the waitlist.",
        moving,
    )
    return text.format(count=moving)
