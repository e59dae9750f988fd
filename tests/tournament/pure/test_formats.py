"""Tests of the ready-made formats."""

import pytest

from games.rules.ruleset import rulesets
from tests.factories import make_organizer, make_players
from tests.tournament.helpers import finish_paper_round, get_refusal_code, start_drafted_round
from tests.tournament.staging import play
from tournament.advancing.next_rounds import draw_round, next_round
from tournament.advancing.services import announce_winner, preview_cut, qualify, reopen_event
from tournament.desk.queries import list_desk_steps
from tournament.events.services import create_event, publish_event
from tournament.hall.queries import bracket, tables
from tournament.models import Event, Round, Stage, User
from tournament.pure import formats
from tournament.pure.formats import READY, StagePlan, summarize_stages
from tournament.pure.qualifying import RuleError
from tournament.pure.qualifying.thresholds import USUAL, describe_thresholds, read_thresholds
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round
from tournament.stages.cut import find_cutting_stage, rule_of
from tournament.stages.texts import stage_text
from tournament.stages.winners import is_decided


def make_event_of_format(key: str, players: int, **fields: object) -> tuple[Event, User]:
    """Create and publish an event of a ready-made format with this number of players."""
    organizer = make_organizer()
    event = create_draft_event(key, organizer, **fields)
    make_players(event, players)
    return publish_event(event, organizer), organizer


def create_draft_event(key: str, organizer: User, **fields: object) -> Event:
    """Create an event of a ready-made format, without publishing it."""
    ready = READY[key]
    ruleset = ready.ruleset or "uno-400"
    options = rulesets.make(ruleset, ready.options).changed_options()
    made: dict[str, object] = {"title": key, "slug": key, "ruleset": ruleset, "options": options}
    made |= {"eligibility_required": False, **ready.settings, "capacity": None, **fields}
    return create_event(Event(**made), organizer, ready.stages)


def play_next_round(event: Event, organizer: User) -> Round | None:
    """Draw, play and close the next round, and return it.

    Returns None if no further round can be drawn.
    """
    for stage in event.stages.order_by("number"):
        if next_round(stage) and not is_decided(event, None):
            drawn = draw_round(stage, organizer)
            return finish_paper_round(start_drafted_round(drawn, organizer), organizer)
    return None


def list_round_titles(event: Event) -> list[str]:
    return [played.title for played in Round.objects.filter(stage__event=event).order_by("ordinal")]


@pytest.mark.parametrize("key", READY)
def test_format_follows_the_limits_of_its_rule_set(key: str) -> None:
    ready = READY[key]
    rules = rulesets.make(ready.ruleset or "uno-400", ready.options)
    rules.check_seats(ready.settings.get("table_size", 4))
    brackets = [stage.format == "bracket" for stage in ready.stages]
    assert True not in brackets[:-1]  # no stage can follow a final


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("rounds", "3 rounds for everyone"),
        (
            "turnout",
            "3 rounds for everyone, then the top players (how many depends on turnout) "
            "play a knockout in which the top 2 of each table advance, all the way to the "
            "final",
        ),
        (
            "three-stages",
            "2 rounds for everyone, then the top 50% play 2 more rounds, then the top 16 "
            "play a knockout in which the top 2 of each table advance, all the way to the "
            "final",
        ),
        ("partners", "rounds in which everyone partners everyone else once"),
        ("one-table", "1 round for everyone"),
        (
            "challenge",
            "a knockout for everyone in which the winner of each table advances, all the "
            "way to the final",
        ),
        (
            "knock-out",
            "a knockout for everyone in which the top 2 of each table advance, all the way "
            "to the final",
        ),
    ],
)
def test_format_is_described_in_one_sentence(key: str, expected: str) -> None:
    assert summarize_stages(READY[key].stages) == expected


def test_thresholds_in_the_settings_are_parsed() -> None:
    places = dict(read_thresholds("10: 4, 21: 50%"))
    assert places == {9: 0, 20: 4, None: 0.5}
    message = "4 if there are at least 10 players and 50% if there are at least 21 players"
    assert describe_thresholds("10: 4, 21: 50%") == message
    assert read_thresholds(USUAL) == ((16, 0), (32, 8), (64, 16), (None, 0.25))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "“” is not a threshold"),
        ("17: 8, many", "“many” is not a threshold"),
        ("33: 8, 17: 16", "Each threshold must be higher than the one before."),
        ("17: 101%", "No more than 100% can advance."),
    ],
)
def test_invalid_threshold_is_refused(text: str, expected: str) -> None:
    with pytest.raises(RuleError, match=expected):
        read_thresholds(text)


