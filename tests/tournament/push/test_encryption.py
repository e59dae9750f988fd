"""Tests of encrypting and signing push messages, with the example of RFC 8291."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pytest_django import Settings

from tests.push_service import FakeDevice, PushedRequest, decode_base64url
from tournament.pure.push_keys import encode_base64url
from tournament.push import encryption

# RFC 8291, appendix A.
PLAINTEXT = b"When I grow up, I want to be a watermelon"
PUBLIC_KEY = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
PRIVATE_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SECRET, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
CIPHERTEXT = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAm"
    "S6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Q"
    "ulcy4a-fN"
)


def test_encryption_reproduces_the_example_of_the_standard() -> None:
    key = ec.derive_private_key(
        int.from_bytes(decode_base64url(PRIVATE_KEY), "big"), ec.SECP256R1()
    )
    point, secret, salt = (decode_base64url(each) for each in (PUBLIC_KEY, SECRET, SALT))
    assert encode_base64url(encryption.encrypt(PLAINTEXT, point, secret, salt, key)) == CIPHERTEXT


def test_each_message_has_its_own_salt_and_key() -> None:
    bodies = {
        encryption.encrypt(PLAINTEXT, decode_base64url(PUBLIC_KEY), decode_base64url(SECRET))
        for _ in range(3)
    }
    assert len({body[:16] for body in bodies}) == 3
    assert len({body[21:86] for body in bodies}) == 3


def test_message_longer_than_one_record_is_refused() -> None:
    point, secret = decode_base64url(PUBLIC_KEY), decode_base64url(SECRET)
    assert len(encryption.encrypt(b"x" * encryption.MAX_TEXT_BYTES, point, secret)) == 4096
    with pytest.raises(ValueError, match="too long"):
        encryption.encrypt(b"x" * (encryption.MAX_TEXT_BYTES + 1), point, secret)


def test_device_decrypts_its_message() -> None:
    device = FakeDevice("https://push.example/1")
    keys = device.to_json()["keys"]
    body = encryption.encrypt(
        b'{"title": "Hi"}', decode_base64url(keys["p256dh"]), decode_base64url(keys["auth"])
    )
    assert device.read(body) == {"title": "Hi"}


def test_key_from_the_settings_takes_precedence_over_the_secret(settings: Settings) -> None:
    def find_key(secret: str, configured: str = "") -> str:
        settings.SECRET_KEY, settings.VAPID_PRIVATE_KEY = secret, configured
        return encryption.public_key()

    assert find_key("a" * 50) == find_key("a" * 50)
    assert find_key("a" * 50) != find_key("b" * 50)
    assert find_key("a" * 50, PRIVATE_KEY) == find_key("b" * 50, PRIVATE_KEY)
    assert len(decode_base64url(find_key("a" * 50))) == 65


@pytest.mark.parametrize(
    ("contact", "site", "sender", "expected"),
    [
        ("help@college.example", "", "a@b.example", "mailto:help@college.example"),
        ("", "https://cards.example/", "a@b.example", "https://cards.example/"),
        ("", "", "Cards <a@b.example>", "mailto:a@b.example"),
        ("", "http://cards.example/", "a@b.example", "mailto:a@b.example"),
    ],
)
def test_signature_contains_the_service_and_a_contact(
    settings: Settings, contact: str, site: str, sender: str, expected: str
) -> None:
    settings.PRIVACY_CONTACT, settings.SITE_ADDRESS = contact, site
    settings.DEFAULT_FROM_EMAIL = sender
    header = encryption.authorization("https://push.example:8443/1?v=2")
    request = PushedRequest("/1", {"authorization": header}, b"")
    assert request.check_signature("https://push.example:8443")["sub"] == expected
