"""Tests of the most common user journeys in Firefox and WebKit.

Chromium is covered by tests/browser.
"""

import contextlib
from dataclasses import replace
from functools import partial

import pytest
from django.urls import reverse
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from games.matches.spec import Limits, MatchSpec
from games.models import Match
from games.practice import practice
from tests.browser.players import FIRST_VISIBLE, MATCH_SECONDS, TAP_SELECTORS, read_code
from tests.engines.person import MOVED_ELEMENT_ERRORS, Person
from tests.factories import make_event, make_registrations, make_user
from tests.games.reviewing import (
    MOVES,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.tournament.staging import first_table, organizer_of, play, running_round
from tournament.models import Registration, User
from tournament.registration.services import withdraw
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MAIL, PASSWORD = "mira@college.example", "queue-lantern-42"
POINTS_SCRIPT = "return [...document.querySelectorAll('td.points')].map(each => each.innerText)"
IS_WIDER_THAN_WINDOW = "return document.documentElement.scrollWidth > innerWidth"


def test_new_visitor_signs_up_registers_and_signs_in_again(person: Person) -> None:
    event = make_event(slug="cards", title="Cards", eligibility_required=False)
    person.open_page("/")
    person.press("#events a", "Cards")
    person.press("a", "Register")
    sign_up(person)
    person.press("button", "Register")
    person.wait_for_text("You have a spot.")
    sign_in_again(person)
    assert Registration.objects.get(event=event).user == User.objects.get(email=MAIL)


def sign_up(person: Person) -> None:
    person.fill_in(display_name="Mira", email=MAIL, password1=PASSWORD)
    person.press("button", "Create account")
    person.find("[name=code]")
    person.fill_in(code=read_code(MAIL))
    person.press("button", "Confirm")


def sign_in_again(person: Person) -> None:
    person.driver.delete_all_cookies()
    person.open_page("/accounts/login/?next=/my-events/")
    person.fill_in(login=MAIL, password=PASSWORD)
    person.press("button", "Sign in")
    person.wait_for_text("Cards", "main")


def test_forgotten_password_is_reset_with_a_code(person: Person) -> None:
    user = make_user("Mira", email=MAIL)
    person.open_page("/accounts/login/")
    person.press("a", "Forgot your password?")
    person.fill_in(email=MAIL)
    person.press("button", "Send me a code")
    person.find("[name=code]")
    person.fill_in(code=read_code(MAIL))
    person.press("button", "Confirm")
    person.fill_in(password1=PASSWORD)
    person.press("button", "Save new password")
    person.wait_until(lambda: has_password(user, PASSWORD), "the password is the old one")
    assert not person.run(IS_WIDER_THAN_WINDOW)


def has_password(user: User, password: str) -> bool:
    user.refresh_from_db()
    return user.check_password(password)


def test_waitlisted_player_moves_up_after_a_withdrawal(person: Person) -> None:
    event = make_event(slug="cards", title="Cards", capacity=1)
    [first] = make_registrations(event, 1)
    mira = make_user("Mira", email=MAIL)
    person.sign_in_as(mira)
    person.open_page("/e/cards/")
    person.press("a", "Join the waitlist")
    person.press("button", "Join the waitlist")
    person.wait_for_text("waitlist", "main")
    assert not person.run(IS_WIDER_THAN_WINDOW)
    withdraw(first, first.user)
    person.open_page("/e/cards/")
    person.wait_for_text("You have a spot", "main")


def test_replay_curve_is_navigated_by_keys_and_taps(person: Person) -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    person.open_page(f"{match.get_absolute_url()}hands/1/")
    person.wait_for_text("0 of 3", "#place")
    person.find("#chance-step").send_keys(Keys.ARROW_RIGHT)
    person.wait_for_text("1 of 3", "#place")
    person.wait_for_text("Better: Red 2", "#better")
    person.run("document.querySelectorAll('.chances-marks a')[1].scrollIntoView({block: 'center'})")
    person.driver.find_elements(By.CSS_SELECTOR, ".chances-marks text")[1].click()
    person.wait_for_text("2 of 3", "#place")
    assert not person.run(IS_WIDER_THAN_WINDOW)


def test_practice_match_can_be_played_to_the_end_by_taps(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "FAST", replace(practice.FAST, bot_seconds=0.05))
    one_hand = partial(MatchSpec, limits=Limits(hand_limit=1))
    monkeypatch.setattr(practice, "MatchSpec", one_hand)
    person.open_page("/")
    person.press("a", "Choose rules and bots")
    person.press(".seat-choice label", "2")
    person.press(".paces label", "Fast")
    person.press("button[value=ocho]")
    person.wait_until(lambda: tap_offered_action(person), "the match does not end", MATCH_SECONDS)
    person.wait_for_text("Hand by hand", ".sheet")
    assert not person.run(IS_WIDER_THAN_WINDOW)


def tap_offered_action(person: Person) -> bool:
    """Tap an action that the page offers, and return whether the match is over."""
    if selector := person.run(f"return ({FIRST_VISIBLE})(arguments[0])", TAP_SELECTORS):
        with contextlib.suppress(*MOVED_ELEMENT_ERRORS):  # the table changed before the tap
            person.try_press(selector)
    return bool(Match.objects.filter(phase=Match.Phase.OVER))


def test_leaderboard_follows_a_running_table(person: Person) -> None:
    played = running_round(8, slug="cards")
    person.open_page("/e/cards/leaderboard/")
    person.run("window.sameDocument = true")
    person.wait_for_text("provisional")
    play(first_table(played), hands=1)
    points = [str(row.points) for row in leaderboard(played.stage.event).rows]
    person.wait_until(lambda: person.run(POINTS_SCRIPT) == points, f"the points are not {points}")
    assert person.run("return window.sameDocument")


def test_organizer_pauses_a_round_from_a_phone(person: Person) -> None:
    event = running_round(8, slug="cards").stage.event
    person.sign_in_as(organizer_of(event))
    person.open_page(reverse("admin:event-desk", args=[event.pk]))
    assert not person.run(IS_WIDER_THAN_WINDOW)
    person.press("a", "Go to the control room")
    person.press("label", "Actions")
    person.press("button", "Pause all")
    person.wait_until(
        lambda: not Match.objects.filter(paused_at=None).exists(), "the tables are not paused"
    )
    person.wait_for_text("Resume")
    assert not person.run(IS_WIDER_THAN_WINDOW)
