"""Tests of the text form of keys for push messages."""

import pytest

from tournament.pure.push_keys import decode_base64url, encode_base64url


@pytest.mark.parametrize("value", [b"", b"\xff", b"\xfb\xff", b"\xfb\xff\xfe"])
def test_decoding_reverses_encoding_with_or_without_padding(value: bytes) -> None:
    text = encode_base64url(value)
    assert (decode_base64url(text), decode_base64url(text + "=" * (-len(text) % 4))) == (
        value,
        value,
    )


@pytest.mark.parametrize("text", ["a", "a b=", "ä", "+/8="])
def test_invalid_base64url_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)base64|padding|ascii"):
        decode_base64url(text)
