"""F11: a double click within a millisecond."""

from collections import Counter

import pytest
from django.utils import timezone

from games import services, store
from games.json_values.submitted_action import SubmittedAction
from games.models import Match
from games.play.commit import commit_action
from games.rules.actions.actions import Action
from games.seats import PlayerIndex, SeatNumber
from tests.faults.cases import TryCounter
from tests.games.helpers import begin, list_log
from tests.games.threads import run_in_threads

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_exactly_one_of_two_writers_with_the_same_version_succeeds(tries: TryCounter) -> None:
    """Let two writers act on the same snapshot, like two processes that cached the same version."""
    for _ in tries(20, 1000):
        match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
        snapshot = store.load(match.pk)

        def write(card: str, snapshot: store.Snapshot = snapshot) -> object:
            return commit_action(
                snapshot, SubmittedAction(PlayerIndex(0), Action.play(card)), timezone.now()
            )

        results = run_in_threads(lambda: write("R1"), lambda: write("R2"))
        won = [one for one in results if isinstance(one, store.Snapshot)]
        lost = [one for one in results if isinstance(one, store.ConflictError)]
        assert (len(won), len(lost)) == (1, 1)
        assert Match.objects.get(pk=match.pk).version == 2
        assert len(list_log(match)) == 1


def test_action_delivered_twice_concurrently_has_one_effect(tries: TryCounter) -> None:
    for _ in tries(20, 1000):
        match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")

        def send(match: Match = match) -> services.Ack:
            return services.act(
                match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="double"
            )

        assert [ack.version for ack in run_in_threads(send, send, send)] == [2, 2, 2]
        assert len(list_log(match)) == 1


def test_double_click_with_two_ids_plays_one_card(tries: TryCounter) -> None:
    for _ in tries(5, 1000):
        match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")

        def send(client_id: str, match: Match = match) -> services.Ack:
            return services.act(
                match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id=client_id
            )

        answers = run_in_threads(lambda: send("a"), lambda: send("b"))
        assert Counter(type(answer).__name__ for answer in answers) == {"Ack": 1, "RefusedError": 1}
        assert len(list_log(match)) == 1
