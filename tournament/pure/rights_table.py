"""Rights in an event: the roles that allow each action.

Pages, downloads, sockets and services check rights with `may`. docs/running-an-event.md shows the
table. A person with several roles has the rights of all of them.
"""

from collections.abc import Collection

OWNER, DESK, SCORER = "owner", "desk", "scorer"
REFEREE, COMMENTATOR, VIEWER = "referee", "commentator", "viewer"
ROLES = (OWNER, DESK, SCORER, REFEREE, COMMENTATOR, VIEWER)

# All actions that are not listed separately: settings, rules, the cut, the winner and decisions
# during the event.
RUN = "run"
TABLE: dict[str, frozenset[str]] = {
    # View the desk, rounds, tables, standings and the bracket.
    "see": frozenset(ROLES),
    # View players with their email addresses, and the emails sent to them.
    "see_people": frozenset({OWNER, DESK, VIEWER}),
    # View roles, and requests that are waiting for a second organizer.
    "see_staff": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # View the settings and the rules.
    "see_settings": frozenset({OWNER, VIEWER}),
    # View the activity log.
    "see_log": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # The following actions make changes.
    RUN: frozenset({OWNER}),
    "staff": frozenset({OWNER}),
    # Answer requests to a second organizer. Scorers may also answer requests about points.
    "confirm": frozenset({OWNER}),
    # Confirm, refuse or withdraw a waiting request. The request itself may need another right.
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
    # Commentators see everyone's cards, with a delay. They may therefore do little else.
    "open_cards": frozenset({COMMENTATOR}),
}


def may(roles: Collection[str], action: str) -> bool:
    """Return whether any of these roles allows the action. Unknown actions are never allowed."""
    return bool(TABLE.get(action, frozenset()) & frozenset(roles))


def list_rights(roles: Collection[str]) -> dict[str, bool]:
    """Map every action to whether these roles allow it."""
    return {action: may(roles, action) for action in TABLE}
