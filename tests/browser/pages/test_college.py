"""Browser tests of signing in with a college account."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django import Settings

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_look import find_violations
from tests.factories import give_role
from tests.issuer import Issuer, use_issuer
from tests.tournament.second_factor import compute_app_code, give_app
from tests.tournament.visitors import make_asha
from tournament.models import EligibleStudent, Event, Registration, User

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.event(title="Chem Fest", slug="chem-fest"),
]

BUTTON = "Sign in with your college account"
CLAIMS = {"email": "asha@college.example", "email_verified": True, "name": "Asha Rao"}
IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def issuer(settings: Settings, open_page: Windows) -> Iterator[Issuer]:
    open_page.expect("cdn.jsdelivr.net")  # the issuer's own page requests a style sheet from there
    with Issuer() as issuer:
        use_issuer(settings, issuer)
        yield issuer


def go_to_issuer(page: Page, target: str) -> None:
    page.goto(target)
    page.get_by_role("button", name=BUTTON).click()


def sign_in(page: Page, target: str) -> None:
    go_to_issuer(page, target)
    page.locator("input[name=sub]").fill("asha")
    page.get_by_role("button", name="Authorize").click()


def expect_sign_in_refusal(page: Page, sentence: str) -> None:
    expect(page.get_by_role("heading", name="You’re not signed in")).to_be_visible()
    expect(page.get_by_text(sentence)).to_be_visible()


def test_new_student_on_the_list_can_register(
    open_page: Windows, issuer: Issuer, event: Event
) -> None:
    address = str(CLAIMS["email"])
    Event.objects.update(eligibility_required=True)
    EligibleStudent.objects.create(
        event=event, roll_number="21", roll_key="21", name="Asha Rao", email=address
    )
    issuer.add_user("asha", **CLAIMS)
    page = open_page()
    sign_in(page, reverse("event-register", args=[event.slug]))
    page.get_by_label("Roll number").fill("21")
    page.get_by_role("button", name="Register").click()
    expect(page.locator("main")).to_contain_text("Asha Rao")
    assert Registration.objects.get().name == "Asha Rao"


def test_account_with_the_same_verified_address_is_linked(
    open_page: Windows, issuer: Issuer
) -> None:
    make_asha()
    issuer.add_user("asha", **CLAIMS)
    page = open_page()
    sign_in(page, f"{reverse('account_login')}?next={reverse('profile')}")
    expect(page.get_by_text("asha@college.example")).to_be_visible()
    assert User.objects.count() == 1


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: size["width"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rejected_sign_in_explains_the_reason(
    open_page: Windows, shot: TakeScreenshot, issuer: Issuer, size: ViewportSize, scheme: str
) -> None:
    open_page.expect("400|503")
    page = open_page(size=size, color_scheme=scheme)
    page.goto(reverse("account_login"))
    shot(page, f"college-{scheme}")
    assert [*find_violations(page), page.evaluate(IS_WIDER_THAN_WINDOW)] == [False]
    issuer.add_user("asha", email="asha@college.example")
    sign_in(page, reverse("account_login"))
    expect_sign_in_refusal(page, "doesn’t say whether your email address is confirmed")
    shot(page, f"college-refused-{scheme}")
    assert [*find_violations(page), page.evaluate(IS_WIDER_THAN_WINDOW)] == [False]


def test_missing_consent_and_unavailable_issuer_show_an_error(
    open_page: Windows, issuer: Issuer, settings: Settings
) -> None:
    open_page.expect("400|503")
    page = open_page()
    go_to_issuer(page, reverse("account_login"))
    page.get_by_role("button", name="Deny").click()
    expect_sign_in_refusal(
        page, "You didn’t let your college share who you are, so you can’t sign in with"
    )
    unavailable = Issuer()
    use_issuer(settings, unavailable)
    page.goto(reverse("account_login"))
    page.get_by_role("button", name=BUTTON).click()
    expect_sign_in_refusal(page, "sign-in isn’t responding")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: size["width"])
def test_college_button_is_first_when_sign_up_is_closed(
    open_page: Windows, shot: TakeScreenshot, issuer: Issuer, settings: Settings, size: ViewportSize
) -> None:
    settings.PASSWORD_SIGN_UP = False
    page = open_page(size=size, path=reverse("account_signup"))
    expect(page.locator("main button").first).to_have_text(BUTTON)
    expect(page.get_by_text("Create an account")).to_have_count(0)
    shot(page, "college-first")
    assert [*find_violations(page), page.evaluate(IS_WIDER_THAN_WINDOW)] == [False]


def test_organizer_still_needs_the_second_factor(
    open_page: Windows, issuer: Issuer, event: Event, settings: Settings
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    user = make_asha(is_staff=True)
    give_role(event, user)
    secret = give_app(user)
    issuer.add_user("asha", **CLAIMS)
    desk = reverse("admin:event-desk", args=[event.pk])
    page = open_page()
    sign_in(page, desk)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_label("Code").fill(compute_app_code(secret))
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{desk}")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: size["width"])
def test_account_can_be_unlinked_from_the_college(
    open_page: Windows, shot: TakeScreenshot, issuer: Issuer, size: ViewportSize
) -> None:
    issuer.add_user("asha", **CLAIMS)
    page = open_page(size=size)
    sign_in(page, f"{reverse('account_login')}?next={reverse('profile')}")
    shot(page, "college-account")
    assert [*find_violations(page), page.evaluate(IS_WIDER_THAN_WINDOW)] == [False]
    page.get_by_role("link", name="Unlink the college account").click()
    expect(page.get_by_role("heading", name="College account")).to_be_visible()
    shot(page, "college-part")
    assert [*find_violations(page), page.evaluate(IS_WIDER_THAN_WINDOW)] == [False]
    page.get_by_role("button", name="Unlink the college account").click()
    expect(page.get_by_text("Your college account has been unlinked.")).to_be_visible()
    expect(page.get_by_role("link", name="Unlink the college account")).to_have_count(0)
