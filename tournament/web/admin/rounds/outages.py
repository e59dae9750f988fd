"""Page of an event's pauses and outages, where outages can be recorded afterwards."""

from datetime import datetime
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.common.refusals import RefusedError
from tournament.desk.control import current_round
from tournament.models import Round
from tournament.pure.codes import Code
from tournament.rounds import services as rounds
from tournament.rounds.interruptions import list_interruptions
from tournament.rounds.pauses import record_outage
from tournament.web.admin.base.pages import Action, EventPage


class OutagesPage(EventPage):
    """Page of pauses and outages recorded by organizers, and of outages of the site."""

    title = gettext_lazy("Pauses and outages")
    tab = "control"
    template_name = "admin/rounds/outages.html"
    view_right = "see"
    action_rights = {"outage": "tables", "over": "tables", "note": "tables"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        current = current_round(self.event)
        running = current if current and current.state == Round.State.RUNNING else None
        rows = list_interruptions(self.event)
        is_ongoing = any(row.ended is None for row in rows)
        return super().get_context_data(rows=rows, running=running, stands=is_ongoing, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {
            "outage": self.pause_for_outage,
            "over": self.resume_tables,
            "note": self.record_outage,
        }

    def _find_running_round(self) -> Round:
        current = current_round(self.event)
        if current is None or current.state != Round.State.RUNNING:
            raise Http404("No round is being played.")
        return current

    def pause_for_outage(self) -> str:
        reason = self.text("reason") or _("Outage")
        count = rounds.pause(self._find_running_round(), self.user, reason=reason)
        text = ngettext(
            "{count} table is paused until you resume it.",
            "{count} tables are paused until you resume them.",
            count,
        )
        return text.format(count=count)

    def resume_tables(self) -> str:
        count = rounds.resume(self._find_running_round(), self.user)
        text = ngettext("{count} table resumed.", "{count} tables resumed.", count)
        return text.format(count=count)

    def record_outage(self) -> str:
        times = self._read_moment("began"), self._read_moment("ended")
        record_outage(self._find_running_round(), self.user, *times, self.text("reason"))
        return _("Outage recorded. Every table gets the lost time back.")

    def _read_moment(self, name: str) -> datetime:
        text = self.text(name)
        try:
            moment = parse_datetime(text)
        except ValueError:
            moment = None
        if moment is None:
            raise RefusedError(Code.TIMES, _("Enter both times."))
        return timezone.make_aware(moment) if timezone.is_naive(moment) else moment
