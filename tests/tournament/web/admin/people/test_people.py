"""Tests of requests that one organizer makes and another one answers."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.text import capfirst

from tests.factories import give_role, make_organizer, make_user, remove_role
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.organizing import answer_waiting_step, page, press_button
from tournament.advancing.services import preview_cut
from tournament.desk.steps import STEPS
from tournament.models import Event, Proposal, User
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

REQUESTED = "Requested. The change takes effect as soon as a second organizer confirms it."
REASON = {"reason": "For the stream."}


@pytest.fixture
def second_organizer(event: Event) -> User:
    return make_organizer(event, name="Other Organizer")


@pytest.fixture
def second_client(second_organizer: User) -> Client:
    """Provide the second organizer's browser."""
    browser = Client()
    browser.force_login(second_organizer)
    return browser


def test_second_organizer_confirms_a_commentator(
    client: Client, second_client: Client, event: Event
) -> None:
    user, people = make_user("Cora", is_staff=True), page("people", event)
    shown = press_button(client, people, "role", user=user.pk, role="commentator", **REASON)
    assert REQUESTED in shown
    shown = second_client.get(page("waiting", event)).text
    assert "Make Cora a commentator, so they can see all cards." in shown
    assert "Requested by <bdi>" in shown
    assert "Reason: <bdi>For the stream.</bdi>" in shown
    assert "Everyone at the tables will see a message, and every visit will be logged." in shown
    assert "You can’t confirm your own request" in answer_waiting_step(client, event, "confirm")
    assert "Confirmed and done." in answer_waiting_step(second_client, event, "confirm")
    assert event.commentary.get().user == user
    named = {"user": user.pk, "role": "commentator"} | REASON
    assert "Cora no longer has the role “commentator”." in press_button(
        client, people, "role-off", **named
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("far", "You’re the only organizer so far"), ("off", "No confirmation is needed")],
)
def test_people_page_explains_why_no_one_can_confirm(
    client: Client, event: Event, rule: str, expected: str
) -> None:
    Event.objects.filter(pk=event.pk).update(second_person=rule)
    assert expected in client.get(page("people", event)).text


def test_page_lists_every_kind_of_pending_step(client: Client, event: Event) -> None:
    text = client.get(page("people", event)).text
    after = text.split("These steps are far-reaching:")[1]
    listed = re.findall(r"<li>(.*?)</li>", after.split("</ul>")[0])
    assert [unescape(each) for each in listed] == [capfirst(str(STEPS[k].title)) for k in STEPS]
    assert len(set(listed)) == len(Proposal.Kind)


def test_sole_organizer_needs_no_confirmation(client: Client, event: Event) -> None:
    user, people = make_user("Cora", is_staff=True), page("people", event)
    shown = press_button(client, people, "role", user=user.pk, role="commentator", **REASON)
    assert (
        "Cora will see all cards from the next hand on, and a message will be shown at "
        "every table." in shown
    )
    assert (
        "your decisions take effect immediately, and everyone can see them in the event history"
        in shown
    )
    owner = {"user": user.pk, "role": "owner"} | REASON
    assert "Cora now has the role “owner”." in press_button(client, people, "role", **owner)
    assert REQUESTED in press_button(client, people, "role-off", **owner)


def test_adding_and_removing_organizers_needs_two_people(
    client: Client, second_client: Client, event: Event
) -> None:
    user, people = make_user("Cora", is_staff=True), page("people", event)
    assert REQUESTED in press_button(client, people, "role", user=user.pk, role="owner", **REASON)
    assert "Rejected. Nothing has been changed." in answer_waiting_step(
        second_client, event, "refuse", reason="Who?"
    )
    assert "Who?" in client.get(page("waiting", event)).text
    assert not event.organizers.filter(pk=user.pk).exists()


def test_organizer_is_removed_immediately_without_the_two_person_rule(
    client: Client, event: Event, second_organizer: User
) -> None:
    Event.objects.filter(pk=event.pk).update(second_person="off")
    shown = press_button(
        client, page("people", event), "role-off", user=second_organizer.pk, role="owner", **REASON
    )
    assert "Other Organizer no longer has the role “owner”." in shown


