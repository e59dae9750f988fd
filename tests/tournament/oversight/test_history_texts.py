"""Tests of the event history: its sentences, who can read it, and how changes are detected."""

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games import services as games
from games.queries import site_key
from games.rules.fair.signatures import key_fingerprint
from tests.factories import make_user
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tournament.advancing.services import announce_winner, draw_bracket, reopen_event, undo_qualify
from tournament.events.services import change_event, change_stage
from tournament.models import (
    AuditEntry,
    Event,
    HistoryEntry,
    LogAction,
    Table,
    User,
    describe_action,
)
from tournament.oversight.audit import record
from tournament.oversight.desk_log import check_log
from tournament.oversight.history_texts import SENTENCES, has_corrections, history
from tournament.oversight.texts.private_actions import PRIVATE_ACTIONS
from tournament.people.accounts.desk_codes import create_desk_code, use_desk_code
from tournament.people.staff.organizers import appoint_commentator
from tournament.pure.chain import START
from tournament.registration.services import refuse
from tournament.results.services import enter_result
from tournament.rounds.paper import set_paper
from tournament.rounds.services import abandon_table, redo_hand
from tournament.seating.changes import change_seats
from tournament.seating.services import publish_round, seat_round, unpublish_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def list_texts(event: Event) -> list[str]:
    return [row.text for row in history(event).rows]


def history_url(event: Event) -> str:
    return reverse("event-history", args=[event.slug])


def make_corrected_event() -> tuple[Event, User, Table]:
    """Create an event whose only organizer has corrected the points of a table."""
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    table = stage.rounds.get().tables.all()[0]
    enter_result(table, organizer, [0, 100, 200, 400], "Rows were swapped.")
    return event, organizer, table


def change_unguarded(sql: str, *values: int) -> None:
    """Change rows without the database's guards, as an attacker could."""
    with open_unguarded_cursor() as cursor:
        cursor.execute(sql, values)


def test_history_of_a_correction_names_players_and_points_but_no_organizer() -> None:
    event, organizer, table = make_corrected_event()
    names = [str(seat) for seat in table.seats.order_by("number")]
    after = ", ".join(
        f"{name} {points}" for name, points in zip(names, [0, 100, 200, 400], strict=True)
    )
    before = ", ".join(
        f"{name} {points}" for name, points in zip(names, [400, 300, 200, 100], strict=True)
    )
    assert list_texts(event)[0] == (
        f"Round 1, table 1: points were corrected to {after} (before: {before})."
    )
    shown = Client().get(history_url(event)).text
    assert "Reason: <bdi>Rows were swapped.</bdi>" in shown
    assert "an organizer" in shown
    assert str(organizer) not in shown
    assert organizer.email not in shown


def test_leaderboard_with_corrected_results_links_to_the_history() -> None:
    event, _organizer, _table = make_corrected_event()
    leaderboard = reverse("event-leaderboard", args=[event.slug])
    shown = Client().get(leaderboard).text
    assert f'Some results were corrected by hand. The <a href="{history_url(event)}">' in shown
    untouched, _ = make_organized_event(4)
    assert not has_corrections(untouched)
    other = reverse("event-leaderboard", args=[untouched.slug])
    assert "Results were corrected" not in Client().get(other).text


def test_every_public_page_of_the_event_links_to_the_history() -> None:
    event, _organizer = make_organized_event(4)
    for name in ("event", "event-leaderboard", "event-tables", "event-rules"):
        assert f'href="{history_url(event)}"' in Client().get(reverse(name, args=[event.slug])).text


def test_history_page_shows_the_chain_head() -> None:
    event, _organizer, _table = make_corrected_event()
    found = history(event)
    shown = Client().get(history_url(event)).text
    assert f"<code>{found.head}</code>" in shown
    assert f"{len(found.rows)} entries. The chain is intact." in shown
    assert found.head == HistoryEntry.objects.filter(event=event).latest("number").digest


