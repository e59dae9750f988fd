"""Signing in with the college's account, by an issuer that runs in a process of its own."""

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
from tests.issuer import Issuer, configure
from tests.tournament.second_factor import give_app
from tests.tournament.visitors import asha, signed_in
from tests.typed import Response
from tournament.models import Event, User
from tournament.people.accounts.college.provider import both
from tournament.people.eligibility_match import verified_addresses
from tournament.pure.codes import Code

pytestmark = pytest.mark.django_db

BEGIN, BACK = reverse("college-sign-in"), reverse("college-callback")
ADDRESS = "asha@college.example"
PROVED = {"email": ADDRESS, "email_verified": True, "name": "Asha Rao"}


@pytest.fixture(scope="module")
def running_issuer() -> Iterator[Issuer]:
    with Issuer() as issuer:
        yield issuer


@pytest.fixture
def issuer(running_issuer: Issuer, settings: Settings) -> Issuer:
    configure(settings, running_issuer)
    return running_issuer


def submit_issuer_form(page: str, **typed: str) -> str:
    """Answer the issuer's form at this address; where it sends the browser."""
    return requests.post(page, data=typed, allow_redirects=False, timeout=10).headers["Location"]


def begin(client: Client, wanted: str = "") -> str:
    return client.post(BEGIN, {"next": wanted} if wanted else {})["Location"]


def come_back(client: Client, address: str) -> Response:
    return client.get(f"{BACK}?{urlsplit(address).query}")


def walk(client: Client, sub: str = "asha", wanted: str = "") -> Response:
    return come_back(client, submit_issuer_form(begin(client, wanted), sub=sub))


Refused = Callable[[Response, Code], None]


@pytest.fixture
def expect_sign_in_refused(caplog: pytest.LogCaptureFixture, client: Client) -> Refused:
    """Not signed in, on a page of ours, and the code is in the log."""

    def check(response: Response, code: Code) -> None:
        assert response.status_code == (503 if code == Code.ISSUER_AWAY else 400)
        assert "You’re not signed in" in response.content.decode()
        assert f"college account refused ({code})" in caplog.text
        assert not signed_in(client)

    return check


def test_a_new_person_gets_an_account_with_a_proved_address(client: Client, issuer: Issuer) -> None:
    issuer.knows("asha", **PROVED)
    response = walk(client, wanted="/rules/")
    assert response["Location"] == "/rules/"
    assert signed_in(client)
    user = User.objects.get()
    assert (user.email, user.display_name, user.first_name) == (ADDRESS, "Asha Rao", "")
    assert verified_addresses(user) == {ADDRESS}
    assert not user.has_usable_password()
    assert mail.outbox == []


def test_nothing_is_kept_but_whose_account_it_is(client: Client, issuer: Issuer) -> None:
    issuer.knows("asha", **PROVED, birthdate="2004-02-29", groups=["first-years"])
    for _time in range(2):
        walk(client)
        [account] = SocialAccount.objects.all()
        assert (account.provider, account.uid, account.extra_data) == ("college", "asha", {})
    assert not SocialToken.objects.exists()


def test_who_has_come_before_is_known_by_the_issuer_s_number(
    client: Client, issuer: Issuer
) -> None:
    issuer.knows("asha", **PROVED)
    walk(client)
    issuer.knows("asha", email="rao@college.example", email_verified=False)
    walk(Client())
    assert verified_addresses(User.objects.get()) == {ADDRESS}


def test_an_account_whose_address_both_have_proved_is_joined(
    client: Client, issuer: Issuer
) -> None:
    user = asha()
    issuer.knows("asha", **PROVED | {"email": ADDRESS.upper()})
    walk(client)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert SocialAccount.objects.get().user == user
    user.refresh_from_db()
    assert user.has_usable_password()
    [told] = mail.outbox
    assert (told.to, told.subject) == ([ADDRESS], "College account linked to your Lastcard account")
    first = "Hello,\n\nYou can now also sign in with your college account. If this wasn’t you, "
    assert re.match(first + r"[^\n]+\n\nWhen: \w{3} \d+ \w+ \d{4}, \d\d:\d\d UTC\n", str(told.body))


def test_an_account_that_has_never_proved_the_address_is_not(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused
) -> None:
    asha()
    EmailAddress.objects.update(verified=False)
    issuer.knows("asha", **PROVED)
    response = walk(client)
    expect_sign_in_refused(response, Code.ISSUER_CLAIMED)
    assert "Confirm it first by requesting a sign-in code" in response.content.decode()
    assert reverse("account_request_login_code") in response.content.decode()
    assert not SocialAccount.objects.exists()


