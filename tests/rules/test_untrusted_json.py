"""Tests of the checks on JSON values from untrusted sources."""

from collections.abc import Callable

import pytest

from games.rules import untrusted_json
from games.rules.untrusted_json import InvalidJsonError


def test_valid_json_values_are_returned() -> None:
    assert untrusted_json.required_value({"a": None}, "a") is None
    assert untrusted_json.integer_of(3, 3, "x") == 3
    assert untrusted_json.seat_of(2, 3, "x") == 2
    assert untrusted_json.list_of([1], "x") == [1]
    assert untrusted_json.object_of({"a": 1}, "x") == {"a": 1}
    assert untrusted_json.text_of("é🃏", "x") == "é🃏"
    assert untrusted_json.bytes_of("00ff", 2, "x") == b"\x00\xff"


@pytest.mark.parametrize("value", [True, 1.0, "1", None, 10**30])
def test_booleans_and_floats_are_not_integers(value: object) -> None:
    assert untrusted_json.is_int(value) is (value == 10**30)


@pytest.mark.parametrize(
    ("read", "problem"),
    [
        (lambda: untrusted_json.required_value({}, "a", "x: "), 'x: missing key "a"'),
        (lambda: untrusted_json.integer_of(2, 3, "x"), "x: 2 is not a whole number of at least 3"),
        (
            lambda: untrusted_json.integer_of(True, 0, "x"),
            "x: True is not a whole number of at least 0",
        ),
        (
            lambda: untrusted_json.integer_of("3", 0, "x"),
            "x: '3' is not a whole number of at least 0",
        ),
        (lambda: untrusted_json.seat_of(3, 3, "x"), "x: 3 is not a seat: the seats are 0 to 2"),
        (lambda: untrusted_json.seat_of(-1, 3, "x"), "x: -1 is not a seat: the seats are 0 to 2"),
        (
            lambda: untrusted_json.seat_of(False, 3, "x"),
            "x: False is not a seat: the seats are 0 to 2",
        ),
        (lambda: untrusted_json.list_of({}, "x"), "x: expected a list, got {}"),
        (lambda: untrusted_json.object_of([], "x"), "x: expected an object, got []"),
        (lambda: untrusted_json.text_of(7, "x"), "x: 7 is not text"),
        (
            lambda: untrusted_json.text_of("\udfff", "x"),
            "x: '\\udfff' contains half a character, which no",
        ),
        (lambda: untrusted_json.bytes_of("00f", 2, "x"), "x: expected 2 bytes in lower-case hex"),
        (lambda: untrusted_json.bytes_of("00FF", 2, "x"), "x: expected 2 bytes in lower-case hex"),
        (lambda: untrusted_json.bytes_of("0x0f", 2, "x"), "x: expected 2 bytes in lower-case hex"),
        (lambda: untrusted_json.bytes_of(None, 2, "x"), "x: None is not text"),
        (
            lambda: untrusted_json.check_keys({"a": 1, "c": 2}, frozenset(["b", "a"]), "x"),
            "x: 'c' is not one of a, b",
        ),
    ],
)
def test_unexpected_json_is_refused(read: Callable[[], object], problem: str) -> None:
    with pytest.raises(InvalidJsonError) as caught:
        read()
    assert str(caught.value).startswith(problem)
