"""Tests of registration for an event, and of withdrawal."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests.factories import (
    make_event,
    make_organizer,
    make_players,
    make_registrations,
    make_student,
    make_user,
)
from tests.tournament.staging import first_table, player_at, published_round, running_round
from tests.tournament.visitors import make_asha, read_code, sign_in, sign_up
from tests.typed import Response, sure
from tournament.models import Event, Registration
from tournament.registration.services import refuse

pytestmark = pytest.mark.django_db
State = Registration.State


def get_url(event: Event) -> str:
    return reverse("event-register", args=[event.slug])


def make_listed_event(**fields: Any) -> Event:
    return make_event(eligibility_required=True, **fields)


def map_errors(response: Response) -> dict[str, list[str]]:
    return dict(response.context["form"].errors)


def test_visitor_creates_an_account_first_and_returns(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    event = make_event()
    response = client.get(get_url(event))
    assert (response.status_code, response["Location"]) == (
        302,
        f"/accounts/signup/?next={get_url(event)}",
    )
    page = client.get(response["Location"]).content.decode()
    assert page.index(f"/accounts/login/?next={quote(get_url(event), safe='')}") < page.index(
        '<form class="panel'
    )
    waiting = sign_up(client, next=get_url(event))["Location"]
    entered = client.post(waiting, {"code": read_code(mailoutbox[0])})
    assert entered["Location"] == get_url(event)
    assert client.post(get_url(event), {"name": "Asha"}).status_code == 302
    assert event.registrations.get().name == "Asha"


def test_signed_out_user_of_this_device_is_sent_to_sign_in(client: Client) -> None:
    event = make_event()
    make_asha()
    sign_in(client)
    client.post("/accounts/logout/")
    response = client.get(get_url(event))
    assert (response.status_code, response["Location"]) == (
        302,
        f"/accounts/login/?next={get_url(event)}",
    )


def test_form_submitted_after_signing_out_registers_no_one(client: Client) -> None:
    event = make_event()
    assert client.post(get_url(event), {"name": "Asha"}).status_code == 302
    assert not event.registrations.exists()


def test_registered_player_sees_time_and_place(client: Client) -> None:
    event = make_event(starts_at=timezone.now() + timedelta(days=8), place="Reading hall")
    [mine] = make_registrations(event, 1)
    client.force_login(mine.user)
    page = client.get(get_url(event)).content.decode()
    assert "<dd><bdi>Reading hall</bdi></dd>" in page
    assert f'<time datetime="{timezone.localtime(sure(event.starts_at)).isoformat()}">' in page
    assert reverse("event-calendar", args=[event.slug]) in page


def test_form_has_a_roll_number_field_if_there_is_a_list(client: Client) -> None:
    client.force_login(make_user())
    assert list(client.get(get_url(make_listed_event())).context["form"].fields) == ["roll_number"]
    assert list(client.get(get_url(make_event())).context["form"].fields) == ["name"]


def test_listed_student_gets_a_spot_under_the_listed_name(client: Client) -> None:
    event, user = make_listed_event(), make_user("Nick")
    make_student(event, "CHE-0042", name="Asha Venkatraman", email=user.email)
    client.force_login(user)
    response = client.post(get_url(event), {"roll_number": " che-0042 "}, follow=True)
    assert event.registrations.get(user=user).state == State.APPROVED
    page = response.content.decode()
    assert "You have a spot" in page
    assert "Asha Venkatraman" in page


def test_form_explains_the_effect_of_a_missing_address_on_the_list(client: Client) -> None:
    client.force_login(make_user())
    shown = client.get(get_url(make_listed_event())).content.decode()
    assert (
        "If the organizers’ list has an email address for your roll number, it must "
        "match yours. If the list has none, an organizer will review your registration." in shown
    )


def test_roll_number_does_not_reveal_its_owner(client: Client) -> None:
    event = make_listed_event()
    make_student(event, "CHE-0042", name="Asha Venkatraman")
    client.force_login(make_user("Nick"))
    page = client.post(get_url(event), {"roll_number": "CHE-0042"}, follow=True).content.decode()
    assert "Waiting for approval" in page
    assert "Asha" not in page


def test_account_name_is_offered_without_a_list(client: Client) -> None:
    event, user = make_event(), make_user("Asha")
    client.force_login(user)
    assert 'value="Asha"' in client.get(get_url(event)).content.decode()
    client.post(get_url(event), {"name": "Asha V."})
    assert event.registrations.get(user=user).name == "Asha V."


@pytest.mark.parametrize(
    ("roll_number", "fault"),
    [
        ("", "Enter your roll number."),
        (
            "CHE-9",
            "Your roll number and email address don’t match an entry on this event’s "
            "eligibility list. Check the number for typos, sign in with your college address, "
            "or ask the organizers.",
        ),
        (
            "CHE-0043",
            "Your roll number and email address don’t match an entry on this event’s "
            "eligibility list. Check the number for typos, sign in with your college address, "
            "or ask the organizers.",
        ),
        ("PHY-1", "Physics"),
    ],
)
def test_ineligible_user_sees_the_reason_and_no_data_is_stored(
    client: Client, roll_number: str, fault: str
) -> None:
    event = make_listed_event(conditions=[{"field": "department", "value": "Chemistry"}])
    user = make_user()
    make_student(event, "CHE-0043", email="other@college.example", department="Chemistry")
    make_student(event, "PHY-1", email=user.email, department="Physics")
    client.force_login(user)
    response = client.post(get_url(event), {"roll_number": roll_number})
    assert response.status_code == 400
    assert fault in str(map_errors(response))
    assert not event.registrations.exists()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "Enter the name that the others at the table will see."),
        ("\u200b\u202e", "Enter the name that the others at the table will see."),
        ("---", "Use letters and numbers that others can read."),
        ("a" * 41, "Use at most 40 characters."),
    ],
)
def test_unreadable_name_is_refused_with_an_explanation(
    client: Client, name: str, fault: str
) -> None:
    client.force_login(make_user())
    response = client.post(get_url(make_event()), {"name": name})
    assert map_errors(response) == {"name": [fault]}


def test_name_too_similar_to_another_is_refused_at_its_field(client: Client) -> None:
    event = make_event()
    [other] = make_registrations(event, 1)
    client.force_login(make_user())
    response = client.post(get_url(event), {"name": other.name.upper()})
    assert list(map_errors(response)) == ["name"]


def test_form_is_hidden_outside_the_registration_period(client: Client) -> None:
    now = timezone.now()
    client.force_login(make_user())
    early = make_event(registration_opens=now + timedelta(days=1))
    late = make_event(registration_closes=now - timedelta(days=1))
    assert "Registration opens on" in client.get(get_url(early)).content.decode()
    assert "is closed" in client.get(get_url(late)).content.decode()
    for event in (early, late):
        assert client.post(get_url(event), {"name": "Asha"}).status_code == 400
        assert not event.registrations.exists()


@pytest.mark.parametrize(
    ("fields", "earlier", "badge"),
    [
        ({"requires_approval": True}, 0, "Waiting for approval"),
        ({"capacity": 2}, 3, "You’re on the waitlist. You’ll get a spot when a player"),
    ],
)
def test_page_shows_the_outcome_after_registering(
    client: Client, fields: dict[str, Any], earlier: int, badge: str
) -> None:
    event, user = make_event(**fields), make_user()
    make_registrations(event, earlier)
    client.force_login(user)
    page = client.post(get_url(event), {"name": "Asha"}, follow=True).content.decode()
    assert badge in page
    assert ("1 person is ahead of you." in page) == bool(earlier)


def test_refusal_reason_is_escaped(client: Client) -> None:
    event = make_event(requires_approval=True)
    [registration] = make_registrations(event, 1)
    refuse(registration, make_organizer(event), "Not <b>enrolled</b>.")
    client.force_login(registration.user)
    page = client.get(get_url(event)).content.decode()
    assert "Not &lt;b&gt;enrolled&lt;/b&gt;." in page
    assert "Withdraw" not in page


def test_duplicate_registration_is_refused_with_an_explanation(client: Client) -> None:
    event, user = make_event(), make_user()
    client.force_login(user)
    client.post(get_url(event), {"name": "Asha"})
    response = client.post(get_url(event), {"name": "Asha"})
    assert map_errors(response) == {"__all__": ["You are already registered for this event."]}
    assert event.registrations.count() == 1


def test_unconfirmed_address_cannot_be_used_to_register(client: Client) -> None:
    event = make_event()
    client.force_login(make_user(verified=False))
    response = client.post(get_url(event), {"name": "Asha"})
    assert "Confirm your email address" in str(map_errors(response))


def test_guessing_roll_numbers_is_rate_limited(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"event_register": "2/m/user"}
    event = make_listed_event()
    client.force_login(make_user())
    codes = [client.post(get_url(event), {"roll_number": f"C{n}"}).status_code for n in range(3)]
    assert codes == [400, 400, 429]


def test_draft_events_are_not_found(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(get_url(make_event(state=Event.State.DRAFT))).status_code == 404


def get_withdraw_url(event: Event) -> str:
    return reverse("event-withdraw", args=[event.slug])


def test_withdrawal_requires_confirmation(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    assert "Withdraw from the event" in client.get(get_withdraw_url(event)).content.decode()
    registration.refresh_from_db()
    assert registration.state == State.APPROVED


def test_withdrawal_mentions_played_matches_only_to_players_with_a_seat(
    client: Client,
) -> None:
    played = running_round()
    found = "The matches you have played stay in the results."
    [waiting] = make_players(played.stage.event, 1)
    for user, expected in ((player_at(first_table(played)), True), (waiting.user, False)):
        client.force_login(user)
        assert (found in client.get(get_withdraw_url(played.stage.event)).text) == expected


def test_spot_of_a_withdrawn_player_goes_to_the_next_in_line(client: Client) -> None:
    event = make_event(capacity=2)
    leaving, _, waiting = make_registrations(event, 3)
    client.force_login(leaving.user)
    response = client.post(get_withdraw_url(event), follow=True)
    assert f"You have withdrawn from {event}." in response.content.decode()
    leaving.refresh_from_db()
    waiting.refresh_from_db()
    assert (leaving.state, waiting.state) == (State.WITHDRAWN, State.APPROVED)


def test_withdrawn_player_can_register_again(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    client.post(get_withdraw_url(event))
    assert "Register" in client.get(get_url(event)).content.decode()
    client.post(get_url(event), {"name": "Asha"})
    registration.refresh_from_db()
    assert registration.state == State.APPROVED


def test_seated_player_sees_why_withdrawing_is_refused(client: Client) -> None:
    played = published_round()
    event = played.stage.event
    client.force_login(player_at(first_table(played)))
    response = client.post(get_withdraw_url(event), follow=True)
    assert "Change the seating first" in response.content.decode()


def test_only_registered_players_can_withdraw(client: Client) -> None:
    event = make_event()
    make_registrations(event, 1)
    assert client.post(get_withdraw_url(event)).status_code == 302
    client.force_login(make_user())
    assert client.get(get_withdraw_url(event)).status_code == 404
    assert client.post(get_withdraw_url(event)).status_code == 404
    assert event.registrations.get().state == State.APPROVED


def test_s17_approval_by_an_organizer_is_mentioned_only_once(client: Client) -> None:
    client.force_login(make_user())
    event = make_listed_event()
    event.requires_approval = True
    event.save()
    page = client.get(get_url(event)).content.decode()
    assert page.count("organizer will review your registration") == 0
    assert page.count("An organizer will then review your registration.") == 1


def test_s20_badge_does_not_repeat_the_sentence(client: Client) -> None:
    event = make_event()
    [mine] = make_registrations(event, 1)
    client.force_login(mine.user)
    assert client.get(get_url(event)).content.decode().count("You have a spot") == 1
    mine.checked_in_at = timezone.now()
    mine.save()
    assert "Checked in" in client.get(get_url(event)).content.decode()
