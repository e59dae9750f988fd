"""Tests of the page to accept or decline an invitation."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_registrations, make_user
from tests.tournament.organizing import press_button
from tournament.models import Event, Invitation, User
from tournament.people.accounts.desk_codes import create_desk_code
from tournament.people.staff.invitations import invite, make_answer_link

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.event(organized_by=0, title="Chem Fest", state="draft"),
]

INVITATIONS_PAGE = reverse("invitations")


@pytest.fixture
def invited_user() -> User:
    return make_user("Meera", email="meera@college.example")


@pytest.fixture
def client(invited_user: User) -> Client:
    client = Client()
    client.force_login(invited_user)
    return client


@pytest.fixture
def invitation(event: Event) -> Invitation:
    organizer = make_organizer(event, name="Odile")
    invite(event, organizer, "meera@college.example", "https://cards.example/", "Second hall.")
    return event.invitations.get()


def test_accepting_an_invitation_opens_the_desk(
    client: Client, event: Event, invitation: Invitation
) -> None:
    assert (
        "<bdi>Odile</bdi> has invited you to help run <bdi>Chem Fest</bdi> (role: owner"
        in client.get(INVITATIONS_PAGE).text
    )
    answer = client.post(
        INVITATIONS_PAGE, {"invitation": invitation.pk, "action": "accept"}, follow=True
    )
    assert answer.request["PATH_INFO"] == reverse("admin:event-desk", args=[event.pk])
    assert "Welcome to the desk of Chem Fest." in answer.text


def test_declining_an_invitation_grants_no_access(
    client: Client, event: Event, invitation: Invitation
) -> None:
    assert "Declined. Nothing has changed." in press_button(
        client, INVITATIONS_PAGE, "decline", invitation=invitation.pk
    )
    assert client.get(reverse("admin:event-desk", args=[event.pk])).status_code == 302
    assert "This invitation is no longer open." in press_button(
        client, INVITATIONS_PAGE, "accept", invitation=invitation.pk
    )


def test_profile_announces_a_pending_invitation(client: Client, invitation: Invitation) -> None:
    assert "You’ve been invited to help run an event." in client.get(reverse("profile")).text
    press_button(client, INVITATIONS_PAGE, "decline", invitation=invitation.pk)
    assert "You are invited" not in client.get(reverse("profile")).text


@pytest.mark.parametrize("asked", ["", "x", "0", "9" * 5000])
def test_unknown_invitation_is_not_found(client: Client, asked: str) -> None:
    assert (
        client.post(INVITATIONS_PAGE, {"invitation": asked, "action": "accept"}).status_code == 404
    )


def test_invitation_of_another_user_is_not_found(invitation: Invitation) -> None:
    client = Client()
    client.force_login(make_user(email="other@college.example"))
    assert (
        "There is no invitation for <bdi>other@college.example</bdi>."
        in client.get(INVITATIONS_PAGE).text
    )
    answer = client.post(INVITATIONS_PAGE, {"invitation": invitation.pk, "action": "accept"})
    assert answer.status_code == 404


def test_desk_code_session_cannot_accept_an_invitation(event: Event, invited_user: User) -> None:
    Event.objects.filter(pk=event.pk).update(state="open")
    player = make_registrations(event, 1)[0]
    organizer = make_organizer(event)
    Event.objects.filter(pk=event.pk).update(second_person="off")
    event.refresh_from_db()
    invite(event, organizer, player.user.email, "https://cards.example/", "Second hall.")
    client = Client()
    client.post(reverse("desk-sign-in"), {"code": create_desk_code(player, organizer).code})
    asked = event.invitations.get().pk
    answer = client.post(INVITATIONS_PAGE, {"invitation": asked, "action": "accept"})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (
        302,
        reverse("account_reauthenticate"),
    )
    player.user.refresh_from_db()
    assert not player.user.is_staff


def test_email_link_prefills_the_invited_address(
    invitation: Invitation,
) -> None:
    client = Client()
    link = make_answer_link(invitation)
    assert link.startswith("https://cards.example/?to=")
    signed_out = client.get(INVITATIONS_PAGE, {"to": link.partition("=")[2]}, follow=True)
    assert signed_out.redirect_chain == [
        (f"{reverse('account_login')}?next={INVITATIONS_PAGE}", 302)
    ]
    field = 'value="meera@college.example"'
    assert field in signed_out.text
    assert field in client.get(reverse("account_signup")).text
    assert field not in Client().get(INVITATIONS_PAGE, {"to": str(invitation.pk)}, follow=True).text
