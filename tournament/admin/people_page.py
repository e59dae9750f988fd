"""Who runs the event, what waits for a second person, and the second person's answer."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.pages import Do, EventPage
from tournament.models import Event, Proposal, User
from tournament.queries import proposals as read
from tournament.services import people
from tournament.services.confirming import confirm, refuse, withdraw
from tournament.services.errors import Refused
from tournament.services.exporting import FILES
from tournament.services.second import needs_second

# What a page says where a step has not been done yet.
WAITS = gettext_lazy("Asked for: it is done as soon as a second organizer has confirmed it.")


def staff() -> Any:
    """Accounts that may organize or comment."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("display_name", "email")


class PeoplePage(EventPage):
    """Organizers, commentators, the two-person rule, and all that waits."""

    title = gettext_lazy("People")
    tab = "people"
    template_name = "admin/event/people.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        organizers = list(self.event.organizers.order_by("display_name", "email"))
        commentary = self.event.commentary.select_related("user").order_by("since")
        known = {each.pk for each in organizers}
        named = {each.user_id for each in commentary}
        return super().get_context_data(
            waits=read.waiting(self.event, self.user),
            answered=read.answered(self.event, self.user),
            organizers=organizers,
            more_organizers=staff().exclude(pk__in=known),
            commentary=commentary,
            more_commentators=staff().exclude(pk__in=named),
            rules=Event.SecondPerson.choices,
            two=needs_second(self.event, self.user),
            files=FILES,
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {
            "confirm": self.confirm,
            "withdraw": self.withdraw,
            "refuse": self.refuse,
            "organizer": self.organizer,
            "organizer-off": self.organizer_off,
            "commentator": self.commentator,
            "commentator-off": self.commentator_off,
            "rule": self.rule,
        }

    def _proposal(self) -> Proposal:
        found: Proposal = self.find(self.event.proposals, self.text("proposal"))
        return found

    def _person(self) -> User:
        if not self.text("user"):
            raise Refused("user", _("Choose a person first."))
        found: User = self.find(User.objects.all(), self.text("user"))
        return found

    def confirm(self) -> str:
        confirm(self._proposal(), self.user)
        return _("Confirmed, and done.")

    def withdraw(self) -> str:
        withdraw(self._proposal(), self.user)
        return _("Taken back: nothing has been changed.")

    def refuse(self) -> str:
        refuse(self._proposal(), self.user, self.text("reason"))
        return _("Refused: nothing has been changed.")

    def organizer(self) -> str:
        user = self._person()
        waits = people.add_organizer(self.event, self.user, user, self.text("reason"))
        return str(WAITS) if waits else _("{user} organizes the event.").format(user=user)

    def organizer_off(self) -> str:
        user = self._person()
        waits = people.remove_organizer(self.event, self.user, user, self.text("reason"))
        return str(WAITS) if waits else _("{user} no longer organizes it.").format(user=user)

    def commentator(self) -> str:
        user = self._person()
        waits = people.name_commentator(self.event, self.user, user, self.text("reason"))
        text = _("{user} sees open cards from the next hand on; the tables are told.")
        return str(WAITS) if waits else text.format(user=user)

    def commentator_off(self) -> str:
        user = self._person()
        people.remove_commentator(self.event, self.user, user, self.text("reason"))
        return _("{user} is no commentator any more.").format(user=user)

    def rule(self) -> str:
        rule, reason = self.text("second_person"), self.text("reason")
        waits = people.choose_rule(self.event, self.user, rule, reason)
        return str(WAITS) if waits else _("The rule is changed.")
