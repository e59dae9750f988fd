"""F15: JSON that is broken, deeply nested or not a valid message."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.sockets.messages import InvalidMessageError, read
from tests.faults.cases import TryCounter
from tests.games.helpers import begin, list_log
from tests.games.windows import open_windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"type":"sync","type":"sync"}', '{"type":"\\ud800"}', "[" * 5000],
)
def test_malformed_messages_are_refused_and_the_socket_stays_open(
    live_site: LiveSite, text: str
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.send(text)
        refused = first.wait_for("refused")
        assert (refused["code"], refused["id"]) == ("malformed", None)
        assert first.act({"play": "R1"})["type"] == "ack"


NUMBERS = ["NaN", "-NaN", "Infinity", "-Infinity", "1e999", "1.0", "01", "0x1", "-1", "9" * 4999]
PROTOTYPE_KEYS = [
    "__proto__",
    "constructor",
    "prototype",
    "__class__",
    "toString",
    "hasOwnProperty",
    "",
]


def make_action_message(field: str) -> str:
    return f'{{"type":"action","id":"x","version":1,"action":{field}}}'


numbers = st.sampled_from(NUMBERS)
texts = st.text(max_size=30).map(json.dumps)
keys = st.sampled_from(PROTOTYPE_KEYS) | st.text(max_size=9)
bad_messages = st.one_of(
    numbers.map(lambda n: f'{{"type":"ping","version":{n}}}'),
    numbers.map(lambda n: make_action_message(f'{{"play":{n}}}')),
    st.tuples(st.sampled_from(["[]", "{}"]), st.integers(9, 4000)).map(
        lambda pair: pair[0][0] * pair[1] + pair[0][1] * pair[1]
    ),
    st.integers(8, 700).map(lambda n: make_action_message('{"play":' * n + "1" + "}" * n)),
    keys.map(lambda key: f'{{"type":"sync",{json.dumps(key)}:1,{json.dumps(key)}:2}}'),
    keys.map(lambda key: f'{{"type":"sync",{json.dumps(key)}:{{}}}}'),
    keys.map(lambda key: make_action_message(f'{{"play":"R1",{json.dumps(key)}:{{"turn":0}}}}')),
    st.integers(0xD800, 0xDFFF).map(lambda n: make_action_message(f'{{"play":"\\u{n:04x}"}}')),
    st.integers(0, 31).map(lambda n: make_action_message(f'{{"play":"R1{chr(n)}"}}')),
    st.integers(0, 31).map(lambda n: make_action_message(f'{{"play":"R1\\u{n:04x}"}}')),
    st.integers(0, 31).map(lambda n: f'{{"type":"sync"{chr(n)}1}}'),
    texts.map(lambda text: f'{{"type":{text}}}'),
    texts.map(lambda text: make_action_message(f'{{"play":{text}}}')),
    st.text(max_size=200),
)


# The code depends on which card the example generates. A card of the deck is refused because it is
# not the player's turn.
REFUSAL_CODES = ("malformed", "unknown-card", "not-your-turn")


# The site's threads may use `random` while an example is generated.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
def test_arbitrary_input_is_refused_and_the_game_continues(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, tries: TryCounter
) -> None:
    monkeypatch.setattr("games.sockets.base.MAX_MESSAGES", 1_000_000)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=3600)
    with open_windows(live_site, match) as (first, second):
        count = len(list(tries(150, 5000)))

        # Random messages such as {"type": "sync"} may be valid, so these are skipped.
        @settings(max_examples=count, suppress_health_check=list(HealthCheck))
        @given(bad_messages.filter(lambda text: not is_valid_message(text)))
        def expect_refusal(text: str) -> None:
            second.send(text)
            assert second.wait_for("refused")["code"] in REFUSAL_CODES

        expect_refusal()
        assert first.act({"play": "R1"})["type"] == "ack"
        second.catch_up(2)
        assert second.act({"play": "R3"})["type"] == "ack"
    assert len(list_log(match)) == 2


def is_valid_message(text: str) -> bool:
    """Return whether the text is a valid message other than an action."""
    try:
        read(text)
    except InvalidMessageError:
        return False
    return "action" not in text


@pytest.mark.parametrize("key", ["__proto__", "constructor", "prototype"])
def test_special_javascript_keys_are_refused(live_site: LiveSite, key: str) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.send(f'{{"type":"sync","{key}":{{"you":1}}}}')
        assert first.wait_for("refused")["message"] == f"'sync' messages don’t take '{key}'."
        first.send(make_action_message(f'{{"play":"R1","{key}":{{}}}}'))
        assert first.wait_for("refused")["code"] == "malformed"
    assert list_log(match) == []
