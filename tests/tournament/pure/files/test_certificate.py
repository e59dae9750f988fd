"""Tests of certificates as PDF files."""

import io
from pathlib import Path

import pytest

from tournament.pure.files import scripts
from tournament.pure.files.certificate import Diploma, write_certificates

ADDRESS = "https://uno.college.example/certificates/AbCdEf/"


def write_diplomas(*diplomas: Diploma) -> bytes:
    out = io.BytesIO()
    write_certificates(diplomas, out)
    return out.getvalue()


def make_diploma(name: str = "Asha Kumari", place: int | None = None) -> Diploma:
    return Diploma(name, "Chem Fest", place, "Hall 2, 22 November 2026", ADDRESS)


def test_each_certificate_has_its_own_landscape_page() -> None:
    content = write_diplomas(make_diploma(), make_diploma("Ben", 1), make_diploma("क्षितिज", 3))
    assert content.count(b"/Type /Page\n") == 3
    assert b"/MediaBox [0 0 841.89 595.28]" in content


def test_qr_code_links_to_the_verification_page() -> None:
    assert write_diplomas(make_diploma()).count(ADDRESS.encode()) == 1


@pytest.mark.parametrize("name", ["A", "Venkata Subrahmanya " * 6])
def test_name_of_any_length_fits_on_one_page(name: str) -> None:
    assert write_diplomas(make_diploma(name)).count(b"/Type /Page\n") == 1


def test_place_is_drawn_on_the_certificate() -> None:
    plain, placed = len(write_diplomas(make_diploma())), len(write_diplomas(make_diploma(place=2)))
    assert placed > plain


def test_certificate_with_missing_letters_is_written_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scripts, "DEBIAN_FONTS", Path("/nowhere"))
    out = io.BytesIO()
    sentence = write_certificates(
        [make_diploma("Asha"), make_diploma("王伟"), make_diploma("রবি")], out
    )
    assert out.getvalue().count(b"/Type /Page\n") == 3
    assert sentence == (
        "No font on this site has all letters of “王伟”, so the PDF shows ▯ for some. "
        "Ask for “fonts-noto-cjk” to be installed on the server."
    )


def test_no_sentence_is_returned_if_no_letters_are_missing() -> None:
    assert write_certificates([make_diploma("Asha"), make_diploma("রবি")], io.BytesIO()) == ""
