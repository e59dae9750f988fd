"""Tests of certificates and of the page that verifies them."""

import re
import zlib
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.events.closing.test_locking import make_finished_event, make_locked_event
from tournament.events.closing.certificates import list_certificates
from tournament.events.closing.locking import lock_results, unlock_results
from tournament.models import Certificate, Event, Registration
from tournament.pure.files import fonts, scripts

pytestmark = pytest.mark.django_db


def sign_in(certificate: Certificate) -> Client:
    client = Client()
    client.force_login(certificate.registration.user)
    return client


def list_letters_in_fonts(pdf: bytes) -> set[str]:
    """Return the letters in the PDF, from the glyph-to-Unicode maps of its fonts."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    maps = [each for each in map(decompress_stream, streams) if b"begincmap" in each]
    codes = re.findall(rb"^<[0-9A-F]+> <([0-9A-F]+)>$", b"\n".join(maps), re.MULTILINE)
    return set("".join(bytes.fromhex(code.decode()).decode("utf-16-be") for code in codes))


def decompress_stream(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def read_certificate_page(certificate: Certificate) -> str:
    return Client().get(reverse("certificate", args=[certificate.code])).content.decode()


def test_visitor_can_verify_a_certificate() -> None:
    event, organizer = make_locked_event(4, place="Seminar Hall 2")
    first = next(iter(list_certificates(event)))
    shown = read_certificate_page(first)
    for said in (
        "This certificate is genuine.",
        first.registration.name,
        event.title,
        "first place",
        "Seminar Hall 2",
    ):
        assert said in shown
    unlock_results(event, organizer, "Misread.")
    assert "being corrected" in read_certificate_page(first)
    Certificate.objects.update(withdrawn_at=event.locked_at)
    assert "no longer valid" in read_certificate_page(first)
    assert first.registration.name not in read_certificate_page(first)


def test_certificate_with_an_unknown_code_is_not_found() -> None:
    assert Client().get(reverse("certificate", args=["A" * 24])).status_code == 404


def test_player_finds_own_certificate_on_the_event_page() -> None:
    event, _organizer = make_locked_event(4)
    found = next(iter(list_certificates(event)))
    client, file = sign_in(found), reverse("my-certificate", args=[event.slug])
    for name in ("event", "my-table"):
        assert file in client.get(reverse(name, args=[event.slug])).content.decode()
    answer = client.get(file)
    assert answer["Content-Type"] == "application/pdf"
    assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}-certificate.pdf"'
    # The QR code is also a link.
    assert f"http://testserver/certificates/{found.code}/".encode() in answer.content


def test_certificates_do_not_exist_before_the_lock() -> None:
    event, _organizer = make_finished_event(4)
    client = Client()
    client.force_login(event.registrations.all()[0].user)
    assert client.get(reverse("my-certificate", args=[event.slug])).status_code == 404
    assert "My certificate" not in client.get(reverse("event", args=[event.slug])).content.decode()


def test_player_who_never_played_has_no_certificate(event: Event) -> None:
    locked, _organizer = make_locked_event(4)
    client = Client()
    client.force_login(event.organizers.get())
    assert client.get(reverse("my-certificate", args=[locked.slug])).status_code == 404


def test_player_without_a_font_for_the_name_gets_a_certificate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scripts, "DEBIAN_FONTS", Path("/nowhere"))
    event, _organizer = make_locked_event(4)
    found = next(iter(list_certificates(event)))
    event.registrations.filter(pk=found.registration_id).update(name="漢")
    answer = sign_in(found).get(reverse("my-certificate", args=[event.slug]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert fonts.BOX in list_letters_in_fonts(answer.content)
    event.registrations.filter(pk=found.registration_id).update(name="Asha")
    answer = sign_in(found).get(reverse("my-certificate", args=[event.slug]))
    letters = list_letters_in_fonts(answer.content)
    assert ("A" in letters, fonts.BOX in letters) == (True, False)


def test_disqualified_player_has_no_certificate() -> None:
    event, organizer = make_finished_event(4)
    out = event.registrations.all()[0]
    out.state = Registration.State.DISQUALIFIED
    out.save()
    lock_results(event, organizer, sure=True)
    assert out.pk not in {found.registration_id for found in list_certificates(event)}
