"""Tests that the second organizer sees the same effects as the organizer who made the request.

The effects are computed again for the second organizer. The tests cover every kind of request.
"""

from collections.abc import Callable, Iterator

import pytest
from django.utils import translation

from tests.factories import make_organizer, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.ruling import get_player
from tests.tournament.staging import play
from tournament.advancing.playoffs import enter_playoff_order, undo_playoff_order
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut
from tournament.corrections.points import preview_result
from tournament.corrections.rounds import reopen_round
from tournament.desk.confirmation import StepPreview, confirm, preview_proposal
from tournament.desk.steps import STEPS, kind_of
from tournament.events.closing.locking import lock_results, unlock_results
from tournament.models import Event, Proposal, Registration, Ruling, Stage, User
from tournament.oversight.export_requests import request_export
from tournament.people.staff.invitations import invite
from tournament.people.staff.organizers import (
    add_organizer,
    appoint_commentator,
    choose_confirmation_rule,
)
from tournament.privacy.services import anonymize_person, purge_event
from tournament.registration.services import withdraw
from tournament.results.services import enter_result, undo_result
from tournament.results.stages import stage_results
from tournament.rounds.paper import PaperProgress, set_paper
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

REASON = "Seen by both."
NEW_POINTS = [0, 100, 200, 400]


def get_waiting_proposal(event: Event) -> Proposal:
    return event.proposals.get(state="waiting")


def confirm_proposal(event: Event) -> None:
    confirm(
        get_waiting_proposal(event), event.organizers.order_by("pk").last() or make_organizer(event)
    )


def make_closed_round(players: int = 4) -> tuple[Event, User, Stage]:
    event, organizer = make_organized_event(players)
    stage = play_first_round(event, organizer)
    make_organizer(event)
    return event, organizer, stage


def make_event_with_correction() -> Event:
    event, organizer, stage = make_closed_round()
    enter_result(stage.rounds.get().tables.get(), organizer, NEW_POINTS, REASON)
    return event


def make_event_with_undone_correction() -> Event:
    event = make_event_with_correction()
    confirm_proposal(event)
    table = first_stage(event).rounds.get().tables.get()
    undo_result(table.results.get(reason=REASON), event.organizers.order_by("pk")[0], REASON)
    return event


def make_event_with_table_moved_back_to_site() -> Event:
    event, organizer = make_organized_event(4, hand_limit=5)
    make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = set_paper(play(played.tables.get(), hands=1), organizer, True, REASON)
    more = [had + 20 * (seat == 2) for seat, had in enumerate(table.start)]
    set_paper(table, organizer, False, REASON, PaperProgress(more, 1))
    return event


def make_event_after_cut() -> tuple[Event, User, Registration]:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    make_organizer(event)
    return event, organizer, stage.qualifiers.order_by("seed")[0].registration


def make_event_after_withdrawal() -> Event:
    event, organizer, player = make_event_after_cut()
    withdraw(player, organizer, REASON)
    return event


def make_event_with_ruling() -> Event:
    event, organizer, player = make_event_after_cut()
    rule(event, organizer, RulingRequest(Ruling.Kind.DISQUALIFY, player), REASON)
    return event


def make_event_with_undone_ruling() -> Event:
    event = make_event_with_ruling()
    confirm_proposal(event)
    undo_ruling(event.rulings.get(), event.organizers.order_by("pk")[0], REASON)
    return event


def make_event_with_playoff() -> Event:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    finish_paper_round(
        start_drafted_round(seat_round(stage, organizer), organizer),
        organizer,
        [400, 300, 200, 100],
    )
    make_organizer(event)
    cut = CutRule(Stage.Rule.NUMBER, 1, Stage.Ties.HAND, 1)
    (hand,) = preview_cut(stage_results(stage), cut).playoffs
    enter_playoff_order(stage, organizer, list(hand.players), cut)
    return event


