"""The one door for the words of the rules: English as written here, or a translation.

A text is marked where it stands, and put into words when it is told, never at import:

    _("{name} draws {card}.").format(name=name, card=card)
    ngettext("{count} card", "{count} cards", count).format(count=count)

Placeholders have names, since another language orders them differently. A table of texts marks
them with `gettext_noop`, and whoever reads it passes what is found there through `_`. Nothing
here knows of languages: `install` takes whoever does, for all threads and for ever.
"""

from typing import Protocol


class Translator(Protocol):
    """What knows the language of whoever is told; Django's `translation` is one."""

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
    """The text in the language of whoever is told."""
    return _translator.gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """The form of the text that the language has for this number."""
    return _translator.ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """A text whose English alone does not tell what it means; translators see the context."""
    return _translator.pgettext(context, message)


def gettext_noop(message: str) -> str:
    """Mark a text that is put into words later."""
    return message
