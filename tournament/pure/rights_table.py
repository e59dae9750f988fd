"""Rights in an event: one table of role × deed, as shown in docs/running-an-event.md.

Pages, their actions, downloads, sockets and services call `may`. No other code knows the
rights of a role. A person with several roles in an event has the rights of all of them.
"""

from collections.abc import Collection

OWNER, DESK, SCORER = "owner", "desk", "scorer"
REFEREE, COMMENTATOR, VIEWER = "referee", "commentator", "viewer"
ROLES = (OWNER, DESK, SCORER, REFEREE, COMMENTATOR, VIEWER)

# Covers everything without a row of its own: settings, rules, the cut, the winner and decisions
# on the day.
RUN = "run"
TABLE: dict[str, frozenset[str]] = {
    # To look at: the desk, rounds, tables, standings, the bracket …
    "see": frozenset(ROLES),
    # … who takes part, with addresses, and the mails to them,
    "see_people": frozenset({OWNER, DESK, VIEWER}),
    # … who has which role, and what waits for a second person,
    "see_staff": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # … the settings and the rules,
    "see_settings": frozenset({OWNER, VIEWER}),
    # … the log.
    "see_log": frozenset({OWNER, DESK, SCORER, REFEREE, VIEWER}),
    # To do.
    RUN: frozenset({OWNER}),
    "staff": frozenset({OWNER}),
    # Owners answer steps that wait for a second person; scorers also answer entries of points …
    "confirm": frozenset({OWNER}),
    # … and the person who asked can withdraw them.
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
    # A role that shows everyone's cards, even delayed, may do nothing but watch.
    "open_cards": frozenset({COMMENTATOR}),
}


def may(roles: Collection[str], deed: str) -> bool:
    """Return whether one of these roles allows the deed.

    A deed without a row is never allowed.
    """
    return bool(TABLE.get(deed, frozenset()) & frozenset(roles))


def list_rights(roles: Collection[str]) -> dict[str, bool]:
    """Return, for every deed, whether these roles allow it."""
    return {deed: may(roles, deed) for deed in TABLE}
