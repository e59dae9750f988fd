"""The page that checks deals: what it knows of each hand, when, and for whom."""

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
from tests.games.dealing import SHARE, commit, get_prepared_hand, open_, view
from tests.games.helpers import after_due, fresh, make_match, shuffled_beforehand
from tests.protocol import valid
from tests.typed import sure

pytestmark = pytest.mark.django_db


def page(client: Client, match: Match) -> dict[str, Any]:
    """Return the data that the page holds for its script."""
    answer = client.get(reverse("games:fair", args=[match.public_id]))
    assert answer.status_code == 200
    return dict(valid("FairPage", answer.context["fair"]))


def states(client: Client, match: Match) -> list[tuple[int, str, bool]]:
    return [
        (hand["number"], hand["state"], hand["record"] is not None)
        for hand in page(client, match)["hands"]
    ]


@pytest.mark.parametrize(
    ("replays", "while_played", "after"),
    [
        ("hand", ("open", True), ("open", True)),
        ("over", ("hidden", False), ("open", True)),
        ("never", ("hidden", False), ("hidden", False)),
    ],
)
def test_a_hand_can_be_checked_when_its_record_is_open(
    client: Client, replays: str, while_played: tuple[str, bool], after: tuple[str, bool]
) -> None:
    match = make_match(replays=replays)
    assert states(client, match) == []
    services.play_out(services.start_match(match), hands=1)
    assert states(client, match) == [(1, *while_played)]
    services.tick(after_due(match, 0))
    assert states(client, match)[1:] == [(2, "hidden", False)], "it is being played"
    services.abandon_match(match, "Enough.")
    assert states(client, match)[0] == (1, *after)


@pytest.mark.parametrize("replays", ["hand", "over", "never"])
def test_the_page_and_records_agree_on_what_is_open(client: Client, replays: str) -> None:
    match = make_match(replays=replays)
    services.play_out(services.start_match(match), hands=1)
    services.redo_hand(services_dealt(match), "A card was shown.")
    for _ in range(2):
        for hand in page(client, match)["hands"]:
            address = reverse("games:record", args=[match.public_id, hand["number"]])
            answer = client.get(address)
            assert (answer.status_code == 200) == (hand["record"] is not None)
            assert hand["record"] in (None, address)
        if fresh(match).phase != "over":
            services.abandon_match(match, "Enough.")


def services_dealt(match: Match) -> Match:
    """With the next hand dealt."""
    services.tick(after_due(match, 0))
    return fresh(match)


def test_a_hand_that_was_dealt_again_is_called_void(client: Client) -> None:
    match = services.start_match(make_match(replays="hand"))
    services.redo_hand(match, "A card was shown.")
    assert states(client, match) == [(1, "void", True)]


def test_a_hand_that_was_never_dealt_opens_its_attempts_when_the_match_is_over(
    client: Client,
) -> None:
    match = make_match(share_seconds=5)
    commit(match, 0)
    commit(match, 1)
    services.start_match(match)
    open_(match, 0)
    services.tick(after_due(match, 0))
    assert states(client, match) == []
    services.abandon_match(match, "Enough.")
    (hand,) = page(client, match)["hands"]
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


def test_where_cards_stay_closed_no_attempt_is_opened_either(client: Client) -> None:
    match = make_match(replays="never")
    services.abandon_match(match, "Nobody came.")
    (hand,) = page(client, match)["hands"]
    assert (hand["state"], hand["attempts"]) == ("hidden", [])


@pytest.mark.parametrize(
    ("replays", "sentence"),
    [
        ("hand", "You can check a hand as soon as it’s over."),
        ("over", "You can check the hands once the match is over."),
        ("never", "The organizers keep this match’s cards hidden"),
    ],
)
def test_the_page_says_why_a_hand_cannot_be_checked(
    client: Client, replays: str, sentence: str
) -> None:
    match = services.start_match(make_match(replays=replays))
    text = client.get(reverse("games:fair", args=[match.public_id])).content.decode()
    assert sentence in text


def test_where_all_is_open_the_page_gives_no_reason(client: Client) -> None:
    match = make_match(people=2, hand_limit=1)
    services.play_out(services.start_match(match))
    answer = client.get(reverse("games:fair", args=[match.public_id]))
    assert answer.context["hidden"] == ""


def test_a_program_gets_what_the_page_knows_alone(client: Client) -> None:
    match = make_match(viewers="delayed", viewer_delay_seconds=600, replays="hand")
    services.play_out(services.start_match(match), hands=1)
    address = reverse("games:fair", args=[match.public_id])
    assert client.get(f"{address}?data").json() == page(client, match)
    client.force_login(sure(match.seats.get(number=0).user))
    assert client.get(f"{address}?data").json() == page(client, match)


def test_the_page_knows_whose_seat_it_is(client: Client) -> None:
    match = make_match()
    assert page(client, match)["you"] is None
    client.force_login(sure(match.seats.get(number=1).user))
    assert page(client, match)["you"] == 1


def test_a_viewer_who_waits_gets_no_hand_before_its_time(client: Client) -> None:
    match = make_match(viewers="delayed", viewer_delay_seconds=600, replays="hand")
    services.play_out(services.start_match(match), hands=1)
    assert states(client, match) == []
    client.force_login(sure(match.seats.get(number=0).user))
    assert states(client, match) == [(1, "open", True)]


def test_somebody_elses_practice_has_no_such_page(client: Client) -> None:
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
def test_a_stranger_gets_what_checks_a_deal_elsewhere(client: Client, name: str, kind: str) -> None:
    address = reverse("games:fair-file", args=[name])
    answer = client.get(address)
    assert answer["Content-Type"] == f"{kind}; charset=utf-8"
    assert answer.content == (settings.BASE_DIR / "docs" / name).read_bytes()
    match = services.start_match(make_match())
    page = client.get(reverse("games:fair", args=[match.public_id])).content.decode()
    assert f'href="{address}"' in page


@pytest.mark.parametrize("name", ["deploy.md", "..", "verify_deal.pyc", "%2e%2e%2fmanage.py"])
def test_nothing_else_is_given_away_there(client: Client, name: str) -> None:
    assert client.get(f"/fair/{name}").status_code == 404


def test_result_and_replay_lead_to_the_page(client: Client) -> None:
    match = make_match(hand_limit=1)
    services.play_out(services.start_match(match))
    address = reverse("games:fair", args=[match.public_id])
    for name, more in (("result", []), ("replay", [1])):
        shown = client.get(reverse(f"games:{name}", args=[match.public_id, *more]))
        assert f'href="{address}"' in shown.content.decode()
    assert view(match)["match"]["links"]["fair"] == address


# Records of old hands


def test_a_hand_of_old_has_a_record_of_its_version(client: Client) -> None:
    match = make_match(hand_limit=1)
    rules = rulesets.make(match.ruleset, match.options)
    hand = get_prepared_hand(match)
    hand.dealer = SeatNumber(0)
    shuffled_beforehand(hand, rules.pack.notations(rules.cards()))
    store.forget(match.pk)
    services.play_out(services.start_match(match))
    assert states(client, match) == [(1, "open", True)]
    exported = client.get(reverse("games:record", args=[match.public_id, 1])).json()
    assert (exported["format"], "fair" in exported) == ("hand-record/1", False)
