"""Tests of encoded views, which are built once for all readers of the same view."""

import json
import random
import tracemalloc
from typing import Any

import pytest
from django.utils import timezone, translation

from games import queries, services, store
from games.client.views import Views
from games.clocks import presence
from games.models import Match
from games.process import here
from games.seats import SeatNumber
from games.sockets.encoded_views import EncodedViews, Reader, SentView
from games.tables.spectator_delay import LIVE_STREAM, ShownMatch
from tests.games.helpers import act, begin, make_match
from tests.protocol import validate

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def lengthen_freshness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.sockets.encoded_views.FRESH_SECONDS", 60.0)


def make_shown_match(match: Match) -> ShownMatch:
    return ShownMatch(store.current(match.pk), timezone.now(), LIVE_STREAM)


def encode_view(
    texts: EncodedViews, shown_match: ShownMatch, seat: int | None = None, since: int = -1
) -> bytes:
    people = here().part(presence.PresenceBook).people_of(shown_match.snapshot.match.pk)
    number = None if seat is None else SeatNumber(seat)
    return texts.view_message(shown_match, people, Reader(number, True, since))[0]


@pytest.mark.parametrize("practice", [False, True])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_message_contains_the_view_and_the_new_events(seat: int | None, practice: bool) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", practice=practice)
    act(match, 0, {"play": "R1"})
    shown_match, number = make_shown_match(match), None if seat is None else SeatNumber(seat)
    sent: dict[str, Any] = json.loads(encode_view(EncodedViews(), shown_match, seat, 1))
    whole = queries.table_view(
        shown_match.snapshot, number, {}, shown_match.now, controls=True, stream=LIVE_STREAM
    )
    assert sent == {
        "type": "view",
        "version": 2,
        "view": json.loads(json.dumps(whole)),
        "events": json.loads(json.dumps(queries.list_events(shown_match.snapshot, number, 1))),
    }


def test_viewers_share_the_same_bytes_and_seats_get_their_own() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, shown_match = EncodedViews(), make_shown_match(match)
    assert encode_view(texts, shown_match) is encode_view(texts, shown_match)
    assert encode_view(texts, shown_match) is not encode_view(texts, shown_match, since=0)
    assert b'"card":"R3"' in encode_view(texts, shown_match, 1)
    assert b'"card":"R3"' not in encode_view(texts, shown_match, 0)


def test_each_reader_gets_their_own_language() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, shown_match = EncodedViews(), make_shown_match(match)
    encode_view(texts, shown_match)
    with translation.override("x-other"):
        assert len(texts._cache) == 3
        encode_view(texts, shown_match)
    assert len(texts._cache) == 6


def test_view_is_encoded_again_after_a_change_or_when_it_is_too_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts = EncodedViews()
    before = encode_view(texts, make_shown_match(match))
    act(match, 0, {"play": "R1"})
    assert json.loads(encode_view(texts, make_shown_match(match)))["view"]["top"] == "R1"
    assert json.loads(before)["view"]["top"] == "R5"
    monkeypatch.setattr("games.sockets.encoded_views.FRESH_SECONDS", -1.0)
    assert encode_view(texts, make_shown_match(match)) is not encode_view(
        texts, make_shown_match(match)
    )


# Changes, for windows that request them


class ReaderMessages:
    """Messages to one reader. Each contains the whole view or only its changes."""

    def __init__(self, seat: int | None) -> None:
        self.seat = None if seat is None else SeatNumber(seat)
        self.previous: SentView | None = None
        self.views = Views()
        self.sizes: list[int] = []

    def read_next(self, texts: EncodedViews, shown_match: ShownMatch) -> dict[str, Any]:
        """Return the next message, and check that it produces the view that a new reader gets."""
        reader = Reader(self.seat, True, self.views.version, True, self.previous)
        text, self.previous = texts.view_message(shown_match, {}, reader)
        message = validate("ServerMessage", json.loads(text))
        assert self.views.apply(message)
        self.sizes.append(len(text))
        whole = json.loads(
            texts.view_message(shown_match, {}, Reader(self.seat, True, -1, True))[0]
        )
        assert self.views.view == whole["view"]
        assert self.views.version == whole["version"]
        return dict(message)


def act_at_random(
    match: Match, chance: random.Random, readers: list[ReaderMessages], steps: int
) -> None:
    """Play random actions and clock ticks, and let the readers fetch views at random moments."""
    texts = EncodedViews()
    for _ in range(steps):
        shown_match = make_shown_match(match)
        for reader in readers:
            if chance.random() < 0.7:
                reader.read_next(texts, shown_match)
        offered = [
            (seat, action)
            for seat in range(len(shown_match.snapshot.seats))
            for action in queries.own_part(
                shown_match.snapshot, SeatNumber(seat), shown_match.now, controls=True
            )["actions"]
        ]
        if not offered:
            services.tick(max(shown_match.snapshot.match.due or shown_match.now, shown_match.now))
        else:
            seat, action = chance.choice(offered)
            act(match, seat, dict(action))
    for reader in readers:
        reader.read_next(texts, make_shown_match(match))


