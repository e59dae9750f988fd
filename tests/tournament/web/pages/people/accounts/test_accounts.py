"""Tests of the account pages."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.tournament.visitors import PASSWORD, is_signed_in, make_asha, read_code, sign_in, sign_up
from tests.typed import Response
from tournament.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_limits() -> None:
    """Clear the rate limits so that one test's attempts do not affect the next."""
    cache.clear()


# Signing up


def test_sign_up_requires_an_email_code(client: Client, mailoutbox: list[EmailMessage]) -> None:
    response = sign_up(client)
    assert response["Location"] == reverse("account_email_verification_sent")
    assert not is_signed_in(client)
    [mail] = mailoutbox
    assert mail.subject == "Confirm your email address"
    entered = client.post(response["Location"], {"code": read_code(mail)}, follow=True)
    assert [str(message) for message in entered.context["messages"]] == [
        "You’ve confirmed asha@college.example.",
        "You’re signed in as Asha.",
    ]
    assert get_user(client) == User.objects.get(display_name="Asha")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("  Asha   V.  ", "Asha V."),
        ("As\u200bha\u202e", "Asha"),
        ("Zoe\u0308", "Zoë"),
        ("a" + "\u0301" * 30, "á" + "\u0301" * 4),
    ],
)
def test_display_names_are_normalized(client: Client, name: str, expected: str) -> None:
    sign_up(client, display_name=name)
    assert User.objects.get().display_name == expected


@pytest.mark.parametrize(
    ("field", "text", "fault"),
    [
        ("display_name", "", "Enter the name that the others at the table will see."),
        ("display_name", "\u2066\u2069", "Enter the name that the others at the table will see."),
        ("display_name", "!!!", "Use letters and numbers that others can read."),
        ("display_name", "x" * 41, "Use at most 40 characters."),
        ("email", "not an address", "Enter a valid email address."),
        ("password1", "short", "at least 12 characters"),
        ("password1", "1q2w3e4r5t6y", "too common"),
    ],
)
def test_error_is_shown_next_to_its_field(
    client: Client, field: str, text: str, fault: str
) -> None:
    response = sign_up(client, **{field: text})
    assert fault in str(response.context["form"].errors[field])
    assert not User.objects.exists()


def test_sign_up_does_not_reveal_existing_accounts(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    known = sign_up(client)
    client.logout()
    unknown = sign_up(client, email="ben@college.example")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert [mail.subject for mail in mailoutbox] == [
        "You already have an account",
        "Confirm your email address",
    ]


# Signing in


def test_password_sign_in_returns_to_the_requested_page(client: Client) -> None:
    make_asha()
    assert sign_in(client)["Location"] == "/my-table/"
    assert is_signed_in(client)


@pytest.mark.parametrize("email", ["asha@college.example", "nobody@college.example"])
def test_wrong_password_and_unknown_address_give_the_same_error(client: Client, email: str) -> None:
    make_asha()
    response = sign_in(client, login=email, password="wrong-wrong-wrong")
    assert response.context["form"].errors == {"__all__": ["Wrong email address or password."]}


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"]
)
def test_sign_in_never_redirects_to_another_site(client: Client, target: str) -> None:
    make_asha()
    response = client.post(
        reverse("account_login") + f"?next={target}",
        {"login": "asha@college.example", "password": PASSWORD, "next": target},
    )
    assert response["Location"] == "/"