def make_event_with_undone_playoff() -> Event:
    event = make_event_with_playoff()
    confirm_proposal(event)
    Stage.objects.filter(event=event, number=1).update(
        qualify_rule="number", qualify_value=1, cut_ties="hand", min_matches=1
    )
    stage = first_stage(event)
    undo_playoff_order(stage, event.organizers.order_by("pk")[0], stage.playoff[0])
    return event


def make_reopened_event() -> Event:
    event, organizer, stage = make_closed_round()
    reopen_round(stage.rounds.get(), organizer, REASON)
    return event


def make_ended_event() -> tuple[Event, User]:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    announce_winner(event, organizer)
    make_organizer(event)
    return event, organizer


def make_unlocked_event() -> Event:
    event, organizer = make_ended_event()
    lock_results(event, organizer, sure=True)
    unlock_results(event, organizer, REASON)
    return event


def make_purged_event() -> Event:
    event, organizer = make_ended_event()
    purge_event(event, organizer, REASON)
    return event


def make_proposal_builder(propose: Callable[[Event, User], object]) -> Callable[[], Event]:
    def build_event() -> Event:
        event, organizer = make_organized_event(4)
        make_organizer(event)
        propose(event, organizer)
        return event

    return build_event


def make_staff_user() -> User:
    return make_user("Cora", is_staff=True)


TWO_PERSON_CASES: dict[str, Callable[[], Event]] = {
    "result": make_event_with_correction,
    "undo": make_event_with_undone_correction,
    "back-to-site": make_event_with_table_moved_back_to_site,
    "take-out": make_event_after_withdrawal,
    "playoff": make_event_with_playoff,
    "playoff-off": make_event_with_undone_playoff,
    "commentator": make_proposal_builder(
        lambda event, by: appoint_commentator(event, by, make_staff_user(), REASON)
    ),
    "organizer": make_proposal_builder(
        lambda event, by: add_organizer(event, by, make_staff_user(), REASON)
    ),
    "invite": make_proposal_builder(
        lambda event, by: invite(event, by, "m@college.example", "/", REASON)
    ),
    "second-person": make_proposal_builder(
        lambda event, by: choose_confirmation_rule(event, by, "off", REASON)
    ),
    "export": make_proposal_builder(
        lambda event, by: request_export(event, by, "registrations", REASON)
    ),
    "reopen-round": make_reopened_event,
    "ruling": make_event_with_ruling,
    "ruling-off": make_event_with_undone_ruling,
    "anonymise": make_proposal_builder(
        lambda event, by: anonymize_person(event.registrations.all()[0], by, REASON)
    ),
    "purge": make_purged_event,
    "unlock": make_unlocked_event,
}


def iter_preview_texts(preview: StepPreview) -> Iterator[object]:
    yield from preview.effects.sentences
    yield from preview.effects.points
    yield from preview.effects.ranks


def test_every_proposal_kind_has_a_preview() -> None:
    assert TWO_PERSON_CASES.keys() == STEPS.keys()


@pytest.mark.parametrize("kind", TWO_PERSON_CASES)
def test_every_proposal_is_previewed_and_then_applied(kind: str) -> None:
    event = TWO_PERSON_CASES[kind]()
    proposal = get_waiting_proposal(event)
    found = preview_proposal(proposal)
    assert (proposal.kind, found.blocked, found.changed) == (kind, "", [])
    assert list(iter_preview_texts(found)) != []
    assert found.facts == proposal.foreseen
    assert get_waiting_proposal(event).state == "waiting"
    second = event.organizers.order_by("pk").last()
    assert second is not None
    before = event.history.count()
    assert confirm(proposal, second, found.facts).state == "confirmed"
    public = kind_of(proposal).history
    added = event.history.filter(number__gt=before, action__in=public)
    assert added.exists() == bool(public)


def test_confirming_organizer_sees_the_same_preview_as_the_proposer() -> None:
    event, organizer, stage = make_closed_round(8)
    table = stage.rounds.get().tables.get(number=1)
    preview = preview_result(table, organizer, NEW_POINTS, REASON)
    enter_result(table, organizer, NEW_POINTS, REASON)
    assert preview_proposal(get_waiting_proposal(event)).effects == preview
    assert preview.points[0] == (str(table.seats.all()[0]), 400, 0)
    assert preview.ranks


