"""The append-only public history, a hash chain of rows (pure/chain.py)."""

from django.urls import reverse
from django.utils import timezone

from tournament.common.desk_code_sessions import is_acting_by_desk_code
from tournament.common.locks import lock_event
from tournament.mail.notices import MailKind, notify_address
from tournament.models import DeletedEvent, Event, HistoryEntry, LogAction, User
from tournament.oversight.chains import HISTORY, LOG
from tournament.oversight.history_texts import select_public_entries
from tournament.pure import rights_table
from tournament.pure.chain import START, VERSION, Facts
from tournament.site.address import absolute_url


def append_entry(
    event: Event, actor: User | None, action: LogAction, reason: str, facts: Facts
) -> HistoryEntry:
    """Add a row to the event's history in the caller's transaction."""
    # The lock makes concurrent writers wait, because a row is linked to the previous one.
    event = lock_event(event, settled=True)
    entry = HistoryEntry(
        event=event,
        action=action,
        role=_find_role(event, actor),
        facts=dict(facts),
        reason=reason,
        at=timezone.now(),
        version=VERSION,
    )
    HISTORY.append(entry, HISTORY.find_head(event))
    entry.save(force_insert=True)
    return entry


def find_public_head(event: Event) -> tuple[int, str]:
    """Return the number and digest of the last row that is public now."""
    last = select_public_entries(event).order_by("number").values_list("number", "digest").last()
    return last or (0, START)


def email_history_head(event: Event) -> None:
    """Email the number and digest of the last public row to the event's owners.

    With these emails, later changes to the history can be detected. They are sent after the
    transaction commits.
    """
    if not event.public:
        return
    rows, digest = find_public_head(event)
    page = absolute_url(reverse("event-history", args=[event.slug]))
    for user in event.organizers.order_by("pk"):
        context = {"name": user, "rows": rows, "head": digest, "page": page}
        notify_address(event, user.mailbox, MailKind.HISTORY, **context)


def record_deletion(event: Event) -> None:
    """Record that the event is deleted, with the last rows of its history and log.

    Must be called in the transaction that deletes the event. Otherwise, the database refuses to
    delete these rows.
    """
    rows, digest = HISTORY.find_head(event)
    log_rows, log_digest = LOG.find_head(event)
    DeletedEvent.objects.create(
        number=event.pk,
        slug=event.slug,
        rows=rows,
        head=digest,
        log_rows=log_rows,
        log_head=log_digest,
    )


def _find_role(event: Event, actor: User | None) -> str:
    """Return the role that allows the actor to act. The history shows it instead of a name."""
    if actor is None:
        return "site"
    if is_acting_by_desk_code(actor.pk):
        return "desk-code"
    roles = set(event.roles.filter(user=actor).values_list("role", flat=True))
    if rights_table.OWNER in roles:
        return "organizer"
    if actor.is_superuser:
        return "superuser"
    return next((role for role in rights_table.ROLES if role in roles), "player")