def test_empty_history_has_the_start_as_its_head() -> None:
    event, _organizer = make_organized_event(0)
    with open_unguarded_cursor():
        event.history.all().delete()
    assert (history(event).rows, history(event).head) == ([], START)
    assert "Nothing yet." in Client().get(history_url(event)).text


def test_draft_event_history_is_visible_only_to_organizers() -> None:
    event, organizer = make_organized_event(0)
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    assert Client().get(history_url(event)).status_code == 404
    browser = Client()
    browser.force_login(organizer)
    assert browser.get(history_url(event)).status_code == 200


# Settings


def test_history_shows_previous_values_of_settings_that_affect_results() -> None:
    event, organizer, _table = make_corrected_event()
    event.tie_breakers, event.viewers = ["wins"], "hand"
    event.hand_limit, event.second_factor, event.place = 3, True, "Hall B"
    changed = ["tie_breakers", "viewers", "hand_limit", "second_factor", "place"]
    change_event(event, organizer, changed)
    [row, *_older] = history(event).rows
    assert row.text == (
        "Settings were changed: maximum hands per match: 3 (before: –), organizers "
        "need two-factor authentication: yes (before: no), tie-breaks: Wins (before: "
        "Wins, Placement, Share, Points left, Opponents, Head to head) and viewers see: each "
        "hand once it’s over (before: every move live)."
    )
    assert "Hall B" not in str(event.history.latest("number").facts)


def test_history_lists_changes_of_a_stages_rule() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    stage.qualify_rule, stage.qualify_value = "share", 40
    change_stage(stage, organizer, ["qualify_rule", "qualify_value"])
    assert list_texts(event)[0] == (
        "The settings of First round (everyone plays) were changed: who advances: a "
        "percentage of those who took part (before: by turnout, using the thresholds) "
        "and number or percentage: 40 (before: 8)."
    )


@pytest.mark.parametrize(
    ("state", "fields"),
    [("draft", {"hand_limit": 3}), ("open", {"title": "Cup"}), ("open", {"hand_limit": None})],
)
def test_history_omits_settings_of_drafts_and_those_without_effect_on_results(
    state: str, fields: dict[str, object]
) -> None:
    event, organizer = make_organized_event(0)
    Event.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    before = list_texts(event)
    for name, value in fields.items():
        setattr(event, name, value)
    change_event(event, organizer, list(fields))
    assert list_texts(event) == before


# Changes to rows


def test_database_refuses_to_change_a_history_row() -> None:
    event, _organizer, _table = make_corrected_event()
    entry = event.history.latest("number")
    for change in (
        lambda: event.history.update(reason="Something nicer."),
        lambda: HistoryEntry(pk=entry.pk, event=event, number=9, facts={}, at=entry.at).save(),
        lambda: event.history.filter(number=1).delete(),
        lambda: event.history.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            change()
    entry.refresh_from_db()
    assert entry.reason == "Rows were swapped."


def test_admin_has_no_history_pages() -> None:
    from django.contrib import admin

    assert not admin.site.is_registered(HistoryEntry)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE tournament_historyentry SET reason = 'Nicer.' WHERE number = %s AND event_id = %s",
        "UPDATE tournament_historyentry SET role = 'site' WHERE number = %s AND event_id = %s",
        "UPDATE tournament_historyentry SET digest = 'f' WHERE number = %s AND event_id = %s",
        "DELETE FROM tournament_historyentry WHERE number = %s AND event_id = %s",
    ],
)
def test_changed_history_row_is_reported_on_the_page_and_by_the_command(sql: str) -> None:
    event, _organizer, _table = make_corrected_event()
    change_unguarded(sql, 2, event.pk)
    assert history(event).broken == 2
    shown = Client().get(history_url(event)).text
    assert "Entry 2 was changed, or an entry before it was removed" in shown
    assert "The chain is intact" not in shown
    with pytest.raises(CommandError, match=f"{event.slug}: row 2 or one before it was changed."):
        call_command("check_history", event.slug, stdout=StringIO())


