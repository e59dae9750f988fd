"""Tests of undoing the start or the end of a round."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from games.models import Match
from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.corrections import rounds
from tournament.corrections.rounds import describe_undo, reopen_round, undo_round_start
from tournament.desk.confirmation import confirm
from tournament.desk.proposals import list_pending
from tournament.desk.queries import list_desk_steps
from tournament.models import Event, Round, Stage, User
from tournament.oversight.history_texts import history
from tournament.results.services import enter_result
from tournament.rounds.services import abandon_table, close_round, start_round
from tournament.seating.queries import list_seated
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db

REASON = "Half of them are at lunch."


def make_running_round(players: int = 8, *, paper: bool = False) -> tuple[Round, Event, User]:
    event, organizer = make_organized_event(players, hand_limit=1)
    played = seat_round(first_stage(event), organizer)
    return start_drafted_round(played, organizer, paper=paper), event, organizer


def play_hand_on_clock(round_: Round) -> None:
    """Let the turn clock act for the players of the first table until one hand is over."""
    match = match_of(round_.tables.order_by("number")[0])
    games.play_out(match, hands=1)


def test_start_can_be_undone_before_the_first_action() -> None:
    played, event, organizer = make_running_round()
    sat = list_seated(played)
    matches = list(played.tables.values_list("match_id", flat=True))
    undo_round_start(played, organizer, REASON)
    event.refresh_from_db()
    assert (played.state, played.started_at, played.ends_at) == ("published", None, None)
    assert (event.state, event.registration_state) == ("open", "open")
    assert list_seated(played) == sat
    assert not played.tables.filter(match__isnull=False).exists()
    kept = Match.objects.filter(pk__in=matches)
    assert {(match.ended, match.ended_reason) for match in kept} == {("abandoned", REASON)}


def test_undone_start_and_its_reason_are_public() -> None:
    played, event, organizer = make_running_round()
    undo_round_start(played, organizer, REASON)
    last = history(event).rows[0]
    assert (last.text, last.reason) == (
        "Round 1: the start was undone before any card had been played.",
        REASON,
    )


def test_round_restarts_with_new_matches_after_an_undone_start() -> None:
    played, event, organizer = make_running_round()
    before = set(played.tables.values_list("match_id", flat=True))
    start_round(undo_round_start(played, organizer, REASON), organizer)
    assert not before & set(played.tables.values_list("match_id", flat=True))
    event.refresh_from_db()
    assert (event.state, event.registration_state) == ("running", "closed")


def test_undoing_a_later_start_keeps_the_event_running_and_registration_closed() -> None:
    event, organizer = make_organized_event(8)
    second = seat_round(play_first_round(event, organizer), organizer)
    start_drafted_round(second, organizer)
    assert describe_undo(second) == [
        "The round will go back to where it was before the start, with its seats "
        "published and unchanged.",
        "The round won’t count, and its players won’t count as having met.",
    ]
    undo_round_start(second, organizer, REASON)
    event.refresh_from_db()
    assert (event.state, event.registration_state) == ("running", "closed")


def test_preview_says_that_registration_reopens() -> None:
    played, _event, _organizer = make_running_round()
    assert describe_undo(played)[-1] == (
        "Registration will be open again without a deadline. You can set one in the settings."
    )


def test_start_cannot_be_undone_after_the_first_action() -> None:
    played, _event, organizer = make_running_round()
    play_hand_on_clock(played)
    assert get_refusal_code(describe_undo, played) == "played"
    assert get_refusal_code(undo_round_start, played, organizer, REASON) == "played"


def test_card_played_during_the_undo_prevents_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played, _event, organizer = make_running_round()
    end_matches = rounds._end_matches

    def play_hand_before_undo(round_: Round, reason: str) -> None:
        play_hand_on_clock(round_)
        end_matches(round_, reason)

    monkeypatch.setattr(rounds, "_end_matches", play_hand_before_undo)
    assert get_refusal_code(undo_round_start, played, organizer, REASON) == "played"
    played.refresh_from_db()
    assert played.state == "running"
    assert played.tables.filter(match=None).count() == 0


def test_start_cannot_be_undone_after_a_table_has_points() -> None:
    played, _event, organizer = make_running_round(paper=True)
    enter_result(played.tables.all()[0], organizer, [400, 0, 0, 0])
    assert get_refusal_code(undo_round_start, played, organizer, REASON) == "result"


def test_table_abandoned_before_the_first_card_does_not_prevent_undo() -> None:
    played, _event, organizer = make_running_round()
    abandon_table(played.tables.all()[0], organizer, "Wrong table.")
    assert undo_round_start(played, organizer, REASON).state == "published"


def test_undoing_a_start_needs_a_reason_and_a_running_round() -> None:
    played, _event, organizer = make_running_round()
    assert get_refusal_code(undo_round_start, played, organizer, " ") == "no-reason"
    undo_round_start(played, organizer, REASON)
    assert get_refusal_code(undo_round_start, played, organizer, REASON) == "state"


def make_closed_round(*, second: bool = False) -> tuple[Round, Event, User]:
    """Create a closed round with results.

    If `second` is true, the event has a second organizer.
    """
    played, event, organizer = make_running_round(paper=True)
    finish_paper_round(played, organizer)
    if second:
        make_organizer(event)
    return played, event, organizer


def test_sole_organizer_can_reopen_a_closed_round() -> None:
    played, event, organizer = make_closed_round()
    assert reopen_round(played, organizer, REASON) is None
    assert (played.state, played.closed_at) == ("running", None)
    last = history(event).rows[0]
    assert (last.text, last.reason, last.second) == (
        "Round 1 was reopened after it had been closed.",
        REASON,
        False,
    )
    assert close_round(played, organizer).state == "closed"


def test_reopening_a_round_needs_a_second_organizer() -> None:
    played, event, organizer = make_closed_round(second=True)
    proposal = reopen_round(played, organizer, REASON)
    assert proposal is not None
    assert played.state == "closed"
    other = event.organizers.exclude(pk=organizer.pk).get()
    assert [each.text for each in list_pending(event, other)] == ["Reopen Round 1."]
    assert get_refusal_code(reopen_round, played, organizer, REASON) == "waiting"
    confirm(proposal, other)
    played.refresh_from_db()
    assert (played.state, history(event).rows[0].second) == ("running", True)


def test_reopening_a_round_discards_the_next_draft() -> None:
    played, event, organizer = make_closed_round()
    seat_round(first_stage(event), organizer)
    assert describe_undo(played) == [
        "Round 1 will be open again, so its points can be entered and corrected.",
        "The draft of Round 2 will be discarded.",
    ]
    reopen_round(played, organizer, REASON)
    assert list(first_stage(event).rounds.values_list("number", flat=True)) == [1]
    texts = [row.text for row in history(event).rows]
    assert "First round (everyone plays), Round 2: draw 1 was discarded." in texts


def test_reopening_preview_mentions_missing_results_and_expired_time() -> None:
    played, _event, organizer = make_running_round()
    close_round(played, organizer, "Fire alarm.")
    Round.objects.filter(pk=played.pk).update(ends_at=timezone.now() - timedelta(minutes=1))
    played.refresh_from_db()
    assert describe_undo(played)[1:] == [
        "Tables 1, 2 have no results and no matches. Enter their points, or have their "
        "players use physical cards.",
        "The round’s time has run out, so the round will no longer have a time limit.",
    ]
    reopen_round(played, organizer, REASON)
    assert (played.ends_at, played.close_reason) == (None, "")


def test_round_closed_by_mistake_returns_to_its_published_seats() -> None:
    played, _event, organizer = make_running_round()
    close_round(played, organizer, "Wrong button.")
    reopen_round(played, organizer, REASON)
    assert undo_round_start(played, organizer, REASON).state == "published"


def test_round_with_dependent_rounds_cannot_be_reopened() -> None:
    played, event, organizer = make_closed_round()
    assert (
        get_refusal_code(reopen_round, start_next_round(event, organizer), organizer, REASON)
        == "state"
    )
    assert get_refusal_code(reopen_round, played, organizer, REASON) == "later"


def start_next_round(event: Event, organizer: User) -> Round:
    return start_drafted_round(seat_round(first_stage(event), organizer), organizer)


def test_round_of_a_closed_stage_cannot_be_reopened() -> None:
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 4)
    assert (
        get_refusal_code(reopen_round, first_stage(event).rounds.get(), organizer, REASON) == "cut"
    )


def play_final(event: Event, organizer: User) -> Round:
    stage = make_second_stage(event, organizer, 4)
    return finish_paper_round(
        start_drafted_round(draw_bracket(stage, organizer), organizer), organizer
    )


def test_reopening_the_final_reopens_its_stage() -> None:
    event, organizer = make_organized_event(8)
    played = play_final(event, organizer)
    assert (
        describe_undo(played)[-1] == "The winner will be undecided until the round is closed again."
    )
    reopen_round(played, organizer, REASON)
    assert (played.stage.state, list_desk_steps(event)[-1].text) == ("open", "Not decided yet.")
    close_round(played, organizer)
    assert Stage.objects.get(pk=played.stage_id).state == "closed"


def test_final_cannot_be_reopened_after_the_winner_is_announced() -> None:
    event, organizer = make_organized_event(8)
    played = play_final(event, organizer)
    announce_winner(event, organizer)
    played = Round.objects.get(pk=played.pk)
    assert get_refusal_code(reopen_round, played, organizer, REASON) == "finished"
