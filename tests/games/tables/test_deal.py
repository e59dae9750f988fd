"""Tests of the facts about a deal in views: secrets and shares never appear too early."""

import json
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import queries, services, store
from games.models import Match
from games.rules.fair import deal as fair
from games.rules.fair.deal import FairChance
from games.rules.ruleset import rulesets
from tests.games.dealing import (
    SHARE,
    commit_to_share,
    deal_first_hand,
    get_current_view,
    get_deal_facts,
    get_prepared_hand,
    make_commitment,
    open_share,
)
from tests.games.helpers import begin, get_time_after_due, make_match, reload, seat_number
from tests.games.viewing import strip_faces
from tests.protocol import validate
from tests.typed import sure

pytestmark = pytest.mark.django_db

OTHER_SHARE = "a5" * 32


# Views


def test_server_commitment_is_shown_before_any_share_is_sent() -> None:
    match = make_match()
    assert get_deal_facts(match) == {
        "hand": 1,
        "attempt": 1,
        "step": "commit",
        "server": get_prepared_hand(match).commitment,
        "list": None,
        "digest": None,
        "receipt": None,
        "shares": {},
        "mine": None,
        "opened": [],
        "void": [],
    }


def test_seat_sees_only_its_own_commitment_before_the_list_closes() -> None:
    match = make_match(people=3)
    commit_to_share(match, 1)
    assert [get_deal_facts(match, seat)["mine"] for seat in (0, 1, None)] == [
        None,
        make_commitment(match, 1),
        None,
    ]
    for seat in (0, 2, None):
        assert make_commitment(match, 1) not in json.dumps(get_current_view(match, seat))


def test_opened_deal_is_shown_to_all_until_the_first_action() -> None:
    match = make_match(people=2, bots=1)
    deal_first_hand(match)
    for seat in (0, 1, None):
        result = get_deal_facts(match, seat)
        assert (result["step"], result["shares"]) == ("dealt", {"0": SHARE, "1": SHARE})
    services.tick(get_time_after_due(match, 100))
    assert get_current_view(match)["deal"] is None


@pytest.mark.parametrize("viewers", ["live", "delayed", "hand"])
def test_secret_and_shares_stay_hidden_until_they_are_opened(viewers: str) -> None:
    """Check after each step that no view contains the secret or unopened shares."""
    match = make_match(people=2, share_seconds=5, viewers=viewers, viewer_delay_seconds=20)
    secrets = [get_prepared_hand(match).deals.current.secret.hex()]
    shares = {0: SHARE, 1: OTHER_SHARE}
    steps: list[Callable[[], object]] = [
        lambda: commit_to_share(match, 0, SHARE),
        lambda: services.start_match(match),
        lambda: commit_to_share(match, 1, OTHER_SHARE),
        lambda: open_share(match, 0, SHARE),
    ]
    for step in steps:
        step()
        for text in list_view_texts(match):
            assert not any(hidden in text for hidden in (*secrets, *shares.values()))
    open_share(match, 1, OTHER_SHARE)
    for text in list_view_texts(match):
        assert secrets[0] not in text


def test_void_attempt_is_shown_without_the_next_attempt() -> None:
    match = make_match(share_seconds=5)
    commit_to_share(match, 0, SHARE)
    commit_to_share(match, 1, OTHER_SHARE)
    services.start_match(match)
    open_share(match, 0, SHARE)
    services.tick(get_time_after_due(match, 0))
    void, current = get_prepared_hand(match).deals.attempts
    for text in list_view_texts(match):
        assert void.secret.hex() in text
        assert SHARE in text
        assert OTHER_SHARE not in text, "it was never opened"
        assert current.secret.hex() not in text


def list_view_texts(match: Match) -> list[str]:
    """Return the current views of two seats and a viewer as JSON."""
    live, now = store.load(match.pk), timezone.now()
    texts = []
    for seat in (0, 1, None):
        number = seat_number(seat)
        found = queries.shown_now(live, queries.stream_of(live.match, number), now)
        shown = queries.table_view(
            found.snapshot, number, {}, now, controls=True, stream=found.stream
        )
        texts.append(json.dumps(validate("TableView", shown)))
    return texts


def test_old_hand_without_a_fair_deal_shows_no_deal() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    assert get_current_view(match)["deal"] is None


