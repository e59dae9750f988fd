"""What is stored is in the site's language; the rest is told in the reader's."""

from pathlib import Path

import polib
import pytest
from django.utils import translation
from pytest_django import Settings

from tests.factories import make_event, make_registrations, make_user
from tests.tournament.helpers import organized, qualified
from tests.typed import sure
from tournament.models import Qualifier
from tournament.services.advancing import draw_bracket
from tournament.services.registering import withdraw
from tournament.words import listed

pytestmark = pytest.mark.django_db

GERMAN = {
    "{name} withdrew.": "{name} ist ausgeschieden.",
    "Final": "Finale",
    "Final: one table of {size}.": "Finale: ein Tisch zu {size}.",
    "Place {place} of {where}; the first {count} go through.": "Platz {place}.",
    "Place {place} of {where}; the first goes through.": "Platz {place}.",
    "{first} and {last}": "{first} und {last}",
}


@pytest.fixture(autouse=True)
def german(settings: Settings, tmp_path: Path) -> None:
    """A second language that knows a few texts."""
    catalogue = polib.POFile()
    catalogue += [polib.POEntry(msgid=text, msgstr=told) for text, told in GERMAN.items()]
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalogue.save_as_mofile(str(folder / "django.mo"))
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    settings.LOCALE_PATHS = [tmp_path]


def test_the_log_is_in_the_site_s_language_whoever_acts() -> None:
    event = make_event()
    (row,) = make_registrations(event, 1)
    with translation.override("de"):
        withdraw(row, make_user())
    assert sure(event.audit.first()).text == f"{row.name} withdrew."


def test_the_log_follows_the_site_s_language(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "de"
    event = make_event()
    (row,) = make_registrations(event, 1)
    withdraw(row, make_user())
    assert sure(event.audit.first()).text == f"{row.name} ist ausgeschieden."


def test_a_round_is_called_in_the_reader_s_language_its_plan_is_kept_in_the_site_s() -> None:
    event, organizer = organized(4)
    second = qualified(event, organizer, 2)
    with translation.override("de"):
        final = draw_bracket(second, organizer)
        assert str(final) == "Finale"
    assert (str(final), final.seating.plan) == ("Final", "Final: one table of 2.")


def test_why_somebody_went_through_is_noted_in_the_site_s_language() -> None:
    event, organizer = organized(4)
    with translation.override("de"):
        qualified(event, organizer, 2)
    notes = Qualifier.objects.order_by("seed").values_list("note", flat=True)
    assert [note.partition(";")[0] for note in notes] == [
        "Place 1 of the standings",
        "Place 2 of the standings",
    ]


def test_pure_modules_tell_in_the_reader_s_language() -> None:
    with translation.override("de"):
        assert listed(["Asha", "Ben", "Chitra"]) == "Asha, Ben und Chitra"
    assert listed(["Asha", "Ben", "Chitra"]) == "Asha, Ben and Chitra"
    assert (listed([]), listed(["Asha"])) == ("", "Asha")
