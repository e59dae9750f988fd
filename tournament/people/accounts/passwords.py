"""Validation that refuses passwords which are easy to guess on this site."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class SiteWordsValidator:
    """Validator that refuses passwords made up mostly of the site's own words.

    * `words`: the site's words, in lower case.
    * `least`: the minimum number of characters that do not belong to these words.
    """

    def __init__(self, words: Collection[str], least: int = 8) -> None:
        self.words = sorted(words, key=len, reverse=True)
        self.least = least

    def validate(self, password: str, user: object = None) -> None:
        rest = password.casefold()
        for word in self.words:
            rest = rest.replace(word, "")
        if len(rest) < self.least:
            text = _("This password is too easy to guess on this site. Add words of your own.")
            raise ValidationError(text, code="site-words")

    def get_help_text(self) -> str:
        return _("Your password needs more than the names of the site and its games.")
