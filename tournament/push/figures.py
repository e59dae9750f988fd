"""The numbers of recent push messages, for organizers and operators."""

from datetime import timedelta
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, PushMessage

PERIOD = timedelta(hours=1)


class PushCounts(NamedTuple):
    """The number of push messages that were accepted, and the number that were given up."""

    sent: int
    failed: int

    @property
    def sentence(self) -> str:
        """Both numbers in a sentence, or "" without messages."""
        if not (self.sent or self.failed):
            return ""
        sent = ngettext("{count} sent", "{count} sent", self.sent).format(count=self.sent)
        failed = ngettext("{count} failed", "{count} failed", self.failed)
        text = _("Push messages in the last hour: {sent}, {failed}.")
        return text.format(sent=sent, failed=failed.format(count=self.failed))


def push_counts(event: Event | None = None) -> PushCounts:
    """Count the last hour's messages of an event or the whole site, in one query."""
    messages = PushMessage.objects.filter(written_at__gt=timezone.now() - PERIOD)
    if event is not None:
        messages = messages.filter(match__event_table__round__stage__event=event)
    failed = Q(sent_at=None, due=None)
    return PushCounts(
        **messages.aggregate(
            sent=Count("pk", filter=Q(sent_at__isnull=False)),
            failed=Count("pk", filter=failed),
        )
    )
