"""Tests of fair deals over real sockets, including absent and dishonest clients."""

import time
from datetime import timedelta
from typing import Any

import pytest

from games import services, store
from games.client.shares import Shares
from games.rules import record
from tests.factories import make_user
from tests.games.dealing import check_record, get_deal_facts, get_prepared_hand
from tests.games.helpers import make_match, reload
from tests.games.windows import Window, open_window, open_windows
from tests.live import LiveSite
from tests.typed import sure

pytestmark = pytest.mark.django_db(transaction=True)


def send_requested_messages(window: Window, shares: Shares) -> list[dict[str, Any]]:
    """Send the messages that the window's view requires, and return the answers."""
    answers = []
    for message in shares.messages_for(window.view):  # type: ignore[arg-type]
        window.send(message)
        answers.append(window.read_answer(message["id"]))
        if answers[-1]["type"] == "ack":
            shares.acknowledge(message["id"])
    return answers


def read_until_step(window: Window, step: str, attempt: int = 1, hand: int = 1) -> dict[str, Any]:
    """Read until the view's deal reaches this step, and return the deal."""
    wanted = {"step": step, "attempt": attempt, "hand": hand}
    while not wanted.items() <= (window.view.get("deal") or {}).items():
        window.read()
    return dict(window.view["deal"])


