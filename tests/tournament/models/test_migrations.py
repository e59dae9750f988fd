"""Events that an earlier version of the site has kept stay what they were."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.models import Match
from games.process import here
from tests.factories import give_role, make_organizer, make_user
from tests.tournament.helpers import first_stage, organized, started
from tournament.desk.confirmation import confirm
from tournament.models import Event, Result, Table, User
from tournament.results.services import enter_result
from tournament.seating.lots import lots
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

MINE = "nobody_alone_nobody_unseen"


@pytest.fixture
def now() -> Iterator[None]:
    """Whatever a test leaves behind, the tables are those of today afterwards."""
    yield
    migrate_to_now()


def migrate_back(to_before: str = MINE) -> None:
    """To what stood before that migration."""
    here().close()
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.node_map
    (mine,) = (node for node in nodes if node[0] == "tournament" and node[1].endswith(to_before))
    parents = executor.loader.get_migration(*mine).dependencies
    executor.migrate(
        [parent for parent in parents if parent in nodes and parent[0] == "tournament"]
    )


def migrate_to_now() -> None:
    here().close()
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.usefixtures("now")
def test_what_stood_before_organizers_needed_one_another_stays() -> None:
    """One way back and forth for all of them: it takes seconds."""
    rules = {"all": "all", "far": "off", "off": "off"}
    boxes = {rule: organized(0, second_person=rule)[0] for rule in rules}
    waiting, second = with_a_result_that_waits()
    watched, one, other = with_two_tables_on_the_site()
    commentator = make_user(is_staff=True)
    migrate_back()
    add_commentator(watched, commentator)
    migrate_to_now()
    for rule, then in rules.items():
        an_event_keeps_the_box_that_it_had_as_its_rule(boxes[rule], then)
    a_result_waits_as_a_proposal_and_can_be_confirmed(waiting, second)
    commentators_stay_and_their_tables_are_told(watched, one, other)


def with_a_result_that_waits() -> tuple[Table, User]:
    """A table, and who may confirm its points."""
    event, organizer = organized(4, second_person="all")
    second = make_organizer(event)
    table = started(seat_round(first_stage(event), organizer), organizer).tables.get()
    enter_result(table, organizer, [400, 300, 200, 100])
    return table, second


def with_two_tables_on_the_site() -> tuple[Event, int, int]:
    """An event, a match that is played and one that is over."""
    event, organizer = organized(8)
    played = started(seat_round(first_stage(event), organizer), organizer, paper=False)
    one, other = Table.objects.filter(round=played).values_list("match_id", flat=True)
    Match.objects.filter(pk=other).update(phase="over", ended="target", due=None)
    return event, int(one or 0), int(other or 0)


def an_event_keeps_the_box_that_it_had_as_its_rule(event: Event, then: str) -> None:
    event.refresh_from_db()
    assert event.second_person == then
    assert [each.kept for each in lots(event)] == [True, True, True]


def a_result_waits_as_a_proposal_and_can_be_confirmed(table: Table, second: User) -> None:
    event = table.round.stage.event
    proposal = event.proposals.get()
    organizer = event.organizers.exclude(pk=second.pk).get()
    assert (proposal.kind, proposal.round, proposal.asked_by) == ("result", table.round, organizer)
    confirm(proposal, second)
    assert Result.objects.get().state == "confirmed"


def commentators_stay_and_their_tables_are_told(event: Event, one: int, other: int) -> None:
    assert [role.role for role in event.commentary] == ["commentator"]
    told = dict(Match.objects.filter(pk__in=(one, other)).values_list("pk", "commentary"))
    assert told == {one: True, other: False}


def add_commentator(event: Event, user: User) -> None:
    """As an organizer of that time did it in the event's form."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tournament_event_commentators (event_id, user_id) VALUES (%s, %s)",
            [event.pk, user.pk],
        )


@pytest.mark.usefixtures("now")
def test_organizers_and_commentators_become_owners_and_commentators() -> None:
    event, organizer = organized(0)
    give_role(event, make_user(is_staff=True), "commentator")
    give_role(event, make_user(is_staff=True), "scorer")
    migrate_back("roles_of_events")
    migrate_to_now()
    # There was no word for a scorer then.
    assert sorted(event.roles.values_list("role", flat=True)) == ["commentator", "owner"]
    assert list(event.organizers) == [organizer]
