"""Tests of sign-in with a college account. The issuer runs in a separate process."""

import logging
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import give_role
from tests.issuer import Issuer, use_issuer
from tests.tournament.second_factor import give_app
from tests.tournament.visitors import is_signed_in, make_asha
from tests.typed import Response
from tournament.models import Event, User
from tournament.people.accounts.college.provider import merge_claims
from tournament.people.eligibility_match import list_verified_addresses
from tournament.pure.codes import Code

pytestmark = pytest.mark.django_db

BEGIN, BACK = reverse("college-sign-in"), reverse("college-callback")
ADDRESS = "asha@college.example"
CLAIMS = {"email": ADDRESS, "email_verified": True, "name": "Asha Rao"}


@pytest.fixture(scope="module")
def running_issuer() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


@pytest.fixture
def issuer(running_issuer: Issuer, settings: Settings) -> Issuer:
    use_issuer(settings, running_issuer)
    return running_issuer


def submit_issuer_form(page: str, **typed: str) -> str:
    """Submit the issuer's form at this address and return the URL of its redirect."""
    return requests.post(page, data=typed, allow_redirects=False, timeout=10).headers["Location"]


def begin_sign_in(client: Client, next_page: str = "") -> str:
    return client.post(BEGIN, {"next": next_page} if next_page else {})["Location"]


def return_to_site(client: Client, address: str) -> Response:
    return client.get(f"{BACK}?{urlsplit(address).query}")


def sign_in_at_college(client: Client, sub: str = "asha", next_page: str = "") -> Response:
    return return_to_site(client, submit_issuer_form(begin_sign_in(client, next_page), sub=sub))


RefusalCheck = Callable[[Response, Code], None]


@pytest.fixture
def check_refusal(caplog: pytest.LogCaptureFixture, client: Client) -> RefusalCheck:
    """Return a function that checks how a refused sign-in is shown and logged."""

    def check(response: Response, code: Code) -> None:
        assert response.status_code == (503 if code == Code.ISSUER_AWAY else 400)
        assert "You’re not signed in" in response.content.decode()
        assert f"college account refused ({code})" in caplog.text
        assert not is_signed_in(client)

    return check


def test_new_user_gets_an_account_with_a_verified_address(client: Client, issuer: Issuer) -> None:
    issuer.add_user("asha", **CLAIMS)
    response = sign_in_at_college(client, next_page="/rules/")
    assert response["Location"] == "/rules/"
    assert is_signed_in(client)
    user = User.objects.get()
    assert (user.email, user.display_name, user.first_name) == (ADDRESS, "Asha Rao", "")
    assert list_verified_addresses(user) == {ADDRESS}
    assert not user.has_usable_password()
    assert mail.outbox == []


def test_only_the_account_identifier_is_stored(client: Client, issuer: Issuer) -> None:
    issuer.add_user("asha", **CLAIMS, birthdate="2004-02-29", groups=["first-years"])
    for _time in range(2):
        sign_in_at_college(client)
        [account] = SocialAccount.objects.all()
        assert (account.provider, account.uid, account.extra_data) == ("college", "asha", {})
    assert not SocialToken.objects.exists()


def test_returning_user_is_recognized_by_the_issuer_id(client: Client, issuer: Issuer) -> None:
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    issuer.add_user("asha", email="rao@college.example", email_verified=False)
    sign_in_at_college(Client())
    assert list_verified_addresses(User.objects.get()) == {ADDRESS}


def test_account_is_linked_if_site_and_issuer_have_verified_the_address(
    client: Client, issuer: Issuer
) -> None:
    user = make_asha()
    issuer.add_user("asha", **CLAIMS | {"email": ADDRESS.upper()})
    sign_in_at_college(client)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert SocialAccount.objects.get().user == user
    user.refresh_from_db()
    assert user.has_usable_password()
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == ([ADDRESS], "College account linked to your Lastcard account")
    first = "Hello,\n\nYou can now also sign in with your college account. If this wasn’t you, "
    assert re.match(first + r"[^\n]+\n\nWhen: \w{3} \d+ \w+ \d{4}, \d\d:\d\d UTC\n", str(sent.body))


def test_account_with_an_unverified_address_is_not_linked(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck
) -> None:
    make_asha()
    EmailAddress.objects.update(verified=False)
    issuer.add_user("asha", **CLAIMS)
    response = sign_in_at_college(client)
    check_refusal(response, Code.ISSUER_CLAIMED)
    assert "Confirm it first by requesting a sign-in code" in response.content.decode()
    assert reverse("account_request_login_code") in response.content.decode()
    assert not SocialAccount.objects.exists()


def test_account_without_a_stored_address_is_not_linked(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck
) -> None:
    make_asha()
    EmailAddress.objects.all().delete()
    issuer.add_user("asha", **CLAIMS)
    check_refusal(sign_in_at_college(client), Code.ISSUER_CLAIMED)


