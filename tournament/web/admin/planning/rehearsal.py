"""Organizers' page for an event's rehearsal."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event
from tournament.planning.rehearsal import create_rehearsal, end_rehearsal
from tournament.web.admin.base.pages import Action, EventPage, desk_url


class RehearsalPage(EventPage):
    """Page to start, open or end an event's rehearsal."""

    title = gettext_lazy("Rehearsal")
    tab = "rehearsal"
    template_name = "admin/planning/rehearsal.html"
    view_right = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        rehearsal = Event.objects.filter(rehearsal_of=self.event).first()
        return super().get_context_data(rehearsal=rehearsal, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {"begin": self.begin, "end": self.end}

    def begin(self) -> str:
        self.next_event = create_rehearsal(self.event, self.user)
        return _(
            "This is the rehearsal. Play through the whole day: bots fill every seat and "
            "play at high speed."
        )

    def end(self) -> str:
        self.next_event = end_rehearsal(self.event)
        return _("The rehearsal is over, and all its data has been deleted.")

    def redirect_when_done(self) -> HttpResponse:
        next_event = getattr(self, "next_event", None)
        return (
            redirect(desk_url("desk", next_event)) if next_event else super().redirect_when_done()
        )
