"""Helpers for calling services, also from many threads, and checking their refusals."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest
from django.db import connection

from tests.factories import make_event, make_organizer, make_players, make_user
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.common.refusals import RefusedError
from tournament.events.services import create_event, publish_event
from tournament.models import Event, Round, Stage, User
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

THREADS = 10  # one below the smallest pool that settings allow; the test keeps one connection


def get_refusal_code(call: Callable[..., object], *args: Any, **kwargs: Any) -> str:
    """Return the code of the RefusedError that the call raises."""
    return get_refusal(call, *args, **kwargs).code


def get_refusal(call: Callable[..., object], *args: Any, **kwargs: Any) -> RefusedError:
    """Return the refusal of the call, after checking that its text is a whole sentence."""
    with pytest.raises(RefusedError) as raised:
        call(*args, **kwargs)
    assert raised.value.sentence.endswith(".")
    return raised.value


def run_concurrently(call: Callable[[User, int], object], count: int) -> list[str]:
    """Run `call(user, number)` `count` times concurrently and return the refusal codes.

    The code is "" for a call that is not refused. At most `THREADS` calls run at the same time,
    as in a process that serves pages. More calls would have to wait for a database connection.
    """
    users = [make_user() for _ in range(count)]
    threads = min(count, THREADS)
    barrier = threading.Barrier(threads)

    def run(user: User, number: int) -> str:
        if number < threads:
            barrier.wait()
        try:
            call(user, number)
        except RefusedError as refusal:
            return refusal.code
        finally:
            connection.close()
        return ""

    # All of these threads belong to the test's process.
    with ThreadPoolExecutor(threads) as executor:
        calls = [
            executor.submit(copy_context().run, run, user, number)
            for number, user in enumerate(users)
        ]
        return [each.result() for each in calls]


def make_organized_event(players: int = 8, **fields: Any) -> tuple[Event, User]:
    """Create a published event with the services, and return it with its organizer."""
    organizer = make_organizer()
    number = User.objects.count()
    defaults = {"title": f"Event {number}", "slug": f"event-{number}", "ruleset": "uno-400"}
    fields = defaults | {"eligibility_required": False, "round_minutes": 30} | fields
    event = publish_event(create_event(Event(**fields), organizer), organizer)
    make_players(event, players)
    return event, organizer


def make_event_row(players: int | None = None, *, organized_by: int = 1, **fields: Any) -> Event:
    """Create an event with `organized_by` organizers directly in the database.

    If `players` is given, create it with `make_organized_event` instead.
    """
    if players is not None:
        return make_organized_event(players, **fields)[0]
    event = make_event(**fields)
    for _ in range(organized_by):
        make_organizer(event)
    return event


def first_stage(event: Event) -> Stage:
    return event.stages.get(number=1)


def start_drafted_round(round_: Round, organizer: User, *, paper: bool = True) -> Round:
    """Publish and start a drafted round, with physical cards unless `paper` is false."""
    round_.tables.update(paper=paper)
    return start_round(publish_round(round_, organizer), organizer)


def finish_paper_round(round_: Round, organizer: User, points: list[int] | None = None) -> Round:
    """Enter the same points at every table of a round with physical cards, and close the round.

    `points` are in seat order. The default is 400, 300, 200, …
    """
    for table in round_.tables.all():
        falling = [max(0, 400 - 100 * n) for n in range(table.seats.count())]
        # The check is overridden, because a match of one hand can't have such points.
        enter_result(table, organizer, points or falling, "Μετρήθηκε.", override=True)
    return close_round(round_, organizer)


def play_first_round(event: Event, organizer: User) -> Stage:
    """Play one round with physical cards and return the first stage."""
    stage = first_stage(event)
    finish_paper_round(
        start_drafted_round(seat_round(stage, organizer, "Once more."), organizer), organizer
    )
    stage.refresh_from_db()
    return stage


def make_second_stage(event: Event, organizer: User, number: int) -> Stage:
    """Return the second stage after the top `number` players of a first round have advanced."""
    stage = play_first_round(event, organizer)
    rule = CutRule(Stage.Rule.NUMBER, number, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    return event.stages.get(number=2)


def make_finished_final(points: list[int]) -> Event:
    """Create a finished event whose only table, the final, has these points by seat."""
    event, organizer = make_organized_event(len(points), table_size=len(points))
    event.stages.filter(number=1).update(format=Stage.Format.BRACKET, advance=1)
    finish_paper_round(
        start_drafted_round(draw_bracket(first_stage(event), organizer), organizer),
        organizer,
        points,
    )
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    return Event.objects.get(pk=event.pk)