@pytest.mark.parametrize(
    "claims", [{"email": ADDRESS, "email_verified": False}, {"email": ADDRESS}, {}]
)
@pytest.mark.parametrize("there", [False, True])
def test_address_unverified_by_the_issuer_grants_no_access(
    client: Client,
    issuer: Issuer,
    check_refusal: RefusalCheck,
    claims: dict[str, object],
    there: bool,
) -> None:
    if there:
        make_asha()
    issuer.add_user("asha", **claims)
    check_refusal(sign_in_at_college(client), Code.ISSUER_UNPROVED)
    assert User.objects.count() == there


def test_setting_can_trust_unverified_addresses(
    client: Client, issuer: Issuer, settings: Settings
) -> None:
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.add_user("asha", email=ADDRESS)
    sign_in_at_college(client)
    assert list_verified_addresses(User.objects.get()) == {ADDRESS}


def test_denied_consent_shows_an_error_page(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck
) -> None:
    answer = submit_issuer_form(begin_sign_in(client), action="deny")
    check_refusal(return_to_site(client, answer), Code.ISSUER_DENIED)


@pytest.mark.parametrize("query", ["", "?code=x&state=y", "?state=y"])
def test_sign_in_started_in_another_session_shows_an_error_page(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck, query: str
) -> None:
    check_refusal(client.get(BACK + query), Code.ISSUER_STATE)


def test_issuer_response_can_be_used_only_once(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck
) -> None:
    issuer.add_user("asha", **CLAIMS)
    answer = submit_issuer_form(begin_sign_in(client), sub="asha")
    return_to_site(client, answer)
    client.logout()
    check_refusal(return_to_site(client, answer), Code.ISSUER_STATE)


def test_authorization_code_unknown_to_the_issuer_shows_an_error_page(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck
) -> None:
    state = parse_qs(urlsplit(begin_sign_in(client)).query)["state"][0]
    check_refusal(client.get(BACK, {"code": "forged", "state": state}), Code.ISSUER_ANSWER)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("temporarily_unavailable", Code.ISSUER_AWAY),
        ("server_error", Code.ISSUER_AWAY),
        ("invalid_scope", Code.ISSUER_ANSWER),
    ],
)
def test_issuer_error_shows_an_error_page(
    client: Client, issuer: Issuer, check_refusal: RefusalCheck, error: str, code: Code
) -> None:
    state = parse_qs(urlsplit(begin_sign_in(client)).query)["state"][0]
    check_refusal(client.get(BACK, {"error": error, "state": state}), code)


