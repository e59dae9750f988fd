"""Translation of the rules' texts from English into other languages.

All texts about the rules use this module. A text is marked where it is written, and translated when
it is shown, never when a module is imported:

    _("{name} draws {card}.").format(name=name, card=card)
    ngettext("{count} card", "{count} cards", count).format(count=count)

Placeholders have names, because their order differs between languages. Texts in constants are
marked with `gettext_noop`, and translated with `_` when they are used. This module contains no
translations. `install` sets the translator for all threads.
"""

from typing import Protocol


class Translator(Protocol):
    """Translator into the reader's language, such as the module django.utils.translation."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...


class English:
    """Translator that returns each text unchanged."""

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return singular if number == 1 else plural

    def pgettext(self, context: str, message: str, /) -> str:
        return message


_translator: Translator = English()


def install(translator: Translator) -> Translator:
    """Install this translator for all texts, and return the previous one."""
    global _translator
    before, _translator = _translator, translator
    return before


def _(message: str) -> str:
    """Return the translation of the text into the reader's language."""
    return _translator.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the translation of the text in the plural form for this number."""
    return _translator.ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Return the translation of a text whose English is ambiguous without context.

    The context is shown to translators.
    """
    return _translator.pgettext(context, message)


def gettext_noop(message: str) -> str:
    """Mark a text for translation without translating it yet."""
    return message
