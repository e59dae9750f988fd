"""Several at once: threads with connections of their own, on the database in use."""

import pytest

from games import services, store
from games.models import LoggedAction, Match
from tests.games.helpers import make_match
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_many_tables_play_at_once_and_every_log_is_whole() -> None:
    matches = [
        services.start_match(make_match(people=0, bots=3, hand_limit=1, bot_seconds=0))
        for _ in range(4)
    ]

    def play(match: Match) -> None:
        for _ in range(400):
            current = store.load(match.pk).match
            if current.phase == "over":
                return
            services.run_due(match.pk, current.version, current.due)

    together(*[lambda match=match: play(match) for match in matches for _ in range(2)])
    for match in matches:
        match.refresh_from_db()
        numbers = LoggedAction.objects.filter(hand__match=match).order_by("number")
        assert list(numbers.values_list("number", flat=True)) == list(range(1, numbers.count() + 1))
        versions = list(numbers.values_list("version", flat=True))
        assert versions == list(range(2, len(versions) + 2))
        assert (match.phase, match.version) == ("over", versions[-1])
