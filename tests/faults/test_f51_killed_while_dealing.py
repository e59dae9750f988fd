"""F51: a deal interrupted by `kill -9` at any statement resumes after a restart."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.client.shares import Shares
from games.models import Hand, Match
from tests.faults.cases import TryCounter, mark_nightly_except
from tests.faults.fragile import LOST_CONNECTION, FragileSite, choose_failpoints
from tests.games.dealing import check_record, send_requested_messages
from tests.games.helpers import make_match, reload
from tests.games.windows import open_window
from tests.rules.verifying import load_script
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]


class DealInProgress:
    """Match whose first hand is being dealt, and the shares that its two browsers keep."""

    def __init__(self, site: FragileSite) -> None:
        self.site = site
        # No other match may be due, or it would trigger the planned death.
        Match.objects.update(due=None)
        self.match = services.start_match(make_match(share_seconds=600))
        self.shares = {0: Shares(), 1: Shares()}
        self.acked: set[tuple[int, str]] = set()
        self.secret = self.hand.deals.current.secret

    @property
    def hand(self) -> Hand:
        return self.match.hands.get(number=1)

    def take_next_step_directly(self, *seats: int) -> None:
        """Take the next step of the deal for these seats in the test's own process."""
        for seat in seats:
            send_requested_messages(self.match, {seat: self.shares[seat]})
            self.acked |= {(seat, self._step(seat))}

    def _step(self, seat: int) -> str:
        return "open" if any(seat in a.shares for a in self.hand.deals.attempts) else "commit"

    def send(self, seat: int) -> bool:
        """Send the requested messages from a new window of this seat.

        Return False if the site dies before it has acknowledged all of them.
        """
        shares, user = self.shares[seat], self.match.seats.get(number=seat).user
        try:
            with open_window(self.site, self.match, user) as window:
                for message in shares.messages_for(window.wait_for("view")["view"]):
                    window.send(message)
                    assert window.read_answer(message["id"])["type"] == "ack"
                    shares.acknowledge(message["id"])
                    self.acked.add((seat, message["type"]))
        except LOST_CONNECTION:
            return False
        return True

    def make_deadline_due(self) -> None:
        """Make the current deadline of the deal expire."""
        Match.objects.filter(pk=self.match.pk).update(due=timezone.now())

    def extend_deadline(self) -> None:
        """Extend the deadline of the deal, in case opening windows takes long."""
        later = timezone.now() + timedelta(minutes=10)
        Match.objects.filter(pk=self.match.pk, phase="between").update(due=later)

    def finish_deal(self) -> None:
        """Reopen both windows until the cards have been dealt."""
        while reload(self.match).phase != "playing":
            for seat in (0, 1):
                self.extend_deadline()
                assert self.send(seat)

    def check(self, *outcomes: str) -> None:
        """Check the outcomes of the attempts, and that no acknowledged message was lost."""
        hand = self.hand
        assert reload(self.match).phase == "playing"
        assert [attempt.outcome for attempt in hand.deals.attempts] == list(outcomes)
        assert hand.deals.attempts[0].secret == self.secret
        assert [shares.complaints for shares in self.shares.values()] == [[], []]
        for seat, step in self.acked:
            taken = "commitments" if step == "commit" else "shares"
            assert any(seat in getattr(attempt, taken) for attempt in hand.deals.attempts)
        assert list(load_script().problems(check_record(hand))) == []


@dataclass(frozen=True)
class DealStep:
    """An operation during a deal that the site may not survive.

    work: the name of the operation
    before: prepares the deal
    start: triggers the operation
    outcomes: the expected outcomes of the attempts
    """

    work: str
    before: Callable[[DealInProgress], Any]
    start: Callable[[DealInProgress], Any]
    outcomes: tuple[str, ...] = ("dealt",)


def commit_both_shares(deal: DealInProgress) -> None:
    deal.take_next_step_directly(0, 1)


def open_only_one(deal: DealInProgress) -> None:
    """Commit for both seats, and open the share of seat 0."""
    deal.take_next_step_directly(0, 1, 0)


DEAL_STEPS = {
    "a commitment": DealStep("commit_share", lambda deal: None, lambda deal: deal.send(0)),
    "the last commitment, which closes the list": DealStep(
        "commit_share", lambda deal: deal.take_next_step_directly(0), lambda deal: deal.send(1)
    ),
    "a share": DealStep("open_share", commit_both_shares, lambda deal: deal.send(1)),
    "the last share, which deals": DealStep("open_share", open_only_one, lambda deal: deal.send(1)),
    "a list that the clock closes": DealStep(
        "run_due_step",
        lambda deal: deal.take_next_step_directly(0),
        DealInProgress.make_deadline_due,
    ),
    "an attempt that the clock ends": DealStep(
        "run_due_step", open_only_one, DealInProgress.make_deadline_due, ("void", "dealt")
    ),
    "a deal by the clock": DealStep(
        "run_due_step", lambda deal: None, DealInProgress.make_deadline_due
    ),
}


def count_failpoints(site: FragileSite, step: DealStep) -> int:
    """Return the number of failpoints that this operation passes."""
    deal = DealInProgress(site)
    step.before(deal)
    site.plan_death(step.work)
    step.start(deal)
    return site.count_passed_points()


def restart_site(deal: DealInProgress, step: DealStep) -> None:
    """Wait for the site to die, restart it, and wait until the expected attempts exist."""
    wait_for(deal.site.has_died, "the death of the site")
    if step.work != "run_due_step":
        deal.extend_deadline()
    deal.site.restart_after_death()
    wait_for(lambda: len(deal.hand.deals.attempts) == len(step.outcomes), "the attempt")


@pytest.mark.parametrize("name", mark_nightly_except("the last share, which deals", DEAL_STEPS))
def test_deal_killed_at_any_statement_resumes(
    fragile_site: FragileSite, tries: TryCounter, name: str
) -> None:
    step = DEAL_STEPS[name]
    count = count_failpoints(fragile_site, step)
    assert count >= 4
    for number in choose_failpoints(tries, 1, count):
        deal = DealInProgress(fragile_site)
        step.before(deal)
        fragile_site.plan_death(step.work, number)
        step.start(deal)
        restart_site(deal, step)
        deal.finish_deal()
        deal.check(*step.outcomes)
