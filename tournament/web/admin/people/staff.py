"""Page to manage an event's staff and the rule on second organizers."""

from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.desk.steps import STEPS
from tournament.models import Event, Role, User
from tournament.oversight.export_requests import FILES
from tournament.oversight.second_person import needs_second_organizer
from tournament.people.staff import invitations, organizers
from tournament.people.staff import services as roles
from tournament.people.staff.queries import ROLE_DESCRIPTIONS, list_members
from tournament.pure.codes import Code
from tournament.web.admin.base.pages import Action, EventPage

# Message for a request that waits for a second organizer.
WAITS = gettext_lazy(
    "Requested. The change takes effect as soon as a second organizer confirms it."
)


def select_staff_accounts() -> Any:
    """Return the accounts that can be given a role."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("display_name", "email")


class PeoplePage(EventPage):
    """Page with the event's staff by role, and the rule on second organizers."""

    title = gettext_lazy("People")
    tab = "people"
    template_name = "admin/people/people.html"
    view_right = "see_staff"
    action_rights = {
        **dict.fromkeys(("role", "role-off", "role-change", "invite", "invite-off"), "staff"),
        "rule": "staff",
    }

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            members=list_members(self.event),
            more=select_staff_accounts() if self.granted["staff"] else [],
            invited=invitations.select_open_invitations().filter(event=self.event),
            roles=[(role, role.label, ROLE_DESCRIPTIONS[role]) for role in Role],
            rules=Event.SecondPerson.choices,
            steps=[each.title for each in STEPS.values()],
            two=needs_second_organizer(self.event, self.user),
            files=FILES,
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {
            "role": self.give_role,
            "role-off": self.remove_role,
            "role-change": self.change_role,
            "invite": self.invite,
            "invite-off": self.cancel_invitation,
            "rule": self.set_rule,
        }

    def _find_person(self) -> User:
        if not self.text("user"):
            raise RefusedError(Code.USER, _("Choose a person first."))
        person: User = self.find(User.objects.all(), self.text("user"))
        return person

    def give_role(self) -> str:
        user, role = self._find_person(), self.text("role")
        proposal = roles.give_role(self.event, self.user, user, role, self.text("reason"))
        text = ROLE_GIVEN.get(role, _("{user} now has the role “{role}”."))
        return str(WAITS) if proposal else str(text).format(user=user, role=Role(role).label)

    def remove_role(self) -> str:
        user, role = self._find_person(), self.text("role")
        proposal = roles.remove_role(self.event, self.user, user, role, self.text("reason"))
        text = _("{user} no longer has the role “{role}”.")
        return str(WAITS) if proposal else text.format(user=user, role=Role(role).label)

    def change_role(self) -> str:
        user, role, new_role = self._find_person(), self.text("role"), self.text("to")
        proposal = roles.change_role(
            self.event, self.user, user, role, new_role, self.text("reason")
        )
        text = _("{user} now has the role “{role}”.")
        return str(WAITS) if proposal else text.format(user=user, role=Role(new_role).label)

    def invite(self) -> str:
        page = self.request.build_absolute_uri(reverse("invitations"))
        email, role = self.text("email"), self.text("role")
        proposal = invitations.invite(self.event, self.user, email, page, self.text("reason"), role)
        return (
            str(WAITS)
            if proposal
            else _("Invited. An email is on its way to {email}.").format(email=email)
        )

    def cancel_invitation(self) -> str:
        own_invitations = self.event.invitations.all()
        invitations.cancel_invitation(
            self.find(own_invitations, self.text("invitation")), self.user
        )
        return _("The invitation has been withdrawn.")

    def set_rule(self) -> str:
        rule, reason = self.text("second_person"), self.text("reason")
        proposal = organizers.choose_confirmation_rule(self.event, self.user, rule, reason)
        return str(WAITS) if proposal else _("The rule has been changed.")


ROLE_GIVEN: dict[str, str | Promise] = {
    Role.COMMENTATOR: gettext_lazy(
        "{user} will see all cards from the next hand on, and a message will be shown "
        "at every table."
    ),
}
