"""Every door tells the same places: formats, rules and what happens on a day, each pair once.

The cases cover every pair of a format with a rule set, of a format with what happens, and of a rule
set with what happens, as far as the rules allow them. Points are drawn anew for each.
"""

import random
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import pytest
from django.test import Client
from django.urls import reverse

from games.rules.ruleset import rulesets
from tests.factories import make_organizer, make_players
from tests.tournament.helpers import started
from tests.tournament.staging import play
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round, next_round
from tournament.advancing.services import announce_winner, preview_cut, qualify
from tournament.events.closing.certificates import PLACED
from tournament.events.closing.certificates import places as certified
from tournament.events.formats import READY
from tournament.events.services import create_event, publish_event
from tournament.exports.queries import EXPORTS
from tournament.hall.directory import people
from tournament.hall.directory import player as person
from tournament.hall.sharing import shared_player
from tournament.models import Event, Registration, Round, Ruling, Stage, Table, User
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.rulings.deeds import RulingRequest
from tournament.rulings.services import rule
from tournament.stages.cut import CutRule
from tournament.stages.places import places
from tournament.stages.winners import STEPS, is_decided, podium, winner

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.slow]

RULES = {
    **{key: (key, {}) for key in rulesets.RULE_SETS},
    "lowest": ("uno-400", {"scoring": "lowest"}),
    "elimination": ("uno-400", {"scoring": "elimination"}),
}
HAPPENS = ("site", "bots", "forfeit", "paper", "disqualified", "tie", "corrected")
PLAYERS = {"partners": 5, "one-table": 5}
THROUGH = 6
# Format, rules, what happens.
Case = tuple[str, str, str]


def allowed(case: Case) -> bool:
    """Whether the format can be played by these rules."""
    ready, (ruleset, options) = READY[case[0]], RULES[case[1]]
    try:
        rules = rulesets.make(ruleset, {**options, **ready.options})
        rules.check_seats(ready.settings.get("table_size", 4))
    except ValueError:
        return False
    return not (ready.options.get("scoring") and "scoring" in options)


def pairs(case: Case) -> set[tuple[tuple[int, str], ...]]:
    return set(combinations(enumerate(case), 2))


def covering(cases: Iterable[Case]) -> Iterator[Case]:
    """So many of them that each pair which stands in any stands in one."""
    known = list(cases)
    open_pairs = set().union(*map(pairs, known))
    while open_pairs:
        best = max(known, key=lambda case: len(pairs(case) & open_pairs))
        open_pairs -= pairs(best)
        yield best


CASES = list(covering(filter(allowed, product(READY, RULES, HAPPENS))))


def made(case: Case) -> tuple[Event, User]:
    key, rules, happens = case
    ready, organizer, (ruleset, options) = READY[key], make_organizer(), RULES[rules]
    wanted = {**options, **ready.options} | ({"target": 60} if key != "partners" else {})
    event = Event(
        **{"title": "Cup", "slug": "cup", "ruleset": ruleset, "eligibility_required": False},
        **{"hand_limit": 1, "second_person": "off", "fill_with_bots": happens == "bots"},
        options=rulesets.make(ruleset, wanted).changed(),
        table_size=ready.settings.get("table_size", 4),
    )
    create_event(event, organizer, ready.stages)
    event.stages.filter(format="rounds", rotation=False).update(rounds_planned=1)
    make_players(event, PLAYERS.get(key, 7 if happens == "bots" else 9))
    return publish_event(event, organizer), organizer


def drawn_points(count: int, happens: str) -> list[int]:
    if happens == "tie":
        return [50] * 2 + [20] * (count - 2)
    return random.sample(range(0, 400, 5), count)


def played_out(case: Case) -> tuple[Event, User]:
    """To its announced winner."""
    event, organizer = made(case)
    while not is_decided(event, None):
        stage = next(each for each in event.stages.order_by("number") if ready_to_go(each))
        if next_round(stage) is None or (is_played(stage) and following(stage)):
            cut(stage, organizer)
        else:
            play_round(draw_round(stage, organizer), organizer, case[2])
    announce_winner(event, organizer)
    event.refresh_from_db()
    return event, organizer


def ready_to_go(stage: Stage) -> bool:
    return stage.state != Stage.State.CLOSED


def is_played(stage: Stage) -> bool:
    return stage.rounds.filter(state=Round.State.CLOSED).count() >= stage.rounds_planned


def following(stage: Stage) -> bool:
    return stage.event.stages.filter(number=stage.number + 1).exists()


def cut(stage: Stage, organizer: User) -> None:
    wanted = CutRule("number", THROUGH + 2 - stage.number, "lots", 1)
    qualify(stage, organizer, wanted, preview_cut(stage_results(stage), wanted).through)


