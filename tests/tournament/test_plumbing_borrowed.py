"""Texts of libraries that we translate are theirs, word for word."""

from tests import catalogues, pseudo

HERE = "tournament/plumbing/borrowed.py"


def test_every_borrowed_text_is_one_that_a_library_says() -> None:
    theirs = {(each.msgctxt, each.msgid) for each in pseudo.libraries("django")}
    borrowed = [
        (each.msgctxt, each.msgid)
        for each in catalogues.extracted()["django"]
        if HERE in {path for path, _line in each.occurrences}
    ]
    assert len(borrowed) > 100
    assert [each for each in borrowed if each not in theirs] == []
