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
from tests.browser.players import FIRST_VISIBLE, SECONDS_FOR_A_MATCH, TAPS, code_for
from tests.engines.person import MOVED, Person
from tests.factories import make_event, make_registrations, make_user
from tests.games.reviewing import MOVES, hand, make_answered_review, play_short_match
from tests.tournament.staging import first_table, organizer_of, play, running_round
from tournament.models import Registration, User
from tournament.registration.services import withdraw
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MAIL, PASSWORD = "mira@college.example", "queue-lantern-42"
POINTS = "return [...document.querySelectorAll('td.points')].map(each => each.innerText)"
WIDER = "return document.documentElement.scrollWidth > innerWidth"


def test_new_visitor_signs_up_registers_and_signs_in_again(person: Person) -> None:
    event = make_event(slug="cards", title="Cards", eligibility_required=False)
    person.open_page("/")
    person.presses("#events a", "Cards")
    person.presses("a", "Register")
    signs_up(person)
    person.presses("button", "Register")
    person.sees("You have a spot.")
    signs_in_again(person)
    assert Registration.objects.get(event=event).user == User.objects.get(email=MAIL)


def signs_up(person: Person) -> None:
    person.types(display_name="Mira", email=MAIL, password1=PASSWORD)
    person.presses("button", "Create account")
    person.finds("[name=code]")
    person.types(code=code_for(MAIL))
    person.presses("button", "Confirm")


def signs_in_again(person: Person) -> None:
    person.driver.delete_all_cookies()
    person.open_page("/accounts/login/?next=/my-events/")
    person.types(login=MAIL, password=PASSWORD)
    person.presses("button", "Sign in")
    person.sees("Cards", "main")


def test_forgotten_password_is_reset_with_a_code(person: Person) -> None:
    user = make_user("Mira", email=MAIL)
    person.open_page("/accounts/login/")
    person.presses("a", "Forgot your password?")
    person.types(email=MAIL)
    person.presses("button", "Send me a code")
    person.finds("[name=code]")
    person.types(code=code_for(MAIL))
    person.presses("button", "Confirm")
    person.types(password1=PASSWORD)
    person.presses("button", "Save new password")
    person.waits(lambda: has_password(user, PASSWORD), "the password is the old one")
    assert not person.run(WIDER)


def has_password(user: User, password: str) -> bool:
    user.refresh_from_db()
    return user.check_password(password)


def test_waitlisted_player_moves_up_after_a_withdrawal(person: Person) -> None:
    event = make_event(slug="cards", title="Cards", capacity=1)
    [first] = make_registrations(event, 1)
    mira = make_user("Mira", email=MAIL)
    person.sign_in_as(mira)
    person.open_page("/e/cards/")
    person.presses("a", "Join the waitlist")
    person.presses("button", "Join the waitlist")
    person.sees("waitlist", "main")
    assert not person.run(WIDER)
    withdraw(first, first.user)
    person.open_page("/e/cards/")
    person.sees("You have a spot", "main")


def test_replay_curve_is_navigated_by_keys_and_taps(person: Person) -> None:
    match = play_short_match()
    make_answered_review(match, hand(*MOVES))
    person.open_page(f"{match.get_absolute_url()}hands/1/")
    person.sees("0 of 3", "#place")
    person.finds("#chance-step").send_keys(Keys.ARROW_RIGHT)
    person.sees("1 of 3", "#place")
    person.sees("Better: Red 2", "#better")
    person.run("document.querySelectorAll('.chances-marks a')[1].scrollIntoView({block: 'center'})")
    person.driver.find_elements(By.CSS_SELECTOR, ".chances-marks text")[1].click()
    person.sees("2 of 3", "#place")
    assert not person.run(WIDER)


def test_practice_match_can_be_played_to_the_end_by_taps(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "FAST", replace(practice.FAST, bot_seconds=0.05))
    one_hand = partial(MatchSpec, limits=Limits(hand_limit=1))
    monkeypatch.setattr(practice, "MatchSpec", one_hand)
    person.open_page("/")
    person.presses("a", "Choose rules and bots")
    person.presses(".seat-choice label", "2")
    person.presses(".paces label", "Fast")
    person.presses("button[value=ocho]")
    person.waits(lambda: tap_offered_action(person), "the match does not end", SECONDS_FOR_A_MATCH)
    person.sees("Hand by hand", ".sheet")
    assert not person.run(WIDER)


def tap_offered_action(person: Person) -> bool:
    """Tap an action that the page offers, and return whether the match is over."""
    if way := person.run(f"return ({FIRST_VISIBLE})(arguments[0])", TAPS):
        with contextlib.suppress(*MOVED):  # the table changed before the tap arrived
            person.press(way)
    return bool(Match.objects.filter(phase=Match.Phase.OVER))


def test_leaderboard_follows_a_running_table(person: Person) -> None:
    played = running_round(8, slug="cards")
    person.open_page("/e/cards/leaderboard/")
    person.run("window.sameDocument = true")
    person.sees("provisional")
    play(first_table(played), hands=1)
    points = [str(row.points) for row in leaderboard(played.stage.event).rows]
    person.waits(lambda: person.run(POINTS) == points, f"the points are not {points}")
    assert person.run("return window.sameDocument")


def test_organizer_pauses_a_round_from_a_phone(person: Person) -> None:
    event = running_round(8, slug="cards").stage.event
    person.sign_in_as(organizer_of(event))
    person.open_page(reverse("admin:event-desk", args=[event.pk]))
    assert not person.run(WIDER)
    person.presses("a", "Go to the control room")
    person.presses("label", "Actions")
    person.presses("button", "Pause all")
    paused = lambda: not Match.objects.filter(paused_at=None).exists()  # noqa: E731
    person.waits(paused, "the tables are not paused")
    person.sees("Resume")
    assert not person.run(WIDER)
