"""Tests of late UNO calls and catches, which wait for each other unseen and are decided once."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import queries, services
from games.clocks.lag import Lag
from games.clocks.timing import milliseconds_since_epoch
from games.models import LoggedAction, Match
from games.process import here
from games.seats import SeatNumber
from tests.games.helpers import begin, list_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

RACE_WINDOW = timedelta(milliseconds=400)


class RaceTable:
    """Match in which seat 0 forgot to call UNO at `at`, and it is seat 1's turn.

    Times are in seconds after `at`.
    """

    def __init__(self, **fields: Any) -> None:
        hands = ["R1 R2", "R3 R4", "R6 R8", "Y6 Y8"]
        self.match = begin(hands, "R7", "G1 G2 G3 G4 B1 B2", **fields)
        self.at = timezone.now()
        self.send(0, {"play": "R1"}, 0, version=1)
        self.version = 2

    def send(
        self,
        seat: int,
        action: dict[str, Any],
        at: float,
        *,
        lag: float | Lag = 0.0,
        now: float | None = None,
        version: int = 2,
        client_id: str = "",
    ) -> services.Ack | services.RefusedError | services.UndecidedError:
        """Call `services.act`, and return its result or the error that it raises."""
        received = self.at + timedelta(seconds=at)
        try:
            return services.act(
                self.match.pk,
                SeatNumber(seat),
                action,
                version=version,
                client_id=client_id or f"{seat} {next(iter(action))}",
                now=received if now is None else self.at + timedelta(seconds=now),
                received=received,
                lag=lag if isinstance(lag, Lag) else Lag.steady(lag),
            )
        except (services.RefusedError, services.UndecidedError) as answer:
            return answer

    def expect_ack(self, *arguments: Any, **options: Any) -> services.Ack:
        answer = self.send(*arguments, **options)
        assert isinstance(answer, services.Ack), answer
        return answer

    def expect_undecided(self, *arguments: Any, **options: Any) -> float:
        answer = self.send(*arguments, **options)
        assert isinstance(answer, services.UndecidedError), answer
        return (answer.until - self.at).total_seconds()

    def expect_refusal(self, *arguments: Any, **options: Any) -> tuple[str, str]:
        answer = self.send(*arguments, **options)
        assert isinstance(answer, services.RefusedError), answer
        return answer.code, answer.sentence

    def tick(self, at: float) -> int:
        return services.tick(self.at + timedelta(seconds=at))

    def log(self) -> list[tuple[int, dict[str, Any], str]]:
        return list_log(self.match)[1:]

    def reload(self) -> Match:
        """Clear this process's caches, and return the match as loaded from the database."""
        here().close()
        self.match.refresh_from_db()
        return self.match


def test_pending_catch_is_invisible_to_other_players(monkeypatch: pytest.MonkeyPatch) -> None:
    table = RaceTable()
    pokes = []
    monkeypatch.setattr(here().hub, "poke", lambda *poke: pokes.append(poke))
    seen = [queries.match_view(table.reload(), seat.user) for seat in table.match.seats.all()]
    assert table.expect_undecided(2, {"catch": 0}, 1) == pytest.approx(1.4, abs=0.002)
    again = [queries.match_view(table.reload(), seat.user) for seat in table.match.seats.all()]
    for view in (*seen, *again):
        view["clock"] = None
        for window in view.get("may", {}).get("windows", []):
            window["left_ms"] = None
        for seat in view["seats"]:
            seat.pop("coming_ms", None)  # it decreases as time passes
    assert again == seen
    assert (table.match.version, pokes, table.log()) == (2, [], [])


def test_unopposed_catch_counts() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    assert table.expect_ack(2, {"catch": 0}, 1, now=1.4).version == 3
    assert table.log() == [(2, {"catch": 0}, "")]
    assert table.expect_ack(2, {"catch": 0}, 1, now=1.5).repeated


