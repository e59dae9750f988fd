"""Admin page for the staff of an event and the steps that need a second organizer."""

from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.desk.steps import STEPS
from tournament.models import Event, Role, User
from tournament.oversight.export_requests import FILES
from tournament.oversight.second_person import needs_second
from tournament.people.staff import invitations, organizers
from tournament.people.staff import services as roles
from tournament.people.staff.queries import ROLE_DESCRIPTIONS, members
from tournament.pure.codes import Code
from tournament.web.admin.base.pages import Do, EventPage

# What a page says where a step has not been done yet.
WAITS = gettext_lazy(
    "Requested. The change takes effect as soon as a second organizer confirms it."
)


def staff() -> Any:
    """Return the accounts that may have a role."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("display_name", "email")


class PeoplePage(EventPage):
    """Page with the event's staff by role, and the two-person rule."""

    title = gettext_lazy("People")
    tab = "people"
    template_name = "admin/people/people.html"
    sees = "see_staff"
    deeds = {
        **dict.fromkeys(("role", "role-off", "role-change", "invite", "invite-off"), "staff"),
        "rule": "staff",
    }

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            members=members(self.event),
            more=staff() if self.granted["staff"] else [],
            invited=invitations.open_invitations().filter(event=self.event),
            roles=[(role, role.label, ROLE_DESCRIPTIONS[role]) for role in Role],
            rules=Event.SecondPerson.choices,
            steps=[each.title for each in STEPS.values()],
            two=needs_second(self.event, self.user),
            files=FILES,
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {
            "role": self.role,
            "role-off": self.role_off,
            "role-change": self.role_change,
            "invite": self.invite,
            "invite-off": self.invite_off,
            "rule": self.rule,
        }

    def _find_person(self) -> User:
        if not self.text("user"):
            raise RefusedError(Code.USER, _("Choose a person first."))
        found: User = self.find(User.objects.all(), self.text("user"))
        return found

    def role(self) -> str:
        user, role = self._find_person(), self.text("role")
        waits = roles.give_role(self.event, self.user, user, role, self.text("reason"))
        text = GIVEN.get(role, _("{user} now has the role “{role}”."))
        return str(WAITS) if waits else str(text).format(user=user, role=Role(role).label)

    def role_off(self) -> str:
        user, role = self._find_person(), self.text("role")
        waits = roles.take_role(self.event, self.user, user, role, self.text("reason"))
        text = _("{user} no longer has the role “{role}”.")
        return str(WAITS) if waits else text.format(user=user, role=Role(role).label)

    def role_change(self) -> str:
        user, role, to = self._find_person(), self.text("role"), self.text("to")
        waits = roles.change_role(self.event, self.user, user, role, to, self.text("reason"))
        text = _("{user} now has the role “{role}”.")
        return str(WAITS) if waits else text.format(user=user, role=Role(to).label)

    def invite(self) -> str:
        page = self.request.build_absolute_uri(reverse("invitations"))
        email, role = self.text("email"), self.text("role")
        waits = invitations.invite(self.event, self.user, email, page, self.text("reason"), role)
        return (
            str(WAITS)
            if waits
            else _("Invited. An email is on its way to {email}.").format(email=email)
        )

    def invite_off(self) -> str:
        open_ones = self.event.invitations.all()
        invitations.take_back(self.find(open_ones, self.text("invitation")), self.user)
        return _("The invitation has been withdrawn.")

    def rule(self) -> str:
        rule, reason = self.text("second_person"), self.text("reason")
        waits = organizers.choose_rule(self.event, self.user, rule, reason)
        return str(WAITS) if waits else _("The rule has been changed.")


GIVEN: dict[str, str | Promise] = {
    Role.COMMENTATOR: gettext_lazy(
        "{user} will see all cards from the next hand on, and a message will be shown "
        "at every table."
    ),
}
