"""Tests of the page "Was it luck?": access, requests, progress and results."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import store
from games.models import Match, Review
from tests.factories import make_user
from tests.games.helpers import make_match
from tests.games.reviewing import (
    MOVES,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.typed import Response, sure

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_deals")]


def get_review_address(match: Match) -> str:
    return reverse("games:review", args=[match.public_id])


def request_review(client: Client, match: Match, origin: str = "http://testserver") -> Response:
    return client.post(get_review_address(match), headers={"origin": origin})


def read_page(client: Client, match: Match, part: str = "") -> str:
    return client.get(get_review_address(match) + part).content.decode()


def test_visitor_can_request_a_review_and_see_the_result(client: Client) -> None:
    match = play_short_match()
    assert "Find out</button>" in read_page(client, match)
    answer = request_review(client, match)
    assert (answer.status_code, answer["Location"]) == (302, get_review_address(match))
    found = read_page(client, match)
    assert "Find out</button>" not in found
    assert found.count("<polyline") == 2
    assert "The whole match" in found
    assert not client.cookies


def test_page_shows_progress_while_the_review_runs(client: Client) -> None:
    match = play_short_match()
    Review.objects.create(match=match, total=30, asked_at=timezone.now())
    assert "Waiting in the queue." in read_page(client, match)
    Review.objects.update(done=12)
    part = read_page(client, match, "?part")
    assert part.lstrip().startswith('<div class="panel call" data-runs role="status">')
    assert "12 of 30 moves" in part
    assert '<progress value="12" max="30">' in part


def test_failed_review_can_be_requested_again(client: Client) -> None:
    match = play_short_match()
    Review.objects.create(match=match, total=3, failed=True, asked_at=timezone.now())
    assert (
        "The chances couldn’t be calculated because the stored match can’t be replayed."
        in read_page(client, match)
    )
    request_review(client, match)
    assert "The whole match" in read_page(client, match)


def test_decisions_link_to_their_replay_step(client: Client) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    found = read_page(client, match)
    assert f'href="/m/{match.public_id}/hands/1/?step=1"' in found
    assert "Better: Red 2." in found
    assert "+10 percentage points (± 2)" in found


def test_hand_without_mistakes_is_marked(client: Client) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand())
    assert "No clear mistakes." in read_page(client, match)


def test_player_reads_about_their_own_decisions(client: Client) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    assert "Your costliest decisions" not in read_page(client, match)
    client.force_login(sure(match.seats.get(number=1).user))
    assert "Your costliest decisions" in read_page(client, match)


def test_result_and_replay_link_to_the_review(client: Client) -> None:
    match = play_short_match()
    pages = [
        reverse("games:result", args=[match.public_id]),
        reverse("games:replay", args=[match.public_id, 1]),
    ]
    for page in pages:
        assert f'href="{get_review_address(match)}' in client.get(page).content.decode()


@pytest.mark.parametrize("fields", [{"replays": "never"}, {"viewers_until": True}])
def test_hidden_replay_has_no_review(client: Client, fields: dict[str, object]) -> None:
    if fields.get("viewers_until"):
        fields = {"viewers_until": timezone.now()}
    match = play_short_match(**fields)
    assert [
        client.get(get_review_address(match)).status_code,
        request_review(client, match).status_code,
    ] == [404, 404]
    assert not Review.objects.exists()


def test_running_match_has_no_review(client: Client) -> None:
    match = make_match(replays="hand")
    client.force_login(sure(match.seats.get(number=0).user))
    assert [
        client.get(get_review_address(match)).status_code,
        request_review(client, match).status_code,
    ] == [404, 404]


def test_practice_review_is_hidden_from_other_players(client: Client) -> None:
    match = play_short_match(practice=True)
    assert client.get(get_review_address(match)).status_code == 404
    client.force_login(make_user("Somebody else"))
    assert client.get(get_review_address(match)).status_code == 404
    client.force_login(sure(match.seats.get(number=0).user))
    assert client.get(get_review_address(match)).status_code == 200


def test_other_sites_cannot_request_a_review(client: Client) -> None:
    match = play_short_match()
    assert request_review(client, match, origin="http://elsewhere.example").status_code == 403
    assert not Review.objects.exists()


def test_guest_can_review_their_own_practice() -> None:
    match = play_short_match(practice=True)
    match.seats.filter(number=0).update(user=None, guest="a-key")
    store.forget(match.pk)
    client = Client(enforce_csrf_checks=True)
    session = client.session
    session["guest"] = "a-key"
    session.save()
    assert request_review(client, match).status_code == 302
    assert "Your costliest decisions" in read_page(client, match)
    assert client.get(get_review_address(play_short_match(practice=True))).status_code == 404


def test_review_and_result_begin_with_a_summary(client: Client) -> None:
    match = play_short_match()
    result = reverse("games:result", args=[match.public_id])
    assert 'class="in-short"' not in client.get(result).content.decode()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    sentence = (
        f"Luck was worth +0.6 hands to {match.seats.all()[0].said}. No one’s play was clearly"
    )
    assert f'<p class="in-short">{sentence}' in read_page(client, match)
    shown = client.get(result).content.decode()
    assert f'<p class="in-short">{sentence}' in shown
    assert shown.count(f'href="{get_review_address(match)}"') == 1


def test_figures_have_units(client: Client) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    found = read_page(client, match)
    for figure in ("+0.60 hands", "+0.12 hands", "+0.48 hands", "−0.10 hands", "0.04 hands"):
        assert figure in found
    assert '<td class="number">−10 ± 4 <small class="unit">%</small></td>' in found


def test_replay_shows_win_chances_only_if_cards_are_visible(client: Client) -> None:
    for fields, message in (({}, True), ({"replays": "never"}, False)):
        match = play_short_match(**fields)
        store_completed_review(match, make_reviewed_hand(*MOVES))
        page = client.get(reverse("games:replay", args=[match.public_id, 1])).content.decode()
        assert ("Better: Red 2 (+10 percentage points" in page) == message
        assert ("chances-field" in page) == message
