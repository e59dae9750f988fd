"""Tests of the rights of each role, including a comparison with the documented table."""

import re
from pathlib import Path

import pytest

from tournament.pure.rights_table import (
    COMMENTATOR,
    DESK,
    OWNER,
    ROLES,
    TABLE,
    VIEWER,
    list_rights,
    may,
)

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "running-an-event.md"


def read_documented_rights() -> dict[str, frozenset[str]]:
    """Return the roles that have a "yes" in the documented table, for each action."""
    section = DOCUMENT.read_text().partition("\n## Roles\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if "|" in line]
    head = [cell.strip() for cell in rows[0]]
    table = {}
    for cells in rows[2:]:
        row = dict(zip(head, (cell.strip() for cell in cells), strict=True))
        (right,) = re.findall(r"`(\w+)`", row["right"])
        table[right] = frozenset(role for role in ROLES if row[role] == "yes")
    return table


def test_documented_rights_match_the_code() -> None:
    assert read_documented_rights() == TABLE


def test_owners_may_do_everything_except_see_open_cards() -> None:
    assert {right for right in TABLE if not may({OWNER}, right)} == {"open_cards"}


def test_viewer_has_no_right_to_make_changes() -> None:
    allowed = {right for right, yes in list_rights({VIEWER}).items() if yes}
    assert allowed == {"see", "see_people", "see_staff", "see_settings", "see_log"}


def test_several_roles_combine_their_rights() -> None:
    assert (may({DESK}, "open_cards"), may({DESK, COMMENTATOR}, "open_cards")) == (False, True)


@pytest.mark.parametrize("right", TABLE)
def test_user_without_a_role_has_no_rights(right: str) -> None:
    assert not may(set(), right)


def test_unlisted_action_is_denied_to_all_roles() -> None:
    assert not may(set(ROLES), "fly")
