"""Page to set how long an event's personal data is kept, and to anonymize or delete it."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Event
from tournament.oversight.rights import has_right
from tournament.oversight.second_person import needs_second_organizer
from tournament.privacy import services as privacy
from tournament.privacy.lengths import due_at
from tournament.privacy.mentions import find_mentions
from tournament.privacy.queries import events_with_same_people, rows_due_for_deletion
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.web.admin.base.pages import Action, EventPage
from tournament.web.admin.people.staff import WAITS


class PrivacyPage(EventPage):
    """Page to anonymize people and to delete data, with the number of rows to be deleted."""

    title = gettext_lazy("Personal data")
    tab = "closing"
    view_right = "export"
    template_name = "admin/privacy/privacy.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            kept=[each for each in rows_due_for_deletion(self.event) if each.count],
            due=due_at(self.event),
            most=privacy.max_retention_days(),
            site_days=settings.KEEP_EVENT_DAYS,
            people=self.event.registrations.filter(anonymous=False).order_by("name"),
            finished=self.event.state == Event.State.FINISHED,
            two=needs_second_organizer(self.event, self.user),
            elsewhere=self._list_events_with_same_people(),
            **kwargs,
        )

    def _list_events_with_same_people(self) -> list[Event]:
        """Return other events that list the same people, if the user may see those events."""
        events = events_with_same_people(self.event)
        return [each for each in events if has_right(self.user, each, "see_people")]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.POST.get("action") == "mentions":
            return self.show_mentions()
        return super().post(request, *args, **kwargs)

    def show_mentions(self) -> HttpResponseBase:
        """Show the texts that contain part of a person's name, before anonymizing the person."""
        chosen = self.text("registration")
        registration = self.find(self.event.registrations.select_related("user", "student"), chosen)
        mentions = find_mentions(self.event, registration)
        context = self.get_context_data(
            chosen=registration, mentions=mentions, reason=self.text("reason")
        )
        return self.render_to_response(context)

    def actions(self) -> dict[str, Action]:
        return {"keep": self.set_retention, "anonymise": self.anonymise, "purge": self.purge}

    def set_retention(self) -> str:
        text = self.text("days")
        days = parse_whole(text)
        if text and days is None:
            raise RefusedError(Code.DAYS, privacy.describe_days_range())
        privacy.set_retention(self.event, self.user, days)
        return _("Saved.")

    def anonymise(self) -> str:
        if not self.text("registration"):
            raise RefusedError(Code.PERSON, _("Choose a person first."))
        registration = self.find(self.event.registrations, self.text("registration"))
        mentions = self.request.POST.getlist("mention")
        proposal = privacy.anonymize_person(registration, self.user, self.text("reason"), mentions)
        return (
            str(WAITS)
            if proposal
            else _("Anonymized. It is no longer possible to tell who this was.")
        )

    def purge(self) -> str:
        proposal = privacy.purge_event(self.event, self.user, self.text("reason"))
        return str(WAITS) if proposal else _("The personal data of this event has been deleted.")
