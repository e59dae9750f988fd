"""Players' devices in the public history: new device keys are recorded when a round closes."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from games import queries as games
from games.services import SeatNumber
from tournament.models import Event, LogAction, Round, TableSeat
from tournament.oversight.audit import record, where

# By registration: keys in hex, the first used first.
Keys = dict[int, list[str]]


def note_devices(event: Event, round_: Round) -> None:
    """Add a history row with this round's signing keys that no earlier row has.

    Runs in the caller's transaction, which has locked the event. Adds no row if there are no new
    keys. A key counts for the player who owns the seat's result, even if it is from a
    substitute's device.
    """
    noted = noted_devices(event)
    found = {
        key: _remove_known(keys, noted.get(key, ()))
        for key, keys in _find_used_keys(round_).items()
    }
    fresh = {str(key): keys for key, keys in sorted(found.items()) if keys}
    if not fresh:
        return
    again = [int(key) for key in fresh if int(key) in noted]
    told = _("Recorded the keys of players’ devices for {round}.").format
    facts = {"keys": fresh, "again": again, **where(round_)}
    record(event, None, LogAction.DEVICES, lambda: told(round=round_), "", **facts)


def noted_devices(event: Event) -> Keys:
    """Return the keys recorded in earlier rows, by registration."""
    noted: Keys = {}
    for facts in event.history.filter(action=LogAction.DEVICES).values_list("facts", flat=True):
        for key, keys in facts["keys"].items():
            noted.setdefault(int(key), []).extend(keys)
    return noted


def _find_used_keys(round_: Round) -> Keys:
    """Return the keys that have signed at the round's seats, by registration."""
    seats = TableSeat.objects.filter(table__round=round_, registration__isnull=False)
    chairs = {
        (match, SeatNumber(number)): registration
        for match, number, registration in seats.values_list(
            "table__match_id", "number", "registration_id"
        )
        if match is not None
    }
    used = games.device_keys({match for match, _number in chairs})
    return {chairs[chair]: keys for chair, keys in used.items() if chair in chairs}


def _remove_known(keys: Iterable[str], known: Iterable[str]) -> list[str]:
    seen = set(known)
    return [key for key in keys if key not in seen]
