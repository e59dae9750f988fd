"""Tests of delayed streams, which show viewers nothing too early."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from games import queries, services, store
from games.models import Hand, Match
from games.tables import past_views, playback
from games.tables.spectator_delay import Stream, commentary_stream, shown_now, stream_of
from tests.games.helpers import act, begin, make_match, stack_deck
from tests.games.viewing import (
    ONE_MINUTE_DELAY,
    Clock,
    Moves,
    play_moves,
    read_window,
    render_viewer_json,
    seconds_after_start,
)
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


HAND_MOVES: Moves = [
    (10, 0, {"play": "R1", "uno": True}),
    (20, 1, {"play": "R3", "uno": True}),
    (30, 0, {"play": "R2"}),
]


def test_delayed_viewer_sees_each_version_after_the_delay(clock: Clock) -> None:
    """Check the views during a hand, in the pause after it and after the next deal."""
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=12, **ONE_MINUTE_DELAY)
    then: dict[float, str] = {0: render_live_view(match, 0)}
    for second, seat, action in HAND_MOVES:
        play_moves(match, clock, [(second, seat, action)])
        if second == 30:
            stack_deck(match, ["B1 B2", "B3 B4"], "B5", dealer=1)
        then[second] = render_live_view(match, second)
    services.tick(clock(41))
    then[41] = render_live_view(match, 41)
    play_moves(match, clock, [(50, 0, {"play": "B1", "uno": True})])
    then[50] = render_live_view(match, 50)
    assert len(set(then.values())) == 6
    for second, seen in then.items():
        assert render_viewer_json(match, second + 60) == seen
        # Between hands, the time to the next deal counts down.
        assert second == 30 or render_viewer_json(match, second + 67) == seen


def render_live_view(match: Match, seconds: float) -> str:
    Match.objects.filter(pk=match.pk).update(viewers="live")
    seen = render_viewer_json(match, seconds)
    Match.objects.filter(pk=match.pk).update(viewers="delayed")
    return seen


def test_match_has_not_begun_for_viewers_before_the_delay(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    play_moves(match, clock, HAND_MOVES[:1])
    view, events, version = read_window(match, 59.9)
    assert (view["match"]["phase"], view["top"], events, version) == ("waiting", None, [], 0)
    assert view["viewer"] == {
        "mode": "delayed",
        "seconds": 60,
        "curtain": False,
        "text": "You see every move with a delay of 1 minute.",
    }


def test_end_of_the_match_is_delayed_for_viewers(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1, **ONE_MINUTE_DELAY)
    play_moves(match, clock, HAND_MOVES)
    view, events, _ = read_window(match, 89.9)
    assert (view["match"]["phase"], view["sheet"]) == ("playing", None)
    assert [seat["score"] for seat in view["seats"]] == [0, 0]
    assert "over" not in {event["event"] for event in events}
    assert read_window(match, 90)[0]["sheet"]["winners"] == [0]


def test_seat_holder_sees_the_match_without_delay(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    play_moves(match, clock, HAND_MOVES[:1])
    view, _, version = read_window(match, 11, seat=1)
    assert (view["top"], version, view["viewer"]) == ("R1", 2, None)


def test_pause_is_shown_once_viewers_reach_it(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    clock(20)
    services.pause_match(match)
    assert not read_window(match, 79)[0]["match"]["paused"]
    assert read_window(match, 80)[0]["match"]["paused"]


@pytest.mark.parametrize("acted", [True, False])
def test_redealt_hand_is_shown_to_its_end_with_rising_versions(clock: Clock, acted: bool) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    if acted:
        play_moves(match, clock, HAND_MOVES[:1])
    clock(20)
    services.redo_hand(match, "A card fell.")
    stack_deck(match, ["R1 R2", "R3 G9"], "R5")
    services.tick(clock(40))
    act(match, sure(Match.objects.get(pk=match.pk).state.turn_seat), {"draw": True}, now=clock(50))
    found = [read_window(match, 60 + second) for second in (0, 10, 20, 40, 50)]
    assert [view["match"]["hand"] for view, _, _ in found] == [1, 1, 1, 2, 2]
    assert [view["match"]["phase"] for view, _, _ in found][2:] == ["between", "playing", "playing"]
    versions = [version for _, _, version in found]
    assert versions == sorted(versions)
    assert versions[-1] == Match.objects.get(pk=match.pk).version


def test_abandoned_match_continues_for_viewers_until_its_end(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    clock(20)
    services.abandon_match(match, "Fire alarm.")
    assert read_window(match, 79)[0]["match"]["phase"] == "playing"
    assert read_window(match, 80)[0]["sheet"]["ended_text"].endswith("Fire alarm.")


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [
        ("ocho", 5, {}),
        ("ocho-cards", 3, {}),
        ("uno-500", 3, {"blanks": 4, "blank_rule": "swap"}),
    ],
)
def test_every_past_position_matches_the_original(
    ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    match = services.start_match(make_match(ruleset, people=0, bots=seats, options=options))
    services.play_out(match, hands=2)
    live = store.load(match.pk)
    for hand in live.hands[:2]:
        for action, position in playback.positions(hand):
            at = action.at if action else hand.dealt_at
            seen = past_views.load_past_view(live, sure(at), 60).snapshot
            assert (sure(seen.hand).number, sure(seen.position).to_json()) == (
                hand.number,
                position.to_json(),
            )


def test_many_viewers_share_one_rebuilt_position(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(["R1 R2 R6", "R3 G9 R7"], "R5", **ONE_MINUTE_DELAY)
    play_moves(
        match, clock, [(10, 0, {"play": "R1"}), (20, 1, {"play": "R3"}), (30, 0, {"play": "R2"})]
    )
    live = store.load(match.pk)
    dealt, played = Mock(wraps=playback.start_position), Mock(wraps=playback.apply_action)
    monkeypatch.setattr(past_views, "start_position", dealt)
    monkeypatch.setattr(past_views, "apply_action", played)
    stream = Stream("delayed", 60)
    for second in (71, 72, 81):
        assert (
            len({shown_now(live, stream, seconds_after_start(second)).snapshot for _ in range(500)})
            == 1
        )
    assert (dealt.call_count, played.call_count) == (1, 2)


def change_log(hand: Hand) -> None:
    hand.actions.filter(number=1).update(action={"play": "Y9"})


def store_unknown_action(hand: Hand) -> None:
    hand.actions.filter(number=1).update(action={"fly": True})


def store_unknown_card(hand: Hand) -> None:
    hand.deck[0] = "XX"
    hand.save()


def shorten_deck(hand: Hand) -> None:
    hand.deck = hand.deck[:2]
    hand.save()


@pytest.mark.parametrize(
    "change", [change_log, store_unknown_action, store_unknown_card, shorten_deck]
)
def test_hand_that_cannot_be_replayed_is_shown_when_it_is_over(
    clock: Clock, caplog: pytest.LogCaptureFixture, change: Callable[[Hand], None]
) -> None:
    match = begin(["R1 R2 R6", "R3 G9 R7"], "R5", **ONE_MINUTE_DELAY)
    play_moves(
        match, clock, [(10, 0, {"play": "R1"}), (20, 1, {"play": "R3"}), (30, 0, {"play": "R2"})]
    )
    change(match.hands.get())
    view, _, _ = read_window(match, 75)
    assert (view["top"], view["viewer"]["curtain"]) == (None, True)
    assert "cannot be replayed" in caplog.text
    assert read_window(match, 95)[0]["top"] == "R2"


def test_window_waits_until_the_next_change(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", **ONE_MINUTE_DELAY)
    play_moves(match, clock, HAND_MOVES[:1])
    live = store.load(match.pk)
    stream = stream_of(live.match, None)
    assert shown_now(live, stream, seconds_after_start(62)).wait == pytest.approx(8)
    assert shown_now(live, stream, seconds_after_start(71)).wait is None


# Between hands


def test_whole_hand_viewer_sees_nothing_of_the_hand_in_play(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", viewers="hand", title="Final")
    before = read_window(match, 1)
    view, events, version = before
    assert (view["prompt"], events, version) == (
        "Hand 1 is being played. You’ll see it once it’s over.",
        [],
        1,
    )
    assert [seat["count"] for seat in view["seats"]] == [None, None]
    empty = (view["top"], view["turn"], view["color"], view["discard"], view["clock"])
    assert empty == (None, None, None, [], None)
    assert view["viewer"]["curtain"]
    play_moves(match, clock, HAND_MOVES[:2])
    assert read_window(match, 21) == before


def test_viewer_sees_the_end_of_the_hand_between_hands(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", viewers="hand")
    play_moves(match, clock, HAND_MOVES)
    view, events, _ = read_window(match, 30)
    assert (view["top"], view["sheet"]["winner"], view["viewer"]["curtain"]) == ("R2", 0, False)
    assert [seat["count"] for seat in view["seats"]] == [0, 1]
    assert events[-1]["event"] == "over"
    services.tick(clock(45))
    assert read_window(match, 46)[0]["prompt"].startswith("Hand 2 is being played.")


def test_whole_hand_viewer_sees_a_pause(clock: Clock) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", viewers="hand")
    services.pause_match(match)
    assert read_window(match, 1)[0]["match"]["paused"]


# Commentary


@pytest.mark.parametrize(
    ("fields", "mode", "seconds"),
    [
        ({"viewers": "live"}, "delayed", 30),
        ({"viewers": "delayed", "viewer_delay_seconds": 10}, "delayed", 30),
        ({"viewers": "delayed", "viewer_delay_seconds": 45}, "delayed", 45),
        ({"viewers": "hand"}, "hand", 0),
    ],
)
def test_commentary_delay_is_half_a_minute_or_the_viewer_delay(
    fields: dict[str, Any], mode: str, seconds: int
) -> None:
    since = seconds_after_start(0)
    assert commentary_stream(make_match(**fields), since) == Stream(mode, seconds, since)


def test_commentator_sees_no_card_within_half_a_minute(clock: Clock) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    act(match, 0, {"play": "R1"}, now=clock(10))

    def list_open_cards(seconds: float) -> list[list[str]]:
        live = store.load(match.pk)
        found = shown_now(
            live,
            commentary_stream(live.match, seconds_after_start(-60)),
            seconds_after_start(seconds),
        )
        return [one["cards"] for one in queries.commentary_view(found, {})["open"]]

    clock(60)
    assert list_open_cards(29.9) == []
    assert list_open_cards(39.9) == [["R1", "R2", "R8"], ["R3", "R4", "R9"]]
    assert list_open_cards(40) == [["R2", "R8"], ["R3", "R4", "R9"]]
