"""An event's staff by person, and what each role is for, in a sentence."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournament.models import Event, EventRole, Role, User

# What tournament/oversight/rights_table.py lets each of them do.
WORK: dict[str, str | Promise] = {
    Role.OWNER: gettext_lazy(
        "Owners run the event: they draw seats, start rounds, decide who goes through, and choose "
        "who helps."
    ),
    Role.DESK: gettext_lazy(
        "The desk looks after registrations and the list, and signs people in at the door."
    ),
    Role.SCORER: gettext_lazy("Scorers enter points, and confirm what another scorer has entered."),
    Role.REFEREE: gettext_lazy(
        "Referees pause tables, give time and have hands dealt again, from the control room."
    ),
    Role.COMMENTATOR: gettext_lazy(
        "Commentators see everybody’s cards, a while later. Nobody who plays can be one."
    ),
    Role.VIEWER: gettext_lazy("Viewers see the pages of the desk and change nothing."),
}


@dataclass(frozen=True)
class Member:
    """One of the staff with their roles, the first one given first."""

    user: User
    roles: tuple[EventRole, ...]


def members(event: Event) -> list[Member]:
    """Everybody with a role in the event, by name."""
    people: dict[int, list[EventRole]] = {}
    rows = event.roles.select_related("user").order_by("user__display_name", "user__email", "pk")
    for row in rows:
        people.setdefault(row.user_id, []).append(row)
    return [Member(roles[0].user, tuple(roles)) for roles in people.values()]