def test_earlier_call_wins_even_if_it_arrives_later() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    assert table.expect_undecided(0, {"call": True}, 1.12, lag=0.15) == pytest.approx(
        1.4, abs=0.002
    )
    assert table.expect_ack(0, {"call": True}, 1.12, now=1.41, lag=0.15).version == 3
    assert table.expect_refusal(2, {"catch": 0}, 1, now=1.41) == (
        "call-first",
        f"{table.match.seats.get(number=0).name} said UNO 0.03 s before you.",
    )
    assert table.log() == [(0, {"call": True}, "")]


def test_later_call_loses_even_if_it_arrives_first() -> None:
    table = RaceTable()
    table.expect_undecided(0, {"call": True}, 1)
    table.expect_undecided(2, {"catch": 0}, 1.1, lag=0.15)
    table.tick(1.41)
    catcher = table.match.seats.get(number=2).name
    assert table.log() == [(2, {"catch": 0}, "")]
    assert table.expect_refusal(0, {"call": True}, 1, now=1.5) == (
        "catch-first",
        f"{catcher} caught you 0.05 s before you said UNO.",
    )
    assert table.expect_ack(2, {"catch": 0}, 1.1, now=1.5).version == 3


def test_tie_goes_to_the_uno_call() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    table.expect_undecided(0, {"call": True}, 1.125, lag=0.125)
    table.tick(1.5)
    assert table.log() == [(0, {"call": True}, "")]


def test_earlier_of_two_catches_counts() -> None:
    table = RaceTable()
    table.expect_undecided(1, {"catch": 0}, 1)
    table.expect_undecided(2, {"catch": 0}, 1.05, lag=0.125)
    table.tick(1.5)
    assert table.log() == [(2, {"catch": 0}, "")]
    first, second = (table.match.seats.get(number=n).name for n in (2, 0))
    sentence = f"{first} caught {second} 0.07 s before you."
    assert table.expect_refusal(1, {"catch": 0}, 1, now=1.5) == ("catch-first", sentence)


def test_log_shows_the_times_of_both_claims() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    table.expect_undecided(0, {"call": True}, 1.12, lag=0.42)
    table.tick(1.5)
    timing = LoggedAction.objects.get(number=2).timing
    base = milliseconds_since_epoch(table.at)
    times = [
        (one.claim.player, one.claim.received - base, one.claim.credit, one.compensated - base)
        for one in timing.claims
    ]
    assert times == [(0, 1120, 150, 970), (2, 1000, 0, 1000)]
    assert (timing.of, timing.window_ms) == (0, 400)
    caller, catcher = (table.match.seats.get(number=n).name for n in (0, 2))
    view = queries.match_view(table.reload(), table.match.seats.get(number=1).user)
    expected = f"{caller} says UNO. {catcher}’s catch came 0.03 s later."
    assert [line["text"] for line in view["log"][-2:]] == [
        expected,
        f"Times since the first message arrived: {caller} 0.12 s, less 0.15 s for network delay; "
        f"{catcher} 0.00 s, less 0.00 s.",
    ]
    assert [line["more"] for line in view["log"][-2:]] == [False, True]


def test_pending_catch_survives_a_crash() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    table.reload()
    assert table.expect_undecided(2, {"catch": 0}, 1.2) == pytest.approx(1.4, abs=0.002), (
        "sent again"
    )
    table.reload()
    assert table.tick(1.39) == 0
    table.tick(1.4)
    table.reload()
    assert table.expect_ack(2, {"catch": 0}, 1.6).repeated
    assert table.log() == [(2, {"catch": 0}, "")]


def test_losing_claim_gets_the_same_answer_after_a_crash() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    table.expect_undecided(0, {"call": True}, 1)
    table.tick(1.5)
    table.reload()
    code, sentence = table.expect_refusal(2, {"catch": 0}, 2)
    assert (code, sentence.endswith("said UNO at the same moment as you.")) == ("call-first", True)


