from typing import Any

import pytest

from tests.factories import make_registrations, make_user
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.typed import sure
from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration, Round, Stage, TableSeat, User
from tournament.pure.arrangement import AcceptedViolations
from tournament.registration.services import register, withdraw
from tournament.seating import services as seatings
from tournament.seating.changes import change_seats, propose_repair, repair_round
from tournament.seating.queries import build_problem, list_seated, review_seats
from tournament.seating.services import (
    list_table_members,
    publish_round,
    seat_round,
    unpublish_round,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_drafted_round(players: int = 8, **fields: object) -> tuple[Round, Event, User]:
    event, organizer = make_organized_event(players, **fields)
    return seat_round(first_stage(event), organizer), event, organizer


def list_table_sizes(round_: Round) -> list[int]:
    return [table.seats.count() for table in round_.tables.all()]


def test_each_approved_player_gets_one_seat() -> None:
    played, event, _ = make_drafted_round(10)
    everybody = [pk for table in list_seated(played) for pk in table]
    assert list_table_sizes(played) == [4, 3, 3]
    assert sorted(everybody) == sorted(event.registrations.values_list("pk", flat=True))


def test_next_round_avoids_repeat_meetings() -> None:
    played, event, organizer = make_drafted_round(16)
    finish_paper_round(start_drafted_round(played, organizer), organizer)
    second = seat_round(first_stage(event), organizer)
    assert (second.number, second.seating.costs["repeats"]) == (2, 0)


def test_bots_fill_short_tables_if_the_event_says_so() -> None:
    played, _, _ = make_drafted_round(6, fill_with_bots=True)
    assert list_table_sizes(played) == [4, 4]
    assert TableSeat.objects.filter(registration=None).values_list("bot", flat=True)[0] == "plain"
    assert TableSeat.objects.filter(registration=None).count() == 2


def test_too_few_players_are_refused() -> None:
    event, organizer = make_organized_event(1)
    assert get_refusal_code(seat_round, first_stage(event), organizer) == "few"
    assert Round.objects.count() == 0


def test_forbidden_pair_never_shares_a_table() -> None:
    played, event, organizer = make_drafted_round(8)
    first, second, *_ = event.registrations.all()
    first.apart_from.add(second)
    for _ in range(3):
        played = seat_round(first_stage(event), organizer, "They are kept apart.")
        table = next(members for members in list_seated(played) if first.pk in members)
        assert second.pk not in table


def test_player_with_a_fixed_table_is_seated_there() -> None:
    event, organizer = make_organized_event(8)
    first = event.registrations.first()
    assert first is not None
    first.fixed_table = 2
    first.save()
    assert first.pk in list_seated(seat_round(first_stage(event), organizer))[1]


def test_partners_rotate_through_all_pairs() -> None:
    event, organizer = make_organized_event(4, options={"partners": True})
    event.stages.filter(number=1).update(rotation=True, rounds_planned=3)
    partners = set()
    for _ in range(3):
        played = seat_round(first_stage(event), organizer)
        (table,) = list_seated(played)
        partners |= {frozenset(table[::2]), frozenset(table[1::2])}
        finish_paper_round(start_drafted_round(played, organizer), organizer)
    assert len(partners) == 6


def test_player_moves_to_another_table() -> None:
    played, _, organizer = make_drafted_round(8)
    who = TableSeat.objects.filter(table__round=played, table__number=1)[0].registration
    assert who is not None
    change_seats(played, organizer, who, "table:2")
    assert list_table_sizes(played) == [3, 5]
    assert list_seated(played)[1][-1] == who.pk
    assert get_refusal_code(change_seats, played, organizer, who, "table:2") == "same"
    assert get_refusal_code(change_seats, played, organizer, who, "table:9") == "target"
    assert get_refusal_code(change_seats, played, organizer, who, "elsewhere") == "target"


def test_two_players_swap_their_seats() -> None:
    played, _, organizer = make_drafted_round(8)
    before = list_seated(played)
    one, other = before[0][1], before[1][2]
    who = TableSeat.objects.get(table__round=played, registration=one).registration
    assert who is not None
    change_seats(played, organizer, who, f"swap:{other}")
    after = list_seated(played)
    assert (after[0][1], after[1][2]) == (other, one)


def make_draft_without_table_2(publish: bool = False) -> tuple[Round, Event, User]:
    """Draw three tables, and move all players of the second one to the third."""
    played, event, organizer = make_drafted_round(10)
    if publish:
        publish_round(played, organizer)
    for pk in list_seated(played)[1]:
        who = event.registrations.get(pk=pk)
        change_seats(played, organizer, who, "table:3", "They asked for it.")
    return played, event, organizer


@pytest.mark.parametrize("publish", [False, True])
def test_table_keeps_its_number_when_another_is_removed(publish: bool) -> None:
    played, event, organizer = make_draft_without_table_2(publish)
    assert list_table_sizes(played) == [4, 6]
    first, third = list_seated(played)[0], list_seated(played)[2]
    event.registrations.filter(pk=third[0]).update(fixed_table=3)
    shown = review_seats(played)
    assert [b.sentence for b in shown.quality.broken if b.rule == "hard"] == []
    assert shown.why(third[0]).sentence.startswith("Table 3 is reserved for ")
    for pk in third[3:]:
        change_seats(played, organizer, event.registrations.get(pk=pk), "out", "Ill.")
    departed = event.registrations.get(pk=third[1])
    Registration.objects.filter(pk=departed.pk).update(state="withdrawn")
    moves = propose_repair(played).sentences
    assert moves[0] == f"{departed.name} leaves table 3."
    assert moves[1].endswith(" moves from table 1 to table 3.")
    repair_round(played, organizer, "Somebody left.")
    members = {table.number: set(list_table_members(table)) for table in played.tables.all()}
    assert (sorted(members), len(members[1] - set(first)), third[0] in members[3]) == (
        [1, 3], 0, True
    )  # fmt: skip


def test_removed_table_is_not_in_the_seating_history() -> None:
    played, event, organizer = make_draft_without_table_2()
    finish_paper_round(start_drafted_round(played, organizer), organizer)
    past = build_problem(first_stage(event), 2).history[0]
    assert sorted(map(len, past.tables)) == [4, 6]


def test_repair_does_not_seat_a_player_who_was_taken_out() -> None:
    played, event, organizer = make_drafted_round(9)
    who = event.registrations.all()[0]
    change_seats(played, organizer, who, "out")
    played.refresh_from_db()
    assert [r.pk for r in review_seats(played).sitting_out] == [who.pk]
    assert propose_repair(played).sentences == ()
    change_seats(played, organizer, who, "new")
    assert list_seated(played)[-1] == (who.pk,)


def test_published_seats_change_only_with_a_reason() -> None:
    played, event, organizer = make_drafted_round(9)
    publish_round(played, organizer)
    who = event.registrations.all()[0]
    assert get_refusal_code(change_seats, played, organizer, who, "new") == "no-reason"
    change_seats(played, organizer, who, "out", "Ill today.")
    played.refresh_from_db()
    assert played.seating.changed


def test_late_player_is_seated_without_moving_the_others() -> None:
    played, event, organizer = make_drafted_round(7)
    before = list_seated(played)
    late = register(event, make_user(), roll_number="LATE")
    assert len(propose_repair(played).sentences) == 1
    repair_round(played, organizer)
    after = list_seated(played)
    assert [set(b) <= set(a) for a, b in zip(after, before, strict=True)] == [True, True]
    assert late.pk in after[0] + after[1]
    assert get_refusal_code(repair_round, played, organizer) == "nothing"


def test_repair_proposes_nothing_if_attendance_is_unchanged() -> None:
    played, event, organizer = make_drafted_round(8)
    for pk in list_seated(played)[0][:2]:
        change_seats(played, organizer, event.registrations.get(pk=pk), "table:2")
    assert list_table_sizes(played) == [2, 6]
    assert propose_repair(played).sentences == ()
    publish_round(played, organizer)
    assert propose_repair(played).sentences == ()


def test_repair_fixes_a_table_that_is_too_small() -> None:
    played, event, organizer = make_drafted_round(8)
    change_seats(played, organizer, event.registrations.all()[0], "new")
    repair = propose_repair(played)
    assert (len(repair.sentences) > 0, repair.attendance) == (True, False)


def test_repair_removes_a_withdrawn_player_from_the_draft() -> None:
    played, event, organizer = make_drafted_round(9)
    departed = event.registrations.all()[0]
    withdraw(departed, departed.user)
    assert propose_repair(played).sentences[0].startswith(f"{departed.name} leaves table ")
    repair_round(played, organizer)
    assert departed.pk not in [pk for table in list_seated(played) for pk in table]


def test_draft_with_a_table_too_small_is_not_published() -> None:
    played, event, organizer = make_drafted_round(8)
    change_seats(played, organizer, event.registrations.all()[0], "new")
    assert get_refusal_code(publish_round, played, organizer) == "table-size"


def test_draft_with_a_withdrawn_player_is_not_published() -> None:
    played, event, organizer = make_drafted_round(8)
    departed = event.registrations.all()[0]
    withdraw(departed, departed.user)
    assert get_refusal_code(publish_round, played, organizer) == "unapproved"


def test_breaking_a_hard_rule_requires_a_logged_reason_to_publish() -> None:
    played, event, organizer = make_drafted_round(8)
    who = event.registrations.get(pk=list_seated(played)[0][0])
    Registration.objects.filter(pk=who.pk).update(fixed_table=2)
    needs = f"{who.name} needs table 2 but is at table 1."
    with pytest.raises(RefusedError) as refusal:
        publish_round(played, organizer, " ")
    assert (refusal.value.code, refusal.value.sentence) == (
        "broken", f"{needs} Change the seats, or say why they should stay as they are."
    )  # fmt: skip
    publish_round(played, organizer, "The lift works again.")
    played.refresh_from_db()
    assert played.seating.despite == AcceptedViolations((needs,), "The lift works again.")
    entry = event.audit.first()
    assert (sure(entry).text, sure(entry).reason) == (
        f"Published the seats for Round 1. {needs}", "The lift works again."
    )  # fmt: skip
    unpublish_round(played, organizer, "She asked for it.")
    Registration.objects.filter(pk=who.pk).update(fixed_table=None)
    assert publish_round(played, organizer).seating.despite is None


def test_refusal_names_three_of_many_broken_rules() -> None:
    played, event, organizer = make_drafted_round(8)
    names = [late.name for late in make_registrations(event, 5)]
    with pytest.raises(RefusedError) as refusal:
        publish_round(played, organizer)
    assert refusal.value.sentence == (
        f"{names[0]} has no seat. {names[1]} has no seat. {names[2]} has no seat. And 2 more. "
        "Change the seats, or say why they should stay as they are."
    )


def test_published_seats_are_unpublished_only_with_a_reason() -> None:
    played, event, organizer = make_drafted_round(8)
    assert get_refusal_code(unpublish_round, played, organizer, "Why") == "state"
    publish_round(played, organizer)
    assert get_refusal_code(seat_round, first_stage(event), organizer) == "published"
    assert get_refusal_code(unpublish_round, played, organizer, " ") == "no-reason"
    assert unpublish_round(played, organizer, "Two more came.").state == "draft"


def test_seats_are_not_drawn_during_a_running_round() -> None:
    played, event, organizer = make_drafted_round(8)
    start_drafted_round(played, organizer)
    assert get_refusal_code(seat_round, first_stage(event), organizer) == "open-round"
    who = event.registrations.all()[0]
    assert get_refusal_code(change_seats, played, organizer, who, "new", "Why") == "running"


def test_seating_plan_lists_its_broken_rules() -> None:
    played, event, organizer = make_drafted_round(8)
    finish_paper_round(start_drafted_round(played, organizer), organizer)
    second = seat_round(first_stage(event), organizer)
    one, other = list_seated(played)[0][0], list_seated(played)[0][1]
    where = {pk: n for n, table in enumerate(list_seated(second), 1) for pk in table}
    if where[one] != where[other]:
        who = event.registrations.get(pk=one)
        change_seats(second, organizer, who, f"table:{where[other]}")
    broken = review_seats(second).broken_at(where[other])
    assert any({one, other} <= set(each.players) for each in broken)
    assert review_seats(second).why(one).sentence.endswith(".")


def test_new_registration_changes_the_digest_of_the_draw() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    digest = played.seating.digest
    make_registrations(event, 1)
    again = seat_round(first_stage(event), organizer, "One more came.")
    assert again.seating.digest != digest


def test_change_of_the_stage_during_a_draw_is_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, organizer = make_organized_event(8)
    stage, draw = first_stage(event), seatings._draw_seats

    def draw_and_change_stage(*arguments: Any) -> Any:
        drawn = draw(*arguments)
        Stage.objects.filter(pk=stage.pk).update(rotation=True)
        return drawn

    monkeypatch.setattr(seatings, "_draw_seats", draw_and_change_stage)
    assert get_refusal_code(seat_round, stage, organizer) == "changed"
    assert not stage.rounds.exists()
