"""Tests of invitations to a role: allowed addresses, confirmation and answers."""

from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.factories import make_organizer, make_user
from tests.tournament.helpers import get_refusal, get_refusal_code
from tournament.desk import confirmation
from tournament.desk.proposals import list_pending
from tournament.models import Event, Invitation, User
from tournament.oversight.history_texts import history
from tournament.people.staff.invitations import (
    MAX_OPEN,
    OPEN_FOR,
    accept_invitation,
    cancel_invitation,
    decline_invitation,
    filter_invitations_for,
    invite,
    select_open_invitations,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(title="Chem Fest")]

PAGE = "https://cards.example/invitations/"
ADDRESS = "meera@college.example"
REASON = "She runs the second hall."


@pytest.fixture
def meera() -> User:
    return make_user("Meera", email=ADDRESS)


@pytest.fixture
def invitation(event: Event, organizer: User) -> Invitation:
    invite(event, organizer, ADDRESS, PAGE, REASON)
    return event.invitations.get()


def test_invitation_is_emailed_to_the_address(
    event: Event,
    organizer: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert invite(event, organizer, " Meera@College.example ", PAGE, REASON) is None
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([ADDRESS], "You’re invited to help run Chem Fest")
    assert PAGE in str(mail.body)
    entry = event.audit.get(action="invite")
    assert (entry.text, entry.reason) == ("Invited someone to the event (role: owner).", REASON)


def test_accepting_an_invitation_makes_the_user_an_organizer(
    event: Event, invitation: Invitation, meera: User
) -> None:
    assert accept_invitation(invitation, meera) == event
    meera.refresh_from_db()
    assert (meera.is_staff, meera.is_superuser) == (True, False)
    assert event.organizers.filter(pk=meera.pk).exists()
    assert invitation.state == "accepted"
    assert history(event).rows[0].text == "An organizer was added."
    assert event.audit.get(action="organizer").text == (
        "Meera has accepted an invitation and now organizes the event."
    )


def test_second_organizer_confirms_before_the_invitation_is_sent(
    event: Event, organizer: User
) -> None:
    second = make_organizer(event)
    proposal = invite(event, organizer, ADDRESS, PAGE, REASON)
    assert proposal is not None
    assert list_pending(event, second)[0].text == f"Invite {ADDRESS} to the event (role: owner)."
    assert not select_open_invitations().exists()
    confirmation.confirm(proposal, second)
    assert event.invitations.get().state == "open"
    assert event.audit.get(action="invite").data["second"] is True


def test_rejected_invitation_is_never_sent(event: Event, organizer: User, meera: User) -> None:
    second = make_organizer(event)
    proposal = invite(event, organizer, ADDRESS, PAGE, REASON)
    assert proposal is not None
    assert get_refusal_code(accept_invitation, event.invitations.get(), meera) == "state"
    confirmation.refuse(proposal, second, "Who is that?")
    assert event.invitations.get().state == "taken-back"
    assert invite(event, organizer, ADDRESS, PAGE, REASON) is not None


def test_withdrawn_invitation_cannot_be_confirmed(event: Event, organizer: User) -> None:
    second = make_organizer(event)
    proposal = invite(event, organizer, ADDRESS, PAGE, REASON)
    assert proposal is not None
    event.invitations.update(state="taken-back")
    assert get_refusal_code(confirmation.confirm, proposal, second) == "changed"


@pytest.mark.parametrize(
    ("email", "reason", "code", "words"),
    [
        ("meera", REASON, "email", "“meera” is not a valid email address."),
        ("", REASON, "email", "“” is not a valid email address."),
        (
            ADDRESS,
            " ",
            "no-reason",
            "Give a reason. The reason stays on record, and everyone can read it.",
        ),
    ],
)
def test_invalid_invitation_is_refused_and_not_stored(
    event: Event, organizer: User, email: str, reason: str, code: str, words: str
) -> None:
    refused = get_refusal(invite, event, organizer, email, PAGE, reason)
    assert (refused.code, refused.sentence) == (code, words)
    assert not Invitation.objects.exists()


def test_existing_organizers_and_invitees_are_not_invited_again(
    event: Event, organizer: User, invitation: Invitation
) -> None:
    assert get_refusal_code(invite, event, organizer, ADDRESS.upper(), PAGE, REASON) == "asked"
    assert get_refusal_code(invite, event, organizer, organizer.email, PAGE, REASON) == "same"
    cancel_invitation(invitation, organizer)
    assert invite(event, organizer, ADDRESS, PAGE, REASON) is None


def test_event_has_a_limited_number_of_open_invitations(event: Event, organizer: User) -> None:
    for number in range(MAX_OPEN):
        invite(event, organizer, f"person{number}@college.example", PAGE, REASON)
    refused = get_refusal(invite, event, organizer, ADDRESS, PAGE, REASON)
    assert (refused.code, refused.sentence) == (
        "too-many",
        "10 invitations are already pending. Withdraw one of them first.",
    )


def test_only_the_owner_of_the_address_can_accept_or_decline(
    invitation: Invitation, meera: User
) -> None:
    stranger = make_user(email="other@college.example")
    unproven = make_user(email="late@college.example", verified=False)
    for person in (stranger, unproven):
        assert get_refusal_code(accept_invitation, invitation, person) == "not-yours"
        assert get_refusal_code(decline_invitation, invitation, person) == "not-yours"
    assert list(filter_invitations_for(select_open_invitations(), stranger)) == []
    assert list(filter_invitations_for(select_open_invitations(), meera)) == [invitation]


def test_unverified_address_cannot_accept_an_invitation(invitation: Invitation) -> None:
    claims = make_user(email=ADDRESS, verified=False)
    assert get_refusal_code(accept_invitation, invitation, claims) == "not-yours"
    assert list(filter_invitations_for(select_open_invitations(), claims)) == []


def test_account_without_a_password_cannot_accept_an_invitation(
    invitation: Invitation, meera: User
) -> None:
    meera.set_unusable_password()
    meera.save()
    assert get_refusal_code(accept_invitation, invitation, meera) == "no-proof"
    meera.refresh_from_db()
    assert not meera.is_staff
    assert list(select_open_invitations()) == [invitation]


def test_answered_or_withdrawn_invitation_is_closed(
    organizer: User, invitation: Invitation, meera: User
) -> None:
    decline_invitation(invitation, meera)
    assert invitation.state == "declined"
    for answer in (
        lambda: accept_invitation(invitation, meera),
        lambda: cancel_invitation(invitation, organizer),
    ):
        assert get_refusal_code(answer) == "state"
    meera.refresh_from_db()
    assert not meera.is_staff


def test_invitation_expires(
    event: Event, organizer: User, invitation: Invitation, meera: User
) -> None:
    Invitation.objects.update(invited_at=timezone.now() - OPEN_FOR - timedelta(minutes=1))
    assert not select_open_invitations().exists()
    assert get_refusal_code(accept_invitation, invitation, meera) == "state"
    assert invite(event, organizer, ADDRESS, PAGE, REASON) is None