def test_next_player_waits_only_for_the_race_window() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    assert table.expect_undecided(1, {"play": "R3", "uno": True}, 1.1) == pytest.approx(
        1.4, abs=0.002
    )
    assert table.expect_ack(1, {"play": "R3", "uno": True}, 1.1, now=1.41).version == 4
    assert table.log() == [(2, {"catch": 0}, ""), (1, {"play": "R3", "uno": True}, "")]


def test_next_players_action_does_not_preempt_a_pending_call() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    table.expect_undecided(1, {"play": "R3", "uno": True}, 1.1)
    table.expect_undecided(0, {"call": True}, 1.12, lag=0.15)
    table.send(1, {"play": "R3", "uno": True}, 1.1, now=1.41)
    assert [action for _, action, _ in table.log()] == [{"call": True}, {"play": "R3", "uno": True}]


def test_illegal_action_of_the_next_player_is_refused_immediately() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    assert table.expect_refusal(1, {"play": "G9"}, 1.1)[0] == "card-not-held"
    assert table.expect_refusal(3, {"play": "Y6"}, 1.1)[0] == "not-your-turn"


def test_catch_after_the_next_players_action_is_stale() -> None:
    table = RaceTable()
    assert table.expect_ack(1, {"play": "R3", "uno": True}, 1).version == 3
    assert table.expect_refusal(2, {"catch": 0}, 1.01)[0] == "stale"


def test_caught_player_cannot_go_out_on_an_outdated_view() -> None:
    match = begin(["RS R2", "R3 R4"], "R7", "G1 G2 G3 G4")
    services.act(match.pk, SeatNumber(0), {"play": "RS"}, version=1, client_id="skip")
    now = timezone.now()
    requests: list[tuple[int, dict[str, Any], dict[str, Any]]] = [
        (1, {"catch": 0}, {"version": 2, "client_id": "catch"}),
        (0, {"play": "R2"}, {"version": 2, "client_id": "out"}),
    ]
    for seat, action, rest in requests:
        with pytest.raises(services.UndecidedError):
            services.act(match.pk, SeatNumber(seat), action, now=now, **rest)
    with pytest.raises(services.RefusedError) as refused:
        services.act(
            match.pk, SeatNumber(0), {"play": "R2"}, now=now + RACE_WINDOW * 2, **requests[1][2]
        )
    assert refused.value.code == "stale"
    assert list_log(match)[1:] == [(1, {"catch": 0}, "")]


def test_race_time_is_returned_to_the_seat_to_act() -> None:
    table = RaceTable()
    until = Match.objects.get(pk=table.match.pk).turn_until
    table.expect_undecided(2, {"catch": 0}, 1)
    table.tick(1.45)
    assert sure(Match.objects.get(pk=table.match.pk).turn_until) - sure(until) == timedelta(
        seconds=0.45
    )


def test_clock_does_not_run_out_during_a_race() -> None:
    table = RaceTable(turn_seconds=5)
    table.expect_undecided(2, {"catch": 0}, 4.9)
    assert table.expect_undecided(1, {"draw": True}, 4.95) == pytest.approx(5.3, abs=0.002)
    table.tick(5.2)
    assert table.log() == []
    table.tick(5.3)
    assert table.expect_ack(1, {"draw": True}, 4.95, now=5.31).version == 4
    assert [auto for _, _, auto in table.log()] == ["", ""]


def test_wrong_catch_is_decided_without_waiting() -> None:
    table = RaceTable(options={"wrong_catch_penalty": 2})
    assert table.expect_ack(2, {"catch": 1}, 1).version == 3


def test_single_player_among_bots_calls_uno_without_waiting() -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2", bots=2)
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    assert (
        services.act(match.pk, SeatNumber(0), {"call": True}, version=2, client_id="call").version
        == 3
    )