def make_message(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": f"{kind}-x", "hand": 1, "attempt": 1} | fields


def test_hand_is_dealt_with_both_shares_without_waiting(live_site: LiveSite) -> None:
    match = make_match(share_seconds=5, turn_seconds=60)
    with open_windows(live_site, match) as pair, open_window(live_site, match) as viewer:
        shares = [Shares(), Shares()]
        for window, mine in zip(pair, shares, strict=True):
            (ack,) = send_requested_messages(window, mine)
            assert (ack["type"], ack["version"]) == ("ack", 0)
        services.start_match(match)
        began = time.monotonic()
        for window, mine in zip(pair, shares, strict=True):
            read_until_step(window, "open")
            send_requested_messages(window, mine)
        for window in (*pair, viewer):
            found = read_until_step(window, "dealt")
            assert found["shares"] == {
                str(seat): next(iter(mine.kept.values())).hex() for seat, mine in enumerate(shares)
            }
        assert time.monotonic() - began < 5, "the deal did not wait for a time limit"
        assert viewer.view["deal"]["mine"] is None
        for window, mine in zip(pair, shares, strict=True):
            assert send_requested_messages(window, mine) == []
        assert [mine.complaints for mine in shares] == [[], []]
    check_record(match.hands.get())


def test_simultaneous_shares_do_not_conflict(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_match(people=4)
    put, loaded = store.save_deals, []

    def store_slowly(*given: Any) -> store.Snapshot:
        time.sleep(0.1)
        return put(*given)

    def load(match_id: int) -> store.Snapshot:
        loaded.append(match_id)
        return store.snapshot.load(match_id)

    with open_windows(live_site, match) as all_four:
        monkeypatch.setattr(store, "save_deals", store_slowly)
        monkeypatch.setattr(store, "load", load)
        sent = [(each, [*Shares().messages_for(each.view)]) for each in all_four]  # type: ignore[arg-type]
        for window, [commitment] in sent:
            window.send(commitment)
        for window, [commitment] in sent:
            assert window.read_answer(commitment["id"])["type"] == "ack"
    assert loaded == []
    assert len(get_prepared_hand(match).deals.current.commitments) == 4


def test_views_omit_the_deal_after_the_first_action(live_site: LiveSite) -> None:
    match = services.start_match(make_match(turn_seconds=60))
    with open_windows(live_site, match) as pair:
        turn = pair[0].view["turn"]
        read_until_step(pair[turn], "dealt")
        pair[turn].act(pair[turn].view["actions"][0])
        assert pair[turn].view["deal"] is None


def test_absent_player_is_listed_without_a_share(live_site: LiveSite) -> None:
    match = make_match(share_seconds=1)
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        shares = Shares()
        send_requested_messages(window, shares)
        services.start_match(match)
        found = read_until_step(window, "open")
        assert found["list"]["seats"][1] == {"seat": 1, "why": "none"}
        send_requested_messages(window, shares)
        read_until_step(window, "dealt")
        assert shares.complaints == []


def test_any_window_of_the_seat_can_send_a_share_without_taking_control(
    live_site: LiveSite,
) -> None:
    match = make_match(people=1, bots=1)
    user = match.seats.get(number=0).user
    with (
        open_window(live_site, match, user) as first,
        open_window(live_site, match, user) as second,
    ):
        second.wait_for_view(controls=True)
        shares = Shares()
        first.wait_for_view(controls=False)
        assert [answer["type"] for answer in send_requested_messages(first, shares)] == ["ack"]
        services.start_match(match)
        read_until_step(second, "open")
        assert [answer["type"] for answer in send_requested_messages(second, shares)] == ["ack"]
        read_until_step(first, "dealt")
        assert (first.view["controls"], second.view["controls"]) == (False, True)


def test_second_device_is_told_that_another_share_was_accepted(
    live_site: LiveSite,
) -> None:
    match = make_match(people=1, bots=1)
    user = match.seats.get(number=0).user
    with (
        open_window(live_site, match, user) as first,
        open_window(live_site, match, user) as second,
    ):
        for window in (first, second):
            window.wait_for("view")
        send_requested_messages(first, Shares())
        (answer,) = send_requested_messages(second, Shares())
        assert (answer["type"], answer["code"]) == ("refused", "other-share")
        second.send({"type": "sync"})
        second.wait_for("view")
        assert second.view["deal"]["mine"] == get_deal_facts(match)["mine"]


def test_unopened_commitment_voids_the_attempt_and_the_hand_is_redealt(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_share_wait(monkeypatch)
    match = make_match(share_seconds=1)
    with open_windows(live_site, match) as (honest, silent):
        shares, kept_back = Shares(), Shares()
        send_requested_messages(honest, shares)
        send_requested_messages(silent, kept_back)
        services.start_match(match)
        read_until_step(honest, "open")
        send_requested_messages(honest, shares)
        text = read_until_step(honest, "commit", attempt=2)
        assert [void["attempt"] for void in text["void"]] == [1]
        assert list(text["void"][0]["shares"]) == ["0"]
        send_requested_messages(honest, shares)  # the other player sends no second commitment
        read_until_step(honest, "open", attempt=2)
        send_requested_messages(honest, shares)
        read_until_step(honest, "dealt", attempt=2)
        assert len(set(shares.kept.values())) == 2
        assert shares.complaints == []
    exported = check_record(match.hands.get())
    assert len(exported["fair"]["void"]) == 1  # type: ignore[arg-type]


def test_player_who_fails_twice_is_listed_as_failed_without_a_share(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_share_wait(monkeypatch)
    match = make_match(share_seconds=5)
    with open_windows(live_site, match) as (honest, silent):
        shares, kept_back = Shares(), Shares()
        send_requested_messages(honest, shares)
        send_requested_messages(silent, kept_back)
        services.start_match(match)
        for attempt in (1, 2):
            read_until_step(honest, "open", attempt)
            send_requested_messages(honest, shares)
            for window, mine in ((honest, shares), (silent, kept_back)):
                read_until_step(window, "commit", attempt + 1)
                send_requested_messages(window, mine)
        read_until_step(honest, "open", attempt=3)
        send_requested_messages(honest, shares)
        found = read_until_step(honest, "dealt", attempt=3)
        assert found["list"]["seats"][1] == {"seat": 1, "why": "failed"}
    check_record(match.hands.get())


def shorten_share_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the wait for missing shares to half a second."""
    monkeypatch.setattr("games.play.dealing.OPEN_FOR", timedelta(seconds=0.5))


def test_viewer_cannot_send_a_share(live_site: LiveSite) -> None:
    match = make_match()
    for user in (None, make_user()):
        with open_window(live_site, match, user) as window:
            window.wait_for("view")
            for sent in (
                make_message("commit", commitment="ab" * 32),
                make_message("open", list="ab" * 32, share="ab" * 32),
            ):
                window.send(sent)
                assert window.read_answer(sent["id"])["code"] == "not-seated"
    assert get_prepared_hand(match).deals.current.commitments == {}


@pytest.mark.parametrize(
    ("share_message", "sentence"),
    [
        (make_message("commit"), "'commit' messages must include 'commitment' as a string."),
        (make_message("commit", commitment="ab", seat=1), "'commit' messages don’t take 'seat'."),
        (
            make_message("commit", commitment="ab"),
            "'commitment' must be 32 bytes in lower-case hex.",
        ),
        (
            make_message("open", list="ab", share="ab", hand="1"),
            "'open' messages must include 'hand' as an integer.",
        ),
        (
            make_message("open", list="ab", share="ab"),
            "'list' must be 32 bytes in lower-case hex.",
        ),
    ],
)
def test_invalid_share_message_is_refused_with_a_reason(
    live_site: LiveSite, share_message: dict[str, Any], sentence: str
) -> None:
    match = make_match()
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        window.send(share_message)
        answer = window.read_answer(share_message["id"])
        assert (answer["code"], answer["message"]) == ("malformed", sentence)


def test_former_seat_holder_can_no_longer_send_shares(live_site: LiveSite) -> None:
    match = make_match()
    seat = match.seats.get(number=0)
    with open_window(live_site, match, seat.user) as window:
        window.wait_for("view")
        seat.user = make_user()
        seat.save()
        window.send(make_message("commit", commitment="ab" * 32))
        assert window.read_close_code() in (4401, 4403)
    assert get_prepared_hand(match).deals.current.commitments == {}


def test_practice_hand_is_dealt_with_the_share_of_the_player(
    live_site: LiveSite,
) -> None:
    user = make_user()
    match = services.start_practice(user, "uno-400", 2)
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
        shares = Shares()
        began = time.monotonic()
        send_requested_messages(window, shares)
        read_until_step(window, "open")
        send_requested_messages(window, shares)
        read_until_step(window, "dealt")
        assert time.monotonic() - began < 5
    services.play_out(reload(match), hands=1)
    hand = match.hands.get(number=1)
    assert list(sure(hand.deals.dealt).shares) == [0]
    assert record.check(check_record(hand)) is None


def test_every_hand_of_a_match_is_dealt_with_all_shares(live_site: LiveSite) -> None:
    """Play two hands, because only the list of a later hand is closed at a fixed time."""
    match = make_match(hand_limit=2, between_seconds=1, options={"hand_size": 2})
    with open_windows(live_site, match) as pair:
        shares = [Shares(), Shares()]
        for number in (1, 2):
            for step in ("commit", "open"):
                for window, mine in zip(pair, shares, strict=True):
                    read_until_step(window, step, hand=number)
                    send_requested_messages(window, mine)
                if (number, step) == (1, "commit"):
                    services.start_match(match)
            read_until_step(pair[0], "dealt", hand=number)
            services.play_out(reload(match), hands=1)
    for hand in match.hands.all():
        assert list(sure(hand.deals.dealt).shares) == [0, 1]
        check_record(hand)
