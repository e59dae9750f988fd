"""Tests of the strict parser, which explains what is wrong with an invalid message."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.sockets.messages import FIELDS, InvalidMessageError, parse_simple, read

VALID_MESSAGES = [
    {"type": "action", "id": "a1", "version": 12, "action": {"play": "R5", "color": "G"}},
    {"type": "ping", "version": 0},
    {"type": "echo", "n": 3},
    {"type": "sync"},
    {"type": "take_over"},
    {"type": "ready", "id": "g1", "hand": 4},
    {"type": "call_referee", "id": "r1", "reason": ""},
    {"type": "take_call_back", "id": "r2"},
    {"type": "react", "id": "f1", "shown": "laugh"},
]


def get_refusal(text: str) -> InvalidMessageError:
    with pytest.raises(InvalidMessageError) as info:
        read(text)
    return info.value


KIND_ERROR = (
    "“type” must be one of: action, ping, echo, sync, take_over, commit, open, "
    "ready, call_referee, take_call_back, react."
)


@pytest.mark.parametrize("message", VALID_MESSAGES, ids=lambda message: message["type"])
def test_every_protocol_message_is_parsed(message: dict[str, Any]) -> None:
    assert read(json.dumps(message)) == message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The message isn’t valid JSON"),
        ("{'type': 'sync'}", "The message isn’t valid JSON"),
        ('"sync"', 'The message must be a JSON object such as {"type": "sync"}.'),
        (
            "{}",
            KIND_ERROR,
        ),
        (
            '{"type":"__class__"}',
            KIND_ERROR,
        ),
        (
            '{"type":["sync"]}',
            KIND_ERROR,
        ),
        ('{"type":"sync","version":1}', "'sync' messages don’t take 'version'."),
        ('{"type":"sync","__proto__":{}}', "'sync' messages don’t take '__proto__'."),
        (
            '{"type":"sync","type":"ping"}',
            "The message repeats a key. Each key may appear only once.",
        ),
        ('{"type":"ping","version":NaN}', "NaN isn’t a JSON number."),
        ('{"type":"ping","version":-Infinity}', "-Infinity isn’t a JSON number."),
        ('{"type":"ping"}', "'ping' messages must include 'version' as an integer."),
        ('{"type":"ping","version":true}', "'ping' messages must include 'version' as an integer."),
        ('{"type":"ping","version":1.5}', "'ping' messages must include 'version' as an integer."),
        ('{"type":"ping","version":-1}', "“version” must be the version of the latest view."),
        (
            '{"type":"ping","version":99999999999}',
            "“version” must be the version of the latest view.",
        ),
        ('{"type":"ping","version":' + "9" * 5000 + "}", "The message isn’t valid JSON"),
        ("[" * 4000, "The message is nested more than 8 levels deep."),
        ('{"a":' * 4000, "The message is nested more than 8 levels deep."),
        (
            '{"type":"\\ud800"}',
            "The message contains half of a surrogate pair, which isn’t valid text.",
        ),
    ],
)
def test_error_names_the_mistake(text: str, sentence: str) -> None:
    assert str(get_refusal(text)).startswith(sentence)


@pytest.mark.parametrize("client_id", ["", "x" * 65, "a\u0000b", "a\nb"])
def test_ids_must_be_short_and_printable(client_id: str) -> None:
    message = {"type": "action", "id": client_id, "version": 1, "action": {}}
    error = get_refusal(json.dumps(message))
    assert str(error) == "“id” must be 1 to 64 printable characters long."
    assert error.client_id == client_id


def test_refusal_contains_the_message_id_if_present() -> None:
    assert get_refusal('{"type":"action","id":"mine","version":1}').client_id == "mine"
    assert get_refusal('{"type":"action","id":7,"version":1,"action":{}}').client_id is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
keys = st.sampled_from(["type", "id", "version", "action"]) | st.text(max_size=9)
kinds = st.sampled_from(list(FIELDS)) | values


@given(text=st.text(max_size=300) | st.dictionaries(keys, kinds | values).map(json.dumps))
@example(text='{"type": "action", "id": "\ud800", "version": 1, "action": {}}')
def test_any_input_gives_a_message_or_an_error_sentence(text: str) -> None:
    try:
        message: Any = read(text)
    except InvalidMessageError:
        return
    fields = FIELDS[message["type"]]
    assert message.keys() == fields.keys() | {"type"}
    assert all(type(message[name]) is wanted for name, wanted in fields.items())


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"ping","version":0}',
        '{"type": "ping", "version": 12}',
        '{"type":"ping","version":2147483647}',
        '{"type":"echo","n":3}',
        '{"type": "echo", "n": 0}',
    ],
)
def test_fast_parser_agrees_with_the_general_parser(text: str) -> None:
    assert parse_simple(text.encode()) == read(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"ping","version":012}',
        '{"type":"ping","version":2147483648}',
        '{"type":"ping","version":-1}',
        '{"type":"ping","version":1.0}',
        '{"type":"ping","version":1,"version":2}',
        ' {"type":"ping","version":1}',
        '{"version":1,"type":"ping"}',
        '{"type":"echo","n":3}\n',
        '{"type":"sync"}',
    ],
)
def test_unusual_messages_are_left_to_the_general_parser(text: str) -> None:
    assert parse_simple(text.encode()) is None