def play_round(drawn: Round, organizer: User, happens: str) -> None:
    """On the site by bots, or with physical cards and points that are drawn."""
    on_site = happens in ("site", "forfeit")
    played = started(drawn, organizer, paper=not on_site)
    if happens == "forfeit":
        ruled(one_of(played), organizer, Ruling.Kind.FORFEIT)
    gone = played.stage.event.registrations.filter(state=Registration.State.DISQUALIFIED)
    if happens == "disqualified" and is_last(played) and not gone.exists():
        ruled(one_of(played), organizer, Ruling.Kind.DISQUALIFY)
    for table in played.tables.order_by("number"):
        if on_site:
            play(table)
        else:
            points = drawn_points(table.seats.count(), happens)
            enter_result(table, organizer, points, "Counted.", override=True)
    close_round(Round.objects.get(pk=played.pk), organizer)


def is_last(played: Round) -> bool:
    return played.is_final or not following(played.stage)


def one_of(played: Round) -> Registration:
    seats = sure(played.tables.order_by("number").first()).seats
    return sure(
        sure(seats.filter(registration__isnull=False).order_by("number").first()).registration
    )


def ruled(who: Registration, organizer: User, kind: str) -> None:
    who.refresh_from_db()
    if who.state == Registration.State.APPROVED:
        rule(who.event, organizer, RulingRequest(kind, who), "Seen by the referee.")


def last_table(event: Event) -> Table:
    last = sure(Round.objects.filter(stage__event=event).order_by("stage__number", "number").last())
    return sure(last.tables.order_by("number").first())


# What each door tells: the place by the key of a registration.


def in_api(event: Event) -> dict[int, int]:
    found = Client().get(f"/api/v1/events/{event.slug}/standings").json()
    return {row["player"]: row["rank"] for row in found["items"]}


def on_page(event: Event, name: str, query: str = "") -> dict[int, int]:
    page = Client().get(reverse(name, args=[event.slug]) + query).text
    return {int(pk): int(rank) for pk, rank in re.findall(r'id="r(\d+)" data-rank="(\d+)"', page)}


def in_file(event: Event) -> list[object]:
    sheet = EXPORTS["standings"].make(event, False)
    return [row[0] for row in sheet.rows]


def check(event: Event) -> None:
    """All doors agree, and who has won is first everywhere."""
    placed = places(stage_results(event))
    expected = {each.player: each.place for each in placed}
    assert in_api(event) == expected
    for name, query in (
        ("event-leaderboard", ""),
        ("event-leaderboard", "?view=hall"),
        ("event-hall", "?pages=leaderboard"),
        ("event-embed", ""),
    ):
        assert on_page(event, name, query) == expected, name
    assert list(on_page(event, "event-leaderboard")) == [each.player for each in placed]
    assert in_file(event) == [each.place for each in placed]
    first = {each.player for each in placed if each.place == 1}
    won = sure(winner(event))
    assert {one.pk for one in won.shared} == first
    _check_people(event, expected, {each.player for each in placed if each.out})
    steps = {one.pk: step.place for step in podium(event).steps for one in step.people}
    known = {pk for pk, place in expected.items() if place <= STEPS}
    assert {pk: expected[pk] for pk in steps} == steps
    assert first <= steps.keys() <= known
    given = {pk: place for pk, place in certified(event).items() if place}
    assert given == {pk: place for pk, place in expected.items() if pk in given}
    assert all(expected[pk] > PLACED for pk, place in certified(event).items() if place is None)
    _check_final(event, expected)


def _check_people(event: Event, expected: dict[int, int], out: set[int]) -> None:
    listed = {each.registration.pk: each.row.rank for each in people(event) if each.row}
    assert listed == {pk: expected[pk] for pk in listed}
    for pk in listed:
        one = event.registrations.get(pk=pk)
        found = sure(person(event, one.queue_number))
        assert sure(found.row).rank == expected[pk]
        text = shared_player(event, found).text
        assert (f"Place {expected[pk]} · " in text) == (pk not in out)
    page = Client().get(reverse("event", args=[event.slug])).text
    assert all(one.name in page for one in sure(winner(event)).shared)


def _check_final(event: Event, expected: dict[int, int]) -> None:
    """Who sat in the final is before everybody who did not, but for who was disqualified."""
    seats = Table.objects.filter(round__is_final=True, round__stage__event=event)
    approved = event.registrations.exclude(state=Registration.State.DISQUALIFIED)
    inside = set(approved.filter(seats__table__in=seats).values_list("pk", flat=True))
    others = set(approved.values_list("pk", flat=True)) - inside
    if inside and others:
        assert max(expected[pk] for pk in inside) < min(
            expected[pk] for pk in others if pk in expected
        )
    out = set(expected) - set(approved.values_list("pk", flat=True))
    assert all(expected[pk] > len(expected) - len(out) for pk in out)


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_every_door_tells_the_same_places(case: Case) -> None:
    event, organizer = played_out(case)
    check(event)
    if case[2] == "corrected":
        table = last_table(event)
        points = drawn_points(table.seats.count(), "paper")
        enter_result(table, organizer, points, "Two sheets were exchanged.", override=True)
        check(Event.objects.get(pk=event.pk))


def test_each_pair_that_can_be_played_is_tried() -> None:
    tried = set().union(*map(pairs, CASES))
    assert tried == set().union(*map(pairs, filter(allowed, product(READY, RULES, HAPPENS))))