def test_unreachable_issuer_is_retried_after_a_few_seconds(
    client: Client,
    settings: Settings,
    check_refusal: RefusalCheck,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    issuer = Issuer()
    use_issuer(settings, issuer)
    check_refusal(client.post(BEGIN), Code.ISSUER_AWAY)
    asked: list[str] = []
    monkeypatch.setattr(requests.Session, "request", lambda *_any, **_more: asked.append(""))
    check_refusal(client.post(BEGIN), Code.ISSUER_AWAY)
    assert asked == []


def test_issuer_failing_during_sign_in_shows_an_error_page(
    client: Client, settings: Settings, check_refusal: RefusalCheck
) -> None:
    with Issuer() as issuer:
        use_issuer(settings, issuer)
        issuer.add_user("asha", **CLAIMS)
        answer = submit_issuer_form(begin_sign_in(client), sub="asha")
    check_refusal(return_to_site(client, answer), Code.ISSUER_AWAY)


def test_expired_token_shows_an_error_page(
    client: Client, settings: Settings, check_refusal: RefusalCheck
) -> None:
    with Issuer(lifetime=-60) as issuer:
        use_issuer(settings, issuer)
        issuer.add_user("asha", **CLAIMS)
        check_refusal(sign_in_at_college(client), Code.ISSUER_CLOCK)


def test_token_from_another_issuer_is_rejected(
    client: Client, issuer: Issuer, settings: Settings, check_refusal: RefusalCheck
) -> None:
    of_allauth = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    of_allauth["settings"] = {"server_url": f"{issuer.url}/.well-known/openid-configuration"}
    check_refusal(client.post(BEGIN), Code.ISSUER_ANSWER)


def test_token_for_another_audience_is_rejected(
    client: Client, issuer: Issuer, settings: Settings, check_refusal: RefusalCheck
) -> None:
    issuer.add_user("asha", **CLAIMS, aud=["another-site"])
    check_refusal(sign_in_at_college(client), Code.ISSUER_ANSWER)


def test_userinfo_address_does_not_verify_the_token_address() -> None:
    token = {"sub": "asha", "email": ADDRESS}
    more = {"sub": "asha", "email": "x@college.example", "email_verified": True}
    assert merge_claims({"id_token": token, "userinfo": more}) == token
    with pytest.raises(OAuth2Error):
        merge_claims({"id_token": token, "userinfo": more | {"sub": "bela"}})


def test_userinfo_fills_in_claims_missing_from_the_id_token() -> None:
    more = {"sub": "asha", "email": ADDRESS, "email_verified": True}
    assert merge_claims({"id_token": {"sub": "asha"}, "userinfo": more}) == more


def test_college_sign_in_pages_do_not_exist_without_an_issuer(client: Client) -> None:
    assert client.post(BEGIN).status_code == 404
    assert client.get(BACK).status_code == 404
    assert BEGIN not in client.get(reverse("account_login")).content.decode()


def test_college_button_is_on_the_sign_in_and_sign_up_pages(
    client: Client, issuer: Issuer, settings: Settings
) -> None:
    settings.OIDC_LABEL = "St. Mary’s"
    for page in ("account_login", "account_signup"):
        response = client.get(reverse(page) + "?next=/rules/")
        text = response.content.decode()
        assert "Sign in with St. Mary’s" in text
        assert text.count('<input type="hidden" name="next" value="/rules/"') == 2
        assert f"form-action 'self' {issuer.url}" in response["Content-Security-Policy"]


# --- the desk


@pytest.fixture
def organizer(event: Event, settings: Settings) -> User:
    settings.STAFF_SECOND_FACTOR = True
    settings.OIDC_SECOND_FACTOR = ["amr:mfa"]
    user = make_asha(is_staff=True)
    give_role(event, user)
    return user


def open_desk(client: Client, event: Event) -> Response:
    return client.get(reverse("admin:event-desk", args=[event.pk]))


def test_staff_still_need_their_second_factor(
    client: Client, issuer: Issuer, organizer: User, event: Event
) -> None:
    give_app(organizer)
    issuer.add_user("asha", **CLAIMS, amr=["pwd"])
    assert sign_in_at_college(client)["Location"] == reverse("mfa_authenticate")
    assert not is_signed_in(client)


def test_staff_without_a_second_factor_cannot_open_the_desk(
    client: Client, issuer: Issuer, organizer: User, event: Event
) -> None:
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    assert open_desk(client, event)["Location"] == reverse("mfa_index")


@pytest.mark.parametrize("has_app", [False, True])
def test_trusted_issuer_second_factor_opens_the_desk(
    client: Client, issuer: Issuer, organizer: User, event: Event, has_app: bool
) -> None:
    if has_app:
        give_app(organizer)
    issuer.add_user("asha", **CLAIMS, amr=["pwd", "mfa"])
    sign_in_at_college(client)
    assert is_signed_in(client)
    assert open_desk(client, event).status_code == 200


def test_untrusted_issuer_second_factor_does_not_open_the_desk(
    client: Client, issuer: Issuer, organizer: User, event: Event, settings: Settings
) -> None:
    settings.OIDC_SECOND_FACTOR = []
    issuer.add_user("asha", **CLAIMS, amr=["pwd", "mfa"])
    sign_in_at_college(client)
    assert open_desk(client, event)["Location"] == reverse("mfa_index")


def test_closed_account_cannot_sign_in(client: Client, issuer: Issuer, organizer: User) -> None:
    User.objects.update(is_active=False)
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    assert not is_signed_in(client)


# --- no sign-up by password


@pytest.fixture
def disable_password_sign_up(issuer: Issuer, settings: Settings) -> None:
    settings.PASSWORD_SIGN_UP = False


@pytest.mark.usefixtures("disable_password_sign_up")
def test_disabled_sign_up_page_redirects_to_the_college_button(client: Client) -> None:
    page = reverse("account_signup")
    signing_in = reverse("account_login")
    assert client.get(f"{page}?next=/rules/")["Location"] == f"{signing_in}?next=/rules/"
    assert client.post(page, {"email": ADDRESS})["Location"] == signing_in
    text = client.get(signing_in).content.decode()
    assert page not in text
    assert text.index(BEGIN) < text.index('name="password"')
    assert not User.objects.exists()


@pytest.mark.usefixtures("disable_password_sign_up")
def test_disabled_sign_up_emails_unknown_users_how_to_get_an_account(client: Client) -> None:
    client.post(reverse("account_request_login_code"), {"email": ADDRESS})
    message = " ".join(str(mail.outbox[-1].body).split())
    assert (
        "Or sign in with your college account, and a Lastcard account will be created for you:"
        in message
    )


@pytest.mark.usefixtures("disable_password_sign_up")
@pytest.mark.parametrize("guests", [0, 200])
def test_practice_page_offers_only_sign_in_if_sign_up_is_disabled(
    client: Client, settings: Settings, guests: int
) -> None:
    settings.GUEST_TABLES = guests
    text = client.get(reverse("games:practice")).content.decode()
    assert reverse("account_login") in text
    assert reverse("account_signup") not in text


@pytest.mark.usefixtures("disable_password_sign_up")
def test_new_users_can_join_through_the_college_if_sign_up_is_disabled(
    client: Client, issuer: Issuer
) -> None:
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    assert is_signed_in(client)


def test_sign_in_method_is_logged(
    client: Client, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    issuer.add_user("asha", **CLAIMS)
    sign_in_at_college(client)
    assert f"signed in (socialaccount): account {User.objects.get().pk}" in caplog.text
    assert ADDRESS not in caplog.text