def test_bot_catch_enters_the_race_without_credit() -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2", bots=1, bot_seconds=1)
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    match.refresh_from_db()
    noticed = sure(match.due)
    services.tick(noticed)
    assert len(list_log(match)) == 1
    call: dict[str, Any] = {
        "received": noticed + timedelta(seconds=0.05),
        "lag": Lag.steady(0.1),
        "version": 2,
    }
    with pytest.raises(services.UndecidedError):
        services.act(
            match.pk, SeatNumber(0), {"call": True}, client_id="call", now=call["received"], **call
        )
    services.tick(noticed + 2 * RACE_WINDOW)
    assert list_log(match)[1:] == [(0, {"call": True}, "")]
    claims = LoggedAction.objects.get(number=2).timing.claims
    assert [(one.claim.player, one.claim.submitted.auto, one.claim.credit) for one in claims] == [
        (0, "", 100),
        (2, "bot", 0),
    ]


def test_pause_discards_pending_claims() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1)
    services.pause_match(table.match)
    assert table.expect_refusal(2, {"catch": 0}, 1, now=1.5)[0] == "paused"
    services.resume_match(table.reload())
    assert not table.reload().race
    table.expect_undecided(0, {"call": True}, 2, version=4)


def test_id_of_a_pending_claim_cannot_be_reused() -> None:
    table = RaceTable()
    table.expect_undecided(2, {"catch": 0}, 1, client_id="same")
    assert table.expect_refusal(2, {"call": True}, 1.1, client_id="same")[0] == "id-reused"
    assert table.expect_refusal(0, {"call": True}, 1.1, client_id="0 play")[0] == "id-reused"


def test_race_credit_is_limited_to_150_ms() -> None:
    table = RaceTable()
    table.expect_undecided(0, {"call": True}, 1, lag=30)
    [claim] = table.reload().race.claims
    assert claim.credit == 150


def test_race_credit_uses_the_smallest_round_trip() -> None:
    table = RaceTable()
    table.expect_undecided(0, {"call": True}, 1, lag=Lag(usual=0.9, smallest=0.04))
    [claim] = table.reload().race.claims
    assert claim.credit == 40


def test_race_is_charged_to_the_quota_of_every_entrant() -> None:
    table = RaceTable(turn_seconds=10)
    table.expect_undecided(2, {"catch": 0}, 1, lag=0.08)
    table.expect_undecided(0, {"call": True}, 1.1, lag=0.6)
    table.tick(1.5)
    # Each quota starts with the amount for three turns. Seat 0 has had one more turn.
    assert table.reload().state.lag == {0: 4 * 550 - 150, 2: 3 * 550 - 80}


def test_race_credit_is_limited_to_the_remaining_quota() -> None:
    table = RaceTable()
    state = replace(table.reload().state, lag={SeatNumber(0): 20})
    Match.objects.filter(pk=table.match.pk).update(state=state)
    table.reload()
    table.expect_undecided(0, {"call": True}, 1, lag=0.15)
    [claim] = table.reload().race.claims
    assert claim.credit == 20
    table.tick(1.5)
    assert table.reload().state.lag == {0: 0}


def test_seat_without_credit_is_not_charged() -> None:
    table = RaceTable()
    before = table.reload().state.lag
    table.expect_undecided(2, {"catch": 0}, 1)
    table.tick(1.5)
    assert table.reload().state.lag == before


def test_respectful_pause_is_kept_with_any_lag() -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", "2S 3S 4S", ruleset="ocho-cards")
    now = timezone.now()
    services.act(match.pk, SeatNumber(0), {"play": "4H"}, version=1, client_id="play", now=now)
    catch: dict[str, Any] = {"version": 2, "client_id": "catch", "lag": Lag.steady(3.0)}
    with pytest.raises(services.RefusedError, match="Not so fast"):
        services.act(
            match.pk, SeatNumber(2), {"catch": 0}, now=now + timedelta(seconds=1.4), **catch
        )
    with pytest.raises(services.UndecidedError):
        services.act(
            match.pk, SeatNumber(2), {"catch": 0}, now=now + timedelta(seconds=1.6), **catch
        )
    [race] = Match.objects.get(pk=match.pk).race.running
    assert race.catchable - race.played == 1500
