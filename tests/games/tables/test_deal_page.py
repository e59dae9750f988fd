"""Tests of the page that checks deals: which data it contains, when, and for whom."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games import services, store
from games.models import Match
from games.rules.fair import deal as fair
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from tests.games.dealing import (
    SHARE,
    commit_to_share,
    get_current_view,
    get_prepared_hand,
    open_share,
)
from tests.games.helpers import get_time_after_due, make_match, reload, set_shuffled_deck
from tests.protocol import validate
from tests.typed import sure

pytestmark = pytest.mark.django_db


def get_page_data(client: Client, match: Match) -> dict[str, Any]:
    """Return the data that the page contains for its script."""
    answer = client.get(reverse("games:fair", args=[match.public_id]))
    assert answer.status_code == 200
    return dict(validate("FairPage", answer.context["fair"]))


def list_hand_states(client: Client, match: Match) -> list[tuple[int, str, bool]]:
    return [
        (hand["number"], hand["state"], hand["record"] is not None)
        for hand in get_page_data(client, match)["hands"]
    ]


@pytest.mark.parametrize(
    ("replays", "while_played", "after"),
    [
        ("hand", ("open", True), ("open", True)),
        ("over", ("hidden", False), ("open", True)),
        ("never", ("hidden", False), ("hidden", False)),
    ],
)
def test_hand_can_be_checked_once_its_record_is_open(
    client: Client, replays: str, while_played: tuple[str, bool], after: tuple[str, bool]
) -> None:
    match = make_match(replays=replays)
    assert list_hand_states(client, match) == []
    services.play_out(services.start_match(match), hands=1)
    assert list_hand_states(client, match) == [(1, *while_played)]
    services.tick(get_time_after_due(match, 0))
    assert list_hand_states(client, match)[1:] == [(2, "hidden", False)], "it is being played"
    services.abandon_match(match, "Enough.")
    assert list_hand_states(client, match)[0] == (1, *after)


@pytest.mark.parametrize("replays", ["hand", "over", "never"])
def test_page_links_to_exactly_the_records_that_are_available(client: Client, replays: str) -> None:
    match = make_match(replays=replays)
    services.play_out(services.start_match(match), hands=1)
    services.redo_hand(deal_next_hand(match), "A card was shown.")
    for _ in range(2):
        for hand in get_page_data(client, match)["hands"]:
            address = reverse("games:record", args=[match.public_id, hand["number"]])
            answer = client.get(address)
            assert (answer.status_code == 200) == (hand["record"] is not None)
            assert hand["record"] in (None, address)
        if reload(match).phase != "over":
            services.abandon_match(match, "Enough.")


def deal_next_hand(match: Match) -> Match:
    """Deal the next hand, and return the match."""
    services.tick(get_time_after_due(match, 0))
    return reload(match)


def test_redealt_hand_is_listed_as_void(client: Client) -> None:
    match = services.start_match(make_match(replays="hand"))
    services.redo_hand(match, "A card was shown.")
    assert list_hand_states(client, match) == [(1, "void", True)]


def test_attempts_of_an_undealt_hand_are_shown_after_the_match(
    client: Client,
) -> None:
    match = make_match(share_seconds=5)
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    services.start_match(match)
    open_share(match, 0)
    services.tick(get_time_after_due(match, 0))
    assert list_hand_states(client, match) == []
    services.abandon_match(match, "Enough.")
    (hand,) = get_page_data(client, match)["hands"]
    first, second = get_prepared_hand(match).deals.attempts
    assert (hand["state"], hand["record"]) == ("unused", None)
    assert [one["attempt"] for one in hand["attempts"]] == [1, 2]
    assert hand["attempts"][0]["shares"] == {"0": SHARE}
    assert hand["attempts"][1] == {
        "attempt": 2,
        "server": second.commitment,
        "list": None,
        "secret": second.secret.hex(),
        "shares": {},
        "let_go": [],
    }
    draw = fair.DealKey(match.public_id, 1, 1)
    assert fair.secret_commitment(draw, first.secret) == hand["attempts"][0]["server"]


def test_attempts_are_hidden_if_cards_are_hidden(client: Client) -> None:
    match = make_match(replays="never")
    services.abandon_match(match, "Nobody came.")
    (hand,) = get_page_data(client, match)["hands"]
    assert (hand["state"], hand["attempts"]) == ("hidden", [])


@pytest.mark.parametrize(
    ("replays", "sentence"),
    [
        ("hand", "You can check a hand as soon as it’s over."),
        ("over", "You can check the hands once the match is over."),
        ("never", "The organizers keep this match’s cards hidden"),
    ],
)
def test_page_explains_why_a_hand_cannot_be_checked(
    client: Client, replays: str, sentence: str
) -> None:
    match = services.start_match(make_match(replays=replays))
    text = client.get(reverse("games:fair", args=[match.public_id])).content.decode()
    assert sentence in text


def test_page_explains_nothing_if_all_hands_can_be_checked(client: Client) -> None:
    match = make_match(people=2, hand_limit=1)
    services.play_out(services.start_match(match))
    answer = client.get(reverse("games:fair", args=[match.public_id]))
    assert answer.context["hidden"] == ""


def test_data_endpoint_returns_the_same_data_as_the_page(client: Client) -> None:
    match = make_match(viewers="delayed", viewer_delay_seconds=600, replays="hand")
    services.play_out(services.start_match(match), hands=1)
    address = reverse("games:fair", args=[match.public_id])
    assert client.get(f"{address}?data").json() == get_page_data(client, match)
    client.force_login(sure(match.seats.get(number=0).user))
    assert client.get(f"{address}?data").json() == get_page_data(client, match)


def test_page_data_contains_the_readers_seat(client: Client) -> None:
    match = make_match()
    assert get_page_data(client, match)["you"] is None
    client.force_login(sure(match.seats.get(number=1).user))
    assert get_page_data(client, match)["you"] == 1


def test_delayed_viewer_cannot_check_a_hand_early(client: Client) -> None:
    match = make_match(viewers="delayed", viewer_delay_seconds=600, replays="hand")
    services.play_out(services.start_match(match), hands=1)
    assert list_hand_states(client, match) == []
    client.force_login(sure(match.seats.get(number=0).user))
    assert list_hand_states(client, match) == [(1, "open", True)]


def test_deal_page_of_another_players_practice_is_not_found(client: Client) -> None:
    match = services.start_practice(sure(make_match().seats.get(number=0).user), "ocho", 2)
    assert client.get(reverse("games:fair", args=[match.public_id])).status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("verify_deal.py", "text/x-python"),
        ("verify_match.py", "text/x-python"),
        ("fair-deal.md", "text/markdown"),
        ("hand-record.md", "text/markdown"),
    ],
)
def test_anonymous_visitor_can_download_the_deal_checker(
    client: Client, name: str, kind: str
) -> None:
    address = reverse("games:fair-file", args=[name])
    answer = client.get(address)
    assert answer["Content-Type"] == f"{kind}; charset=utf-8"
    assert answer.content == (settings.BASE_DIR / "docs" / name).read_bytes()
    match = services.start_match(make_match())
    page = client.get(reverse("games:fair", args=[match.public_id])).content.decode()
    assert f'href="{address}"' in page


@pytest.mark.parametrize("name", ["deploy.md", "..", "verify_deal.pyc", "%2e%2e%2fmanage.py"])
def test_other_files_cannot_be_downloaded(client: Client, name: str) -> None:
    assert client.get(f"/fair/{name}").status_code == 404


def test_result_and_replay_link_to_the_page(client: Client) -> None:
    match = make_match(hand_limit=1)
    services.play_out(services.start_match(match))
    address = reverse("games:fair", args=[match.public_id])
    for name, more in (("result", []), ("replay", [1])):
        shown = client.get(reverse(f"games:{name}", args=[match.public_id, *more]))
        assert f'href="{address}"' in shown.content.decode()
    assert get_current_view(match)["match"]["links"]["fair"] == address


# Records of old hands


def test_record_of_an_old_hand_has_the_old_format(client: Client) -> None:
    match = make_match(hand_limit=1)
    rules = rulesets.make(match.ruleset, match.options)
    hand = get_prepared_hand(match)
    hand.dealer = SeatNumber(0)
    set_shuffled_deck(hand, rules.pack.notations(rules.cards()))
    store.forget(match.pk)
    services.play_out(services.start_match(match))
    assert list_hand_states(client, match) == [(1, "open", True)]
    exported = client.get(reverse("games:record", args=[match.public_id, 1])).json()
    assert (exported["format"], "fair" in exported) == ("hand-record/1", False)
