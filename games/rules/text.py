"""Translation of the texts of the rules: English as written here, or another language.

All words of the rules pass through this module. A text is marked where it is written, and
translated when it is shown, never at import:

    _("{name} draws {card}.").format(name=name, card=card)
    ngettext("{count} card", "{count} cards", count).format(count=count)

Placeholders have names, since another language orders them differently. A table of texts marks
them with `gettext_noop`, and its users pass each text through `_`. This module knows no
languages: `install` sets a translator that does, permanently and for all threads.
"""

from typing import Protocol


class Translator(Protocol):
    """Translator into the reader's language; Django's `translation` is one."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int, /) -> str: ...

    def pgettext(self, context: str, message: str, /) -> str: ...


class English:
    """The texts as they are written."""

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return singular if number == 1 else plural

    def pgettext(self, context: str, message: str, /) -> str:
        return message


_translator: Translator = English()


def install(translator: Translator) -> Translator:
    """Ask this translator from now on; the answer is the one that was asked before."""
    global _translator
    before, _translator = _translator, translator
    return before


def _(message: str) -> str:
    """Return the text in the reader's language."""
    return _translator.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return the form of the text that the language has for this number."""
    return _translator.ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Return a translation of a text whose English is ambiguous without context.

    Translators see the context.
    """
    return _translator.pgettext(context, message)


def gettext_noop(message: str) -> str:
    """Mark a text that is put into words later."""
    return message
