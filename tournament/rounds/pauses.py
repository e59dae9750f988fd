"""Records of pauses and outages, and extra time for single tables and turns."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import services as games
from games.models import Match
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Interruption, LogAction, Round, Table, User
from tournament.oversight.audit import identify_place, record
from tournament.pure.codes import Code
from tournament.rounds.live_tables import GOING

MOST_MINUTES = 240


def record_pause(round_: Round, table: Table | None, actor: User, reason: str) -> None:
    """Record the start of a pause of this table, or of the whole round if `table` is None.

    Does nothing if that is already recorded. The caller must have locked the event.
    """
    if not _select_open_interruptions(round_).filter(table=table).exists():
        Interruption.objects.create(
            round=round_, table=table, reason=reason, began_by=actor, began_at=timezone.now()
        )


def record_resumption(round_: Round, table: Table | None) -> None:
    """Record the end of a pause of this table, or of the whole round if `table` is None.

    A pause of the whole round ends when none of its tables is paused. The caller must have locked
    the event.
    """
    open_interruptions = _select_open_interruptions(round_)
    if table is not None and _has_paused_table(round_):
        open_interruptions = open_interruptions.filter(table=table)
    open_interruptions.update(ended_at=timezone.now())


def _select_open_interruptions(round_: Round) -> QuerySet[Interruption]:
    return Interruption.objects.filter(round=round_, ended_at__isnull=True)


def _has_paused_table(round_: Round) -> bool:
    """Return whether a table of the round is still paused."""
    matches = Match.objects.filter(event_table__round=round_, phase__in=GOING)
    return matches.filter(paused_at__isnull=False).exists()


@transaction.atomic
def record_outage(
    round_: Round, actor: User, began: datetime, ended: datetime, reason: str
) -> Interruption:
    """Record a past outage during which play was not paused, and make up for the lost time.

    Raises RefusedError with the code `no-reason`, `state` or `times`.
    """
    event = lock_event(round_.stage.event, round_)
    check_reason(reason, _("Say what was down. Your answer will be recorded."))
    if round_.state != Round.State.RUNNING or round_.started_at is None:
        raise RefusedError(Code.STATE, _("{round} is not in progress.").format(round=round_))
    if not round_.started_at <= began < ended <= timezone.now():
        text = _(
            "The outage must end after it begins, and both times must be between the start "
            "of the round and now."
        )
        raise RefusedError(Code.TIMES, text)
    row = Interruption.objects.create(
        round=round_,
        reason=reason.strip(),
        began_by=actor,
        began_at=began,
        ended_at=ended,
    )
    for match in Match.objects.filter(event_table__round=round_, phase__in=GOING):
        if match.ends_at is not None:
            games.postpone_end(match, ended - began)

    def describe_outage() -> str:
        text = _("Recorded an outage of {seconds} s for all tables of {round}.")
        return text.format(seconds=round((ended - began).total_seconds()), round=round_)

    record(event, actor, LogAction.OUTAGE, describe_outage, reason, **identify_place(round_))
    return row


@transaction.atomic
def give_minutes(table: Table, actor: User, minutes: int) -> Table:
    """Give a table more minutes for the round.

    Raises RefusedError with the code `minutes`, `paper`, `over` or `no-end`.
    """
    event = lock_event(table.round.stage.event, table)
    if not 1 <= minutes <= MOST_MINUTES:
        text = _("Enter 1 to {most} extra minutes.")
        raise RefusedError(Code.MINUTES, text.format(most=MOST_MINUTES))
    if table.paper:
        text = _("{table} is using physical cards, so the site has no clock for it.")
        raise RefusedError(Code.PAPER, text.format(table=table))
    if table.match is not None:
        games.postpone_end(table.match, timedelta(minutes=minutes))
    table.extra_minutes += minutes
    table.save(update_fields=["extra_minutes"])
    description = translate_later(
        gettext_noop("Extended the round at {table} by {minutes} minutes."),
        table=table,
        minutes=minutes,
    )
    record(
        event, actor, LogAction.MINUTES, description, "", **identify_place(table), minutes=minutes
    )
    return table


@transaction.atomic
def extend_turn(table: Table, actor: User, seconds: int) -> Table:
    """Give the current turn at this table more time.

    Raises RefusedError with the code `state`, or like games.services.extend_turn.
    """
    event = lock_event(table.round.stage.event, table)
    if table.match is None:
        text = _("{table} has no match in progress.")
        raise RefusedError(Code.STATE, text.format(table=table))
    games.extend_turn(table.match, seconds)
    description = translate_later(
        gettext_noop("Extended the turn at {table} by {seconds} seconds."),
        table=table,
        seconds=seconds,
    )
    record(event, actor, LogAction.TURN, description, "", **identify_place(table), seconds=seconds)
    return table
