"""How often an organizer presses a button on a whole day."""

import re
import sys

import pytest
from django.test import Client

from tests.factories import make_organizer, make_players
from tests.tournament.desk import page
from tests.tournament.helpers import finished, organized, qualified, started
from tournament.formats import READY
from tournament.models import Event, Round, User
from tournament.services.advancing import draw_bracket
from tournament.services.events import create_event
from tournament.services.results import enter_result

pytestmark = pytest.mark.django_db

MOST = 40


class Presses:
    """A desk on which every press of a button is counted; forms as the pages have them."""

    def __init__(self, client: Client, event: Event) -> None:
        self.client, self.event, self.count = client, event, 0

    def press(self, address: str, action: str, **more: object) -> str:
        shown = self.client.get(address).content.decode()
        form = next(f for f in re.findall(r"<form.*?</form>", shown, re.S) if f'"{action}"' in f)
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
        self.count += 1
        answer = self.client.post(address, hidden | {"action": action, **more}, follow=True)
        assert 'class="error"' not in answer.content.decode()
        return str(answer.content.decode())


def play(played: Round, organizer: User) -> None:
    """Every table with a result of its own, without anybody level."""
    for table in played.tables.all():
        falling = [400 - 50 * n - table.number for n in range(table.seats.count())]
        enter_result(table, organizer, falling, "Counted.", override=True)


def run(desk: Presses, organizer: User) -> None:
    """Round after round, by the shortest way that the pages offer."""
    event = desk.event
    played = Round.objects.filter(stage__event=event).latest("ordinal")
    desk.press(page("round", event, played.pk), "publish")
    played.tables.update(paper=True)  # this test is about the organizer, not about play
    desk.press(page("round", event, played.pk), "start")
    play(played, organizer)
    shown = desk.client.get(page("control", event)).content.decode()
    desk.press(page("control", event), "close-draw" if '"close-draw"' in shown else "close")


@pytest.mark.slow
@pytest.mark.patient
def test_a_day_with_120_students_takes_at_most_40_presses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    organizer = make_organizer()
    fields = {"eligibility_required": False, "ruleset": "uno-400", "second_person": "off"}
    stages = READY["turnout"].stages
    event = create_event(Event(title="Day", slug="day", **fields), organizer, stages)
    client = Client()
    client.force_login(organizer)
    desk = Presses(client, event)
    desk.press(page("desk", event), "publish")
    make_players(event, 120)
    desk.press(page("rounds", event), "draw")
    for _round in range(3):
        run(desk, organizer)
    desk.press(page("qualify", event), "confirm-draw", sure="yes")
    while not Round.objects.filter(stage__event=event, is_final=True, state="closed").exists():
        run(desk, organizer)
    desk.press(page("desk", event), "announce")
    event.refresh_from_db()
    assert event.state == "finished"
    upload_and_apply = 2
    with capsys.disabled():
        sys.stdout.write(f"\npresses for 120 students: {desk.count + upload_and_apply}\n")
    assert desk.count + upload_and_apply <= MOST


def test_the_round_that_is_closed_stays_closed_where_the_next_cannot_be_drawn(
    client: Client, organizer: User
) -> None:
    event, organizer = organized(8)
    client.force_login(organizer)
    semi = started(draw_bracket(qualified(event, organizer, 8), organizer), organizer)
    event.stages.filter(number=2).update(cut_ties="hand")
    for table in semi.tables.all():
        enter_result(table, organizer, [0, 200, 0, 0], "Counted.", override=True)
    fields = {"action": "close-draw", "round": semi.pk}
    shown = client.post(page("control", event), fields, follow=True).content.decode()
    semi.refresh_from_db()
    assert semi.state == "closed"
    assert "A hand must be played for the last place" in shown


def test_after_the_last_planned_round_only_closing_is_offered(
    client: Client, organizer: User
) -> None:
    event, organizer = organized(8)
    client.force_login(organizer)
    final = started(draw_bracket(qualified(event, organizer, 4), organizer), organizer)
    play(final, organizer)
    shown = client.get(page("control", event)).content.decode()
    assert '"close-draw"' not in shown
    finished(final, organizer)
