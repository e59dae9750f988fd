"""Language of stored text: the language of the site, not of the user.

Stored text is read later by people who use different languages.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def use_site_language() -> AbstractContextManager[None]:
    """Return a context manager that translates texts into the site's language."""
    return translation.override(settings.LANGUAGE_CODE)


def translate_later(text: str, /, **values: object) -> Callable[[], str]:
    """Return a function that translates and fills in the sentence when it is called.

    The function uses the language that is active at the time of the call.
    """
    return lambda: translation.gettext(text).format(**values)
