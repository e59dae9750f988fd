"""Browser tests that all texts are translated and fit, in a pseudo-language and in real languages.

All data is in Greek letters, so Latin letters reveal untranslated texts.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf.locale import LANG_INFO
from django.core import mail
from django.urls import reverse
from django.utils import translation
from playwright.sync_api import Page, expect

from games.models import Match
from games.services import request_review
from tests import pseudo
from tests.browser.conftest import PHONE
from tests.browser.players import tap_once
from tests.browser.reading import find_overflow, list_english_texts, list_english_words
from tests.browser.tables import deal, open_menu
from tests.factories import UNREACHABLE_TARGET, give_role, make_event, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.staging import first_table, play, player_at, running_round
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.models import Event, Round, Stage, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# U70
LANGUAGES = [pseudo.LANGUAGE, "bn", "hi"]
GREEK_NAMES = ["Αθηνά", "Βασίλης", "Γεωργία", "Δημήτρης", "Ελένη", "Ζωή", "Ηλίας", "Θάλεια"]


class TextReader:
    """Reader that collects untranslated and cut-off texts of pages."""

    def __init__(self, open_page: Any, language: str) -> None:
        self.open_page = open_page
        self.language = language
        self.english: list[str] = []
        self.cut_off: list[str] = []

    def open_as(self, user: User | None = None, path: str = "/") -> Page:
        cookie = {"name": "language", "value": self.language, "domain": "127.0.0.1", "path": "/"}
        state = {"cookies": [cookie], "origins": []}
        page: Page = self.open_page(user, path=path, size=PHONE, storage_state=state)
        return page

    def read_pages(self, page: Page, *paths: str) -> None:
        for path in paths:
            page.goto(path)
            self.read_page(page)

    def read_page(self, page: Page) -> None:
        path = page.url.partition("://")[2].partition("/")[2]
        assert page.evaluate("document.documentElement.lang") == self.language
        self.english += [f"/{path} {text}" for text in list_english_texts(page)]
        self.cut_off += [f"no room: /{path} {text}" for text in find_overflow(page)]

    def check(self) -> None:
        assert sorted({*self.english, *self.cut_off}) == []


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pseudo.build_catalogues(tmp_path_factory.mktemp("locale"))


@pytest.fixture
def language() -> str:
    return pseudo.LANGUAGE


@pytest.fixture
def reader(
    catalogue: Path, language: str, settings: Any, monkeypatch: Any, open_page: Any
) -> Iterator[TextReader]:
    """Provide a reader of the site in `language`, which is also the site's default language."""
    monkeypatch.setitem(LANG_INFO, pseudo.LANGUAGE, pseudo.LANGUAGE_INFO)
    monkeypatch.setattr("tests.factories.NAMES", GREEK_NAMES)
    monkeypatch.setattr("tests.browser.tables.PEOPLE", GREEK_NAMES)
    settings.LANGUAGES = [*settings.LANGUAGES, (pseudo.LANGUAGE, "Pseudo")]
    settings.LOCALE_PATHS = [*settings.LOCALE_PATHS, catalogue]
    settings.LANGUAGE_CODE = language
    with translation.override(language):
        yield TextReader(open_page, language)


def make_finished_event() -> Event:
    """Create a finished event with a second round and a winner."""
    event, organizer = make_organized_event(8, slug="past", title="Παλιό", round_minutes=30)
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    announce_winner(event, organizer)
    return event


def make_round_in_play() -> Round:
    """Create a round with one finished table and one table in its second hand."""
    fields = {"slug": "cards", "title": "Κύπελλο", "place": "Αίθουσα"}
    played = running_round(8, hand_limit=2, options=UNREACHABLE_TARGET, **fields)
    Stage.objects.update(title="Γύρος")
    one, two = played.tables.order_by("number")
    play(one)
    play(two, hands=1)
    return played


VISITOR_PAGES = [
    "/",
    "/rules/",
    "/accounts/login/",
    "/accounts/login/code/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/e/cards/",
    "/e/cards/leaderboard/",
    "/e/cards/leaderboard/?view=hall",
    "/e/cards/tables/",
    "/e/cards/tables/?by=name",
    "/e/cards/tables/?view=hall",
    "/e/cards/bracket/",
    "/e/cards/results/",
    "/e/cards/rules/",
    "/e/past/",
    "/e/past/bracket/",
    "/e/past/leaderboard/",
    "/e/past/results/",
    "/e/soon/",
    "/rules/ocho/",
    "/rules/uno-assignment/",
    "/rules/ocho-cards/",
]
PLAYER_PAGES = [
    "/e/cards/",
    "/e/cards/my-table/",
    "/e/cards/register/",
    "/e/cards/withdraw/",
    "/e/soon/register/",
    "/my-events/",
    "/practice/",
    "/accounts/profile/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_visitor_and_player_pages_are_fully_translated_and_fit(
    reader: TextReader, few_deals: None
) -> None:
    make_finished_event()
    played = make_round_in_play()
    make_event(slug="soon", title="Σύντομα", capacity=1, eligibility_required=True)
    reader.read_pages(reader.open_as(), *VISITOR_PAGES, *list_past_match_paths(played))
    reader.read_pages(reader.open_as(player_at(first_table(played))), *PLAYER_PAGES)
    reader.check()


