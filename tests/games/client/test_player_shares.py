"""Tests of a client's part in fair deals: its messages, and the faults that it detects.

Some tests change the client's view, as a dishonest server could.
"""

import copy
from collections.abc import Iterator
from typing import Any, cast

import pytest

from games import services
from games.client.shares import Shares
from games.models import Match
from games.protocol import TableView
from games.rules.fair.deal import ShareList
from tests.games.dealing import get_current_view, get_deal_facts, send_requested_messages
from tests.games.helpers import get_time_after_due, make_match, reload

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return make_match(share_seconds=5)


@pytest.fixture
def shares() -> Shares:
    return Shares()


def close_share_list(match: Match, shares: Shares) -> TableView:
    """Let both seats commit, seat 0 with `shares`, and return the view with the closed list."""
    seats = {0: shares, 1: Shares()}
    send_requested_messages(match, seats)
    services.start_match(match)
    return get_current_view(match)


def change_share_list(table_view: TableView, **changes: Any) -> TableView:
    """Return a copy of the view with changes to the deal's list."""
    table_view = copy.deepcopy(table_view)
    cast(dict[str, Any], table_view["deal"])["list"].update(changes)
    return table_view


def list_required_messages(shares: Shares, table_view: TableView) -> list[Any]:
    return list(shares.messages_for(table_view))


def test_repeated_views_produce_the_same_commitment(match: Match, shares: Shares) -> None:
    first, second = (
        list_required_messages(shares, get_current_view(match)),
        list_required_messages(shares, get_current_view(match)),
    )
    assert first == second
    assert [message["type"] for message in first] == ["commit"]


def test_each_deal_has_a_separate_share(match: Match, shares: Shares) -> None:
    list_required_messages(shares, get_current_view(match))
    list_required_messages(shares, get_current_view(make_match()))
    assert len(set(shares.kept.values())) == 2


def test_share_is_opened_for_a_list_that_contains_it(match: Match, shares: Shares) -> None:
    shown = close_share_list(match, shares)
    (message,) = list_required_messages(shares, shown)
    assert message == {
        "type": "open",
        "id": "open-1-1",
        "hand": 1,
        "attempt": 1,
        "list": ShareList.from_json(get_deal_facts(match)["list"]).digest().hex(),
        "share": next(iter(shares.kept.values())).hex(),
    }
    assert list_required_messages(shares, shown) == [message], (
        "the same view leads to the same message"
    )
    assert shares.complaints == []


def test_share_missing_from_the_list_is_reported_and_not_opened(
    match: Match, shares: Shares
) -> None:
    shown = close_share_list(match, shares)
    seats = [{"seat": 0, "why": "none"}, *get_deal_facts(match)["list"]["seats"][1:]]  # type: ignore[index]
    assert list_required_messages(shares, change_share_list(shown, seats=seats)) == []
    assert shares.complaints == ["Hand 1, attempt 1: This seat’s share was left out of the list."]


def test_late_commitment_is_not_reported(match: Match, shares: Shares) -> None:
    list_required_messages(
        shares, get_current_view(match)
    )  # sent before the list is closed, received afterwards
    send_requested_messages(match, {1: Shares()})
    services.start_match(match)
    services.tick(get_time_after_due(match, 0))
    assert list_required_messages(shares, get_current_view(match)) == []
    assert shares.complaints == []


@pytest.mark.parametrize(
    "changes", [{"server": "ab" * 32}, {"hand": 2}, {"attempt": 2}, {"match": "another"}]
)
def test_share_is_not_opened_for_another_deal_or_server(
    match: Match, shares: Shares, changes: dict[str, Any]
) -> None:
    assert (
        list_required_messages(
            shares, change_share_list(close_share_list(match, shares), **changes)
        )
        == []
    )
    assert shares.complaints == [
        "Hand 1, attempt 1: The list is for another deal, or has another commitment of the server."
    ]


def test_share_is_not_opened_for_a_second_list(match: Match, shares: Shares) -> None:
    shown = close_share_list(match, shares)
    list_required_messages(shares, shown)
    seats = [*get_deal_facts(match)["list"]["seats"][:1], {"seat": 1, "why": "none"}]  # type: ignore[index]
    assert list_required_messages(shares, change_share_list(shown, seats=seats)) == []
    assert shares.complaints == ["Hand 1, attempt 1: There are two lists for this deal."]


@pytest.mark.parametrize("dealt", [{}, {"0": "ab" * 32}])
def test_missing_or_changed_share_in_the_deal_is_reported(
    match: Match, shares: Shares, dealt: dict[str, str]
) -> None:
    shown = close_share_list(match, shares)
    list_required_messages(shares, shown)
    cast(dict[str, Any], shown["deal"]).update(step="dealt", shares=dealt)
    assert list_required_messages(shares, shown) == []
    assert shares.complaints == [
        "Hand 1, attempt 1: The deal does not include this seat’s share unchanged."
    ]


def test_no_complaint_is_made_about_an_honest_deal(match: Match, shares: Shares) -> None:
    seats = {0: shares, 1: Shares()}
    send_requested_messages(match, seats)
    services.start_match(match)
    send_requested_messages(match, seats)
    assert reload(match).phase == "playing"
    send_requested_messages(match, seats)
    assert shares.complaints == []


def yield_views_without_open_deals(match: Match) -> Iterator[TableView]:
    yield get_current_view(match, None)
    yield get_current_view(services.start_match(match))


def test_viewers_and_hands_in_play_need_no_share(shares: Shares) -> None:
    match = make_match()
    assert [
        list_required_messages(shares, shown) for shown in yield_views_without_open_deals(match)
    ] == [
        [],
        [],
    ]
