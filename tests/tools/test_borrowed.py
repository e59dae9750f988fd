"""Tests that the library texts we translate match the libraries word for word."""

import django

from tests import catalogues, pseudo

# The quotation marks in this text change in Django 6.1, so one of the two variants always belongs
# to the other version.
PROTECTED = (
    "Deleting the %(object_name)s {} would require deleting the following "
    "protected related objects:"
)


def test_every_borrowed_text_exists_in_a_library() -> None:
    theirs = {(each.msgctxt, each.msgid) for each in pseudo.iter_library_texts("django")}
    texts = [(context, text) for context, text, _ in catalogues.iter_borrowed_texts()]
    later = django.VERSION >= (6, 1)
    missing = PROTECTED.format("'%(escaped_object)s'" if later else "“%(escaped_object)s”")
    assert [each for each in texts if each not in theirs] == [(None, missing)]
