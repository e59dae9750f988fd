"""Tests of the codec for stored values. Errors name the faulty field but reveal no stored value."""

import traceback
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest

from games.json_values.codec import JsonValue
from games.json_values.deals import Deals
from games.json_values.event_context import Occasion
from games.json_values.seat_history import Sitters
from games.json_values.state import LiveState
from games.models.serving import SampledFigures
from games.rules.untrusted_json import InvalidJsonError
from tests.games.json_values.test_golden import HEX, SAMPLES

STORED_ATTEMPT = SAMPLES[Deals]["typical"].to_json()["attempts"][1]


def get_json_error(kind: type[JsonValue], data: Any) -> str:
    with pytest.raises(InvalidJsonError) as caught:
        kind.from_json(data)
    return str(caught.value)


def get_attempt_error(**changes: object) -> str:
    return get_json_error(
        Deals, {"version": 1, "attempts": [STORED_ATTEMPT, STORED_ATTEMPT | changes]}
    )


@pytest.mark.parametrize(
    ("kind", "data", "message"),
    [
        (LiveState, [], "LiveState: expected an object, got []"),
        (LiveState, "", "LiveState: expected an object, got ''"),
        (LiveState, {"version": "2"}, "version: '2' is not a whole number of at least 0"),
        (LiveState, {"version": 3}, "LiveState of version 3 cannot be read."),
        (LiveState, {"banks": {"0": 5, "x": 1}}, "LiveState.banks.x.[key]: Input should be a "
         "valid integer, unable to parse string as an integer"),
        (LiveState, {"notes": [{"after": 1}]}, "LiveState.notes.0.place: Field required"),
        (LiveState, {"notes": [7]}, "LiveState.notes.0: Input should be a dictionary or an "
         "instance of LogNote"),
        (Sitters, {"ever": [["Asha", "", 1]]}, "Sitters.ever.0.3: Field required"),
        (Occasion, {"table": "four"}, "Occasion.table: Input should be a valid integer, unable to "
         "parse string as an integer"),
    ],
)  # fmt: skip
def test_error_names_the_path_of_the_value(kind: type[JsonValue], data: Any, message: str) -> None:
    assert get_json_error(kind, data) == message


def test_error_in_a_value_with_its_own_codec_names_its_path() -> None:
    seats = STORED_ATTEMPT["list"] | {"seats": [{"seat": 0, "why": "tired"}]}
    assert get_attempt_error(list=seats) == (
        "Deals.attempts.1.list: Value error, list: seats: seat 0: 'tired' is not one of "
        "bot, none, failed, before"
    )
    assert get_attempt_error(let_go=[-1]) == (
        "Deals.attempts.1.let_go.0: Input should be greater than or equal to 0"
    )
    assert "expected 65 bytes" in get_attempt_error(site="04")


def test_error_reveals_no_stored_value() -> None:
    try:
        Deals.from_json({"attempts": [{**STORED_ATTEMPT, "number": HEX}]})
    except InvalidJsonError:
        shown = traceback.format_exc()
    assert "Deals.attempts.0.number: Input should be a valid integer" in shown
    assert HEX not in shown


def test_unknown_key_is_ignored() -> None:
    assert LiveState.from_json({"hand": 2, "forgotten": True}) == LiveState(hand=2)


@dataclass(frozen=True)
class VersionedValue(JsonValue):
    version: int = field(default=3, init=False, repr=False, compare=False)
    name: str = ""


def test_older_version_is_written_as_the_latest() -> None:
    read = VersionedValue.from_json({"version": 1, "name": "é"})
    assert (read, read.version, repr(read)) == (VersionedValue("é"), 3, "VersionedValue(name='é')")
    assert read.to_json() == {"version": 3, "name": "é"}
    assert orjson.loads(read.to_text()) == read.to_json()


def test_none_is_read_as_the_defaults() -> None:
    assert SampledFigures.from_json(None) == SampledFigures()
    assert (Deals.from_json(None), Deals().to_json(), Deals().to_text()) == (Deals(), {}, b"{}")
