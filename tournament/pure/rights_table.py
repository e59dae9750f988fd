"""Rights in an event, as one table of roles and actions.

Pages, downloads, sockets and services all call `may`. docs/running-an-event.md shows the table. A
person with several roles has the rights of all of them.
"""

from collections.abc import Collection

OWNER, DESK, SCORER = "owner", "desk", "scorer"
REFEREE, COMMENTATOR, VIEWER = "referee", "commentator", "viewer"
ROLES = (OWNER, DESK, SCORER, REFEREE, COMMENTATOR, VIEWER)

# All actions without an entry of their own: settings, rules, the cut, the winner and decisions
# during the event.
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
    # Actions that make changes.
    RUN: frozenset({OWNER}),
    "staff": frozenset({OWNER}),
    # Owners answer requests to a second organizer. Scorers may answer those about points.
    "confirm": frozenset({OWNER}),
    # The person who made the request may withdraw it.
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
    # This role sees everyone's cards, even if delayed, so it may do nothing else.
    "open_cards": frozenset({COMMENTATOR}),
}


def may(roles: Collection[str], action: str) -> bool:
    """Return whether any of these roles allows the action.

    An action without an entry is never allowed.
    """
    return bool(TABLE.get(action, frozenset()) & frozenset(roles))


def list_rights(roles: Collection[str]) -> dict[str, bool]:
    """Return for every action whether these roles allow it."""
    return {action: may(roles, action) for action in TABLE}
