"""Freezing the public leaderboard, and revealing places from last to first."""

from dataclasses import replace

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import services as games
from games.models import Match
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Qualifier, Table, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code
from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze
from tournament.results.queries import find_counting_entry
from tournament.standings.queries import leaderboard


@transaction.atomic
def freeze(event: Event, actor: User) -> Event:
    """Freeze the public leaderboard, so that later results are not public.

    Raises RefusedError with the code `frozen`.
    """
    event = lock_event(event)
    if event.freeze:
        raise RefusedError(Code.FROZEN, _("The leaderboard is already frozen."))
    now = timezone.now()
    qualifiers = Qualifier.objects.filter(stage__event=event).values_list("pk", flat=True)
    event.freeze = Freeze(now, _find_counting_entries(event), frozenset(qualifiers))
    event.save(update_fields=["freeze"])
    for match in _select_matches(event).filter(ended_at__isnull=True):
        games.limit_viewers(match, now)
    record(event, actor, LogAction.FREEZE, lambda: _("Froze the public leaderboard."))
    return event


def _select_matches(event: Event) -> QuerySet[Match]:
    return Match.objects.filter(event_table__round__stage__event=event)


def _find_counting_entries(event: Event) -> frozenset[int]:
    """Return the keys of the manually entered results that count now."""
    tables = Table.objects.filter(round__stage__event=event).prefetch_related("results")
    counting = [find_counting_entry(table.results.all()) for table in tables]
    return frozenset(result.pk for result in counting if result)


@transaction.atomic
def reveal(event: Event, actor: User, place: int | None = None) -> Event:
    """Reveal the next place from the end, or all places down to `place`.

    Revealing first place ends the freeze. Raises RefusedError with the code `not-frozen` or
    `place`.
    """
    event = _require_frozen(event)
    best = _find_next_place(event) if place is None else place
    if best is None or best < 1 or (event.freeze.shown_from or best + 1) <= best:
        raise RefusedError(Code.PLACE, _("These places have already been revealed."))
    if best == 1:
        return _thaw_leaderboard(event, actor)
    event.freeze = replace(event.freeze, shown_from=best)
    event.save(update_fields=["freeze"])
    description = translate_later(
        gettext_noop("Revealed all places from last place up to place {place}."), place=best
    )
    record(event, actor, LogAction.REVEAL, description, "", place=best)
    return event


def _find_next_place(event: Event) -> int | None:
    """Return the next place to reveal, or None if there is none.

    A shared place is revealed for all its players together.
    """
    shown = event.freeze.shown_from
    ranks = {row.rank for row in leaderboard(event, actual=True).rows}
    return max((rank for rank in ranks if shown is None or rank < shown), default=None)


@transaction.atomic
def thaw(event: Event, actor: User) -> Event:
    """Reveal all places immediately. Raises RefusedError with the code `not-frozen`."""
    return _thaw_leaderboard(_require_frozen(event), actor)


def _require_frozen(event: Event) -> Event:
    # Revealing changes no results, so it is allowed after these are locked.
    event = lock_event(event, settled=True)
    if not event.freeze:
        raise RefusedError(Code.NOT_FROZEN, _("The leaderboard isn’t frozen."))
    return event


def _thaw_leaderboard(event: Event, actor: User) -> Event:
    event.freeze = NOT_FROZEN
    event.save(update_fields=["freeze"])
    for match in _select_matches(event).filter(viewers_until__isnull=False):
        games.limit_viewers(match, None)
    record(
        event,
        actor,
        LogAction.THAW,
        lambda: _("Revealed all places and made everything public again."),
    )
    return event
