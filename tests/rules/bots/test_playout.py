"""Tests of hands and matches played only by bots, and of the two commands that play them."""

import json
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.rules import record
from games.rules.bots import playout
from games.rules.bots.playout import EndlessHandError, Playout, play_match
from games.rules.ruleset import rulesets


def play_out_hand(seed: int, key: str = "ocho", seats: int = 5) -> Playout:
    hand = Playout(rulesets.make(key), ["plain"] * seats, 0, Random(seed))
    hand.run()
    return hand


def run_command(command: str, *arguments: object) -> list[str]:
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    return out.getvalue().splitlines()


def test_equal_seeds_give_equal_hands() -> None:
    assert play_out_hand(7).record("one") == play_out_hand(7).record("one")
    assert play_out_hand(7).record("one") != play_out_hand(8).record("one")


def test_playout_record_is_valid() -> None:
    assert record.check(play_out_hand(7).record("one")) is None


def test_easy_bots_forget_uno_and_are_caught_or_call_late() -> None:
    hand = Playout(rulesets.make("uno-400"), ["easy"] * 3, 0, Random(3))
    hand.run()
    calls = [verb for action in hand.actions for verb in ("call", "catch") if verb in action]
    assert calls == ["catch", "call"]
    assert record.check(hand.record("forgetful")) is None


def test_endless_hand_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "MOST_ACTIONS", 3)
    with pytest.raises(EndlessHandError, match="the hand is not over after 3 actions"):
        play_out_hand(7)


def test_endless_match_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "MOST_HANDS", 1)
    with pytest.raises(EndlessHandError, match="the match is not over after 1 hands"):
        play_match(rulesets.make("uno-400"), ["plain"] * 3, Random(1))


def test_match_winner_has_reached_the_target() -> None:
    score = play_match(rulesets.make("uno-400"), ["plain"] * 3, Random(1))
    assert score.winners == [seat for seat in range(3) if score.totals[seat] >= 400]
    assert len(score.winners) == 1


def test_eliminated_players_play_no_further_hands() -> None:
    rs = rulesets.make("uno-500", {"scoring": "elimination"})
    seats: list[int] = []
    score = play_match(rs, ["plain"] * 4, Random(1), lambda hand: seats.append(hand.hand.seats))
    assert (seats[0], seats[-1]) == (4, 2)
    assert seats == sorted(seats, reverse=True)
    assert len(score.out) == 3
    assert sorted(score.out + score.winners) == [0, 1, 2, 3]


def test_partners_win_a_match_together() -> None:
    score = play_match(rulesets.make("ocho", {"partners": True}), ["plain"] * 4, Random(1))
    assert score.winners in ([0, 2], [1, 3])


# --- manage.py playout


def test_playout_command_prints_a_hand_and_writes_its_record(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    lines = run_command("playout", "--ruleset", "ocho", "--seats", 5, "--seed", 7, "--record", file)
    assert lines[0].startswith("Ocho. ")
    assert [line.split()[1] for line in lines[1:6]] == ["holds"] * 5
    assert lines[6].endswith("is turned up.")
    assert lines[-1].startswith("Points: Asha ")
    assert run_command("check_record", file)[-1] == "1 passed, 0 failed"


def test_playout_command_accepts_options_and_strength(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    options = '{"stacking": "draw-two", "hand_size": 3}'
    run_command(
        "playout",
        "--ruleset=uno-400",
        f"--options={options}",
        "--strength=random",
        "--record",
        file,
    )
    written = json.loads(file.read_text())
    assert written["options"] == {"stacking": "draw-two", "hand_size": 3}
    assert written["name"] == "uno-400: 4 random bots, seed 1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ruleset", "uno-600"], "There is no rule set 'uno-600'"),
        (["--options", "{"], "--options is not JSON"),
        (["--options", "[]"], "--options is an object"),
        (["--options", '{"jump_in": true}'], "There is no option 'jump_in'."),
        (["--seats", "11"], "These rules are for 2 to 10 players, not 11"),
    ],
)
def test_playout_command_reports_invalid_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message.replace("(", r"\(")):
        run_command("playout", *arguments)


# --- manage.py play_matches


@pytest.mark.slow
@pytest.mark.patient
def test_every_rule_set_is_played_to_the_target() -> None:
    lines = run_command("play_matches", "--matches", 5)
    assert [line.split(":")[0] for line in lines] == list(rulesets.RULE_SETS)
    assert all(line.endswith("no failure") and ": 5 matches, " in line for line in lines)


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize("scoring", ["lowest", "elimination"])
def test_every_rule_set_can_be_played_with_running_totals(scoring: str) -> None:
    lines = run_command(
        "play_matches", "--matches=2", "--options", json.dumps({"scoring": scoring})
    )
    assert [line.endswith("no failure") for line in lines] == [True] * len(lines)


def test_failed_playout_is_reported_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "check", lambda data: "it is wrong")
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("play_matches", "--ruleset=uno-400", "--matches=2", "--seats=3", stdout=out)
    assert out.getvalue().splitlines() == [
        "uno-400: 2 matches, 2 hands, "
        + out.getvalue().split("hands, ")[1].split(",")[0]
        + ", 2 failures",
        "FAIL match 0, 3 seats: InvalidHandError: its record fails: it is wrong",
        "FAIL match 1, 3 seats: InvalidHandError: its record fails: it is wrong",
    ]