def list_past_match_paths(round_: Round) -> list[str]:
    """Return the paths of a finished match's result, deals, review and replay."""
    match = first_table(round_).match
    assert match is not None
    request_review(match)
    key = match.public_id
    pages = [reverse(f"games:{name}", args=[key]) for name in ("result", "fair", "review")]
    return [*pages, reverse("games:replay", args=[key, 1])]


def test_refusals_are_fully_translated_and_fit(reader: TextReader) -> None:
    reader.open_page.expect("404|400|403")
    make_event(slug="listed", title="Λίστα", eligibility_required=True)
    page = reader.open_as(make_user())
    reader.read_pages(page, "/nothing/")
    page.goto("/e/listed/register/")
    page.locator("[name=roll_number]").fill("1")
    page.locator("main form.panel button").click()
    reader.read_page(page)
    page = reader.open_as(path="/accounts/login/code/")
    page.locator("[name=email]").fill("nobody@college.example")
    page.locator("main form button").first.click()
    page.locator("[name=code]").fill("XXXX-XXXX")
    page.locator("main form.panel button").first.click()
    reader.read_page(page)
    reader.check()


def test_organizer_pages_are_fully_translated_and_fit(reader: TextReader) -> None:
    done = make_finished_event()
    played = make_round_in_play()
    organizer = make_user(is_staff=True, is_superuser=True)
    event = played.stage.event
    give_role(event, organizer)
    page = reader.open_as(organizer, "/admin/")
    reader.read_page(page)
    for one in (event, done):
        page.goto(reverse("admin:event-desk", args=[one.pk]))
        tabs = page.locator(".event-head nav a").evaluate_all(
            "links => links.map(each => each.href)"
        )
        reader.read_pages(page, *tabs)
    table, registered = first_table(played), sure(event.registrations.first())
    reader.read_pages(
        page,
        reverse("admin:event-round", args=[event.pk, played.pk]),
        reverse("admin:event-table", args=[event.pk, table.pk]),
        reverse("admin:tournament_event_add"),
        reverse("admin:tournament_user_changelist"),
        reverse("admin:tournament_registration_change", args=[registered.pk]),
        *list_desk_pages(sure(table.match)),
    )
    reader.check()


def list_desk_pages(match: Match) -> list[str]:
    """Return the desk's pages for a match, its first hand and that hand's first action."""
    hand = sure(match.hands.first())
    each = {"match": match, "hand": hand, "loggedaction": sure(hand.actions.first())}
    lists = [reverse(f"admin:games_{name}_changelist") for name in each]
    return lists + [
        reverse(f"admin:games_{name}_change", args=[row.pk]) for name, row in each.items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "ruleset"),
    [(pseudo.LANGUAGE, "uno-400"), (pseudo.LANGUAGE, "ocho"), ("bn", "ocho"), ("hi", "uno-500")],
)
def test_match_in_card_and_text_mode_is_fully_translated_and_fits(
    reader: TextReader, ruleset: str, shot: Any
) -> None:
    hands = ["R1 R2 G9 W", "R3 B4 Y7 G2"]
    match = deal(hands, bots=[1], ruleset=ruleset, hand_limit=1, title="Τραπέζι")
    page = reader.open_as(match.seats.get(number=0).user, match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    reader.read_page(page)
    shot(page, f"{reader.language}-{ruleset}")
    open_menu(page)
    reader.read_page(page)
    page.keyboard.press("Escape")
    for turn in range(200):
        if page.locator(".sheet").count():
            break
        if turn % 5 == 0:
            reader.read_page(page)
        tap_once(page)
        page.wait_for_timeout(40)
    expect(page.locator(".sheet")).to_be_visible()
    page.wait_for_timeout(1200)  # until the words over the seats have disappeared
    reader.read_page(page)
    reader.read_pages(page, f"{match.get_absolute_url()}?text=1", *list_match_pages(match))
    reader.check()


def test_colour_choice_fits_the_longest_card_name(reader: TextReader) -> None:
    hands = ["B1 B2 G9 W+4", "R3 B4 Y7 G2"]
    match = deal(hands, bots=[1], ruleset="uno-400", title="Τραπέζι")
    page = reader.open_as(match.seats.get(number=0).user, match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    page.locator(".slot[data-id*='-W'][data-playable] .card-button").click()
    expect(page.locator(".picker-title")).to_be_visible()
    reader.read_page(page)
    reader.check()


def list_match_pages(match: Match) -> list[str]:
    key = match.public_id
    pages = [reverse(f"games:{name}", args=[key]) for name in ("result", "fair")]
    return [*pages, reverse("games:replay", args=[key, 1])]


def test_emails_are_fully_translated(reader: TextReader) -> None:
    page = reader.open_as(path="/accounts/signup/")
    page.locator("[name=display_name]").fill("Αθηνά")
    page.locator("[name=email]").fill("athena@college.example")
    page.locator("[name=password1]").fill("queue-lantern-42")
    page.locator("main form.panel > button").click()
    expect(page.locator("[name=code]")).to_be_visible()
    reader.read_page(page)
    [letter] = mail.outbox
    text = re.sub(r"^ {4}\S+$", "", f"{letter.subject}\n{letter.body}", flags=re.MULTILINE)
    assert list_english_words([text]) == []
    reader.check()