def test_published_event_needs_two_people_to_change_the_rule(
    client: Client, second_client: Client, event: Event
) -> None:
    people = page("people", event)
    assert REQUESTED in press_button(client, people, "rule", second_person="off", **REASON)
    assert (
        "Now that the event is published, loosening this rule also needs a second organizer’s "
        "confirmation." in client.get(people).text
    )
    assert "Withdrawn. Nothing has been changed." in answer_waiting_step(client, event, "withdraw")
    assert "The rule has been changed." in press_button(
        second_client, people, "rule", second_person="all"
    )
    event.refresh_from_db()
    assert event.second_person == "all"


@pytest.mark.parametrize("action", ["role", "role-off", "role-change"])
def test_role_change_requires_a_selected_person(client: Client, event: Event, action: str) -> None:
    assert "Choose a person first." in press_button(client, page("people", event), action, user="")


def test_pending_steps_of_another_event_are_not_found(client: Client, event: Event) -> None:
    elsewhere, organizer = make_organized_event(0)
    make_organizer(elsewhere)
    proposal = Proposal.objects.create(
        event=elsewhere, kind="second-person", facts={}, reason="x", asked_by=organizer
    )
    found = client.post(page("waiting", event), {"action": "confirm", "proposal": str(proposal.pk)})
    assert found.status_code == 404


