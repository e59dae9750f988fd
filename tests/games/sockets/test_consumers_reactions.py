"""Tests of reactions over real sockets: who receives them and who may send them."""

import pytest

from games.models import Reaction
from games.process import here
from games.sockets.reactions import reactions_topic
from tests.games.helpers import begin
from tests.games.windows import Window, open_window
from tests.live import LiveSite
from tests.tournament.staging import first_table, match_of, organizer_of, running_round
from tournament.events.services import change_event
from tournament.models import Table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table() -> Table:
    return first_table(running_round(4))


def open_seat_window(site: LiveSite, table: Table, number: int = 0) -> Window:
    match = match_of(table)
    return open_window(site, match, match.seats.get(number=number).user)


def send_reaction(
    window: Window, client_id: str = "f1", reaction: str = "laugh"
) -> dict[str, object]:
    window.send({"type": "react", "id": client_id, "shown": reaction})
    return window.read_answer(client_id)


def read_reaction(window: Window) -> tuple[int, str]:
    found = window.wait_for("reacted")
    return found["seat"], found["shown"]


def test_u59_players_and_viewers_see_reactions(live_site: LiveSite, table: Table) -> None:
    with (
        open_seat_window(live_site, table) as mine,
        open_seat_window(live_site, table, 1) as theirs,
        open_window(live_site, match_of(table)) as viewer,
    ):
        assert mine.wait_for("desk")["may_react"] is True
        viewer.wait_for("view")
        assert send_reaction(mine)["type"] == "ack"
        assert [read_reaction(window) for window in (mine, theirs, viewer)] == [(0, "laugh")] * 3
        assert send_reaction(theirs, "f2", "heart")["type"] == "ack"
        assert [read_reaction(window) for window in (mine, viewer)] == [(1, "heart")] * 2


def test_u59_viewers_cannot_send_reactions(live_site: LiveSite, table: Table) -> None:
    with open_window(live_site, match_of(table)) as viewer:
        assert send_reaction(viewer)["code"] == "not-seated"
    assert not Reaction.objects.exists()


def test_refused_reaction_pokes_no_window(live_site: LiveSite) -> None:
    match, poked = begin(["R1 R2", "R3 G9"], "R5"), list[int | None]()
    with open_window(live_site, match, match.seats.get(number=0).user) as mine:
        here().hub.subscribe(reactions_topic(match.pk), poked.append)
        assert send_reaction(mine)["type"] == "refused"
        mine.send({"type": "ping", "version": 0})
        mine.wait_for("pong")
    assert poked == []


def test_u59_delayed_viewers_receive_no_reactions(
    live_site: LiveSite,
) -> None:
    table = first_table(running_round(4, viewers="hand"))
    with (
        open_seat_window(live_site, table) as mine,
        open_window(live_site, match_of(table)) as viewer,
    ):
        viewer.wait_for("view")
        send_reaction(mine)
        read_reaction(mine)
        viewer.send({"type": "ping", "version": 0})
        heard: list[str] = []
        while not heard or heard[-1] != "pong":
            heard.append(viewer.read()["type"])
        assert "reacted" not in heard


def test_u59_organizers_can_turn_off_reactions_during_play(
    live_site: LiveSite, table: Table
) -> None:
    event = table.round.stage.event
    with open_seat_window(live_site, table) as mine:
        assert mine.wait_for("desk")["may_react"] is True
        event.reactions = False
        change_event(event, organizer_of(event), ["reactions"])
        assert mine.wait_for("desk")["may_react"] is False
        assert send_reaction(mine)["code"] == "no-reactions"
    assert not Reaction.objects.exists()


def test_u59_table_without_an_event_has_no_reactions(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    with open_window(live_site, match, match.seats.get(number=0).user) as mine:
        assert send_reaction(mine)["code"] == "no-reactions"


def test_u59_excess_reactions_are_refused_with_a_reason(live_site: LiveSite, table: Table) -> None:
    with open_seat_window(live_site, table) as mine:
        send_reaction(mine)
        refused = send_reaction(mine, "f2")
        assert (refused["code"], refused["message"]) == (
            "too-often",
            "Wait a moment before you send another reaction.",
        )