def test_an_account_without_any_address_row_is_not(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused
) -> None:
    asha()
    EmailAddress.objects.all().delete()
    issuer.knows("asha", **PROVED)
    expect_sign_in_refused(walk(client), Code.ISSUER_CLAIMED)


@pytest.mark.parametrize(
    "said", [{"email": ADDRESS, "email_verified": False}, {"email": ADDRESS}, {}]
)
@pytest.mark.parametrize("there", [False, True])
def test_an_address_that_the_issuer_has_not_proved_opens_nothing(
    client: Client,
    issuer: Issuer,
    expect_sign_in_refused: Refused,
    said: dict[str, object],
    there: bool,
) -> None:
    if there:
        asha()
    issuer.knows("asha", **said)
    expect_sign_in_refused(walk(client), Code.ISSUER_UNPROVED)
    assert User.objects.count() == there


def test_where_the_issuer_says_nothing_the_setting_may(
    client: Client, issuer: Issuer, settings: Settings
) -> None:
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.knows("asha", email=ADDRESS)
    walk(client)
    assert verified_addresses(User.objects.get()) == {ADDRESS}


def test_without_consent_there_is_a_page(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused
) -> None:
    expect_sign_in_refused(
        come_back(client, submit_issuer_form(begin(client), action="deny")), Code.ISSUER_DENIED
    )


@pytest.mark.parametrize("query", ["", "?code=x&state=y", "?state=y"])
def test_a_sign_in_that_was_begun_elsewhere_has_a_page(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused, query: str
) -> None:
    expect_sign_in_refused(client.get(BACK + query), Code.ISSUER_STATE)


def test_an_answer_counts_once(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused
) -> None:
    issuer.knows("asha", **PROVED)
    answer = submit_issuer_form(begin(client), sub="asha")
    come_back(client, answer)
    client.logout()
    expect_sign_in_refused(come_back(client, answer), Code.ISSUER_STATE)


def test_a_code_that_the_issuer_does_not_know_has_a_page(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused
) -> None:
    state = parse_qs(urlsplit(begin(client)).query)["state"][0]
    expect_sign_in_refused(client.get(BACK, {"code": "forged", "state": state}), Code.ISSUER_ANSWER)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("temporarily_unavailable", Code.ISSUER_AWAY),
        ("server_error", Code.ISSUER_AWAY),
        ("invalid_scope", Code.ISSUER_ANSWER),
    ],
)
def test_what_the_issuer_says_is_wrong_has_a_page(
    client: Client, issuer: Issuer, expect_sign_in_refused: Refused, said: str, code: Code
) -> None:
    state = parse_qs(urlsplit(begin(client)).query)["state"][0]
    expect_sign_in_refused(client.get(BACK, {"error": said, "state": state}), code)


