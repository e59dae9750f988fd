"""Helpers that make the server cheat a player at the deal, and checks of the complaints."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import queries, services, store
from games.models import Match
from games.play.answers import Ack, RefusedError
from games.rules import record
from games.seats import SeatNumber
from games.services import SeatSpec, ShareTarget
from games.sockets.consumers import PlayerRequest, TableSocket
from tests.browser.conftest import Windows
from tests.browser.tables import open_seat
from tests.factories import make_user
from tests.games.dealing import commit_to_share, open_share
from tests.games.helpers import create_match
from tests.rules.verifying import SCRIPT
from tests.services import wait_for

VICTIM, ACCOMPLICE = SeatNumber(0), SeatNumber(1)


def make_unstarted_match(**fields: Any) -> Match:
    """Create a match that has not started, with Asha as the victim and Ben as the accomplice."""
    defaults: dict[str, Any] = {
        "turn_seconds": 60,
        "hand_limit": 1,
        "share_seconds": 5,
        "seats": [SeatSpec(name=name, user=make_user(name)) for name in ("Asha", "Ben")],
    }
    return create_match(ruleset="ocho", options={"hand_size": 3}, **(defaults | fields))


def open_ashas_window(open_page: Windows, match: Match, **options: Any) -> Page:
    return open_seat(open_page, match, VICTIM, **options)


def refuse_commitments(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Refuse every commitment from Asha's browser with this code."""
    honest = services.commit_share

    def act_dishonestly(match_id: int, meant: ShareTarget, commitment: str, **more: Any) -> Ack:
        if meant.seat == VICTIM:
            raise RefusedError(code, "No.", store.load(match_id).version)
        return honest(match_id, meant, commitment, **more)

    monkeypatch.setattr(services, "commit_share", act_dishonestly)


def leave_unanswered(monkeypatch: pytest.MonkeyPatch, kind: str = "commit") -> None:
    """Silently discard messages of this kind from Asha's browser."""
    honest = TableSocket.handle_request

    async def act_dishonestly(self: TableSocket, message: PlayerRequest) -> None:
        if self.seat != VICTIM or message["type"] != kind:
            await honest(self, message)

    monkeypatch.setattr(TableSocket, "handle_request", act_dishonestly)


def deal_with_accomplice(match: Match) -> None:
    """Start the match and deal its first hand with Ben's share, which the server knows."""
    commit_to_share(match, ACCOMPLICE)
    services.start_match(match)
    hand = match.hands.get

    def is_list_closed() -> bool:
        services.tick()
        return hand(number=1).deals.closed

    wait_for(is_list_closed, "the list")
    open_share(match, ACCOMPLICE)
    wait_for(lambda: hand(number=1).dealt_at is not None, "the deal")


def expect_complaint(page: Page, words: str) -> None:
    """Check that the table shows a complaint with these words and offers the evidence."""
    alarm = page.locator("#alarm")
    expect(alarm).to_contain_text(words)
    expect(alarm.get_by_role("button", name="Download the evidence")).to_be_visible()


def expect_confirmed_complaint(
    page: Page, match: Match, words: str, *, hand: int = 1, faults: str = "", by_script: str = ""
) -> None:
    """Check that the deal verification page confirms the complaint and offers the evidence.

    `faults` and `by_script` are passed to `check_record`.
    """
    match.refresh_from_db()
    if match.phase != Match.Phase.OVER:
        services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    shown = page.locator(".fair-hand").nth(hand - 1)
    expect(shown).to_have_attribute("data-state", "wrong")
    expect(shown.locator(".fair-wrong")).to_contain_text(words)
    expect(page.get_by_role("button", name="Download the evidence").first).to_be_visible()
    check_record(match, hand, faults, by_script)


def check_record(match: Match, hand: int = 1, faults: str = "", by_script: str = "") -> None:
    """Check what the two programs that verify records find in a hand's record, if it was dealt.

    faults: part of the finding of games.rules.record; "" if the record is correct
    by_script: part of the output of docs/verify_deal.py; "" if it finds nothing
    """
    made = match.hands.get(number=hand)
    if made.dealt_at is None:
        return
    text = json.dumps(queries.hand_record(made))
    found = record.check(json.loads(text))
    assert (faults in (found or ""), bool(found)) == (True, bool(faults)), found
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        path.write_text(text)
        output, status = verify_by_script(path)
    assert (by_script in output, status) == (True, int(bool(by_script))), output


def verify_by_script(*paths: Path) -> tuple[str, int]:
    """Run docs/verify_deal.py on these files, and return its output and exit status."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout, done.returncode