@pytest.mark.parametrize("seat", [0, None])
@pytest.mark.parametrize("ruleset", sorted(rulesets.RULE_SETS))
def test_fair_deal_view_does_not_depend_on_hidden_cards(
    ruleset: str, seat: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that deals that differ only in hidden cards give the same view."""
    options = {"hand_size": 3, "first_dealer": "random"}
    rules = rulesets.make(ruleset, options)
    deck = rules.pack.notations(rules.cards())
    deck.sort(key=lambda card: rules.points(rules.kind(card)))  # plain cards first
    mine, top, rest = deck[:3], deck[3], deck[4:]
    frames = []
    for seed in range(4):
        random.Random(seed).shuffle(rest)
        others = [[mine[n], rest[2 * n], rest[2 * n + 1]] for n in range(3)]
        order = [card for held in others for card in held] + [top, *rest[6:]]
        monkeypatch.setattr(fair, "deck_of", lambda *_deal, order=order: order)
        # Let seat 0 get the first card.
        monkeypatch.setattr(FairChance, "choice", lambda *_: 2)
        match = make_match(ruleset, people=3, options=options)
        frames.append(get_comparable_view(deal_first_hand(match).match, seat))
    assert len(set(frames)) == 1


def get_comparable_view(match: Match, seat: int | None) -> str:
    """Return a view after the deal, without the parts that differ between matches."""
    at = sure(reload(match).turn_until) - timedelta(seconds=20)
    shown = queries.table_view(store.load(match.pk), seat_number(seat), {}, at, controls=True)
    deal = sure(shown["deal"])
    assert deal["step"] == "dealt"
    text = strip_faces(json.dumps(shown, sort_keys=True))
    entries = [entry["commitment"] for entry in sure(deal["list"])["seats"]]
    known = (deal["server"], sure(deal["digest"]), sure(deal["receipt"])["signature"])
    faces = {json.dumps(seat["face"], sort_keys=True) for seat in shown["seats"]}
    for differs in (*known, match.public_id, *entries, *faces):
        text = text.replace(differs, "X")
    for one in shown["seats"]:
        text = text.replace(one["name"], f"Seat {one['seat']}")
    return text


# Viewers with a delay


def test_delayed_viewer_sees_the_deal_after_the_delay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = timezone.now()
    match = make_match(viewers="delayed", viewer_delay_seconds=60)
    deal_first_hand(match)
    live = store.load(match.pk)
    stream = queries.stream_of(live.match, None)

    def get_viewer_deal(now: datetime) -> Any:
        found = queries.shown_now(live, stream, now)
        shown = queries.table_view(
            found.snapshot, None, {}, found.now, controls=False, stream=found.stream
        )
        return validate("TableView", shown)["deal"]

    early, late = get_viewer_deal(start), get_viewer_deal(start + timedelta(seconds=70))
    assert (early["step"], early["list"], early["shares"]) == ("commit", None, {})
    assert early["server"] == late["server"]
    assert (late["step"], late["shares"]) == ("dealt", {"0": SHARE, "1": SHARE})


def test_delayed_view_hides_void_attempts_until_the_deal() -> None:
    start = timezone.now()
    match = make_match(viewers="delayed", viewer_delay_seconds=60)
    commit_to_share(match, 0)
    services.start_match(match)
    first = get_prepared_hand(match).commitment
    services.tick(get_time_after_due(match, 0))
    live = store.load(match.pk)
    found = queries.shown_now(live, queries.stream_of(live.match, None), start)
    shown = queries.table_view(found.snapshot, None, {}, found.now, controls=False)
    result = sure(shown["deal"])
    assert (result["attempt"], result["server"], result["void"]) == (1, first, [])


def test_deal_is_the_same_throughout_a_hidden_hand() -> None:
    match = make_match(people=0, bots=2, viewers="hand")
    services.start_match(match)
    frames = set()
    for _ in range(4):
        live = store.load(match.pk)
        found = queries.shown_now(live, queries.stream_of(live.match, None), timezone.now())
        shown = queries.table_view(found.snapshot, None, {}, found.now, controls=False)
        frames.add(json.dumps(shown["deal"], sort_keys=True))
        services.tick(get_time_after_due(match, 0))
    (result,) = frames
    assert json.loads(result)["step"] == "dealt"