@pytest.mark.django_db
@pytest.mark.parametrize(("key", "rounds"), [("rounds", 3), ("lowest", 3), ("one-table", 1)])
def test_event_with_one_stage_ends_after_its_rounds(key: str, rounds: int) -> None:
    event, organizer = make_event_of_format(key, 5)
    for number in range(1, rounds + 1):
        assert get_refusal_code(announce_winner, event, organizer) == "none"
        played = play_next_round(event, organizer)
        assert played is not None
        assert played.title == f"Round {number}"
    (stage,) = event.stages.all()
    assert [step.key for step in list_desk_steps(event)][-2:] == ["rounds", "winner"]
    assert find_cutting_stage(event) is None
    assert get_refusal_code(qualify, stage, organizer, rule_of(stage), []) == "last"
    assert announce_winner(event, organizer).table is None
    stage.refresh_from_db()
    assert stage.state == Stage.State.CLOSED
    reopen_event(event, organizer, "A sheet was lost.")
    assert next_round(event.stages.get()) is not None
    assert stage_text(event.stages.get()).endswith("The standings decide.")


@pytest.mark.django_db
def test_event_with_three_stages_can_be_played_to_its_winner() -> None:
    event, organizer = make_event_of_format("three-stages", 12)
    for number, through in ((1, 6), (2, 4)):
        play_next_round(event, organizer)
        play_next_round(event, organizer)
        stage = find_cutting_stage(event)
        assert stage is not None
        assert stage.number == number
        event.stages.filter(number=2).update(qualify_value=4)
        stage.refresh_from_db()
        rule = rule_of(stage)
        expected = preview_cut(stage_results(stage), rule).through
        assert len(qualify(stage, organizer, rule, expected)) == len(expected) >= through
        assert bracket(event) is None or number == 2
    play_next_round(event, organizer)
    while next_round(event.stages.get(number=3)):
        play_next_round(event, organizer)
    assert list_round_titles(event)[:4] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    assert list_round_titles(event)[-1] == "Final"
    assert announce_winner(event, organizer).table is not None
    keys = [(step.key, step.stage) for step in list_desk_steps(event)]
    assert keys[3:] == [
        ("rounds", 1),
        ("qualify", 1),
        ("rounds", 2),
        ("qualify", 2),
        ("rounds", 3),
        ("winner", 0),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["knock-out", "challenge"])
def test_knockout_ends_with_a_final(key: str) -> None:
    event, organizer = make_event_of_format(key, 8, ruleset="uno-400", options={})
    names = []
    while next_round(event.stages.get()):
        played = play_next_round(event, organizer)
        assert played is not None
        names.append(played.title)
    assert names[-1] == "Final"
    assert event.stages.get().qualifiers.count() == 8
    assert announce_winner(event, organizer).table is not None


@pytest.mark.django_db
def test_last_stage_is_decided_by_its_own_standings() -> None:
    two = (StagePlan("One", rounds_planned=1), StagePlan("Two", rounds_planned=1))
    organizer = make_organizer()
    fields = {"ruleset": "uno-400", "eligibility_required": False}
    event = create_event(Event(title="Two", slug="two", **fields), organizer, two)
    make_players(publish_event(event, organizer), 8)
    first = draw_round(event.stages.get(number=1), organizer)
    finish_paper_round(start_drafted_round(first, organizer), organizer, [400, 0, 0, 0])
    stage = event.stages.get(number=1)
    rule = rule_of(stage)
    rule = type(rule)("top_k", 2, "lots", 1)
    sent = preview_cut(stage_results(stage), rule).through
    qualify(stage, organizer, rule, sent)
    second = draw_round(event.stages.get(number=2), organizer)
    finish_paper_round(start_drafted_round(second, organizer), organizer, [0, 0, 0, 300])
    winner = announce_winner(event, organizer)
    last = second.tables.get().seats.get(number=3)
    assert (winner.registration, winner.points) == (last.registration, 300)


@pytest.mark.django_db
def test_event_with_an_invalid_stage_is_not_created() -> None:
    organizer = make_organizer()
    wrong = (StagePlan("One", qualify_rule="number", qualify_value=0),)
    assert get_refusal_code(create_event, Event(title="X", slug="x"), organizer, wrong) == "rule"
    assert not Event.objects.exists()


def test_usual_format_depends_on_turnout() -> None:
    assert formats.USUAL is READY["turnout"]


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.patient
def test_challenge_uno_marks_the_eliminated_players() -> None:
    options = {"scoring": "elimination", "target": 60}
    event, organizer = make_event_of_format("challenge", 4, options=options)
    drawn = draw_round(event.stages.get(), organizer)
    played = start_round(publish_round(drawn, organizer), organizer)
    play(played.tables.get())
    (table,) = tables(event)[0].tables
    assert sorted(seat.out for seat in table.seats) == [False, True, True, True]
    close_round(played, organizer)
    (last,) = [seat.registration for seat in table.seats if not seat.out]
    assert announce_winner(event, organizer).registration == last
