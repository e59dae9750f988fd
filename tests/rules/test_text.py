"""Tests of rule texts, which are English unless a translator is installed."""

from collections.abc import Callable, Iterator

import pytest

from games.rules import text

Install = Callable[[text.Translator], text.Translator]


class LoudTranslator:
    """Translator into capital letters, with a special plural form for two."""

    def gettext(self, message: str) -> str:
        return message.upper()

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return {1: singular, 2: f"a pair of {plural}"}.get(number, plural).upper()

    def pgettext(self, context: str, message: str) -> str:
        return f"{message} ({context})".upper()


@pytest.fixture
def install() -> Iterator[Install]:
    first = text.install(text.English())
    yield text.install
    text.install(first)


@pytest.mark.usefixtures("install")
def test_texts_are_english_without_a_translator() -> None:
    assert text._("It’s not your turn.") == "It’s not your turn."
    assert text.pgettext("of a clock", "Time") == "Time"
    assert [text.ngettext("card", "cards", n) for n in (0, 1, 2)] == ["cards", "card", "cards"]


def test_texts_are_translated_when_rendered(install: Install) -> None:
    install(LoudTranslator())
    assert text._("Draw") == "DRAW"
    assert text.pgettext("of a clock", "Time") == "TIME (OF A CLOCK)"
    assert [text.ngettext("card", "cards", n) for n in (1, 2, 3)] == [
        "CARD",
        "A PAIR OF CARDS",
        "CARDS",
    ]


def test_install_returns_the_previous_translator(install: Install) -> None:
    loud = LoudTranslator()
    install(loud)
    assert install(text.English()) is loud


def test_marked_text_is_unchanged(install: Install) -> None:
    install(LoudTranslator())
    assert text.gettext_noop("Draw") == "Draw"
