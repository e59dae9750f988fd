"""F24: organizers see no cards of a hand in play.

Only commentators do. Appointing one requires two organizers, the players are informed, and every
visit is logged.
"""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import queries, services, store
from games.models import Hand, Match
from games.protocol.table import TableView
from games.seats import SeatNumber
from tests.factories import make_organizer, make_user
from tests.games.windows import open_window
from tests.live import LiveSite
from tests.tournament.staging import first_table, match_of, organizer_of, player_at, running_round
from tests.typed import sure
from tournament.desk.confirmation import confirm
from tournament.models import AuditEntry, Event, Table, User
from tournament.people.staff.organizers import appoint_commentator, remove_commentator

pytestmark = pytest.mark.django_db

CARD = re.compile(r"""["';>]([RYGB]([0-9]|\+2|S|R)|W(\+4)?)["'&<]""")
DELAY_NOTICE = "Commentators can see everyone’s cards with a delay of 30 seconds."


@pytest.fixture(autouse=True)
def _skip_waiting_for_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for shares, because no browser sends one here."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)


def get_event(table: Table) -> Event:
    return table.round.stage.event


def backdate_deal(match: Match, seconds: float) -> None:
    """Set the time of the deal to `seconds` seconds ago."""
    Hand.objects.filter(match=match).update(dealt_at=timezone.now() - timedelta(seconds=seconds))
    store.forget(match.pk)


def read_page(user: User, match: Match) -> str:
    browser = Client()
    browser.force_login(user)
    answer = browser.get(reverse("games:commentary", args=[match.public_id]))
    return answer.text if answer.status_code == 200 else ""


def read_cards_on_table_page(user: User, match: Match) -> str:
    found = re.search(r'"open": (\[.*?\])[,}]', read_page(user, match))
    return found[1] if found else "none"


def get_player_view(match: Match) -> TableView:
    live = store.load(match.pk)
    return queries.table_view(live, SeatNumber(0), {}, timezone.now(), controls=True)


@pytest.mark.parametrize("viewers", ["live", "delayed", "hand"])
def test_organizer_desk_shows_no_card_of_a_hand_in_play(client: Client, viewers: str) -> None:
    table = first_table(running_round(viewers=viewers))
    event, pages = get_event(table), ("control", "control?part", "table", "round", "desk", "people")
    client.force_login(make_organizer(event))
    rest = {"table": [table.pk], "round": [table.round.pk]}
    for page in pages:
        name, _, query = page.partition("?")
        address = reverse(f"admin:event-{name}", args=[event.pk, *rest.get(name, [])])
        text = client.get(f"{address}?{query}").text
        assert not CARD.search(text)
        assert "All cards" not in text


def test_self_appointed_commentator_sees_nothing_before_a_second_approval() -> None:
    table = first_table(running_round())
    event, match = get_event(table), match_of(table)
    organizer, second = organizer_of(event), make_organizer(event)
    proposal = appoint_commentator(event, organizer, organizer, "To help.")
    assert read_page(organizer, match) == ""
    assert get_player_view(match)["match"]["commentary"] == ""
    confirm(sure(proposal), second)
    assert get_player_view(match)["match"]["commentary"] == DELAY_NOTICE


def test_commentator_appointed_during_a_hand_sees_cards_from_the_next_hand() -> None:
    table = first_table(running_round(hand_limit=3))
    event, match = get_event(table), match_of(table)
    backdate_deal(match, 600)
    user = make_user(is_staff=True)
    appoint_commentator(event, organizer_of(event), user, "For the stream.")
    assert read_cards_on_table_page(user, match) == "[]"
    assert "You’ll see all cards from the next hand on." in read_page(user, match)
    event.commentary.update(since=timezone.now() - timedelta(seconds=700))
    assert read_cards_on_table_page(user, match).startswith('[{"seat": 0')
    assert AuditEntry.objects.filter(actor=user, action="commentary").count() == 3


def test_newly_appointed_commentator_receives_no_card_of_that_hand(
    live_site: LiveSite, transactional_db: None
) -> None:
    table = first_table(running_round(hand_limit=3))
    event, match = get_event(table), match_of(table)
    backdate_deal(match, 600)
    user = make_user(is_staff=True)
    appoint_commentator(event, organizer_of(event), user, "For the stream.")
    with open_window(live_site, f"{match.public_id}/commentary", user) as window:
        view = window.wait_for("view")["view"]
        assert view["open"] == []
        assert view["viewer"]["text"] == "You’ll see all cards from the next hand on."


def test_players_are_notified_before_the_next_hand_is_dealt() -> None:
    table = first_table(running_round(hand_limit=3))
    event, match = get_event(table), match_of(table)
    appoint_commentator(event, organizer_of(event), make_user(is_staff=True), "For the stream.")
    since = event.commentary.get().since
    match.refresh_from_db()
    services.redo_hand(match, "A card was shown.")
    match.refresh_from_db()
    assert get_player_view(match)["match"]["commentary"] == DELAY_NOTICE
    services.run_due_step(match.pk, match.version, timezone.now() + timedelta(seconds=60))
    newest = match.hands.filter(dealt_at__isnull=False).latest("number")
    assert (newest.number, sure(newest.dealt_at) > since) == (2, True)


def test_table_notice_is_shown_only_while_a_commentator_may_watch() -> None:
    table = first_table(running_round())
    event, match = get_event(table), match_of(table)
    user, browser = make_user(is_staff=True), Client()
    browser.force_login(player_at(table))
    appoint_commentator(event, organizer_of(event), user, "For the stream.")
    assert DELAY_NOTICE in browser.get(match.get_absolute_url()).text
    remove_commentator(event, organizer_of(event), user)
    assert DELAY_NOTICE not in browser.get(match.get_absolute_url()).text
    assert read_page(user, match) == ""


def test_open_player_windows_show_the_notice_immediately(
    live_site: LiveSite, transactional_db: None
) -> None:
    table = first_table(running_round())
    event, match = get_event(table), match_of(table)
    with open_window(live_site, match, player_at(table)) as window:
        assert window.wait_for("view")["view"]["match"]["commentary"] == ""
        appoint_commentator(event, organizer_of(event), make_user(is_staff=True), "For the stream.")
        assert window.wait_for("view")["view"]["match"]["commentary"] == DELAY_NOTICE
