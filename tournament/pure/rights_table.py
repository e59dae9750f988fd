"""Rights in an event: one table of roles and actions, as shown in docs/running-an-event.md.

Pages, their actions, downloads, sockets and services call `may`. No other code knows the rights of
a role. A person with several roles in an event has the rights of all of them.
"""

from collections.abc import Collection

OWNER, DESK, SCORER = "owner", "desk", "scorer"
REFEREE, COMMENTATOR, VIEWER = "referee", "commentator", "viewer"
ROLES = (OWNER, DESK, SCORER, REFEREE, COMMENTATOR, VIEWER)

# All actions without a row of their own: settings, rules, the cut, the winner and decisions during
# the event.
RUN = "run"
TABLE: dict[str, frozenset[str]] = {
    # View the desk, rounds, tables, standings and the bracket.
    "see": frozenset(ROLES),
    # View players with their addresses, and the emails to them.
    "see_people": frozenset({OWNER, DESK, VIEWER}),
    # View roles, and requests that are waiting for a second organizer.
    "see_staff": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # View the settings and the rules.
    "see_settings": frozenset({OWNER, VIEWER}),
    # View the log.
    "see_log": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # Actions that change something
    RUN: frozenset({OWNER}),
    "staff": frozenset({OWNER}),
    # Owners answer requests that are waiting for a second organizer. Scorers also answer entries of
    # points.
    "confirm": frozenset({OWNER}),
    # The requester can also withdraw a request.
    "answer": frozenset({OWNER, DESK, SCORER, REFEREE}),
    "export": frozenset({OWNER}),
    "seats": frozenset({OWNER}),
    "list": frozenset({OWNER, DESK}),
    "registrations": frozenset({OWNER, DESK}),
    "sign_in": frozenset({OWNER, DESK}),
    "results": frozenset({OWNER, SCORER}),
    "tables": frozenset({OWNER, REFEREE}),
    "rulings": frozenset({OWNER, DESK, REFEREE}),
    "messages": frozenset({OWNER, DESK, REFEREE}),
    # A role that sees everyone's cards, even with a delay, may only watch.
    "open_cards": frozenset({COMMENTATOR}),
}


def may(roles: Collection[str], action: str) -> bool:
    """Return whether one of these roles allows the action.

    An action without a row is never allowed.
    """
    return bool(TABLE.get(action, frozenset()) & frozenset(roles))


def list_rights(roles: Collection[str]) -> dict[str, bool]:
    """Return, for every action, whether these roles allow it."""
    return {action: may(roles, action) for action in TABLE}