def test_an_issuer_that_is_away_is_asked_again_after_some_seconds(
    client: Client,
    settings: Settings,
    expect_sign_in_refused: Refused,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    issuer = Issuer()
    configure(settings, issuer)
    expect_sign_in_refused(client.post(BEGIN), Code.ISSUER_AWAY)
    asked: list[str] = []
    monkeypatch.setattr(requests.Session, "request", lambda *_any, **_more: asked.append(""))
    expect_sign_in_refused(client.post(BEGIN), Code.ISSUER_AWAY)
    assert asked == []


def test_an_issuer_that_goes_away_on_the_way_has_a_page(
    client: Client, settings: Settings, expect_sign_in_refused: Refused
) -> None:
    with Issuer() as issuer:
        configure(settings, issuer)
        issuer.knows("asha", **PROVED)
        answer = submit_issuer_form(begin(client), sub="asha")
    expect_sign_in_refused(come_back(client, answer), Code.ISSUER_AWAY)


def test_a_token_that_is_over_has_a_page(
    client: Client, settings: Settings, expect_sign_in_refused: Refused
) -> None:
    with Issuer(lifetime=-60) as issuer:
        configure(settings, issuer)
        issuer.knows("asha", **PROVED)
        expect_sign_in_refused(walk(client), Code.ISSUER_CLOCK)


def test_an_issuer_under_another_name_is_not_believed(
    client: Client, issuer: Issuer, settings: Settings, expect_sign_in_refused: Refused
) -> None:
    of_allauth = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    of_allauth["settings"] = {"server_url": f"{issuer.url}/.well-known/openid-configuration"}
    expect_sign_in_refused(client.post(BEGIN), Code.ISSUER_ANSWER)


def test_a_token_for_another_site_is_not_believed(
    client: Client, issuer: Issuer, settings: Settings, expect_sign_in_refused: Refused
) -> None:
    issuer.knows("asha", **PROVED, aud=["another-site"])
    expect_sign_in_refused(walk(client), Code.ISSUER_ANSWER)


def test_an_address_of_userinfo_proves_no_other_one() -> None:
    token = {"sub": "asha", "email": ADDRESS}
    more = {"sub": "asha", "email": "x@college.example", "email_verified": True}
    assert both({"id_token": token, "userinfo": more}) == token
    with pytest.raises(OAuth2Error):
        both({"id_token": token, "userinfo": more | {"sub": "bela"}})


def test_what_the_id_token_leaves_out_userinfo_adds() -> None:
    more = {"sub": "asha", "email": ADDRESS, "email_verified": True}
    assert both({"id_token": {"sub": "asha"}, "userinfo": more}) == more


def test_without_an_issuer_there_are_no_such_pages(client: Client) -> None:
    assert client.post(BEGIN).status_code == 404
    assert client.get(BACK).status_code == 404
    assert BEGIN not in client.get(reverse("account_login")).content.decode()


def test_the_button_stands_at_sign_in_and_sign_up(
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
    user = asha(is_staff=True)
    give_role(event, user)
    return user


def desk(client: Client, event: Event) -> Response:
    return client.get(reverse("admin:event-desk", args=[event.pk]))


def test_staff_give_their_second_factor_all_the_same(
    client: Client, issuer: Issuer, organizer: User, event: Event
) -> None:
    give_app(organizer)
    issuer.knows("asha", **PROVED, amr=["pwd"])
    assert walk(client)["Location"] == reverse("mfa_authenticate")
    assert not signed_in(client)


def test_staff_without_one_do_not_enter(
    client: Client, issuer: Issuer, organizer: User, event: Event
) -> None:
    issuer.knows("asha", **PROVED)
    walk(client)
    assert desk(client, event)["Location"] == reverse("mfa_index")


@pytest.mark.parametrize("own", [False, True])
def test_a_second_factor_of_the_issuer_opens_the_desk_where_it_is_trusted(
    client: Client, issuer: Issuer, organizer: User, event: Event, own: bool
) -> None:
    if own:
        give_app(organizer)
    issuer.knows("asha", **PROVED, amr=["pwd", "mfa"])
    walk(client)
    assert signed_in(client)
    assert desk(client, event).status_code == 200


def test_and_nowhere_else(
    client: Client, issuer: Issuer, organizer: User, event: Event, settings: Settings
) -> None:
    settings.OIDC_SECOND_FACTOR = []
    issuer.knows("asha", **PROVED, amr=["pwd", "mfa"])
    walk(client)
    assert desk(client, event)["Location"] == reverse("mfa_index")


def test_a_closed_account_stays_closed(client: Client, issuer: Issuer, organizer: User) -> None:
    User.objects.update(is_active=False)
    issuer.knows("asha", **PROVED)
    walk(client)
    assert not signed_in(client)


# --- no sign-up by password


@pytest.fixture
def password_sign_up_closed(issuer: Issuer, settings: Settings) -> None:
    settings.PASSWORD_SIGN_UP = False


@pytest.mark.usefixtures("password_sign_up_closed")
def test_without_sign_up_its_page_leads_to_the_college_s_button(client: Client) -> None:
    page = reverse("account_signup")
    signing_in = reverse("account_login")
    assert client.get(f"{page}?next=/rules/")["Location"] == f"{signing_in}?next=/rules/"
    assert client.post(page, {"email": ADDRESS})["Location"] == signing_in
    text = client.get(signing_in).content.decode()
    assert page not in text
    assert text.index(BEGIN) < text.index('name="password"')
    assert not User.objects.exists()


@pytest.mark.usefixtures("password_sign_up_closed")
def test_without_sign_up_who_has_no_account_is_mailed_how_one_gets_it(client: Client) -> None:
    client.post(reverse("account_request_login_code"), {"email": ADDRESS})
    told = " ".join(str(mail.outbox[-1].body).split())
    assert (
        "Or sign in with your college account, and a Lastcard account will be created for you:"
        in told
    )


@pytest.mark.usefixtures("password_sign_up_closed")
@pytest.mark.parametrize("guests", [0, 200])
def test_without_sign_up_practice_names_signing_in_alone(
    client: Client, settings: Settings, guests: int
) -> None:
    settings.GUEST_TABLES = guests
    text = client.get(reverse("games:practice")).content.decode()
    assert reverse("account_login") in text
    assert reverse("account_signup") not in text


@pytest.mark.usefixtures("password_sign_up_closed")
def test_without_sign_up_new_people_come_by_the_college(client: Client, issuer: Issuer) -> None:
    issuer.knows("asha", **PROVED)
    walk(client)
    assert signed_in(client)


def test_the_log_says_how_somebody_came(
    client: Client, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    issuer.knows("asha", **PROVED)
    walk(client)
    assert f"signed in (socialaccount): account {User.objects.get().pk}" in caplog.text
    assert ADDRESS not in caplog.text