def test_command_prints_the_head_of_each_history() -> None:
    (one, *_), (other, _organizer) = make_corrected_event(), make_organized_event(4)
    said = StringIO()
    call_command("check_history", stdout=said)
    message = [(event, history(event), check_log(event)) for event in (one, other)]
    for event, found, log in message:
        assert f"{event.slug}: {len(found.rows)} rows hold, head {found.head}\n" in said.getvalue()
        assert (
            f"{event.slug}: {log.rows} rows of the log hold, head {log.head}; " in said.getvalue()
        )


def test_command_reports_a_changed_key_and_an_unknown_event() -> None:
    event, _organizer = make_organized_event(4)
    event.stages.filter(number=2).update(lots_key="f" * 32)
    with pytest.raises(CommandError, match=f"{event.slug}: the key of stage 2 was exchanged."):
        call_command("check_history", stdout=StringIO())
    with pytest.raises(CommandError, match="There is no event no-such"):
        call_command("check_history", "no-such")


def test_renaming_a_person_changes_the_text_but_no_row() -> None:
    event, organizer, table = make_corrected_event()
    commentator = make_user("Cora", is_staff=True)
    appoint_commentator(event, organizer, commentator, "For the stream.")
    head, player = history(event).head, table.seats.all()[0].registration
    assert player is not None
    type(player).objects.filter(pk=player.pk).update(name="Deleted player")
    User.objects.filter(pk=commentator.pk).update(display_name="Deleted account")
    found = history(event)
    assert (found.head, found.broken) == (head, None)
    assert found.rows[0].text.startswith("Deleted account became a commentator")
    assert "Deleted player 0" in found.rows[1].text
    rows = str(list(event.history.values_list("facts", flat=True)))
    assert not any(name in rows for name in ("Cora", player.name))


def test_deleted_person_is_called_someone() -> None:
    event, organizer, _table = make_corrected_event()
    commentator = make_user("Cora", is_staff=True)
    appoint_commentator(event, organizer, commentator, "For the stream.")
    event.commentary.all().delete()
    with open_unguarded_cursor():
        AuditEntry.objects.filter(actor=commentator).delete()
    commentator.delete()
    assert list_texts(event)[0].startswith("someone became a commentator")


# Public history


def test_public_history_lists_the_steps_of_an_event() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    first = event.stages.get(number=1)
    undo_qualify(first, organizer, "The rule was wrong.")
    assert (
        list_texts(event)[0]
        == "First round (everyone plays) was reopened, and the decision on who advances "
        "was undone."
    )
    assert list_texts(event)[1].endswith(" advanced to the next stage.")
    key = key_fingerprint(site_key())
    signs = f"The site uses the key {key} to sign its receipts for deals."
    assert list_texts(event)[-1] == f"The event was published. {signs}"
    assert stage.label == "Second round (knockout)"


def test_history_lists_the_winner_and_an_undone_announcement() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    won = announce_winner(event, organizer)
    assert list_texts(event)[0] == f"The winner was announced: {won.name}."
    reopen_event(event, organizer, "A protest.")
    assert list_texts(event)[0] == "The announcement of the winner was undone."
    expected = "Final: players were seeded by their results, and seats follow the seeds."
    assert expected in list_texts(event)


def test_history_lists_changed_and_withdrawn_seats() -> None:
    event, organizer = make_organized_event(8)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    change_seats(played, organizer, event.registrations.all()[0], "out", "Is ill.")
    assert list_texts(event)[0] == "Round 1: seats were changed by hand."
    unpublish_round(played, organizer, "Too early.")
    assert list_texts(event)[0] == "Round 1: the published seats were withdrawn."


