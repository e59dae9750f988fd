"""F25: cards, shares, secrets, codes or passwords in log lines."""

import logging
import re
from collections.abc import Iterator

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from games import services
from games.client.shares import Shares
from games.models import Match
from games.rules.ruleset import rulesets
from tests.games.helpers import make_match, reload
from tests.games.windows import Window, open_windows
from tests.live import LiveSite
from tests.tournament.visitors import PASSWORD, make_asha, read_code, request_code, sign_in, sign_up

# Loggers of the test's clients, which are not part of the site.
CLIENT_LOGGERS = ("websockets.client", "asyncio")


class LineCollector(logging.Handler):
    """Log handler that collects the formatted lines of all loggers, with tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(CLIENT_LOGGERS):
            self.lines.append(self.format(record))

    def find_lines_with(self, *secrets: str) -> list[str]:
        return [line for line in self.lines if any(secret in line for secret in secrets)]


@pytest.fixture
def log_lines() -> Iterator[LineCollector]:
    """Provide the log lines of all loggers, at the level DEBUG."""
    handler, root = LineCollector(), logging.getLogger()
    named = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    loggers = [root, *(each for each in named if each.level)]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.DEBUG)
    root.addHandler(handler)
    yield handler
    root.removeHandler(handler)
    for each, level in zip(loggers, levels, strict=True):
        each.setLevel(level)


def send_requested_shares(window: Window, shares: Shares) -> None:
    """Send the commitment or share that the window's view requests."""
    for message in shares.messages_for(window.view):  # type: ignore[arg-type]
        window.send(message)
        assert window.read_answer(message["id"])["type"] == "ack"
        shares.acknowledge(message["id"])


def play_a_hand(live_site: LiveSite, match: Match) -> list[Shares]:
    """Play a hand and return both players' shares.

    The deal and the first four turns use real sockets. Bots play the remaining turns.
    """
    shares = [Shares(), Shares()]
    with open_windows(live_site, match) as players:
        while reload(match).phase != "playing":
            for player, each in zip(players, shares, strict=True):
                player.send({"type": "sync"})
                player.wait_for("view")
                send_requested_shares(player, each)
        for _ in range(4):
            players[0].catch_up(reload(match).version)
            actor = players[players[0].view["turn"]]
            actor.catch_up(reload(match).version)
            assert actor.act(actor.view["actions"][0])["type"] == "ack"
    services.play_out(reload(match))
    return shares


@pytest.mark.django_db(transaction=True)
def test_logs_of_a_played_hand_contain_no_card_share_or_secret(
    live_site: LiveSite, log_lines: LineCollector
) -> None:
    match = services.start_match(make_match(share_seconds=60, hand_limit=1, turn_seconds=300))
    shares = play_a_hand(live_site, match)
    [hand] = match.hands.all()
    dealt = hand.deals.attempts[-1]
    kept = [share.hex() for each in shares for share in each.kept.values()]
    assert sorted(dealt.shares.values()) == sorted(kept)
    assert log_lines.find_lines_with(*kept, dealt.secret.hex()) == []
    rules = rulesets.make(match.ruleset, match.options)
    cards = "|".join(map(re.escape, set(rules.pack.notations(rules.cards()))))
    card = re.compile(rf"(?<![\w/+-])({cards})(?![\w/-])")
    assert [
        line for line in log_lines.lines if card.search(line.replace(match.public_id, ""))
    ] == []
    logging.getLogger("games.services").debug("played %s with %s", hand.deck[0], kept[0])
    assert (
        len(log_lines.find_lines_with(kept[0]))
        == len([line for line in log_lines.lines if card.search(line)])
        == 1
    )


@pytest.mark.django_db
def test_logs_of_sign_ins_contain_no_password_code_or_session(
    client: Client, mailoutbox: list[EmailMessage], log_lines: LineCollector
) -> None:
    make_asha()
    secrets = [PASSWORD, "wrong-wrong-wrong", "eight-lucky-cards"]
    sign_in(client, password="wrong-wrong-wrong")
    sign_in(client)
    secrets.append(str(client.session.session_key))
    client.post(reverse("account_logout"))
    client.post(request_code(client), {"code": read_code(mailoutbox[-1])})
    secrets.append(str(client.session.session_key))
    sign_up(Client(), email="ben@college.example", password1="eight-lucky-cards")
    Client().post(reverse("account_reset_password"), {"email": "asha@college.example"})
    codes = [read_code(mail) for mail in mailoutbox]
    assert len(codes) == 3
    logging.getLogger("tournament").debug("nobody signed in")
    assert log_lines.find_lines_with("nobody signed in") != []
    assert (
        log_lines.find_lines_with(*secrets, *codes, *(code.replace("-", "") for code in codes))
        == []
    )


@pytest.mark.django_db
def test_log_of_a_failed_email_contains_no_code_or_address(
    client: Client, settings: Settings, log_lines: LineCollector
) -> None:
    nobody = {"host": "127.0.0.1", "port": 9}
    smtp = "django.core.mail.backends.smtp.EmailBackend"
    settings.MAILERS = {"default": {"BACKEND": smtp, "OPTIONS": nobody}}
    make_asha()
    request_code(client)
    assert log_lines.find_lines_with("asha@") == []
    assert [
        line for line in log_lines.lines if re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", line)
    ] == []
