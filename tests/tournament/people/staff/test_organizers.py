"""Tests of changes to organizers, commentators and the rule on second organizers.

Exports of personal data, which also need a second organizer, are tested here too.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from games.models import Hand, Match
from games.tables.spectator_delay import describe_open_cards
from tests.factories import give_role, make_organizer, make_user
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tournament.desk.confirmation import confirm, refuse
from tournament.desk.proposals import list_pending
from tournament.events.services import create_event
from tournament.models import Event, Proposal, Table, User
from tournament.oversight.export_requests import GRANTED, may_export, request_export
from tournament.oversight.history_texts import history
from tournament.people.staff.commentary import commentator_since, is_commentator
from tournament.people.staff.organizers import (
    add_organizer,
    appoint_commentator,
    choose_confirmation_rule,
    remove_commentator,
    remove_organizer,
)
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

REASON = "For the stream."


def make_event_with_two_organizers(players: int = 0) -> tuple[Event, User, User]:
    event, organizer = make_organized_event(players)
    return event, organizer, make_organizer(event)


def make_staff() -> User:
    return make_user(is_staff=True)


def get_latest_text(event: Event) -> str:
    return history(event).rows[0].text


def start_round_with_one_table(event: Event, organizer: User) -> Table:
    return start_drafted_round(
        seat_round(first_stage(event), organizer), organizer, paper=False
    ).tables.get()


# Commentators


def test_organizer_cannot_become_a_commentator_without_a_second_organizer() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = appoint_commentator(event, organizer, organizer, REASON)
    assert not is_commentator(event, organizer)
    assert get_refusal_code(appoint_commentator, event, organizer, organizer, REASON) == "asked"
    assert proposal is not None
    assert (
        list_pending(event, second)[0].text
        == f"Make {organizer} a commentator, so they can see all cards."
    )
    assert get_refusal_code(confirm, proposal, organizer) == "same-person"
    confirm(proposal, second)
    assert is_commentator(event, organizer)
    assert get_latest_text(event) == (
        f"{organizer} became a commentator and could see all cards from the next hand on."
    )


def test_sole_organizer_can_appoint_a_commentator_immediately() -> None:
    event, organizer = make_organized_event(0)
    user = make_staff()
    assert appoint_commentator(event, organizer, user, REASON) is None
    row = history(event).rows[0]
    assert (is_commentator(event, user), row.reason, row.second) == (True, REASON, False)


def test_ineligible_commentators_are_refused() -> None:
    event, organizer = make_organized_event(4)
    player = event.registrations.all()[0].user
    assert get_refusal_code(appoint_commentator, event, organizer, player, REASON) == "no-staff"
    User.objects.filter(pk=player.pk).update(is_staff=True)
    assert get_refusal_code(appoint_commentator, event, organizer, player, REASON) == "plays"
    user = make_staff()
    assert get_refusal_code(appoint_commentator, event, organizer, user, "") == "no-reason"
    appoint_commentator(event, organizer, user, REASON)
    assert get_refusal_code(appoint_commentator, event, organizer, user, REASON) == "same"


def test_commentator_who_has_registered_to_play_cannot_be_confirmed() -> None:
    event, organizer, second = make_event_with_two_organizers()
    user = make_staff()
    proposal = appoint_commentator(event, organizer, user, REASON)
    assert proposal is not None
    event.registrations.create(
        user=user, state="approved", queue_number=1, registered_at=timezone.now()
    )
    assert get_refusal_code(confirm, proposal, second) == "changed"
    assert not event.commentary.exists()


def test_tables_are_notified_before_the_commentator_gets_access() -> None:
    event, organizer = make_organized_event(4)
    match = match_of(start_round_with_one_table(event, organizer))
    assert describe_open_cards(match) == ""
    appoint_commentator(event, organizer, make_staff(), REASON)
    match.refresh_from_db()
    assert (
        describe_open_cards(match)
        == "Commentators can see everyone’s cards with a delay of 30 seconds."
    )
    hand = Hand.objects.get(match=match, dealt_at__isnull=False)
    assert hand.dealt_at is not None
    assert event.commentary.get().since > hand.dealt_at


def test_later_matches_announce_the_commentator_from_the_start() -> None:
    event, organizer = make_organized_event(4)
    appoint_commentator(event, organizer, make_staff(), REASON)
    match = match_of(start_round_with_one_table(event, organizer))
    assert match.commentary
    hand = Hand.objects.get(match=match, dealt_at__isnull=False)
    assert hand.dealt_at is not None
    assert event.commentary.get().since <= hand.dealt_at


def test_finished_match_does_not_announce_a_new_commentator() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    match = match_of(start_round_with_one_table(event, organizer))
    games.play_out(match)
    appoint_commentator(event, organizer, make_staff(), REASON)
    match.refresh_from_db()
    assert not match.commentary


def test_tables_are_notified_when_the_last_commentator_is_removed() -> None:
    event, organizer = make_organized_event(4)
    first, other = make_staff(), make_staff()
    for user in (first, other):
        appoint_commentator(event, organizer, user, REASON)
    match = match_of(start_round_with_one_table(event, organizer))
    remove_commentator(event, organizer, first)
    match.refresh_from_db()
    assert match.commentary
    remove_commentator(event, organizer, other)
    match.refresh_from_db()
    assert not match.commentary
    assert get_latest_text(event) == f"{other} was removed as a commentator."
    assert get_refusal_code(remove_commentator, event, organizer, other) == "same"


def test_one_organizer_can_remove_a_commentator() -> None:
    event, organizer, _second = make_event_with_two_organizers()
    user = make_staff()
    give_role(event, user, "commentator")
    remove_commentator(event, organizer, user, "Plays with friends.")
    assert commentator_since(event, user) is None


# Organizers


def test_adding_an_organizer_needs_two_people_and_is_published_without_a_name() -> None:
    event, organizer, second = make_event_with_two_organizers()
    user = make_staff()
    proposal = add_organizer(event, organizer, user, "She counts.")
    assert proposal is not None
    assert list_pending(event, second)[0].text == f"Make {user} an organizer of the event."
    confirm(proposal, second)
    assert event.organizers.filter(pk=user.pk).exists()
    assert get_latest_text(event) == "An organizer was added."


def test_removing_an_organizer_needs_another_to_confirm() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = remove_organizer(event, organizer, second, "Is ill.")
    assert proposal is not None
    assert event.organizers.count() == 2
    assert list_pending(event, second)[0].text == f"Remove {second} as an organizer."
    refuse(proposal, second, "I am not.")
    assert event.organizers.count() == 2
    confirm(propose_removal(event, second, organizer), organizer)
    assert (list(event.organizers.all()), get_latest_text(event)) == (
        [second],
        "An organizer was removed.",
    )


def propose_removal(event: Event, actor: User, user: User) -> Proposal:
    proposal = remove_organizer(event, actor, user, "Has left the college.")
    assert proposal is not None
    return proposal


def test_only_staff_can_be_added_and_only_organizers_removed() -> None:
    event, organizer = make_organized_event(0)
    assert get_refusal_code(add_organizer, event, organizer, make_user(), REASON) == "no-staff"
    assert get_refusal_code(add_organizer, event, organizer, organizer, REASON) == "same"
    assert get_refusal_code(remove_organizer, event, organizer, make_staff(), REASON) == "same"
    assert get_refusal_code(remove_organizer, event, organizer, organizer, REASON) == "last"
    user = make_staff()
    assert add_organizer(event, organizer, user, REASON) is None
    assert event.organizers.filter(pk=user.pk).exists()


# The rule on second organizers


def test_weaker_confirmation_rule_for_a_published_event_needs_two_people() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = choose_confirmation_rule(event, organizer, "off", "We are three only.")
    event.refresh_from_db()
    assert (proposal is not None, event.second_person) == (True, "far")
    assert proposal is not None
    assert list_pending(event, second)[0].text == (
        "Change the rule on second organizers to “nothing: one organizer is enough”."
    )
    confirm(proposal, second)
    event.refresh_from_db()
    assert event.second_person == "off"
    assert get_latest_text(event) == (
        "Confirmation by a second organizer: nothing: one organizer is enough "
        "(previously: far-reaching changes)."
    )


def test_one_organizer_can_strengthen_the_confirmation_rule() -> None:
    event, organizer, _second = make_event_with_two_organizers()
    assert choose_confirmation_rule(event, organizer, "all", "") is None
    event.refresh_from_db()
    assert event.second_person == "all"
    assert choose_confirmation_rule(event, organizer, "far", "Too slow.") is not None


def test_confirmation_rule_can_be_chosen_freely_before_publication() -> None:
    organizer = make_staff()
    event = create_event(Event(title="New", slug="new"), organizer)
    give_role(event, make_staff())
    assert choose_confirmation_rule(event, organizer, "off", "") is None
    event.refresh_from_db()
    assert event.second_person == "off"


def test_unknown_or_unchanged_confirmation_rule_is_refused() -> None:
    event, organizer = make_organized_event(0)
    assert get_refusal_code(choose_confirmation_rule, event, organizer, "x", REASON) == "rule"
    assert get_refusal_code(choose_confirmation_rule, event, organizer, "far", REASON) == "same"


def test_outdated_rule_change_is_not_applied() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = choose_confirmation_rule(event, organizer, "off", "We are three only.")
    assert proposal is not None
    choose_confirmation_rule(event, second, "all", "")
    assert get_refusal_code(confirm, proposal, second) == "changed"


# Personal data


def test_personal_data_export_needs_two_people_and_expires_after_a_day() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = request_export(event, organizer, "registrations", "Badges.")
    assert not may_export(event, organizer, "registrations")
    assert list_pending(event, second)[0].text == (
        "Export the registrations, with email addresses and roll numbers."
    )
    confirm(proposal, second)
    assert may_export(event, organizer, "registrations")
    assert not may_export(event, second, "registrations")
    assert not may_export(event, organizer, "list")
    assert get_latest_text(event) == (
        "The registrations, including email addresses, were released for export."
    )
    long_ago = timezone.now() - GRANTED - timedelta(seconds=1)
    event.proposals.update(decided_at=long_ago)
    assert not may_export(event, organizer, "registrations")


def test_sole_organizer_can_export_with_a_reason() -> None:
    event, organizer = make_organized_event(0)
    assert get_refusal_code(request_export, event, organizer, "list", " ") == "no-reason"
    assert get_refusal_code(request_export, event, organizer, "passwords", "Why not") == "which"
    assert request_export(event, organizer, "list", "Badges.").state == "alone"
    assert may_export(event, organizer, "list")
    assert get_latest_text(event) == "The eligibility list was released for export."


def test_rejected_export_is_not_allowed() -> None:
    event, organizer, second = make_event_with_two_organizers()
    proposal = request_export(event, organizer, "list", "Badges.")
    assert list_pending(event, second)[0].text == "Export the eligibility list."
    refuse(proposal, second, "They have none.")
    assert not may_export(event, organizer, "list")


def test_notice_about_commentators_states_when_they_see_cards() -> None:
    assert describe_open_cards(Match(commentary=True, viewers="hand")) == (
        "Commentators can see everyone’s cards after each hand."
    )
    assert describe_open_cards(
        Match(commentary=True, viewers="delayed", viewer_delay_seconds=120)
    ) == ("Commentators can see everyone’s cards with a delay of 2 minutes.")
