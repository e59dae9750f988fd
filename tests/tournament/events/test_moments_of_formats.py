"""Tests that the pages are accurate for each format, from the draft to the winner."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_players
from tests.tournament.events.test_pages_of_formats import UNTRUE_TEXTS, get_page_text
from tests.tournament.helpers import finish_paper_round, get_refusal_code, start_drafted_round
from tests.tournament.organizing import page
from tests.tournament.pure.test_formats import create_draft_event, make_event_of_format
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round
from tournament.advancing.services import announce_winner, preview_cut, qualify
from tournament.desk.queries import list_desk_steps
from tournament.events.services import publish_event
from tournament.models import Event, Round, Stage, User
from tournament.pure.formats import READY
from tournament.results.stages import stage_results
from tournament.rounds.services import start_round
from tournament.seating.services import publish_round
from tournament.stages.cut import CutRule
from tournament.stages.texts import stage_text
from tournament.stages.winners import is_decided

pytestmark = [pytest.mark.django_db]

PLAYERS = 5
# Matches “a of b” and “a/b”, in which `a` must not exceed `b`.
FRACTIONS = re.compile(r"(?<![\d/.,])(\d+)(?:/| of )(\d+)(?![\d/.,])")
# Unfilled placeholders, and plurals after the number 1.
FAULTY_TEXTS = re.compile(
    r"\{\w*\}|%\(\w+\)|(?<!of )\b1 (?:rounds|players|tables|matches|hands|places|points)\b"
)
StepCallback = Callable[[str], None]


def iter_outputs(event: Event, organizer: User) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each output that describes the event.

    The outputs are public pages, a player's page, organizers' pages, the API and emails.
    """
    public, desk_of = Client(), Client()
    desk_of.force_login(organizer)
    for name in ("event", "event-leaderboard", "event-bracket"):
        yield name, get_page_text(public, reverse(name, args=[event.slug]))
    if mine := event.registrations.select_related("user").first():
        player = Client()
        player.force_login(mine.user)
        yield "my-table", get_page_text(player, reverse("my-table", args=[event.slug]))
    for name in ("desk", "rounds", "bracket", "standings"):
        yield name, get_page_text(desk_of, page(name, event))
    for kind in ("", "/standings", "/bracket"):
        yield f"API {kind}", get_page_text(public, f"/api/v1/events/{event.slug}{kind}")
    for letter in mail.outbox:
        yield "mail", f"{letter.subject} {letter.body}"


def list_untrue_texts(event: Event, text: str) -> list[str]:
    found = [*UNTRUE_TEXTS.findall(text), *FAULTY_TEXTS.findall(text)]
    found += [f"{a} of {b}" for a, b in FRACTIONS.findall(text) if int(a) > int(b)]
    if event.stages.count() == 1:
        found += re.findall("stage before|second round", text)
    return found


def play_through(event: Event, organizer: User, after_step: StepCallback) -> None:
    """Play the event from its first draw to its winner, and call `after_step` after each step.

    If the format allows it, an unplanned round is added at the end.
    """
    while not is_decided(event, None):
        stage = sure(event.stages.exclude(state=Stage.State.CLOSED).order_by("number").first())
        closed = stage.rounds.filter(state=Round.State.CLOSED).count()
        if closed >= stage.rounds_planned and event.stages.filter(number__gt=stage.number).exists():
            wanted = CutRule("number", 4, "lots", 1)
            qualify(stage, organizer, wanted, preview_cut(stage_results(stage), wanted).through)
            after_step("who goes through is confirmed")
        else:
            play_round(stage, organizer, after_step)
    last = sure(event.stages.order_by("number").last())
    if last.format == Stage.Format.ROUNDS and not last.rotation:
        play_round(last, organizer, after_step)
    announce_winner(event, organizer)
    after_step("finished")


def play_round(stage: Stage, organizer: User, after_step: StepCallback) -> None:
    running = start_drafted_round(draw_round(stage, organizer), organizer)
    after_step(f"{running} of {stage} is being played")
    finish_paper_round(running, organizer)
    after_step(f"{running} of {stage} is closed")


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize("key", READY)
def test_pages_are_accurate_at_every_moment(key: str) -> None:
    organizer = make_organizer()
    event = create_draft_event(key, organizer)

    def after_step(name: str) -> None:
        event.refresh_from_db()
        for output, text in iter_outputs(event, organizer):
            assert list_untrue_texts(event, text) == [], (name, output)

    after_step("draft")
    publish_event(event, organizer)
    after_step("nobody has registered")
    make_players(event, PLAYERS)
    after_step("open")
    play_through(event, organizer, after_step)


@pytest.mark.parametrize("key", ["rounds", "partners", "lowest", "three-stages"])
def test_number_of_rounds_played_matches_the_announcement(key: str) -> None:
    """Check that the announced number of rounds is right from the first round on.

    Rounds that organizers add later are not announced.
    """
    event, organizer = make_event_of_format(key, PLAYERS)
    figures: dict[int, set[int]] = {}

    def after_step(_name: str) -> None:
        for step in list_desk_steps(Event.objects.get(pk=event.pk)):
            if step.key == "rounds" and "/" in step.figure:
                figures.setdefault(step.stage, set()).add(int(step.figure.split("/")[1]))

    play_through(event, organizer, after_step)
    rounds = {stage.number: stage.rounds.count() for stage in event.stages.all()}
    last = max(figures)
    added = 0 if key in ("partners", "three-stages") else 1
    expected = {n: {rounds[n]} for n in figures} | {last: {rounds[last], rounds[last] - added}}
    assert figures == expected


def test_extra_round_is_counted_on_every_page() -> None:
    event, organizer = make_event_of_format("one-table", PLAYERS)
    stage = event.stages.get()
    finish_paper_round(start_drafted_round(draw_round(stage, organizer), organizer), organizer)
    more = draw_round(stage, organizer)
    assert stage_text(event.stages.get()).startswith("Everyone plays 1 round.")
    publish_round(more, organizer)
    assert {step.key: step for step in list_desk_steps(event)}["rounds"].figure == "1/2"
    assert stage_text(event.stages.get()).startswith("Everyone plays 2 rounds.")
    start_round(more, organizer)
    assert get_refusal_code(announce_winner, event, organizer) == "open"


def test_bracket_page_explains_that_the_format_has_no_bracket() -> None:
    event, organizer = make_event_of_format("rounds", 8)
    client = Client()
    client.force_login(organizer)
    assert "This event has no knockout stage." in get_page_text(client, page("bracket", event))


def test_single_stage_bracket_mentions_no_earlier_stage() -> None:
    event, organizer = make_event_of_format("knock-out", 8)
    client = Client()
    client.force_login(organizer)
    told_before = get_page_text(client, page("bracket", event))
    assert "Everyone with a spot enters the bracket when its first round is drawn." in told_before
    draw_round(event.stages.get(), organizer)
    words = get_page_text(Client(), reverse("event-bracket", args=[event.slug]))
    assert "Seeding" in words
    assert "The numbers are seeds for the first knockout round. " in words
