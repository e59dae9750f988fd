"""Private practice tables with bots, also for guests."""

import os
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import store
from games.guests import GUEST_LIFETIME, Guest, held_by
from games.matches.lifecycle import abandon_match, create_match, start_match
from games.matches.spec import SHARE_SECONDS, MatchSpec, Pace, SeatSpec
from games.models import LoggedAction, Match
from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.rules.clusters import shorten
from games.store import MatchChange, Snapshot

BOTS = ("Ada", "Babbage", "Curie", "Dirac", "Euler", "Fermat", "Gauss", "Hopper", "Ising", "Jacobi")
PLAIN = "plain"
# Practice is unhurried, and bots that act instantly are hard to follow. If the player is away for
# `absence_seconds`, the table waits until the player returns.
PACE = Pace(
    turn_seconds=120,
    bot_seconds=1.4,
    between_seconds=15,
    absence_seconds=30,
    share_seconds=SHARE_SECONDS,
)
FAST = replace(PACE, bot_seconds=0.5, between_seconds=6)
# When all guest tables are taken, a table whose player left this long ago is freed.
DESERTED_AFTER = timedelta(minutes=10)
# The same limit for a table where no one has played.
UNPLAYED_AFTER = timedelta(minutes=1)
# One network, such as a household or a hall, may use at most 1/NETWORK_SHARE of the free tables.
NETWORK_SHARE = 4


@transaction.atomic
def start_practice(
    player: Any, ruleset: str, seats: int, strength: str = PLAIN, fast: bool = False
) -> Match:
    """Start a practice match against bots, and abandon the player's earlier one.

    Guests play against plain bots unless `strong_bots_allowed` returns true.

    Raises RefusedError with guests-closed or guests-full.
    """
    if isinstance(player, Guest):
        _make_room(player)
        person = SeatSpec(name=_("Guest"), guest=player.key)
        strength = strength if strong_bots_allowed() else PLAIN
    else:
        person = SeatSpec(name=shorten(str(player), 40), user=player, look=player.look)
    for match in _find_running_matches().filter(held_by(player, "seats__")):
        abandon_match(match, "")
    others = [name for name in BOTS if name.casefold() != person.name.casefold()]
    bots = [SeatSpec(name=name, bot=strength) for name in others[: seats - 1]]
    pace = FAST if fast else PACE
    spec = MatchSpec(ruleset, {}, [person, *bots], pace=pace, practice=True)
    return start_match(create_match(spec))


def guests_welcome() -> bool:
    """Return whether the site lets people practise without an account."""
    return settings.GUEST_TABLES > 0


def strong_bots_allowed() -> bool:
    """Return whether guests may choose bots that think ahead.

    Depending on the setting GUEST_BOTS, they may do so always, never, or while the machine is idle.
    """
    if settings.GUEST_BOTS == "idle":
        return os.getloadavg()[0] < (os.cpu_count() or 1) / 2
    return settings.GUEST_BOTS == "any"


@transaction.atomic
def transfer_practice(guest: Guest, user: Any) -> None:
    """Transfer the guest's matches to this account."""
    for match in _find_guest_matches().filter(held_by(guest, "seats__")):
        _hand_over_match(match, guest, user)


def delete_practice(user: Any) -> None:
    """Delete all practice matches of this account, which is about to be deleted."""
    for match in Match.objects.filter(practice=True, seats__user=user):
        _delete_match(match)


def delete_guest_matches(now: datetime) -> None:
    """Delete guests' matches that are older than GUEST_LIFETIME.

    A match that is still running is ended first, so that its players see that it is over.
    """
    old = _find_guest_matches().filter(created_at__lt=now - GUEST_LIFETIME)
    for match in old.filter(phase=Match.Phase.OVER):
        _delete_match(match)
    for match in old:
        abandon_match(match, Match.Reason.GUESTS.value)


def _find_running_matches() -> QuerySet[Match]:
    return Match.objects.filter(practice=True).exclude(phase=Match.Phase.OVER)


def _find_guest_matches() -> QuerySet[Match]:
    return Match.objects.filter(seats__guest__gt="", practice=True)


def _make_room(guest: Guest) -> None:
    """Make room for another guest match.

    Two guests who arrive at the same moment may both get the last table.

    Raises RefusedError with guests-closed or guests-full.
    """
    if not guests_welcome():
        raise RefusedError(
            PlayCode.GUESTS_CLOSED, _("This site has no guest tables. Sign in to practise.")
        )
    others = _find_running_matches().filter(seats__guest__gt="").exclude(seats__guest=guest.key)
    count = others.count()
    if count >= settings.GUEST_TABLES:
        text = _("All guest tables are taken. Sign in to practise, or try again in a few minutes.")
        _free_longest_idle_table(others, text)
    elif guest.network:
        same_network = others.filter(seats__guest__endswith=guest.network)
        if (used := same_network.count()) >= network_limit(settings.GUEST_TABLES - count + used):
            text = _(
                "There are too many guest tables on your network right now. Sign in to "
                "practise, or try again in a minute."
            )
            _free_longest_idle_table(same_network, text)


def network_limit(free: int) -> int:
    """Return how many guest tables one network may use.

    `free` is the number of tables that other networks do not use.
    """
    return max(1, free // NETWORK_SHARE)


def _free_longest_idle_table(tables: QuerySet[Match], sentence: str) -> None:
    """End the match at the guest table that has been deserted the longest.

    Raises RefusedError with guests-full if no table has been deserted long enough.
    """
    now, acted = timezone.now(), LoggedAction.objects.filter(hand__match=OuterRef("pk"), auto="")
    never_played = Q(~Exists(acted), paused_at__isnull=False, created_at__lt=now - UNPLAYED_AFTER)
    empty = tables.filter(Q(paused_at__lt=now - DESERTED_AFTER) | never_played)
    idle = empty.order_by("paused_at").first()
    if idle is None:
        raise RefusedError(PlayCode.GUESTS_FULL, sentence)
    abandon_match(idle, "")


def _delete_match(match: Match) -> None:
    store.forget(match.pk)
    match.delete()


def _hand_over_match(match: Match, guest: Guest, user: Any) -> None:
    def apply_handover(snapshot: Snapshot) -> None:
        change = MatchChange.from_snapshots(snapshot, snapshot.match.paused_at or timezone.now())
        seat = next(seat for seat in snapshot.seats if seat.guest == guest.key)
        others = {each.name.casefold() for each in snapshot.seats}
        name = shorten(str(user), 40)
        name = seat.name if name.casefold() in others else name
        change.seats[seat.number] = {"user": user, "guest": "", "name": name}
        # Play has not changed, so waiting claims remain valid.
        change.match["race"] = snapshot.match.race
        store.commit(change)

    store.forget(match.pk)
    retry_on_conflict(match.pk, apply_handover)
