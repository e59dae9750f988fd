"""Personal data of an event: how long it is kept, who is made nameless, what would be deleted."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.pages import Do, EventPage
from tournament.admin.people_page import WAITS
from tournament.models import Event
from tournament.queries.personal import due_at, personal_counts
from tournament.services import Refused, privacy
from tournament.services.second import needs_second
from tournament.texts import whole


class PrivacyPage(EventPage):
    """Shows the figures first: what is deleted never comes back."""

    title = gettext_lazy("Personal data")
    tab = "closing"
    sees = "export"
    template_name = "admin/event/privacy.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            counts=personal_counts(self.event),
            due=due_at(self.event),
            people=self.event.registrations.filter(anonymous=False).order_by("name"),
            finished=self.event.state == Event.State.FINISHED,
            two=needs_second(self.event, self.user),
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {"keep": self.keep, "anonymise": self.anonymise, "purge": self.purge}

    def keep(self) -> str:
        typed = self.text("days")
        days = whole(typed)
        if typed and days is None:
            raise Refused("days", _("Write a number of days from 1 to 3650, or nothing."))
        privacy.keep_for(self.event, self.user, days)
        return _("Saved.")

    def anonymise(self) -> str:
        if not self.text("registration"):
            raise Refused("person", _("Choose a person first."))
        one = self.find(self.event.registrations, self.text("registration"))
        waits = privacy.anonymise(one, self.user, self.text("reason"))
        return str(WAITS) if waits else _("Nobody can tell any more who this was.")

    def purge(self) -> str:
        waits = privacy.purge(self.event, self.user, self.text("reason"))
        return str(WAITS) if waits else _("The personal data of this event is deleted.")