def test_history_lists_actions_at_a_running_table() -> None:
    event, organizer = make_organized_event(4)
    table = start_drafted_round(
        seat_round(first_stage(event), organizer), organizer, paper=False
    ).tables.get()
    redo_hand(table, organizer, 1, "A card was shown.")
    assert list_texts(event)[0] == "Round 1, table 1: hand 1 was dealt again."
    abandon_table(table, organizer, "Fire alarm.")
    assert list_texts(event)[0] == ("Round 1, table 1: the match was abandoned and doesn’t count.")
    set_paper(table, organizer, True, "No power.")
    newest = list_texts(event)[0]
    assert newest == "Round 1, table 1: the match moved from the site to physical cards."


def test_history_lists_sign_ins_with_a_desk_code() -> None:
    event, organizer = make_organized_event(4)
    player = event.registrations.all()[0]
    before = history(event).head
    code = create_desk_code(player, organizer).code
    assert history(event).head == before
    use_desk_code(code)
    assert list_texts(event)[0] == (
        f"{player.name} signed in with a code that an organizer had shown at the desk."
    )


def test_history_lists_a_cut_after_which_no_one_advances() -> None:
    event, organizer = make_organized_event(4)
    record(event, organizer, LogAction.QUALIFY, lambda: "", stage=1, through=[])
    assert list_texts(event)[0] == "The stage was closed. No one advanced."


def test_history_of_a_correction_names_a_bot_at_the_table() -> None:
    event, organizer = make_organized_event(3, fill_with_bots=True, hand_limit=1)
    table = start_drafted_round(
        seat_round(first_stage(event), organizer), organizer, paper=False
    ).tables.get()
    games.play_out(match_of(table))
    table.refresh_from_db()
    enter_result(table, organizer, [99, 0, 0, 0], "A card was misread.")
    assert ", a bot 0 (before: " in list_texts(event)[0]


@pytest.mark.parametrize(
    ("actor", "by"),
    [
        (lambda event: event.organizers.get(), "an organizer"),
        (lambda _event: make_user(is_superuser=True), "a site administrator"),
        (lambda _event: make_user(), "a player"),
        (lambda _event: None, "the site"),
    ],
)
def test_history_shows_the_role_of_the_actor(
    actor: Callable[[Event], User | None], by: str
) -> None:
    event, _organizer = make_organized_event(0)
    record(event, actor(event), LogAction.REOPEN, lambda: "", "Why.")
    assert history(event).rows[0].by == by


def test_unknown_future_action_is_shown_by_its_code() -> None:
    event, organizer = make_organized_event(0)
    record(event, organizer, LogAction.REOPEN, lambda: "")
    change_unguarded(
        "UPDATE tournament_historyentry SET action = 'x-ray', role = 'king' WHERE number > 1"
    )
    row = history(event).rows[0]
    assert (row.text, row.by) == ("x-ray", "king")


def test_private_actions_appear_only_in_the_log() -> None:
    event, organizer = make_organized_event(4)
    before = history(event).head
    refuse(event.registrations.all()[0], organizer, "Not of this college.")
    assert history(event).head == before
    assert AuditEntry.objects.filter(event=event, action="refuse").exists()


def test_every_action_is_classified_as_public_or_private() -> None:
    assert SENTENCES.keys() == {*LogAction.values} - {*PRIVATE_ACTIONS}


def test_every_action_is_recorded_by_a_service() -> None:
    paths = Path(settings.BASE_DIR, "tournament").rglob("*.py")
    code = " ".join(path.read_text() for path in paths if path.name != "private_actions.py")
    unused = [kind.name for kind in LogAction if not re.search(rf"LogAction\.{kind.name}\b", code)]
    assert unused == ["CONFIRM"]  # only logs of older versions contain it


def test_action_is_described_by_its_label_or_its_unknown_code() -> None:
    assert [describe_action("absent"), describe_action("of-the-old")] == [
        "marked absent",
        "of-the-old",
    ]
    with translation.override("hi"):
        assert "absent" not in [describe_action(kind.value) for kind in LogAction]
        assert all(not describe_action(kind.value).isascii() for kind in LogAction)
