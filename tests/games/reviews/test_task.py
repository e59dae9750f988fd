"""Tests of the worker's reviews of finished matches."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games import services
from games.json_values.reviewed import MatchReview
from games.models import Match, Review
from games.reviews import task as reviewing
from games.reviews.task import request_recent_reviews, request_review, review_match
from games.rules.bots import luck
from tests.games.helpers import act, begin, reload
from tests.games.reviewing import play_short_match
from tests.typed import sure
from tournament.settings import TASKS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_deals"), pytest.mark.sql]


def begin_running_match(**fields: Any) -> Match:
    match = begin(["R1 R2", "R3 G9"], "R5", **fields)
    act(match, 0, {"play": "R1", "uno": True})
    return reload(match)


@pytest.fixture
def enqueued_matches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Provide the list of matches enqueued for review. No worker processes them."""
    enqueued: list[int] = []
    monkeypatch.setattr(reviewing.review_match.__class__, "enqueue", _record_match(enqueued))
    return enqueued


def _record_match(recorded: list[int]) -> Callable[[object, int], None]:
    return lambda _task, pk: recorded.append(pk)


def test_finished_match_is_reviewed_hand_by_hand() -> None:
    asked = request_review(play_short_match())
    asked.refresh_from_db()
    found = MatchReview.from_json(sure(asked.answer))
    [hand] = found.hands
    assert (hand.number, hand.players) == (1, [0, 1])
    assert [account.won for account in hand.accounts] == [1.0, 0.0]
    assert [len(account.curve) for account in hand.accounts] == [4, 4]
    assert (asked.done, asked.total, asked.failed, asked.is_pending) == (3, 3, False, False)
    assert sure(asked.answered_at) >= asked.asked_at


def test_review_is_enqueued_once(enqueued_matches: list[int]) -> None:
    match = play_short_match()
    first, again = request_review(match), request_review(match)
    assert (first.pk, first.is_pending) == (again.pk, True)
    assert enqueued_matches == [first.pk]


def test_finished_review_is_not_repeated() -> None:
    asked = request_review(play_short_match())
    Review.objects.update(answered_at=None)
    review_match.call(asked.pk)
    assert Review.objects.get().answered_at is None


def test_all_requests_get_the_same_review() -> None:
    match = play_short_match()
    request_review(match)
    first = Review.objects.get().answer
    Review.objects.all().delete()
    request_review(match)
    assert Review.objects.get().answer == first


def test_running_match_is_not_reviewed() -> None:
    with pytest.raises(services.RefusedError) as refused:
        request_review(begin_running_match(replays="hand"))
    assert refused.value.code == "not-over"
    assert not Review.objects.exists()


def test_match_with_hidden_cards_is_not_reviewed() -> None:
    with pytest.raises(services.RefusedError) as refused:
        request_review(play_short_match(replays="never"))
    assert refused.value.code == "no-cards"


def test_void_and_unfinished_hands_are_left_out() -> None:
    match = begin_running_match(hand_limit=2)
    services.redo_hand(match, "A card fell.")
    services.abandon_match(reload(match), "Time.")
    asked = request_review(reload(match))
    asked.refresh_from_db()
    assert (asked.total, sure(asked.answer)["hands"]) == (0, [])


def test_unreplayable_match_fails_and_can_be_retried() -> None:
    match = play_short_match()
    hand = match.hands.get()
    deck = hand.deck
    match.hands.update(deck=deck[::-1])
    asked = request_review(match)
    asked.refresh_from_db()
    assert (asked.failed, asked.answer, asked.is_pending) == (True, None, False)
    match.hands.update(deck=deck)
    request_review(match)
    asked.refresh_from_db()
    assert (asked.failed, asked.done, asked.answer is None) == (False, 3, False)


def test_review_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "PROGRESS_SECONDS", -1.0)
    seen: list[int] = []
    steps = luck.HandReview.steps

    def record_progress(work: luck.HandReview) -> Iterator[int]:
        for done in steps(work):
            seen.append(Review.objects.get().done)
            yield done

    monkeypatch.setattr(luck.HandReview, "steps", record_progress)
    request_review(play_short_match())
    assert seen == [0, 1, 2]


