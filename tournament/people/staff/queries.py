"""An event's staff, and a description of each role."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournament.models import Event, EventRole, Role, User

# tournament/pure/rights_table.py defines the rights of each role.
ROLE_DESCRIPTIONS: dict[str, str | Promise] = {
    Role.OWNER: gettext_lazy(
        "Owners run the event: they draw seats, start rounds, decide who advances, and "
        "choose who helps."
    ),
    Role.DESK: gettext_lazy(
        "The desk handles registrations and the eligibility list, and signs people in at the door."
    ),
    Role.SCORER: gettext_lazy("Scorers enter points and confirm those entered by another scorer."),
    Role.REFEREE: gettext_lazy(
        "Referees pause tables, grant extra time and have hands dealt again, all from "
        "the control room."
    ),
    Role.COMMENTATOR: gettext_lazy(
        "Commentators see everyone’s cards with a delay. Players can’t be commentators."
    ),
    Role.VIEWER: gettext_lazy("Viewers see the pages of the desk but can’t change anything."),
}


@dataclass(frozen=True)
class Member:
    """A staff member with all their roles, in order of assignment."""

    user: User
    roles: tuple[EventRole, ...]


def list_members(event: Event) -> list[Member]:
    """Return everyone with a role in the event, ordered by name."""
    roles_by_user: dict[int, list[EventRole]] = {}
    rows = event.roles.select_related("user").order_by("user__display_name", "user__email", "pk")
    for row in rows:
        roles_by_user.setdefault(row.user_id, []).append(row)
    return [Member(roles[0].user, tuple(roles)) for roles in roles_by_user.values()]
