"""Tests that the pseudo-language changes every letter, but no placeholder."""

import re

import pytest

from tests.pseudo import translate_to_pseudo


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Draw", "⟦Ðŕåŵöñ⟧"),
        ("%(name)s owes %(cards)s", "⟦%(name)s öŵéš %(cards)s öñ⟧"),
        ("{count} cards of {a.b}", "⟦{count} çåŕðš öƒ {a.b} öñé⟧"),
        ('See <a href="{{ x }}">the log</a>', '⟦Šéé <a href="{{ x }}">ţĥé ļöĝ</a> öñé⟧'),
        ("\nYes\n", "\n⟦Ýéšöñ⟧\n"),
        ("100 %% &nbsp;", "⟦100 %% &nbsp; ö⟧"),
    ],
)
def test_pseudo_translation_changes_letters_but_keeps_placeholders(text: str, changed: str) -> None:
    assert translate_to_pseudo(text) == changed


def test_pseudo_translation_is_forty_percent_longer_and_breakable() -> None:
    text = "It is not your turn, and nobody can be caught now."
    longer = translate_to_pseudo(text)
    assert 1.35 < len(longer.strip("⟦⟧")) / len(text) < 1.45
    assert max(len(word) for word in longer.split()) < 12
    assert not re.search("[A-Za-z]", longer)
