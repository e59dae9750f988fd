"""Signing keys of players' devices. The public history records them when a round closes."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from games import queries as games
from games.services import SeatNumber
from tournament.models import Event, LogAction, Round, TableSeat
from tournament.oversight.audit import identify_place, record

# Device keys in hexadecimal by registration, in order of first use.
Keys = dict[int, list[str]]


def record_devices(event: Event, round_: Round) -> None:
    """Add the signing keys that are new in this round to the public history.

    A key is recorded for the player who gets the seat's result, even if a substitute used it. The
    caller must have locked the event in the transaction.
    """
    recorded = load_recorded_keys(event)
    new_keys = {
        key: _list_new_keys(keys, recorded.get(key, ()))
        for key, keys in _find_used_keys(round_).items()
    }
    new_by_player = {str(key): keys for key, keys in sorted(new_keys.items()) if keys}
    if not new_by_player:
        return
    known_players = [int(key) for key in new_by_player if int(key) in recorded]
    format_text = _("Recorded the keys of players’ devices for {round}.").format
    facts = {"keys": new_by_player, "again": known_players, **identify_place(round_)}
    record(event, None, LogAction.DEVICES, lambda: format_text(round=round_), "", **facts)


def load_recorded_keys(event: Event) -> Keys:
    """Return the keys in the event's history, by registration."""
    recorded: Keys = {}
    for facts in event.history.filter(action=LogAction.DEVICES).values_list("facts", flat=True):
        for key, keys in facts["keys"].items():
            recorded.setdefault(int(key), []).extend(keys)
    return recorded


def _find_used_keys(round_: Round) -> Keys:
    """Return the keys with which devices signed at the round's seats, by registration."""
    seats = TableSeat.objects.filter(table__round=round_, registration__isnull=False)
    owners = {
        (match, SeatNumber(number)): registration
        for match, number, registration in seats.values_list(
            "table__match_id", "number", "registration_id"
        )
        if match is not None
    }
    used_keys = games.device_keys({match for match, _number in owners})
    return {owners[seat]: keys for seat, keys in used_keys.items() if seat in owners}


def _list_new_keys(keys: Iterable[str], recorded: Iterable[str]) -> list[str]:
    seen = set(recorded)
    return [key for key in keys if key not in seen]
