"""Tests of emails about seats: one to each player, and another if their seat changes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.factories import make_event, make_organizer, make_players
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import make_stage, organizer_of, published_round
from tournament.mail.deliveries import mail_counts
from tournament.models import Letter, Registration, Round
from tournament.models.people import NO_MAILBOX
from tournament.seating.changes import change_seats
from tournament.seating.mails import mail_seats
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round, unpublish_round

pytestmark = pytest.mark.django_db

PAGE = "https://cup.example/e/cup/my-table/"


CallAndCommit = Callable[..., Any]


@pytest.fixture
def call_and_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> CallAndCommit:
    """Provide a function that calls a service and then runs its on-commit callbacks."""

    def call(service: Callable[..., Any], *args: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return service(*args)

    return call


@pytest.fixture
def two_table_round() -> Round:
    """Create a published round with eight players at two tables."""
    return published_round(8, title="Cup")


def list_mailed_seats(round_: Round) -> list[tuple[str, str]]:
    """Return the recipients of the round's emails, with the seat named in each email."""
    return list(Letter.objects.filter(round=round_).order_by("pk").values_list("name", "chair"))


def list_drawn_seats(round_: Round) -> list[tuple[str, str]]:
    rows = Registration.objects.filter(seats__table__round=round_)
    rows = rows.order_by("seats__table__number", "seats__number")
    return [(r.name, f"{n // 4 + 1}:{n % 4 + 1}") for n, r in enumerate(rows)]


def test_each_player_is_mailed_their_table_and_seat_once(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    actor = organizer_of(two_table_round.stage.event)
    assert call_and_commit(mail_seats, two_table_round, actor, PAGE) == 8
    assert list_mailed_seats(two_table_round) == list_drawn_seats(two_table_round)
    assert call_and_commit(mail_seats, two_table_round, actor, PAGE) == 0
    assert len(list_mailed_seats(two_table_round)) == 8


def test_mail_names_the_seat_and_links_to_my_table(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    call_and_commit(mail_seats, two_table_round, organizer_of(two_table_round.stage.event), PAGE)
    [message] = [each for each in mail.outbox if each.subject == "Cup, Round 1: table 2, seat 3"]
    assert "Round 1: you’re at table 2, seat 3." in message.body
    assert f"Your table: {PAGE}" in message.body


def test_republished_unchanged_seats_are_not_mailed_again(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    actor = organizer_of(two_table_round.stage.event)
    call_and_commit(mail_seats, two_table_round, actor, PAGE)
    call_and_commit(unpublish_round, two_table_round, actor, "Two more come.")
    assert Round.objects.get().mailed_page == ""
    call_and_commit(publish_round, two_table_round, actor)
    assert call_and_commit(mail_seats, two_table_round, actor, PAGE) == 0


def test_only_players_who_swap_seats_are_mailed_again(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    actor = organizer_of(two_table_round.stage.event)
    call_and_commit(mail_seats, two_table_round, actor, PAGE)
    (one, *_), (other, *_) = list_seated(two_table_round)
    first, second = (Registration.objects.get(pk=pk) for pk in (one, other))
    call_and_commit(
        change_seats, two_table_round, actor, first, f"swap:{other}", "They asked for it."
    )
    assert set(list_mailed_seats(two_table_round)[8:]) == {
        (first.name, "2:1"),
        (second.name, "1:1"),
    }
    [message] = [each for each in mail.outbox[8:] if each.to == [first.user.email]]
    assert "The seats for Cup have changed. Round 1: you’re now at table 2, seat 1." in message.body


def test_player_who_loses_a_mailed_seat_is_notified(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    actor = organizer_of(two_table_round.stage.event)
    call_and_commit(mail_seats, two_table_round, actor, PAGE)
    last = Registration.objects.get(pk=list_seated(two_table_round)[1][3])
    call_and_commit(change_seats, two_table_round, actor, last, "out", "Gone home.")
    assert list_mailed_seats(two_table_round)[8:] == [(last.name, "")]
    message = mail.outbox[-1]
    assert message.subject == "Cup, Round 1: you no longer have a seat"
    assert "you’re not playing in this round (Round 1)." in message.body


def test_changes_are_not_mailed_if_the_seats_were_not(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    actor = organizer_of(two_table_round.stage.event)
    (one, *_), (other, *_) = list_seated(two_table_round)
    first = Registration.objects.get(pk=one)
    call_and_commit(
        change_seats, two_table_round, actor, first, f"swap:{other}", "They asked for it."
    )
    assert list_mailed_seats(two_table_round) == []


def test_player_without_an_email_address_is_not_counted(
    call_and_commit: CallAndCommit, two_table_round: Round
) -> None:
    first = Registration.objects.get(pk=list_seated(two_table_round)[0][0])
    first.user.email = f"desk{NO_MAILBOX}"
    first.user.save()
    assert (
        call_and_commit(
            mail_seats, two_table_round, organizer_of(two_table_round.stage.event), PAGE
        )
        == 7
    )
    assert mail_counts(two_table_round) == (7, 0, 0, 0)


def test_draft_is_not_mailed() -> None:
    event = make_event()
    make_players(event, 4)
    organizer = make_organizer(event)
    draft = seat_round(make_stage(event), organizer)
    assert get_refusal_code(mail_seats, draft, organizer, PAGE) == "state"
    assert (list_mailed_seats(draft), mail.outbox) == ([], [])
