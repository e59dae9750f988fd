"""Tests that every seat draw is recorded, and that anyone can repeat it after the event."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.services import preview_cut, qualify
from tournament.models import Draw, Event, Round, Stage
from tournament.oversight.history_texts import history
from tournament.pure.arrangement import read_problem
from tournament.pure.arrangement import seat_round as draw_seats
from tournament.results.stages import stage_results
from tournament.seating.lots import compute_commitments, list_draws, list_lots
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round, unpublish_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "fair-deal.md"


def finish_event(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    event.refresh_from_db()
    return event


def get_history_file(event: Event) -> Any:
    return Client().get(reverse("event-history-file", args=[event.slug])).json()


def test_every_draw_is_numbered_and_in_the_history() -> None:
    event, organizer = make_organized_event(8)
    first = seat_round(first_stage(event), organizer).seating
    second = seat_round(first_stage(event), organizer, "Somebody came late.").seating
    draws = Draw.objects.order_by("number")
    assert [(draw.number, draw.round_number) for draw in draws] == [(1, 1), (2, 1)]
    assert [draw.digest for draw in draws] == [first.digest, second.digest]
    assert first.key != second.key
    assert [(row.text, row.reason) for row in history(event).rows[:3]] == [
        ("Round 1: seats were drawn by lot (draw 2).", ""),
        ("Round 1: draw 1 was discarded.", "Somebody came late."),
        ("Round 1: seats were drawn by lot (draw 1).", ""),
    ]


def test_draft_is_not_discarded_without_a_reason() -> None:
    event, organizer = make_organized_event(8)
    played = seat_round(first_stage(event), organizer)
    assert get_refusal_code(seat_round, first_stage(event), organizer) == "no-reason"
    assert get_refusal_code(seat_round, first_stage(event), organizer, "  ") == "no-reason"
    unpublish_round(publish_round(played, organizer), organizer, "Too early.")
    assert get_refusal_code(seat_round, first_stage(event), organizer) == "no-reason"
    assert Draw.objects.count() == 1


def test_draft_discarded_by_the_cut_is_in_the_history() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    seat_round(stage, organizer)
    rule = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    texts = [row.text for row in history(event).rows]
    assert "First round (everyone plays), Round 2: draw 1 was discarded." in texts
    assert not Round.objects.filter(stage=stage, number=2).exists()


def test_partner_rotation_uses_no_lots_and_has_no_draw_number() -> None:
    event, organizer = make_organized_event(8, options={"partners": True})
    Stage.objects.filter(event=event, number=1).update(rotation=True)
    seat_round(first_stage(event), organizer)
    seat_round(first_stage(event), organizer)
    assert not Draw.objects.exists()
    assert history(event).rows[0].text == "Round 1: seats were assigned without drawing lots."


def test_outsider_can_repeat_every_draw_from_public_data() -> None:
    event, organizer = make_organized_event(9)
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    played = seat_round(first_stage(event), organizer)
    played = seat_round(first_stage(event), organizer, "The first list was wrong.")
    seated = list_seated(played)
    message = get_history_file(finish_event(event))
    (lot,) = (each for each in message["lots"] if each["stage"] == 1)
    promise = f"lastcard lots 1\n{message['event']}\n1\n{lot['key']}"
    assert lot["commitment"] == hashlib.sha256(promise.encode()).hexdigest()
    keys = []
    for draw in message["draws"]:
        assert draw["digest"] == hashlib.sha256(draw["input"].encode()).hexdigest()
        parts = [lot["key"], draw["round"], draw["draw"], draw["digest"]]
        text = "\n".join(["lastcard draw 1", *map(str, parts)])
        keys.append(hashlib.sha256(text.encode()).hexdigest())
    assert [draw["key"] for draw in message["draws"]] == keys
    assert [(draw["round"], draw["draw"]) for draw in message["draws"]] == [(1, 1), (2, 1), (2, 2)]
    assert draw_seats(read_problem(message["draws"][2]["input"]), keys[2]).tables == seated


def test_documented_commands_repeat_the_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    event, organizer = make_organized_event(9)
    played = seat_round(first_stage(event), organizer)
    (tmp_path / "history.json").write_text(json.dumps(get_history_file(finish_event(event))))
    monkeypatch.chdir(tmp_path)
    (lines,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    exec(lines, {})
    assert capsys.readouterr().out == f"1 1 {list_seated(played)}\n"


def test_only_commitments_and_digests_are_public_before_the_event_ends() -> None:
    event, organizer = make_organized_event(8)
    seat_round(first_stage(event), organizer)
    message = get_history_file(event)
    keys = [event.lots_key, *event.stages.values_list("lots_key", flat=True)]
    assert [each["commitment"] for each in message["lots"]] == list(
        compute_commitments(event).values()
    )
    assert [(each["key"], each["input"]) for each in message["draws"]] == [("", "")]
    assert not any(key in json.dumps(message) for key in keys)
    page = Client().get(reverse("event", args=[event.slug])).text
    assert all(each["commitment"] in page for each in message["lots"])
    assert not any(key in page for key in keys)


def test_draw_input_with_private_requests_is_never_published() -> None:
    event, organizer = make_organized_event(8)
    first, second, *_ = event.registrations.all()
    first.apart_from.add(second)
    seat_round(first_stage(event), organizer)
    (draw,) = list_draws(finish_event(event))
    assert (draw.private, draw.input, len(draw.key)) == (True, "", 64)


def test_key_replaced_after_publication_is_detected() -> None:
    event, _organizer = make_organized_event(4)
    assert [each.kept for each in list_lots(event)] == [True, True, True]
    Stage.objects.filter(event=event, number=1).update(lots_key="f" * 32)
    assert [(each.stage, each.kept) for each in list_lots(event)] == [
        (0, True),
        (1, False),
        (2, True),
    ]
    page = Client().get(reverse("event-history", args=[event.slug])).text
    assert page.count("This key doesn’t match its commitment.") == 1


def test_event_without_a_history_shows_no_broken_commitment() -> None:
    event, _organizer = make_organized_event(4)
    with open_unguarded_cursor():
        event.history.all().delete()
    assert [each.kept for each in list_lots(event)] == [True, True, True]


def test_draw_is_public_as_soon_as_it_is_made() -> None:
    event, organizer = make_organized_event(8)
    make_organizer(event)
    digest = seat_round(first_stage(event), organizer).seating.digest
    page = Client().get(reverse("event-history", args=[event.slug])).text
    assert f"<code>{digest}</code>" in page
