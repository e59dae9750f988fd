"""Page to send messages from the desk to tables and people."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import DeskMessage, Round, Table
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.rounds.desk_messages import (
    LONGEST,
    MOST_MINUTES,
    describe_audience,
    send_message,
    withdraw_message,
)
from tournament.web.admin.base.pages import Action, EventPage

MAX_SHOWN = 50
DEFAULT_MINUTES = 15


class MessagesPage(EventPage):
    """Page to send messages and to withdraw them.

    The query parameter `table` preselects a table.
    """

    title = gettext_lazy("Messages")
    tab = "control"
    template_name = "admin/rounds/messages.html"
    view_right = "messages"
    action_rights = {"send": "messages", "back": "messages"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        sent = self.event.desk_messages.select_related("table__round__stage", "sent_by")[:MAX_SHOWN]
        now = timezone.now()
        rows = [
            (
                message,
                describe_audience(message),
                message.taken_back_at is None and message.expires_at > now,
            )
            for message in sent
        ]
        return super().get_context_data(
            sent=rows,
            tables=self._select_tables(),
            chosen=self.request.GET.get("table", ""),
            audiences=[each for each in DeskMessage.Audience.choices if each[0] != "table"],
            longest=LONGEST,
            minutes=DEFAULT_MINUTES,
            most_minutes=MOST_MINUTES,
            **kwargs,
        )

    def _select_tables(self) -> Any:
        """Return the tables of published and running rounds."""
        open_states = (Round.State.PUBLISHED, Round.State.RUNNING)
        own_tables = Table.objects.filter(
            round__stage__event=self.event, round__state__in=open_states
        )
        return own_tables.select_related("round__stage").order_by("round", "number")

    def actions(self) -> dict[str, Action]:
        return {"send": self.send, "back": self.withdraw_message}

    def send(self) -> str:
        audience, _sep, key = self.text("whom").partition(":")
        table = self.find(self._select_tables(), key) if audience == "table" else None
        minutes = parse_whole(self.text("minutes"))
        if minutes is None:
            raise RefusedError(Code.MINUTES, _("Enter the minutes as a whole number."))
        message = send_message(
            self.event,
            self.user,
            self.text("text"),
            audience,
            table=table,
            minutes=minutes,
        )
        return _("Sent to: {whom}.").format(whom=describe_audience(message))

    def withdraw_message(self) -> str:
        message = self.find(self.event.desk_messages, self.text("message"))
        withdraw_message(message, self.user)
        return _("The message is no longer shown.")
