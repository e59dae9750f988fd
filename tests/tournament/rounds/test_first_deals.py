"""First deals of a round, which wait up to five seconds for shares from players' devices."""

from datetime import timedelta

import pytest

from games import services as games
from games.matches.spec import SHARE_SECONDS
from games.models import Match
from tests.games.dealing import commit_to_share, get_deal_facts
from tests.tournament.staging import organizer_of, published_round
from tests.typed import sure
from tournament.models import Round
from tournament.rounds.services import start_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def started_round(monkeypatch: pytest.MonkeyPatch) -> Round:
    """Provide a round that has just started and whose first deals wait for shares."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", SHARE_SECONDS)
    published = published_round()
    return start_round(published, organizer_of(published.stage.event))


def list_matches(round_: Round) -> list[Match]:
    return [table.match for table in round_.tables.select_related("match") if table.match]


def test_first_deal_waits_five_seconds_for_shares(started_round: Round) -> None:
    for match in list_matches(started_round):
        assert match.phase == "between"
        assert sure(match.due) - sure(match.started_at) == timedelta(seconds=5)
        games.run_due_step(match.pk, match.version, match.due)
    assert {match.phase for match in list_matches(started_round)} == {"playing"}


def test_first_deal_does_not_wait_once_all_shares_are_committed(started_round: Round) -> None:
    match = list_matches(started_round)[0]
    for seat in match.seats.filter(user__isnull=False):
        assert get_deal_facts(match)["step"] == "commit"
        commit_to_share(match, seat.number)
    assert get_deal_facts(match)["step"] == "open"
