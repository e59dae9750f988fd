"""Language of stored text: the site's own, regardless of the user's language.

Stored text is read later, by people of several languages.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def use_site_language() -> AbstractContextManager[None]:
    """Put into words in the site's language what is put into words inside."""
    return translation.override(settings.LANGUAGE_CODE)


def translate_later(text: str, /, **filling: object) -> Callable[[], str]:
    """Return a function that translates and fills the sentence when it is called.

    The language is the one active at that time.
    """
    return lambda: translation.gettext(text).format(**filling)
