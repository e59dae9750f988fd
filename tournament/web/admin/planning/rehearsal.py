"""The rehearsal, begun and ended with one button each."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event
from tournament.planning.rehearsal import end_rehearsal, rehearse
from tournament.web.admin.base.pages import Do, EventPage, link


class RehearsalPage(EventPage):
    """Page that begins or opens an event's rehearsal, and from which a rehearsal is ended."""

    title = gettext_lazy("Rehearsal")
    tab = "rehearsal"
    template_name = "admin/planning/rehearsal.html"
    sees = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        known = Event.objects.filter(rehearsal_of=self.event).first()
        return super().get_context_data(rehearsal=known, **kwargs)

    def actions(self) -> dict[str, Do]:
        return {"begin": self.begin, "end": self.end}

    def begin(self) -> str:
        self.then = rehearse(self.event, self.user)
        return _(
            "This is the rehearsal. Play through the whole day: bots fill every seat and "
            "play at high speed."
        )

    def end(self) -> str:
        self.then = end_rehearsal(self.event)
        return _("The rehearsal is over, and all its data has been deleted.")

    def redirect_when_done(self) -> HttpResponse:
        then = getattr(self, "then", None)
        return redirect(link("desk", then)) if then else super().redirect_when_done()
