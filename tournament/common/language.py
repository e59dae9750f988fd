"""In which language what is stored is written: in the site's own, whoever acts.

It is read later, by people of several languages.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.utils import translation


def use_site_language() -> AbstractContextManager[None]:
    """Put into words in the site's language what is put into words inside."""
    return translation.override(settings.LANGUAGE_CODE)


def translate_later(text: str, /, **filling: object) -> Callable[[], str]:
    """The sentence, put into words where it is called: in the language of then."""
    return lambda: translation.gettext(text).format(**filling)
