"""Language of stored text: the site's own, regardless of the user's language.

Stored text is read later, by people with different languages.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def use_site_language() -> AbstractContextManager[None]:
    """Return a context in which texts are translated into the site's language."""
    return translation.override(settings.LANGUAGE_CODE)


def translate_later(text: str, /, **filling: object) -> Callable[[], str]:
    """Return a function that translates and fills the sentence when called.

    It uses the language that is active at that time.
    """
    return lambda: translation.gettext(text).format(**filling)
