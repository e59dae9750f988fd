"""Tests of simultaneous actions in threads, each with its own database connection."""

from functools import partial

import pytest

from games import services, store
from games.models import LoggedAction, Match
from games.rules.fair.deal import find_fault
from tests.games.dealing import commit_to_share, open_share
from tests.games.helpers import make_match
from tests.games.threads import run_in_threads
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


@pytest.mark.slow
def test_concurrent_tables_keep_complete_logs() -> None:
    matches = [
        services.start_match(make_match(people=0, bots=3, hand_limit=1, bot_seconds=0))
        for _ in range(4)
    ]

    def play(match: Match) -> None:
        for _ in range(400):
            current = store.load(match.pk).match
            if current.phase == "over":
                return
            services.run_due_step(match.pk, current.version, current.due)

    run_in_threads(*[lambda match=match: play(match) for match in matches for _ in range(2)])
    for match in matches:
        match.refresh_from_db()
        numbers = LoggedAction.objects.filter(hand__match=match).order_by("number")
        assert list(numbers.values_list("number", flat=True)) == list(range(1, numbers.count() + 1))
        versions = list(numbers.values_list("version", flat=True))
        assert versions == list(range(2, len(versions) + 2))
        assert (match.phase, match.version) == ("over", versions[-1])


def test_ten_simultaneous_shares_are_all_in_the_deal() -> None:
    match = make_match("ocho", people=10)
    acks = run_in_threads(*(partial(commit_to_share, match, seat) for seat in range(10)))
    assert [(ack.version, ack.repeated) for ack in acks] == [(0, False)] * 10
    assert len({ack.receipt for ack in acks}) == 10
    services.start_match(match)
    acks = run_in_threads(*(partial(open_share, match, seat) for seat in range(10)))
    assert sorted(ack.version for ack in acks) == [1] * 9 + [2]
    opened = sure(match.hands.get().deals.dealt).opened
    assert len(opened.shares) == 10
    assert find_fault(opened) is None
