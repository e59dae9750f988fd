"""Events that the services play until the winner is announced.

A case has a format, a rule set and an incident on the day. The cases cover every pair of
these values that the rules allow. Points are drawn anew for each case.
"""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any, TypeVar

from games.rules.ruleset import rulesets
from tests.factories import make_organizer, make_players
from tests.tournament.helpers import start_drafted_round
from tests.tournament.staging import play
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round, next_round
from tournament.advancing.services import announce_winner, preview_cut, qualify
from tournament.events.services import create_event, publish_event
from tournament.models import Event, Registration, Round, Ruling, Stage, Table, User
from tournament.pure.formats import READY
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.stages.cut import CutRule
from tournament.stages.winners import is_decided

RULES = {
    **{key: (key, {}) for key in rulesets.RULE_SETS},
    "lowest": ("uno-400", {"scoring": "lowest"}),
    "elimination": ("uno-400", {"scoring": "elimination"}),
}
PARTNERS = ("uno-500", {"partners": True})
# Incidents for which bots play the event on the site. All others use physical cards.
ON_SITE = ("site", "bots", "forfeit")
INCIDENTS = (*ON_SITE, "paper", "disqualified", "tie", "corrected")
PLAYERS = {"partners": 5, "one-table": 5}
ADVANCING = 6
# Format, rules, incident.
Case = tuple[str, str, str]
# The values of a case, such as format, rules and incident.
Values = tuple[str, ...]
ValuesType = TypeVar("ValuesType", bound=Values)
Parts = frozenset[tuple[int, str]]


def get_rules(name: str) -> tuple[str, dict[str, Any]]:
    """Return the rule set and options for a key of `RULES` or for "partners"."""
    return PARTNERS if name == "partners" else RULES[name]


def is_playable_case(case: Case) -> bool:
    """Return whether the format can be played by the rules of the case."""
    ready, (ruleset, options) = READY[case[0]], get_rules(case[1])
    try:
        rules = rulesets.make(ruleset, {**options, **ready.options})
        rules.check_seats(ready.settings.get("table_size", 4))
    except ValueError:
        return False
    return not (ready.options.get("scoring") and "scoring" in options)


POSSIBLE_CASES = [case for case in product(READY, RULES, INCIDENTS) if is_playable_case(case)]


def list_combinations(case: Values, size: int = 2) -> set[Parts]:
    """Return all combinations of `size` values of the case."""
    return set(map(frozenset, combinations(enumerate(case), size)))


def choose_covering_cases(cases: Iterable[ValuesType], size: int = 2) -> Iterator[ValuesType]:
    """Yield enough cases to cover each combination of `size` values that occurs in any case."""
    known = list(cases)
    still = set().union(*(list_combinations(case, size) for case in known))
    while still:
        best = max(known, key=lambda case: len(list_combinations(case, size) & still))
        still -= list_combinations(best, size)
        yield best


def make_event_for_case(case: Case, players: int | None = None) -> tuple[Event, User]:
    key, rules, incident = case
    ready, organizer, (ruleset, options) = READY[key], make_organizer(), get_rules(rules)
    wanted = {**options, **ready.options} | ({"target": 60} if key != "partners" else {})
    event = Event(
        **{"title": "Cup", "slug": "cup", "ruleset": ruleset, "eligibility_required": False},
        **{"hand_limit": 1, "second_person": "off", "fill_with_bots": incident == "bots"},
        options=rulesets.make(ruleset, wanted).changed_options(),
        table_size=ready.settings.get("table_size", 4),
    )
    create_event(event, organizer, ready.stages)
    event.stages.filter(format="rounds", rotation=False).update(rounds_planned=1)
    make_players(event, players or PLAYERS.get(key, 7 if incident == "bots" else 9))
    return publish_event(event, organizer), organizer


def draw_points(count: int, incident: str = "") -> list[int]:
    if incident == "tie":
        return [50] * 2 + [20] * (count - 2)
    return random.sample(range(0, 400, 5), count)


def play_out_case(case: Case) -> tuple[Event, User]:
    """Play an event for the case, and return it with its organizer.

    The winner is announced at the end.
    """
    event, organizer = make_event_for_case(case)
    while not is_decided(event, None):
        stage = sure(event.stages.exclude(state=Stage.State.CLOSED).order_by("number").first())
        if next_round(stage) is None or (is_stage_played(stage) and has_next_stage(stage)):
            make_cut(stage, organizer)
        else:
            _play_round(draw_round(stage, organizer), organizer, case[2])
    announce_winner(event, organizer)
    event.refresh_from_db()
    return event, organizer


def is_stage_played(stage: Stage) -> bool:
    return stage.rounds.filter(state=Round.State.CLOSED).count() >= stage.rounds_planned


def has_next_stage(stage: Stage) -> bool:
    return stage.event.stages.filter(number=stage.number + 1).exists()


def make_cut(stage: Stage, organizer: User, through: int = ADVANCING) -> None:
    """Let `through` players advance from the second stage and one more from the first."""
    wanted = CutRule("number", through + 2 - stage.number, "lots", 1)
    qualify(stage, organizer, wanted, preview_cut(stage_results(stage), wanted).through)


def _play_round(round_: Round, organizer: User, incident: str) -> None:
    """Play a drafted round with bots on the site, or with physical cards and random points."""
    played = start_drafted_round(round_, organizer, paper=incident not in ON_SITE)
    if incident == "forfeit":
        make_ruling_if_approved(find_first_player(played), organizer, Ruling.Kind.FORFEIT)
    gone = played.stage.event.registrations.filter(state=Registration.State.DISQUALIFIED)
    if incident == "disqualified" and _is_last_round(played) and not gone.exists():
        make_ruling_if_approved(find_first_player(played), organizer, Ruling.Kind.DISQUALIFY)
    for table in played.tables.order_by("number"):
        if incident in ON_SITE:
            play(table)
        else:
            points = draw_points(table.seats.count(), incident)
            enter_result(table, organizer, points, "Counted.", override=True)
    close_round(Round.objects.get(pk=played.pk), organizer)


def _is_last_round(round_: Round) -> bool:
    return round_.is_final or not has_next_stage(round_.stage)


def find_first_player(round_: Round) -> Registration:
    seats = sure(round_.tables.order_by("number").first()).seats
    return sure(
        sure(seats.filter(registration__isnull=False).order_by("number").first()).registration
    )


def make_ruling_if_approved(registration: Registration, organizer: User, kind: str) -> None:
    registration.refresh_from_db()
    if registration.state == Registration.State.APPROVED:
        rule(
            registration.event, organizer, RulingRequest(kind, registration), "Seen by the referee."
        )


def get_last_table(event: Event) -> Table:
    """Return the first table of the last round, which is the final if there is one."""
    last = sure(Round.objects.filter(stage__event=event).order_by("stage__number", "number").last())
    return sure(last.tables.order_by("number").first())


def correct_last_table(event: Event, organizer: User) -> Event:
    """Correct the points of the last table after the end of the event."""
    table = get_last_table(event)
    points = draw_points(table.seats.count())
    enter_result(table, organizer, points, "Two sheets were exchanged.", override=True)
    return Event.objects.get(pk=event.pk)
