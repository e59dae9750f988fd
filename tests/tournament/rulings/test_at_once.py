"""Tests of players who stop playing while a second organizer decides about disqualification."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from games.rules.bots.bots import EMPTY
from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.ruling import (
    get_event,
    get_match_seat,
    get_player,
    get_reserve,
    get_seat,
    make_round_with_reserve,
)
from tests.tournament.staging import first_table, organizer_of, play
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.corrections.rounds import reopen_round
from tournament.corrections.rulings import preview_new_ruling
from tournament.desk.confirmation import confirm, preview_proposal, refuse, withdraw
from tournament.desk.proposals import count_pending_about
from tournament.models import Event, Proposal, Round, Ruling, Stage, User
from tournament.oversight.history_texts import history
from tournament.registration.services import withdraw as take_out
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.announcements import filter_shown_messages
from tournament.rounds.services import close_round, start_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

Kind = Ruling.Kind
REASON = "Two phones."


@pytest.fixture
def started_round() -> Round:
    return make_round_with_reserve()


@pytest.fixture
def first_organizer(started_round: Round) -> User:
    return organizer_of(get_event(started_round))


@pytest.fixture
def second_organizer(first_organizer: User, started_round: Round) -> User:
    return make_organizer(get_event(started_round))


def disqualify_player(round_: Round, actor: User) -> Proposal:
    wanted = RulingRequest(Kind.DISQUALIFY, get_player(round_))
    proposal = rule(get_event(round_), actor, wanted, REASON)
    assert proposal is not None
    return proposal


def list_table_messages(round_: Round, **later: int) -> list[str]:
    """Return the messages shown at the first table after the delay `later`, by default now."""
    messages = get_seat(round_).table.desk_messages.all()
    return [
        str(each) for each in filter_shown_messages(messages, timezone.now() + timedelta(**later))
    ]


def list_rulings(event: Event) -> list[tuple[str, bool]]:
    return [(each.kind, each.stands) for each in event.rulings.order_by("pk")]


def test_seat_forfeits_immediately_while_the_disqualification_is_pending(
    started_round: Round,
    first_organizer: User,
    second_organizer: User,
    django_capture_on_commit_callbacks: object,
) -> None:
    disqualify_player(started_round, first_organizer)
    assert get_seat(started_round).forfeited
    assert (get_match_seat(started_round).user, get_match_seat(started_round).bot) == (None, EMPTY)
    assert get_player(started_round).state == "approved"
    assert list_rulings(get_event(started_round)) == [("forfeit", True)]
    assert get_refusal_code(disqualify_player, started_round, first_organizer) == "asked"


def test_immediate_forfeit_is_announced_at_the_table_and_logged(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    event, name = get_event(started_round), get_player(started_round).name
    disqualify_player(started_round, first_organizer)
    assert str(event.desk_messages.get()) == (
        f"{name} can’t play at this table until the organizers have decided."
    )
    assert history(event).rows[0].text == f"Round 1, table 1: {name} forfeited the match."
    log = list(event.audit.order_by("-pk").values_list("action", flat=True)[:3])
    assert log == ["ask", "message", "ruling"]


@pytest.mark.django_db(transaction=True)
def test_player_is_notified_by_mail() -> None:
    played = make_round_with_reserve()
    first = organizer_of(get_event(played))
    second = make_organizer(get_event(played))
    proposal = disqualify_player(played, first)
    assert "You can’t keep playing in" in mail.outbox[-1].subject
    assert REASON in mail.outbox[-1].body
    confirm(proposal, second)
    assert "You’ve been disqualified from" in mail.outbox[-1].subject


def test_requesting_organizer_is_warned_of_the_immediate_forfeit(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    wanted = RulingRequest(Kind.DISQUALIFY, get_player(started_round))
    message = preview_new_ruling(
        get_event(started_round), first_organizer, wanted, REASON
    ).sentences[0]
    name = get_player(started_round).name
    assert message.startswith(f"{name} will stop playing at Round 1, table 1 immediately")


def test_undoing_a_confirmed_disqualification_also_undoes_its_forfeit(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    event = get_event(started_round)
    confirm(disqualify_player(started_round, first_organizer), second_organizer)
    assert get_player(started_round).state == "disqualified"
    assert list_rulings(event) == [("forfeit", True), ("disqualify", True)]
    forfeit = event.rulings.get(kind="forfeit")
    assert get_refusal_code(undo_ruling, forfeit, first_organizer, "A mistake.") == "later"
    proposal = undo_ruling(event.rulings.get(kind="disqualify"), first_organizer, "A mistake.")
    assert proposal is not None
    confirm(proposal, second_organizer)
    assert list_rulings(event) == [("forfeit", False), ("disqualify", False)]
    assert (get_player(started_round).state, get_seat(started_round).forfeited) == (
        "approved",
        False,
    )
    assert get_match_seat(started_round).user == get_player(started_round).user


@pytest.mark.parametrize("by", ["second", "first"])
def test_rejected_or_withdrawn_request_lets_the_player_continue(
    started_round: Round, first_organizer: User, second_organizer: User, by: str
) -> None:
    event, name = get_event(started_round), get_player(started_round).name
    proposal = disqualify_player(started_round, first_organizer)
    if by == "second":
        message = refuse(proposal, second_organizer, "It was another one.")
    else:
        message = withdraw(proposal, first_organizer)
    assert message == (
        f"{name} is playing at Round 1, table 1 again. Everything played in between stays as it is."
    )
    assert list_rulings(event) == [("forfeit", False)]
    assert get_match_seat(started_round).user == get_player(started_round).user
    assert list_table_messages(started_round) == [
        f"The organizers have decided: {name} stays in the event and can keep playing."
    ]
    ruling = event.rulings.get()
    assert ruling.cancelled_by == (second_organizer if by == "second" else first_organizer)


def test_table_message_disappears_on_the_decision_and_does_not_expire(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    name = get_player(started_round).name
    proposal = disqualify_player(started_round, first_organizer)
    pending = f"{name} can’t play at this table until the organizers have decided."
    assert list_table_messages(started_round, days=30) == [pending]
    confirm(proposal, second_organizer)
    assert list_table_messages(started_round) == [
        f"The organizers have decided: {name} is disqualified."
    ]


def test_table_message_disappears_when_only_the_forfeit_is_undone(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    disqualify_player(started_round, first_organizer)
    undo_ruling(get_event(started_round).rulings.get(), first_organizer, "Let the hand end.")
    assert list_table_messages(started_round) == []


def test_rejection_after_the_match_makes_it_count_for_the_player_again(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    name = get_player(started_round).name
    proposal = disqualify_player(started_round, first_organizer)
    play(get_seat(started_round).table)
    assert preview_proposal(proposal).effects.sentences[0] == (
        f"{name} has forfeited the match at Round 1, table 1, which is over. If you reject the "
        f"request, the match will count for {name} again."
    )
    message = refuse(proposal, second_organizer, "It was another one.")
    assert message == f"The match at Round 1, table 1 is over, and it counts for {name} again."
    assert not get_seat(started_round).forfeited
    assert list_table_messages(started_round) == [
        f"The organizers have decided: {name} stays in the event, and this match counts."
    ]


@pytest.mark.parametrize("over", [False, True])
def test_round_does_not_close_while_a_decision_about_its_player_is_pending(
    started_round: Round, first_organizer: User, second_organizer: User, over: bool
) -> None:
    if over:
        play(get_seat(started_round).table)
    name = get_player(started_round).name
    wanted = RulingRequest(Kind.DISQUALIFY, get_player(started_round))
    found = preview_new_ruling(get_event(started_round), first_organizer, wanted, REASON).sentences
    assert found[1] == "Round 1 can’t be closed before that."
    proposal = disqualify_player(started_round, first_organizer)
    assert count_pending_about(get_event(started_round), started_round) == 1
    refused = get_refusal(close_round, started_round, first_organizer, "The hall closes.")
    assert (refused.code, refused.sentence) == (
        "waiting",
        f"A decision about {name}, requested by {first_organizer}, "
        "is waiting for a second organizer. "
        "Confirm, reject or withdraw the request first, under “Confirmations”.",
    )
    confirm(proposal, second_organizer)
    assert close_round(started_round, first_organizer, "The hall closes.").state == "closed"


def test_round_closes_while_a_decision_about_another_player_is_pending(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    event = get_event(started_round)
    rule(event, first_organizer, RulingRequest(Kind.DISQUALIFY, get_reserve(started_round)), REASON)
    assert close_round(started_round, first_organizer, "The hall closes.").state == "closed"


def test_round_does_not_close_while_undoing_a_disqualification_is_pending(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    confirm(disqualify_player(started_round, first_organizer), second_organizer)
    ruling = get_event(started_round).rulings.get(kind="disqualify")
    assert undo_ruling(ruling, first_organizer, "A mistake.")
    assert (
        get_refusal_code(close_round, started_round, first_organizer, "The hall closes.")
        == "waiting"
    )


def test_rejection_says_if_the_forfeit_can_no_longer_be_undone(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    proposal = disqualify_player(started_round, first_organizer)
    play(get_seat(started_round).table)
    Round.objects.filter(pk=started_round.pk).update(state=Round.State.CLOSED)
    message = refuse(proposal, second_organizer, "It was another one.")
    assert message.startswith(
        f"{get_player(started_round).name}’s forfeit at Round 1, table 1 still counts: "
    )
    assert list_rulings(get_event(started_round)) == [("forfeit", True)]
    assert get_event(started_round).audit.get(action="answer").text.endswith(message)


def test_confirmation_restores_a_forfeit_undone_in_the_meantime(
    started_round: Round, first_organizer: User, second_organizer: User
) -> None:
    proposal = disqualify_player(started_round, first_organizer)
    undo_ruling(get_event(started_round).rulings.get(), first_organizer, "Let the hand end.")
    assert not get_seat(started_round).forfeited
    confirm(proposal, second_organizer)
    assert (get_player(started_round).state, get_seat(started_round).forfeited) == (
        "disqualified",
        True,
    )


def test_single_organizer_disqualifies_immediately(
    started_round: Round, first_organizer: User
) -> None:
    wanted = RulingRequest(Kind.DISQUALIFY, get_player(started_round))
    assert rule(get_event(started_round), first_organizer, wanted, REASON) is None
    assert list_rulings(get_event(started_round)) == [("disqualify", True)]


def test_round_does_not_start_with_a_player_facing_disqualification() -> None:
    event, organizer = make_organized_event(4)
    second = make_organizer(event)
    published = publish_round(seat_round(first_stage(event), organizer), organizer)
    proposal = disqualify_player(published, organizer)
    refused = get_refusal(start_round, published, organizer)
    assert (refused.code, list_rulings(event)) == ("waiting", [])
    assert refused.sentence.startswith(
        f"{organizer} has requested that {get_player(published).name} be removed from the event."
    )
    refuse(proposal, second, "It was another one.")
    assert start_round(published, organizer).state == "running"


def test_player_in_a_running_match_cannot_be_removed_from_the_event() -> None:
    event, organizer = make_organized_event(4)
    make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    event.stages.update(state="closed")
    assert get_refusal_code(take_out, get_player(played), organizer, REASON) == "playing"
    assert not event.proposals.exists()


def test_round_is_not_published_while_reopening_the_previous_one_is_pending() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    close_round(played, organizer, "The hall closes.")
    make_organizer(event)
    drafted = seat_round(first_stage(event), organizer)
    reopen_round(played, organizer, REASON)
    assert get_refusal(publish_round, drafted, organizer).sentence.startswith(
        "A change to Round 1, requested by"
    )


def propose_correction(round_: Round, organizer: User) -> Proposal:
    """Propose other points for the first table, and leave the proposal waiting."""
    enter_result(first_table(round_), organizer, [10, 20, 30, 400], REASON, override=True)
    return round_.stage.event.proposals.get(state="waiting")


def describe_waiting_step(round_: Round, reason: str) -> tuple[str, str]:
    asked = f"{reason} is waiting for a second organizer."
    first = "Confirm, reject or withdraw the request first, under “Confirmations”."
    return "waiting", f"{asked} The outcome may change who has a seat in {round_}. {first}"


def test_final_waits_for_a_pending_correction_of_the_semi_final() -> None:
    event, organizer = make_organized_event(8)
    second = make_organizer(event)
    event.stages.filter(number=1).update(format="bracket")
    semi_final = draw_bracket(first_stage(event), organizer)
    finish_paper_round(start_drafted_round(semi_final, organizer), organizer)
    final = draw_bracket(first_stage(event), organizer)
    expected = describe_waiting_step(final, f"A change to {semi_final}, requested by {organizer},")
    proposal = propose_correction(semi_final, organizer)
    refused = get_refusal(publish_round, final, organizer)
    assert (refused.code, refused.sentence) == expected
    refuse(proposal, second, "It was right.")
    published = publish_round(final, organizer)
    proposal = propose_correction(semi_final, organizer)
    refused = get_refusal(start_round, published, organizer)
    assert (refused.code, refused.sentence) == expected
    withdraw(proposal, organizer)
    assert start_round(published, organizer).state == "running"


def test_stage_waits_for_pending_changes_to_its_qualifiers() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    taken = start_drafted_round(seat_round(stage, organizer), organizer)
    third = first_table(taken).seats.get(number=2).registration
    assert third is not None
    wanted = RulingRequest(Kind.POINTS, third, points=150)
    assert rule(event, organizer, wanted, REASON) is None
    finish_paper_round(taken, organizer, [400, 300, 350, 100])
    cut = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, cut, preview_cut(stage_results(stage), cut).through)
    second = make_organizer(event)
    final = draw_bracket(event.stages.get(number=2), organizer)
    proposal = propose_correction(taken, organizer)
    assert get_refusal_code(publish_round, final, organizer) == "waiting"
    refuse(proposal, second, "It was right.")
    back = undo_ruling(event.rulings.get(), organizer, "A mistake.")
    assert back is not None
    refused = get_refusal(publish_round, final, organizer)
    waiting = f"A request by {organizer} to undo a ruling"
    assert (refused.code, refused.sentence) == describe_waiting_step(final, waiting)
    confirm(back, second)
    # Without the penalty, another player would have advanced.
    assert get_refusal_code(publish_round, final, organizer) == "outdated"


def test_round_of_all_players_can_start_during_a_pending_correction() -> None:
    event, organizer = make_organized_event(8)
    make_organizer(event)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    propose_correction(played, organizer)
    following = seat_round(first_stage(event), organizer)
    assert start_drafted_round(following, organizer).state == "running"
