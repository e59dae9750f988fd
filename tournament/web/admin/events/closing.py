"""Page for the tasks after an event, such as locking the results and issuing certificates."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.events.closing import locking
from tournament.events.closing.certificates import list_certificates
from tournament.events.closing.unfinished import list_unfinished
from tournament.models import Event
from tournament.oversight.second_person import needs_second_organizer
from tournament.web.admin.base.pages import Action, EventPage
from tournament.web.admin.people.staff import WAITS


class ClosingPage(EventPage):
    """Page to lock the results and issue the certificates."""

    title = gettext_lazy("Afterwards")
    tab = "closing"
    view_right = "see"
    template_name = "admin/events/closing.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        event = self.event
        return super().get_context_data(
            finished=event.state == Event.State.FINISHED,
            open_ones=[] if event.locked_at else list_unfinished(event),
            certificates=len(list(list_certificates(event))),
            two=needs_second_organizer(event, self.user),
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {"lock": self.lock, "unlock": self.unlock}

    def lock(self) -> str:
        sure = self.text("sure") == "yes"
        count = locking.lock_results(self.event, self.user, sure=sure)
        text = ngettext(
            "Results locked. {count} certificate is ready.",
            "Results locked. {count} certificates are ready.",
            count,
        )
        return text.format(count=count)

    def unlock(self) -> str:
        proposal = locking.unlock_results(self.event, self.user, self.text("reason"))
        return str(WAITS) if proposal else _("Results unlocked. You can correct them now.")