def test_review_of_a_deleted_match_is_dropped(
    monkeypatch: pytest.MonkeyPatch, enqueued_matches: list[int]
) -> None:
    monkeypatch.setattr(reviewing, "PROGRESS_SECONDS", -1.0)
    asked = request_review(play_short_match())
    save_progress = reviewing._save_progress

    def delete_then_save(row: Review, progress: int) -> None:
        Review.objects.all().delete()
        save_progress(row, progress)

    monkeypatch.setattr(reviewing, "_save_progress", delete_then_save)
    review_match.call(asked.pk)
    assert not Review.objects.exists()
    review_match.call(asked.pk)


def test_review_is_named_after_its_match() -> None:
    match = play_short_match(title="Final")
    asked = Review(match=match, total=3, asked_at=timezone.now())
    assert str(asked) == "Final"


# --- reviews without a request


def list_reviewed_matches() -> set[int]:
    return set(Review.objects.values_list("match", flat=True))


def backdate_end(match: Match, **since: float) -> Match:
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - timedelta(**since))
    return reload(match)


def test_ended_match_is_reviewed_automatically() -> None:
    match = play_short_match()
    request_recent_reviews()
    asked = Review.objects.get()
    assert (asked.match, asked.is_pending, asked.done) == (match, False, 3)
    request_recent_reviews()
    assert Review.objects.get() == asked


def test_automatic_reviews_cover_only_recent_reviewable_matches() -> None:
    closed, practice, old = (
        play_short_match(replays="never"),
        play_short_match(practice=True),
        backdate_end(play_short_match(), hours=25),
    )
    services.abandon_match(begin_running_match(hand_limit=2), "Time.")
    begin_running_match(replays="hand")
    request_recent_reviews()
    assert list_reviewed_matches() == set()
    for match in (practice, old):
        request_review(match)
    assert closed.pk not in list_reviewed_matches() == {practice.pk, old.pk}


def test_abandoned_match_continued_elsewhere_is_reviewed() -> None:
    match = play_short_match()
    Match.objects.update(ended=Match.MatchEnding.ABANDONED, goes_on=True)
    request_recent_reviews()
    assert list_reviewed_matches() == {match.pk}


def test_at_most_two_automatic_reviews_wait_newest_first(enqueued_matches: list[int]) -> None:
    first, second, third = (
        backdate_end(play_short_match(), minutes=minutes) for minutes in (30, 20, 10)
    )
    request_recent_reviews()
    request_recent_reviews()
    assert list_reviewed_matches() == {second.pk, third.pk}
    Review.objects.filter(match=third).update(failed=True)
    request_recent_reviews()
    assert list_reviewed_matches() == {first.pk, second.pk, third.pk}
    assert len(enqueued_matches) == 3


def test_lost_reviews_do_not_block_new_ones(enqueued_matches: list[int]) -> None:
    matches = [backdate_end(play_short_match(), minutes=minutes) for minutes in (30, 20, 10)]
    request_recent_reviews()
    Review.objects.update(asked_at=timezone.now() - timedelta(minutes=61))
    request_recent_reviews()
    assert list_reviewed_matches() == {match.pk for match in matches}


def test_requested_reviews_run_before_automatic_ones(settings: Settings) -> None:
    settings.TASKS = TASKS
    play_short_match()
    request_recent_reviews()
    asked = request_review(play_short_match(practice=True))
    waiting = [(task.args_kwargs["args"], task.priority) for task in DBTaskResult.objects.ready()]
    unasked = Review.objects.exclude(pk=asked.pk).get()
    assert waiting == [([asked.pk], 0), ([unasked.pk], -10)]


def test_deleted_match_does_not_stop_other_automatic_reviews(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, deleted = backdate_end(play_short_match(), minutes=20), play_short_match()
    get_or_create = reviewing._get_or_create_review

    def fail_for_deleted(match: Match) -> tuple[Review, bool]:
        if match == deleted:
            raise IntegrityError
        return get_or_create(match)

    monkeypatch.setattr(reviewing, "_get_or_create_review", fail_for_deleted)
    request_recent_reviews()
    assert list_reviewed_matches() == {kept.pk}