def test_email_code_sign_in_returns_to_the_requested_page(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    asked = client.post(
        reverse("account_request_login_code") + "?next=/my-table/",
        {"email": "asha@college.example", "next": "/my-table/"},
    )
    page = client.get(asked["Location"]).content.decode()
    assert 'autocomplete="one-time-code"' in page
    [mail] = mailoutbox
    # Codes are accepted with spaces, in lower case and without hyphens.
    code = f" {read_code(mail).lower().replace('-', ' ')} "
    confirmed = client.post(asked["Location"], {"code": code, "next": "/my-table/"})
    assert confirmed["Location"] == "/my-table/"
    assert is_signed_in(client)


def test_code_request_does_not_reveal_existing_accounts(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    response = client.post(
        reverse("account_request_login_code"), {"email": "nobody@college.example"}
    )
    assert response["Location"] == reverse("account_confirm_login_code")
    assert [mail.subject for mail in mailoutbox] == ["No account with this email address"]


@pytest.mark.parametrize(("is_staff", "hours"), [(True, 12), (False, 14 * 24)])
def test_organizers_stay_signed_in_for_a_day_and_players_for_two_weeks(
    client: Client, mailoutbox: list[EmailMessage], is_staff: bool, hours: int
) -> None:
    make_asha(is_staff=is_staff)
    with time_machine.travel("2026-11-22T09:00:00Z", tick=False):
        sign_in(client)
        assert client.session.get_expiry_age() == hours * 3600
        client.logout()
        asked = client.post(
            reverse("account_request_login_code"), {"email": "asha@college.example"}
        )
        client.post(asked["Location"], {"code": read_code(mailoutbox[-1])})
        assert client.session.get_expiry_age() == hours * 3600


@pytest.mark.parametrize(("is_staff", "hours"), [(True, 12), (False, 14 * 24)])
def test_session_expires_on_time_regardless_of_activity(
    client: Client, is_staff: bool, hours: int
) -> None:
    make_asha(is_staff=is_staff)
    with time_machine.travel("2026-11-22T09:00:00Z", tick=False) as clock:
        sign_in(client)
        clock.shift(timedelta(hours=hours - 1))
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        assert client.session.get_expiry_age() == 3600
        clock.shift(timedelta(hours=1, seconds=1))
        assert not is_signed_in(client)


def test_signing_out_requires_a_button_click(client: Client) -> None:
    client.force_login(make_asha())
    assert "Sign out?" in client.get(reverse("account_logout")).content.decode()
    assert is_signed_in(client)
    client.post(reverse("account_logout"))
    assert not is_signed_in(client)


# Forgotten passwords


def test_password_can_be_reset_with_an_email_code(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    asked = client.post(reverse("account_reset_password"), {"email": "asha@college.example"})
    [mail] = mailoutbox
    assert mail.subject == "Your password reset code"
    form = client.post(asked["Location"], {"code": read_code(mail)})
    shown = client.get(form["Location"]).context["form"]
    assert list(shown.fields) == ["password1"]
    assert shown["password1"].help_text == (
        "At least 12 characters, not a common password, and not similar to your email address."
    )
    done = client.post(form["Location"], {"password1": "eight-lucky-cards"})
    assert (done["Location"], is_signed_in(client)) == ("/", True)
    assert User.objects.get().check_password("eight-lucky-cards")
    assert mailoutbox[-1].subject == "Password reset"


def test_s19_password_reset_returns_to_the_requested_page(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    shown = client.get("/accounts/login/?next=/my-events/").content.decode()
    forgot = "/accounts/password/reset/?next=%2Fmy-events%2F"
    assert f'href="{forgot}"' in shown
    page = forgot
    for given in ({"email": "asha@college.example"}, "code", {"password1": "eight-lucky-cards"}):
        if given == "code":
            given = {"code": read_code(mailoutbox[-1])}
        hidden = client.get(page).content.decode()
        assert '<input type="hidden" name="next" value="/my-events/">' in hidden
        page = client.post(page, given | {"next": "/my-events/"})["Location"]  # type: ignore[operator]
    assert (page, is_signed_in(client)) == ("/my-events/", True)


def test_password_reset_code_can_be_resent(client: Client, mailoutbox: list[EmailMessage]) -> None:
    make_asha()
    asked = client.post("/accounts/password/reset/", {"email": "asha@college.example"})
    shown = client.get(asked["Location"]).content.decode()
    again = shown.split('<form id="resend"')[1].split("</form>")[0]
    assert 'action="/accounts/password/reset/"' in again
    assert '<input type="hidden" name="email" value="asha@college.example">' in again


@pytest.mark.parametrize(
    "page",
    ["login", "signup", "password/reset", "login/code"],
)
def test_s19_email_address_has_one_label_on_every_page(client: Client, page: str) -> None:
    field = client.get(f"/accounts/{page}/").context["form"]
    name = "login" if page == "login" else "email"
    assert str(field[name].label) == "Email address"
    shown = client.get(f"/accounts/{page}/").content.decode()
    assert [word for word in ("E-mail", "e-mail", ">Email<", ">\nEmail<") if word in shown] == []


# Mistyped addresses


def change_email(client: Client, email: str, **more: str) -> Response:
    page = reverse("account_email_verification_sent")
    return client.post(page, {"action": "change", "email": email} | more)


def test_s12_mistyped_address_can_be_changed_on_the_code_page(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    confirm = sign_up(client, email="asha@colege.example", next="/my-events/")["Location"]
    assert "Use another email address" in client.get(confirm).content.decode()
    page = change_email(client, "asha@college.example", next="/my-events/")["Location"]
    assert mailoutbox[-1].to == ["asha@college.example"]
    done = client.post(page, {"code": read_code(mailoutbox[-1])})
    assert (done["Location"], is_signed_in(client)) == ("/my-events/", True)
    user = User.objects.get()
    assert (user.email, user.display_name) == ("asha@college.example", "Asha")
    assert user.check_password(PASSWORD)
    assert list(EmailAddress.objects.values_list("email", "verified")) == [(user.email, True)]


def test_s12_address_of_another_user_can_be_changed_on_the_code_page(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    theirs = make_asha()
    sign_up(client, display_name="Asha V.", next="/my-events/")
    page = change_email(client, "asha.v@college.example", next="/my-events/")["Location"]
    assert mailoutbox[-1].to == ["asha.v@college.example"]
    done = client.post(page, {"code": read_code(mailoutbox[-1])})
    assert (done["Location"], is_signed_in(client)) == ("/my-events/", True)
    mine = User.objects.exclude(pk=theirs.pk).get()
    assert (mine.email, mine.display_name) == ("asha.v@college.example", "Asha V.")
    assert mine.check_password(PASSWORD)


@pytest.mark.parametrize("first", ["asha@college.example", "ben@college.example"])
def test_s12_taken_address_is_not_revealed_and_at_most_two_changes_are_allowed(
    client: Client, mailoutbox: list[EmailMessage], first: str
) -> None:
    make_asha()
    sign_up(client, email=first)
    for number, email in enumerate(["asha@college.example", "chitra@college.example"]):
        assert change_email(client, email).status_code == 302, number
    shown = client.get(reverse("account_email_verification_sent")).content.decode()
    assert "<strong>chitra@college.example</strong>" in shown
    assert "Use another email address" not in shown
    assert change_email(client, "dev@college.example").status_code == 200
    assert [mail.to for mail in mailoutbox][-1] == ["chitra@college.example"]


def test_s12_invalid_address_is_refused_at_its_field(client: Client) -> None:
    sign_up(client)
    errors = change_email(client, "nothing").context["change_form"].errors
    assert errors == {"email": ["Enter a valid email address."]}


def test_signing_in_from_the_code_page_keeps_the_requested_page(client: Client) -> None:
    sign_up(client, next="/my-events/")
    page = reverse("account_email_verification_sent") + "?next=/my-events/"
    shown = client.get(page).content.decode()
    assert 'name="next" value="/accounts/login/?next=/my-events/"' in shown


# The account's own pages

OWN_PAGES = ["profile", "account_email", "account_change_password"]


@pytest.mark.parametrize("name", OWN_PAGES)
def test_personal_pages_require_sign_in_and_are_not_cached(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 302
    client.force_login(make_asha())
    response = client.get(reverse(name))
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]


def test_profile_changes_the_display_name(client: Client) -> None:
    client.force_login(make_asha())
    response = client.post(reverse("profile"), {"display_name": " Asha  V."}, follow=True)
    assert "Your name has been saved." in response.content.decode()
    assert User.objects.get().display_name == "Asha V."


def test_invalid_name_is_not_saved_or_shown_in_the_header(client: Client) -> None:
    client.force_login(make_asha())
    response = client.post(reverse("profile"), {"display_name": "x" * 41})
    assert response.status_code == 400
    assert "Use at most 40 characters." in response.content.decode()
    assert User.objects.get().display_name == "Asha"


def test_changing_the_address_requires_the_password_and_a_code(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    sign_in(client)
    given = {"email": "asha.v@college.example", "action_add": ""}
    asked = client.post(reverse("account_email"), given)
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    sent = client.post(asked["Location"], {"password": PASSWORD})
    assert sent.status_code == 302
    assert User.objects.get().email == "asha@college.example"
    client.post(reverse("account_email_verification_sent"), {"code": read_code(mailoutbox[-1])})
    assert User.objects.get().email == "asha.v@college.example"


def test_changing_the_password_ends_other_sessions(client: Client) -> None:
    user = make_asha()
    other = Client()
    other.force_login(user)
    sign_in(client)
    client.post(
        reverse("account_change_password"),
        {
            "oldpassword": PASSWORD,
            "password1": "eight-lucky-cards",
        },
    )
    assert is_signed_in(client)
    assert not is_signed_in(other)


# Design of all account pages


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_request_login_code",
        "account_reset_password",
        "account_password_reset_completed",
        "account_inactive",
    ],
)
def test_account_pages_use_the_site_design(client: Client, name: str) -> None:
    page = client.get(reverse(name)).content.decode()
    assert "css/account.css" in page
    assert 'class="site-header"' in page
    assert "<h1>" in page
    assert "style=" not in page
