"""Personal data of an event: how long it is kept, who is made nameless, what would be deleted."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Event
from tournament.oversight.second_person import needs_second
from tournament.privacy import services as privacy
from tournament.privacy.lengths import due_at
from tournament.privacy.queries import kept_of_people
from tournament.pure.codes import Code
from tournament.pure.texts import whole
from tournament.web.admin.base.pages import Do, EventPage
from tournament.web.admin.people.staff import WAITS


class PrivacyPage(EventPage):
    """Shows the figures first: what is deleted never comes back."""

    title = gettext_lazy("Personal data")
    tab = "closing"
    sees = "export"
    template_name = "admin/privacy/privacy.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            kept=[each for each in kept_of_people(self.event) if each.count],
            due=due_at(self.event),
            most=privacy.most_days(),
            site_days=settings.KEEP_EVENT_DAYS,
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
            raise RefusedError(Code.DAYS, privacy.days_wanted())
        privacy.keep_for(self.event, self.user, days)
        return _("Saved.")

    def anonymise(self) -> str:
        if not self.text("registration"):
            raise RefusedError(Code.PERSON, _("Choose a person first."))
        one = self.find(self.event.registrations, self.text("registration"))
        waits = privacy.anonymise(one, self.user, self.text("reason"))
        return (
            str(WAITS) if waits else _("Anonymized. It is no longer possible to tell who this was.")
        )

    def purge(self) -> str:
        waits = privacy.purge(self.event, self.user, self.text("reason"))
        return str(WAITS) if waits else _("The personal data of this event has been deleted.")
