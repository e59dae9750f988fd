"""Tests that notes and match titles are shown in each reader's language."""

from pathlib import Path

import polib
import pytest
from django.utils import timezone, translation
from pytest_django import Settings

from games import queries, services, store
from games.json_values.state import LiveState
from games.models import Match
from games.services import Occasion
from games.tables import notes
from tests.factories import make_user
from tests.games.helpers import begin, reload, seat_number

pytestmark = pytest.mark.django_db

GERMAN_TEXTS = {
    "An organizer gave {name} {seconds} s extra per turn.": "{seconds} s mehr für {name}.",
    "An organizer had hand {number} dealt again: {reason}": "Teil {number} neu: {reason}",
    "Round {round}, table {table}": "Runde {round}, Tisch {table}",
    "Semi-final, table {table}": "Halbfinale, Tisch {table}",
    "Quarter-final, table {table}": "Viertelfinale, Tisch {table}",
    "Final, table {table}": "Finale, Tisch {table}",
    "Practice": "Übung",
    "A new practice match was started.": "Ein neues hat begonnen.",
    "The match was abandoned: {reason}": "Abgebrochen: {reason}",
    "Void: {reason}": "Zählt nicht: {reason}",
}


@pytest.fixture(autouse=True)
def german_catalogue(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "de" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    catalogue += [polib.POEntry(msgid=text, msgstr=said) for text, said in GERMAN_TEXTS.items()]
    catalogue.save_as_mofile(str(path))
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    settings.LOCALE_PATHS = [tmp_path]


def get_last_line(match: Match) -> str:
    view = queries.match_view(reload(match), match.seats.get(number=0).user)
    return view["log"][-1]["text"]


def test_note_is_shown_in_the_language_of_each_reader() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with translation.override("de"):
        services.give_time(match, seat_number(0), 15)
    name = match.seats.get(number=0).name
    assert get_last_line(match) == f"An organizer gave {name} 15 s extra per turn."
    with translation.override("de"):
        assert get_last_line(match) == f"15 s mehr für {name}."


def test_organizer_text_is_shown_unchanged() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    services.redo_hand(match, "{seat} showed a card.")
    with translation.override("de"):
        assert get_last_line(match) == "Teil 1 neu: {seat} showed a card."


def test_note_stored_as_a_sentence_is_still_shown() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    said = {"after": 0, "place": 0, "text": "Somebody {is} here again."}
    state = LiveState.from_json({"notes": [said]})
    (note,) = state.notes
    assert notes.note_text(note, store.load(match.pk)) == "Somebody {is} here again."
    assert LiveState.from_json(state.to_json()) == state


@pytest.mark.parametrize(
    ("occasion", "expected", "expected_in_german"),
    [
        (Occasion(4, 2), "Round 2, table 4", "Runde 2, Tisch 4"),
        (Occasion(2, 5, "semi"), "Semi-final, table 2", "Halbfinale, Tisch 2"),
        (Occasion(2, 4, "quarter"), "Quarter-final, table 2", "Viertelfinale, Tisch 2"),
        (Occasion(1), "Final, table 1", "Finale, Tisch 1"),
        (Occasion(), "As it was called", "As it was called"),
    ],
)
def test_event_match_is_named_after_its_occasion(
    occasion: Occasion, expected: str, expected_in_german: str
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", title="As it was called", occasion=occasion)
    assert (str(reload(match)), get_heading(match)) == (expected, expected)
    with translation.override("de"):
        assert (str(reload(match)), get_heading(match)) == (expected_in_german, expected_in_german)


def get_heading(match: Match) -> str:
    return queries.match_view(reload(match), make_user())["match"]["title"]


@pytest.mark.parametrize(
    ("language", "title", "ended", "note"),
    [
        (
            "en",
            "Practice",
            "The match was abandoned: A new practice match was started.",
            "Void: A new practice match was started.",
        ),
        (
            "de",
            "Übung",
            "Abgebrochen: Ein neues hat begonnen.",
            "Zählt nicht: Ein neues hat begonnen.",
        ),
    ],
)
def test_practice_title_and_ending_use_the_readers_language(
    language: str, title: str, ended: str, note: str
) -> None:
    user = make_user()
    first = services.start_practice(user, "uno-400", 2)
    services.tick(first.due)
    services.start_practice(user, "uno-400", 2)
    snapshot = store.load(first.pk)
    with translation.override(language):
        page = queries.result_page(snapshot)
        view = queries.table_view(snapshot, None, {}, timezone.now(), controls=False)
        assert (str(first), view["match"]["title"], page["ended_text"]) == (title, title, ended)
        assert [hand["note"] for hand in page["hands"]] == [note]
