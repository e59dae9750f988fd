"""Special needs of a player: extra time, a fixed table, or separation from other players."""

from collections.abc import Collection, Iterable
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.locks import lock_event
from tournament.models import LogAction, Registration, User
from tournament.oversight.audit import record
from tournament.pure.words import join_words

COLUMNS = ("extra_seconds", "fixed_table")


@transaction.atomic
def change_needs(
    registration: Registration,
    actor: User,
    changed: Collection[str],
    apart_from: Iterable[Registration],
) -> Registration:
    """Save the needs named in `changed`: `extra_seconds`, `fixed_table` or `apart_from`.

    Other fields are not saved, because they may have changed since the form was opened.
    """
    event = lock_event(registration.event)
    registration.save(update_fields=[name for name in COLUMNS if name in changed])
    if "apart_from" in changed:
        registration.apart_from.set(apart_from)
    if not {*COLUMNS, "apart_from"}.isdisjoint(changed):
        text = partial(_describe_changes, registration, changed)
        record(event, actor, LogAction.NEEDS, text, registration=registration.pk)
    return registration


def _describe_changes(registration: Registration, changed: Collection[str]) -> str:
    texts = {
        "extra_seconds": _describe_extra_time,
        "fixed_table": _describe_fixed_table,
        "apart_from": _describe_separation,
    }
    needs = ", ".join(text(registration) for name, text in texts.items() if name in changed)
    return _("{name}: {needs}.").format(name=registration.name, needs=needs)


def _describe_extra_time(registration: Registration) -> str:
    seconds = registration.extra_seconds
    text = ngettext("{seconds} extra second per turn", "{seconds} extra seconds per turn", seconds)
    return text.format(seconds=seconds)


def _describe_fixed_table(registration: Registration) -> str:
    table = registration.fixed_table
    return _("always at table {number}").format(number=table) if table else _("at any table")


def _describe_separation(registration: Registration) -> str:
    others = list(registration.apart_from.order_by("name"))
    if not others:
        return _("with anyone")
    return _("never at the same table as {names}").format(names=join_words(others))
