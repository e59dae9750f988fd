"""Browser tests of second factors and of signing in with a code from the desk."""

import re

import pytest
from django.core.cache import cache
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django import Settings

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_look import find_violations
from tests.factories import give_role, make_organizer, make_registrations
from tests.live import LiveSite
from tests.tournament.second_factor import compute_app_code
from tests.tournament.visitors import PASSWORD, make_asha
from tournament.models import Event, User

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.event(title="Chem Fest"),
]

IS_WIDER_THAN_WINDOW = "document.documentElement.scrollWidth > innerWidth"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def staff(event: Event, settings: Settings) -> User:
    """Provide an organizer without a second factor, on a site that requires one."""
    settings.STAFF_SECOND_FACTOR = True
    settings.MFA_TOTP_TOLERANCE = 1  # a code may expire while the test enters it
    user = make_asha(is_staff=True)
    give_role(event, user)
    return user


def open_by_host_name(open_page: Windows, site: LiveSite) -> Page:
    """Open the site by its host name, because passkeys do not work with IP addresses."""
    return open_page(path=f"http://localhost:{site.port}/")


def sign_in(page: Page, address: str) -> None:
    page.evaluate("address => location.assign(address)", address)
    page.get_by_label("Email address").fill("asha@college.example")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def confirm_password(page: Page) -> None:
    expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def sign_out(page: Page) -> None:
    page.evaluate("address => location.assign(address)", reverse("account_logout"))
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()


def find_page_problems(page: Page) -> list[str]:
    """Return axe's violations, and an entry if the page is wider than its window."""
    return [
        *find_violations(page),
        *(["wider than the window"] if page.evaluate(IS_WIDER_THAN_WINDOW) else []),
    ]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: size["width"])
def test_organizer_sets_up_an_app_and_signs_in_with_it(
    open_page: Windows, shot: TakeScreenshot, staff: User, event: Event, size: ViewportSize
) -> None:
    desk = reverse("admin:event-desk", args=[event.pk])
    page = open_page(size=size)
    sign_in(page, desk)
    expect(page.get_by_text("The desk requires two-factor authentication.")).to_be_visible()
    shot(page, "second-factor")
    assert find_page_problems(page) == []
    page.get_by_role("link", name="Set up an app").click()
    confirm_password(page)
    secret = page.locator(".secret code").inner_text()
    expect(page.locator("img.qr")).to_be_visible()
    shot(page, "second-factor-app")
    assert find_page_problems(page) == []
    page.get_by_label("Authenticator code").fill(compute_app_code(secret))
    page.get_by_role("button", name="Turn on").click()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    shot(page, "second-factor-codes")
    assert find_page_problems(page) == []
    page.get_by_role("link", name="Continue to the desk").click()
    expect(page.get_by_role("link", name="Chem Fest").first).to_be_visible()
    sign_out(page)
    cache.clear()  # makes the used app code valid again
    sign_in(page, desk)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    shot(page, "second-factor-asked")
    assert find_page_problems(page) == []
    page.get_by_label("Code").fill(compute_app_code(secret))
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{desk}")


def test_organizer_adds_a_passkey_and_signs_in_with_it(
    open_page: Windows, shot: TakeScreenshot, live_site: LiveSite, staff: User, event: Event
) -> None:
    desk = reverse("admin:event-desk", args=[event.pk])
    page = open_by_host_name(open_page, live_site)
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    sign_in(page, desk)
    page.get_by_role("link", name="Add a passkey").click()
    confirm_password(page)
    shot(page, "second-factor-passkey")
    assert find_page_problems(page) == []
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.evaluate("address => location.assign(address)", desk)
    expect(page.locator(".event-name")).to_contain_text("Chem Fest")
    sign_out(page)
    sign_in(page, desk)
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url(f"**{desk}")


def test_rejected_passkey_shows_an_explanation(
    open_page: Windows, live_site: LiveSite, staff: User
) -> None:
    page = open_by_host_name(open_page, live_site)
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    tools.send(
        "WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR | {"isUserVerified": False}}
    )
    sign_in(page, reverse("mfa_index"))
    page.get_by_role("link", name="Add a passkey").click()
    confirm_password(page)
    page.evaluate("() => { navigator.credentials.create = () => Promise.reject(new Error()) }")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_text("That didn’t work, or you cancelled it.")).to_be_visible()


def test_browser_without_passkeys_shows_the_requirements(open_page: Windows, staff: User) -> None:
    """Open the page at an IP address, where browsers support no passkeys."""
    page = open_page(staff, path=reverse("mfa_index"))
    expect(page.get_by_text("Passkeys need HTTPS")).to_be_visible()
    expect(page.get_by_role("link", name="Add a passkey")).to_be_hidden()
    expect(page.get_by_role("link", name="Set up an app")).to_be_visible()


def test_code_from_the_desk_signs_a_phone_in(
    open_page: Windows, shot: TakeScreenshot, event: Event
) -> None:
    player = make_registrations(event, 1)[0]
    desk = open_page(make_organizer(event), DESKTOP, reverse("admin:event-desk", args=[event.pk]))
    desk.get_by_role("link", name="Sign a player in").click()
    desk.get_by_label("Name or roll number").fill(player.name)
    desk.get_by_role("button", name="Search").click()
    desk.get_by_role("button", name=f"Show a code for {player.name}").click()
    code = desk.locator(".desk-code-letters").inner_text()
    assert re.fullmatch(r"\w{4}-\w{4}", code)
    shot(desk, "desk-sign-in")
    assert not desk.evaluate(IS_WIDER_THAN_WINDOW)
    phone = open_page(path=reverse("account_login"))
    phone.get_by_role("link", name="Sign in with a code from the desk").click()
    phone.get_by_label("Code from the desk").fill(code.lower())
    shot(phone, "desk-sign-in-phone")
    assert find_page_problems(phone) == []
    phone.locator("main").get_by_role("button", name="Sign in").click()
    phone.wait_for_url(f"**{reverse('my-table', args=[event.slug])}")


def test_desk_page_fits_a_phone(open_page: Windows, shot: TakeScreenshot, event: Event) -> None:
    player = make_registrations(event, 1)[0]
    page = open_page(make_organizer(event), PHONE, reverse("admin:event-sign-in", args=[event.pk]))
    page.get_by_label("Name or roll number").fill(player.name)
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name=f"Show a code for {player.name}").click()
    expect(page.locator(".desk-code img")).to_be_visible()
    shot(page, "desk-sign-in")
    assert not page.evaluate(IS_WIDER_THAN_WINDOW)