def test_pending_correction_is_shown_on_every_page_of_the_event(
    client: Client, second_client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    played = stage.rounds.get()
    table = played.tables.all()[0]
    shown = press_button(
        client,
        page("table", event, table.pk),
        "enter",
        points=["0", "100", "200", "400"],
        reason="Rows were swapped.",
        override="yes",
    )
    assert "Entered. The points will count once another organizer confirms them." in shown
    for name, rest in (("desk", ()), ("control", ()), ("rounds", ()), ("qualify", ())):
        assert (
            "1 request is waiting for a second organizer"
            in second_client.get(page(name, event, *rest)).text
        )
    round_page = second_client.get(page("round", event, played.pk)).text
    assert "1 change to this round or its players is <a" in round_page
    rule = CutRule("number", 4, "lots", 1)
    through = ",".join(map(str, preview_cut(stage_results(stage), rule).through))
    fields = {"qualify_rule": "number", "qualify_value": "4", "cut_ties": "lots"}
    sent = fields | {"min_matches": "1", "sure": "yes", "through": through}
    shown = press_button(second_client, page("qualify", event), "confirm", **sent)
    assert "is waiting for a second organizer. Confirm, reject or withdraw" in shown


def test_table_links_to_its_pending_steps(
    client: Client, second_client: Client, event: Event, organizer: User
) -> None:
    stage = play_first_round(event, organizer)
    table = stage.rounds.get().tables.all()[0]
    enter_result(table, organizer, [0, 100, 200, 400], "Rows were swapped.", override=True)
    address = page("table", event, table.pk)
    mine, theirs = client.get(address).text, second_client.get(address).text
    asked = event.proposals.get()
    for text, button in ((mine, "Review or withdraw"), (theirs, "Review and decide")):
        assert f'href="{page("waiting", event)}?step={asked.pk}">{button}</a>' in text
    assert 'name="points"' not in mine
    answer_waiting_step(second_client, event, "confirm")
    entry = table.results.get(reason="Rows were swapped.")
    assert REQUESTED in press_button(client, address, "undo", result=entry.pk, reason="No.")


def test_pending_disqualification_is_shown_in_standings_and_bracket(
    client: Client, second_client: Client, event: Event, organizer: User
) -> None:
    remove_role(event, User.objects.get(display_name="Other Organizer"))
    stage = make_second_stage(event, organizer, 4)
    give_role(event, User.objects.get(display_name="Other Organizer"))
    first, other_one = (each.registration for each in stage.qualifiers.order_by("seed")[:2])
    listing = reverse("admin:tournament_registration_changelist")
    data = {"action": "refuse", "_selected_action": [first.pk], "confirmed": "yes", **REASON}
    shown = client.post(f"{listing}?event__id__exact={event.pk}", data, follow=True).text
    assert f"0 rejected. {REQUESTED}" in shown
    shown = press_button(
        client, page("bracket", event), "withdraw", registration=other_one.pk, **REASON
    )
    assert REQUESTED in shown
    assert event.proposals.filter(state="waiting", kind="take-out").count() == 2


def test_pending_tie_break_hand_is_shown_in_bracket_and_cut(
    client: Client, second_client: Client, event: Event, organizer: User
) -> None:
    stage = first_stage(event)
    finish_paper_round(
        start_drafted_round(seat_round(stage, organizer), organizer),
        organizer,
        [400, 300, 200, 100],
    )
    rule = CutRule("number", 1, "hand", 1)
    (hand,) = preview_cut(stage_results(stage), rule).playoffs
    asked_rule = "?qualify_rule=number&qualify_value=1&cut_ties=hand&min_matches=1"
    address = page("qualify", event) + asked_rule
    sent = {"player": list(hand.players), "place": ["1", "2"]}
    assert REQUESTED in press_button(client, address, "playoff", **sent)
    assert "Confirmed and done." in answer_waiting_step(second_client, event, "confirm")
    assert REQUESTED in press_button(client, address, "take-back", player=list(hand.players))


def test_personal_data_export_is_requested_and_confirmed(
    client: Client, second_client: Client, event: Event
) -> None:
    address = reverse("admin:event-export", args=[event.pk, "registrations.csv"])
    shown = client.get(address).text
    assert "This file contains personal data" in shown
    assert "A second organizer has to confirm this." in shown
    assert "@college.example" not in shown
    assert REQUESTED in press_button(client, address, "ask", reason="Badges.")
    assert client.get(address)["Content-Type"].startswith("text/html")
    assert "Confirmed and done." in answer_waiting_step(second_client, event, "confirm")
    assert client.get(address)["Content-Type"] == "text/csv; charset=utf-8"
    assert second_client.get(address)["Content-Type"].startswith("text/html")


def test_sole_organizer_can_export_personal_data_with_a_reason(
    client: Client, event: Event
) -> None:
    address = reverse("admin:event-list-download", args=[event.pk, "list"])
    assert "Give a reason. The reason stays on record, and everyone can read it." in press_button(
        client, address, "ask", reason=""
    )
    assert "You can download the file here for the next 24 hours." in press_button(
        client, address, "ask", reason="Badges."
    )
    assert client.get(address)["Content-Type"] == "text/csv; charset=utf-8"


def test_results_and_example_need_no_confirmation(client: Client, event: Event) -> None:
    for name, which in (("export", "results.csv"), ("list-download", "example")):
        answer = client.get(reverse(f"admin:event-{name}", args=[event.pk, which]))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"


def test_seats_are_redrawn_for_a_public_reason(
    client: Client, event: Event, organizer: User
) -> None:
    drafted = seat_round(first_stage(event), organizer)
    address = page("round", event, drafted.pk)
    assert "Everyone can see the reason." in press_button(client, address, "draw", reason="")
    assert "The seats for Round 1 have been redrawn. Review them." in press_button(
        client, address, "draw", reason="Two came late."
    )
    public = Client().get(reverse("event-history", args=[event.slug])).text
    assert "Two came late." in public
    assert "draw 1 was discarded" in public


def test_organizer_invitation_needs_two_people_and_can_be_revoked(
    client: Client, second_client: Client, event: Event
) -> None:
    people, address = page("people", event), "meera@college.example"
    assert REQUESTED in press_button(
        client, people, "invite", email=address, role="owner", **REASON
    )
    assert (
        f"Invite {address} to the event (role: owner)."
        in second_client.get(page("waiting", event)).text
    )
    answer_waiting_step(second_client, event, "confirm")
    invited = event.invitations.get()
    assert invited.page == "http://testserver/invitations/"
    assert f"<bdi>{address}</bdi>" in client.get(people).text
    shown = press_button(client, people, "invite-off", invitation=str(invited.pk))
    assert "The invitation has been withdrawn." in shown
    assert f"<bdi>{address}</bdi>" not in shown


def test_sole_organizer_can_invite_without_confirmation(client: Client, event: Event) -> None:
    invited = {"email": "meera@college.example", "role": "owner"}
    shown = press_button(client, page("people", event), "invite", **invited, **REASON)
    assert "Invited. An email is on its way to meera@college.example." in shown
