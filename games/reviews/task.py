"""Review of a finished match, requested once and computed in the background."""

from contextlib import suppress
from datetime import timedelta
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.json_values.reviewed import MatchReview, ReviewedHand
from games.models import Hand, LoggedAction, Match, Review
from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.process.next_django import task
from games.rules.bots.luck import HandReview, PlayedAction
from games.rules.ruleset import rulesets
from games.tables.playback import start_position
from games.tables.replay import shows_cards

QUEUE = "reviews"
# Interval at which the task saves its progress and checks that the match still exists.
PROGRESS_SECONDS = 1.0
# Matches that ended this recently are reviewed even if no one requests it.
RECENT = timedelta(days=1)
# Such reviews are requested only while fewer reviews than this are waiting.
MAX_RUNNING = 2
UNREQUESTED_PRIORITY = -10
# A review that has waited this long has probably lost its worker, so it is not counted.
LOST_AFTER = timedelta(hours=1)


class MatchDeletedError(Exception):
    """The match was deleted during its review."""


@transaction.atomic
def request_review(match: Match) -> Review:
    """Request a review of a match, unless it is complete or being computed.

    A failed review is requested again.

    Raises RefusedError with the code `not-over` or `no-cards`.
    """
    _check_reviewable(match)
    pending, created = _get_or_create_review(match)
    retried = Review.objects.filter(pk=pending.pk, failed=True).update(failed=False, done=0)
    if created or retried:
        review_match.enqueue(pending.pk)
    return pending


def request_recent_reviews() -> None:
    """Request reviews of matches that ended recently, newest first.

    Practice matches are left out, because they are reviewed only if a player requests it.
    """
    now = timezone.now()
    waiting = Review.objects.filter(answer__isnull=True, failed=False)
    running = waiting.filter(asked_at__gte=now - LOST_AFTER).count()
    for match in _find_unreviewed_matches().filter(ended_at__gte=now - RECENT)[
        : max(0, MAX_RUNNING - running)
    ]:
        # The match may be deleted at the same time.
        with suppress(IntegrityError), transaction.atomic():
            pending, created = _get_or_create_review(match)
            if created:
                review_match.using(priority=UNREQUESTED_PRIORITY).enqueue(pending.pk)


def _find_unreviewed_matches() -> QuerySet[Match]:
    """Return the matches that may be reviewed and have no review yet, newest first.

    Matches without a hand that counts are left out.
    """
    counts = Hand.objects.filter(match=OuterRef("pk"), points__isnull=False, void=False)
    over = Match.objects.filter(Exists(counts), phase=Match.Phase.OVER, practice=False)
    unreviewed = over.filter(review=None).exclude(replays=Match.Replays.NEVER)
    without_result = Q(ended=Match.MatchEnding.ABANDONED, goes_on=False)
    return unreviewed.exclude(without_result).order_by("-ended_at")


def _get_or_create_review(match: Match) -> tuple[Review, bool]:
    """Return the review of a match, and whether it is new."""
    actions = LoggedAction.objects.filter(hand__in=_find_reviewed_hands(match))
    return Review.objects.get_or_create(
        match=match, defaults={"total": actions.count(), "asked_at": timezone.now()}
    )


def _check_reviewable(match: Match) -> None:
    """Check that the match is over and its cards may be shown.

    During the match, a review could reveal the other players' cards.

    Raises RefusedError with not-over or no-cards.
    """
    if match.phase != Match.Phase.OVER:
        raise RefusedError(
            PlayCode.NOT_OVER, _("Once the match is over, you can see how much luck was involved.")
        )
    if not shows_cards(match):
        raise RefusedError(PlayCode.NO_CARDS, _("This match’s cards stay hidden."))


def _find_reviewed_hands(match: Match) -> QuerySet[Hand]:
    """Return the hands of the match that count."""
    return match.hands.filter(points__isnull=False, void=False).order_by("number")


@task(queue_name=QUEUE)
def review_match(pk: int) -> None:
    """Review the match, unless the review is complete or the match was deleted.

    If the stored match cannot be replayed, the review is marked as failed.
    """
    rows = Review.objects.filter(pk=pk, answer__isnull=True)
    pending = rows.select_related("match").first()
    if pending is None:
        return
    try:
        answer = _review_match(pending)
    except MatchDeletedError:
        return
    except Exception:
        rows.update(failed=True)
        raise
    rows.update(answer=answer.to_json(), done=pending.total, answered_at=timezone.now())


def _review_match(pending: Review) -> MatchReview:
    """Review all hands of the match, and regularly save the progress.

    Raises MatchDeletedError, or one of games.queries.REPLAY_ERRORS.
    """
    match, saved_at, done = pending.match, monotonic(), 0
    rules = rulesets.make(match.ruleset, match.options)
    hands_reviewed = []
    for hand in _find_reviewed_hands(match):
        review = _review_hand(hand, rules)
        for _step in review.steps():
            done += 1
            if monotonic() - saved_at > PROGRESS_SECONDS:
                saved_at = monotonic()
                _save_progress(pending, done)
        hands_reviewed.append(ReviewedHand.from_review(hand.number, hand.players, review))
    return MatchReview(hands_reviewed)


def _save_progress(review: Review, done: int) -> None:
    if not Review.objects.filter(pk=review.pk).update(done=done):
        raise MatchDeletedError


def _review_hand(hand: Hand, rules: rulesets.RuleSet) -> HandReview:
    """Return the review of the hand.

    The random generator is seeded with the hand's commitment, so the result is always the same.
    """
    actions = [
        PlayedAction(row.player, row.action, row.chance, row.at.timestamp())
        for row in hand.actions.order_by("number")
    ]
    return HandReview(start_position(hand, rules), actions, hand.commitment)
