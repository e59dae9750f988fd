"""Tests that docs/protocol.md describes exactly the keys and messages of the protocol."""

import contextlib
import io
import json
import re
from typing import Any

import pytest

from games import services
from games.client import player
from tests.factories import make_user
from tests.live import LiveSite
from tests.protocol import DOCS, SCHEMA, map_members_by_tag

PAGE = (DOCS / "protocol.md").read_text()
DEFINITIONS: dict[str, Any] = SCHEMA["definitions"]
# Objects that have a table of their keys. Messages, actions and events have a line each.
TABULATED_TYPES = [
    "TableView",
    "MatchFacts",
    "MatchLinks",
    "Viewer",
    "SeatAtTable",
    "Face",
    "OwedPenalty",
    "HeldCard",
    "May",
    "UnoWindow",
    "Color",
    "Presence",
    "Clock",
    "LogLine",
    "CoachStep",
    "DealFacts",
    "Receipt",
    "DealList",
    "ListedSeat",
    "VoidAttempt",
    "OpenHand",
    "SheetView",
    "SheetRow",
    "SheetLinks",
    "DeckFacts",
    "CardFacts",
    "ReplayPage",
    "ReplaySeat",
    "ReplayStep",
    "Could",
    "StepLuck",
    "FairPage",
    "FairHand",
    "OpenAttempt",
    "Summons",
    "Announcement",
    "NextMatch",
]
UNIONS = [name for name, definition in DEFINITIONS.items() if "anyOf" in definition]
UNION_MEMBERS = {
    member["$ref"].rpartition("/")[2] for name in UNIONS for member in DEFINITIONS[name]["anyOf"]
}


def list_keys(name: str) -> set[str]:
    return set(DEFINITIONS[name]["properties"])


def get_section(heading: str) -> str:
    """Return the text under a heading, up to the next heading of any level."""
    return re.split(r"^#+ ", PAGE.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def list_first_column(text: str) -> list[str]:
    """Return the inline code in the first column of the tables."""
    cells = re.findall(r"^\| *(.*?) *\|", text, re.MULTILINE)
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("name", TABULATED_TYPES)
def test_tables_list_exactly_the_keys_of_the_protocol(name: str) -> None:
    assert sorted(list_first_column(get_section(f"`{name}`"))) == sorted(list_keys(name))


def test_commentator_view_has_the_additional_documented_keys() -> None:
    named = list_first_column(get_section("`CommentaryView`"))
    assert list_keys("TableView") | set(named) == list_keys("CommentaryView")
    assert named == ["open"]


def test_every_type_is_documented() -> None:
    result = {*TABULATED_TYPES, *UNIONS, *UNION_MEMBERS, "Cards", "CardBySeat", "RowNews"}
    assert DEFINITIONS.keys() - result == set()
    headings = re.findall(r"^### `(\w+)`$", PAGE, re.MULTILINE)
    assert sorted(headings) == sorted([*TABULATED_TYPES, "CommentaryView"])


def test_every_event_is_documented_with_its_keys() -> None:
    written = [
        re.fullmatch(r"(\w+) \{(.*)\}", code) for code in list_first_column(get_section("Events"))
    ]
    sentence = {found[1]: found[2].split(", ") for found in written if found}
    assert sentence.keys() == map_members_by_tag("Event").keys()
    for event, keys in sentence.items():
        definition = DEFINITIONS[map_members_by_tag("Event")[event]]
        needed = [key for key in keys if not key.endswith("?")]
        assert {key.rstrip("?") for key in keys} == definition["properties"].keys() - {"event"}
        assert set(needed) == set(definition["required"]) - {"event"}


def test_every_reason_for_drawing_is_documented() -> None:
    (line,) = re.findall(r"^\| `drew .*$", PAGE, re.MULTILINE)
    reasons = DEFINITIONS["DrewAtSeat"]["properties"]["why"]["enum"]
    assert re.findall(r"`(\w+)`", line.partition("`why`:")[2].partition(";")[0]) == reasons


@pytest.mark.parametrize(
    ("heading", "union"),
    [
        ("From the client", "ClientMessage"),
        ("From the server", "ServerMessage"),
        ("The event's socket", "EventMessage"),
    ],
)
def test_every_message_is_documented_with_its_keys(heading: str, union: str) -> None:
    shown = [
        json.loads(code.replace("{…}", "{}").replace("[…]", "[]"))
        for code in list_first_column(get_section(heading))
    ]
    sentence = {message["type"]: message.keys() for message in shown}
    common = {"pong", "refused", "notice"} if union == "EventMessage" else set()
    assert sentence.keys() | common == map_members_by_tag(union).keys()
    for kind, keys in sentence.items():
        assert keys == list_keys(map_members_by_tag(union)[kind])


def test_every_action_is_documented_with_its_keys() -> None:
    text = get_section("From the client").rpartition("|\n")[2]
    parts = re.findall(r"`(\{[^`]*\}|\"\w+\":[^`]*)`", text)
    result = {key for part in parts for key in re.findall(r'"(\w+)":', part)}
    members = [member["$ref"].rpartition("/")[2] for member in DEFINITIONS["Action"]["anyOf"]]
    assert result == {key for name in members for key in list_keys(name)}


def test_every_notice_is_documented() -> None:
    (line,) = re.findall(r'^\| `\{"type":"notice".*$', PAGE, re.MULTILINE)
    codes = DEFINITIONS["Notice"]["properties"]["code"]["enum"]
    assert [code for code in codes if f"`{code}`" not in line] == []


def test_links_within_the_page_lead_to_a_heading_or_anchor() -> None:
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    marks = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    marks |= set(re.findall(r'<a id="([^"]+)">', PAGE))
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", PAGE) if link not in marks] == []


# Connecting and reconnecting


def test_documented_delays_match_both_clients() -> None:
    script = (DOCS.parent / "static" / "js" / "table" / "socket.js").read_text()
    found = re.findall(r"const (\w+_MS) = ([\d_]+);", script)
    in_script = {name: int(value) for name, value in found}
    assert in_script["FIRST_WAIT_MS"] == 1000 * player.FIRST_WAIT == 500
    assert in_script["LONGEST_WAIT_MS"] == 1000 * player.LONGEST_WAIT == 8000
    assert in_script["PING_MS"] == 1000 * player.PING_SECONDS == 2500
    assert in_script["SILENCE_MS"] == 7000
    assert in_script["WATCH_MS"] == 10_000
    sentence = get_section("Reconnecting")
    assert "hears nothing for 7 seconds" in sentence
    assert "(viewers, who ping rarely: 14.5)" in sentence
    assert "it waits 0.5, 1, 2, 4 and then at most 8 seconds" in sentence
    assert "Send it every 2.5 s, as a viewer every 10" in PAGE


@pytest.mark.django_db(transaction=True)
def test_example_client_signs_in_and_acts(live_site: LiveSite) -> None:
    user = make_user()
    match = services.start_practice(user, "uno-500", 2)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    here = f"SITE, MATCH = {live_site.url!r}, {match.public_id!r}"
    login = f"ADDRESS, PASSWORD = {user.email!r}, 'not-used'"
    code, changed = re.subn(r"SITE, MATCH = .*\nADDRESS, PASSWORD = .*", f"{here}\n{login}", code)
    assert changed == 1
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "docs/protocol.md", "exec"), {})
    assert "'id': 'first'" in said.getvalue()
