"""What a player needs: more time, a table of their own, or not to sit with somebody."""

from collections.abc import Collection, Iterable

from django.db import transaction

from tournament.models import Registration, User
from tournament.services.audit import record
from tournament.services.locks import lock_event
from tournament.words import listed

COLUMNS = ("extra_seconds", "fixed_table")


@transaction.atomic
def change_needs(
    registration: Registration,
    actor: User,
    changed: Collection[str],
    apart_from: Iterable[Registration],
) -> Registration:
    """Save those of `extra_seconds`, `fixed_table` and `apart_from` that are among `changed`.

    Nothing else of the row: it may have been decided since somebody began to fill in the form.
    """
    event = lock_event(registration.event)
    registration.save(update_fields=[name for name in COLUMNS if name in changed])
    if "apart_from" in changed:
        registration.apart_from.set(apart_from)
    if told := [text for name, text in _texts(registration).items() if name in changed]:
        text = f"{registration.name}: {', '.join(told)}."
        record(event, actor, "needs", text, registration=registration.pk)
    return registration


def _texts(registration: Registration) -> dict[str, str]:
    table, others = registration.fixed_table, list(registration.apart_from.order_by("name"))
    return {
        "extra_seconds": f"{registration.extra_seconds} more seconds for each turn",
        "fixed_table": f"always at table {table}" if table else "at any table",
        "apart_from": f"never at a table with {listed(others)}" if others else "with anybody",
    }
