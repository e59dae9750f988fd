"""Tests of languages. The log is in the site's language, everything else in the reader's."""

from pathlib import Path

import polib
import pytest
from django.utils import translation
from pytest_django import Settings

from tests.factories import make_event, make_registrations, make_user
from tests.tournament.helpers import make_organized_event, make_second_stage
from tests.typed import sure
from tournament.advancing.services import draw_bracket
from tournament.models import Qualifier, Round
from tournament.pure.words import join_words
from tournament.registration.services import withdraw

pytestmark = pytest.mark.django_db

GERMAN_TEXTS = {
    "{name} withdrew.": "{name} ist ausgeschieden.",
    "Final": "Finale",
    "{round}: one table of {size}.": "{round}: ein Tisch zu {size}.",
    "{first} and {last}": "{first} und {last}",
    "{n}st": "{n}.",
}


@pytest.fixture(autouse=True)
def german_catalogue(settings: Settings, tmp_path: Path) -> None:
    """Install German as a second language, with a few translated texts."""
    catalogue = polib.POFile()
    catalogue += [polib.POEntry(msgid=text, msgstr=found) for text, found in GERMAN_TEXTS.items()]
    catalogue += [
        polib.POEntry(
            msgid="{place} {where}. Only the top player advances.",
            msgid_plural="{place} {where}. The top {count} advance.",
            msgstr_plural={0: "Platz {place}", 1: "Platz {place}"},
        )
    ]
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue.save_as_mofile(str(folder / "django.mo"))
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    settings.LOCALE_PATHS = [tmp_path]


def test_log_is_written_in_the_site_language() -> None:
    event = make_event()
    (row,) = make_registrations(event, 1)
    with translation.override("de"):
        withdraw(row, make_user())
    assert sure(event.audit.first()).text == f"{row.name} withdrew."


def test_log_follows_a_changed_site_language(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "de"
    event = make_event()
    (row,) = make_registrations(event, 1)
    withdraw(row, make_user())
    assert sure(event.audit.first()).text == f"{row.name} ist ausgeschieden."


def test_rounds_and_plans_are_shown_in_the_reader_language() -> None:
    event, organizer = make_organized_event(4)
    second = make_second_stage(event, organizer, 2)
    final = Round.objects.get(pk=draw_bracket(second, organizer).pk)
    assert (str(final), str(final.seating.plan)) == ("Final", "Final: one table of 2.")
    with translation.override("de"):
        assert (str(final), str(final.seating.plan)) == ("Finale", "Finale: ein Tisch zu 2.")


def test_advancement_reason_is_shown_in_the_reader_language() -> None:
    event, organizer = make_organized_event(4)
    with translation.override("de"):
        make_second_stage(event, organizer, 2)
    first = Qualifier.objects.get(seed=1)
    assert str(first.reason) == "1st in the standings. The top 2 advance."
    with translation.override("de"):
        assert str(first.reason) == "Platz 1."


def test_reasons_stored_as_plain_text_are_readable() -> None:
    old = Qualifier(note="1st at table 1. The top 2 advance.")
    assert str(old.reason) == "1st at table 1. The top 2 advance."
    assert str(Qualifier().reason) == ""


def test_pure_modules_use_the_reader_language() -> None:
    with translation.override("de"):
        assert join_words(["Asha", "Ben", "Chitra"]) == "Asha, Ben und Chitra"
    assert join_words(["Asha", "Ben", "Chitra"]) == "Asha, Ben and Chitra"
    assert (join_words([]), join_words(["Asha"])) == ("", "Asha")