def test_preview_comparison_does_not_depend_on_the_language() -> None:
    event = make_event_with_correction()
    with translation.override("bn"):
        found = preview_proposal(get_waiting_proposal(event))
    assert (found.changed, found.facts) == ([], get_waiting_proposal(event).foreseen)


def test_preview_lists_changes_since_the_proposal() -> None:
    event, organizer, stage = make_closed_round(8)
    first, other = stage.rounds.get().tables.order_by("number")
    enter_result(first, organizer, NEW_POINTS, REASON)
    Event.objects.filter(pk=event.pk).update(second_person="off")
    best = str(other.seats.all()[0])
    enter_result(other, organizer, [4000, 0, 0, 0], REASON, override=True)
    changed = preview_proposal(get_waiting_proposal(event)).changed
    assert changed != []
    assert all(line.startswith(("No longer applies: ", "New: ")) for line in changed)
    assert best not in [
        name for name, _was, _is in preview_proposal(get_waiting_proposal(event)).effects.ranks
    ]


def test_request_is_not_confirmed_if_its_effect_has_changed() -> None:
    event, organizer, stage = make_closed_round(8)
    first, other = stage.rounds.get().tables.order_by("number")
    enter_result(first, organizer, NEW_POINTS, REASON)
    seen = preview_proposal(get_waiting_proposal(event)).facts
    Event.objects.filter(pk=event.pk).update(second_person="off")
    enter_result(other, organizer, [0, 0, 0, 350], REASON, override=True)
    second = event.organizers.order_by("pk").last()
    assert second is not None
    refused = get_refusal(confirm, get_waiting_proposal(event), second, seen)
    assert refused.code == "changed"
    assert refused.sentence.startswith(
        "Something has changed since you looked, so nothing has been done yet"
    )
    assert "No longer applies: " in refused.sentence
    assert get_waiting_proposal(event).state == "waiting"


def test_confirmation_requires_viewing_the_preview() -> None:
    event = make_event_with_correction()
    second = event.organizers.order_by("pk").last()
    assert second is not None
    assert get_refusal(confirm, get_waiting_proposal(event), second, {}).sentence == (
        "Review the effects first, then confirm."
    )


def test_impossible_proposal_explains_why() -> None:
    event = make_event_after_withdrawal()
    player = get_waiting_proposal(event).facts["registration"]
    mine = Registration.objects.get(pk=player)
    withdraw(mine, mine.user)
    found = preview_proposal(get_waiting_proposal(event))
    assert (found.blocked, found.facts) == (f"{mine.name}: already withdrawn.", {})


def test_hand_played_at_another_table_does_not_invalidate_the_proposal() -> None:
    event, organizer = make_organized_event(8, hand_limit=5)
    make_organizer(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    rule(event, organizer, RulingRequest(Ruling.Kind.DISQUALIFY, get_player(played)), REASON)
    seen = preview_proposal(get_waiting_proposal(event)).facts
    play(played.tables.get(number=2), hands=1)
    second = event.organizers.order_by("pk").last()
    assert second is not None
    assert confirm(get_waiting_proposal(event), second, seen).state == "confirmed"


def test_proposal_without_a_stored_preview_can_be_confirmed() -> None:
    event = make_event_with_correction()
    event.proposals.update(foreseen={})
    found = preview_proposal(get_waiting_proposal(event))
    assert found.changed == []
    second = event.organizers.order_by("pk").last()
    assert second is not None
    assert confirm(get_waiting_proposal(event), second, found.facts).state == "confirmed"


def test_late_second_organizer_sees_who_already_answered() -> None:
    event = make_event_with_correction()
    proposal, second = get_waiting_proposal(event), event.organizers.order_by("pk").last()
    assert second is not None
    confirm(proposal, second)
    third = make_organizer(event)
    refused = get_refusal(confirm, proposal, third)
    assert refused.sentence.startswith(
        f"This request has already been answered: confirmed by {second} at"
    )