@pytest.mark.parametrize("ruleset", ["uno-500", "uno-400", "ocho-cards"])
@pytest.mark.parametrize("seed", range(2))
def test_changes_add_up_to_the_full_view(ruleset: str, seed: int) -> None:
    match = services.start_match(make_match(ruleset, people=4, between_seconds=1))
    readers = [ReaderMessages(seat) for seat in (0, 1, 2, 3, None)]
    act_at_random(match, random.Random(seed), readers, 90)
    sizes = [size for reader in readers for size in reader.sizes[1:]]
    assert sum(sizes) / len(sizes) < 1_200


def test_changes_contain_only_new_information() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, reader, viewer = EncodedViews(), ReaderMessages(1), ReaderMessages(None)
    assert reader.read_next(texts, make_shown_match(match))["type"] == "view"
    viewer.read_next(texts, make_shown_match(match))
    act(match, 0, {"play": "R1"})
    found = reader.read_next(texts, make_shown_match(match))
    assert (found["type"], found["since"], found["version"]) == ("changes", 1, 2)
    assert found["seats"] == {"0": {"count": 2}}
    assert [line["text"].endswith("plays Red 1.") for line in found["log"]] == [True]
    assert found["own_lines"] == {}
    kept = {"match", "colors", "you", "viewer", "seats", "log", "sheet", "deal", "coach"}
    assert kept & found["view"].keys() <= {"deal"}
    assert "cards" not in viewer.read_next(texts, make_shown_match(match))["view"]


def test_viewers_share_the_same_changes() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, shown_match = EncodedViews(), make_shown_match(match)
    first = texts.view_message(shown_match, {}, Reader(None, False, -1, True))
    assert texts.view_message(shown_match, {}, Reader(None, False, -1, True)) is first
    act(match, 0, {"play": "R1"})
    shown_match, reader = make_shown_match(match), Reader(None, False, 1, True, first[1])
    assert texts.view_message(shown_match, {}, reader) is texts.view_message(
        shown_match, {}, reader
    )


def test_refusal_reasons_are_sent_only_during_the_turn_of_the_reader() -> None:
    match = begin(["R1 G1 W", "R4 R5 G6"], "R7")
    texts, shown_match = EncodedViews(), make_shown_match(match)
    first, second = ReaderMessages(0), ReaderMessages(1)
    why = [card["why"] for card in first.read_next(texts, shown_match)["view"]["cards"]]
    assert why == ["", "You can’t play Green 1: you need red, a 7 or a wild.", ""]
    seen = second.read_next(texts, shown_match)["view"]
    assert [card["why"] for card in seen["cards"]] == ["", "", ""]
    assert seen["prompt"].endswith("’s turn.")


def test_record_of_a_sent_view_uses_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.sockets.encoded_views.FRESH_SECONDS", -1.0)  # nothing is shared
    match = begin(["R1 R2 R8 B1 B2 B3 B4", "R3 R4 R9 G1 G2 G3 G4"], "R5")
    texts, shown_match = EncodedViews(), make_shown_match(match)
    texts.view_message(
        shown_match, {}, Reader(SeatNumber(0), True, -1, True)
    )  # creates the shared parts
    tracemalloc.start()
    kept = [
        texts.view_message(shown_match, {}, Reader(SeatNumber(0), True, -1, True))[1]
        for _ in range(50)
    ]
    size, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(kept) < 10_000


def test_encoded_views_of_a_table_use_little_memory() -> None:
    match = begin(["R1 R2 R8 B1 B2 B3 B4", "R3 R4 R9 G1 G2 G3 G4"], "R5")
    shown_match = make_shown_match(match)
    encode_view(EncodedViews(), shown_match, 0)
    tracemalloc.start()
    kept = [EncodedViews() for _ in range(50)]
    for texts in kept:
        encode_view(texts, shown_match, 0)
    size, _most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(kept) < 10_000


def test_client_cannot_apply_changes_to_another_version() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, reader, views = EncodedViews(), ReaderMessages(1), Views()
    whole: Any = reader.read_next(texts, make_shown_match(match))
    act(match, 0, {"play": "R1"})
    changes: Any = reader.read_next(texts, make_shown_match(match))
    assert not views.apply(changes)
    older: Any = {**whole, "version": 0}
    assert views.apply(older)
    assert not views.apply(changes)
    assert (views.version, views.view) == (0, whole["view"])
