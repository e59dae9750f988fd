"""Tests that admin pages show matches but no hidden cards."""

import pytest
from django.test import Client
from django.urls import reverse

from games import services
from games.models import Hand, LoggedAction, Match
from tests.factories import make_user
from tests.games.dealing import (
    SHARE,
    commit_to_share,
    get_prepared_hand,
    make_commitment,
    open_share,
)
from tests.games.helpers import act, begin, make_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def superuser_client(client: Client) -> Client:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    return client


def make_objects() -> dict[str, Match | Hand | LoggedAction]:
    match = begin(["R1 R2 BR", "R3 R4 BS"], "R5", "B+2")
    act(match, 0, {"play": "R1"})
    hand = match.hands.get()
    return {"match": match, "hand": hand, "loggedaction": hand.actions.get()}


@pytest.mark.parametrize("name", ["match", "hand", "loggedaction"])
def test_admin_lists_and_pages_show_no_hidden_card(superuser_client: Client, name: str) -> None:
    shown = make_objects()[name]
    for page in (
        reverse(f"admin:games_{name}_changelist"),
        reverse(f"admin:games_{name}_change", args=[shown.pk]),
    ):
        answer = superuser_client.get(page)
        assert answer.status_code == 200
        for hidden in ("R2", "R4", "BR", "BS", "B+2"):
            assert f"{hidden}&quot;" not in answer.content.decode()
            assert f"&#x27;{hidden}" not in answer.content.decode()


@pytest.mark.parametrize(
    "question",
    [
        "match/?state__icontains=BR",
        "match/?race__icontains=x",
        "hand/?deck__icontains=BS",
        "hand/?nonce__startswith=a",
        "hand/?deals__icontains=a",
        "hand/?deals__attempts__0__secret__startswith=a",
        "match/?hands__deals__icontains=a",
        "hand/?match__state__icontains=BR",
        "loggedaction/?events__icontains=R2",
        "loggedaction/?chance__icontains=R2",
    ],
)
def test_admin_urls_cannot_filter_by_hidden_cards(superuser_client: Client, question: str) -> None:
    make_objects()
    admin = reverse("admin:app_list", args=["games"])
    assert superuser_client.get(f"{admin}{question}").status_code == 400
    assert superuser_client.get(f"{admin}match/?phase__exact=playing").status_code == 200
    assert superuser_client.get(f"{admin}hand/?void__exact=0").status_code == 200


def test_admin_shows_commitments_without_secrets_or_shares(superuser_client: Client) -> None:
    match = make_match()
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    services.start_match(match)
    open_share(match, 0)
    hand = get_prepared_hand(match)
    for page in (
        reverse("admin:games_match_change", args=[match.pk]),
        reverse("admin:games_hand_change", args=[hand.pk]),
        reverse("admin:games_hand_changelist"),
    ):
        shown = superuser_client.get(page).content.decode()
        assert (hand.commitment in shown) == page.endswith("/change/")
        for hidden in (hand.deals.current.secret.hex(), SHARE, make_commitment(match, 1)):
            assert hidden not in shown


@pytest.mark.parametrize("name", ["match", "hand", "loggedaction"])
def test_admin_is_read_only(superuser_client: Client, name: str) -> None:
    shown = make_objects()[name]
    change = reverse(f"admin:games_{name}_change", args=[shown.pk])
    assert superuser_client.get(reverse(f"admin:games_{name}_add")).status_code == 403
    assert superuser_client.post(change, {"number": 9}).status_code == 403
    assert (
        superuser_client.post(reverse(f"admin:games_{name}_delete", args=[shown.pk])).status_code
        == 403
    )


@pytest.mark.parametrize("viewers", ["delayed", "hand"])
def test_delayed_moves_have_no_admin_page_until_the_hand_ends(
    superuser_client: Client, viewers: str
) -> None:
    match = begin(["R1 R2 BR", "R3 R4 BS"], "R5", viewers=viewers)
    act(match, 0, {"play": "R1"})
    action = match.hands.get().actions.get()
    page = reverse("admin:games_loggedaction_change", args=[action.pk])
    assert superuser_client.get(page).status_code == 302
    services.abandon_match(match, "Looked at.")
    assert superuser_client.get(page).status_code == 200
